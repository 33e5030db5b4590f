/// Numbers different terms in the order in which they come.
///
/// An open-addressed hash table (linear probing) over one array with the bytes of all terms: a text has
/// a term every few bytes, and an allocation for each would cost more than reading it.
struct TermTable: Sendable {
    private var bytes: [UInt8] = []
    /// Where each term ends in `bytes`.
    private var ends: [Int] = []
    private var hashes: [UInt32] = []
    /// A term's number; -1 where there is none. As many as a power of two, at most two thirds taken.
    private var slots = [Int32](repeating: -1, count: 1024)

    var count: Int { ends.count }

    /// The bytes of a term.
    subscript(id: Int32) -> ArraySlice<UInt8> { bytes[start(of: Int(id))..<ends[Int(id)]] }

    /// The term's number, a new one when it was not there.
    mutating func insert(_ term: [UInt8]) -> (id: Int32, isNew: Bool) {
        let hash = TermTable.hash(term.span)
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] >= 0 {
            let id = slots[slot]
            if hashes[Int(id)] == hash, holds(term.span, at: Int(id)) { return (id, false) }
            slot = (slot + 1) & mask
        }
        let id = Int32(ends.count)
        slots[slot] = id
        bytes.append(contentsOf: term)
        ends.append(bytes.count)
        hashes.append(hash)
        if 3 * ends.count > 2 * slots.count { grow() }
        return (id, true)
    }

    /// The numbers in the order of the terms' bytes.
    func sorted() -> [Int32] {
        // Most pairs differ in their first eight bytes.
        let keyed = ends.indices.map { id -> (beginning: UInt64, id: Int32) in
            let term = bytes[start(of: id)..<ends[id]].prefix(8)
            let beginning = term.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (beginning << UInt64(8 * (8 - term.count)), Int32(id))
        }
        return keyed.sorted { one, other in
            one.beginning == other.beginning
                ? self[one.id].lexicographicallyPrecedes(self[other.id])
                : one.beginning < other.beginning
        }.map(\.id)
    }

    private func start(of id: Int) -> Int { id == 0 ? 0 : ends[id - 1] }

    private func holds(_ term: Span<UInt8>, at id: Int) -> Bool {
        let start = start(of: id)
        guard ends[id] - start == term.count else { return false }
        let bytes = bytes.span
        for index in term.indices where bytes[start + index] != term[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: 2 * slots.count)
        let mask = slots.count - 1
        for (id, hash) in hashes.enumerated() {
            var slot = Int(hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(id)
        }
    }

    private static func hash(_ term: Span<UInt8>) -> UInt32 {
        let hash = FNV1a.hash(term)
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
