import Testing

@testable import AuraCore

@Suite struct SearchQueryTests {
    /// `optional | required & … | -excluded | title`, in stems.
    private func words(_ text: String) -> String {
        func show(_ phrase: KeywordQuery.Phrase) -> String {
            (phrase.field == .title ? "title:" : "")
                + phrase.terms.map(\.stem).joined(separator: "+") + (phrase.isPrefix ? "*" : "")
        }
        let query = SearchQuery(text, dates: dates).words
        let optional = query.optional.map(show).joined(separator: " ")
        let required = query.required.map { $0.map(show).joined(separator: "|") }
        let excluded = query.excluded.map { "-" + show($0) }
        return ([optional] + required.map { "(\($0))" } + excluded).filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private let dates: SearchQuery.DateResolver = { phrase in
        let monday = Day(iso: "2026-03-02")
        switch phrase {
        case "today": return Day(iso: "2026-03-04").map { $0...$0 }
        case "yesterday": return Day(iso: "2026-03-03").map { $0...$0 }
        case "last week": return monday.map { $0.adding(days: -7)...$0.adding(days: -1) }
        case "3 days ago": return Day(iso: "2026-03-01").map { $0...$0 }
        default: return nil
        }
    }

    @Test(
        "words, phrases, exclusions and alternatives",
        arguments: [
            ("pump logs", "pump log"),
            ("the pump of the day", "the pump of day"),
            ("the of and", "the of and"),
            ("pump pump Pumps", "pump pump"),
            ("\"pump log\"", "(pump+log)"),
            ("“pump log” oil", "oil (pump+log)"),
            ("pump -oil -\"old pump\"", "pump -oil -old+pump"),
            ("pump OR oil", "(pump|oil)"),
            ("pump OR \"oil filter\" OR valve and hose", "and hose (pump|oil+filter|valv)"),
            ("OR pump OR", "or pump"),
            ("moor*", "moor*"),
            ("OPS-4417", "op+4417"),
            ("title:pump", "(title:pump)"),
            ("title:\"pump log\"", "(title:pump+log)"),
            ("-title:pump", "-title:pump"),
            ("foo:bar", "foo bar"),
            ("https://example.com/a", "https exampl+com a"),
            ("-4417", "-4417"),
            ("\"unclosed phrase", "(unclos+phrase)"),
            ("size 5\" pipe", "size 5 pipe"),
            ("- -- \"\" : tag: \"", "tag"),
            ("NEAR(a b) * ^ {x}:y AND", "near a b x y and"),
            ("'; DROP TABLE notes; --", "drop tabl note"),
            ("在庫管理", "在庫+庫管+管理"),
            ("会", "会*"),
            ("#garden -#shed", "(#garden) -#shed"),
            ("C++ R&D", "c r+d"),
            ("anna@example.org", "anna+exampl+org"),
        ])
    func reading(text: String, expected: String) { #expect(words(text) == expected) }

    @Test("filters are taken out of the words")
    func filters() {
        let query = SearchQuery(
            "pump vault:corporate tag:a tag:b -tag:c type:note -type:log is:evergreen -is:pending",
            dates: dates)
        var filter = NoteFilter()
        filter.vaults = ["corporate"]
        filter.tags = ["a", "b"]
        filter.excludedTags = ["c"]
        filter.kinds = [.note]
        filter.excludedKinds = [.log]
        filter.isEvergreen = true
        filter.isPending = false
        #expect(query.filter == filter)
        #expect(query.meaning == "pump")
        #expect(query.remarks.isEmpty)
    }

    @Test(
        "dates bound the days",
        arguments: [
            ("before:2026-03-01", "nil", "2026-02-28"),
            ("after:2026-03-01", "2026-03-01", "nil"),
            ("on:2026-02", "2026-02-01", "2026-02-28"),
            ("on:2025", "2025-01-01", "2025-12-31"),
            ("on:yesterday", "2026-03-03", "2026-03-03"),
            ("after:last week pump", "2026-02-23", "nil"),
            ("after:last-week", "2026-02-23", "nil"),
            ("before:\"last week\"", "nil", "2026-02-22"),
            ("on:3 days ago", "2026-03-01", "2026-03-01"),
            ("after:2026-01-01 before:today", "2026-01-01", "2026-03-03"),
            ("-after:today", "nil", "2026-03-03"),
        ])
    func days(text: String, from: String, through: String) {
        let filter = SearchQuery(text, dates: dates).filter
        #expect("\(filter.from?.description ?? "nil")" == from)
        #expect("\(filter.through?.description ?? "nil")" == through)
    }

    @Test(
        "a filter that means nothing becomes words and is told",
        arguments: [
            "after:soonish", "type:banana", "is:purple", "has:wings",
        ])
    func meaningless(text: String) {
        let query = SearchQuery(text, dates: dates)
        #expect(query.filter.isEmpty)
        #expect(!query.words.isEmpty)
        #expect(query.remarks.count == 1)
    }

    @Test(
        "a query of 100 KB is cut, whatever it is made of",
        arguments: [
            "pump ", "a", "\"", "-x ", "é", "a-", "( ", "OR ", "pump OR ", "在",
        ])
    func long(piece: String) async throws {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let query = SearchQuery(text, dates: dates)
        #expect(query.text.utf8.count <= SearchQuery.maximumBytes)
        #expect(query.words.sought.count <= 2 * SearchQuery.maximumPhrases)
        let home = try IndexedFolder()
        try home.write("pump", to: "V/a.md")
        try await home.refresh()
        _ = try await Search(store: home.store).hits(for: query)
    }
}
