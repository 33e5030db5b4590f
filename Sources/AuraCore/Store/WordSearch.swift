internal import AuraSQLite

/// A note found by its words.
package struct KeywordHit: Hashable, Sendable {
    package var note: Int
    /// Its best passage, from 0 in the order of the note.
    package var position = 0
    /// Above 0; comparable within one query only.
    package var score: Double
    package var parts = Parts()

    /// What the score is made of; the sum is the score.
    package struct Parts: Hashable, Sendable {
        /// BM25F of the best passage.
        package var passage = 0.0
        /// For words of the query that only other passages of the note have.
        package var otherPassages = 0.0
        /// For words that stand close together.
        package var closeness = 0.0

        package init() {}
    }
}

/// Searching by words: BM25F over passages, the best one counting for its note.
extension Store {
    /// The notes that fit best by words, best first; of equals the newest first, then by path.
    /// - Parameters:
    ///   - allowed: what the query requires, excludes and filters, if that is known already.
    ///   - statistics: of all databases that are searched as one; nil for this one alone.
    package func keywordHits(
        _ query: KeywordQuery, _ filter: NoteFilter = NoteFilter(), limit: Int,
        allowed: NoteSet? = nil, statistics: WordStatistics? = nil
    ) throws(StoreError) -> [KeywordHit] {
        guard !query.isEmpty, limit > 0 else { return [] }
        return try reporting {
            try connection.reading {
                let segments = try liveSegments()
                let allowed = try allowed ?? allowedNotes(query, filter, segments)
                if let allowed, allowed.isEmpty { return [] }
                let lists = try lists(of: QueryPlan(query, scoring), segments)
                let weighed = lists.weighed(
                    by: statistics ?? lists.statistics(segments), scoring)
                return try hits(weighed, segments, allowed, limit: limit)
            }
        }
    }

    /// How common the query's words are here, for `keywordHits` over several databases.
    package func wordStatistics(_ query: KeywordQuery) throws(StoreError) -> WordStatistics {
        try reporting {
            try connection.reading {
                let segments = try liveSegments()
                return try lists(of: QueryPlan(query, scoring), segments).statistics(segments)
            }
        }
    }

    /// The notes that have what the query requires, nothing it excludes, and pass the filter; nil for all.
    package func allowedNotes(
        _ query: KeywordQuery, _ filter: NoteFilter
    ) throws(StoreError) -> NoteSet? {
        try reporting {
            try connection.reading { try allowedNotes(query, filter, liveSegments()) }
        }
    }

    private func allowedNotes(
        _ query: KeywordQuery, _ filter: NoteFilter, _ segments: [LiveSegment]
    ) throws -> NoteSet? {
        var allowed = try noteSet(filter)
        for clause in query.required {
            let having = try notes(withAnyOf: clause, segments)
            if allowed == nil { allowed = having } else { allowed?.formIntersection(having) }
        }
        if !query.excluded.isEmpty {
            let having = try notes(withAnyOf: query.excluded, segments)
            if allowed == nil { allowed = try noteSet(where: "true") }
            allowed?.subtract(having)
        }
        return allowed
    }

    private func notes(
        withAnyOf phrases: [KeywordQuery.Phrase], _ segments: [LiveSegment]
    ) throws -> NoteSet {
        var notes = NoteSet()
        for segment in segments {
            for phrase in phrases {
                for match in try matches(phrase, in: segment) {
                    notes.insert(Int(segment.passages.notes[match.passage]))
                }
            }
        }
        return notes
    }

    /// The newest notes that are allowed.
    package func newestNotes(allowed: NoteSet?, limit: Int) throws(StoreError) -> [Int] {
        try reporting { try newest(allowed, limit: limit) }
    }

    /// Fewer are looked up one by one; of more, the newest of all notes are walked until enough were met.
    static let fewNotes = 500

