internal import AuraSQLite

/// Vectors of passages, one set a model; sets are never compared with each other.
///
/// A vector is kept twice: whole, as a signed byte a dimension and the size of one step, which costs
/// less than 0.005 of a cosine; and in a `VectorBlock`, as a bit a dimension. Both change in one
/// transaction. What an embedder reads of a passage may change between two versions of aura; then
/// the set is another one as well, and the older one answers until the new one is as large.
extension Store {
    /// Passages without a vector of this model, by number, from the one after `last` on.
    ///
    /// Costs about 20 ms at 100,000 passages, next to nothing when none is without.
    package func unembedded(
        model: String, dimensions: Int, after last: Int, limit: Int
    ) throws(StoreError) -> [UnembeddedPassage] {
        let counts = try embeddedCount(model: model, dimensions: dimensions)
        guard counts.done < counts.all, limit > 0 else { return [] }
        return try reporting {
            let number = try vectorSet(VectorSet(model, dimensions))
            let done = try number.map(embeddedPassages) ?? []
            // Read from the narrow index over notes, in no useful order.
            var missing = try connection.rows("SELECT number FROM passages") { $0.int(0) }
            missing.removeAll { $0 <= last || done.contains($0) }
            missing.sort()
            return try missing.prefix(limit).flatMap { number in
                try connection.rows(
                    """
                    SELECT passages.number, note, title, heading, text,
                        iif(created IS NULL, NULL, day)
                    FROM passages JOIN notes ON notes.number = note WHERE passages.number = ?
                    """, [.integer(Int64(number))]
                ) { row in
                    UnembeddedPassage(
                        number: row.int(0), note: row.int(1), title: row.text(2),
                        heading: row.text(3),
                        day: row.intOrNil(5).map(Day.init(daysSince1970:)), text: row.text(4))
                }
            }
        }
    }

    /// How many passages have a vector of this model, or were found to have none, and how many there
    /// are. Costs less than a millisecond at 100,000 passages.
    package func embeddedCount(
        model: String, dimensions: Int
    ) throws(StoreError) -> (done: Int, all: Int) {
        try reporting {
            let done = try vectorSet(VectorSet(model, dimensions)).map(filledSlots)
            let all = try connection.first("SELECT count(*) FROM passages") { $0.int(0) }
            return (done ?? 0, all ?? 0)
        }
    }

    /// Whether a search by meaning can find anything.
    package func hasVectors(model: String, dimensions: Int) throws(StoreError) -> Bool {
        try reporting { try searchedSet(model, dimensions) != nil }
    }

