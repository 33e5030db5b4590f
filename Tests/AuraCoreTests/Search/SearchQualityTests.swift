import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// Ranking and speed, measured and printed; not part of an ordinary run.
///
/// `AURA_QUALITY=1 swift test -c release -Xswiftc -enable-testing --filter SearchQuality`
@Suite(
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["AURA_QUALITY"] != nil,
        "AURA_QUALITY=1 measures ranking and speed"))
struct SearchQualityTests {
    @Test(
        "keyword search on SciFact ranks no worse than plain BM25",
        .enabled(
            if: FileManager.default.fileExists(atPath: scifactFolder),
            "no SciFact at AURA_SHARED"))
    func scifact() async throws {
        let set = try SciFact(folder: scifactFolder)
        let home = try IndexedFolder()
        var indexer = home.indexer
        indexer.source = set
        let clock = ContinuousClock()
        let indexing = try await clock.measure { _ = try await indexer.refresh() }
        print("indexed \(set.documents.count) abstracts in \(indexing)")
        for scoring in Self.scorings {
            try await home.store.use(scoring)
            var score = Scores()
            let searching = try await clock.measure {
                for query in set.queries {
                    let hits = try await home.store.keywordHits(
                        SearchQuery(query.text).words, limit: 100)
                    let notes = try await home.store.notes(numbered: hits.map(\.note))
                    let paths = hits.compactMap { notes[$0.note]?.path }
                    score.add(paths.map(SciFact.document(of:)), relevant: query.relevant)
                }
            }
            print("\(set.queries.count) claims in \(searching): \(score)")
            if scoring == WordScoring() { #expect(score.gain / score.count > 0.69) }
        }
    }

    @Test("ten thousand notes are indexed, refreshed and searched in a moment")
    func speed() async throws {
        let home = try IndexedFolder()
        let words = GeneratedWords()
        let count = 10_000
        for number in 0..<count {
            let path = "\(home.root)/Vault\(number % 5)/note-\(number).md"
            if number < 5 { try Files.makeFolder(Files.parent(of: path)) }
            try Data(words.note(number).utf8).write(to: URL(fileURLWithPath: path))
        }
        let clock = ContinuousClock()
        func measure(_ what: String, times: Int = 5, _ body: () async throws -> Void) async throws {
            var durations: [Duration] = []
            for _ in 0..<times { durations.append(try await clock.measure(body)) }
            let median = durations.sorted()[times / 2] / .milliseconds(1)
            print("MEASURE \(what): \(String(format: "%.2f", median)) ms")
        }
        try await measure("index \(count) notes", times: 1) { try await home.refresh() }
        try await measure("listing") { _ = try home.source.listing() }
        try await measure("listing and refresh of nothing") { try await home.refresh() }
        try await measure("listing and refresh of one", times: 5) {
            try home.write(words.note(Int.random(in: 0..<count)), to: "Vault0/note-0.md")
            try await home.refresh()
        }
        try await measure("opening") { _ = try Store(path: home.store.path) }
        for query in [
            "w77", "w3 w5 w9", "w1000 w2000", "\"w3 w5\"", "unique4711", "w1", "w3 tag:t3",
        ] {
            try await measure("search \(query)") { _ = try await home.search(query) }
        }
        try await measure("opening, refresh, search") {
            let store = try Store(path: home.store.path)
            _ = try await home.indexer(of: store).refresh()
            _ = try await Search(store: store).hits(for: SearchQuery("w30 w500"), mode: .keyword)
        }
        try await measure("\(count) vectors", times: 1) {
            _ = try await home.indexer.embedMissing(with: RandomEmbedder())
        }
        let query = Search.QueryVector(
            embedding: try await RandomEmbedder().vectors(for: ["query"])[0], model: "random")
        try await measure("nearest of \(count)") {
            _ = try await home.store.nearest(to: query.embedding, model: "random", limit: 100)
        }
        try await measure("hybrid search") {
            _ = try await Search(store: home.store).hits(
                for: SearchQuery("w30 w500"), vector: query)
        }
        let size = try Files.status(of: home.store.path)?.size ?? 0
        print("MEASURE index \(size / 1024) KB")
    }

    /// The scoring in use; while tuning, variants of it: `AURA_SCORING='k1=0.9,b.body=0.4;part=0.5'`.
    private static var scorings: [WordScoring] {
        let sets = (ProcessInfo.processInfo.environment["AURA_SCORING"] ?? "").split(separator: ";")
        return [WordScoring()]
            + sets.map { text in
                var scoring = WordScoring()
                for pair in text.split(separator: ",") {
                    let parts = pair.split(separator: "=")
                    guard let value = parts.last.flatMap({ Float($0) }) else { continue }
                    scoring.set(String(parts[0]), value)
                }
                print("scoring \(text)")
                return scoring
            }
    }
}

/// Notes of about 150 words; the word of rank n comes about as often as in a language.
private struct GeneratedWords {
    func note(_ number: Int) -> String {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11) / Double(1 << 53)
        }
        func word() -> String { "w\(Int(exp(next() * log(30_000))))" }
        let body = (0..<150).map {
            ($0 % 12 == 11 ? word() + "." : word()) + ($0 % 50 == 49 ? "\n\n" : " ")
        }
        return """
            ---
            title: \(word()) \(word()) \(word())
            tags: [t\(number % 40), t\(number % 7)]
            created: 2026-\(padded(number % 12 + 1, to: 2))-\(padded(number % 28 + 1, to: 2))T10:00:00Z
            ---
            # About \(word())

            \(body.joined())unique\(number)
            """
    }
}