    private func newest(_ allowed: NoteSet?, limit: Int) throws -> [Int] {
        var found: [Place] = []
        if let allowed, allowed.count <= Store.fewNotes {
            found = try allowed.numbers.compactMap(place)
        } else {
            var last = (moment: Int64.max, number: Int64.max)
            pages: while true {
                let page = try connection.rows(
                    """
                    SELECT moment, number FROM notes WHERE (moment, number) < (?, ?)
                    ORDER BY moment DESC, number DESC LIMIT ?
                    """,
                    [.integer(last.moment), .integer(last.number), .integer(Int64(Store.fewNotes))]
                ) { (moment: $0.int64(0), number: $0.int64(1)) }
                for note in page where allowed?.contains(Int(note.number)) ?? true {
                    // Those of one moment go by their paths, so all of them are met.
                    if found.count >= limit, note.moment != found.last?.moment { break pages }
                    if let place = try place(of: Int(note.number)) { found.append(place) }
                }
                guard page.count == Store.fewNotes, let end = page.last else { break }
                last = end
            }
        }
        return found.sorted(by: Place.precedes).prefix(limit).map(\.note)
    }

    // MARK: Lists

    /// The lists of a query in every segment.
    private struct QueryLists {
        let plan: QueryPlan
        /// By segment, then by term of the plan.
        var rows: [[TermRow?]] = []
        /// Passages that are gone, likewise.
        var removed: [[Int]] = []
        /// By segment, then by phrase of the plan.
        var matches: [[[PhraseMatcher.Match]]] = []

        func statistics(_ segments: [LiveSegment]) -> WordStatistics {
            var statistics = WordStatistics()
            for (index, segment) in segments.enumerated() {
                statistics.totals = statistics.totals + segment.live
                for (place, term) in plan.terms.enumerated() {
                    let count = (rows[index][place]?.count ?? 0) - removed[index][place]
                    statistics.terms[term.key, default: 0] += count
                }
                for (place, phrase) in plan.phrases.enumerated() {
                    statistics.phrases[phrase, default: 0] += matches[index][place].count
                }
            }
            return statistics
        }

        func weighed(by statistics: WordStatistics, _ scoring: WordScoring) -> WeighedLists {
            let all = statistics.totals.passages
            return WeighedLists(
                lists: self, totals: statistics.totals,
                idfs: plan.terms.map { scoring.idf(statistics.terms[$0.key] ?? 0, of: all) },
                phraseIDFs: plan.phrases.map {
                    scoring.idf(statistics.phrases[$0] ?? 0, of: all)
                },
                frequencies: FrequencyTable(scoring, statistics.totals))
        }
    }

    private struct WeighedLists {
        let lists: QueryLists
        let totals: WordTotals
        let idfs: [Float]
        let phraseIDFs: [Float]
        let frequencies: FrequencyTable

        /// A word that says little and is in more than half of all passages tells nothing of one of them.
        func isPassedOver(_ place: Int) -> Bool {
            lists.plan.terms[place].isStopWord && lists.plan.defers(place)
                && idfs[place] < WordScoring.idfOfHalf
        }

        func weight(_ idf: Float, _ share: Float, _ scoring: WordScoring) -> Float {
            idf * share * (scoring.k1 + 1) * SegmentScorer.unit
        }
    }

    private func lists(of plan: QueryPlan, _ segments: [LiveSegment]) throws -> QueryLists {
        var lists = QueryLists(plan: plan)
        for segment in segments {
            let rows = try plan.terms.map { try termRow($0.key, in: segment.number) }
            lists.rows.append(rows)
            lists.removed.append(
                try zip(plan.terms, rows).map { term, row in
                    row == nil ? 0 : try removedCount(term.key, in: segment)
                })
            lists.matches.append(try plan.phrases.map { try matches($0, in: segment) })
        }
        return lists
    }

