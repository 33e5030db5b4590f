import AuraSQLite
import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// How much of an exact search the search in two passes keeps, and what it costs; printed, and not
/// part of an ordinary run.
///
/// `AURA_QUALITY=1 swift test -c release -Xswiftc -enable-testing --filter VectorQuality`; a folder in
/// `AURA_CACHE` keeps the vectors of SciFact, which take minutes to compute.
@Suite(
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["AURA_QUALITY"] != nil,
        "AURA_QUALITY=1 measures recall and speed"))
struct VectorQualityTests {
    @Test(
        "of the best twenty of an exact search at most one in fifty is missed",
        .enabled(
            if: FileManager.default.fileExists(atPath: scifactFolder)
                && TestModels.mayRun(with: TestModels.embedding),
            "no SciFact at AURA_SHARED, or no embedding model"))
    func recall() async throws {
        let set = try SciFact(folder: scifactFolder)
        let home = try IndexedFolder()
        var indexer = home.indexer
        indexer.source = set
        _ = try await indexer.refresh()
        let embedder = try CachedEmbedder()
        let passages = try await home.store.unembedded(
            model: embedder.modelName, dimensions: embedder.dimensions, after: 0, limit: .max)
        _ = try await indexer.embedMissing(with: embedder)
        let vectors = try await embedder.vectors(for: passages.map(\.embeddedText))
        let queries = set.queries.prefix(400)
        let queryVectors = try await embedder.vectors(for: queries.map(\.text))

        var kept = (passages: 0, notes: 0)
        var ranks = Ranks()
        for (query, vector) in zip(queries, queryVectors) {
            let exact = zip(passages, vectors)
                .map { (passage: $0, similarity: $1.similarity(to: vector)) }
                .sorted { $0.similarity > $1.similarity }
            let best = try await home.store.nearestPassages(
                to: vector, model: embedder.modelName, limit: 20)
            kept.passages +=
                Set(exact.prefix(20).map(\.passage.number))
                .intersection(best.map(\.passage)).count
            var seen: Set<Int> = []
            let exactNotes = exact.map(\.passage.note).filter { seen.insert($0).inserted }
            let notes = try await home.store.nearest(
                to: vector, model: embedder.modelName, limit: 100)
            kept.notes +=
                Set(exactNotes.prefix(20))
                .intersection(notes.prefix(20).map(\.note)).count
            let records = try await home.store.notes(numbered: notes.map(\.note))
            ranks.add(
                notes.compactMap { records[$0.note].map { SciFact.document(of: $0.path) } },
                query.relevant)
        }
        let recall = (
            passages: Double(kept.passages) / Double(20 * queries.count),
            notes: Double(kept.notes) / Double(20 * queries.count)
        )
        print(
            "MEASURE recall@20 of \(passages.count) passages: \(recall.passages), of notes: \(recall.notes)"
        )
        print("MEASURE by meaning alone: nDCG@10 \(ranks.gain / Double(queries.count))")
        #expect(recall.passages >= 0.98)
        #expect(recall.notes >= 0.98)
    }

    @Test("a hundred thousand passages are searched in a moment", arguments: [false, true])
    func speed(isEncrypted: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/index.db"
        let key = isEncrypted ? [UInt8](repeating: 7, count: 32) : nil
        let count = 100_000
        let clusters = Clusters()
        try await fill(Store(path: path, key: key), count, clusters, path, key)
        let name = isEncrypted ? "encrypted" : "plain"
        func measure(_ what: String, times: Int = 21, _ body: () async throws -> Void) async throws
        {
            var durations: [Duration] = []
            for _ in 0..<times { durations.append(try await ContinuousClock().measure(body)) }
            durations.sort()
            let figures = [durations[0], durations[times / 2], durations[times - 1]].map {
                String(format: "%.2f", $0 / .milliseconds(1))
            }
            print("MEASURE \(name), \(what): \(figures.joined(separator: " / ")) ms")
        }
        returnFreeMemory()
        let before = residentKilobytes()
        let query = clusters.vector(count)
        try await measure("opening", times: 5) { _ = try Store(path: path, key: key) }
        try await measure("opening and nearest", times: 5) {
            let store = try Store(path: path, key: key)
            _ = try await store.nearest(to: query, model: "made", limit: 100)
        }
        let store = try Store(path: path, key: key)
        try await measure("nearest, the same query") {
            _ = try await store.nearest(to: query, model: "made", limit: 100)
        }
        var number = count
        try await measure("nearest, another query each time") {
            number += 1
            _ = try await store.nearest(to: clusters.vector(number), model: "made", limit: 100)
        }
        try await measure("nearestPassages") {
            _ = try await store.nearestPassages(to: query, model: "made", limit: 100)
        }
        for share in [2, 50, 1000] {
            let notes = NoteSet((1...count).lazy.filter { $0 % share == 0 })
            try await measure("nearest among \(count / share) notes") {
                _ = try await store.nearest(to: query, model: "made", among: notes, limit: 100)
            }
        }
        print("MEASURE \(name), memory grew by \(residentKilobytes() - before) KB")
        try await measure("embeddedCount") {
            _ = try await store.embeddedCount(model: "made", dimensions: 384)
        }
        try await measure("hasVectors") {
            _ = try await store.hasVectors(model: "made", dimensions: 384)
        }
        try await measure("unembedded, none") {
            _ = try await store.unembedded(model: "made", dimensions: 384, after: 0, limit: 32)
        }
        try Connection(path: path, key: key.map(PageKey.init)).script(
            "INSERT INTO passages(note, position, heading, text) VALUES (9, 1, '', 'new')")
        try await measure("unembedded, one") {
            let one = try await store.unembedded(
                model: "made", dimensions: 384, after: 0, limit: 32)
            #expect(one.count == 1)
        }
        try Connection(path: path, key: key.map(PageKey.init)).script("DELETE FROM vector_blocks")
        try await measure("making the blocks of an older index", times: 1) {
            let connection = try Connection(path: path, key: key.map(PageKey.init))
            try connection.transaction { try VectorBlock.fill(connection) }
        }
        #expect(try await store.embeddedCount(model: "made", dimensions: 384).done == count)
    }

