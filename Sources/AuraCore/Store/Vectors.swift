internal import AuraSQLite

/// A passage near the query in meaning.
package struct VectorHit: Hashable, Sendable {
    package var note: Int
    package var passage: Int
    /// Cosine, from -1 to 1.
    package var similarity: Float
}

/// A passage that has no vector yet.
package struct UnembeddedPassage: Hashable, Sendable {
    package var number: Int
    package var note: Int
    package var title: String
    package var heading: String
    package var text: String
}

/// Vectors of passages, one set a model; sets are never compared with each other.
///
/// A vector is kept as a signed byte a dimension and the size of one step, which costs less than
/// 0.005 of a cosine. Searching reads every vector of the set once.
extension Store {
    /// The nearest passage of each of the nearest notes, best first.
    /// - Parameter model: the embedder's name; vectors of other models are not looked at.
    package func nearest(
        to query: Embedding, model: String, _ filter: NoteFilter = NoteFilter(), limit: Int
    ) throws(StoreError) -> [VectorHit] {
        try nearestPassages(to: query, model: model, filter, limit: limit, onePerNote: true)
    }

    /// The nearest passages, best first, several of one note among them.
    package func nearestPassages(
        to query: Embedding, model: String, _ filter: NoteFilter = NoteFilter(), limit: Int
    ) throws(StoreError) -> [VectorHit] {
        try nearestPassages(to: query, model: model, filter, limit: limit, onePerNote: false)
    }

    private func nearestPassages(
        to query: Embedding, model: String, _ filter: NoteFilter, limit: Int, onePerNote: Bool
    ) throws(StoreError) -> [VectorHit] {
        guard limit > 0, let numbers = QuantisedQuery(query) else { return [] }
        let condition = filter.condition
        let among = condition.map { "AND note IN (SELECT number FROM notes WHERE \($0.sql))" } ?? ""
        return try reporting {
            guard let model = try self.model(model, query.values.count, makes: false) else {
                return []
            }
            var best = NearestHits(limit: limit, onePerNote: onePerNote)
            try connection.forEach(
                "SELECT codes, scale, note, passage FROM vectors WHERE model = ? \(among)",
                [.integer(Int64(model))] + (condition?.values ?? [])
            ) { row in
                guard let product = row.product(0, with: numbers.values) else { return }
                let similarity = Float(product) * numbers.scale * Float(row.double(1))
                if similarity > best.threshold {
                    best.add(
                        VectorHit(note: row.int(2), passage: row.int(3), similarity: similarity))
                }
            }
            return best.sorted()
        }
    }

    /// Passages without a vector of this model, by number, from the one after `last` on.
    package func unembedded(
        model: String, dimensions: Int, after last: Int, limit: Int
    ) throws(StoreError) -> [UnembeddedPassage] {
        try reporting {
            let number = try self.model(model, dimensions, makes: false) ?? 0
            return try connection.rows(
                """
                SELECT passages.number, note, title, heading, text
                FROM passages JOIN notes ON notes.number = note
                WHERE passages.number > ?1 AND NOT EXISTS (
                    SELECT 1 FROM vectors WHERE model = ?2 AND passage = passages.number)
                ORDER BY passages.number LIMIT ?3
                """, [.integer(Int64(last)), .integer(Int64(number)), .integer(Int64(limit))]
            ) { row in
                UnembeddedPassage(
                    number: row.int(0), note: row.int(1), title: row.text(2), heading: row.text(3),
                    text: row.text(4))
            }
        }
    }

    /// How many passages have a vector of this model, and how many there are.
    package func embeddedCount(
        model: String, dimensions: Int
    ) throws(StoreError) -> (done: Int, all: Int) {
        try reporting {
            let number = try self.model(model, dimensions, makes: false) ?? 0
            let done = try connection.first(
                "SELECT count(*) FROM vectors WHERE model = ?", [.integer(Int64(number))]
            ) { $0.int(0) }
            let all = try connection.first("SELECT count(*) FROM passages") { $0.int(0) }
            return (done ?? 0, all ?? 0)
        }
    }

    /// Keeps vectors of passages. An empty vector, or one that is no number, marks the passage as
    /// done without a vector. A passage that has changed since it was read is left out.
    package func addVectors(
        _ vectors: [(passage: UnembeddedPassage, vector: Embedding)], model: String, dimensions: Int
    ) throws(StoreError) {
        try reporting {
            try connection.transaction {
                let model = try self.model(model, dimensions, makes: true) ?? 0
                for (passage, vector) in vectors {
                    let codes = Codes(vector, dimensions: dimensions)
                    try connection.run(
                        """
                        INSERT OR REPLACE INTO vectors(model, passage, note, scale, codes)
                        SELECT ?1, number, note, ?3, ?4 FROM passages WHERE number = ?2 AND text = ?5
                        """,
                        [
                            .integer(Int64(model)), .integer(Int64(passage.number)),
                            .real(Double(codes.scale)), .blob(codes.bytes), .text(passage.text),
                        ])
                }
            }
        }
    }

    /// Takes away the vectors of every other model.
    package func removeVectors(exceptModel name: String) throws(StoreError) {
        try reporting {
            try connection.transaction {
                try connection.run(
                    "DELETE FROM vectors WHERE model IN (SELECT number FROM models WHERE name <> ?)",
                    [.text(name)])
                try connection.run("DELETE FROM models WHERE name <> ?", [.text(name)])
            }
        }
    }

    func removeVectors(ofNote note: Int) throws {
        try connection.run(
            """
            DELETE FROM vectors WHERE (model, passage) IN (
                SELECT models.number, passages.number FROM models, passages WHERE note = ?)
            """, [.integer(Int64(note))])
    }

    func removeVectors(ofPassage passage: Int) throws {
        try connection.run(
            """
            DELETE FROM vectors WHERE (model, passage) IN (SELECT number, ? FROM models)
            """, [.integer(Int64(passage))])
    }

    private func model(_ name: String, _ dimensions: Int, makes: Bool) throws -> Int? {
        let values: [Value] = [.text(name), .integer(Int64(dimensions))]
        if makes {
            try connection.run(
                "INSERT OR IGNORE INTO models(name, dimensions) VALUES (?, ?)", values)
        }
        return try connection.first(
            "SELECT number FROM models WHERE name = ? AND dimensions = ?", values
        ) { $0.int(0) }
    }
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

/// The best hits of a pass, kept without sorting all of them.
private struct NearestHits {
    let limit: Int
    let onePerNote: Bool
    /// Hits up to this similarity cannot be among the best any more.
    private(set) var threshold = -Float.infinity
    private var hits: [VectorHit] = []

    init(limit: Int, onePerNote: Bool) {
        self.limit = limit
        self.onePerNote = onePerNote
    }

    mutating func add(_ hit: VectorHit) {
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
        guard onePerNote else { return Array(sorted.prefix(limit)) }
        var seen: Set<Int> = []
        var best: [VectorHit] = []
        for hit in sorted where seen.insert(hit.note).inserted {
            best.append(hit)
            if best.count == limit { break }
        }
        return best
    }
}
