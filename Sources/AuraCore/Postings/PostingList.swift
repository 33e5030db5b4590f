/// A term's passages, as rows of the index keep them.
///
/// A list is cut into blocks of about one database page. A block holds its passages in runs of up to
/// `ListEncoder.runLength`, each run with its last passage and its length in front, so that a reader passes over
/// runs that cannot matter without decoding them:
///
///     block  = number of runs, (last passage - the run before's, postings, data bytes, position bytes)…, data
///     data   = (passage - the one before, counts)…       counts: see `TermCounts`
///     places = for each posting, for each field in the order of `Field`: (position - the one before)…
struct EncodedList {
    struct Block {
        /// Its last passage.
        var last: Int
        /// See `PeakFrequency`.
        var peak: UInt16
        var data: [UInt8]
        var places: [UInt8]
    }

    /// Passages with the term.
    var count = 0
    var blocks: [Block] = []

    var peak: UInt16 { blocks.reduce(0) { max($0, $1.peak) } }

    /// What is kept of the blocks beside the term: where each ends, and how much it can give.
    var directory: [UInt8] {
        var writer = ByteWriter()
        var before = 0
        for block in blocks {
            writer.number(block.last - before)
            writer.number(Int(block.peak))
            before = block.last
        }
        return writer.bytes
    }
}

/// Writes a term's list, passage by passage in ascending order.
struct ListEncoder {
    /// Passages of a run.
    static let runLength = 128
    /// With the row's other columns this fills one page of 4 KiB.
    static let blockBytes = 3_800

    private var list = EncodedList()
    private var runs: [(last: Int, count: Int, data: Int, places: Int)] = []
    private var data = ByteWriter()
    private var places: [UInt8] = []
    private var runStart = (data: 0, places: 0)
    private var runCount = 0
    private var last = 0
    private var peak: UInt16 = 0

    /// - Parameter positions: as they are kept, empty for lists without positions.
    mutating func append(
        _ passage: Int, _ counts: TermCounts, positions: some Collection<UInt8>, peak: UInt16
    ) {
        let isFirst = runs.isEmpty && runCount == 0
        data.number(isFirst ? passage : passage - last)
        data.byte(UInt8(truncatingIfNeeded: counts.code))
        if counts.hasOthers { data.byte(UInt8(counts.code >> 8)) }
        places.append(contentsOf: positions)
        last = passage
        runCount += 1
        list.count += 1
        self.peak = max(self.peak, peak)
        if runCount == ListEncoder.runLength {
            closeRun()
            let room = ListEncoder.blockBytes - data.count - 8 * runs.count
            if room < 2 * ListEncoder.runLength { closeBlock() }
        }
    }

    consuming func finish() -> EncodedList {
        closeRun()
        closeBlock()
        return list
    }

    private mutating func closeRun() {
        guard runCount > 0 else { return }
        runs.append((last, runCount, data.count - runStart.data, places.count - runStart.places))
        runStart = (data.count, places.count)
        runCount = 0
    }

    private mutating func closeBlock() {
        guard !runs.isEmpty else { return }
        var block = ByteWriter()
        block.number(runs.count)
        var before = 0
        for run in runs {
            block.number(run.last - before)
            block.number(run.count)
            block.number(run.data)
            block.number(run.places)
            before = run.last
        }
        block.append(data.bytes)
        list.blocks.append(
            EncodedList.Block(last: last, peak: peak, data: block.bytes, places: places))
        runs.removeAll(keepingCapacity: true)
        data.removeAll()
        places.removeAll(keepingCapacity: true)
        runStart = (0, 0)
        peak = 0
    }
}

/// A block that was read, run by run.
struct BlockReader {
    struct Run {
        var last: Int
        var count: Int
        /// Before its first passage.
        var base: Int
        var dataStart: Int
        var placesStart: Int
    }

    private(set) var runs: [Run] = []
    let bytes: [UInt8]

    /// Of no runs.
    init() { bytes = [] }

    /// - Throws: `PostingsDamage`.
    init(_ bytes: [UInt8]) throws(PostingsDamage) {
        self.bytes = bytes
        var reader = ByteReader(bytes)
        let count = reader.number()
        guard count > 0, count <= bytes.count else { throw PostingsDamage() }
        runs.reserveCapacity(count)
        var lengths: [Int] = []
        var last = 0
        var placesStart = 0
        for _ in 0..<count {
            let before = last
            last += min(reader.number(), 1 << 40)
            let postings = reader.number()
            lengths.append(reader.number())
            guard postings > 0, postings <= ListEncoder.runLength else { throw PostingsDamage() }
            runs.append(
                Run(
                    last: last, count: postings, base: runs.isEmpty ? 0 : before, dataStart: 0,
                    placesStart: placesStart))
            placesStart += min(reader.number(), 1 << 40)
        }
        var start = reader.position
        for index in runs.indices {
            runs[index].dataStart = start
            start += min(lengths[index], bytes.count)
        }
        guard !reader.isDamaged, start == bytes.count else { throw PostingsDamage() }
    }

    /// Where a run's postings end.
    func end(of run: Int) -> Int {
        run + 1 < runs.count ? runs[run + 1].dataStart : bytes.count
    }

    /// Reads the posting at `index` and moves behind it.
    /// - Parameters:
    ///   - end: of the run.
    ///   - passage: the posting's before; becomes its own.
    ///   - code: becomes the posting's.
    /// - Throws: `PostingsDamage`.
    @inline(__always)
    static func read(
        _ bytes: Span<UInt8>, at index: inout Int, end: Int, _ passage: inout Int,
        _ code: inout UInt16
    ) throws(PostingsDamage) {
        guard index &+ 1 < end else { throw PostingsDamage() }
        var byte = bytes[index]
        index &+= 1
        passage &+= Int(byte & 0x7F)
        var shift = 7
        while byte >= 0x80 {
            guard index &+ 1 < end, shift < 35 else { throw PostingsDamage() }
            byte = bytes[index]
            index &+= 1
            passage &+= Int(byte & 0x7F) &<< shift
            shift &+= 7
        }
        code = UInt16(bytes[index])
        index &+= 1
        if code & 1 != 0 {
            guard index < end else { throw PostingsDamage() }
            code |= UInt16(bytes[index]) << 8
            index &+= 1
        }
    }
}