    /// A passage a note, of about 1 KB.
    private func fill(
        _ store: Store, _ count: Int, _ clusters: Clusters, _ path: String, _ key: [UInt8]?
    ) async throws {
        let text = String(repeating: "words of a passage ", count: 50)
        try Connection(path: path, key: key.map(PageKey.init)).script(
            """
            BEGIN;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO files(path, name, size, modified, inode, hash)
            SELECT i, i, 1, 1, 1, 1 FROM n;
            INSERT INTO notes(number, vault, title, kind, tags, moment, day, status, is_evergreen,
                action, warnings, folded_vault, folded_path, folded_name, folded_title)
            SELECT number, 'V', '', 'note', '', 0, 0, 'indexed', 0, 'none', '', 'v', number, number, ''
            FROM files;
            INSERT INTO passages(note, position, heading, text)
            SELECT number, 0, '', '\(text)' FROM files ORDER BY number;
            COMMIT;
            """)
        for start in stride(from: 1, through: count, by: 2000) {
            let batch = (start..<start + 2000).map { number in
                (
                    passage: UnembeddedPassage(
                        number: number, note: number, title: "", heading: "", day: nil, text: text),
                    vector: clusters.vector(number)
                )
            }
            try await store.addVectors(batch, model: "made", dimensions: 384)
        }
    }

    /// What the filling left free would hide what a search takes.
    private func returnFreeMemory() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }

    private func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }
}

/// Unit vectors that lie together as those of texts do: a direction they share, two hundred subjects,
/// twenty matters of each, and themselves.
private struct Clusters {
    private static let dimensions = 384
    private let shared = Self.noise(seed: 1)
    private let subjects = (0..<200).map { Self.noise(seed: 1_000 + $0) }

    func vector(_ number: Int) -> Embedding {
        let subject = number &* 7919 % 200
        let matter = Self.noise(seed: 10_000 + subject * 20 + number % 20)
        let own = Self.noise(seed: 1_000_000 + number)
        var values = own.map { $0 * 0.55 }
        for index in values.indices {
            values[index] +=
                0.4 * shared[index] + 0.5 * subjects[subject][index] + 0.45 * matter[index]
        }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return Embedding(values.map { $0 / length })
    }

    /// Of length 1, more or less.
    private static func noise(seed: Int) -> [Float] {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<dimensions).map { _ in
            var sum: Float = 0
            for _ in 0..<3 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                sum += Float(Int32(truncatingIfNeeded: state >> 16)) / Float(Int32.max)
            }
            return sum / Float(dimensions).squareRoot()
        }
    }
}

/// nDCG@10.
private struct Ranks {
    var gain = 0.0

    mutating func add(_ ranked: [String], _ relevant: Set<String>) {
        var found = 0.0
        for (index, name) in ranked.prefix(10).enumerated() where relevant.contains(name) {
            found += 1 / log2(Double(index + 2))
        }
        gain += found / (0..<min(10, relevant.count)).reduce(0) { $0 + 1 / log2(Double($1 + 2)) }
    }
}

/// The real model, which computes a text once where there is a folder to remember it in.
private actor CachedEmbedder: Embedder {
    nonisolated let dimensions = 384
    nonisolated let modelName = "MiniLM"
    private let runner = LlamaRunner()
    private let path: String?
    private var known: [UInt64: Embedding]

    init() throws {
        path = ProcessInfo.processInfo.environment["AURA_CACHE"].map { "\($0)/scifact.vectors" }
        known = path.map { Self.read($0, dimensions: 384) } ?? [:]
    }

    private static func read(_ path: String, dimensions: Int) -> [UInt64: Embedding] {
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        let length = 8 + 4 * dimensions
        return bytes.withUnsafeBytes { buffer in
            var known: [UInt64: Embedding] = [:]
            for start in stride(from: 0, through: buffer.count - length, by: length) {
                let key = buffer.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                known[key] = Embedding(
                    (0..<dimensions).map {
                        buffer.loadUnaligned(
                            fromByteOffset: start + 8 + 4 * $0, as: Float.self)
                    })
            }
            return known
        }
    }

    func vectors(for texts: [String]) async throws -> [Embedding] {
        try texts.map { text in
            let key = text.utf8.reduce(14_695_981_039_346_656_037) { hash, byte in
                (hash ^ UInt64(byte)) &* 1_099_511_628_211
            }
            if let vector = known[key] { return vector }
            let models = WorkerMessage.Models(
                chat: nil, embedding: TestModels.embedding, threads: 2, context: 0)
            let values = try runner.vectors(for: [text], models: models, job: .init())[0]
            known[key] = Embedding(values)
            if values.count == dimensions { try keep(key, values) }
            return Embedding(values)
        }
    }

    private func keep(_ key: UInt64, _ values: [Float]) throws {
        guard let path else { return }
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        let bytes =
            withUnsafeBytes(of: key) { Array($0) } + values.withUnsafeBytes { Array($0) }
        try file.write(contentsOf: bytes)
    }
}
