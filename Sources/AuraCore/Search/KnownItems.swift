/// A query made of a note's own words: a search for it should find that note.
package struct KnownItem: Hashable, Sendable {
    /// How people look for what they know they wrote.
    package enum Kind: String, CaseIterable, Sendable {
        /// A few words that few of the notes have.
        case rareWords
        /// Words that stand next to each other.
        case phrase
        /// Words of the title.
        case title
        /// One sentence without the words that say nothing: nearest to telling it in other words.
        case sentence
    }

    package var kind: Kind
    package var query: String
    /// Of the note it is from.
    package var path: String
}

/// Makes queries from notes: the same ones for the same notes and seed.
package struct KnownItemMaker: Sendable {
    package struct Source: Sendable {
        package var path: String
        package var title: String
        package var passages: [String]

        package init(path: String, title: String, passages: [String]) {
            self.path = path
            self.title = title
            self.passages = passages
        }
    }

    static let rareWords = 3
    static let phraseWords = 4
    static let titleWords = 5
    static let sentenceWords = 12
    /// Shorter ones say too little to find one note among many.
    static let fewestWords = 2
    static let fewestSentenceWords = 4

    private var chance: SeededChance
    /// In how many of the notes a word is.
    private let frequencies: [String: Int]

    init(_ sources: [Source], seed: UInt64) {
        chance = SeededChance(seed: seed)
        var frequencies: [String: Int] = [:]
        for source in sources {
            for word in Set(source.passages.flatMap(Self.words)) {
                frequencies[word, default: 0] += 1
            }
        }
        self.frequencies = frequencies
    }

    /// A query for each note that has words enough; the kinds take turns.
    package static func items(from sources: [Source], seed: UInt64) -> [KnownItem] {
        var maker = KnownItemMaker(sources, seed: seed)
        let kinds = KnownItem.Kind.allCases
        return sources.enumerated().compactMap { place, source in
            for offset in kinds.indices {
                let kind = kinds[(place + offset) % kinds.count]
                guard let words = maker.words(kind, of: source) else { continue }
                return KnownItem(
                    kind: kind, query: words.joined(separator: " "), path: source.path)
            }
            return nil
        }
    }

    private mutating func words(_ kind: KnownItem.Kind, of source: Source) -> [String]? {
        let found: [String]
        switch kind {
        case .rareWords:
            let words = Set(Self.telling(Self.words(of: passage(of: source))))
            let ordered = words.sorted {
                (frequencies[$0] ?? 0, $0) < (frequencies[$1] ?? 0, $1)
            }
            found = Array(ordered.prefix(Self.rareWords))
        case .phrase:
            let words = Self.words(of: passage(of: source))
            let phrases = words.indices.dropLast(Self.phraseWords - 1)
                .map { Array(words[$0..<($0 + Self.phraseWords)]) }
                .filter { Self.telling($0).count >= Self.fewestWords }
            return phrases.randomElement(using: &chance)
        case .title:
            found = Array(Self.telling(Self.words(of: source.title)).prefix(Self.titleWords))
        case .sentence:
            let sentences = Sentences.split(passage(of: source))
                .map { Self.telling(Self.words(of: $0)) }
                .filter { $0.count >= Self.fewestSentenceWords }
            guard let sentence = sentences.randomElement(using: &chance) else { return nil }
            found = Array(sentence.prefix(Self.sentenceWords))
        }
        return found.count >= Self.fewestWords ? found : nil
    }

    private mutating func passage(of source: Source) -> String {
        source.passages.randomElement(using: &chance) ?? ""
    }

    private static func words(of text: String) -> [String] {
        KeywordQuery.Phrase.each(in: text).flatMap { $0.terms.map(\.word) }
    }

    private static func telling(_ words: [String]) -> [String] {
        words.filter { !StopWords.english.contains($0) && $0.unicodeScalars.count > 1 }
    }
}

/// Chance that is the same for the same seed (SplitMix64).
package struct SeededChance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