    /// Keeps vectors of passages. An empty vector, or one that is no number, marks the passage as
    /// done without a vector. A passage that has changed since it was read is left out.
    package func addVectors(
        _ vectors: [(passage: UnembeddedPassage, vector: Embedding)], model: String, dimensions: Int
    ) throws(StoreError) {
        try reporting {
            try connection.transaction {
                let set = VectorSet(model, dimensions)
                try connection.run(
                    "INSERT OR IGNORE INTO models(name, dimensions) VALUES (?, ?)", set.values)
                guard let number = try vectorSet(set) else { return }
                var entries: [VectorBlock.Entry] = []
                for (passage, vector) in vectors {
                    let codes = Codes(vector, dimensions: dimensions)
                    guard try isCurrent(passage) else { continue }
                    try connection.run(
                        """
                        INSERT OR REPLACE INTO vectors(model, passage, note, scale, codes)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                        [
                            .integer(Int64(number)), .integer(Int64(passage.number)),
                            .integer(Int64(passage.note)), .real(Double(codes.scale)),
                            .blob(codes.bytes),
                        ])
                    entries.append(
                        VectorBlock.Entry(
                            passage: passage.number, note: passage.note, bytes: codes.bytes))
                }
                try VectorBlock.put(
                    entries, model: number, dimensions: dimensions, connection)
            }
        }
    }

    /// The vaults that have notes, by name.
    package func vaultNames() throws(StoreError) -> [String] {
        try reporting {
            try connection.rows("SELECT DISTINCT vault FROM notes ORDER BY vault") { $0.text(0) }
        }
    }

    /// A note of a vault with the vector of its first passage.
    package struct FiledNote: Sendable {
        package let path: String
        package let title: String
        package let vector: [Float]
    }

    /// The newest notes of a vault that have a vector of this model; reports are left out.
    package func filedNotes(
        in vault: String, model: String, dimensions: Int, limit: Int
    ) throws(StoreError) -> [FiledNote] {
        try reporting {
            guard let set = try searchedSet(model, dimensions) else { return [] }
            return try connection.rows(
                """
                SELECT path, title, scale, codes FROM notes JOIN files USING (number)
                JOIN passages ON passages.note = notes.number AND position = 0
                JOIN vectors ON vectors.model = ? AND passage = passages.number
                WHERE vault = ? AND kind NOT IN (?, ?) AND length(codes) > 0
                ORDER BY moment DESC LIMIT ?
                """,
                [
                    .integer(Int64(set)), .text(vault),
                    .text(NoteKind.weeklyReport.rawValue), .text(NoteKind.monthlyReport.rawValue),
                    .integer(Int64(limit)),
                ]
            ) { row in
                let scale = Float(row.double(2))
                return FiledNote(
                    path: row.text(0), title: row.text(1),
                    vector: row.blob(3).map { Float(Int8(bitPattern: $0)) * scale })
            }
        }
    }

    /// Takes away the vectors of every other model.
    package func removeVectors(exceptModel name: String) throws(StoreError) {
        try removeSets { !VectorSet.names(of: name).contains($0.name) }
    }

    /// Takes away this model's vectors of earlier recipes, which those of today's have replaced.
    package func removeReplacedVectors(model: String, dimensions: Int) throws(StoreError) {
        let names = VectorSet.names(of: model).dropFirst()
        try removeSets { $0.dimensions == dimensions && names.contains($0.name) }
    }

    func removeVectors(ofNote note: Int) throws {
        let passages = try connection.rows(
            "SELECT number FROM passages WHERE note = ?", [.integer(Int64(note))]
        ) { $0.int(0) }
        try removeVectors(ofPassages: passages)
    }

    func removeVectors(ofPassages passages: [Int]) throws {
        for passage in passages {
            try connection.run(
                "DELETE FROM vectors WHERE (model, passage) IN (SELECT number, ? FROM models)",
                [.integer(Int64(passage))])
        }
        try VectorBlock.clear(passages, connection)
    }

    /// The number of the set that a search looks through; nil when no set of the model has anything.
    func searchedSet(_ model: String, _ dimensions: Int) throws -> Int? {
        var found: Int?
        var most = 0
        for name in VectorSet.names(of: model) {
            guard let number = try vectorSet(VectorSet(name: name, dimensions: dimensions)) else {
                continue
            }
            let filled = try filledSlots(number)
            if filled > most { (found, most) = (number, filled) }
        }
        return found
    }

    private func removeSets(_ isUnwanted: (VectorSet) -> Bool) throws(StoreError) {
        try reporting {
            let unwanted = try connection.rows("SELECT number, name, dimensions FROM models") {
                (number: $0.int(0), set: VectorSet(name: $0.text(1), dimensions: $0.int(2)))
            }.filter { isUnwanted($0.set) }
            guard !unwanted.isEmpty else { return }
            try connection.transaction {
                for (number, _) in unwanted {
                    // Its vectors and blocks go with it.
                    try connection.run(
                        "DELETE FROM models WHERE number = ?", [.integer(Int64(number))])
                }
            }
        }
    }

    private func vectorSet(_ set: VectorSet) throws -> Int? {
        try connection.first(
            "SELECT number FROM models WHERE name = ? AND dimensions = ?", set.values
        ) { $0.int(0) }
    }

    private func filledSlots(_ set: Int) throws -> Int {
        try connection.first(
            "SELECT total(filled) FROM vector_blocks WHERE model = ?", [.integer(Int64(set))]
        ) { $0.int(0) } ?? 0
    }

    private func embeddedPassages(_ set: Int) throws -> Set<Int> {
        var passages: Set<Int> = []
        try VectorBlock.forEach(ofModel: set, connection) { block, slots, _ in
            for (slot, note) in slots.enumerated() where note != 0 {
                passages.insert(VectorBlock.passage(slot, of: block))
            }
        }
        return passages
    }

    /// Whether the passage is still what was embedded.
    private func isCurrent(_ passage: UnembeddedPassage) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM passages JOIN notes ON notes.number = note
            WHERE passages.number = ? AND note = ? AND text = ? AND heading = ? AND title = ?
                AND iif(created IS NULL, NULL, day) IS ?
            """,
            [
                .integer(Int64(passage.number)), .integer(Int64(passage.note)),
                .text(passage.text), .text(passage.heading), .text(passage.title),
                Value(passage.day?.daysSince1970),
            ]
        ) { _ in true } ?? false
    }
}

/// What vectors must share to be compared: the model, their length, and what was embedded.
private struct VectorSet {
    /// As the table `models` has it.
    let name: String
    let dimensions: Int

    init(name: String, dimensions: Int) {
        self.name = name
        self.dimensions = dimensions
    }

    /// The set that today's vectors go to.
    init(_ model: String, _ dimensions: Int) {
        self.init(name: VectorSet.names(of: model)[0], dimensions: dimensions)
    }

    /// The names of the model's sets, that of today's recipe first. The first recipe's has no number.
    static func names(of model: String) -> [String] {
        (1...UnembeddedPassage.recipe).reversed().map { $0 == 1 ? model : "\(model) #\($0)" }
    }

    var values: [Value] { [.text(name), .integer(Int64(dimensions))] }
}

/// A unit vector in signed bytes.
struct Codes {
    /// Empty for a vector that cannot be kept.
    private(set) var bytes: [UInt8] = []
    private(set) var scale: Float = 0

    init(_ vector: Embedding, dimensions: Int) {
        let largest = vector.values.reduce(Float(0)) { max($0, abs($1)) }
        guard vector.values.count == dimensions, largest > 0,
            vector.values.allSatisfy(\.isFinite)
        else { return }
        scale = largest / 127
        bytes = vector.values.map { UInt8(bitPattern: Int8(($0 / scale).rounded())) }
    }
}
