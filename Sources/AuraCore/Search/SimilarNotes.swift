/// A note that others are compared with.
package struct ModelNote: Sendable {
    package var path: String
    package var title: String
    package var passages: [Passage]

    package init(path: String, note: Note) {
        self.path = path
        title = note.title
        passages = Array(Passage.split(note: note).prefix(Self.mostPassages))
    }

    /// What a longer note goes on with is not compared: each passage costs a pass over all vectors.
    static let mostPassages = 16
    /// More words than this find nothing better and cost time.
    static let mostWords = 48

    /// What the embedding model reads of each passage, as it reads those of the index, but for the day:
    /// notes are alike whenever they were made.
    package var embeddedTexts: [String] {
        passages.map { passage in
            UnembeddedPassage(
                number: 0, note: 0, title: title,
                heading: passage.headingPath.joined(separator: " › "), text: passage.text
            ).embeddedText
        }
    }

    /// Its words that may tell something: those of the title, then the most frequent ones.
    ///
    /// How rare a word is among all notes is not asked here: a search weighs each word by that itself.
    package var tellingWords: [String] {
        var counts: [String: (count: Int, place: Int)] = [:]
        func count(_ text: String, as weight: Int) {
            for phrase in KeywordQuery.Phrase.each(in: text) {
                for term in phrase.terms where !StopWords.english.contains(term.word) {
                    let known = counts[term.word] ?? (0, counts.count)
                    counts[term.word] = (known.count + weight, known.place)
                }
            }
        }
        count(title, as: 1000)
        for passage in passages { count(passage.text, as: 1) }
        let ordered = counts.sorted { left, right in
            (right.value.count, left.value.place) < (left.value.count, right.value.place)
        }
        return ordered.prefix(Self.mostWords).map(\.key)
    }
}

extension Search {
    /// The notes nearest in meaning to the passages of one, itself left out, best first.
    ///
    /// A note counts by how near its nearest passage comes: half by the nearest of all pairs, half by the mean
    /// over the passages compared with. So a note that is like one passage is found, and one that is like all of
    /// them stands before it.
    /// - Throws: `StoreError`.
    package func notes(
        like note: ModelNote, vectors: [Embedding], model: String, _ filter: NoteFilter, limit: Int
    ) async throws -> [Hit] {
        let vectors = vectors.filter { !$0.values.isEmpty }
        guard limit > 0, !vectors.isEmpty else { return [] }
        let candidates = max(
            Search.fewestCandidates, limit.multipliedReportingOverflow(by: 2).partialValue, limit)
        var found: [Int: (sum: Float, best: VectorHit)] = [:]
        for vector in vectors {
            let hits = try await store.nearest(
                to: vector, model: model, filter, limit: candidates)
            for hit in hits where hit.similarity > 0 {
                var entry = found[hit.note] ?? (0, hit)
                entry.sum += hit.similarity
                if hit.similarity > entry.best.similarity { entry.best = hit }
                found[hit.note] = entry
            }
        }
        let scored = found.values.map { entry in
            let mean = entry.sum / Float(vectors.count)
            return (hit: entry.best, score: (entry.best.similarity + mean) / 2)
        }
        let ordered = scored.sorted { ($1.score, $0.hit.note) < ($0.score, $1.hit.note) }
        let ranked = ordered.prefix(limit + 1).enumerated().map { place, item in
            var parts = Hit.Parts()
            parts.similarity = item.hit.similarity
            parts.semanticRank = place + 1
            parts.semanticShare = Double(item.score)
            return Ranking.Ranked(
                note: item.hit.note, score: Double(item.score), parts: parts,
                passage: item.hit.passage)
        }
        return try await others(than: note, ranked, SearchQuery(""), limit: limit)
    }

    /// The notes that share the most telling words with one, itself left out, best first.
    /// - Throws: `StoreError`.
    package func notes(
        sharingWordsWith note: ModelNote, _ filter: NoteFilter, limit: Int
    ) async throws -> [Hit] {
        var query = SearchQuery(note.tellingWords.joined(separator: " "))
        query.restrict(to: filter)
        guard limit > 0, !query.words.isEmpty else { return [] }
        let hits = try await store.keywordHits(query.words, query.filter, limit: limit + 1)
        let own = try await store.notes(numbered: hits.map(\.note))
        // Scores are shares of the best one's, which is the best other note.
        let ranked = ranking.fuse(
            keyword: hits.filter { own[$0.note]?.path != note.path }, semantic: [])
        return try await others(than: note, ranked, query, limit: limit)
    }

    private func others(
        than note: ModelNote, _ ranked: [Ranking.Ranked], _ query: SearchQuery, limit: Int
    ) async throws -> [Hit] {
        let hits = try await present(ranked, query).filter { $0.path != note.path }
        return Array(hits.prefix(limit))
    }
}
