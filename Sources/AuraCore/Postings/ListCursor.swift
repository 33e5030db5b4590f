/// Where a list's blocks lie, and what is known of them without reading them.
struct ListDirectory {
    /// The last passage of each block.
    var lasts: [Int] = []
    /// See `PeakFrequency`.
    var peaks: [UInt16] = []

    /// - Throws: `PostingsDamage`.
    init(bytes: [UInt8]) throws(PostingsDamage) {
        var reader = ByteReader(bytes)
        var last = 0
        while !reader.isAtEnd {
            last += min(reader.number(), 1 << 40)
            lasts.append(last)
            peaks.append(UInt16(truncatingIfNeeded: reader.number()))
        }
        guard !reader.isDamaged else { throw PostingsDamage() }
    }

    /// A list of one block, which is beside it.
    init(last: Int, peak: UInt16) {
        lasts = [last]
        peaks = [peak]
    }
}

/// Walks a term's list in one segment, forward only, and reads no block that it passes over.
struct ListCursor {
    /// Gives the data or the positions of a block, counted from 0.
    typealias Load = (_ block: Int, _ wantsPositions: Bool) throws -> [UInt8]

    let directory: ListDirectory
    /// Passages of the segment.
    private let limit: Int
    private let load: Load

    private var block = -1
    private var reader = BlockReader()
    private var run = 0
    /// Of the run: where the next posting's bytes begin, and how many there are from there on.
    private var next = 0
    private var rest = 0
    /// The posting it stands on; none before the first.
    private var passage = -1
    private var code: UInt16 = 0
    /// Positions that the run keeps of the postings before.
    private var positionsBefore = 0
    private var places: [UInt8]?
    private var isAtEnd = false

    init(directory: ListDirectory, limit: Int, load: @escaping Load) {
        self.directory = directory
        self.limit = limit
        self.load = load
    }

    /// The most frequent the term is from one passage up to another, the end not included.
    ///
    /// Looks at blocks, so it is a bound. 0 where there is none.
    func peak(from low: Int, to high: Int) -> UInt16 {
        var index = max(block, 0)
        while index < directory.lasts.count, directory.lasts[index] < low { index += 1 }
        var peak: UInt16 = 0
        while index < directory.lasts.count {
            peak = max(peak, directory.peaks[index])
            if directory.lasts[index] >= high - 1 { break }
            index += 1
        }
        return peak
    }

    /// Moves to the first passage that is not before `target`; nil when there is none.
    mutating func seek(_ target: Int) throws -> Int? {
        guard !isAtEnd else { return nil }
        if block < 0 || directory.lasts[block] < target {
            var next = max(block, 0)
            if block >= 0 { next += 1 }
            while next < directory.lasts.count, directory.lasts[next] < target { next += 1 }
            guard next < directory.lasts.count else {
                isAtEnd = true
                return nil
            }
            try open(next)
        }
        if passage >= target { return passage }
        if reader.runs[run].last < target {
            while reader.runs[run].last < target {
                run += 1
                // The directory promised a passage in this block.
                guard run < reader.runs.count else { throw PostingsDamage() }
            }
            try begin()
        }
        try scan(to: target)
        return passage
    }

    /// Of the passage it stands on.
    var counts: TermCounts { TermCounts(code: code) }

    /// Adds what every passage of a window gives, and marks it.
    ///
    /// - Parameters:
    ///   - window: passages; both arrays count from its beginning.
    ///   - scorer: what a count is worth.
    mutating func accumulate(
        _ window: Range<Int>, _ scorer: SegmentScorer, _ weight: Float, _ scores: inout [Int32],
        _ marks: inout [UInt64]
    ) throws {
        guard try seek(window.lowerBound) != nil else { return }
        var scores = scores.mutableSpan
        var marks = marks.mutableSpan
        while passage < window.upperBound {
            let block = reader.bytes
            let bytes = block.span
            let end = reader.end(of: run)
            var (next, rest, before) = (next, rest, positionsBefore)
            var (passage, code) = (passage, code)
            while true {
                let place = passage - window.lowerBound
                scores[place] &+= scorer.score(passage, code, weight)
                marks[place >> 6] |= 1 << UInt64(place & 63)
                if rest == 0 { break }
                before &+= TermCounts(code: code).total
                try BlockReader.read(bytes, at: &next, end: end, &passage, &code)
                rest &-= 1
                if passage >= window.upperBound { break }
            }
            let isRunDone = passage < window.upperBound
            (self.next, self.rest, positionsBefore) = (next, rest, before)
            (self.passage, self.code) = (passage, code)
            guard passage < limit else { throw PostingsDamage() }
            guard isRunDone else { return }
            guard try beginNextRun() else { return }
        }
    }

    /// Adds to the scores of these passages what the term gives them.
    /// - Parameter passages: ascending, none before where the cursor stands.
    mutating func add(
        to found: [Int32], _ scorer: SegmentScorer, _ weight: Float, _ scores: inout [Int32]
    ) throws {
        for (place, passage) in found.enumerated() {
            guard let next = try seek(Int(passage)) else { return }
            if next == Int(passage) {
                scores[place] &+= scorer.score(next, code, weight)
            }
        }
    }