    /// The live passages of a segment in which a phrase stands.
    private func matches(
        _ phrase: KeywordQuery.Phrase, in segment: LiveSegment
    ) throws -> [PhraseMatcher.Match] {
        let fields = phrase.field == .title ? [Field.title] : Field.allCases
        func cursor(_ key: [UInt8]) throws -> ListCursor? {
            try termRow(key, in: segment.number).map { try self.cursor($0, in: segment) }
        }
        var places = try phrase.terms.dropLast(phrase.isPrefix ? 1 : 0).map { term in
            try [cursor(Analysis.key(stem: term.stem.utf8))].compactMap { $0 }
        }
        if phrase.isPrefix, let last = phrase.terms.last {
            places.append(try beginnings(last.word, places.isEmpty, segment))
        }
        var found = try PhraseMatcher(places: places, fields: fields).matches()
        if let joined = phrase.whole,
            let whole = try cursor(Analysis.key(stem: EnglishStem.of(joined).utf8))
        {
            found += try PhraseMatcher(places: [[whole]], fields: fields).matches()
            var seen: Set<Int> = []
            found = found.filter { seen.insert($0.passage).inserted }
            found.sort { $0.passage < $1.passage }
        }
        return found.filter { !segment.tombstones.contains($0.passage) }
    }

    /// The lists of all terms that begin so. Words as they are written have no positions: inside of a
    /// phrase stems alone can be found.
    private func beginnings(
        _ word: String, _ includesExact: Bool, _ segment: LiveSegment
    ) throws -> [ListCursor] {
        var keys = try keys(from: Analysis.key(stem: word.utf8), in: segment.number)
        if includesExact {
            keys += try self.keys(from: Analysis.key(exact: word.utf8), in: segment.number)
        }
        return try keys.compactMap { key in
            try termRow(key, in: segment.number).map { try cursor($0, in: segment) }
        }
    }

    // MARK: Ranking

    private func hits(
        _ weighed: WeighedLists, _ segments: [LiveSegment], _ allowed: NoteSet?, limit: Int
    ) throws -> [KeywordHit] {
        // Those looked at more closely are the same for any limit.
        let candidates = max(limit, Store.refinedNotes)
        var best = BestNotes(limit: candidates)
        for (index, segment) in segments.enumerated() {
            let scorer = SegmentScorer(
                passages: segment.passages, frequencies: weighed.frequencies, k1: scoring.k1)
            let terms = try termLists(weighed, index, segment)
            let made = madeLists(weighed, index, scorer)
            if terms.isEmpty, made.isEmpty { continue }
            let (tombstones, notes) = (segment.tombstones, segment.passages.notes)
            let isWhole = segment.removed.passages == 0
            try MaxScore(terms, made, scorer, segment: index) { passage in
                (isWhole || !tombstones.contains(passage))
                    && allowed?.contains(Int(notes[passage])) ?? true
            }.run(into: &best)
        }
        best.trim()
        let ranked = try sorted(best.entries, { Int($0.note) }, \.score, limit: candidates)
        let hits = try refined(ranked, weighed, segments)
        return try sorted(hits, \.note, \.score, limit: limit)
    }

    private func termLists(
        _ weighed: WeighedLists, _ index: Int, _ segment: LiveSegment
    ) throws -> [WeighedList] {
        let growth = PeakFrequency.growth(from: segment.totals, to: weighed.totals)
        var lists: [WeighedList] = []
        for (place, row) in weighed.lists.rows[index].enumerated() {
            guard let row, !weighed.lists.plan.defers(place) else { continue }
            let share = weighed.lists.plan.terms[place].share
            lists.append(
                WeighedList(
                    cursor: try cursor(row, in: segment),
                    weight: weighed.weight(weighed.idfs[place], share, scoring), growth: growth))
        }
        return lists
    }

    private func madeLists(
        _ weighed: WeighedLists, _ index: Int, _ scorer: SegmentScorer
    ) -> [MadeList] {
        var lists: [MadeList] = []
        for (place, matches) in weighed.lists.matches[index].enumerated() where !matches.isEmpty {
            let weight = weighed.weight(weighed.phraseIDFs[place], 1, scoring)
            lists.append(
                MadeList(
                    passages: matches.map { Int32($0.passage) },
                    scores: matches.map {
                        scorer.score($0.passage, TermCounts($0.counts).code, weight)
                    }))
        }
        return lists
    }

    /// What decides between notes of equal score.
    private struct Place {
        let note: Int
        let moment: Int64
        let path: String

        static func precedes(_ one: Place, _ other: Place) -> Bool {
            one.moment != other.moment ? one.moment > other.moment : one.path < other.path
        }
    }

