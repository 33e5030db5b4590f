import AuraSystem
import AuraTestKit
import Testing

@testable import AuraCore

@Suite("searching by words") struct WordSearchTests {
    /// Notes of made-up words, some far more common than others.
    struct Corpus {
        var random: SeededChance
        private(set) var texts: [String: String] = [:]
        private var next = 0

        init(seed: UInt64) { random = SeededChance(seed: seed) }

        mutating func word() -> String {
            let place = random.next() % 1_000
            let rank = place < 500 ? place % 6 : place < 900 ? place % 60 : place
            return "zq\(rank)x"
        }

        mutating func text() -> String {
            let words = (0..<(5 + Int(random.next() % 60))).map { _ in word() }
            var text = "---\ntitle: \(word()) \(word())\ntags: [\(word())]\n---\n"
            for (index, word) in words.enumerated() {
                if index % 25 == 24 { text += "\n\n# \(word)\n\n" } else { text += word + " " }
            }
            return text + "\n"
        }

        mutating func add() -> String {
            next += 1
            let path = "V/note-\(next).md"
            texts[path] = text()
            return path
        }

        mutating func change(_ path: String) { texts[path] = text() }

        mutating func remove() -> String? {
            guard let path = texts.keys.sorted().randomElement(using: &random) else { return nil }
            texts[path] = nil
            return path
        }

        mutating func query() -> String {
            (0..<(1 + Int(random.next() % 6))).map { _ in word() }.joined(separator: " ")
        }
    }

    private func write(_ corpus: Corpus, to home: IndexedFolder) throws {
        for (path, text) in corpus.texts { try home.write(text, to: path) }
    }

    private struct Found: Hashable {
        var path: String
        var position: Int
        var score: Double
    }

    private func hits(_ query: String, _ store: Store, limit: Int) async throws -> [Found] {
        let hits = try await store.keywordHits(SearchQuery(query).words, limit: limit)
        let notes = try await store.notes(numbered: hits.map(\.note))
        return hits.map {
            Found(path: notes[$0.note]?.path ?? "?", position: $0.position, score: $0.score)
        }
    }

    @Test("leaving passages out early changes nothing: the same notes, scores and order")
    func earlyTermination() async throws {
        let home = try IndexedFolder()
        var corpus = Corpus(seed: 1)
        for _ in 0..<3_000 { _ = corpus.add() }
        try write(corpus, to: home)
        try await home.refresh()
        var scoring = WordScoring()
        (scoring.closeness, scoring.otherPassages) = (0, 0)
        try await home.store.use(scoring)
        for _ in 0..<60 {
            let query = corpus.query()
            let all = try await hits(query, home.store, limit: 100_000)
            for limit in [1, 10, 200] {
                let few = try await hits(query, home.store, limit: limit)
                #expect(few == Array(all.prefix(limit)), "\(query), \(limit)")
            }
        }
    }

    @Test(
        "a word as it is written decides between notes with its stem, in short queries and in long ones",
        arguments: ["universities", "famous old european universities admitting foreign students"])
    func exactWords(query: String) async throws {
        let home = try IndexedFolder()
        let others = "Famous old European places admit foreign students."
        for number in 0..<200 {
            try home.write("\(others) One university.\n", to: "V/one-\(number).md")
        }
        try home.write("\(others) One universities.\n", to: "V/exact.md")
        try await home.refresh()
        let plan = QueryPlan(SearchQuery(query).words, WordScoring())
        #expect(plan.terms.contains { $0.isExact })
        #expect(try await hits(query, home.store, limit: 5).first?.path == "V/exact.md")
    }

