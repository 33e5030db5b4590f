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

    package var store: Store
    package var ranking = Ranking()

    package init(store: Store) { self.store = store }

    /// Each leg brings so many notes for every one wanted: a note that is second in both may be
    /// better than the first of either.
    static let candidatesPerHit = 5
    static let fewestCandidates = 100
    /// Passages looked through for the snippet of one note.
    static let passagesPerNote = 200

    /// The notes that answer the query.
    /// - Parameters:
    ///   - vector: needed for meaning; without one `hybrid` and `semantic` search by words and say so.
    /// - Throws: `StoreError`.
    package func hits(
        for query: SearchQuery, mode: Mode = .hybrid, vector: QueryVector? = nil, limit: Int = 20
    ) async throws -> Results {
        var results = Results(remarks: query.remarks)
        guard limit > 0, !query.isEmpty else { return results }
        let ranked = try await self.ranked(
            query, mode: mode, vector: vector, limit: limit, remarks: &results.remarks)
        results.hits = try await present(ranked, query)
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
        let numbers = ranked.map(\.note)
        let records = try await store.notes(numbered: numbers)
        let texts = try await store.passages(ofNotes: numbers, limit: Search.passagesPerNote)
        let maker = SnippetMaker(query.words)
        var found: [PassageHit] = []
        for item in ranked {
            guard let record = records[item.note] else { continue }
            let judged = (texts[item.note] ?? []).map { passage in
                (
                    passage, near[passage.number],
                    Double(near[passage.number] ?? 0) * 4000
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
        if usesMeaning, vector == nil { remarks.append("searched by words only") }
        if query.words.isEmpty {
            let numbers = try await store.listWithout(
                query.words.excluded, query.filter, limit: limit)
            return numbers.map {
                Ranking.Ranked(note: $0, score: 0, parts: Hit.Parts(), passage: nil)
            }
        }
        let candidates = max(
            Search.fewestCandidates,
            limit.multipliedReportingOverflow(by: Search.candidatesPerHit).partialValue,
            limit)
        var keyword: [KeywordHit] = []
        if mode != .semantic || vector == nil {
            keyword = try await store.keywordHits(query.words, query.filter, limit: candidates)
        }
        var semantic: [VectorHit] = []
        if usesMeaning, let vector {
            semantic = try await store.nearest(
                to: vector.embedding, model: vector.model, query.filter, limit: candidates)
            if !query.words.required.isEmpty || !query.words.excluded.isEmpty {
                semantic = try await allowed(semantic, query)
            }
        }
        return Array(ranking.fuse(keyword: keyword, semantic: semantic).prefix(limit))
    }

    /// What must or must not be there binds the search by meaning too.
    private func allowed(_ hits: [VectorHit], _ query: SearchQuery) async throws -> [VectorHit] {
        let notes = try await store.notes(hits.map(\.note), thatMeet: query.words)
        return hits.filter { notes.contains($0.note) }
    }

    private func similarities(
        _ query: SearchQuery, mode: Mode, vector: QueryVector?, limit: Int
    ) async throws -> [Int: Float] {
        guard mode != .keyword, let vector else { return [:] }
        let near = try await store.nearestPassages(
            to: vector.embedding, model: vector.model, query.filter, limit: limit)
        return Dictionary(near.map { ($0.passage, $0.similarity) }, uniquingKeysWith: max)
    }

    // MARK: Results

    private func present(_ ranked: [Ranking.Ranked], _ query: SearchQuery) async throws -> [Hit] {
        let numbers = ranked.map(\.note)
        let records = try await store.notes(numbered: numbers)
        let passages = try await store.passages(ofNotes: numbers, limit: Search.passagesPerNote)
        let maker = SnippetMaker(query.words)
        return ranked.compactMap { item in
            guard let record = records[item.note] else { return nil }
            return hit(item, record, passages[item.note] ?? [], maker)
        }
    }

    private func hit(
        _ item: Ranking.Ranked, _ record: NoteRecord, _ passages: [PassageRecord],
        _ maker: SnippetMaker
    ) -> Hit {
        var best: (passage: PassageRecord, matches: [SnippetMaker.Match], weight: Int)?
        for passage in passages {
            let matches = maker.matches(in: passage.text)
            let weight = maker.weight(of: matches)
            if weight > best?.weight ?? 0 { best = (passage, matches, weight) }
        }
        if best == nil,
            let passage = passages.first(where: { $0.number == item.passage }) ?? passages.first
        {
            best = (passage, [], 0)
        }
        var parts = item.parts
        parts.heading = best?.passage.heading ?? ""
        let matched = (best?.matches ?? []) + maker.matches(in: record.title)
        var seen: Set<String> = []
        parts.matchedWords = matched.map(\.stem).filter { seen.insert($0).inserted }
        return Hit(
            path: record.path, id: record.id, title: record.title, vault: record.vault,
            kind: record.kind, tags: record.tags, day: record.day, score: item.score,
            snippet: best.map { maker.snippet(of: $0.passage.text) } ?? .empty,
            parts: parts)
    }

    /// The words of the query, each that no note has replaced by the nearest one that some note has.
    private func suggestion(for query: SearchQuery) async throws -> String? {
        let phrases = query.words.sought
        guard phrases.count <= 8, phrases.allSatisfy({ $0.terms.count == 1 }) else { return nil }
        var words: [String] = []
        var isChanged = false
        for term in phrases.map({ $0.terms[0] }) {
            let nearest = try await store.nearestWord(to: term.word)
            isChanged = isChanged || nearest != nil
            words.append(nearest ?? term.word)
        }
        return isChanged ? words.joined(separator: " ") : nil
    }
}