/// 384 numbers out of the text's hash.
private struct RandomEmbedder: Embedder {
    var dimensions: Int { 384 }
    var modelName: String { "random" }

    func vectors(for texts: [String]) async throws -> [Embedding] {
        texts.map { text in
            var state = text.utf8.reduce(UInt64(7)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } | 1
            let values = (0..<384).map { _ -> Float in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return Float(Int32(truncatingIfNeeded: state)) / Float(Int32.max)
            }
            let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return Embedding(values.map { $0 / length })
        }
    }
}

let scifactFolder =
    (ProcessInfo.processInfo.environment["AURA_SHARED"] ?? "../shared") + "/data/scifact"

private struct Scores: CustomStringConvertible {
    var count = 0.0
    var gain = 0.0
    var recall = 0.0
    var reciprocal = 0.0

    mutating func add(_ ranked: [String], relevant: Set<String>) {
        count += 1
        var found = 0.0
        for (index, name) in ranked.prefix(10).enumerated() where relevant.contains(name) {
            found += 1 / log2(Double(index + 2))
        }
        let ideal = (0..<min(10, relevant.count)).reduce(0) { $0 + 1 / log2(Double($1 + 2)) }
        gain += found / ideal
        recall +=
            Double(ranked.prefix(100).count(where: relevant.contains)) / Double(relevant.count)
        if let first = ranked.prefix(10).firstIndex(where: relevant.contains) {
            reciprocal += 1 / Double(first + 1)
        }
    }

    var description: String {
        func show(_ value: Double) -> String { String(format: "%.4f", value / count) }
        return "nDCG@10 \(show(gain)), recall@100 \(show(recall)), MRR@10 \(show(reciprocal))"
    }
}

/// The set as notes: `S/<document>.md`, title and abstract.
struct SciFact: NoteSource {
    struct Query {
        var text: String
        var relevant: Set<String>
    }

    var documents: [String: String] = [:]
    var queries: [Query] = []

    init(folder: String) throws {
        for part in 1...3 {
            let lines = try String(
                contentsOfFile: "\(folder)/corpus-\(part).jsonl", encoding: .utf8)
            for line in lines.split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                guard let fields = object as? [String: String], let id = fields["id"] else {
                    continue
                }
                documents[id] =
                    "---\ntitle: \(fields["title"] ?? "")\n---\n\(fields["text"] ?? "")\n"
            }
        }
        var relevant: [String: Set<String>] = [:]
        for line in try String(contentsOfFile: "\(folder)/qrels.tsv", encoding: .utf8).split(
            separator: "\n")
        {
            let parts = line.split(separator: "\t").map(String.init)
            relevant[parts[0], default: []].insert(parts[1])
        }
        for line in try String(contentsOfFile: "\(folder)/queries.tsv", encoding: .utf8).split(
            separator: "\n")
        {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            queries.append(Query(text: parts[1], relevant: relevant[parts[0]] ?? []))
        }
    }

    func survey() throws -> NoteSurvey {
        NoteSurvey(
            files: documents.map {
                NoteFile(name: "S/\($0.key).md", size: 1, modified: 1, inode: UInt64($0.key)!)
            })
    }

    func folder(_ name: String) throws -> NoteFolder? { nil }
    func entries(of folder: String) throws -> NoteFolderEntries { NoteFolderEntries() }
    func file(_ name: String) throws -> NoteFile? { nil }

    func open(_ name: String) throws -> OpenedNote? {
        documents[SciFact.document(of: name)].map { OpenedNote(path: name, bytes: Array($0.utf8)) }
    }

    static func document(of path: String) -> String { String(path.dropFirst(2).dropLast(3)) }
}

extension WordScoring {
    fileprivate mutating func set(_ name: String, _ value: Float) {
        switch name {
        case "k1": k1 = value
        case "title": weights.title = value
        case "tags": weights.tags = value
        case "headings": weights.headings = value
        case "b.title": b.title = value
        case "b.headings": b.headings = value
        case "b.body": b.body = value
        case "exact": exact = value
        case "stop": stopWord = value
        case "part": part = value
        case "others": otherPassages = value
        case "closeness": closeness = value
        default: Issue.record("no part of the scoring is called \(name)")
        }
    }
}
