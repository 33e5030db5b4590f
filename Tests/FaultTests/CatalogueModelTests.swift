import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// Head of a GGUF file: magic, version, number of tensors, number of values.
private func gguf(_ counts: UInt64...) -> [UInt8] {
    Array("GGUF".utf8) + [3, 0, 0, 0]
        + counts.flatMap { count in (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
}

@Suite("catalogue, 76–82: models and the index", .timeLimit(.minutes(10)))
struct CatalogueModelTests {
    /// Asking ends with 69 and a next step; capture and search go on.
    private func expectRefusal(of model: String, saying text: String = "") async throws {
        let program = try await AuraProgram.home(models: .files(chat: model, embedding: nil))
        try await program.done("capture", "The hedge supplier changed in March.")
        let outcome = try await program.fails(
            "ask", "When did the hedge supplier change?", with: 69, saying: text)
        #expect(outcome.errors.contains(model) && outcome.errors.contains("'aura "))
        #expect(!outcome.wasKilled && outcome.time < .seconds(20))
        #expect(try await program.done("search", "hedge", "--json").lines.count == 1)
        #expect(program.processes.allSatisfy { $0.isServer })
    }

    @Test(
        "row 76: what is no model file is told with its path and a next step",
        arguments: ["missing", "empty", "text", "cut", "folder", "pipe"])
    func noModel(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/model.gguf"
        switch kind {
        case "empty": try AtomicFile.create(path, [])
        case "text": try folder.write("this is no model\n", to: "model.gguf")
        case "cut": try AtomicFile.create(path, gguf(1, 1))
        case "folder": try Files.makeFolder(path)
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        default: break
        }
        try await expectRefusal(of: path)
    }

    @Test(
        "row 77: counts that no file can hold are refused before anything is loaded",
        arguments: [
            gguf(1 << 60, 0), gguf(0, 1 << 60), gguf(.max, .max),
            // A key of no letters, and a text of 2^62 bytes.
            gguf(1, 1) + [UInt8](repeating: 0, count: 8) + [8, 0, 0, 0] + [
                0, 0, 0, 0, 0, 0, 0, 0x40,
            ],
            // A value of an unknown type; a list of 2^61 lists.
            gguf(0, 1) + [1, 0, 0, 0, 0, 0, 0, 0, 97] + [99, 0, 0, 0],
            gguf(0, 1) + [1, 0, 0, 0, 0, 0, 0, 0, 97] + [9, 0, 0, 0, 9, 0, 0, 0]
                + [0, 0, 0, 0, 0, 0, 0, 0x20],
        ])
    func hostileModel(bytes: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/model.gguf"
        try AtomicFile.create(path, bytes + [UInt8](repeating: 0, count: 64))
        try await expectRefusal(of: path)
    }

    @Test(
        "row 78: a model that needs more memory than it may is refused with figures",
        .enabled(if: TestModels.mayRun(with: TestModels.chat), "\(TestModels.reason)"))
    func memory() async throws {
        let program = try await AuraProgram.home(
            models: .files(chat: TestModels.chat, embedding: nil))
        try await program.done("capture", "The hedge supplier changed in March.")
        let outcome = try await program.fails(
            "ask", "When did the hedge supplier change?", with: 69, saying: "MB",
            environment: ["AURA_MODEL_MEMORY_LIMIT_MB": "20"])
        #expect(outcome.errors.contains(" 20 MB"))
    }

    @Test("row 80: vectors of another model are never compared, and are made anew in steps")
    func otherModel() async throws {
        let home = try IndexedHome()
        for number in 1...40 { try home.write("heron number \(number)", to: "\(number)") }
        let indexer = try await home.indexer()
        #expect(try await indexer.embedMissing(with: NamedEmbedder(modelName: "one")).isComplete)
        let other = NamedEmbedder(modelName: "two")
        let query = try await other.vectors(for: ["heron"])[0]
        #expect(try await home.store.nearest(to: query, model: "two", limit: 5).isEmpty)
        #expect(try await !indexer.embedMissing(with: other, budget: .zero).isComplete)
        #expect(try await indexer.embedMissing(with: other).isComplete)
        #expect(try await home.store.nearest(to: query, model: "two", limit: 50).count == 40)
    }

    @Test("row 81: a vector that is none is dropped, and its note is found by its words")
    func noVector() async throws {
        let home = try IndexedHome()
        try home.write("heron", to: "a")
        for (index, values) in [[Float.nan, 0], [.infinity, 0], []].enumerated() {
            let embedder = NamedEmbedder(modelName: "broken \(index)", values: values)
            let report = try await home.indexer().embedMissing(with: embedder)
            #expect(report.embedded == 0 && report.without == 1 && report.isComplete)
        }
        let hits = try await Search(store: home.store).hits(
            for: SearchQuery("heron"), mode: .keyword, vector: nil, limit: 5)
        #expect(hits.hits.count == 1)
    }

    @Test(
        "row 82: a damaged index, or one that another key made, is set aside and made anew",
        arguments: ["noise", "empty", "cut", "other key"])
    func damagedIndex(_ kind: String) async throws {
        let program = try await AuraProgram.home()
        try await program.done("capture", "a heron")
        try await program.done("list")
        let index = try program.index()
        var bytes = try Files.bytes(at: index)
        switch kind {
        case "noise": bytes.replaceSubrange(..<5000, with: (0..<5000).map { UInt8($0 * 7 & 255) })
        case "empty": bytes = []
        case "cut": bytes.removeLast(bytes.count / 2)
        default:
            let other = try await AuraProgram.home()
            try await other.done("list")
            bytes = try Files.bytes(at: other.index())
        }
        try AtomicFile.replace(index, bytes)
        let outcome = try await program.done("search", "heron", "--json")
        #expect(outcome.lines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("made anew from the notes") == (kind != "empty"))
    }
}

/// Gives every text the same vector.
private struct NamedEmbedder: Embedder {
    var modelName: String
    var values: [Float] = [1, 0]
    var dimensions: Int { 2 }

    func vectors(for texts: [String]) async throws -> [Embedding] {
        texts.map { _ in Embedding(values) }
    }
}

/// An encrypted home with an index.
private struct IndexedHome {
    let home: FlowHome
    let store: Store

    init() throws {
        home = try FlowHome(sealing: .age)
        store = try Store(path: "\(home.folder.path)/index.db", key: home.seal?.keys?.indexKey)
    }

    func write(_ text: String, to name: String) throws {
        try home.write("---\ntitle: \(name)\n---\n\(text)\n", to: "Personal/\(name).md")
    }

    func indexer() async throws -> Indexer {
        let indexer = Indexer(store: store, source: home.files, zone: home.zone, now: home.now)
        _ = try await indexer.refresh()
        return indexer
    }
}
