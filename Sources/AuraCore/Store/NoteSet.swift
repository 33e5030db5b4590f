internal import AuraSQLite

/// A set of notes by their numbers, a bit each: what a filter lets through, or what a phrase stands in.
package struct NoteSet: Hashable, Sendable {
    private var words: [UInt64] = []

    package init() {}

    package init(_ numbers: some Sequence<Int>) {
        for number in numbers { insert(number) }
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Ascending.
    package var numbers: [Int] {
        words.indices.flatMap { word in
            (0..<64).lazy.filter { words[word] & (1 << UInt64($0)) != 0 }.map { word << 6 + $0 }
        }
    }

    package func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
    }

    /// - Parameter number: 0 or more.
    package mutating func insert(_ number: Int) {
        let word = number >> 6
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(number & 63)
    }

    package mutating func formIntersection(_ other: NoteSet) {
        if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
        for index in words.indices { words[index] &= other.words[index] }
    }

    package mutating func formUnion(_ other: NoteSet) {
        if words.count < other.words.count {
            words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    package mutating func subtract(_ other: NoteSet) {
        for index in 0..<min(words.count, other.words.count) { words[index] &= ~other.words[index] }
    }
}

extension Store {
    /// The notes that pass; nil when the filter lets every note through.
    ///
    /// Costs one pass over the index of the filtered columns.
    func noteSet(_ filter: NoteFilter) throws -> NoteSet? {
        guard let condition = filter.condition else { return nil }
        return try noteSet(where: condition.sql, condition.values)
    }

    func noteSet(where condition: String, _ values: [Value] = []) throws -> NoteSet {
        var set = NoteSet()
        try connection.forEach(
            "SELECT number FROM notes WHERE \(condition)", values
        ) { set.insert($0.int(0)) }
        return set
    }
}
