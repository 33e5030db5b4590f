import AuraSystem
import AuraTestKit
import Foundation
import Synchronization

@testable import AuraCore

/// A folder of notes with an index beside it.
final class IndexedFolder: Sendable {
    let folder: TemporaryFolder
    let store: Store
    let source: FolderSource
    var root: String { folder.path + "/home" }

    init(key: [UInt8]? = nil) throws {
        folder = try TemporaryFolder()
        try Files.makeFolder(folder.path + "/home")
        store = try Store(path: folder.path + "/index.db", key: key)
        source = FolderSource(root: folder.path + "/home")
    }

    /// The files are written an hour before "now", so that none counts as just changed.
    var indexer: Indexer { indexer(of: store) }

    func indexer(of store: Store) -> Indexer {
        Indexer(
            store: store, source: source, zone: .utc, now: { Instant(seconds: 4_000_000_000) },
            read: PlainNote.read)
    }

    func write(_ text: String, to path: String) throws {
        try folder.write(text, to: "home/" + path)
    }

    func remove(_ path: String) throws { try Files.remove("\(root)/\(path)") }

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

/// Every `.md` below a folder.
struct FolderSource: NoteSource {
    let root: String

    func listing() throws -> [NoteFile] {
        var files: [NoteFile] = []
        var folders = [""]
        while let folder = folders.popLast() {
            for entry in try Files.entries(of: "\(root)/\(folder)") {
                let path = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
                if entry.status.kind == .folder {
                    folders.append(path)
                } else if entry.name.hasSuffix(".md") {
                    files.append(
                        NoteFile(
                            path: path, size: entry.status.size, modified: entry.status.modified,
                            inode: entry.status.inode))
                }
            }
        }
        return files
    }

    func contents(of path: String) throws -> [UInt8]? {
        guard try Files.status(of: "\(root)/\(path)") != nil else { return nil }
        return try Files.bytes(at: "\(root)/\(path)")
    }
}

/// Front matter of one `key: value` a line, passages at blank lines: enough for notes in tests.
enum PlainNote {
    struct Refused: Error {}

    static func read(_ bytes: [UInt8], _ path: String) throws -> IndexedNote {
        if bytes.starts(with: "refuse".utf8) { throw Refused() }
        var note = Note(vault: String(path.prefix { $0 != "/" }))
        var lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)[...]
        if lines.first == "---" {
            lines.removeFirst()
            while let line = lines.popFirst(), line != "---" {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                set(String(line[..<colon]), to: value, of: &note)
            }
        }
        note.body = lines.joined(separator: "\n")
        if note.title.isEmpty {
            note.title = String(path.split(separator: "/").last ?? "").replacing(".md", with: "")
        }
        var heading = ""
        var passages: [PassageText] = []
        for block in note.body.components(separatedBy: "\n\n") where !block.isEmpty {
            if block.hasPrefix("# ") { heading = String(block.dropFirst(2).prefix { $0 != "\n" }) }
            passages.append(PassageText(heading: heading, text: block))
        }
        return IndexedNote(note: note, passages: passages)
    }

    private static func set(_ key: String, to value: String, of note: inout Note) {
        switch key {
        case "id": note.id = NoteID(value)
        case "title": note.title = value
        case "type": note.kind = NoteKind(rawValue: value) ?? .note
        case "tags":
            note.tags = value.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
                .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        case "status": note.status = NoteStatus(rawValue: value) ?? .indexed
        case "evergreen": note.isEvergreen = value == "true"
        case "created": note.created = Instant(iso8601: value)
        case "modified": note.modified = Instant(iso8601: value)
        case "deadline": note.action = Action(kind: .reminder, deadline: Day(iso: value))
        default: break
        }
    }
}
