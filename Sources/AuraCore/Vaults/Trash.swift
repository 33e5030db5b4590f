internal import AuraSystem

/// Removed notes, each kept whole until the person empties the trash.
///
/// In a plain home each has a folder, `<key>/note.md` with `item.json` for where it lay; in an encrypted one
/// it is the note's own file, `<key>.md.age`, whose label says that.
package struct Trash: Sendable {
    private let files: NoteFiles
    private let newID: @Sendable () -> NoteID
    private var folder: String { files.layout.trash }

    package init(files: NoteFiles, newID: @escaping @Sendable () -> NoteID) {
        self.files = files
        self.newID = newID
    }

    package struct Item: Sendable, Equatable {
        /// Names it in the trash; sorts by time of removal.
        package let key: String
        /// Where the note lay.
        package let path: String
    }

    private func place(of key: String) -> String {
        files.seal == nil ? "\(folder)/\(key)/note.md" : "\(folder)/\(key).md\(FileSeal.ending)"
    }

    private func record(of key: String) -> String { "\(folder)/\(key)/item.json" }

    /// A key for the next removal.
    package func newKey() -> String { newID().text }

    /// Moves a note into the trash.
    /// - Parameter key: from `newKey`, to be written down before.
    package func put(_ path: String, key: String) throws -> Item {
        if files.seal == nil {
            // The record comes first: a file without one could not go back to its place.
            try Files.makeFolder("\(folder)/\(key)")
            let item = JSONValue.record([("path", .string(path))])
            try AtomicFile.create(record(of: key), Array((item.serialized + "\n").utf8))
        }
        try files.takeAway(path, to: place(of: key))
        return Item(key: key, path: path)
    }

    /// What is in the trash, latest first. Opens the header of each in an encrypted home.
    /// - Parameter onFailure: is told the name of each file that does not open, and why.
    package func items(
        onFailure: (String, any Error) -> Void = { _, _ in }
    ) throws -> [Item] {
        guard let names = try? Files.names(of: folder) else { return [] }
        let ending = ".md\(FileSeal.ending)"
        return try names.sorted(by: >).compactMap { name in
            if let seal = files.seal {
                guard name.hasSuffix(ending), !name.hasPrefix(AtomicFile.temporaryPrefix) else {
                    return nil
                }
                _ = try seal.unlocked()
                let key = String(name.dropLast(ending.utf8.count))
                do {
                    let header = try Files.bytes(at: place(of: key), limit: 65_536)
                    guard let path = try seal.label(header, name: name) else {
                        throw SealError.damaged(
                            name: name, reason: "it does not say where it belongs")
                    }
                    return Item(key: key, path: path)
                } catch {
                    onFailure(name, error)
                    return nil
                }
            }
            guard (try? Files.status(of: place(of: name))) != .some(nil),
                let bytes = try? Files.bytes(at: record(of: name)),
                let path = JSONValue.read(bytes)?["path"]?.text
            else { return nil }
            return Item(key: name, path: path)
        }
    }

    package func contents(of item: Item) throws -> [UInt8] {
        let stored = try Files.bytes(at: place(of: item.key))
        return try files.seal?.opened(stored, name: item.key).bytes ?? stored
    }

    package func has(_ key: String) throws -> Bool { try Files.status(of: place(of: key)) != nil }

    /// Where a note would go back to: where it lay, or beside what has taken its name since.
    ///
    /// - Throws: `VaultError.unsafePath` when the record leads out of the home, as a synced one may.
    package func freePath(for item: Item) throws -> String {
        guard VaultLayout.isSafe(item.path) else { throw VaultError.unsafePath(path: item.path) }
        let name = Files.name(of: item.path)
        let stem = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
        return try files.freePath(
            for: "", in: Files.parent(of: item.path),
            names: [name]
                + ["", "-2", "-3"].map {
                    "\(stem)-restored-\(item.key.suffix(6).lowercased())\($0).md"
                })
    }

    /// Puts a note back to a path that is free.
    /// - Throws: `SystemError` with `isAlreadyThere`.
    package func restore(_ item: Item, to path: String) throws {
        try files.bringBack(place(of: item.key), to: path)
        if files.seal == nil { try Files.remove(record(of: item.key)) }
    }
}
