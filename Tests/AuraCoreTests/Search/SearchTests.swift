import AuraTestKit
import Testing

@testable import AuraCore

@Suite struct SearchTests {
    private func home(_ notes: [String: String]) async throws -> IndexedFolder {
        let home = try IndexedFolder()
        for (name, text) in notes { try home.write(text, to: "V/\(name).md") }
        try await home.refresh()
        return home
    }

    @Test("inflected forms are found, and the form that was typed comes first")
    func inflection() async throws {
        let home = try await home([
            "1": "one mooring here", "2": "two moorings here", "3": "three moored here", "4": "no",
        ])
        #expect(try await Set(home.paths("moorings")) == ["V/1.md", "V/2.md", "V/3.md"])
        #expect(try await home.paths("moorings").first == "V/2.md")
        #expect(try await home.paths("mooring").first == "V/1.md")
        #expect(try await home.paths("moor*").count == 3)
    }

    @Test("phrases, exclusions and alternatives bind")
    func operators() async throws {
        let home = try await home([
            "1": "red pump in the shed", "2": "pump red", "3": "blue valve", "4": "red valve",
        ])
        #expect(try await home.paths("\"red pump\"") == ["V/1.md"])
        #expect(try await Set(home.paths("red -pump")) == ["V/4.md"])
        #expect(try await Set(home.paths("pump OR blue")) == ["V/1.md", "V/2.md", "V/3.md"])
        #expect(try await home.paths("\"red pump\" valve") == ["V/1.md"])
        #expect(try await Set(home.paths("-red")) == ["V/3.md"])
        #expect(try await home.paths("").isEmpty)
        #expect(try await home.search("red", limit: 1).hits.count == 1)
        #expect(try await home.search("red", limit: 0).hits.isEmpty)
    }

    @Test("exclusions and phrases bind the search by meaning too")
    func operatorsByMeaning() async throws {
        let home = try await home(["1": "red pump", "2": "red valve"])
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        #expect(try await home.paths("red", mode: .semantic).count == 2)
        #expect(try await home.paths("red -pump", mode: .semantic) == ["V/2.md"])
        #expect(try await home.paths("\"red pump\"", mode: .hybrid) == ["V/1.md"])
    }

    @Test("title and tags weigh more than the body")
    func weights() async throws {
        let home = try await home([
            "body": "---\ntitle: Other\n---\nthe sluice is here",
            "title": "---\ntitle: Sluice\n---\nsomething is here",
            "no1": "nothing", "no2": "nothing", "no3": "nothing", "no4": "nothing",
        ])
        #expect(try await home.paths("sluice").first == "V/title.md")
        #expect(try await home.paths("title:sluice") == ["V/title.md"])
    }

    @Test("of notes that fit the same the newest comes first")
    func ties() async throws {
        let home = try await home([
            "old": "---\ntitle: A\ncreated: 2025-01-01\n---\nsame words",
            "new": "---\ntitle: A\ncreated: 2026-01-01\n---\nsame words",
            "mid": "---\ntitle: A\ncreated: 2025-06-01\n---\nsame words",
        ])
        #expect(try await home.paths("same") == ["V/new.md", "V/mid.md", "V/old.md"])
    }

    @Test("without a vector, meaning falls back to words and says so")
    func noVector() async throws {
        let home = try await home(["1": "gravel"])
        let results = try await Search(store: home.store).hits(
            for: SearchQuery("gravel"), mode: .semantic)
        #expect(results.hits.map(\.path) == ["V/1.md"])
        #expect(results.remarks == ["searched by words only"])
    }

    @Test("when nothing is found a slip is put right")
    func suggestion() async throws {
        let home = try await home(["1": "the quarterly budget"])
        #expect(try await home.search("quartely bugdet").suggestion == "quarterly budget")
        #expect(try await home.search("zzzz").suggestion == nil)
        #expect(try await home.search("budget").suggestion == nil)
    }

