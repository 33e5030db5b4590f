import AuraTestKit
import Testing

@testable import AuraCore

@Suite("notes like one of them")
struct SimilarNotesTests {
    private static let plum = "# Plum\n\nThe plum tree by the shed flowers in March.\n"

    private func home(_ notes: [String: String]) async throws -> IndexedFolder {
        let home = try IndexedFolder()
        for (name, text) in notes { try home.write(text, to: "V/\(name).md") }
        try await home.refresh()
        return home
    }

    private func model(_ name: String, _ text: String) -> ModelNote {
        let path = "V/\(name).md"
        return ModelNote(path: path, note: NoteText(bytes: Array(text.utf8), path: path).note)
    }

    private func paths(
        like note: ModelNote, in home: IndexedFolder, limit: Int = 20
    ) async throws -> [String] {
        let embedder = WordEmbedder()
        let vectors = try await embedder.vectors(for: note.embeddedTexts)
        return try await Search(store: home.store).notes(
            like: note, vectors: vectors, model: embedder.modelName, NoteFilter(), limit: limit
        ).map(\.path)
    }

    @Test("a copy comes before what is merely near, and the note itself is left out")
    func byMeaning() async throws {
        let home = try await home([
            "plum": Self.plum, "copy": Self.plum,
            "near": "# Apple\n\nThe apple tree by the shed.\n",
            "far": "# Budget\n\nQuarterly figures 2026.\n",
        ])
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        let found = try await paths(like: model("plum", Self.plum), in: home)
        #expect(found.first == "V/copy.md")
        #expect(!found.contains("V/plum.md"))
        #expect(
            try await paths(like: model("plum", Self.plum), in: home, limit: 1) == ["V/copy.md"])
    }

    @Test("of two notes as near to one passage, the one near to all passages comes first")
    func allPassages() async throws {
        let first = "# Plum\n\nThe plum tree flowers.\n"
        let second = "# Pump\n\nThe pump log is wet.\n"
        let home = try await home(["one": first, "both": first + "\n" + second, "x": "# X\n\nno\n"])
        _ = try await home.indexer.embedMissing(with: WordEmbedder())
        let note = model("new", first + "\n" + second)
        #expect(note.passages.count == 2)
        #expect(try await paths(like: note, in: home).first == "V/both.md")
    }

    @Test("by words, the note with the rarest words in common comes first")
    func byWords() async throws {
        let home = try await home([
            "plum": Self.plum, "rare": "A plum in March.", "common": "The tree by the shed.",
            "other": "A tree and a shed.", "third": "Shed, tree.", "none": "Budget.",
        ])
        let hits = try await Search(store: home.store).notes(
            sharingWordsWith: model("plum", Self.plum), NoteFilter(), limit: 10)
        #expect(hits.first?.path == "V/rare.md")
        #expect(hits.first?.score == 1)
        #expect(!hits.contains { ["V/plum.md", "V/none.md"].contains($0.path) })
    }

    @Test("a note that says nothing is like none")
    func empty() async throws {
        let home = try await home(["plum": Self.plum])
        let note = model("empty", "---\ntitle: The\n---\n")
        let hits = try await Search(store: home.store).notes(
            sharingWordsWith: note, NoteFilter(), limit: 10)
        #expect(hits.isEmpty)
        #expect(try await paths(like: note, in: home).isEmpty)
    }
}
