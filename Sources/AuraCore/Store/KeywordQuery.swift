/// What a search looks for by words; made from `SearchQuery`, understood by the word table.
package struct KeywordQuery: Hashable, Sendable {
    package enum Field: Hashable, Sendable { case anywhere, title }

    /// Terms that stand next to each other: one word, the parts of `OPS-4417`, a quoted phrase.
    package struct Phrase: Hashable, Sendable {
        package struct Term: Hashable, Sendable {
            /// Folded, as typed.
            package var word: String
            package var stem: String

            package init(word: String, isPair: Bool = false) {
                self.word = word
                stem = isPair ? word : EnglishStem.of(word)
            }
        }

        /// Longer ones are cut: they find the same notes.
        static let maximumTerms = 32

        package var terms: [Term]
        /// Also found written together (`ops4417`); never so for a quoted phrase.
        package var isCompound = false
        /// The last term may go on.
        package var isPrefix = false
        package var field = Field.anywhere

        package init(_ terms: [Term], isCompound: Bool = false, isPrefix: Bool = false) {
            self.terms = terms
            self.isCompound = isCompound
            self.isPrefix = isPrefix
        }

        /// The phrases of a text: one for each word, several terms where a word is a compound.
        package static func each(in text: String) -> [Phrase] {
            var scanner = TermScanner(text)
            var phrases: [Phrase] = []
            while scanner.next() {
                let term = Term(
                    word: String(decoding: scanner.term, as: UTF8.self), isPair: scanner.isPair)
                if scanner.continuesCompound, !phrases.isEmpty {
                    phrases[phrases.count - 1].append(term, isPair: scanner.isPair)
                } else {
                    phrases.append(Phrase([term], isPrefix: scanner.isPair && isOneCharacter(term)))
                }
            }
            return phrases
        }

        /// All terms of a text as one phrase; nil when it has none.
        package static func whole(_ text: String) -> Phrase? {
            let phrases = each(in: text)
            guard !phrases.isEmpty else { return nil }
            var whole = Phrase(Array(phrases.flatMap(\.terms).prefix(maximumTerms)))
            whole.isPrefix = whole.terms.count == 1 && phrases[0].isPrefix
            return whole
        }

        private mutating func append(_ term: Term, isPair: Bool) {
            isPrefix = false
            // The last character of a run of pairs stands in the pair before it already.
            if isPair, Phrase.isOneCharacter(term) { return }
            if terms.count < Phrase.maximumTerms { terms.append(term) }
            isCompound = true
        }

        private static func isOneCharacter(_ term: Term) -> Bool {
            term.word.unicodeScalars.count == 1
        }
    }

    /// Notes with any of these are found, the better the more and the rarer they have.
    package var optional: [Phrase] = []
    /// Of each list at least one must be there.
    package var required: [[Phrase]] = []
    /// None of these may be there.
    package var excluded: [Phrase] = []

    package init() {}

    /// Nothing that a note could be found by; exclusions alone find nothing.
    package var isEmpty: Bool { optional.isEmpty && required.isEmpty }

    /// Every phrase that a note is found by.
    package var sought: [Phrase] { required.flatMap { $0 } + optional }
}
