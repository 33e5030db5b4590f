/// The lists of the index that a query is answered from, and what each counts for.
struct QueryPlan {
    struct Term: Hashable {
        let key: [UInt8]
        /// Of what the term's idf gives.
        var share: Float
        /// For terms whose closeness counts: which word of the query it is.
        var word: Int?
        /// It says little by itself.
        var isStopWord = false
        /// It is a word as it was written, beside its stem.
        var isExact: Bool { Analysis.isExact(key) }
    }

    /// Terms with lists of their own, each once.
    private(set) var terms: [Term] = []
    /// Phrases, words of the title, beginnings of words: their lists are made for the query.
    private(set) var phrases: [KeywordQuery.Phrase] = []
    /// Words whose closeness counts.
    private(set) var words = 0

    /// Among so many words the way that one of them is written decides next to nothing.
    static let manyWords = 5

    /// Whether a term counts only among the best notes by the other terms.
    ///
    /// Words that say little are in so many passages that they would cost most of a search, and decide
    /// next to nothing where there are others. Words as they were written double the lists of a long query.
    func defers(_ term: Int) -> Bool {
        terms[term].isStopWord
            ? hasTellingTerm : terms[term].isExact && words >= QueryPlan.manyWords
    }

    private var hasTellingTerm: Bool { !phrases.isEmpty || terms.contains { !$0.isStopWord } }

    init(_ query: KeywordQuery, _ scoring: WordScoring) {
        for phrase in query.sought { add(phrase, scoring) }
    }

    private mutating func add(_ phrase: KeywordQuery.Phrase, _ scoring: WordScoring) {
        guard phrase.field == .anywhere, !phrase.isPrefix,
            phrase.terms.count == 1 || phrase.isCompound
        else {
            if !phrases.contains(phrase) { phrases.append(phrase) }
            return
        }
        let isWhole = phrase.terms.count == 1 && phrase.whole == nil
        for term in phrase.terms {
            let isTelling = !StopWords.english.contains(term.word)
            var share: Float = isWhole ? 1 : scoring.part
            if !isTelling { share *= scoring.stopWord }
            add(Analysis.key(stem: term.stem.utf8), share, isClose: isTelling, !isTelling)
            if term.word != term.stem {
                add(
                    Analysis.key(exact: term.word.utf8), share * scoring.exact, isClose: false,
                    !isTelling)
            }
        }
        if let whole = phrase.whole {
            add(Analysis.key(stem: EnglishStem.of(whole).utf8), 1, isClose: false, false)
        }
    }

    private mutating func add(
        _ key: [UInt8], _ share: Float, isClose: Bool, _ isStopWord: Bool
    ) {
        if let known = terms.firstIndex(where: { $0.key == key }) {
            terms[known].share = max(terms[known].share, share)
            terms[known].isStopWord = terms[known].isStopWord && isStopWord
            return
        }
        terms.append(
            Term(
                key: key, share: share, word: isClose ? words : nil, isStopWord: isStopWord))
        if isClose { words += 1 }
    }
}

/// How common the words of a query are among all notes that are searched.
///
/// Those of several databases add up, so that they rank as one.
package struct WordStatistics: Hashable, Sendable {
    package var totals = WordTotals()
    /// Passages with a term, by its key.
    var terms: [[UInt8]: Int] = [:]
    var phrases: [KeywordQuery.Phrase: Int] = [:]

    package init() {}

    package static func + (one: WordStatistics, other: WordStatistics) -> WordStatistics {
        var sum = one
        sum.totals = one.totals + other.totals
        sum.terms.merge(other.terms, uniquingKeysWith: +)
        sum.phrases.merge(other.phrases, uniquingKeysWith: +)
        return sum
    }
}
