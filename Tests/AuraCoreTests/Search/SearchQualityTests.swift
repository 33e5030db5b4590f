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
        for weights in Self.weights {
            var score = Scores()
            let searching = try await clock.measure {
                for query in set.queries {
                    let hits = try await home.store.keywordHits(
                        SearchQuery(query.text).words, limit: 100, weights: weights)
                    let notes = try await home.store.notes(numbered: hits.map(\.note))
                    let paths = hits.compactMap { notes[$0.note]?.path }
                    score.add(paths.map(SciFact.document(of:)), relevant: query.relevant)
                }
            }
            print("\(set.queries.count) claims in \(searching): \(score)")
            if weights == Store.Weights() { #expect(score.gain / score.count > 0.69) }
        }
    }

    /// The weights in use; while tuning, those of `AURA_WEIGHTS=title,tags,headings,body,forms;…`.
    private static var weights: [Store.Weights] {
        let sets = (ProcessInfo.processInfo.environment["AURA_WEIGHTS"] ?? "").split(separator: ";")
        let weights = sets.compactMap { text -> Store.Weights? in
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 5 else { return nil }
            var weights = Store.Weights()
            weights.title = numbers[0]
            weights.tags = numbers[1]
            weights.headings = numbers[2]
            weights.body = numbers[3]
            weights.forms = numbers[4]
            return weights
        }
        return weights.isEmpty ? [Store.Weights()] : weights
    }
}

private let scifactFolder =
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
private struct SciFact: NoteSource {
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

    func listing() throws -> [NoteFile] {
        documents.map {
            NoteFile(path: "S/\($0.key).md", size: 1, modified: 1, inode: UInt64($0.key)!)
        }
    }

    func contents(of path: String) throws -> [UInt8]? {
        documents[SciFact.document(of: path)].map { Array($0.utf8) }
    }

    static func document(of path: String) -> String { String(path.dropFirst(2).dropLast(3)) }
}
