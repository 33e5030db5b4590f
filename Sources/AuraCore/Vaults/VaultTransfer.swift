internal import AuraSystem

/// Moves a vault between the two spaces of an encrypted home that it can lie in: among the others, or behind a
/// wall of its own.
///
/// Each thing is written to its new place, read back and compared, and only then removed from the old one;
/// what was moved by a run that was stopped is recognised, so that the next goes on.
package struct VaultTransfer: Sendable {
    package struct Space: Sendable {
        package let files: NoteFiles
        package let journal: Journal

        package init(files: NoteFiles, journal: Journal) {
            self.files = files
            self.journal = journal
        }
    }

    private let from: Space
    private let to: Space

    package init(from: Space, to: Space) {
        self.from = from
        self.to = to
    }

    /// Moves all of a vault: notes, attachments, its notes in the trash, their transcripts and journal.
    ///
    /// Opens the header of every file. Call it under the vault lock.
    /// - Returns: how many files were moved.
    @discardableResult
    package func move(vault: String?) throws -> Int {
        var count = 0
        // Of those that an earlier run moved, transcript and journal may have been left behind.
        let ids = try ids(in: from, vault: vault).union(ids(in: to, vault: vault))
        for name in sealedFiles(
            [VaultLayout.sealedNotes, VaultLayout.sealedAttachments], in: from)
        {
            let source = "\(from.files.layout.root)/\(name)"
            guard let path = try label(source, in: from), isMeant(path, vault) else { continue }
            try Task.checkCancellation()
            let target = "\(to.files.layout.root)/\(try to.files.name(of: path))"
            try reseal(source, target, label: path)
            count += 1
        }
        for name in sealedFiles([VaultTransfer.trash], in: from) {
            let source = "\(from.files.layout.root)/\(name)"
            guard let path = try label(source, in: from), isMeant(path, vault) else { continue }
            let target = "\(to.files.layout.trash)/\(Files.name(of: source))"
            try reseal(source, target, label: path)
            count += 1
        }
        for id in ids {
            let name = "\(id).txt\(FileSeal.ending)"
            let source = "\(from.files.layout.raw)/\(name)"
            guard try Files.status(of: source) != nil else { continue }
            try reseal(source, "\(to.files.layout.raw)/\(name)", label: nil)
        }
        if vault == nil {
            for name in sealedFiles([".aura/raw", ".aura/drafts"], in: from) {
                try reseal(
                    "\(from.files.layout.root)/\(name)", "\(to.files.layout.root)/\(name)",
                    label: nil)
            }
        }
        try moveJournal(vault: vault, notes: ids)
        return count
    }

    private func isMeant(_ path: String, _ vault: String?) -> Bool {
        vault == nil || VaultLayout.vault(of: path) == vault
    }

    /// What is left of the source, relative to it: files that did not open.
    package func leftovers() throws -> [String] {
        sealedFiles(
            [
                VaultLayout.sealedNotes, VaultLayout.sealedAttachments, VaultTransfer.trash,
                ".aura/raw", ".aura/drafts", ".aura/inbox",
            ], in: from) + (try from.journal.damaged().map(\.name))
    }

    /// What happened to the vault's notes, and to others while they lay in it.
    private func moveJournal(vault: String?, notes: Set<NoteID>) throws {
        var moved: Set<NoteID> = []
        for record in try from.journal.newestFirst() {
            let entry = record.entry
            let isOfVault =
                vault == nil || entry.note.map(notes.contains) == true
                || VaultLayout.vault(of: entry.path) == vault
                || entry.newPath.map { VaultLayout.vault(of: $0) } == vault
            guard isOfVault else { continue }
            try to.journal.adopt(record)
            moved.insert(record.id)
        }
        try from.journal.remove(moved)
    }

    // MARK: Files

    private static let trash = ".aura/trash"

    /// Ids of a vault's notes, those in the trash too.
    private func ids(in space: Space, vault: String?) throws -> Set<NoteID> {
        var ids: Set<NoteID> = []
        for name in sealedFiles([VaultLayout.sealedNotes, VaultTransfer.trash], in: space) {
            let place = "\(space.files.layout.root)/\(name)"
            guard let path = try label(place, in: space), isMeant(path, vault) else { continue }
            let bytes = try space.files.seal?.opened(Files.bytes(at: place), name: name).bytes
            if let id = NoteText(bytes: bytes ?? [], path: path).note.id { ids.insert(id) }
        }
        return ids
    }

    private func sealedFiles(_ folders: [String], in space: Space) -> [String] {
        folders.flatMap { folder in
            ((try? Files.names(of: "\(space.files.layout.root)/\(folder)")) ?? [])
                .filter { $0.hasSuffix(FileSeal.ending) && !VaultLayout.isIgnored($0) }.sorted()
                .map { "\(folder)/\($0)" }
        }
    }

    /// Nil for a file that does not open: it stays where it is.
    private func label(_ path: String, in space: Space) throws -> String? {
        let header = try Files.bytes(at: path, limit: 65_536)
        return try? space.files.seal?.label(header, name: Files.name(of: path))
    }

    private func reseal(_ source: String, _ target: String, label: String?) throws {
        guard let old = from.files.seal, let new = to.files.seal else { return }
        try Files.makeFolder(Files.parent(of: target))
        do {
            try SealedStream.reseal(source, old, to: target, new, label: label)
        } catch let error as SystemError where error.isAlreadyThere {
            // From a run that was stopped before it removed the source; checked like a new one.
        }
        guard try SealedStream.digest(source, old) == SealedStream.digest(target, new) else {
            throw VaultError.changedMeanwhile(path: label ?? Files.name(of: source))
        }
        try Files.remove(source)
    }
}
