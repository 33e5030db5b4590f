import AuraCore

extension Search.Mode: ArgumentChoice {}

/// Finds notes by words and meaning.
struct SearchCommand: ChoosesNotes {
    static let name = "search"
    static let aliases = ["find", "s"]
    static let summary = "Find notes by words and meaning"
    static let discussion = """
        A query is words, "exact phrases", -not, OR, and filters: vault:NAME tag:NAME type:NAME title:WORD \
        is:evergreen is:pending has:task before:DATE after:DATE on:DATE, where a date may be words like \
        last-week. Nothing you type is a syntax error. An empty result is no failure; --fail-on-empty \
        makes it one (exit 1).

        --json prints one JSON object a line for each note. --notes-only-ids prints its id alone, or its path \
        where it has none; with --json an object with both.

        --batch answers lines like {"id": 1, "text": "winter storage"}, in order, each as soon as it is read: \
        {"id": 1, "hits": […], "milliseconds": 1.5}, the time spent on that query in this process. A line may \
        have its own mode, limit, explain (true or false), vault, tag, type, since, until, now and zone. A line \
        that is wrong gives {"id", "error": {"code", "message"}} and stops nothing; the exit code is then 1.
        """
    static let examples = [
        ("aura search winter storage", "Finds notes with these words or this meaning."),
        (
            "aura search 'vault:Corporate \"index layer\" -draft'",
            "Uses a phrase, a filter and a not."
        ),
        ("aura search --mode keyword --explain OPS-4417", "Shows why each note was found."),
        ("aura search --notes-only-ids --limit 5 boiler", "Prints the ids of five notes."),
    ]
    static let grammar = Grammar<Self>(
        takesDashedWords: true,
        .rest("query", \.words, help: "What to look for."),
        .options(
            "vault", \.choice.vaults, value: "name", help: "Only this vault; may be given again."),
        .options(
            "tag", short: "t", \.choice.tags, value: "tag",
            help: "Only with this tag; all of several."),
        .options("type", \.choice.kinds, value: "type", help: "Only of this type."),
        .option("since", \.choice.since, value: "date", help: "Only from this day on."),
        .option("until", \.choice.until, value: "date", help: "Only up to this day."),
        .option("mode", \.mode, value: "mode", help: "By words, by meaning, or both."),
        .option("limit", short: "n", \.limit, value: "count", help: "Show at most this many."),
        .flag("explain", \.explains, help: "Show the parts of each score."),
        .flag(
            "notes-only-ids", \.namesOnly,
            help: "Print ids alone, or the path of a note without one."),
        .flag("fail-on-empty", \.failsOnEmpty, help: "Exit 1 when nothing was found."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var choice = NoteChoice()
    var mode = Search.Mode.hybrid
    var limit: Int?
    var explains = false
    var namesOnly = false
    var failsOnEmpty = false
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        let filter = try choice.filter(services)
        if !isBatch, words.isEmpty, filter.isEmpty {
            throw UsageError.missingWord("query", command: "aura search")
        }
        let library = try await services.library(vaults: filter.vaults, console.say)
        if isBatch {
            return try await Batch.run(invocation) {
                try await answer($0, filter, library, services)
            }
        }
        let results = try await services.search(
            words.joined(separator: " "), filter, mode: mode, limit: count(services), library,
            patience: mode == .semantic ? .seconds(20) : .milliseconds(150))
        for remark in results.remarks { console.say("aura: \(remark)") }
        let colours = services.colours
        invocation.print(list: results.hits.map { report($0, explains: explains, colours) })
        if results.hits.isEmpty {
            console.say("aura: nothing found")
            if let suggestion = results.suggestion {
                console.say(
                    "      did you mean '\(SafeDisplay.visible(suggestion, keepsLines: false))'?")
            }
        }
        return results.hits.isEmpty && failsOnEmpty
            ? .nothingFoundOrLeftUndone : ExitStatus(lookingAt: library)
    }

    /// One line of a batch.
    private func answer(
        _ line: Batch.Line, _ filter: NoteFilter, _ library: Library, _ services: Services
    ) async throws -> [(String, JSONValue)] {
        let clock = ContinuousClock()
        let start = clock.now
        let (now, zone) = try line.clock(services)
        let there = services.at(now, zone)
        var filter = filter
        let vaults = try line.texts("vault")
        if !vaults.isEmpty { filter.vaults = try vaults.map { try services.vaultName($0) } }
        filter.tags += try line.texts("tag", "tags").map { Tag.normalised($0) ?? $0 }
        let kinds = try line.kinds()
        if !kinds.isEmpty { filter.kinds = kinds }
        if let day = line.object["since"]?.text { filter.from = try there.day(day) }
        if let day = line.object["until"]?.text { filter.through = try there.day(day, end: true) }
        let explains = try line.flag("explain") ?? explains
        let results = try await there.search(
            line.text(), filter, mode: line.mode() ?? mode,
            limit: try line.count("limit", least: 1) ?? count(services), library,
            patience: .seconds(20), quoting: !namesOnly)
        return [
            ("hits", .array(results.hits.map { report($0, explains: explains, [:]).json })),
            ("milliseconds", .number(Milliseconds.rounded(clock.now - start))),
        ]
    }

    private func report(
        _ hit: Hit, explains: Bool, _ colours: [String: String]
    ) -> HitReport {
        HitReport(hit: hit, explains: explains, namesOnly: namesOnly, colours: colours)
    }

    private func count(_ services: Services) -> Int {
        max(1, limit ?? services.settings.searchLimit)
    }
}

extension Batch.Line {
    fileprivate func mode() throws -> Search.Mode? {
        guard let name = object["mode"]?.text else { return nil }
        guard let mode = Search.Mode(rawValue: name) else {
            throw InputError.badLine("'\(name)' is no mode")
        }
        return mode
    }
}

/// A note that was found.
struct HitReport: Report {
    let hit: Hit
    let explains: Bool
    /// The id alone, and the path where it has none.
    var namesOnly = false
    let colours: [String: String]

