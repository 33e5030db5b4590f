internal import AuraSystem

/// Texts that are open in an editor.
///
/// A draft is readable while its editor runs, in a folder of this home in memory-backed storage; a lock tells
/// that its aura is alive. One that was not saved, because saving failed or aura was killed, is kept in the
/// home: sealed there, where the home is encrypted.
///
///     <folder>/<id>.md      the text
///     <folder>/<id>.lock    held by the aura that waits for the editor
///     <folder>/<id>.json    what it is a draft of; sealed in an encrypted home
///     <home>/.aura/drafts/<id>.json(.age)    one that is kept
package struct Drafts: Sendable {
    private let folder: String
    private let keepingFolder: String
    private let seal: FileSeal?

    /// - Parameters:
    ///   - folder: for texts in an editor, for this home alone.
    ///   - keepingFolder: for those that were not saved; `VaultLayout.drafts` where the home is in reach.
    package init(folder: String, keepingFolder: String, seal: FileSeal?) {
        self.folder = folder
        self.keepingFolder = keepingFolder
        self.seal = seal
    }

    /// Larger files that an editor leaves are not kept.
    private static let maximumBytes = 128 << 20

    /// A text in an editor. Its lock goes with it.
    package struct Draft: ~Copyable {
        package let id: NoteID
        /// What the editor is given.
        package let path: String
        fileprivate let lock: FileLock
    }

    /// One that was not saved.
    package struct Kept: Sendable, Equatable {
        package let id: NoteID
        /// The note that it changes; nil for a new one.
        package let note: String?
        /// What that note held when the draft was begun.
        package let base: ContentDigest?
        /// What was said before it was cleaned; nil when the text came of no transcript.
        package let raw: [UInt8]?
        package let bytes: [UInt8]
    }

    // MARK: While it is edited

    /// Writes the text where the editor will find it.
    /// - Parameter raw: what was said, of a text that was cleaned.
    /// - Throws: `SystemError` when the folder is not this user's alone.
    package func begin(
        _ bytes: [UInt8], of note: String?, base: [UInt8]?, raw: [UInt8]? = nil, id: NoteID
    ) throws -> Draft {
        try Files.makeFolder(Files.parent(of: Files.parent(of: folder)))
        for path in [Files.parent(of: folder), folder] { try Files.makePrivateFolder(path) }
        guard let lock = try FileLock.acquire("\(folder)/\(id).lock") else {
            throw VaultError.busy(process: nil)
        }
        var purpose: [(String, JSONValue)] = []
        if let note { purpose.append(("note", .string(note))) }
        if let base { purpose.append(("base", .string(ContentDigest(of: base).text))) }
        if let raw { purpose.append(("raw", .string(Base64.text(raw)))) }
        let record = Array(JSONValue.record(purpose).serialized.utf8)
        do {
            try write(seal?.sealed(record) ?? record, to: "\(id).json", of: id)
            try write(bytes, to: "\(id).md", of: id)
        } catch {
            remove(id)
            throw error
        }
        return Draft(id: id, path: "\(folder)/\(id).md", lock: lock)
    }

    /// Half written it has the draft's id in its name too, so that what a killed aura leaves is found.
    private func write(_ bytes: [UInt8], to name: String, of id: NoteID) throws {
        let half = "\(folder)/\(id).new"
        let file = try FileDescriptor.open(half, for: .create, mode: 0o600)
        try file.write(bytes)
        try Files.move(half, to: "\(folder)/\(name)")
    }

    /// Removes a draft that was saved, or was not wanted, with what its editor left beside it.
    package func finish(_ draft: consuming Draft) {
        remove(draft.id)
    }

    /// Keeps a draft as it is now, while its editor goes on: its words are nowhere else yet.
    package func store(_ draft: borrowing Draft) throws {
        try writeKept(draft.id)
    }

    /// Keeps a draft whose text could not be saved.
    package func keep(_ draft: consuming Draft) throws {
        try keep(draft.id)
    }

    // MARK: What was not saved

    /// Keeps the drafts of processes that are gone. Costs one look into a folder that is nearly always
    /// empty or not there.
    /// - Returns: how many.
    @discardableResult
    package func collect() -> Int {
        guard let names = try? Files.names(of: folder), !names.isEmpty else { return 0 }
        var count = 0
        for id in Set(names.filter { !$0.hasSuffix(".json") }.compactMap(Drafts.id)) {
            // Who lives holds the lock.
            guard let lock = try? FileLock.acquire("\(folder)/\(id).lock") else { continue }
            if (try? keep(id)) != nil { count += 1 }
            _ = consume lock
        }
        return count
    }

    private static func id(of name: String) -> NoteID? {
        NoteID((name.hasPrefix(".") ? name.dropFirst() : name[...]).prefix(26))
    }

    private func keep(_ id: NoteID) throws {
        try writeKept(id)
        // An editor that outlives its aura may save once more: then it is still known what for.
        remove(id, keepingPurpose: true)
    }

    private func writeKept(_ id: NoteID) throws {
        let stored = try? Files.bytes(at: "\(folder)/\(id).json")
        // It is sealed with its text anyway; opened it keeps its meaning when the home becomes a plain one.
        let purpose = stored.map { (try? opened($0, "\(id).json")) ?? $0 }
        // An editor that was killed may have saved beside the file what it had last.
        let texts = ((try? Files.names(of: folder)) ?? [])
            .filter { $0.hasPrefix("\(id).md") }.sorted()
        for (index, name) in texts.enumerated() {
            guard let status = try Files.status(of: "\(folder)/\(name)"), status.kind == .regular,
                status.size <= Int64(Drafts.maximumBytes)
            else { continue }
            let bytes = try Files.bytes(at: "\(folder)/\(name)")
            let record = JSONValue.record([
                ("purpose", .string(Base64.text(purpose ?? []))),
                ("text", .string(Base64.text(bytes))),
            ])
            let plain = Array(record.serialized.utf8)
            let number = index == 0 ? "" : "-\(index)"
            try Files.makeFolder(keepingFolder)
            try AtomicFile.replace(
                "\(keepingFolder)/\(id)\(number)\(ending)", seal?.sealed(plain) ?? plain)
        }
    }

    private var ending: String { seal == nil ? ".json" : ".json\(FileSeal.ending)" }

    private func remove(_ id: NoteID, keepingPurpose: Bool = false) {
        let names = (try? Files.names(of: folder)) ?? []
        // The lock last: until then nobody else takes the rest for abandoned.
        for name in names where Drafts.id(of: name) == id && !name.hasSuffix(".lock") {
            if keepingPurpose, name == "\(id).json" { continue }
            try? Files.remove("\(folder)/\(name)")
        }
        try? Files.remove("\(folder)/\(id).lock")
    }

    /// The drafts that are kept, latest first. One that does not open, or is in an editor just now, is
    /// left out.
    /// - Throws: `SealError.locked`.
    package func kept() throws -> [Kept] {
        let names = ((try? Files.names(of: keepingFolder)) ?? [])
            .filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.sorted(by: >)
        if !names.isEmpty { _ = try seal?.unlocked() }
        return names.compactMap { name in
            guard let id = NoteID(name.prefix(26)), !isOpen(id),
                let stored = try? Files.bytes(at: "\(keepingFolder)/\(name)"),
                let json = (try? opened(stored, name)).flatMap({ JSONValue.read($0) }),
                let bytes = json["text"]?.text.flatMap({ Base64.bytes($0) })
            else { return nil }
            let purpose = json["purpose"]?.text.flatMap { Base64.bytes($0) }
                .flatMap { JSONValue.read((try? opened($0, name)) ?? $0) }
            return Kept(
                id: id, note: purpose?["note"]?.text,
                base: purpose?["base"]?.text.map(ContentDigest.init(text:)),
                raw: purpose?["raw"]?.text.flatMap { Base64.bytes($0) }, bytes: bytes)
        }
    }

    /// Whether another aura waits for its editor.
    private func isOpen(_ id: NoteID) -> Bool {
        let path = "\(folder)/\(id).lock"
        guard (try? Files.status(of: path)) != nil else { return false }
        guard let lock = try? FileLock.acquire(path) else { return true }
        _ = consume lock
        return false
    }

    private func opened(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
        try seal?.opened(bytes, name: name).bytes ?? bytes
    }

    /// Removes a kept draft: it was saved, or is not wanted.
    package func drop(_ kept: Kept) throws { try drop(kept.id) }

    package func drop(_ id: NoteID) throws {
        for name in try Files.names(of: keepingFolder) where name.hasPrefix(id.text) {
            try Files.remove("\(keepingFolder)/\(name)")
        }
        try? Files.remove("\(folder)/\(id).json")
    }
}
