import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// The index is in one file with all it knows: wherever writing it ends, what is found is what an index
/// made at once would find.
@Suite("an index killed while it is written") struct IndexKillTests {
    private static let rounds = 100
    /// Runs killed one after the other before the index is looked at.
    private static let runs = 4

    @Test("killed at a hundred points of indexing and merging, it is the one that was made at once")
    func killed() async throws {
        let program = try AuraProgram()
        try await program.makeHome()
        var corpus = Notes(root: program.vaultHome)
        for _ in 0..<60 { try corpus.add() }
        _ = try await program.run("reindex", "--words-only")
        let index = try #require(Self.index(program))
        var random = SystemRandomNumberGenerator()
        var time = Duration.milliseconds(60)
        var killed = 0
        for round in 0..<Self.rounds {
            try corpus.alter(3)
            let words =
                round % 5 == 0
                ? ["reindex", "--words-only"] : ["search", "zq1x", "--mode", "keyword"]
            let running = try program.start(words)
            let after = time * Double.random(in: 0...1, using: &random)
            let outcome = try await running.outcome(signal: (SIGKILL, after))
            if outcome.status == 128 + SIGKILL {
                killed += 1
            } else {
                time = max(outcome.time, .milliseconds(5))
            }
            if round % Self.runs == Self.runs - 1 {
                try await same(index, program, &corpus, queries: 8)
            }
        }
        #expect(killed > Self.rounds / 4, "\(killed) of \(Self.rounds) were killed")
        try await same(index, program, &corpus, queries: 200)
    }

    private func same(
        _ index: String, _ program: AuraProgram, _ corpus: inout Notes, queries: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let source = NoteFiles(layout: VaultLayout(root: program.vaultHome))
        var stores: [Store] = []
        for path in [index, folder.path + "/fresh.db"] {
            let store = try Store(path: path)
            #expect(path != index || store.opening == .found)
            let indexer = Indexer(
                store: store, source: source, zone: .utc, now: { Instant(seconds: 4_000_000_000) })
            _ = try await indexer.refresh()
            stores.append(store)
        }
        for _ in 0..<queries {
            let words = SearchQuery(corpus.query()).words
            #expect(
                try await stores[0].wordStatistics(words) == stores[1].wordStatistics(words))
            var found: [[String]] = []
            for store in stores {
                let hits = try await store.keywordHits(words, limit: 20)
                let notes = try await store.notes(numbered: hits.map(\.note))
                found.append(hits.map { "\(notes[$0.note]?.path ?? "?") \($0.score)" })
            }
            #expect(found[0] == found[1])
        }
    }

    private static func index(_ program: AuraProgram) -> String? {
        let data = "\(program.folder.path)/data/aura"
        let found = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String }
        return found?.first { $0.hasSuffix("/index.db") }.map { "\(data)/\($0)" }
    }

    private struct Notes {
        let root: String
        private var random = SystemRandomNumberGenerator()
        private var names: [String] = []
        private var next = 0

        init(root: String) { self.root = root }

        mutating func word() -> String { "zq\(min(Int.random(in: 0..<80, using: &random), 40))x" }

        mutating func query() -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in word() }.joined(separator: " ")
        }

        private mutating func write(_ name: String) throws {
            let words = (0..<Int.random(in: 5..<60, using: &random)).map { _ in word() }
            let text = "---\ntitle: \(word())\n---\n\(words.joined(separator: " "))\n"
            let path = "\(root)/V/\(name)"
            try Files.makeFolder(Files.parent(of: path))
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }

        mutating func add() throws {
            next += 1
            names.append("\(next).md")
            try write("\(next).md")
        }

        mutating func alter(_ count: Int) throws {
            for _ in 0..<count {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: try add()
                case 1: try write(names.randomElement(using: &random) ?? "0.md")
                default:
                    let index = names.indices.randomElement(using: &random) ?? 0
                    try Files.remove("\(root)/V/\(names.remove(at: index))")
                }
            }
        }
    }
}
