internal import AuraSystem

/// A vault home on disk: its marker, and making one.
package struct VaultHome: Hashable, Sendable {
    package let layout: VaultLayout
    /// A ULID, in the marker.
    package let id: String
    /// A folder of Markdown that somebody else's program owns too: file names are left as they are.
    package let isAdopted: Bool
    package let sealing: Sealing

    /// How the files of a home are kept.
    package enum Sealing: String, Sendable {
        /// Markdown that everybody can read.
        case plain
        /// Age files under opaque names.
        case age
    }

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
            if try isUnused(layout) { throw VaultError.noHome(path: root) }
            // Another process may have made the home between the two looks: the marker comes before
            // anything else, so files without one now are somebody else's.
            guard try Files.status(of: layout.marker) != nil else {
                throw VaultError.notAHome(path: root)
            }
            return try open(root)
        }
        guard let json = JSONValue.read(bytes),
            let id = json["id"]?.text, NoteID(id) != nil,
            let format = json["format"]?.integer
        else { throw VaultError.damagedHome(path: root, reason: "no id and format in it") }
        guard format <= VaultHome.format else {
            throw VaultError.newerHome(path: root, format: format)
        }
        // Writing plain text into a home sealed in a way that is not known would betray it.
        guard let sealing = Sealing(rawValue: json["sealing"]?.text ?? "plain") else {
            throw VaultError.newerHome(path: root, format: format)
        }
        return VaultHome(
            layout: layout, id: id, isAdopted: json["adopted"]?.bool ?? false, sealing: sealing)
    }

    /// Nothing is there, or what one left that was stopped while making a home.
    private static func isUnused(_ layout: VaultLayout) throws(SystemError) -> Bool {
        guard try Files.status(of: layout.root, followingLinks: true) != nil else { return true }
        guard try Files.entries(of: layout.root).allSatisfy({ $0.name == ".aura" }) else {
            return false
        }
        guard try Files.status(of: layout.settingsFolder) != nil else { return true }
        return try Files.entries(of: layout.settingsFolder).allSatisfy {
            $0.name.hasPrefix(AtomicFile.temporaryPrefix)
        }
    }

    /// Makes a home. The folder may exist; it must be empty unless it is being adopted.
    /// - Parameter hasLostMarker: it is this home, with all its files, and only the marker is gone.
    /// - Throws: `VaultError.notAHome`, `.vaultExists` when it is a home already; `SystemError`.
    package static func make(
        at root: String, id: NoteID, now: Instant, sealing: Sealing = .plain,
        adopting: Bool = false, hasLostMarker: Bool = false
    ) throws -> VaultHome {
        let layout = VaultLayout(root: root)
        if try Files.status(of: layout.marker) != nil {
            return try open(root)
        }
        try Files.makeFolder(root)
        // Readable notes beside sealed ones would betray the home that lay here.
        if sealing == .plain, !hasLostMarker, try Files.status(of: layout.keys) != nil {
            throw VaultError.markerMissing(path: root)
        }
        if !adopting, !hasLostMarker {
            let others = try Files.entries(of: root).filter { $0.name != ".aura" }
            if !others.isEmpty {
                guard try Files.status(of: layout.marker) != nil else {
                    throw VaultError.notAHome(path: root)
                }
                return try open(root)
            }
        }
        try Files.makeFolder(layout.settingsFolder)
        let home = VaultHome(layout: layout, id: id.text, isAdopted: adopting, sealing: sealing)
        do throws(SystemError) {
            try AtomicFile.create(layout.marker, home.marker(created: now))
        } catch {
            // Another process was faster; its home is as good.
            guard error.isAlreadyThere else { throw error }
        }
        return try open(root)
    }

    private func marker(created: Instant) -> [UInt8] {
        let marker = JSONValue.record([
            ("id", .string(id)), ("format", .integer(VaultHome.format)),
            ("sealing", .string(sealing.rawValue)), ("adopted", .bool(isAdopted)),
            ("created", .string(created.iso8601)),
        ])
        return Array((marker.serialized + "\n").utf8)
    }

    /// Writes the marker anew: the home is sealed in this way from now on.
    package func changingSealing(to sealing: Sealing) throws -> VaultHome {
        let old = JSONValue.read(try Files.bytes(at: layout.marker, limit: 65_536))
        let created = old?["created"]?.text.flatMap { Instant(iso8601: $0) }
        let home = VaultHome(layout: layout, id: id, isAdopted: isAdopted, sealing: sealing)
        try AtomicFile.replace(
            layout.marker, home.marker(created: created ?? Instant(seconds: 0)))
        return home
    }
}