    private func place(of note: Int) throws -> Place? {
        try connection.first(
            "SELECT moment, path FROM notes JOIN files USING (number) WHERE number = ?",
            [.integer(Int64(note))]
        ) { Place(note: note, moment: $0.int64(0), path: $0.text(1)) }
    }

    /// The best, best first, equals by place. Only notes with equals are looked up.
    private func sorted<Entry, Score: Comparable>(
        _ entries: [Entry], _ note: (Entry) -> Int, _ score: (Entry) -> Score, limit: Int
    ) throws -> [Entry] {
        let sorted = entries.sorted { score($0) > score($1) }
        var result: [Entry] = []
        var start = 0
        while start < sorted.count, result.count < limit {
            var end = start + 1
            while end < sorted.count, score(sorted[end]) == score(sorted[start]) { end += 1 }
            if end - start == 1 {
                result.append(sorted[start])
            } else {
                let equals = Dictionary(
                    sorted[start..<end].map { (note($0), $0) }, uniquingKeysWith: { one, _ in one })
                let places = try equals.keys.compactMap(place).sorted(by: Place.precedes)
                result += places.prefix(limit - result.count).compactMap { equals[$0.note] }
            }
            start = end
        }
        return Array(result.prefix(limit))
    }
}

// MARK: - A closer look

extension Store {
    /// Notes looked at more closely after they were ranked by their best passage.
    private static let refinedNotes = 30
    /// Of a long note.
    private static let refinedPassages = 100

    private func refined(
        _ ranked: [BestNotes.Entry], _ weighed: WeighedLists, _ segments: [LiveSegment]
    ) throws -> [KeywordHit] {
        var hits: [KeywordHit] = []
        var chosen: [Int: [Int]] = [:]
        for (index, entry) in ranked.enumerated() {
            let passages = segments[Int(entry.segment)].passages
            let first = passages.range(ofNote: Int(entry.note)).lowerBound
            var hit = KeywordHit(
                note: Int(entry.note), position: Int(entry.passage) - first, score: 0)
            hit.parts.passage = Double(entry.score) / Double(SegmentScorer.unit)
            hits.append(hit)
            if index < Store.refinedNotes { chosen[Int(entry.segment), default: []].append(index) }
        }
        for (segment, indexes) in chosen {
            let closer = CloserLook(
                indexes.map { (Int(ranked[$0].note), Int(ranked[$0].passage)) },
                segments[segment], limit: Store.refinedPassages)
            let parts = try look(closer, weighed, segment, segments[segment])
            for (index, part) in zip(indexes, parts) {
                hits[index].parts.passage += part.passage
                hits[index].parts.otherPassages = part.otherPassages
                hits[index].parts.closeness = part.closeness
            }
        }
        for index in hits.indices {
            let parts = hits[index].parts
            hits[index].score = parts.passage + parts.otherPassages + parts.closeness
        }
        return hits
    }

    /// The passages of some notes of one segment, in ascending order.
    private struct CloserLook {
        /// By note: its passages, as places in `passages`, and which of them is the best.
        private(set) var notes: [(range: Range<Int>, best: Int)] = []
        private(set) var passages: [Int32] = []
        /// Which note's best passage stands at a place in `passages`.
        private(set) var noteOfBest: [Int: Int] = [:]

        init(_ found: [(note: Int, best: Int)], _ segment: LiveSegment, limit: Int) {
            let order = found.indices.sorted { found[$0].best < found[$1].best }
            notes = [(range: Range<Int>, best: Int)](repeating: (0..<0, 0), count: found.count)
            for index in order {
                var range = segment.passages.range(ofNote: found[index].note)
                if range.count > limit {
                    let start = max(range.lowerBound, found[index].best - limit / 2)
                    range = start..<min(range.upperBound, start + limit)
                }
                let first = passages.count
                passages += range.map { Int32($0) }
                let best = first + found[index].best - range.lowerBound
                notes[index] = (first..<passages.count, best)
                noteOfBest[best] = index
            }
        }
    }

