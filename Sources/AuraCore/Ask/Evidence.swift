/// Which passages can answer a question, and whether any can.
///
/// Nothing here asks a model: a small one cannot be trusted to say "the notes do not say".
package struct Evidence: Sendable {
    /// A piece of a note that search came up with.
    package struct Passage: Hashable, Sendable {
        package var path: String
        package var id: NoteID?
        package var title: String
        package var vault: String
        package var kind: NoteKind
        /// The note's local day; nil when it has none.
        package var day: Day?
        package var text: String
        /// Cosine to the question, when both have a vector.
        package var similarity: Float?

        package init(
            path: String, id: NoteID?, title: String, vault: String, kind: NoteKind, day: Day?,
            text: String, similarity: Float?
        ) {
            self.path = path
            self.id = id
            self.title = title
            self.vault = vault
            self.kind = kind
            self.day = day
            self.text = text
            self.similarity = similarity
        }
    }

    /// A cosine from MiniLM that speaks for itself, whatever the words. Questions without an answer
    /// peaked at 0.21 in trials, right passages began at 0.54.
    static let clearSimilarity: Float = 0.6
    /// Enough together with half of the question's words.
    static let fairSimilarity: Float = 0.42
    static let fairCoverage = 0.5
    /// Share of the question's words that speaks for itself where there is no vector to ask.
    static let clearCoverage = 0.75

    let question: ContentWords

    private let asked: Set<String>
    private let first: String?

    package init(question: String) {
        self.question = ContentWords(question, isQuestion: true)
        asked = Words.distinct(in: question)
        first = question.split { !$0.isLetter && $0 != "'" && $0 != "’" }.first.map { word in
            FoldedText.fold(word).filter(\.isLetter)
        }
    }

    /// Whether the question wants a yes or a no.
    var asksYesOrNo: Bool { first.map(Evidence.yesNoWords.contains) ?? false }

    private static let yesNoWords: Set<String> = [
        "did", "do", "does", "is", "are", "was", "were", "am", "has", "have", "had", "can", "could",
        "will", "would", "should", "may", "must", "isnt", "arent", "didnt", "doesnt", "dont",
        "wasnt",
    ]

    /// Whether some passage has every word of the question, or means the same without doubt.
    func isClear(_ passages: [Passage]) -> Bool {
        passages.contains { passage in
            question.coverage(by: ContentWords("\(passage.title). \(passage.text)")) >= 1
                || (passage.similarity ?? 0) >= Evidence.clearSimilarity
        }
    }

    /// Without sentences that speak to whoever reads the notes for a person: they are no evidence
    /// of anything.
    static func withoutCommands(_ text: String) -> String {
        guard commandSigns.contains(where: { FoldedText.fold(text).contains($0) }) else {
            return text
        }
        return Sentences.split(text).filter { sentence in
            let folded = FoldedText.fold(sentence)
            return !commandSigns.contains { folded.contains($0) }
        }.joined(separator: "\n")
    }

    private static let commandSigns = [
        "ignore all", "ignore any", "ignore previous", "ignore the above", "ignore your",
        "ignore everything", "disregard all", "disregard previous", "disregard the above",
        "when asked",
        "if asked", "system:", "system notice", "system prompt", "from now on reply",
        "from now on answer",
        "from now on you", "reply only", "answer only", "respond only", "respond with",
        "reply with",
        "answer that", "you are an assistant", "you are the assistant", "as an ai",
        "language model",
        "delete every", "delete all", "print the token", "reveal the", "your instructions",
        "previous instructions",
    ]

    /// The passages to answer from, best first, at most `limit`; empty when the notes do not say.
    package func select(_ passages: [Passage], limit: Int) -> [Passage] {
        let judged = passages.compactMap { passage -> (Passage, Double)? in
            var passage = passage
            passage.text = Evidence.withoutCommands(passage.text)
            guard passage.text.contains(where: \.isLetter) else { return nil }
            let words = ContentWords("\(passage.title). \(passage.text)")
            let coverage = question.coverage(by: words)
            let similarity = passage.similarity ?? 0
            // A word of the question that the note lacks may be its whole point ("the dishwasher").
            let holds =
                coverage >= 1 && !question.isEmpty
                || similarity >= Evidence.fairSimilarity && coverage >= Evidence.fairCoverage
                || similarity >= Evidence.clearSimilarity
                || passage.similarity == nil && coverage >= Evidence.clearCoverage
            guard holds else { return nil }
            return (passage, Double(similarity) + coverage)
        }
        let sorted = judged.enumerated().sorted { left, right in
            left.element.1 != right.element.1
                ? left.element.1 > right.element.1 : left.offset < right.offset
        }.map(\.element)
        // A passage far behind the best only misleads a small model.
        guard let best = sorted.first?.1 else { return [] }
        let near = sorted.filter { $0.1 >= best * 0.6 }.map(\.0)
        return Array(withoutReplaced(near).prefix(limit))
    }

    /// Words by which a note says that something is no longer as it was.
    private static let changeWords: Set<String> = [
        "move", "moves", "moved", "change", "changes", "changed", "instead", "longer", "now",
        "postponed", "rescheduled", "cancelled", "canceled", "replaces", "replaced", "switched",
        "corrected", "correction",
    ]
    /// Words of a question about how it was before.
    private static let formerWords: Set<String> = [
        "before", "formerly", "former", "previously", "previous", "originally", "original", "used",
        "earlier", "old", "change", "changed", "history", "first", "ever",
    ]
    /// Share of the shorter note's words that both have when they are on one matter.
    private static let sameMatter = 0.5

    /// Leaves out notes that a later one on the same matter says are no longer so. A small model
    /// cannot be trusted to prefer the later of two.
    private func withoutReplaced(_ passages: [Passage]) -> [Passage] {
        guard asked.isDisjoint(with: Evidence.formerWords) else { return passages }
        return passages.filter { older in
            !passages.contains { newer in
                guard let before = older.day, let after = newer.day, before < after,
                    !Words.distinct(in: "\(newer.title) \(newer.text)")
                        .isDisjoint(with: Evidence.changeWords)
                else { return false }
                let old = ContentWords("\(older.title). \(older.text)")
                let new = ContentWords("\(newer.title). \(newer.text)")
                let shared = old.stems.intersection(new.stems).count
                let fewest = max(1, min(old.stems.count, new.stems.count))
                return Double(shared) >= Evidence.sameMatter * Double(fewest)
                    && question.coverage(by: new) >= question.coverage(by: old)
            }
        }
    }
}

