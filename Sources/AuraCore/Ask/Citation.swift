/// Checking what a model wrote against the passages it was given.
struct Citation: Sendable {
    /// Share of a sentence's words that its notes must have; the rest is room for a model's own
    /// turns of phrase. Names and numbers have no such room.
    static let neededCoverage = 0.75

    private let passages: [(words: ContentWords, sentences: [(text: String, words: ContentWords)])]
    private let question: ContentWords

    init(passages: [Evidence.Passage], question: ContentWords) {
        self.question = question
        self.passages = passages.map { passage in
            let sentences = Sentences.split(passage.text).map { ($0, ContentWords($0)) }
            let day =
                passage.day.map {
                    " \($0.day) \(Citation.months[$0.month - 1]) \($0.year) \($0.weekday.name)"
                } ?? ""
            return (ContentWords("\(passage.title). \(passage.text).\(day)"), sentences)
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// The notes that carry a sentence, counted from 0, with the sentence of each that says it;
    /// empty when none does.
    func support(for sentence: String) -> [(passage: Int, quote: String)] {
        let words = ContentWords(sentence)
        guard !words.isEmpty else { return [] }
        let ranked = passages.indices.map { index in
            (index, words.coverage(by: passages[index].words))
        }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }
        var chosen: [Int] = []
        var left = words.stems
        for (index, coverage) in ranked where coverage > 0 {
            let there = left.filter { stem in
                ContentWords(single: stem).coverage(by: passages[index].words) > 0
            }
            // A further note must bring words of its own.
            if chosen.isEmpty || there.count >= 2 {
                chosen.append(index)
                left.subtract(there)
            }
            if left.isEmpty || chosen.count == 2 { break }
        }
        let carried = words.stems.subtracting(left)
        // What the question supposes and no note says ("sold", "the dishwasher") is not carried by
        // being repeated.
        let supposed = left.filter { stem in
            !ContentWords.plainRelations.contains(stem)
                && ContentWords(single: stem).coverage(by: question) > 0
        }
        guard !carried.isEmpty, supposed.isEmpty,
            Double(carried.count)
                >= Citation.neededCoverage
                * Double(words.stems.subtracting(ContentWords.plainRelations).union(carried).count),
            left.isDisjoint(with: words.anchors)
        else { return [] }
        return chosen.sorted().compactMap { index in
            quote(for: words, in: index).map { (index, $0) }
        }
    }

    /// The sentence of a passage that shares most with these words.
    private func quote(for words: ContentWords, in index: Int) -> String? {
        passages[index].sentences.max { left, right in
            words.coverage(by: left.words) < words.coverage(by: right.words)
        }?.text
    }

    /// The best sentences themselves, for when no model wrote any that hold.
    ///
    /// At most `limit`, in order of the passages. Later notes go first among equals: a newer word on
    /// a matter holds.
    func extract(limit: Int, days: [Day?]) -> [(passage: Int, quote: String)] {
        var scored: [(passage: Int, order: Int, quote: String, score: Double)] = []
        for (index, passage) in passages.enumerated() {
            for (order, sentence) in passage.sentences.enumerated() where !sentence.words.isEmpty {
                let score = question.coverage(by: sentence.words)
                scored.append((index, order, sentence.text, score))
            }
        }
        let sorted = scored.sorted { left, right in
            if left.score != right.score { return left.score > right.score }
            let (a, b) = (days[left.passage], days[right.passage])
            if left.passage != right.passage, let a, let b, a != b { return a > b }
            return (left.passage, left.order) < (right.passage, right.order)
        }
        guard let best = sorted.first else { return [] }
        return sorted.prefix(limit).filter { $0.score >= best.score * 0.7 }
            .map { ($0.passage, $0.quote) }
    }
}

extension ContentWords {
    fileprivate init(single stem: String) {
        stems = [stem]
        anchors = []
    }
}
