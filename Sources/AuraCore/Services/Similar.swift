/// Notes like one of them.
extension Services {
    /// What `similar` finds.
    package struct Similar: Sendable {
        /// Best first.
        package var hits: [Hit] = []
        /// What the person should know, a sentence each.
        package var remarks: [String] = []
    }

    /// The notes most like one, from all shelves: by meaning where vectors are, else by its words.
    /// - Throws: `StoreError`.
    package func similar(
        to note: ModelNote, _ filter: NoteFilter, limit: Int, _ library: Library
    ) async throws -> Similar {
        var found = Similar()
        let vectors = try await vectors(of: note, library)
        if vectors == nil { found.remarks.append("compared by words only") }
        for shelf in library.shelves {
            let search = Search(store: shelf.store)
            if let vectors, let embedder {
                found.hits += try await search.notes(
                    like: note, vectors: vectors, model: embedder.modelName, filter, limit: limit)
            } else {
                found.hits += try await search.notes(
                    sharingWordsWith: note, filter, limit: limit)
            }
        }
        found.hits.sort { ($0.score, $0.day, $0.path) > ($1.score, $1.day, $1.path) }
        found.hits = Array(found.hits.prefix(limit))
        return found
    }

    /// Nil without an embedding model, or where no note has a vector of it.
    private func vectors(of note: ModelNote, _ library: Library) async throws -> [Embedding]? {
        guard let embedder, !note.passages.isEmpty,
            try await hasVectors(library.shelves.map(\.store), of: embedder)
        else { return nil }
        let vectors = try? await embedder.vectors(
            for: note.embeddedTexts, urgency: .interactive, within: .seconds(20))
        return vectors?.contains { !$0.values.isEmpty } == true ? vectors : nil
    }
}
