/// What a search looks for by words; made from `SearchQuery`, understood by the inverted index.
package struct KeywordQuery: Hashable, Sendable {
    package enum Field: Hashable, Sendable { case anywhere, title }

    /// Terms that stand next to each other: one word, the parts of `OPS-4417`, a quoted phrase.
    package struct Phrase: Hashable, Sendable {
        package struct Term: Hashable, Sendable {
            /// Folded, as typed.
            package var word: String
            package var stem: String
            /// Two characters of a script without blanks, or one of them.
            package var isPair: Bool

            package init(word: String, isPair: Bool = false) {
                self.word = word
                self.isPair = isPair
                stem = isPair ? word : EnglishStem.of(word)
            }
        }

        /// Longer ones are cut: they find the same notes.
        static let maximumTerms = 32

        package var terms: [Term]
        /// The word that the terms are parts of, without its joints but with signs that belong to it:
        /// `ops4417`, `c++`. Nil for what is no compound, or too long to be a name.
        package private(set) var whole: String?
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

        /// One word that says little by itself.
        package var isStopWord: Bool {
            terms.count == 1 && !isPrefix && whole == nil
                && StopWords.english.contains(terms[0].word)
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
                if !scanner.signs.isEmpty {
                    phrases[phrases.count - 1].isCompound = true
                    phrases[phrases.count - 1].whole =
                        term.word + String(decoding: scanner.signs, as: UTF8.self)
                }
            }
            return phrases
        }

        /// A tag, or a hashtag in a text; nil for what is none.
        package static func hashtag(_ text: String) -> Phrase? {
            let parts = each(in: text)
            guard parts.count == 1, !parts[0].terms.contains(where: \.isPair) else { return nil }
            let word = parts[0].terms.map(\.word).joined()
            return Phrase([
                Term(
                    word: String(decoding: Analysis.hashtag(word.utf8), as: UTF8.self), isPair: true
                )
            ])
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
            let joined = terms.map(\.word).joined()
            let isName =
                (2...Analysis.maximumParts).contains(terms.count)
                && !terms.contains(where: \.isPair) && joined.utf8.count <= TermScanner.maximumBytes
            whole = isName ? joined : nil
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