    /// Every passage and its counts, from where it stands on.
    mutating func forEach(_ body: (Int, TermCounts) throws -> Void) throws {
        try forEachPosting { try body($0.passage, $0.counts) }
    }

    private mutating func forEachPosting(_ body: (inout ListCursor) throws -> Void) throws {
        guard try seek(0) != nil else { return }
        while true {
            try body(&self)
            if rest > 0 {
                // A damaged list may say that a passage comes twice; it then counts once.
                try scan(to: passage + 1)
            } else if try !beginNextRun() {
                return
            }
        }
    }

    /// The same with the bytes of the positions; empty slices where they are not wanted.
    mutating func forEachWithPositions(
        _ wantsPositions: Bool, _ body: (Int, TermCounts, ArraySlice<UInt8>) throws -> Void
    ) throws {
        var bytes = ByteReader([])
        try forEachPosting { cursor in
            if wantsPositions, cursor.positionsBefore == 0 {
                bytes = ByteReader(try cursor.loadedPlaces(), at: cursor.placesStart)
            }
            let start = bytes.position
            if wantsPositions { bytes.skip(numbers: cursor.counts.total) }
            if bytes.isDamaged { throw PostingsDamage() }
            try body(cursor.passage, cursor.counts, bytes.bytes[start..<bytes.position])
        }
    }

    /// The positions of the term in the passage it stands on; nil when it stands on none.
    mutating func positions() throws -> PositionReader? {
        guard passage >= 0, !isAtEnd else { return nil }
        var bytes = ByteReader(try loadedPlaces(), at: placesStart)
        bytes.skip(numbers: positionsBefore)
        return PositionReader(bytes, counts)
    }

    private var placesStart: Int { reader.runs[run].placesStart }

    private mutating func loadedPlaces() throws -> [UInt8] {
        let places = try self.places ?? load(block, true)
        self.places = places
        return places
    }

    private mutating func open(_ number: Int) throws {
        reader = try BlockReader(try load(number, false))
        block = number
        places = nil
        run = 0
        try begin()
    }

    /// Moves to the first posting of the run.
    private mutating func begin() throws {
        positionsBefore = 0
        var (next, passage, code) = (reader.runs[run].dataStart, reader.runs[run].base, UInt16(0))
        try BlockReader.read(
            reader.bytes.span, at: &next, end: reader.end(of: run), &passage, &code)
        (self.next, self.passage, self.code) = (next, passage, code)
        rest = reader.runs[run].count - 1
        guard passage < limit else { throw PostingsDamage() }
    }

    /// Moves on within the run, which has a passage that is not before the target.
    private mutating func scan(to target: Int) throws {
        let end = reader.end(of: run)
        var (next, rest, before) = (next, rest, positionsBefore)
        var (passage, code) = (passage, code)
        do {
            let bytes = reader.bytes.span
            while passage < target {
                guard rest > 0 else { throw PostingsDamage() }
                before &+= TermCounts(code: code).total
                try BlockReader.read(bytes, at: &next, end: end, &passage, &code)
                rest &-= 1
            }
        }
        guard passage < limit else { throw PostingsDamage() }
        (self.next, self.rest, positionsBefore) = (next, rest, before)
        (self.passage, self.code) = (passage, code)
    }

    /// - Returns: false at the end of the list.
    private mutating func beginNextRun() throws -> Bool {
        if run + 1 < reader.runs.count {
            run += 1
            try begin()
        } else if block + 1 < directory.lasts.count {
            try open(block + 1)
        } else {
            isAtEnd = true
        }
        return !isAtEnd
    }
}

/// The positions of a term in one passage.
struct PositionReader {
    private(set) var bytes: ByteReader
    let counts: TermCounts

    init(_ bytes: ByteReader, _ counts: TermCounts) {
        self.bytes = bytes
        self.counts = counts
    }

    /// Ascending. Field by field, each counts from 0.
    consuming func positions(in wanted: Field) -> [Int] {
        for field in Field.allCases {
            guard field == wanted else {
                bytes.skip(numbers: counts[field])
                continue
            }
            var position = 0
            return (0..<counts[field]).map { _ in
                position += min(bytes.number(), 1 << 30)
                return position
            }
        }
        return []
    }
}

/// What a term's counts are worth in the passages of one segment.
struct SegmentScorer {
    let passages: SegmentPassages
    let frequencies: FrequencyTable
    let k1: Float

    /// Scores are whole numbers of this part of 1, so that a sum is the same in whatever order it is made.
    static let unit: Float = 16_384

    /// - Parameter weight: the term's, with `(k1 + 1)` and `unit` in it.
    @inline(__always)
    func score(_ passage: Int, _ code: UInt16, _ weight: Float) -> Int32 {
        let frequency = frequencies.frequency(
            TermCounts(code: code), passages.lengths[passage])
        return Int32(weight * frequency / (frequency + k1))
    }

    /// No passage is worth more.
    func bound(_ peak: Float, _ weight: Float) -> Int32 {
        peak == 0 ? 0 : Int32(weight * (peak.isFinite ? peak / (peak + k1) : 1)) + 2
    }
}