    @Test("a hit tells why it is there")
    func parts() async throws {
        let home = try await home(["1": "# Shed\n\nThe pump\n\n# House\n\nThe pump and the valve"])
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        let hit = try #require(
            try await home.search("the valve and the pump", mode: .hybrid).hits.first)
        #expect(hit.parts.keywordRank == 1 && hit.parts.semanticRank == 1)
        #expect(hit.parts.matchedWords == ["pump", "valv"])
        #expect(hit.parts.heading == "House")
        #expect(hit.snippet.text == "The pump and the valve")
        #expect(hit.score > 0.99)
    }

    @Test("passages to answer from are the best ones of the best notes")
    func passages() async throws {
        let home = try await home([
            "1": "# A\n\nNothing here\n\n# B\n\nThe anchor weighs 12 kg\n\n# C\n\nMore",
            "2": "An anchor",
        ])
        let passages = try await Search(store: home.store).passages(
            for: SearchQuery("anchor weighs"), limit: 3, perNote: 1)
        #expect(passages.map(\.text) == ["# B\n\nThe anchor weighs 12 kg", "An anchor"])
    }
}

@Suite struct SnippetTests {
    /// The snippet with its highlights in brackets.
    private func snippet(_ text: String, _ query: String, length: Int = 40) -> String {
        let snippet = SnippetMaker(SearchQuery(query).words, length: length).snippet(of: text)
        var marked = ""
        var index = snippet.text.startIndex
        for range in snippet.highlights {
            marked += snippet.text[index..<range.lowerBound] + "[" + snippet.text[range] + "]"
            index = range.upperBound
        }
        return marked + snippet.text[index...]
    }

    @Test(
        "a snippet is one line around the words, which are marked",
        arguments: [
            ("The pumps\nare\t old", "pump", "The [pumps] are old"),
            ("no match here", "pump", "no match here"),
            ("", "pump", ""),
            ("ticket OPS-4417, twice OPS", "ops-4417", "ticket [OPS]-[4417], twice [OPS]"),
            ("Zoe\u{308} 👩‍👩‍👧 café", "zoe cafe", "[Zoe\u{308}] 👩‍👩‍👧 [café]"),
            ("今回の在庫管理の見直し", "在庫管理", "今回の[在庫管理]の見直し"),
            ("call flushWriteQueue now", "queue", "call flushWrite[Queue] now"),
            ("a\u{0}b\u{1B}[31m pump", "pump", "a b [31m [pump]"),
            (
                "one two three four five six seven eight nine ten eleven pump twelve thirteen fourteen",
                "pump", "…ten eleven [pump] twelve thirteen fourteen"
            ),
            (
                "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
                "zero", "one two three four five six seven eight…"
            ),
        ])
    func marking(text: String, query: String, expected: String) {
        #expect(snippet(text, query) == expected)
    }

    @Test("the window with most of the different words is taken")
    func bestWindow() {
        let text =
            "pump pump pump " + String(repeating: "filler ", count: 30)
            + "the pump and the valve here"
        #expect(snippet(text, "pump valve").contains("[pump] and the [valve]"))
    }

    @Test("text without blanks and very long clusters are no trouble")
    func hardTexts() {
        let dense =
            String(repeating: "x", count: 10_000) + "-pump-" + String(repeating: "y", count: 10_000)
        #expect(snippet(dense, "pump").contains("[pump]"))
        let cluster = "e" + String(repeating: "\u{301}", count: 5_000) + " pump"
        #expect(snippet(cluster, "pump").contains("[pump]"))
    }
}

@Suite struct RankingTests {
    @Test("one leg alone is taken as it is")
    func oneLeg() {
        let words = [KeywordHit(note: 1, score: 8), KeywordHit(note: 2, score: 4)]
        #expect(Ranking().fuse(keyword: words, semantic: []).map(\.score) == [1, 0.5])
        let near = [VectorHit(note: 3, passage: 30, similarity: 0.8)]
        let fused = Ranking().fuse(keyword: [], semantic: near)
        #expect(fused.map(\.note) == [3] && fused[0].score == 1 && fused[0].passage == 30)
    }

    @Test("a note both legs know beats notes only one knows; noise adds nothing")
    func bothLegs() {
        let words = [KeywordHit(note: 1, score: 10), KeywordHit(note: 2, score: 9)]
        let near = [
            VectorHit(note: 2, passage: 20, similarity: 0.7),
            VectorHit(note: 3, passage: 30, similarity: 0.6),
            VectorHit(note: 4, passage: 40, similarity: 0.1),
        ]
        #expect(Ranking().fuse(keyword: words, semantic: near).map(\.note) == [2, 1, 3])
    }

    @Test("the best note by words never falls behind one without any of them")
    func rareWord() {
        let near = (2...50).map { VectorHit(note: $0, passage: $0, similarity: 0.9) }
        let fused = Ranking().fuse(keyword: [KeywordHit(note: 1, score: 0.001)], semantic: near)
        #expect(fused.first?.note == 1)
    }
}
