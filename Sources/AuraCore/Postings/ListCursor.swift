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
    private var reader: BlockReader?
    private var run = 0
    /// The decoded run.
    private var passages: [Int32]
    private var codes: [UInt16]
    private var count = 0
    private var index = 0
    private var places: [UInt8]?
    private var isAtEnd = false

    init(directory: ListDirectory, limit: Int, load: @escaping Load) {
        self.directory = directory
        self.limit = limit
        self.load = load
        passages = [Int32](repeating: 0, count: ListEncoder.runLength)
        codes = [UInt16](repeating: 0, count: ListEncoder.runLength)
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
        guard let reader else { return nil }
        if reader.runs[run].last < target {
            while reader.runs[run].last < target {
                run += 1
                // The directory promised a passage in this block.
                guard run < reader.runs.count else { throw PostingsDamage() }
            }
            try decode(reader)
        }
        while index < count {
            if Int(passages[index]) >= target { return Int(passages[index]) }
            index += 1
        }
        throw PostingsDamage()
    }

    /// Of the passage it stands on.
    var counts: TermCounts { TermCounts(code: codes[index]) }

    /// Adds what every passage of a window gives, and marks it.
    ///
    /// - Parameters:
    ///   - window: passages; both arrays count from its beginning.
    ///   - scorer: what a count is worth.
    mutating func accumulate(
        _ window: Range<Int>, _ scorer: SegmentScorer, _ weight: Float, _ scores: inout [Int32],
        _ marks: inout [UInt64]
    ) throws {
        guard var passage = try seek(window.lowerBound) else { return }
        while passage < window.upperBound {
            while index < count {
                let next = Int(passages[index])
                if next >= window.upperBound { return }
                let place = next - window.lowerBound
                scores[place] &+= scorer.score(next, codes[index], weight)
                marks[place >> 6] |= 1 << UInt64(place & 63)
                index += 1
            }
            guard let next = try nextRun() else { return }
            passage = next
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
                scores[place] &+= scorer.score(next, codes[index], weight)
            }
        }
    }

    /// Every passage and its counts, from where it stands on.
    mutating func forEach(_ body: (Int, TermCounts) throws -> Void) throws {
        guard try seek(0) != nil else { return }
        repeat {
            while index < count {
                try body(Int(passages[index]), TermCounts(code: codes[index]))
                index += 1
            }
        } while try nextRun() != nil
    }

    /// The same with the bytes of the positions; empty slices where they are not wanted.
    mutating func forEachWithPositions(
        _ wantsPositions: Bool, _ body: (Int, TermCounts, ArraySlice<UInt8>) throws -> Void
    ) throws {
        guard try seek(0) != nil else { return }
        var bytes = ByteReader([])
        repeat {
            if wantsPositions, index == 0, let reader {
                let places = try self.places ?? load(block, true)
                self.places = places
                bytes = ByteReader(places, at: reader.runs[run].placesStart)
            }
            while index < count {
                let counts = TermCounts(code: codes[index])
                let start = bytes.position
                if wantsPositions { bytes.skip(numbers: counts.total) }
                if bytes.isDamaged { throw PostingsDamage() }
                try body(Int(passages[index]), counts, bytes.bytes[start..<bytes.position])
                index += 1
            }
        } while try nextRun() != nil
    }

    /// The positions of the term in the passage it stands on; nil when it stands on none.
    mutating func positions() throws -> PositionReader? {
        guard let reader, index < count else { return nil }
        let places = try self.places ?? load(block, true)
        self.places = places
        var bytes = ByteReader(places, at: reader.runs[run].placesStart)
        for before in 0..<index { bytes.skip(numbers: TermCounts(code: codes[before]).total) }
        return PositionReader(bytes, counts)
    }

    private mutating func nextRun() throws -> Int? {
        guard let reader else { return nil }
        if run + 1 < reader.runs.count {
            run += 1
            try decode(reader)
        } else if block + 1 < directory.lasts.count {
            try open(block + 1)
        } else {
            isAtEnd = true
            return nil
        }
        return Int(passages[0])
    }

    private mutating func open(_ number: Int) throws {
        let reader = try BlockReader(try load(number, false))
        block = number
        places = nil
        self.reader = reader
        run = 0
        try decode(reader)
    }

    private mutating func decode(_ reader: BlockReader) throws {
        try reader.decode(run, limit: limit, passages: &passages, codes: &codes)
        count = reader.runs[run].count
        index = 0
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
