internal import AuraSystem

/// A vault home on disk: its marker, and making one.
package struct VaultHome: Hashable, Sendable {
    package let layout: VaultLayout
    /// A ULID, in the marker.
    package let id: String
    /// A folder of Markdown that somebody else's program owns too: file names are left as they are.
    package let isAdopted: Bool

    /// The newest format that this version reads and writes.
    package static let format = 1

    /// Opens the home at a folder.
    /// - Throws: `VaultError.noHome` when nothing is there or the folder is empty, `.notAHome` when it
    ///   has files and no marker, `.newerHome`, `.damagedHome`; `SystemError`.
    package static func open(_ root: String) throws -> VaultHome {
        let layout = VaultLayout(root: root)
        let bytes: [UInt8]
        do {
            bytes = try Files.bytes(at: layout.marker, limit: 65_536)
        } catch {
            guard error.isNotFound else { throw error }
            let isEmpty = try Files.status(of: root, followingLinks: true) == nil
                || Files.entries(of: root).isEmpty
            throw isEmpty ? VaultError.noHome(path: root) : VaultError.notAHome(path: root)
        }
        guard let json = JSONValue.read(bytes),
            let id = json["id"]?.text, NoteID(id) != nil,
            let format = json["format"]?.integer
        else { throw VaultError.damagedHome(path: root, reason: "no id and format in it") }
        guard format <= VaultHome.format else {
            throw VaultError.newerHome(path: root, format: format)
        }
        return VaultHome(
            layout: layout, id: id, isAdopted: json["adopted"]?.bool ?? false)
    }

    /// Makes a plain home. The folder may exist; it must be empty unless it is being adopted.
    /// - Throws: `VaultError.notAHome`, `.vaultExists` when it is a home already; `SystemError`.
    package static func make(
        at root: String, id: NoteID, now: Instant, adopting: Bool = false
    ) throws -> VaultHome {
        let layout = VaultLayout(root: root)
        if try Files.status(of: layout.marker) != nil {
            return try open(root)
        }
        try Files.makeFolder(root)
        if !adopting {
            let others = try Files.entries(of: root).filter { $0.name != ".aura" }
            guard others.isEmpty else { throw VaultError.notAHome(path: root) }
        }
        try Files.makeFolder(layout.settingsFolder)
        let marker = JSONValue.record([
            ("id", .string(id.text)), ("format", .integer(format)), ("sealing", .string("plain")),
            ("adopted", .bool(adopting)), ("created", .string(now.iso8601)),
        ])
        do throws(SystemError) {
            try AtomicFile.create(layout.marker, Array((marker.serialized + "\n").utf8))
        } catch {
            // Another process was faster; its home is as good.
            guard error.isAlreadyThere else { throw error }
        }
        return try open(root)
    }
}
