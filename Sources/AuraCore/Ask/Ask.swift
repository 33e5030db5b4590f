/// Answering a question from notes, with citations that code has checked.
package struct Ask: Sendable {
    private let generator: (any TextGenerator)?
    private let contents: @Sendable (String) throws -> [UInt8]?

    /// - Parameters:
    ///   - generator: nil for answers made of the notes' own sentences.
    ///   - contents: the file of a path, to find the line of a quote.
    package init(
        generator: (any TextGenerator)?, contents: @escaping @Sendable (String) throws -> [UInt8]?
    ) {
        self.generator = generator
        self.contents = contents
    }

    /// Share of the model's context that passages may fill.
    static let passageShare = 0.6

    /// Answers from what search found.
    ///
    /// - Parameters:
    ///   - candidates: passages, best first; those that have nothing to do with the question are dropped here.
    ///   - limit: at most so many go to the model.
    ///   - onSentence: called with each sentence as soon as it is complete and checked.
    /// - Throws: `ModelError` when a model was given and gave no reply, `CancellationError`.
    package func answer(
        _ question: String, from candidates: [Evidence.Passage], limit: Int, strict: Bool = false,
        onSentence: (Answer.Sentence) -> Void = { _ in }
    ) async throws -> Answer {
        let evidence = Evidence(question: question)
        var chosen = evidence.select(candidates, limit: limit)
        guard !chosen.isEmpty else { return .nothing(question) }
        // Oldest first, as the prompt promises; notes without a day count as oldest.
        chosen.sort { ($0.day?.daysSince1970 ?? .min) < ($1.day?.daysSince1970 ?? .min) }
        let citation = Citation(passages: chosen, question: evidence.question)
        var sentences: [Answer.Sentence] = []
        // Passages in the order in which they were first cited: their place is their number.
        var cited: [(passage: Int, quote: String)] = []
        func number(of item: (passage: Int, quote: String)) -> Int {
            if let place = cited.firstIndex(where: { $0.passage == item.passage }) {
                return place + 1
            }
            cited.append(item)
            return cited.count
        }
        func add(_ text: String, _ support: [(passage: Int, quote: String)], shown: Bool) {
            let sentence = Answer.Sentence(
                text: text, cites: support.map { number(of: $0) }, quote: support.first?.quote,
                isSupported: !support.isEmpty)
            sentences.append(sentence)
            if shown { onSentence(sentence) }
        }
        var maker = "extract"
        // Words cannot tell a right yes from a wrong one, so the notes answer such a question themselves.
        if let generator, !evidence.asksYesOrNo {
            let written = try await write(question, chosen, by: generator) { text in
                let support = citation.support(for: text)
                // The first unsupported sentences are held back: if nothing holds, they are not shown at all.
                if !support.isEmpty {
                    for held in sentences where held.cites.isEmpty && !strict && cited.isEmpty {
                        onSentence(held)
                    }
                    add(text, support, shown: true)
                } else if !strict {
                    add(text, [], shown: !cited.isEmpty)
                }
            }
            maker = written
        }
        if cited.isEmpty {
            // The model found nothing that holds; that alone makes a weak case weaker.
            guard generator == nil || evidence.asksYesOrNo || evidence.isClear(chosen) else {
                return .nothing(question)
            }
            sentences = []
            maker = "extract"
            for item in citation.extract(limit: 2, days: chosen.map(\.day)) {
                add(item.quote, [item], shown: true)
            }
        }
        return Answer(
            question: question, isFound: !sentences.isEmpty, sentences: sentences,
            sources: sources(cited, chosen), maker: maker)
    }

    /// Streams the model's reply sentence by sentence.
    private func write(
        _ question: String, _ passages: [Evidence.Passage], by generator: any TextGenerator,
        onSentence: (String) -> Void
    ) async throws -> String {
        let room = Int(Double(try await generator.contextLength()) * Ask.passageShare)
        let counts = try await generator.tokenCounts(of: passages.map(\.text))
        let total = max(1, counts.reduce(0, +))
        let quoted = passages.map { passage in
            // Where they do not all fit, each keeps its share of the room.
            let text =
                total <= room
                ? passage.text
                : String(passage.text.prefix(passage.text.count * room / total))
            return Prompts.QuotedNote(
                day: passage.day?.description ?? "undated", title: passage.title, text: text)
        }
        var open = ""
        var seen: Set<String> = []
        var cleaner = ThinkingFilter()
        func emit(_ sentence: String) {
            let plain = Ask.withoutMarks(sentence)
            if !plain.isEmpty, seen.insert(plain).inserted { onSentence(plain) }
        }
        for try await piece in generator.generate(
            Prompts.answer(question: question, notes: quoted), Sampling())
        {
            open += cleaner.take(piece)
            let parts = Sentences.split(open)
            if parts.count > 1 {
                for part in parts.dropLast() { emit(part) }
                open = parts[parts.count - 1]
            }
        }
        open += cleaner.finish()
        for part in Sentences.split(open) { emit(part) }
        return generator.modelName
    }

    /// Citation marks are ours to set: what the model wrote as one goes.
    static func withoutMarks(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            let inside = rest[rest.index(after: open)...].prefix {
                $0.isNumber || $0 == "," || $0 == " "
            }
            let after = rest[inside.endIndex...]
            if !inside.isEmpty, after.first == "]" {
                rest = after.dropFirst()
                while result.last == " " { result.removeLast() }
            } else {
                result.append("[")
                rest = rest[rest.index(after: open)...]
            }
        }
        return (result + rest).trimmingBlanks()
    }

    private func sources(
        _ cited: [(passage: Int, quote: String)], _ passages: [Evidence.Passage]
    ) -> [Answer.Source] {
        cited.enumerated().map { position, item in
            let passage = passages[item.passage]
            return Answer.Source(
                number: position + 1, path: passage.path, id: passage.id, title: passage.title,
                day: passage.day, quote: item.quote, line: line(of: item.quote, in: passage.path))
        }
    }

    private func line(of quote: String, in path: String) -> Int? {
        guard let bytes = try? contents(path) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.firstIndex { $0.contains(quote) }.map { $0 + 1 }
    }
}

extension String {
    func trimmingBlanks() -> String {
        var rest = self[...].drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