    @Test("scores are BM25F, computed from the texts by the formula")
    func formula() async throws {
        let home = try IndexedFolder()
        var corpus = Corpus(seed: 2)
        for _ in 0..<200 { _ = corpus.add() }
        try write(corpus, to: home)
        try await home.refresh()
        var scoring = WordScoring()
        (scoring.closeness, scoring.otherPassages) = (0, 0)
        try await home.store.use(scoring)
        let oracle = Oracle(corpus.texts, scoring)
        for _ in 0..<40 {
            let query = corpus.query()
            let found = try await hits(query, home.store, limit: 1_000)
            let expected = oracle.scores(Set(query.split(separator: " ").map(String.init)))
            #expect(Set(found.map(\.path)) == Set(expected.keys))
            for hit in found {
                #expect(abs(hit.score - (expected[hit.path] ?? 0)) < 0.01, "\(query) \(hit.path)")
            }
        }
    }

    @Test(
        "an index that grew, changed and shrank is one that was made at once",
        arguments: [3, 4, 5] as [UInt64])
    func incremental(seed: UInt64) async throws {
        let home = try IndexedFolder()
        var corpus = Corpus(seed: seed)
        for _ in 0..<60 {
            switch corpus.random.next() % 4 {
            case 0:
                if let path = corpus.remove() { try home.remove(path) }
            case 1:
                if let path = corpus.texts.keys.sorted().first {
                    corpus.change(path)
                    try home.write(corpus.texts[path] ?? "", to: path)
                }
            default:
                for _ in 0..<(1 + corpus.random.next() % 12) {
                    let path = corpus.add()
                    try home.write(corpus.texts[path] ?? "", to: path)
                }
            }
            try await home.refresh()
        }
        let fresh = try Store(path: "\(home.folder.path)/fresh.db")
        _ = try await home.indexer(of: fresh).refresh()
        try await same(home.store, fresh, &corpus)
        try await home.store.mergeAllSegments()
        try await same(home.store, fresh, &corpus)
        try await home.store.rewriteWords()
        try await same(home.store, fresh, &corpus)
    }

    private func same(_ one: Store, _ other: Store, _ corpus: inout Corpus) async throws {
        for _ in 0..<200 {
            let query = corpus.query()
            let words = SearchQuery(query).words
            #expect(try await one.wordStatistics(words) == other.wordStatistics(words))
            #expect(try await hits(query, one, limit: 20) == hits(query, other, limit: 20))
        }
    }

    @Test("searching while others write and merge finds all that was there before, and no damage")
    func concurrently() async throws {
        let home = try IndexedFolder()
        var corpus = Corpus(seed: 12)
        for _ in 0..<30 { _ = corpus.add() }
        try write(corpus, to: home)
        try await home.refresh()
        try home.write("kingfisher\n", to: "V/bird.md")
        try await home.refresh()
        let path = home.store.path
        let texts = (0..<60).map { _ in corpus.text() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    let store = try Store(path: path)
                    for (number, text) in texts.enumerated() {
                        var changes = Store.Changes()
                        let name = "V/\(writer)-\(number % 20).md"
                        changes.entries = [
                            Store.Changes.Entry(
                                file: NoteFile(name: name, size: 1, modified: 1, inode: 1),
                                path: name, hash: UInt64(number),
                                content: IndexedNote(
                                    NoteText(bytes: Array(text.utf8), path: name)),
                                moment: Instant(seconds: 0), day: Day(daysSince1970: 0))
                        ]
                        try await store.apply(changes)
                        _ = try await store.mergeSegments()
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    let store = try Store(path: path)
                    for _ in 0..<100 {
                        let words = SearchQuery("kingfisher zq1x").words
                        let hits = try await store.keywordHits(words, limit: 200)
                        let notes = try await store.notes(numbered: hits.map(\.note))
                        #expect(notes.values.contains { $0.path == "V/bird.md" })
                        _ = try await store.wordStatistics(words)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await home.paths("kingfisher") == ["V/bird.md"])
    }

    @Test("databases that are searched with the statistics of all rank as one")
    func summedStatistics() async throws {
        let (all, left, right) = (try IndexedFolder(), try IndexedFolder(), try IndexedFolder())
        var corpus = Corpus(seed: 9)
        for number in 0..<300 {
            let path = corpus.add()
            let text = corpus.texts[path] ?? ""
            try all.write(text, to: path)
            try (number % 3 == 0 ? left : right).write(text, to: path)
        }
        var scoring = WordScoring()
        (scoring.closeness, scoring.otherPassages) = (0, 0)
        for home in [all, left, right] {
            try await home.refresh()
            try await home.store.use(scoring)
        }
        for _ in 0..<50 {
            let query = corpus.query()
            let words = SearchQuery(query).words
            let statistics =
                try await left.store.wordStatistics(words) + right.store.wordStatistics(words)
            #expect(statistics == (try await all.store.wordStatistics(words)))
            var scores: [Double] = []
            for home in [left, right] {
                scores += try await home.store.keywordHits(
                    words, limit: 20, statistics: statistics
                ).map(\.score)
            }
            let expected = try await all.store.keywordHits(words, limit: 20).map(\.score)
            #expect(Array(scores.sorted(by: >).prefix(20)) == expected)
        }
    }

    @Test(
        "of notes with the same score the newest come first, however many there are",
        arguments: [300, 2 * Store.fewNotes + 1])
    func ties(count: Int) async throws {
        let home = try IndexedFolder()
        for number in 0..<count {
            let day =
                "2026-01-01T00:\(number / 60 / 10)\(number / 60 % 10):\(number % 60 / 10)\(number % 10)Z"
            try home.write(
                "---\ntitle: same\ncreated: \(day)\n---\nheron\n",
                to: "V/\(number * 7919 % count).md")
        }
        try await home.refresh()
        let all = try await home.search("heron", limit: 5_000).hits.map(\.path)
        #expect(all.count == count)
        let newest = try await home.store.list(order: .newestFirst)
        #expect(all == newest.map(\.path))
        #expect(
            try await home.search("heron", limit: 7).hits.map(\.path) == Array(all.prefix(7)))
        // Nothing to rank by: the same order, whether all or some are allowed.
        let numbers = newest.map(\.number)
        for allowed in [nil, NoteSet(numbers)] {
            #expect(
                try await home.store.newestNotes(allowed: allowed, limit: 7)
                    == Array(numbers.prefix(7)))
        }
    }
}

