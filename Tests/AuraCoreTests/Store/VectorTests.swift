import AuraSQLite
import AuraTestKit
import Testing

@testable import AuraCore

@Suite struct VectorTests {
    /// Unit vectors of four dimensions, by name.
    private struct FourDimensions: Embedder {
        var modelName = "four"
        var dimensions: Int { 4 }
        var isBroken = false

        func vectors(for texts: [String]) async throws -> [Embedding] {
            texts.map { text in
                if text.contains("nothing") { return Embedding([]) }
                if text.contains("broken") { return Embedding([.nan, 0, 0, 0]) }
                let angle: Float = text.contains("north") ? 0 : text.contains("east") ? 0.5 : 1
                return Embedding([1 - angle, angle, 0, 0]).normalised
            }
        }
    }

    private func home() async throws -> IndexedFolder {
        let home = try IndexedFolder()
        for word in ["north", "east", "south", "nothing", "broken"] {
            try home.write(
                "---\ntitle: \(word)\ntags: [\(word)]\n---\n\(word) wind\n", to: "V/\(word).md")
        }
        try await home.refresh()
        return home
    }

    private let north = Embedding([1, 0, 0, 0])

    @Test("the nearest come first, with their cosines, and passages without a vector do not come")
    func nearest() async throws {
        let home = try await home()
        let report = try await home.indexer.embedMissing(with: FourDimensions())
        #expect(report == Indexer.EmbeddingReport(embedded: 3, without: 2, isComplete: true))
        let hits = try await home.store.nearest(to: north, model: "four", limit: 10)
        #expect(hits.count == 3)
        for (hit, cosine) in zip(hits, [Float(1), 0.7071, 0]) {
            #expect(abs(hit.similarity - cosine) < 0.005)
        }
    }