    var json: JSONValue {
        if namesOnly {
            return .record([("id", .optional(hit.id)), ("path", .string(hit.path))])
        }
        var members: [(String, JSONValue)] = [
            ("path", .string(hit.path)), ("id", .optional(hit.id)), ("title", .string(hit.title)),
            ("vault", .string(hit.vault)), ("type", .string(hit.kind.rawValue)),
            ("tags", .array(hit.tags.map { .string($0) })), ("day", .string(hit.day.description)),
            ("score", .number(hit.score)), ("snippet", .string(hit.snippet.text)),
        ]
        if explains { members.append(("explain", explanation)) }
        return .record(members)
    }

    private var explanation: JSONValue {
        let parts = hit.parts
        return .record([
            ("keyword_score", parts.keywordScore.map { .number($0) } ?? .null),
            ("best_passage", .number(parts.keywordParts.passage)),
            ("other_passages", .number(parts.keywordParts.otherPassages)),
            ("closeness", .number(parts.keywordParts.closeness)),
            ("keyword_rank", parts.keywordRank.map { .integer($0) } ?? .null),
            ("similarity", parts.similarity.map { .number(Double($0)) } ?? .null),
            ("semantic_rank", parts.semanticRank.map { .integer($0) } ?? .null),
            ("keyword_share", .number(parts.keywordShare)),
            ("semantic_share", .number(parts.semanticShare)),
            ("matched", .array(parts.matchedWords.map { .string($0) })),
            ("heading", .string(parts.heading)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        if namesOnly { return [hit.id?.text ?? SafeDisplay.visible(hit.path, keepsLines: false)] }
        let title = SafeDisplay.visible(hit.title, keepsLines: false)
        var lines = [
            "\(style.colour(style.bold(title), hex: colours[hit.vault] ?? "#7D8590"))  "
                + style.secondary("\(SafeDisplay.visible(hit.path, keepsLines: false)), \(hit.day)")
        ]
        let snippet = shownSnippet(style)
        if !snippet.isEmpty { lines.append("  \(snippet)") }
        if explains {
            func three(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
            let parts = hit.parts
            var words = ["score \(three(hit.score))"]
            if let rank = parts.keywordRank {
                words.append(
                    "words: rank \(rank), score \(three(parts.keywordScore ?? 0)) (best passage \(three(parts.keywordParts.passage)), others \(three(parts.keywordParts.otherPassages)), closeness \(three(parts.keywordParts.closeness))), share \(three(parts.keywordShare))"
                )
            }
            if let rank = parts.semanticRank {
                words.append(
                    "meaning: rank \(rank), cosine \(three(Double(parts.similarity ?? 0))), share \(three(parts.semanticShare))"
                )
            }
            if !parts.matchedWords.isEmpty {
                words.append("matched \(parts.matchedWords.joined(separator: ", "))")
            }
            lines.append(style.secondary("  " + words.joined(separator: "; ")))
        }
        return lines
    }

    private func shownSnippet(_ style: Styling) -> String {
        let text = hit.snippet.text
        var result = ""
        var position = text.startIndex
        for range in hit.snippet.highlights where range.lowerBound >= position {
            result += SafeDisplay.visible(
                String(text[position..<range.lowerBound]), keepsLines: false)
            result += style.highlight(SafeDisplay.visible(String(text[range]), keepsLines: false))
            position = range.upperBound
        }
        return result + SafeDisplay.visible(String(text[position...]), keepsLines: false)
    }
}
