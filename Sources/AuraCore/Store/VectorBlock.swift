internal import AuraSQLite

/// The vectors of 256 passages that follow each other by number, as bits: a row of `vector_blocks`.
///
/// A search reads all blocks from end to end, 52 bytes a passage at 384 dimensions, and then only the
/// rows of `vectors` that look near. A change reads and writes the block it is in.
struct VectorBlock {
    static let slots = 256
    /// Set in a slot whose passage cannot be embedded.
    private static let hasNoVector: UInt32 = 1 << 31

    /// The note of each slot's passage; 0 for a slot not in use.
    private var notes = [UInt32](repeating: 0, count: slots)
    /// `codeLength` bytes a slot.
    private var codes: [UInt8]
    private let codeLength: Int

    static func number(of passage: Int) -> Int { passage >> 8 }
    private static func slot(of passage: Int) -> Int { passage & 255 }
    static func passage(_ slot: Int, of block: Int) -> Int { block << 8 | slot }
    static func passages(of block: Int) -> ClosedRange<Int> { block << 8...block << 8 | 255 }

    /// The note whose vector stands in the slot; nil when none does.
    static func note(_ slot: UInt32) -> Int? {
        slot == 0 || slot & hasNoVector != 0 ? nil : Int(slot)
    }

    /// Bytes of one code.
    static func codeLength(dimensions: Int) -> Int { (dimensions + 7) / 8 }

    private init(dimensions: Int) {
        codeLength = VectorBlock.codeLength(dimensions: dimensions)
        codes = [UInt8](repeating: 0, count: VectorBlock.slots * codeLength)
    }

    private var filled: Int { notes.count { $0 != 0 } }

    /// Takes in a vector kept as signed bytes: a bit is set where the byte is above zero, lowest bit
    /// first.
    private mutating func put(_ bytes: [UInt8], passage: Int, note: Int) {
        let slot = VectorBlock.slot(of: passage)
        clear(passage)
        guard let note = UInt32(exactly: note), note < VectorBlock.hasNoVector else { return }
        let isUsable = VectorBlock.codeLength(dimensions: bytes.count) == codeLength
        notes[slot] = isUsable ? note : note | VectorBlock.hasNoVector
        guard isUsable else { return }
        for (index, byte) in bytes.enumerated() where Int8(bitPattern: byte) > 0 {
            codes[slot * codeLength + index >> 3] |= 1 << UInt8(index & 7)
        }
    }

    private mutating func clear(_ passage: Int) {
        let slot = VectorBlock.slot(of: passage)
        notes[slot] = 0
        for index in slot * codeLength..<(slot + 1) * codeLength { codes[index] = 0 }
    }
}

// MARK: - Searching

extension VectorBlock {
    static let codesColumn = 2

    /// Hands over every block by number: its number, its slots, and the row with its codes in
    /// `codesColumn`. The slots are empty where what is kept has a wrong length.
    static func forEach(
        ofModel model: Int, _ connection: Connection,
        _ body: (Int, [UInt32], borrowing Row) throws -> Void
    ) throws {
        var slots = [UInt32](repeating: 0, count: VectorBlock.slots)
        try connection.forEach(
            "SELECT block, notes, codes FROM vector_blocks WHERE model = ? ORDER BY block",
            [.integer(Int64(model))]
        ) { row in
            let isWhole = row.numbers(1, into: &slots)
            try body(row.int(0), isWhole ? slots : [], row)
        }
    }
}

// MARK: - Reading and writing; inside a transaction of the caller

extension VectorBlock {
    /// A vector that goes into a block, as `vectors` keeps it.
    struct Entry {
        var passage: Int
        var note: Int
        /// Empty for a passage that cannot be embedded.
        var bytes: [UInt8]
    }

    static func put(
        _ entries: [Entry], model: Int, dimensions: Int, _ connection: Connection
    ) throws {
        for (number, entries) in Dictionary(grouping: entries, by: { self.number(of: $0.passage) })
        {
            var block = try read(number, model, dimensions, connection)
            for entry in entries {
                block.put(entry.bytes, passage: entry.passage, note: entry.note)
            }
            try block.write(number, model, connection)
        }
    }

    /// Takes the passages' vectors out of the blocks of every model.
    static func clear(_ passages: [Int], _ connection: Connection) throws {
        let models = try connection.rows("SELECT number, dimensions FROM models") {
            (number: $0.int(0), dimensions: $0.int(1))
        }
        for (number, passages) in Dictionary(grouping: passages, by: number(of:)) {
            for model in models {
                var block = try read(number, model.number, model.dimensions, connection)
                for passage in passages { block.clear(passage) }
                try block.write(number, model.number, connection)
            }
        }
    }

    /// Makes the blocks of an index from before there were any; does nothing where there are.
    static func fill(_ connection: Connection) throws {
        let isFilled = try connection.first("SELECT 1 FROM vector_blocks LIMIT 1") { _ in true }
        guard isFilled == nil else { return }
        let models = try connection.rows("SELECT number, dimensions FROM models") {
            (number: $0.int(0), dimensions: $0.int(1))
        }
        for model in models {
            let numbers = try connection.rows(
                "SELECT DISTINCT passage >> 8 FROM vectors WHERE model = ?",
                [.integer(Int64(model.number))]
            ) { $0.int(0) }
            for number in numbers {
                try made(number, model.number, model.dimensions, connection)
                    .write(number, model.number, connection)
            }
        }
    }

    /// The block as it is kept; one that is missing or has a wrong length is made anew.
    private static func read(
        _ number: Int, _ model: Int, _ dimensions: Int, _ connection: Connection
    ) throws -> VectorBlock {
        var block = VectorBlock(dimensions: dimensions)
        let isWhole = try connection.first(
            "SELECT notes, codes FROM vector_blocks WHERE model = ? AND block = ?",
            [.integer(Int64(model)), .integer(Int64(number))]
        ) { row in
            let codes = row.blob(1)
            guard codes.count == block.codes.count, row.numbers(0, into: &block.notes) else {
                return false
            }
            block.codes = codes
            return true
        }
        return try isWhole == true ? block : made(number, model, dimensions, connection)
    }

    /// The block as `vectors` says it should be.
    private static func made(
        _ number: Int, _ model: Int, _ dimensions: Int, _ connection: Connection
    ) throws -> VectorBlock {
        var block = VectorBlock(dimensions: dimensions)
        let passages = passages(of: number)
        try connection.forEach(
            """
            SELECT passage, note, codes FROM vectors
            WHERE model = ? AND passage BETWEEN ? AND ?
            """,
            [
                .integer(Int64(model)), .integer(Int64(passages.lowerBound)),
                .integer(Int64(passages.upperBound)),
            ]
        ) { block.put($0.blob(2), passage: $0.int(0), note: $0.int(1)) }
        return block
    }

    private func write(_ number: Int, _ model: Int, _ connection: Connection) throws {
        let place = [Value.integer(Int64(model)), .integer(Int64(number))]
        let filled = filled
        guard filled > 0 else {
            try connection.run("DELETE FROM vector_blocks WHERE model = ? AND block = ?", place)
            return
        }
        let bytes = notes.flatMap { note in
            (0..<4).map { UInt8(truncatingIfNeeded: note >> (8 * UInt32($0))) }
        }
        try connection.run(
            """
            INSERT INTO vector_blocks(model, block, filled, notes, codes) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (model, block) DO UPDATE SET
                filled = excluded.filled, notes = excluded.notes, codes = excluded.codes
            """, place + [.integer(Int64(filled)), .blob(bytes), .blob(codes)])
    }
}
