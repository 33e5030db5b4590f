/// A list that is made for one query: a phrase's passages, those of a word's beginning.
struct MadeList {
    /// Ascending.
    var passages: [Int32] = []
    var scores: [Int32] = []
    /// No passage scores more.
    let peak: Int32
    private var index = 0

    init(passages: [Int32], scores: [Int32]) {
        self.passages = passages
        self.scores = scores
        peak = scores.max() ?? 0
    }

    mutating func accumulate(
        _ window: Range<Int>, _ sums: inout [Int32], _ marks: inout [UInt64]
    ) {
        skip(to: window.lowerBound)
        while index < passages.count, Int(passages[index]) < window.upperBound {
            let place = Int(passages[index]) - window.lowerBound
            sums[place] &+= scores[index]
            marks[place >> 6] |= 1 << UInt64(place & 63)
            index += 1
        }
    }

    mutating func add(to found: [Int32], _ sums: inout [Int32]) {
        for (place, passage) in found.enumerated() {
            skip(to: Int(passage))
            guard index < passages.count else { return }
            if passages[index] == passage { sums[place] &+= scores[index] }
        }
    }

    private mutating func skip(to passage: Int) {
        // Far targets are found by halving, near ones by walking.
        var step = 1
        while index + step < passages.count, Int(passages[index + step]) < passage {
            index += step
            step *= 2
        }
        while index < passages.count, Int(passages[index]) < passage { index += 1 }
    }
}

/// A term's list with what it weighs.
struct WeighedList {
    var cursor: ListCursor
    let weight: Float
    /// See `PeakFrequency.growth`.
    let growth: Float
}

/// The best notes of a search so far.
///
/// Keeps every note that scores as much as the last of the best: which of equals count is decided at
/// the end, by what is known of the notes.
struct BestNotes {
    struct Entry: Hashable {
        var note: Int32
        /// Counted as the caller counts them.
        var segment: Int32
        /// Of the segment: the one of the note that scores most, of equals the first.
        var passage: Int32
        var score: Int32
    }

    let limit: Int
    private(set) var entries: [Entry] = []
    /// A note that scores less is not among the best.
    private(set) var threshold: Int32 = 1
    private var nextTrim: Int

    init(limit: Int) {
        self.limit = limit
        nextTrim = limit.multipliedReportingOverflow(by: 2).partialValue + 64
    }

    /// Each note comes once.
    mutating func add(_ entry: Entry) {
        guard entry.score >= threshold else { return }
        entries.append(entry)
        if entries.count >= nextTrim { trim() }
    }

    mutating func trim() {
        if limit > 0, entries.count >= limit {
            var scores = entries.map(\.score)
            scores.sort(by: >)
            threshold = max(threshold, scores[limit - 1])
            entries.removeAll { $0.score < threshold }
        }
        nextTrim = max(2 * entries.count, 2 * limit) + 64
    }
}

/// Finds the passages that score most, without scoring all.
///
/// MaxScore (Turtle, Flood 1995) over windows of passages: in each window the lists that together
/// cannot lift a passage over the last of the best are not walked; they are asked only about passages
/// that the other lists brought up. What a list can give in a window is known from its directory.
/// Exact: the same notes with the same scores as a full evaluation gives.
struct MaxScore {
    /// Passages scored at a time: their scores stay in the nearest cache.
    static let window = 2_048

    private var terms: [WeighedList]
    private var made: [MadeList]
    private let scorer: SegmentScorer
    private let segment: Int32
    private let isWanted: (Int) -> Bool
    private var scores = [Int32](repeating: 0, count: MaxScore.window)
    private var marks = [UInt64](repeating: 0, count: MaxScore.window / 64)
    /// The best passage of the note that is being read.
    private var open: BestNotes.Entry?

    /// - Parameter isWanted: asked of passages that may be among the best.
    init(
        _ terms: [WeighedList], _ made: [MadeList], _ scorer: SegmentScorer, segment: Int,
        isWanted: @escaping (Int) -> Bool
    ) {
        self.terms = terms
        self.made = made
        self.scorer = scorer
        self.segment = Int32(segment)
        self.isWanted = isWanted
    }

