internal import AuraSQLite

/// A passage near the query in meaning.
package struct VectorHit: Hashable, Sendable {
    package var note: Int
    package var passage: Int
    /// Cosine, from -1 to 1.
    package var similarity: Float
}

/// Searching in two passes: an estimate of every passage's cosine from its code of bits, then the
/// cosines of those with the best estimates.
extension Store {
    /// Up to so many passages are all looked at whole: the result is exact.
    static let exhaustiveCount = 1024
    /// Passages looked at whole for each hit wanted, and at least in all; each is a page to decrypt.
    /// What they keep of an exact search was measured: docs/decisions/0021-vector-codes.md.
    static let survivorsPerHit = 4
    static let fewestSurvivors = 400
    /// Of one note, where one hit a note is wanted: a long note must not take all the places.
    static let survivorsPerNote = 4

    /// The nearest passage of each of the nearest notes, best first; equally near ones by number.
    ///
    /// About 4 ms for 100,000 passages of 384 dimensions; over a new connection to an encrypted index
    /// 35 ms, for 7 MB to decrypt.
    /// - Parameter model: the embedder's name; vectors of other models are not looked at.
    package func nearest(
        to query: Embedding, model: String, _ filter: NoteFilter = NoteFilter(), limit: Int
    ) throws(StoreError) -> [VectorHit] {
        let notes = try reporting { try noteSet(filter) }
        return try nearest(to: query, model: model, among: notes, limit: limit)
    }

    /// - Parameter notes: the notes that count; nil for all.
    package func nearest(
        to query: Embedding, model: String, among notes: NoteSet?, limit: Int
    ) throws(StoreError) -> [VectorHit] {
        try nearest(to: query, model, notes, limit: limit, onePerNote: true)
    }

    /// The nearest passages, best first, several of one note among them.
    package func nearestPassages(
        to query: Embedding, model: String, _ filter: NoteFilter = NoteFilter(), limit: Int
    ) throws(StoreError) -> [VectorHit] {
        let notes = try reporting { try noteSet(filter) }
        return try nearestPassages(to: query, model: model, among: notes, limit: limit)
    }

    /// - Parameter notes: the notes that count; nil for all.
    package func nearestPassages(
        to query: Embedding, model: String, among notes: NoteSet?, limit: Int
    ) throws(StoreError) -> [VectorHit] {
        try nearest(to: query, model, notes, limit: limit, onePerNote: false)
    }

    private func nearest(
        to query: Embedding, _ model: String, _ notes: NoteSet?, limit: Int, onePerNote: Bool
    ) throws(StoreError) -> [VectorHit] {
        let limit = min(limit, 1 << 32)
        guard limit > 0, let numbers = QuantisedQuery(query) else { return [] }
        return try reporting {
            try connection.reading {
                guard let set = try searchedSet(model, query.values.count) else { return [] }
                let survivors = try survivors(
                    of: set, BitQuery(query), notes, limit: limit, onePerNote: onePerNote)
                var best = NearestHits(limit: limit, perNote: onePerNote ? 1 : .max)
                try forEachVector(of: set, survivors) { row in
                    let note = row.int(2)
                    guard notes?.contains(note) ?? true,
                        let product = row.product(0, with: numbers.values)
                    else { return }
                    best.add(
                        VectorHit(
                            note: note, passage: row.int(3),
                            similarity: Float(product) * numbers.scale * Float(row.double(1))))
                }
                return best.sorted()
            }
        }
    }

    /// Passages to look at whole, by number, and blocks of which nothing is known.
    private typealias Survivors = (passages: [Int], damagedBlocks: [Int])

    /// Hands over codes, scale, note and passage of each.
    private func forEachVector(
        of set: Int, _ survivors: Survivors, _ look: (borrowing Row) throws -> Void
    ) throws {
        let sql = "SELECT codes, scale, note, passage FROM vectors WHERE model = ?"
        let set = Value.integer(Int64(set))
        let single = try connection.statement("\(sql) AND passage = ?")
        for passage in survivors.passages {
            try single.rows([set, .integer(Int64(passage))], look)
        }
        for block in survivors.damagedBlocks {
            let passages = VectorBlock.passages(of: block)
            let (first, last) = (Int64(passages.lowerBound), Int64(passages.upperBound))
            try connection.forEach(
                "\(sql) AND passage BETWEEN ? AND ?", [set, .integer(first), .integer(last)], look)
        }
    }

