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
}

extension Embedding {
    fileprivate var normalised: Embedding {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return Embedding(values.map { $0 / length })
    }
}
