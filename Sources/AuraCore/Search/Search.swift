/// Finds notes: by words, by meaning, or both.
package struct Search: Sendable {
    package enum Mode: String, CaseIterable, Sendable { case keyword, semantic, hybrid }

    /// The query's vector, and the model it is from.
    package struct QueryVector: Sendable {
        package var embedding: Embedding
        package var model: String

        package init(embedding: Embedding, model: String) {
            self.embedding = embedding
            self.model = model
        }
    }

    package struct Results: Sendable {
        /// Best first, or newest first when the query has nothing to rank by.
        package var hits: [Hit] = []
        /// What the person should know: a filter that was read as words, a leg that was left out.
        package var remarks: [String] = []
        /// When nothing was found: the query with its likely slips corrected.
        package var suggestion: String?
    }

    /// Searched as one: words weigh by how common they are in all of them.
    package var stores: [Store]
    package var ranking = Ranking()

    package init(store: Store) { stores = [store] }

    /// - Parameter stores: at least one.
    package init(stores: [Store]) {
        precondition(!stores.isEmpty, "there is something to search")
        self.stores = stores
    }

    /// Where there is only one.
    var store: Store { stores[0] }

    /// Each leg brings so many notes for every one wanted: a note that is second in both may be
    /// better than the first of either.
    static let candidatesPerHit = 5
    static let fewestCandidates = 100
    static let wordsOnlyRemark = "searched by words only"
    /// Passages looked through for the snippet of one note.
    static let passagesPerNote = 200

    /// The notes that answer the query.
    /// - Parameters:
    ///   - quoting: false leaves snippets empty, for who wants to know which notes alone.
    ///   - vector: needed for meaning; without one `hybrid` and `semantic` search by words and say so.
    /// - Throws: `StoreError`.
    package func hits(
        for query: SearchQuery, mode: Mode = .hybrid, vector: QueryVector? = nil, limit: Int = 20,
        quoting: Bool = true
    ) async throws -> Results {
        var results = Results(remarks: query.remarks)
        guard limit > 0, !query.isEmpty else { return results }
        let ranked = try await self.ranked(
            query, mode: mode, vector: vector, limit: limit, remarks: &results.remarks)
        results.hits = try await present(ranked, query, quoting: quoting)
        if results.hits.isEmpty { results.suggestion = try await suggestion(for: query) }
        return results
    }

    /// The passages to answer from: the best ones of the best notes, best first.
    package func passages(
        for query: SearchQuery, mode: Mode = .hybrid, vector: QueryVector? = nil, limit: Int,
        perNote: Int = 2
    ) async throws -> [PassageHit] {
        guard limit > 0, !query.isEmpty else { return [] }
        var remarks: [String] = []
        let ranked = try await self.ranked(
            query, mode: mode, vector: vector, limit: limit, remarks: &remarks)
        let near = try await similarities(query, mode: mode, vector: vector, limit: limit * 4)
        let records = try await records(of: ranked)
        let texts = try await passages(of: ranked)
        let maker = SnippetMaker(query.words)
        var found: [PassageHit] = []
        for item in ranked {
            guard let record = records[item.note] else { continue }
            let judged = (texts[item.note] ?? []).map { passage in
                (
                    passage, near[joint(passage.number, item.note % stores.count)],
                    Double(near[joint(passage.number, item.note % stores.count)] ?? 0) * 4000
                        + Double(maker.weight(of: maker.matches(in: passage.text)))
                )
            }
            for (passage, similarity, _) in judged.sorted(by: { $0.2 > $1.2 }).prefix(perNote) {
                found.append(
                    PassageHit(
                        note: record, heading: passage.heading, text: passage.text,
                        similarity: similarity, score: item.score))
            }
            if found.count >= limit { break }
        }
        return Array(found.prefix(limit))
    }

    // MARK: The legs

    private func ranked(
        _ query: SearchQuery, mode: Mode, vector: QueryVector?, limit: Int,
        remarks: inout [String]
    ) async throws -> [Ranking.Ranked] {
        let usesMeaning = mode != .keyword && !query.words.isEmpty
        if usesMeaning, vector == nil { remarks.append(Search.wordsOnlyRemark) }
        let allowed = try await each { try await $0.allowedNotes(query.words, query.filter) }
        if query.words.isEmpty { return try await newest(allowed, limit: limit) }
        // One leg alone is in order; of two, each brings more.
        let isFused = mode == .hybrid && usesMeaning && vector != nil
        let candidates =
            isFused
            ? max(
                Search.fewestCandidates,
                limit.multipliedReportingOverflow(by: Search.candidatesPerHit).partialValue, limit)
            : limit
        var keyword: [KeywordHit] = []
        if mode != .semantic || vector == nil {
            let statistics =
                stores.count > 1
                ? try await each { try await $0.wordStatistics(query.words) }
                    .reduce(WordStatistics(), +) : nil
            for (shelf, store) in stores.enumerated() {
                keyword += try await store.keywordHits(
                    query.words, limit: candidates, allowed: allowed[shelf],
                    statistics: statistics
                ).map { hit in
                    var hit = hit
                    hit.note = joint(hit.note, shelf)
                    return hit
                }
            }
            if stores.count > 1 { keyword.sort { $0.score > $1.score } }
        }
        var semantic: [VectorHit] = []
        if usesMeaning, let vector {
            for (shelf, store) in stores.enumerated() {
                semantic += try await store.nearest(
                    to: vector.embedding, model: vector.model, among: allowed[shelf],
                    limit: candidates
                ).map { hit in
                    var hit = hit
                    hit.note = joint(hit.note, shelf)
                    return hit
                }
            }
            if stores.count > 1 { semantic.sort { $0.similarity > $1.similarity } }
        }
        return Array(ranking.fuse(keyword: keyword, semantic: semantic).prefix(limit))
    }

    /// Notes (or passages) of different stores under numbers of their own.
    private func joint(_ number: Int, _ shelf: Int) -> Int { number * stores.count + shelf }

    private func each<Result>(_ body: (Store) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for store in stores { results.append(try await body(store)) }
        return results
    }

    private func newest(_ allowed: [NoteSet?], limit: Int) async throws -> [Ranking.Ranked] {
        var ranked: [Ranking.Ranked] = []
        for (shelf, store) in stores.enumerated() {
            ranked += try await store.newestNotes(allowed: allowed[shelf], limit: limit).map {
                Ranking.Ranked(
                    note: joint($0, shelf), score: 0, parts: Hit.Parts(), passage: nil)
            }
        }
        guard stores.count > 1 else { return ranked }
        let records = try await records(of: ranked)
        ranked = ranked.filter { records[$0.note] != nil }
        ranked.sort { one, other in
            guard let left = records[one.note], let right = records[other.note] else {
                return false
            }
            return Store.Order.newestFirst.precedes(left, right)
        }
        return Array(ranked.prefix(limit))
    }

    private func similarities(
        _ query: SearchQuery, mode: Mode, vector: QueryVector?, limit: Int
    ) async throws -> [Int: Float] {
        guard mode != .keyword, let vector else { return [:] }
        var near: [Int: Float] = [:]
        for (shelf, store) in stores.enumerated() {
            for hit in try await store.nearestPassages(
                to: vector.embedding, model: vector.model, query.filter, limit: limit)
            {
                near[joint(hit.passage, shelf)] = hit.similarity
            }
        }
        return near
    }

    /// The notes of each store, by their numbers there.
    private func numbers(of ranked: [Ranking.Ranked]) -> [[Int]] {
        var numbers = [[Int]](repeating: [], count: stores.count)
        for item in ranked {
            numbers[item.note % stores.count].append(item.note / stores.count)
        }
        return numbers
    }

    private func records(of ranked: [Ranking.Ranked]) async throws -> [Int: NoteRecord] {
        var records: [Int: NoteRecord] = [:]
        for (shelf, numbers) in numbers(of: ranked).enumerated() {
            for (number, record) in try await stores[shelf].notes(numbered: numbers) {
                records[joint(number, shelf)] = record
            }
        }
        return records
    }

    private func passages(of ranked: [Ranking.Ranked]) async throws -> [Int: [PassageRecord]] {
        var found: [Int: [PassageRecord]] = [:]
        for (shelf, numbers) in numbers(of: ranked).enumerated() {
            let passages = try await stores[shelf].passages(
                ofNotes: numbers, limit: Search.passagesPerNote)
            for (number, passages) in passages { found[joint(number, shelf)] = passages }
        }
        return found
    }

    // MARK: Results

    func present(
        _ ranked: [Ranking.Ranked], _ query: SearchQuery, quoting: Bool = true
    ) async throws -> [Hit] {
        let records = try await records(of: ranked)
        let passages = quoting ? try await passages(of: ranked) : [:]
        let maker = SnippetMaker(query.words)
        return ranked.compactMap { item in
            guard let record = records[item.note] else { return nil }
            return hit(item, record, passages[item.note] ?? [], quoting ? maker : nil)
        }
    }

    private func hit(
        _ item: Ranking.Ranked, _ record: NoteRecord, _ passages: [PassageRecord],
        _ maker: SnippetMaker?
    ) -> Hit {
        var best: (passage: PassageRecord, matches: [SnippetMaker.Match], weight: Int)?
        // The passage that the words found is quoted; where meaning found the note, the one with most words.
        let found = passages.filter { $0.position == item.position }
        for passage in found.isEmpty ? passages : found {
            let matches = maker?.matches(in: passage.text) ?? []
            let weight = maker?.weight(of: matches) ?? 0
            if weight > best?.weight ?? 0 { best = (passage, matches, weight) }
        }
        if best == nil,
            let passage = passages.first(where: { $0.number == item.passage }) ?? passages.first
        {
            best = (passage, [], 0)
        }
        var parts = item.parts
        parts.heading = best?.passage.heading ?? ""
        let matched = (best?.matches ?? []) + (maker?.matches(in: record.title) ?? [])
        var seen: Set<String> = []
        parts.matchedWords = matched.map(\.stem).filter { seen.insert($0).inserted }
        return Hit(
            path: record.path, id: record.id, title: record.title, vault: record.vault,
            kind: record.kind, tags: record.tags, day: record.day, score: item.score,
            snippet: best.flatMap { maker?.snippet(of: $0.passage.text, $0.matches) } ?? .empty,
            parts: parts)
    }

    /// The words of the query, each that no note has replaced by the nearest one that some note has.
    private func suggestion(for query: SearchQuery) async throws -> String? {
        let phrases = query.words.sought
        guard phrases.count <= 8, phrases.allSatisfy({ $0.terms.count == 1 }) else { return nil }
        var words: [String] = []
        var isChanged = false
        for term in phrases.map({ $0.terms[0] }) {
            let nearest = try await nearestWord(to: term.word)
            isChanged = isChanged || nearest != nil
            words.append(nearest ?? term.word)
        }
        return isChanged ? words.joined(separator: " ") : nil
    }

    private func nearestWord(to word: String) async throws -> String? {
        for store in stores {
            if let nearest = try await store.nearestWord(to: word) { return nearest }
        }
        return nil
    }
}
