internal import AuraSystem

/// How well and how fast a home's own notes are found.
package struct SearchBench: Sendable, Equatable {
    /// One way of searching.
    package struct Figures: Sendable, Equatable {
        /// Milliseconds: half of the queries took no longer, and 19 of 20.
        package var median: Double
        package var slow: Double
        /// The share of queries whose note came first, among the first 10, among the first 20.
        package var first: Double
        package var amongTen: Double
        package var amongTwenty: Double
    }

    package var seed: Int
    /// Notes that the home has, and queries that were made from a sample of them.
    package var notes: Int
    package var queries: Int
    package var madeAt: Instant
    package var modes: [Search.Mode: Figures] = [:]
    /// What the person should know, a sentence each.
    package var remarks: [String] = []

    /// A recall that is lower by more than this is told.
    static let tellingRecall = 0.02
    /// So much slower is told, and only from so many milliseconds on: below, chance decides.
    static let tellingSlowness = 1.5
    static let tellingMilliseconds = 2.0
    /// Of fewer queries the slowest is an accident.
    static let fewestTimes = 20

    /// What is worse than it was, a sentence each; empty when another sample was asked for then.
    package func regressions(since last: SearchBench) -> [String] {
        guard last.seed == seed, last.queries == queries else { return [] }
        var found: [String] = []
        for (mode, now) in modes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let then = last.modes[mode] else { continue }
            let recalls = [
                ("recall@1", then.first, now.first), ("recall@10", then.amongTen, now.amongTen),
                ("recall@20", then.amongTwenty, now.amongTwenty),
            ]
            for (name, then, now) in recalls where now < then - Self.tellingRecall {
                found.append(
                    "\(mode.rawValue): \(name) fell from \(Self.share(then)) to \(Self.share(now))")
            }
            if queries >= Self.fewestTimes, now.slow > then.slow * Self.tellingSlowness,
                now.slow > then.slow + Self.tellingMilliseconds
            {
                found.append("\(mode.rawValue): p95 rose from \(then.slow) ms to \(now.slow) ms")
            }
        }
        return found
    }

    private static func share(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

// MARK: - Measuring

extension Services {
    /// The usual number of notes that queries are made from.
    package static let usualBenchNotes = 200
    /// Queries that are run before those that count, of each mode.
    private static let warmingQueries = 5
    private static let benchDepth = 20

    /// Searches for notes by their own words, in every mode that there is. Reports, which repeat other notes, are
    /// none of them. No words leave the process but to the model server.
    /// - Returns: nil when no note has words enough.
    /// - Throws: `StoreError`, `CancellationError`.
    package func benchSearch(
        _ library: Library, notes count: Int, seed: Int,
        onProgress: (String) -> Void = { _ in }
    ) async throws -> SearchBench? {
        let (sources, all) = try await benchSources(library, count, seed: seed)
        let items = KnownItemMaker.items(from: sources, seed: UInt64(bitPattern: Int64(seed)))
        guard !items.isEmpty else { return nil }
        var bench = SearchBench(
            seed: seed, notes: all, queries: items.count, madeAt: now())
        let (modes, remark) = try await benchModes(library)
        if let remark { bench.remarks.append(remark) }
        for mode in modes {
            guard
                let figures = try await figures(
                    of: mode, items, library,
                    onProgress: { onProgress("\(mode.rawValue), \($0) of \(items.count)…") })
            else {
                bench.remarks.append(
                    "the embedding model gave no vectors: not measured by \(mode.rawValue)")
                continue
            }
            bench.modes[mode] = figures
        }
        return bench
    }

    /// A sample of the notes, and how many there are.
    private func benchSources(
        _ library: Library, _ count: Int, seed: Int
    ) async throws -> ([KnownItemMaker.Source], all: Int) {
        var all: [(store: Store, note: NoteRecord)] = []
        for shelf in library.shelves {
            let notes = try await shelf.store.list(NoteFilter(), limit: .max)
            all += notes.filter { !$0.kind.isReport }.map { (shelf.store, $0) }
        }
        all.sort { $0.note.path < $1.note.path }
        var chance = SeededChance(seed: UInt64(bitPattern: Int64(seed)))
        var sources: [KnownItemMaker.Source] = []
        for (store, note) in all.shuffled(using: &chance).prefix(count) {
            let passages = try await store.passages(ofNotes: [note.number])[note.number] ?? []
            sources.append(
                KnownItemMaker.Source(
                    path: note.path, title: note.title, passages: passages.map(\.text)))
        }
        return (sources, all.count)
    }

    private func benchModes(_ library: Library) async throws -> ([Search.Mode], String?) {
        guard let embedder else {
            return ([.keyword], "there is no embedding model: measured by words only")
        }
        var counts = (done: 0, all: 0)
        for shelf in library.shelves {
            let more = try await shelf.store.embeddedCount(
                model: embedder.modelName, dimensions: embedder.dimensions)
            counts = (counts.done + more.done, counts.all + more.all)
        }
        guard counts.done > 0 else {
            return (
                [.keyword],
                "no note has a vector yet: measured by words only; 'aura reindex' makes them"
            )
        }
        let isPart = counts.done < counts.all
        return (
            [.keyword, .semantic, .hybrid],
            isPart
                ? "\(counts.all - counts.done) of \(counts.all) passages have no vector yet" : nil
        )
    }

    /// Nil when a search that needs the query's vector had to do without.
    private func figures(
        of mode: Search.Mode, _ items: [KnownItem], _ library: Library,
        onProgress: (Int) -> Void
    ) async throws -> SearchBench.Figures? {
        let clock = ContinuousClock()
        var times: [Double] = []
        var places: [Int] = []
        for (number, item) in (items.prefix(Self.warmingQueries) + items).enumerated() {
            try Task.checkCancellation()
            let start = clock.now
            let results = try await search(
                item.query, NoteFilter(), mode: mode, limit: Self.benchDepth, library,
                patience: .seconds(20))
            let time = (clock.now - start) / .microseconds(1)
            if mode != .keyword, results.remarks.contains(Search.wordsOnlyRemark) { return nil }
            guard number >= min(Self.warmingQueries, items.count) else { continue }
            times.append(time.rounded() / 1000)
            places.append(results.hits.firstIndex { $0.path == item.path } ?? .max)
            onProgress(times.count)
        }
        times.sort()
        func time(_ part: Double) -> Double {
            times[max(0, Int((part * Double(times.count)).rounded(.up)) - 1)]
        }
        func recall(_ depth: Int) -> Double {
            Double(places.count { $0 < depth }) / Double(places.count)
        }
        return SearchBench.Figures(
            median: time(0.5), slow: time(0.95), first: recall(1), amongTen: recall(10),
            amongTwenty: recall(20))
    }
}

// MARK: - The last run

extension Services {
    /// The figures of the last run on this home; nil when there are none that can be read.
    package func lastSearchBench(_ library: Library) -> SearchBench? {
        let path = benchPath(library)
        return (try? Files.bytes(at: path)).flatMap { JSONValue.read($0) }.flatMap(SearchBench.init)
    }

    /// Keeps figures alone: no words of notes, in an encrypted home or a plain one.
    package func keep(_ bench: SearchBench, _ library: Library) throws {
        try AtomicFile.replace(benchPath(library), Array((bench.json.serialized + "\n").utf8))
    }

    private func benchPath(_ library: Library) -> String {
        "\(library.shelves[0].workspace.dataFolder)/bench.json"
    }
}

extension SearchBench {
    package var json: JSONValue {
        .record([
            ("seed", .integer(seed)), ("notes", .integer(notes)), ("queries", .integer(queries)),
            ("made", .optional(madeAt)),
            (
                "modes",
                .record(
                    modes.sorted { $0.key.rawValue < $1.key.rawValue }
                        .map { ($0.key.rawValue, $0.value.json) })
            ),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let seed = json["seed"]?.integer, let notes = json["notes"]?.integer,
            let queries = json["queries"]?.integer,
            let made = json["made"]?.text.flatMap({ Instant(iso8601: $0) }),
            let members = json["modes"]?.members
        else { return nil }
        self.init(seed: seed, notes: notes, queries: queries, madeAt: made)
        for member in members {
            guard let mode = Search.Mode(rawValue: member.key) else { continue }
            modes[mode] = Figures(member.value)
        }
    }
}

extension SearchBench.Figures {
    fileprivate var json: JSONValue {
        .record([
            ("p50_ms", .number(median)), ("p95_ms", .number(slow)),
            ("recall_1", .number(first)), ("recall_10", .number(amongTen)),
            ("recall_20", .number(amongTwenty)),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        let numbers = ["p50_ms", "p95_ms", "recall_1", "recall_10", "recall_20"]
            .compactMap { json[$0]?.double }
        guard numbers.count == 5 else { return nil }
        self.init(
            median: numbers[0], slow: numbers[1], first: numbers[2], amongTen: numbers[3],
            amongTwenty: numbers[4])
    }
}
