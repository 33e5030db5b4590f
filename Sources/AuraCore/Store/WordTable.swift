internal import AuraSQLite

/// A note found by its words.
package struct KeywordHit: Hashable, Sendable {
    package var note: Int
    /// BM25 over all columns; above 0, comparable within one query only.
    package var score: Double
}

/// The inverted index. This file is the only one that knows that it is an FTS5 table.
extension Store {
    /// What a term weighs in each column, in the order of `WordColumns`.
    ///
    /// FTS5 scores `tf · w` with k1 = 1.2 and b = 0.75 over the length of all columns together, so
    /// the scale of all weights is also a choice of k1 (1.2 / w for the body).
    package struct Weights: Hashable, Sendable {
        package var title = 3.0
        package var tags = 2.0
        package var headings = 1.5
        package var body = 1.0
        package var forms = 0.05

        package init() {}

        fileprivate var values: [Double] { [title, tags, headings, body, forms] }
    }

    /// The notes that fit best by words, best first; of equals the newest first, then by path.
    ///
    /// Costs two passes over the lists of the query's terms.
    package func keywordHits(
        _ query: KeywordQuery, _ filter: NoteFilter = NoteFilter(), limit: Int,
        weights: Weights = Weights()
    ) throws(StoreError) -> [KeywordHit] {
        guard let expression = WordExpression.match(query), limit > 0 else { return [] }
        // The plus keeps SQLite from asking the word lists anew for every note that passes.
        let condition = filter.condition.map {
            (
                sql: "AND +words.rowid IN (SELECT number FROM notes WHERE \($0.sql))",
                values: $0.values
            )
        }
        let values =
            weights.values.map(Value.real) + [.text(expression)] + (condition?.values ?? [])
        return try reporting {
            // One more than wanted shows whether the last place is shared.
            let more = limit < .max ? limit + 1 : limit
            var hits = try keywordHits(
                condition?.sql ?? "", values + [.integer(Int64(more))], order: "score DESC")
            if hits.count > limit, hits[limit].score == hits[limit - 1].score {
                hits = try keywordHits(
                    condition?.sql ?? "", values + [.integer(Int64(limit))],
                    order: "score DESC, (SELECT moment FROM notes WHERE number = words.rowid) DESC")
            }
            return try newestFirstAmongEquals(Array(hits.prefix(limit)))
        }
    }

    private func keywordHits(
        _ condition: String, _ values: [Value], order: String
    ) throws -> [KeywordHit] {
        try connection.rows(
            """
            SELECT rowid, -bm25(words, ?, ?, ?, ?, ?) AS score FROM words
            WHERE words MATCH ? \(condition) ORDER BY \(order) LIMIT ?
            """, values
        ) { KeywordHit(note: $0.int(0), score: $0.double(1)) }
    }

    /// The time of a note costs a look-up, so it is asked for where it decides.
    private func newestFirstAmongEquals(_ hits: [KeywordHit]) throws -> [KeywordHit] {
        guard zip(hits, hits.dropFirst()).contains(where: { $0.score == $1.score }) else {
            return hits
        }
        let statement = try connection.statement("SELECT moment FROM notes WHERE number = ?")
        var moments: [Int: Int64] = [:]
        for hit in hits {
            try statement.rows([.integer(Int64(hit.note))]) { moments[hit.note] = $0.int64(0) }
        }
        return hits.sorted { left, right in
            (left.score, moments[left.note] ?? 0, right.note)
                > (right.score, moments[right.note] ?? 0, left.note)
        }
    }

    /// The newest notes that pass the filter and have none of the phrases.
    package func listWithout(
        _ excluded: [KeywordQuery.Phrase], _ filter: NoteFilter, limit: Int
    ) throws(StoreError) -> [Int] {
        let expression = WordExpression.any(excluded)
        let condition = filter.condition
        let without =
            expression == nil
            ? "" : "AND number NOT IN (SELECT rowid FROM words WHERE words MATCH ?)"
        return try reporting {
            try connection.rows(
                """
                SELECT number FROM notes WHERE \(condition?.sql ?? "true") \(without)
                ORDER BY moment DESC, number LIMIT ?
                """,
                (condition?.values ?? []) + (expression.map { [.text($0)] } ?? [])
                    + [.integer(Int64(limit))]
            ) { $0.int(0) }
        }
    }