    /// The first pass.
    private func survivors(
        of set: Int, _ query: BitQuery, _ notes: NoteSet?, limit: Int, onePerNote: Bool
    ) throws -> Survivors {
        var best = NearestHits(
            limit: max(Store.fewestSurvivors, limit * Store.survivorsPerHit),
            perNote: onePerNote ? Store.survivorsPerNote : .max)
        // What is known of all, until they are too many for that.
        var all: [Int] = []
        var count = 0
        var damaged: [Int] = []
        var sums = [Int32](repeating: 0, count: VectorBlock.slots)
        try VectorBlock.forEach(ofModel: set, connection) { block, slots, row in
            func isSought(_ slot: UInt32) -> Bool {
                guard let note = VectorBlock.note(slot) else { return false }
                return notes?.contains(note) ?? true
            }
            // The codes are not even read from the file where the filter lets nothing through.
            guard slots.isEmpty || slots.contains(where: isSought) else { return }
            guard !slots.isEmpty, row.tableSums(VectorBlock.codesColumn, query.tables, into: &sums)
            else {
                damaged.append(block)
                return
            }
            for (slot, note) in slots.enumerated() where isSought(note) {
                count += 1
                let passage = VectorBlock.passage(slot, of: block)
                if count <= Store.exhaustiveCount { all.append(passage) }
                best.add(
                    VectorHit(note: Int(note), passage: passage, similarity: Float(sums[slot])))
            }
        }
        if count <= Store.exhaustiveCount { return (all, damaged) }
        return (best.sorted().map(\.passage).sorted(), damaged)
    }
}

/// The query's side of the estimate: for each byte of a code the sum of the query's numbers, each with
/// the sign of its bit.
private struct BitQuery {
    /// 256 sums for each byte of a code.
    let tables: [Int16]

    /// - Parameter vector: of finite numbers, not all zero.
    init(_ vector: Embedding) {
        let largest = vector.values.reduce(Float(0)) { max($0, abs($1)) }
        // Eight of them together stay within 16 bits.
        let numbers = vector.values.map { Int16(($0 / largest * 4095).rounded()) }
        var tables: [Int16] = []
        tables.reserveCapacity(VectorBlock.codeLength(dimensions: numbers.count) * 256)
        for start in stride(from: 0, to: numbers.count, by: 8) {
            let numbers = numbers[start..<min(start + 8, numbers.count)]
            for byte in 0..<256 {
                var bits = byte
                var sum: Int16 = 0
                for number in numbers {
                    sum += bits & 1 == 1 ? number : -number
                    bits >>= 1
                }
                tables.append(sum)
            }
        }
        self.tables = tables
    }
}

/// The query's side of the product: finer than a code, and small enough that no sum overflows.
private struct QuantisedQuery {
    let values: [Int16]
    let scale: Float

    init?(_ vector: Embedding) {
        let largest = vector.values.reduce(Float(0)) { max($0, abs($1)) }
        guard largest > 0, vector.values.allSatisfy(\.isFinite) else { return nil }
        // At most 2^31 / 127 over all dimensions together.
        let steps = min(Float(Int16.max), Float(16_000_000 / vector.values.count))
        scale = largest / steps
        values = vector.values.map { [scale] in Int16(($0 / scale).rounded()) }
    }
}

/// The best hits of a pass, kept without sorting all of them. Of equal ones the first to come stay.
private struct NearestHits {
    let limit: Int
    let perNote: Int
    /// Hits up to this similarity cannot be among the best any more.
    private(set) var threshold = -Float.infinity
    private var hits: [VectorHit] = []

    /// - Parameter perNote: how many of one note there may be among them.
    init(limit: Int, perNote: Int) {
        self.limit = limit
        self.perNote = perNote
    }

    mutating func add(_ hit: VectorHit) {
        guard hit.similarity > threshold else { return }
        hits.append(hit)
        if hits.count >= 8 * max(limit, 16) {
            hits = sorted()
            if hits.count == limit, let last = hits.last { threshold = last.similarity }
        }
    }

    func sorted() -> [VectorHit] {
        let sorted = hits.sorted { left, right in
            (left.similarity, right.passage) > (right.similarity, left.passage)
        }
        guard perNote < sorted.count else { return Array(sorted.prefix(limit)) }
        var counts: [Int: Int] = [:]
        var best: [VectorHit] = []
        for hit in sorted {
            let count = counts[hit.note, default: 0]
            guard count < perNote else { continue }
            counts[hit.note] = count + 1
            best.append(hit)
            if best.count == limit { break }
        }
        return best
    }
}
