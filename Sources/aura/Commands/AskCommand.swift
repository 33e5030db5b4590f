import AuraCore

/// Answers a question from the notes.
struct AskCommand: Command {
    static let name = "ask"
    static let summary = "Answer a question from your notes, with sources"
    static let discussion = """
        Finds the passages that have to do with the question, lets the local model answer from them, and \
        checks each sentence against the notes it cites. What no note carries is marked with (?), or left \
        out with --strict. When the notes do not say, that is the answer, and the exit code is 1. Without \
        a model the answer is made of the notes' own sentences.
        """
    static let examples = [
        ("aura ask 'When did we change the hedge supplier?'", "Answers with sources."),
        (
            "aura ask --json --no-ai 'boiler pump price'",
            "Answers with the notes' own words, as JSON."
        ),
    ]
    static let grammar = Grammar<Self>(
        takesDashedWords: true,
        .rest("question", \.words, help: "The question; standard input when there is none."),
        .options(
            "vault", \.vaults, value: "name", help: "Only from this vault; may be given again."),
        .flag("strict", \.isStrict, help: "Leave out what no note carries."),
        .flag("no-ai", \.isWithoutModel, help: "Use the notes' own sentences, no chat model."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var vaults: [String] = []
    var isStrict = false
    var isWithoutModel = false
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        let wanted = try vaults.map { try services.vaultName($0) }
        let library = try await services.library(vaults: wanted, console.say)
        if isBatch {
            return try await Batch.run(invocation) { line in
                let (now, zone) = try line.clock(services)
                let answer = try await self.answer(
                    line.text(), vaults: line.object["vault"]?.text.map { [$0] } ?? vaults,
                    services.at(now, zone), library
                ) { _ in }
                return AnswerReport(answer: answer, colours: [:]).members
            }
        }
        let question = try Input.text(words, invocation, purpose: "a question")
        let style = console.styling
        console.progress("looking through the notes…")
        var isFirst = true
        let answer = try await self.answer(question, vaults: vaults, services, library) {
            sentence in
            guard !globals.isJSON else { return }
            if isFirst { console.endProgress() }
            console.write((isFirst ? "" : " ") + AnswerReport.shown(sentence, style))
            isFirst = false
        }
        console.endProgress()
        if globals.isJSON {
            invocation.print(AnswerReport(answer: answer, colours: [:]))
        } else if answer.isFound {
            console.write(isFirst ? "" : "\n")
            for line in AnswerReport(answer: answer, colours: services.colours)
                .sourceLines(style, width: console.width)
            {
                console.writeLine(line)
            }
        } else {
            console.writeLine("Your notes do not say.")
        }
        if answer.isFound, answer.maker == "extract", !isWithoutModel {
            console.say("aura: answered in the notes' own words")
        }
        return answer.isFound ? .done : .nothingFoundOrLeftUndone
    }

    private func answer(
        _ question: String, vaults: [String], _ services: Services, _ library: Library,
        onSentence: (Answer.Sentence) -> Void
    ) async throws -> Answer {
        guard !question.allSatisfy(\.isWhitespace) else {
            throw InputError.empty(purpose: "a question")
        }
        var filter = NoteFilter()
        filter.vaults = try vaults.map { try services.vaultName($0) }
        let passages = try await services.passages(for: question, filter, library)
        let ask = Ask(
            generator: isWithoutModel ? nil : services.generator,
            contents: { path in
                for shelf in library.shelves {
                    if let bytes = try shelf.workspace.files.contents(of: path) { return bytes }
                }
                return nil
            })
        return try await ask.answer(
            question, from: passages, limit: services.settings.askPassages, strict: isStrict,
            onSentence: onSentence)
    }
}

/// An answer with its sources.
struct AnswerReport: Report {
    let answer: Answer
    let colours: [String: String]

    var json: JSONValue { .record(members) }

    var members: [(String, JSONValue)] {
        [
            ("question", .string(answer.question)),
            ("answer", .string(answer.isFound ? answer.text : "Your notes do not say.")),
            ("found", .bool(answer.isFound)),
            (
                "sentences",
                .array(
                    answer.sentences.map { sentence in
                        .record([
                            ("text", .string(sentence.text)),
                            ("cites", .array(sentence.cites.map { .integer($0) })),
                            ("quote", .optional(sentence.quote)),
                            ("supported", .bool(sentence.isSupported)),
                        ])
                    })
            ),
            (
                "sources",
                .array(
                    answer.sources.map { source in
                        .record([
                            ("n", .integer(source.number)), ("path", .string(source.path)),
                            ("id", .optional(source.id)), ("title", .string(source.title)),
                            ("date", .optional(source.day)), ("quote", .string(source.quote)),
                            ("line", source.line.map { .integer($0) } ?? .null),
                        ])
                    })
            ),
            ("model", .string(answer.maker)),
        ]
    }

    static func shown(_ sentence: Answer.Sentence, _ style: Styling) -> String {
        let text = SafeDisplay.visible(sentence.text, keepsLines: false)
        guard sentence.isSupported else { return text + style.danger(" (?)") }
        return text + style.secondary(sentence.cites.map { " [\($0)]" }.joined())
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        [answer.sentences.map { Self.shown($0, style) }.joined(separator: " ")]
            + sourceLines(style, width: width)
    }

    func sourceLines(_ style: Styling, width: Int) -> [String] {
        [""]
            + answer.sources.flatMap { source in
                let place = source.line.map { ":\($0)" } ?? ""
                let vault = String(source.path.prefix { $0 != "/" })
                let title = SafeDisplay.visible(source.title, keepsLines: false)
                let path = SafeDisplay.visible(source.path, keepsLines: false)
                let quote = SafeDisplay.visible(source.quote, keepsLines: false)
                return [
                    "[\(source.number)] \(style.colour(title, hex: colours[vault] ?? "#7D8590"))\(source.day.map { ", \($0)" } ?? "")",
                    style.secondary("    \(path)\(place)"),
                    style.secondary("    “\(SafeDisplay.truncate(quote, toColumns: width - 8))”"),
                ]
            }
    }
}
