import AuraTestKit
import Testing

@testable import AuraCore

/// The lines of `cases/search.jsonl`, at the level of the search flow.
@Suite struct SearchCaseTests {
    private static func note(_ title: String, _ tag: String, _ body: String) -> String {
        """
        ---
        title: \(title)
        vault: Corporate
        type: note
        tags: [\(tag)]
        cross_vault_refs: []
        status: indexed
        evergreen: false
        created: 2026-02-28T14:32:00Z
        modified: 2026-02-28T14:32:00Z
        ---
        \(body)

        """
    }

    private func home(_ files: [(name: String, title: String, tag: String, body: String)])
        async throws
        -> IndexedFolder
    {
        let home = try IndexedFolder()
        for file in files {
            try home.write(
                Self.note(file.title, file.tag, file.body), to: "Corporate/\(file.name).md")
        }
        try await home.refresh()
        return home
    }

    @Test("se-01: a ticket number and a hyphened word are found, a lone exclusion is no error")
    func identifiers() async throws {
        let home = try await home([
            ("pump", "Pump log", "pump", "Ticket OPS-4417 covers the state-of-the-art pump."),
            ("other", "Other", "misc", "Nothing to see, only ops and numbers 99."),
        ])
        for query in ["OPS-4417", "ops-4417", "state-of-the-art"] {
            #expect(try await home.paths(query).first == "Corporate/pump.md", "\(query)")
        }
        #expect(try await home.paths("-4417") == ["Corporate/other.md"])
    }

    @Test("se-02: an identifier is found whole and by its parts")
    func codeNames() async throws {
        let home = try await home([
            (
                "code", "Sync internals", "code",
                "The call flush_write_queue must run before close."
            ),
            (
                "prose", "Queue at the bakery", "life",
                "There was a queue; I had to write my name down and flush the note."
            ),
        ])
        #expect(try await home.paths("flush_write_queue").first == "Corporate/code.md")
        #expect(try await home.paths("write queue").contains("Corporate/code.md"))
        #expect(try await home.paths("flushwritequeue") == ["Corporate/code.md"])
    }

    @Test("se-03: words inside a run of characters without blanks are found")
    func withoutBlanks() async throws {
        let home = try await home([
            ("jp", "打ち合わせ", "会議", "今回の打ち合わせでは在庫管理の見直しを決めた。"),
            ("zh", "周会", "会议", "这次会议决定重新检查库存管理流程。"),
        ])
        for query in ["在庫管理", "見直し"] {
            #expect(try await home.paths(query).first == "Corporate/jp.md", "\(query)")
            #expect(try await home.paths("\"\(query)\"") == ["Corporate/jp.md"], "\(query)")
        }
        #expect(try await home.paths("库存管理").first == "Corporate/zh.md")
        #expect(try await home.paths("検討").isEmpty)
        #expect(try await home.paths("会").count == 2)
        #expect(try await home.paths("tag:会議") == ["Corporate/jp.md"])
    }

    @Test("se-04: accents and their forms make no difference, and titles keep theirs")
    func accents() async throws {
        let home = try await home([
            ("trip", "Réunion à Malmö", "voyage", "Zoë apporte le café et la clé.")
        ])
        for query in ["reunion malmo", "zoe", "café", "Malmo\u{308}"] {
            let hits = try await home.search(query).hits
            #expect(hits.map(\.path) == ["Corporate/trip.md"], "\(query)")
            #expect(hits.first?.title == "Réunion à Malmö")
        }
    }

    @Test("se-05: a deleted file is in no result after the next refresh")
    func deleted() async throws {
        let home = try await home([
            (
                "gone", "Quarry contract", "stone",
                "The quarry at Ballach sells blue slate by the tonne."
            ),
            ("stay", "Lunch", "food", "Soup on Fridays."),
        ])
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        #expect(try await home.paths("blue slate") == ["Corporate/gone.md"])
        try home.remove("Corporate/gone.md")
        try await home.refresh()
        for mode in Search.Mode.allCases {
            #expect(try await !home.paths("blue slate", mode: mode).contains("Corporate/gone.md"))
        }
        #expect(try await home.store.list().map(\.path) == ["Corporate/stay.md"])
    }

    @Test("se-06: a rare name typed exactly comes first, in every mode with words")
    func rareName() async throws {
        let birds = (1...12).map { number in
            (
                "bird\(padded(number, to: 2))", "Birds of prey \(number)", "birds",
                """
                Falcons, hawks and other raptors hover over field \(number); valves and pumps are \
                another matter.
                """
            )
        }
        let home = try await home(
            [
                (
                    "k9", "Odds and ends", "misc",
                    "Lamp oil, twine, and the Kestrel9 valve from the attic."
                )
            ] + birds)
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        #expect(try await home.paths("Kestrel9").first == "Corporate/k9.md")
        #expect(try await home.paths("Kestrel9", mode: .hybrid).first == "Corporate/k9.md")
        // The worst a vector can do: all birds nearer than the note itself.
        let misled = try await WordEmbedder().vectors(for: ["falcons hawks raptors field"])[0]
        let results = try await Search(store: home.store).hits(
            for: SearchQuery("Kestrel9"),
            vector: Search.QueryVector(embedding: misled, model: "words"))
        #expect(results.hits.first?.path == "Corporate/k9.md")
        #expect(results.hits.count > 1)
    }
}
