import Testing

@testable import AuraCore

@Suite("queries made of notes")
struct KnownItemsTests {
    private static let sources = (0..<40).map { number in
        KnownItemMaker.Source(
            path: "V/\(number).md", title: "Plum harvest number\(number)",
            passages: [
                "The old plum tree by the shed gave word\(number) baskets of fruit. It is tired.",
                "Ask the neighbour whether he would like some plum jam and code\(number) jars.",
            ])
    }

    @Test("the same notes and seed give the same queries, another seed others")
    func seeds() {
        let items = KnownItemMaker.items(from: Self.sources, seed: 1)
        #expect(items == KnownItemMaker.items(from: Self.sources, seed: 1))
        #expect(items != KnownItemMaker.items(from: Self.sources, seed: 2))
        #expect(items.map(\.path) == Self.sources.map(\.path))
    }

    @Test("all kinds take turns", arguments: KnownItem.Kind.allCases)
    func kinds(kind: KnownItem.Kind) throws {
        let items = KnownItemMaker.items(from: Self.sources, seed: 3).filter { $0.kind == kind }
        #expect(items.count == 10)
        for item in items {
            let words = item.query.split(separator: " ").map(String.init)
            let hasStopWord = words.contains { StopWords.english.contains($0) }
            switch kind {
            case .rareWords:
                #expect(words.count == 3 && words.contains { $0.contains(where: \.isNumber) })
            case .phrase: #expect(words.count == 4)
            case .title: #expect(item.query.hasPrefix("plum harvest number"))
            case .sentence: #expect(words.count >= 4 && !hasStopWord)
            }
        }
    }

    @Test("a note with too few words for one kind gives another, and one with none gives none")
    func shortNotes() {
        let sources = [
            KnownItemMaker.Source(path: "a", title: "Plum jam", passages: ["Jam."]),
            KnownItemMaker.Source(path: "b", title: "x", passages: []),
        ]
        let items = KnownItemMaker.items(from: sources, seed: 1)
        #expect(items == [KnownItem(kind: .title, query: "plum jam", path: "a")])
    }

    private static func bench(
        recall: Double, slow: Double, queries: Int = 200, seed: Int = 1
    ) -> SearchBench {
        var bench = SearchBench(
            seed: seed, notes: 500, queries: queries, madeAt: Instant(seconds: 0))
        bench.modes[.keyword] = SearchBench.Figures(
            median: 1, slow: slow, first: 0.9, amongTen: recall, amongTwenty: 1)
        return bench
    }

    @Test(
        "what got worse is told, where runs can be compared",
        arguments: [
            (bench(recall: 0.95, slow: 10), []), (bench(recall: 0.94, slow: 14), []),
            (
                bench(recall: 0.92, slow: 10), ["keyword: recall@10 fell from 0.95 to 0.92"]
            ),
            (bench(recall: 0.95, slow: 16), ["keyword: p95 rose from 10.0 ms to 16.0 ms"]),
            (bench(recall: 0.5, slow: 99, seed: 2), []),
            (bench(recall: 0.5, slow: 99, queries: 100), []),
        ] as [(SearchBench, [String])])
    func regressions(now: SearchBench, expected: [String]) {
        #expect(now.regressions(since: Self.bench(recall: 0.95, slow: 10)) == expected)
    }

    @Test("a time within the noise of a quick search is not told")
    func noise() {
        let then = Self.bench(recall: 1, slow: 0.5)
        #expect(Self.bench(recall: 1, slow: 2).regressions(since: then).isEmpty)
    }
}
