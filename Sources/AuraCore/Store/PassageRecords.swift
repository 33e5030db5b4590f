internal import AuraSQLite

/// A passage as the index keeps it.
package struct PassageRecord: Hashable, Sendable {
    package var number: Int
    package var note: Int
    /// 0 for the first of its note.
    package var position: Int
    package var heading: String
    package var text: String
}

extension Store {
    /// The passages of these notes, in their order, at most `limit` of each.
    package func passages(
        ofNotes notes: [Int], limit: Int = .max
    ) throws(StoreError) -> [Int: [PassageRecord]] {
        try reporting {
            var found: [Int: [PassageRecord]] = [:]
            let statement = try connection.statement(
                """
                SELECT number, note, position, heading, text FROM passages
                WHERE note = ? ORDER BY position LIMIT ?
                """)
            for note in notes {
                try statement.rows([.integer(Int64(note)), .integer(Int64(limit))]) { row in
                    found[note, default: []].append(PassageRecord(row: row))
                }
            }
            return found
        }
    }

    /// Replaces a note's passages. One whose text stays keeps its number, so its vectors are kept too.
    func writePassages(
        _ passages: [PassageText], of note: Int, keepingVectors: Bool
    ) throws {
        let value = Value.integer(Int64(note))
        var old: [PassageText: [Int]] = [:]
        try connection.forEach(
            "SELECT number, heading, text FROM passages WHERE note = ? ORDER BY position DESC",
            [value]
        ) { row in
            old[PassageText(heading: row.text(1), text: row.text(2)), default: []].append(
                row.int(0))
        }
        if !keepingVectors, !old.isEmpty {
            try removeVectors(ofNote: note)
            try connection.run("DELETE FROM passages WHERE note = ?", [value])
            old = [:]
        }
        for (position, passage) in passages.enumerated() {
            if let number = old[passage]?.popLast() {
                try connection.run(
                    "UPDATE passages SET position = ? WHERE number = ?",
                    [.integer(Int64(position)), .integer(Int64(number))])
            } else {
                try connection.run(
                    "INSERT INTO passages(note, position, heading, text) VALUES (?, ?, ?, ?)",
                    [value, .integer(Int64(position)), .text(passage.heading), .text(passage.text)])
            }
        }
        let gone = old.values.flatMap(\.self)
        try removeVectors(ofPassages: gone)
        for number in gone {
            try connection.run("DELETE FROM passages WHERE number = ?", [.integer(Int64(number))])
        }
    }
}

extension PassageRecord {
    /// Reads `number, note, position, heading, text`.
    init(row: borrowing Row) {
        number = row.int(0)
        note = row.int(1)
        position = row.int(2)
        heading = row.text(3)
        text = row.text(4)
    }
}
