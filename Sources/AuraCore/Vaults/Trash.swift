internal import AuraSystem

/// Removed notes, each kept whole in a folder of its own until the person empties the trash.
package struct Trash: Sendable {
    private let layout: VaultLayout
    private let newID: @Sendable () -> NoteID

    package init(layout: VaultLayout, newID: @escaping @Sendable () -> NoteID) {
        self.layout = layout
        self.newID = newID
    }

    package struct Item: Sendable, Equatable {
        /// Names the folder in the trash; sorts by time of removal.
        package let key: String
        /// Where the note lay.
        package let path: String
    }

    /// Moves a note into the trash.
    package func put(_ path: String) throws -> Item {
        let key = newID().text
        let folder = "\(layout.trash)/\(key)"
        try Files.makeFolder(folder)
        // The record comes first: a file without one could not go back to its place.
        let record = JSONValue.record([("path", .string(path))])
        try AtomicFile.create("\(folder)/item.json", Array((record.serialized + "\n").utf8))
        try Files.move(layout.absolute(path), to: "\(folder)/note.md")
        return Item(key: key, path: path)
    }

    /// What is in the trash, latest first.
    package func items() -> [Item] {
        guard let entries = try? Files.entries(of: layout.trash) else { return [] }
        return entries.map(\.name).sorted(by: >).compactMap { key in
            guard (try? Files.status(of: "\(layout.trash)/\(key)/note.md")) != nil,
                let bytes = try? Files.bytes(at: "\(layout.trash)/\(key)/item.json"),
                let path = JSONValue.read(bytes)?["path"]?
                    .text
            else { return nil }
            return Item(key: key, path: path)
        }
    }

    package func contents(of item: Item) throws -> [UInt8] {
        try Files.bytes(at: "\(layout.trash)/\(item.key)/note.md")
    }

    /// Puts a note back where it lay, or beside what has taken its name since; tells where.
    ///
    /// - Throws: `VaultError.unsafePath` when the record leads out of the home, as a synced one may.
    package func restore(_ item: Item) throws -> String {
        guard VaultLayout.isSafe(item.path) else { throw VaultError.unsafePath(path: item.path) }
        let folder = Files.parent(of: item.path)
        try Files.makeFolder("\(layout.root)/\(folder)")
        let name = Files.name(of: item.path)
        let stem = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
        for candidate in [name, "\(stem)-restored-\(item.key.suffix(6).lowercased()).md"] {
            let path = "\(folder)/\(candidate)"
            do throws(SystemError) {
                try Files.moveExclusively(
                    "\(layout.trash)/\(item.key)/note.md", to: "\(layout.root)/\(path)")
                try Files.flushFolder("\(layout.root)/\(folder)")
                try Files.remove("\(layout.trash)/\(item.key)/item.json")
                return path
            } catch {
                guard error.isAlreadyThere else { throw error }
            }
        }
        throw VaultError.changedMeanwhile(path: item.path)
    }
}
