/// Where things lie inside a vault home. A value: it touches no disk.
///
///     <root>/.aura/vault.json        marker: vault id and format, so that an unmounted disk is
///                                    never taken for an empty home
///     <root>/.aura/journal/2026-03/  one write-once file a change
///     <root>/.aura/trash/<id>/       removed notes, each with a record of where it lay
///     <root>/.aura/raw/              transcripts as they came
///     <root>/.aura/inbox/            encrypted homes: thoughts that came while the home was locked
///     <root>/.aura/drafts/           encrypted homes: drafts that an editor left unsaved
///     <root>/.aura/migration.json    while a home changes its kind, with the folder `migration` beside it
///     <root>/.aura/rotation.json     while its keys change
///     <root>/.aura/keys/             encrypted homes: its keys, sealed to its recipients
///     <root>/<Vault>/…               plain homes: notes; `attachments/` and `_distilled/` among them
///     <root>/notes/                  encrypted homes: notes, each an age file
///     <root>/attachments/            encrypted homes: attachments, each an age file
///     <root>/.aura/walls/            encrypted homes: which vaults have a wall of their own
///     <root>/.aura/walled/<id>/      what lies behind it; a layout like this
package struct VaultLayout: Hashable, Sendable {
    /// Absolute, without a slash at the end.
    package let root: String

    package init(root: String) {
        self.root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    package var settingsFolder: String { "\(root)/.aura" }
    package var marker: String { "\(root)/.aura/vault.json" }
    package var journal: String { "\(root)/.aura/journal" }
    package var trash: String { "\(root)/.aura/trash" }
    package var raw: String { "\(root)/.aura/raw" }
    package var inbox: String { "\(root)/.aura/inbox" }
    package var drafts: String { "\(root)/.aura/drafts" }
    package var keys: String { "\(root)/.aura/keys" }
    /// How far a migration or a change of keys has come; there only while one is under way.
    package var migration: String { "\(root)/.aura/migration.json" }
    package var rotation: String { "\(root)/.aura/rotation.json" }
    /// What is being written by one of them, before it gets its name.
    package var staging: String { "\(root)/.aura/migration" }
    package var walls: String { "\(root)/.aura/walls" }
    package var walled: String { "\(root)/.aura/walled" }
    /// Where an encrypted home keeps its notes.
    package static let sealedNotes = "notes"
    package static let sealedAttachments = "attachments"

    package func folder(of vault: String) -> String { "\(root)/\(vault)" }

    /// The absolute path of a logical one.
    /// - Throws: `VaultError.unsafePath` for anything that could leave the home or touch what is not
    ///   a note: absolute paths, `..`, empty or hidden components, control characters.
    package func absolute(_ path: String) throws(VaultError) -> String {
        guard VaultLayout.isSafe(path) else { throw .unsafePath(path: path) }
        return "\(root)/\(path)"
    }

    /// The vault is the first component of a logical path.
    package static func vault(of path: String) -> String { String(path.prefix { $0 != "/" }) }

    package static func isSafe(_ path: String) -> Bool {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        return path.utf8.count <= 4096 && components.count >= 2 && components.count <= 32
            && components.allSatisfy { component in
                !component.isEmpty && component.utf8.count <= 255 && component.utf8.first != 0x2E
                    && !component.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            }
    }

    /// Names that other programs leave behind and that are never notes.
    package static func isIgnored(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasSuffix("~") || hasConflictMark(name)
            || name.hasPrefix("~$") || name == "node_modules"
    }

    /// Byte by byte: every name of a listing is asked about, and `String.contains` takes 2 µs for each.
    private static func hasConflictMark(_ name: String) -> Bool {
        var rest = name.utf8[...]
        while let dot = rest.firstIndex(of: 0x2E) {
            rest = rest[dot...]
            if rest.starts(with: ".sync-conflict-".utf8) { return true }
            rest.removeFirst()
        }
        return false
    }

    /// Whether a logical path lies in an `attachments` folder.
    package static func isAttachment(_ path: String) -> Bool { path.contains("/attachments/") }

    /// Whether what lies at a logical path is a note, as the listing of a plain home sees it.
    package static func isNote(_ path: String) -> Bool {
        let components = path.split(separator: "/")
        guard let name = components.last, components.count >= 2, isNoteName(String(name)) else {
            return false
        }
        return !isAttachment(path) && !components.contains { isIgnored(String($0)) }
            && !components.dropFirst().dropLast().contains { isNoteName(String($0)) }
    }

    package static func isNoteName(_ name: String) -> Bool {
        let lower = name.utf8.suffix(9).map { $0 | 0x20 }
        return lower.suffix(3).elementsEqual([0x2E, 0x6D, 0x64])
            || lower.elementsEqual(Array(".markdown".utf8))
    }
}
