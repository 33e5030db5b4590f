import AuraSystem
import AuraTestKit

@testable import AuraCore

/// A folder of notes with an index beside it.
final class IndexedFolder: Sendable {
    let folder: TemporaryFolder
    let store: Store
    let source: NoteFiles
    var root: String { folder.path + "/home" }

    init(_ sealing: VaultHome.Sealing = .plain, key: [UInt8]? = nil) throws {
        folder = try TemporaryFolder()
        try Files.makeFolder(folder.path + "/home")
        let keys = sealing == .age ? HomeKeys.make() : nil
        store = try Store(path: folder.path + "/index.db", key: keys?.indexKey ?? key)
        source = NoteFiles(
            layout: VaultLayout(root: folder.path + "/home"),
            seal: keys.map { FileSeal(recipients: [$0.identities[0].recipient], keys: $0) })
    }

    struct Refused: Error {}

    /// "Now" is far off, so that no file counts as just changed; one that begins with `refuse` cannot
    /// be read.
    var indexer: Indexer { indexer(of: store) }

    func indexer(of store: Store) -> Indexer {
        Indexer(
            store: store, source: source, zone: .utc, now: { Instant(seconds: 4_000_000_000) },
            read: { bytes, path in
                if bytes.starts(with: "refuse".utf8) { throw Refused() }
                return IndexedNote(NoteText(bytes: bytes, path: path))
            })
    }

    func write(_ text: String, to path: String) throws {
        let bytes = Array(text.utf8)
        try folder.write(
            source.seal?.sealed(bytes, label: path) ?? bytes, to: "home/" + source.name(of: path))
    }

    func remove(_ path: String) throws {
        try Files.remove("\(root)/\(try source.name(of: path))")
    }

    @discardableResult
    func refresh() async throws -> IndexReport { try await indexer.refresh() }

    func search(
        _ text: String, mode: Search.Mode = .keyword, limit: Int = 20
    ) async throws -> Search.Results {
        let query = SearchQuery(text)
        var vector: Search.QueryVector?
        if mode != .keyword {
            let embedding = try await WordEmbedder().vectors(for: [query.meaning])[0]
            vector = Search.QueryVector(embedding: embedding, model: WordEmbedder().modelName)
        }
        return try await Search(store: store).hits(
            for: query, mode: mode, vector: vector, limit: limit)
    }

    func paths(_ text: String, mode: Search.Mode = .keyword) async throws -> [String] {
        try await search(text, mode: mode).hits.map(\.path)
    }
}