    /// Adds the segment's notes.
    consuming func run(into best: inout BestNotes) throws {
        var start = 0
        while start < scorer.passages.count {
            let end = min(start + MaxScore.window, scorer.passages.count)
            try search(start..<end, &best)
            start = end
        }
        close(&best)
    }

    private mutating func search(_ window: Range<Int>, _ best: inout BestNotes) throws {
        // A note that scores as much as the last one still counts; it may be newer.
        let threshold = best.threshold
        var bounds: [(list: Int, bound: Int32)] = []
        for index in 0..<terms.count + made.count {
            let bound = bound(index, window)
            if bound > 0 { bounds.append((index, bound)) }
        }
        bounds.sort { ($0.bound, $0.list) < ($1.bound, $1.list) }
        var (asked, sum) = (0, Int32(0))
        while asked < bounds.count, sum &+ bounds[asked].bound < threshold {
            sum &+= bounds[asked].bound
            asked += 1
        }
        guard asked < bounds.count else { return }
        for walked in bounds[asked...] { try accumulate(walked.list, window) }

        var found: [Int32] = []
        var sums: [Int32] = []
        for word in 0..<(window.count + 63) / 64 {
            var bits = marks[word]
            marks[word] = 0
            while bits != 0 {
                let place = word << 6 + bits.trailingZeroBitCount
                bits &= bits - 1
                let score = scores[place]
                scores[place] = 0
                if score &+ sum >= threshold, isWanted(window.lowerBound + place) {
                    found.append(Int32(window.lowerBound + place))
                    sums.append(score)
                }
            }
        }
        var rest = sum
        for index in bounds[..<asked].indices.reversed() {
            if found.isEmpty { return }
            try add(bounds[index].list, found, &sums)
            rest &-= bounds[index].bound
            keep(&found, &sums, atLeast: threshold &- rest)
        }
        for (passage, score) in zip(found, sums) where score > 0 { take(passage, score, &best) }
    }

    /// Lists are counted through: those of terms, then those that were made.
    private func bound(_ index: Int, _ window: Range<Int>) -> Int32 {
        guard index < terms.count else { return made[index - terms.count].peak }
        let peak = terms[index].cursor.peak(from: window.lowerBound, to: window.upperBound)
        return scorer.bound(
            PeakFrequency.frequency(peak) * terms[index].growth, terms[index].weight)
    }

    private mutating func accumulate(_ index: Int, _ window: Range<Int>) throws {
        guard index < terms.count else {
            return made[index - terms.count].accumulate(window, &scores, &marks)
        }
        let weight = terms[index].weight
        try terms[index].cursor.accumulate(window, scorer, weight, &scores, &marks)
    }

    private mutating func add(_ index: Int, _ found: [Int32], _ sums: inout [Int32]) throws {
        guard index < terms.count else {
            return made[index - terms.count].add(to: found, &sums)
        }
        let weight = terms[index].weight
        try terms[index].cursor.add(to: found, scorer, weight, &sums)
    }

    private func keep(_ found: inout [Int32], _ sums: inout [Int32], atLeast least: Int32) {
        var kept = 0
        for index in found.indices where sums[index] >= least {
            found[kept] = found[index]
            sums[kept] = sums[index]
            kept += 1
        }
        found.removeLast(found.count - kept)
        sums.removeLast(sums.count - kept)
    }

    /// Passages of a note come one after the other.
    private mutating func take(_ passage: Int32, _ score: Int32, _ best: inout BestNotes) {
        let note = scorer.passages.notes[Int(passage)]
        if open?.note == note {
            if score > open?.score ?? 0 {
                open?.score = score
                open?.passage = passage
            }
            return
        }
        close(&best)
        open = BestNotes.Entry(note: note, segment: segment, passage: passage, score: score)
    }

    private mutating func close(_ best: inout BestNotes) {
        if let open { best.add(open) }
        open = nil
    }
}