    @Test("another model or another length finds nothing")
    func models() async throws {
        let home = try await home()
        _ = try await home.indexer.embedMissing(with: FourDimensions())
        #expect(try await home.store.nearest(to: north, model: "five", limit: 10).isEmpty)
        #expect(
            try await home.store.nearest(to: Embedding([1, 0]), model: "four", limit: 10).isEmpty)
        #expect(try await home.store.embeddedCount(model: "five", dimensions: 4).done == 0)
        _ = try await home.indexer.embedMissing(with: FourDimensions(modelName: "five"))
        #expect(try await home.store.nearest(to: north, model: "five", limit: 10).count == 3)
        try await home.store.removeVectors(exceptModel: "five")
        #expect(try await home.store.nearest(to: north, model: "four", limit: 10).isEmpty)
        #expect(try await home.store.nearest(to: north, model: "five", limit: 10).count == 3)
    }

    @Test("a filter counts while searching, not after it")
    func filter() async throws {
        let home = try await home()
        _ = try await home.indexer.embedMissing(with: FourDimensions())
        var filter = NoteFilter()
        filter.tags = ["south"]
        let hits = try await home.store.nearest(to: north, model: "four", filter, limit: 1)
        #expect(
            try await home.store.notes(numbered: hits.map(\.note)).values.map(\.title) == ["south"])
    }

    @Test("a changed note loses the vectors of the passages that changed, and only those")
    func changes() async throws {
        let home = try IndexedFolder()
        try home.write("# A\n\nnorth one\n\n# B\n\neast two\n", to: "V/a.md")
        try await home.refresh()
        _ = try await home.indexer.embedMissing(with: FourDimensions())
        try home.write("# A\n\nnorth one\n\n# B\n\nsouth three\n", to: "V/a.md")
        try await home.refresh()
        #expect(try await home.store.embeddedCount(model: "four", dimensions: 4) == (1, 2))
        try home.remove("V/a.md")
        try await home.refresh()
        #expect(try await home.store.embeddedCount(model: "four", dimensions: 4) == (0, 0))
    }

    @Test("embedding stops at its budget and goes on later")
    func budget() async throws {
        let home = try IndexedFolder()
        let blocks = (1...70).map { "# H\($0)\n\nnorth \($0)" }.joined(separator: "\n\n")
        try home.write(blocks, to: "V/a.md")
        try await home.refresh()
        let first = try await home.indexer.embedMissing(with: FourDimensions(), budget: .zero)
        #expect(first.embedded == Indexer.passagesPerBatch && !first.isComplete)
        let second = try await home.indexer.embedMissing(with: FourDimensions())
        #expect(second.embedded == 70 - Indexer.passagesPerBatch && second.isComplete)
    }

    // MARK: Two passes

    /// A home whose notes have one passage each, with vectors of the test's own.
    private func home(
        of vectors: [[Float]], notes: (Int) -> Int = { $0 }
    ) async throws -> IndexedFolder {
        let home = try IndexedFolder()
        let groups = Dictionary(grouping: vectors.indices, by: notes)
        for (note, numbers) in groups {
            let sections = numbers.map { "# H\($0)\n\n\($0)" }
            try home.write(sections.joined(separator: "\n\n") + "\n", to: "V/\(note).md")
        }
        try await home.refresh()
        _ = try await home.indexer.embedMissing(with: Given(vectors))
        return home
    }

    /// The last word of a text is the place of its vector.
    private struct Given: Embedder {
        let vectors: [[Float]]
        var modelName = "given"
        var dimensions: Int { vectors[0].count }

        init(_ vectors: [[Float]]) { self.vectors = vectors }

        func vectors(for texts: [String]) async throws -> [Embedding] {
            texts.map { text in
                let last = text.split { $0 == " " || $0 == "\n" }.last ?? ""
                return Int(last).map { Embedding(vectors[$0]).normalised } ?? Embedding([])
            }
        }
    }

    /// The same numbers for the same seed, about as many below zero as above.
    private static func vectors(_ count: Int, dimensions: Int) -> [[Float]] {
        var state: UInt64 = 88_172_645_463_325_252
        return (0..<count).map { _ in
            (0..<dimensions).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return Float(Int32(truncatingIfNeeded: state)) / Float(Int32.max)
            }
        }
    }

    /// What an exact search gives: passages by cosine.
    private static func exact(_ query: [Float], _ vectors: [[Float]]) -> [Int] {
        let query = Embedding(query).normalised
        return vectors.enumerated()
            .map { ($0.offset, Embedding($0.element).normalised.similarity(to: query)) }
            .sorted { $0.1 > $1.1 }.map(\.0)
    }

    private func names(_ hits: [VectorHit], _ home: IndexedFolder) async throws -> [String] {
        let passages = try await home.store.passages(ofNotes: hits.map(\.note))
        return hits.map { hit in
            let text = passages[hit.note]?.first { $0.number == hit.passage }?.text ?? ""
            return String(text.split { $0 == " " || $0 == "\n" }.last ?? "")
        }
    }

    private func script(_ sql: String, _ home: IndexedFolder) throws {
        try Connection(path: home.store.path).script(sql)
    }

    @Test("any number of dimensions will do", arguments: [1, 7, 8, 63, 65, 100])
    func dimensions(count: Int) async throws {
        let vectors = Self.vectors(40, dimensions: count)
        let home = try await home(of: vectors)
        let query = vectors[7]
        let hits = try await home.store.nearest(
            to: Embedding(query).normalised, model: "given", limit: 40)
        #expect(hits.count == 40)
        #expect(hits[0].similarity > 0.98)
        #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.similarity >= $1.similarity })
    }

    @Test("of more passages than are all looked at, the nearest are found, and a filter loses none")
    func survivors() async throws {
        let vectors = Self.vectors(Store.exhaustiveCount + 500, dimensions: 96)
        let home = try await home(of: vectors, notes: { $0 / 5 })
        for query in [3, 700, 1500] {
            let near = zip(vectors[query], vectors[query + 1]).map { $0 * 2 + $1 }
            let vector = Embedding(near).normalised
            let best = try await home.store.nearestPassages(to: vector, model: "given", limit: 10)
            let found = try await names(best, home)
            let exact = Self.exact(near, vectors)
            #expect(found.count == 10)
            #expect(Set(found).intersection(exact.prefix(10).map(String.init)).count >= 9)
            #expect(found.prefix(2) == exact.prefix(2).map(String.init)[...])
            // The farthest of all are found when nothing else may be.
            let far = exact.suffix(300)
            let records = try await home.store.passages(ofNotes: Array(1...600)).values.joined()
            let notes = NoteSet(
                records.filter { record in far.contains { record.text.hasSuffix("\n\($0)") } }
                    .map(\.note))
            let hits = try await home.store.nearestPassages(
                to: vector, model: "given", among: notes, limit: 5000)
            #expect(hits.count == records.count { notes.contains($0.note) })
            #expect(hits.allSatisfy { notes.contains($0.note) })
        }
    }

    @Test("a long note that is near in every passage leaves places for other notes")
    func longNote() async throws {
        var vectors = Self.vectors(Store.exhaustiveCount + 700, dimensions: 96)
        for index in 0..<1500 { vectors[index][0] += 40 }
        let home = try await home(of: vectors, notes: { $0 < 1500 ? 0 : $0 })
        let query = Embedding([1] + [Float](repeating: 0, count: 95))
        let hits = try await home.store.nearest(to: query, model: "given", limit: 100)
        #expect(hits.count == 100)
        #expect(Set(hits.map(\.note)).count == 100)
        let passages = try await home.store.nearestPassages(to: query, model: "given", limit: 100)
        #expect(Set(passages.map(\.note)).count == 1)
    }

    @Test("equally near passages come by number")
    func ties() async throws {
        let home = try await home(of: [[Float]](repeating: [0.6, 0.8, 0], count: 1300))
        let hits = try await home.store.nearest(
            to: Embedding([0.6, 0.8, 0]), model: "given", limit: 50)
        #expect(hits.map(\.passage) == Array(1...50))
        #expect(
            try await home.store.nearestPassages(
                to: Embedding([0.6, 0.8, 0]), model: "given", limit: 50) == hits)
    }

    @Test("a filter that no note passes finds nothing")
    func emptyFilter() async throws {
        let home = try await home(of: [[1, 0], [0, 1]])
        let hits = try await home.store.nearest(
            to: Embedding([1, 0]), model: "given", among: NoteSet(), limit: 5)
        #expect(hits.isEmpty)
    }

    @Test("vectors of an index from before there were blocks are found, and not made again")
    func olderIndex() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/index.db"
        let connection = try Connection(path: path)
        for migration in Schema.migrations[..<2] { try connection.script(migration) }
        try connection.script(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO files(path, name, size, modified, inode, hash)
            SELECT i, i, 1, 1, 1, 1 FROM n;
            INSERT INTO passages(number, note, position, heading, text)
            SELECT number + 500, number, 0, '', 'text' FROM files;
            INSERT INTO models(name, dimensions) VALUES ('four', 4);
            INSERT INTO vectors(model, passage, note, scale, codes)
            SELECT 1, number, note, 1.0 / 127, iif(note = 77, x'7F000000', x'007F0000')
            FROM passages;
            UPDATE vectors SET scale = 0, codes = x'' WHERE note = 78;
            PRAGMA user_version = 2;
            """)
        let store = try Store(path: path)
        let hits = try await store.nearest(to: north, model: "four", limit: 500)
        #expect(hits.count == 299)
        #expect(hits[0] == VectorHit(note: 77, passage: 577, similarity: hits[0].similarity))
        #expect(hits[0].similarity > 0.99 && hits[1].similarity == 0)
        #expect(
            try connection.first("SELECT total(filled) FROM vector_blocks") { $0.int(0) } == 300)
    }

    @Test("vectors of an earlier recipe answer until today's are as many, and then go")
    func recipes() async throws {
        let vectors = Self.vectors(80, dimensions: 20)
        let home = try await home(of: vectors)
        try script("UPDATE models SET name = 'given'", home)
        let query = Embedding(vectors[3]).normalised
        #expect(try await home.store.embeddedCount(model: "given", dimensions: 20) == (0, 80))
        #expect(try await home.store.nearest(to: query, model: "given", limit: 80).count == 80)
        let first = try await home.indexer.embedMissing(with: Given(vectors), budget: .zero)
        #expect(!first.isComplete)
        #expect(try await home.store.nearest(to: query, model: "given", limit: 80).count == 80)
        #expect(try await home.indexer.embedMissing(with: Given(vectors)).isComplete)
        #expect(try await home.store.nearest(to: query, model: "given", limit: 80).count == 80)
        let names = try Connection(path: home.store.path).rows("SELECT name FROM models") {
            $0.text(0)
        }
        #expect(names == ["given #2"])
    }

    @Test(
        "a damaged block loses nothing, and is whole again after a change in it",
        arguments: [
            "notes = x'0102'", "codes = x'0102'", "codes = zeroblob(1000)", "notes = x''",
        ])
    func damage(change: String) async throws {
        let vectors = Self.vectors(600, dimensions: 20)
        let home = try await home(of: vectors)
        let query = Embedding(vectors[300]).normalised
        let before = try await home.store.nearest(to: query, model: "given", limit: 600)
        try script("UPDATE vector_blocks SET \(change) WHERE block = 1", home)
        #expect(
            try await home.store.nearest(to: query, model: "given", limit: 600) == before)
        let gone = try #require(
            before.first { VectorBlock.number(of: $0.passage) == 1 && $0.similarity < 0 })
        let record = try #require(try await home.store.notes(numbered: [gone.note])[gone.note])
        try home.remove(record.path)
        try await home.refresh()
        #expect(
            try await home.store.nearest(to: query, model: "given", limit: 600)
                == before.filter { $0 != gone })
        #expect(try await home.store.embeddedCount(model: "given", dimensions: 20) == (599, 599))
    }

    @Test("every vector has its slot and every slot its vector, whatever is done")
    func agreement() async throws {
        let vectors = Self.vectors(300, dimensions: 20)
        let home = try await home(of: vectors, notes: { $0 / 10 })
        func expectAgreement(_ count: Int) async throws {
            let connection = try Connection(path: home.store.path)
            var slots: [Int: Int] = [:]
            let models = try connection.rows("SELECT number FROM models") { $0.int(0) }
            for model in models {
                try VectorBlock.forEach(ofModel: model, connection) { block, notes, _ in
                    for (slot, note) in notes.enumerated() where note != 0 {
                        slots[VectorBlock.passage(slot, of: block)] = Int(note)
                    }
                }
            }
            let rows = try connection.rows("SELECT passage, note FROM vectors") {
                ($0.int(0), $0.int(1))
            }
            #expect(slots == Dictionary(uniqueKeysWithValues: rows))
            #expect(rows.count == count)
            let filled = try connection.first("SELECT total(filled) FROM vector_blocks") {
                $0.int(0)
            }
            #expect(filled == count)
        }
        try await expectAgreement(300)
        try home.write("# H0\n\n0\n\n# New\n\nnothing yet\n", to: "V/0.md")
        try await home.refresh()
        try await expectAgreement(291)
        try home.write("---\ntitle: Another\n---\n# H10\n\n10\n", to: "V/1.md")
        try await home.refresh()
        try await expectAgreement(281)
        try home.remove("V/2.md")
        try await home.refresh()
        try await expectAgreement(271)
        try await home.store.removeVectors(exceptModel: "given")
        try await expectAgreement(271)
        try await home.store.removeVectors(exceptModel: "another")
        try await expectAgreement(0)
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        _ = try await home.indexer.rebuild()
        try await expectAgreement(0)
    }

    @Test("a note of another day loses its vectors only if it says its day itself")
    func days() async throws {
        let home = try IndexedFolder()
        func write(created: String) throws {
            try home.write("---\ntitle: t\ncreated: \(created)\n---\nnorth\n", to: "V/a.md")
        }
        try write(created: "2026-03-04T10:00:00Z")
        try home.write("north\n", to: "V/b.md")
        try await home.refresh()
        let passages = try await home.store.unembedded(
            model: "four", dimensions: 4, after: 0, limit: 9)
        #expect(passages.map(\.day) == [Day(iso: "2026-03-04"), nil])
        #expect(passages[0].embeddedText == "t › 2026-03-04\nnorth")
        _ = try await home.indexer.embedMissing(with: FourDimensions())
        try write(created: "2026-03-04T11:00:00Z")
        try await home.refresh()
        #expect(try await home.store.embeddedCount(model: "four", dimensions: 4) == (2, 2))
        try write(created: "2026-03-05T11:00:00Z")
        try await home.refresh()
        #expect(try await home.store.embeddedCount(model: "four", dimensions: 4) == (1, 2))
    }

    @Test("a vector of a passage that changed meanwhile is left out")
    func changedMeanwhile() async throws {
        let home = try IndexedFolder()
        try home.write("---\ntitle: one\n---\nnorth\n", to: "V/a.md")
        try await home.refresh()
        let passages = try await home.store.unembedded(
            model: "four", dimensions: 4, after: 0, limit: 9)
        try home.write("---\ntitle: two\n---\nnorth\n", to: "V/a.md")
        try await home.refresh()
        try await home.store.addVectors(
            passages.map { ($0, north) }, model: "four", dimensions: 4)
        #expect(try await home.store.embeddedCount(model: "four", dimensions: 4) == (0, 1))
    }
}

extension Embedding {
    fileprivate var normalised: Embedding {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return Embedding(values.map { $0 / length })
    }
}