    /// Those of the notes that have what the query requires and nothing it excludes.
    package func notes(
        _ notes: [Int], thatMeet query: KeywordQuery
    ) throws(StoreError) -> Set<Int> {
        var found = Set(notes)
        try reporting {
            for (phrases, isWanted) in query.required.map({ ($0, true) }) + [
                (query.excluded, false)
            ] {
                guard let expression = WordExpression.any(phrases) else { continue }
                var having: Set<Int> = []
                try connection.forEach(
                    "SELECT rowid FROM words WHERE words MATCH ?", [.text(expression)]
                ) { having.insert($0.int(0)) }
                if isWanted { found.formIntersection(having) } else { found.subtract(having) }
            }
        }
        return found
    }

    /// A word of the notes that the given one may be a slip for; nil when it is in the notes itself.
    package func nearestWord(to word: String) throws(StoreError) -> String? {
        let word = FoldedText.fold(word)
        guard word.utf8.count > 2, let first = word.unicodeScalars.first else { return nil }
        // Slips are rare in a first letter, and one letter is a small part of the vocabulary.
        let words = try reporting {
            try connection.rows(
                "SELECT term FROM vocabulary WHERE term >= ? AND term < ? ORDER BY doc DESC",
                [.text(String(first)), .text(String(first) + "\u{10FFFF}")]
            ) { $0.text(0) }
        }
        guard let nearest = EditDistance.nearest(to: word, in: words), nearest != word else {
            return nil
        }
        return nearest
    }

    func insertWords(_ words: WordColumns, of note: Int) throws {
        try connection.run(
            "INSERT INTO words(rowid, title, tags, headings, body, forms) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(Int64(note)), .text(words.title), .text(words.tags),
                .text(words.headings), .text(words.body), .text(words.forms),
            ])
    }
}

/// FTS5's own query language, written out of terms that hold nothing but letters and digits.
enum WordExpression {
    static func match(_ query: KeywordQuery) -> String? {
        var parts = query.required.compactMap(any)
        guard parts.count == query.required.count else { return nil }
        // With something required the other words only order; required ones keep them from filtering.
        let optional = parts.isEmpty ? query.optional : query.optional + query.required.joined()
        if !query.optional.isEmpty, let any = any(optional) { parts.append(any) }
        guard !parts.isEmpty else { return nil }
        let sought = parts.joined(separator: " AND ")
        guard let excluded = any(query.excluded) else { return sought }
        return "(\(sought)) NOT \(excluded)"
    }

    static func any(_ phrases: some Sequence<KeywordQuery.Phrase>) -> String? {
        let texts = phrases.map(text)
        return texts.isEmpty ? nil : "(\(texts.joined(separator: " OR ")))"
    }

    private static func text(_ phrase: KeywordQuery.Phrase) -> String {
        let column = phrase.field == .title ? "title : " : ""
        let star = phrase.isPrefix ? " *" : ""
        var alternatives = ["\"\(phrase.terms.map(\.stem).joined(separator: " "))\"\(star)"]
        if phrase.isPrefix, phrase.terms.count == 1 {
            // The stem of a word that is not finished says little.
            alternatives = ["\"\(phrase.terms[0].word)\" *"]
        }
        // Titles have no column of their own for forms.
        if phrase.field == .anywhere {
            if phrase.terms.count == 1, phrase.terms[0].word != phrase.terms[0].stem {
                alternatives.append("\"\(phrase.terms[0].word)\"\(star)")
            } else if phrase.isCompound, phrase.terms.count <= Compound.maximumParts {
                let joined = phrase.terms.map(\.word).joined()
                if joined.utf8.count <= TermScanner.maximumBytes {
                    alternatives.append("\"\(EnglishStem.of(joined))\"")
                    alternatives.append("\"\(joined)\"")
                }
            }
        }
        var seen: Set<String> = []
        let each = alternatives.filter { seen.insert($0).inserted }.map { column + $0 }
        return each.count == 1 ? each[0] : "(\(each.joined(separator: " OR ")))"
    }
}