/// BM25F by the book: no index, no early ends, doubles.
private struct Oracle {
    private struct Passage {
        var path: String
        var fields: FieldValues<[String]>
    }

    private var passages: [Passage] = []
    private let scoring: WordScoring

    init(_ texts: [String: String], _ scoring: WordScoring) {
        self.scoring = scoring
        for (path, text) in texts {
            let note = NoteText(bytes: Array(text.utf8), path: path).note
            func words(_ text: String) -> [String] {
                text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            }
            for passage in AuraCore.Passage.split(note: note) {
                passages.append(
                    Passage(
                        path: path,
                        fields: FieldValues(
                            title: words(note.title), tags: note.tags.flatMap(words),
                            headings: passage.headingPath.flatMap(words), body: words(passage.text))
                    ))
            }
        }
    }

    func scores(_ query: Set<String>) -> [String: Double] {
        func average(_ field: Field) -> Double {
            Double(passages.reduce(0) { $0 + $1.fields[field].count }) / Double(passages.count)
        }
        let averages = FieldValues(
            title: average(.title), tags: average(.tags), headings: average(.headings),
            body: average(.body))
        var scores: [String: Double] = [:]
        for passage in passages {
            var score = 0.0
            for word in query {
                let with = Double(
                    passages.count { passage in
                        Field.allCases.contains { passage.fields[$0].contains(word) }
                    })
                let idf = Logarithm.natural(
                    1 + (Double(passages.count) - with + 0.5) / (with + 0.5))
                var frequency = 0.0
                for field in Field.allCases {
                    let words = passage.fields[field]
                    let b = Double(scoring.b[field])
                    frequency +=
                        Double(scoring.weights[field]) * Double(words.count { $0 == word })
                        / (1 - b + b * Double(words.count) / averages[field])
                }
                let k1 = Double(scoring.k1)
                score += idf * frequency * (k1 + 1) / (frequency + k1)
            }
            if score > 0 { scores[passage.path] = max(scores[passage.path] ?? 0, score) }
        }
        return scores
    }
}