    private func look(
        _ closer: CloserLook, _ weighed: WeighedLists, _ index: Int, _ segment: LiveSegment
    ) throws -> [KeywordHit.Parts] {
        let plan = weighed.lists.plan
        let scorer = SegmentScorer(
            passages: segment.passages, frequencies: weighed.frequencies, k1: scoring.k1)
        var wordIDFs = [Float](repeating: 0, count: plan.words)
        for (term, idf) in zip(plan.terms, weighed.idfs) {
            if let word = term.word { wordIDFs[word] = idf }
        }
        var closeness = [Proximity](
            repeating: Proximity(idfs: wordIDFs), count: closer.notes.count)
        var deferred = [Int64](repeating: 0, count: closer.notes.count)
        var beyond = [Int64](repeating: 0, count: closer.notes.count)
        for (place, row) in weighed.lists.rows[index].enumerated() {
            guard let row, !weighed.isPassedOver(place) else { continue }
            let term = plan.terms[place]
            let weight = weighed.weight(weighed.idfs[place], term.share, scoring)
            var cursor = try cursor(row, in: segment)
            var scores = [Int32](repeating: 0, count: closer.passages.count)
            for (at, passage) in closer.passages.enumerated() {
                guard let next = try cursor.seek(Int(passage)) else { break }
                guard next == Int(passage) else { continue }
                scores[at] = scorer.score(next, cursor.counts.code, weight)
                guard plan.words > 1, let word = term.word, let note = closer.noteOfBest[at],
                    let positions = try cursor.positions()
                else { continue }
                closeness[note].add(word: word, at: positions.positions(in: .body))
            }
            if plan.defers(place) {
                for (note, look) in closer.notes.enumerated() {
                    deferred[note] += Int64(scores[look.best])
                }
                continue
            }
            for (note, look) in closer.notes.enumerated() where look.range.count > 1 {
                let most = scores[look.range].max() ?? 0
                beyond[note] += Int64(most - scores[look.best])
            }
        }
        let average = weighed.totals.average(.body)
        return closer.notes.enumerated().map { note, look in
            var parts = KeywordHit.Parts()
            parts.passage = Double(deferred[note]) / Double(SegmentScorer.unit)
            parts.otherPassages =
                Double(scoring.otherPassages) * Double(beyond[note]) / Double(SegmentScorer.unit)
            let length = segment.passages.lengths[Int(closer.passages[look.best])].body
            parts.closeness = Double(
                scoring.closeness
                    * closeness[note].bonus(
                        length: Float(length) / average, k1: scoring.k1, b: scoring.b.body))
            return parts
        }
    }
}

// MARK: - Slips

extension Store {
    /// A word of the notes that the given one may be a slip for; nil when it is in the notes itself.
    package func nearestWord(to word: String) throws(StoreError) -> String? {
        let word = FoldedText.fold(word)
        guard word.utf8.count > 2, let first = word.unicodeScalars.first else { return nil }
        // Slips are rare in a first letter, and one letter is a small part of the vocabulary.
        let letter = Array(String(first).utf8)
        let found = try reporting {
            try connection.reading {
                var counts: [[UInt8]: Int] = [:]
                for prefix in [Analysis.key(exact: letter), Analysis.key(stem: letter)] {
                    try connection.forEach(
                        """
                        SELECT term, sum(passages) FROM terms
                        WHERE segment IN (SELECT number FROM segments) AND term >= ? AND term < ?
                        GROUP BY term
                        """, [.blob(prefix), .blob(prefix + [0xFF])]
                    ) { counts[$0.blob(0)] = $0.int(1) }
                }
                return counts
            }
        }
        // Words as they are written come before stems, which may be no words.
        let words = found.sorted { one, other in
            let (left, right) = (Analysis.isExact(one.key), Analysis.isExact(other.key))
            if left != right { return left }
            return (other.value, Analysis.word(one.key)) < (one.value, Analysis.word(other.key))
        }
        guard
            let nearest = EditDistance.nearest(
                to: word, in: words.map { Analysis.word($0.key) }), nearest != word
        else { return nil }
        return nearest
    }
}