/// The words of a text that carry its meaning, reduced to stems.
package struct ContentWords: Sendable {
    package let stems: Set<String>
    /// Numbers, and words with a capital letter inside a sentence: what must not be invented.
    package let anchors: Set<String>

    package var isEmpty: Bool { stems.isEmpty }

    private static let questionWords: Set<String> = [
        "tell", "say", "said", "note", "notes", "know", "many", "much", "long", "often", "remind",
        "mention", "mentioned", "cost", "price", "charge", "day", "date", "time", "kind", "name",
        "thing", "did", "does", "give", "find", "list", "happen", "happened",
        "write", "wrote",
    ]

    /// Words that ask for a figure or a circumstance and suppose nothing by themselves.
    static let plainRelations = Set(
        [
            "cost", "price", "charge", "pay", "take", "last", "need", "want", "use", "come",
            "start",
            "begin", "end", "reason", "decide", "plan", "get", "give",
        ].map(ContentWords.stem))

    package init(_ text: String, isQuestion: Bool = false) {
        var stems: Set<String> = []
        var anchors: Set<String> = []
        var startsSentence = true
        var word = ""
        func close(before next: Character?) {
            defer {
                if let next, ".!?:\n".contains(next) { startsSentence = true }
                word = ""
            }
            while let last = word.last, ".,-'’".contains(last) {
                if ".".contains(last) { startsSentence = true }
                word.removeLast()
            }
            guard !word.isEmpty else { return }
            let folded = FoldedText.fold(word).filter { $0 != "'" && $0 != "’" }
            let isNumber = folded.contains(where: \.isNumber)
            let isName = !startsSentence && word.first?.isUppercase == true
            startsSentence = false
            guard isNumber || folded.count > 1, !StopWords.english.contains(folded),
                !(isQuestion && ContentWords.questionWords.contains(folded))
            else { return }
            let stem = ContentWords.stem(folded)
            if isQuestion, ContentWords.plainRelations.contains(stem) { return }
            stems.insert(stem)
            if isNumber || isName { anchors.insert(stem) }
        }
        for character in text {
            if character.isLetter || character.isNumber
                || (!word.isEmpty && "'’.,".contains(character))
                || (character == "-" && word.last?.isNumber == true)
            {
                word.append(character)
            } else {
                close(before: character)
            }
        }
        close(before: nil)
        self.stems = stems
        self.anchors = anchors
    }

    /// From 0 to 1: how many of these words the other text has.
    package func coverage(by other: ContentWords) -> Double {
        guard !stems.isEmpty else { return 0 }
        let found = stems.count { stem in
            other.stems.contains(stem) || other.stems.contains { ContentWords.areKin(stem, $0) }
        }
        return Double(found) / Double(stems.count)
    }

    /// Takes common English endings off: for comparing, not for showing.
    static func stem(_ word: String) -> String {
        guard word.count > 3, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return word }
        for (ending, kept) in [
            ("ies", "y"), ("sses", "ss"), ("ings", ""), ("ing", ""), ("edly", ""), ("ed", ""),
            ("ers", "er"), ("es", "e"), ("ly", ""), ("s", ""),
        ] where word.hasSuffix(ending) && word.count - ending.count >= 3 && !word.hasSuffix("ss") {
            return unended(String(word.dropLast(ending.count)) + kept)
        }
        return unended(word)
    }

    /// `moving`, `moved`, `moves`, `move` meet: a final `e` goes, a doubled consonant is one.
    private static func unended(_ word: String) -> String {
        var word = word
        if word.count > 3, word.hasSuffix("e") { word.removeLast() }
        if word.count > 3, let last = word.last, word.dropLast().last == last,
            !"aeiousl".contains(last)
        {
            word.removeLast()
        }
        return word
    }

    /// Words of one root: they share the first five letters and differ in the end only.
    private static func areKin(_ left: String, _ right: String) -> Bool {
        guard left.count >= 5, right.count >= 5, abs(left.count - right.count) <= 3,
            left.first == right.first
        else { return false }
        let shared = zip(left, right).prefix { $0 == $1 }.count
        return shared >= max(5, min(left.count, right.count) - 1)
    }
}

extension ContentWords {
    /// The words themselves, as they stand, for a search.
    package static func list(_ question: String) -> [String] {
        var seen: Set<String> = []
        return question.split(whereSeparator: \.isWhitespace).compactMap { piece in
            var word = piece.drop { !$0.isLetter && !$0.isNumber }
            while let last = word.last, !last.isLetter, !last.isNumber { word.removeLast() }
            let words = ContentWords(String(word), isQuestion: true)
            guard !words.isEmpty, seen.insert(FoldedText.fold(word)).inserted else { return nil }
            return String(word)
        }
    }
}
