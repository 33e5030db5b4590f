internal import AuraSystem

/// The notes of a home as files: listing, reading, writing whole.
///
/// In a plain home a note lies at its logical path. In an encrypted one it is an age file under a name made
/// from its path with a key, and the path is the file's label: see `HomeKeys.name(of:)`.
package struct NoteFiles: NoteSource {
    package let layout: VaultLayout
    /// Nil for a plain home.
    package let seal: FileSeal?

    package init(layout: VaultLayout, seal: FileSeal? = nil) {
        self.layout = layout
        self.seal = seal
    }

    /// Larger files are not read as notes.
    package static let maximumBytes = 256 << 20

    /// What sealing adds to a file of that size, at most: header, labels, a tag for each 64 KiB.
    private static let sealedOverhead: Int64 = 1 << 20

    // MARK: Listing

    /// Every note of the home, unordered. Hidden folders, links, and what editors and sync programs leave
    /// behind are passed over. A folder that cannot be read is left out with its notes;
    /// `unreadableFolders` tells which.
    package func listing() throws -> [NoteFile] { try walk().notes }

    package func survey() throws -> NoteSurvey {
        let walk = try walk()
        return NoteSurvey(files: walk.notes, folders: walk.folders)
    }

    package func folder(_ name: String) throws -> NoteFolder? {
        try noteFolder(name)
    }

    private func noteFolder(_ name: String) throws(SystemError) -> NoteFolder? {
        let path = name.isEmpty ? layout.root : "\(layout.root)/\(name)"
        guard let status = try Files.status(of: path), status.kind == .folder else { return nil }
        return NoteFolder(name: name, modified: status.modified, inode: status.inode)
    }

    package func entries(of folder: String) throws -> NoteFolderEntries {
        var entries = NoteFolderEntries()
        let path = folder.isEmpty ? layout.root : "\(layout.root)/\(folder)"
        for entry in try Files.listing(of: path) where !VaultLayout.isIgnored(entry.name) {
            let kind = try entry.kind ?? Files.status(of: "\(path)/\(entry.name)")?.kind
            let name = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
            switch kind {
            case .folder where isWalked(entry.name, in: folder): entries.folders.append(name)
            case .regular where !folder.isEmpty && isNoteFile(entry.name):
                entries.notes.append((name, entry.inode))
            default: continue
            }
        }
        return entries
    }

    /// Whether notes are looked for in a folder.
    private func isWalked(_ name: String, in folder: String) -> Bool {
        guard seal == nil else { return false }
        if folder.isEmpty { return true }
        return name != "attachments" && !VaultLayout.isNoteName(name)
            && folder.utf8.count + name.utf8.count + 1 < 3000
    }

    package func file(_ name: String) throws -> NoteFile? {
        guard let status = try Files.status(of: "\(layout.root)/\(name)"), status.kind == .regular
        else { return nil }
        return NoteFile(
            name: name, size: status.size, modified: status.modified, inode: status.inode)
    }

    /// Folders that could not be listed, relative to the home: their notes are not gone, only out of reach.
    package func unreadableFolders() throws -> [String] { try walk().unreadable }

    /// What could be taken for a note or a vault and is none: links, and pipes and folders called like
    /// notes. Relative to the home, with what each is.
    package func strangers() throws -> [(path: String, what: String)] { try walk().strangers }

    private struct Walk {
        var notes: [NoteFile] = []
        var folders: [NoteFolder] = []
        var unreadable: [String] = []
        var strangers: [(path: String, what: String)] = []
    }

    private func walk() throws(SystemError) -> Walk {
        var walk = Walk()
        var folders: [String] = []
        if seal == nil {
            if let home = try noteFolder("") { walk.folders.append(home) }
            for entry in try Files.entries(of: layout.root)
            where !VaultLayout.isIgnored(entry.name) {
                switch entry.status.kind {
                case .folder: folders.append(entry.name)
                case .link: walk.strangers.append((entry.name, "a link"))
                case .regular, .other: continue
                }
            }
        } else {
            // The home itself must be in reach: otherwise nothing would look like no notes.
            _ = try Files.names(of: layout.root)
            folders = [VaultLayout.sealedNotes]
        }
        while let folder = folders.popLast() {
            let entries: [(name: String, status: FileStatus)]
            do throws(SystemError) {
                if let found = try noteFolder(folder) { walk.folders.append(found) }
                entries = try Files.entries(of: "\(layout.root)/\(folder)")
            } catch {
                // An encrypted home has the folder from its first note on.
                if seal == nil || !error.isNotFound { walk.unreadable.append(folder) }
                // It is looked into again each time.
                walk.folders.removeAll { $0.name == folder }
                walk.folders.append(NoteFolder(name: folder, modified: -1, inode: 0))
                continue
            }
            for entry in entries where !VaultLayout.isIgnored(entry.name) {
                let path = "\(folder)/\(entry.name)"
                switch entry.status.kind {
                case .folder where isWalked(entry.name, in: folder): folders.append(path)
                case .regular where isNoteFile(entry.name):
                    walk.notes.append(
                        NoteFile(
                            name: path, size: entry.status.size, modified: entry.status.modified,
                            inode: entry.status.inode))
                case .regular: continue
                case .link: walk.strangers.append((path, "a link"))
                case .folder where isNoteFile(entry.name):
                    walk.strangers.append((path, "a folder called like a note"))
                case .other where isNoteFile(entry.name):
                    walk.strangers.append((path, "no file"))
                case .folder, .other: continue
                }
            }
        }
        return walk
    }

    private func isNoteFile(_ name: String) -> Bool {
        seal == nil ? VaultLayout.isNoteName(name) : name.hasSuffix(".md\(FileSeal.ending)")
    }

    // MARK: Places

    /// Where a logical path lies on the disk, under the home.
    /// - Throws: `VaultError.unsafePath`; `SealError.locked`.
    package func name(of path: String) throws -> String {
        guard VaultLayout.isSafe(path) else { throw VaultError.unsafePath(path: path) }
        guard let seal else { return path }
        let name = try seal.unlocked().name(of: path)
        return VaultLayout.isNote(path)
            ? "\(VaultLayout.sealedNotes)/\(name).md\(FileSeal.ending)"
            : "\(VaultLayout.sealedAttachments)/\(name)\(FileSeal.ending)"
    }

    /// Where a logical path lies on the disk, absolute.
    /// - Throws: also `VaultError.behindLink`.
    func absolute(_ path: String) throws -> String { try place(name(of: path)) }

    /// The absolute place of a file of the home: a link to a folder would lead out of it.
    private func place(_ name: String) throws -> String {
        var folder = layout.root
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            if try Files.status(of: folder)?.kind == .link {
                throw VaultError.behindLink(path: name)
            }
        }
        return "\(layout.root)/\(name)"
    }

    // MARK: Reading

    /// The note at a logical path; nil when there is none.
    package func contents(of path: String) throws -> [UInt8]? {
        let found = try read(name(of: path))
        // A file that says it is another one was put there by somebody else, or is just being moved.
        guard let found, seal == nil || found.path == path else { return nil }
        return found.bytes
    }

    package func open(_ name: String) throws -> OpenedNote? {
        guard seal != nil || VaultLayout.isSafe(name) else {
            throw VaultError.unsafePath(path: name)
        }
        guard let found = try read(name) else { return nil }
        guard try isSettled(name, path: found.path) else {
            throw VaultError.misplaced(name: name)
        }
        return OpenedNote(path: found.path, bytes: found.bytes)
    }

    /// The file under that name of the disk.
    private func read(_ name: String) throws -> (path: String, bytes: [UInt8])? {
        let stored: [UInt8]
        do {
            let file = try FileDescriptor.open(place(name), for: .read)
            let size = try file.status().size
            guard size <= Int64(NoteFiles.maximumBytes) + NoteFiles.sealedOverhead else {
                throw VaultError.tooLarge(path: name, bytes: size)
            }
            stored = try file.readAll()
        } catch let error as SystemError where error.isNotFound {
            return nil
        }
        guard let seal else { return (name, stored) }
        let opened = try seal.opened(stored, name: name)
        guard let path = opened.label, VaultLayout.isSafe(path) else {
            throw SealError.damaged(name: name, reason: "it does not say where it belongs")
        }
        return (path, opened.bytes)
    }

    /// When the note was written last, for notes that do not say when they were made; nil when it is gone.
    package func modified(_ path: String) throws -> Instant? {
        try Files.status(of: absolute(path)).map { status in
            Instant(seconds: status.modified / 1_000_000_000)
        }
    }

    /// Whether something lies at the path.
    package func isTaken(_ path: String) throws -> Bool {
        try Files.status(of: absolute(path)) != nil
    }

    // MARK: Writing

    /// Writes a new note under the first of the names that is free, and tells which.
    ///
    /// Takes no lock: a name is taken by the file system in one step. A file that holds just these
    /// bytes is the same note, written before by one that was killed: its id is among the bytes.
    package func create(
        in folder: String, names: some Sequence<String>, _ bytes: [UInt8]
    ) throws -> String {
        var last: SystemError?
        for name in names {
            let path = "\(folder)/\(name)"
            guard VaultLayout.isSafe(path) else { continue }
            let absolute = try absolute(path)
            try Files.makeFolder(Files.parent(of: absolute))
            let stored = try stored(bytes, as: path)
            do throws(SystemError) {
                try AtomicFile.create(absolute, stored)
                return path
            } catch {
                guard error.isAlreadyThere else { throw error }
                last = error
            }
            if let there = try? contents(of: path), there == bytes { return path }
        }
        throw last ?? SystemError(call: "create", path: folder, code: 17)
    }

    /// Puts new bytes in a note's place, if the file still holds `old`.
    /// - Throws: `VaultError.changedMeanwhile`.
    package func replace(_ path: String, old: [UInt8], new: [UInt8]) throws {
        try AtomicFile.replace(absolute(path), stored(new, as: path)) {
            // Not before: an editor may save while the new bytes are written.
            try check(path, holds: old)
        }
    }

    private func check(_ path: String, holds bytes: [UInt8]) throws {
        guard try contents(of: path) == bytes else {
            throw VaultError.changedMeanwhile(path: path)
        }
    }

    /// The first of the names that nothing has, in that folder; the note's own path counts as free.
    /// - Throws: `SystemError` with `isAlreadyThere` when all are taken.
    package func freePath(
        for path: String, in folder: String, names: some Sequence<String>
    ) throws -> String {
        for name in names {
            let candidate = "\(folder)/\(name)"
            if candidate == path { return path }
            guard VaultLayout.isSafe(candidate), try !isTaken(candidate) else { continue }
            return candidate
        }
        throw SystemError(call: "rename", path: path, code: 17)
    }

    /// Puts new bytes in a note's place and moves it to another path, whose name must be free.
    ///
    /// The file is written with its new bytes first and moved then. Who is killed between leaves a note
    /// with the new bytes: in a plain home at the old path, in an encrypted one under the new path, which
    /// `settle` puts right.
    /// - Throws: `VaultError.changedMeanwhile`; `SystemError` with `isAlreadyThere`.
    package func move(_ path: String, old: [UInt8], new: [UInt8], to newPath: String) throws {
        guard newPath != path else { return try replace(path, old: old, new: new) }
        try check(path, holds: old)
        let (from, to) = (try absolute(path), try absolute(newPath))
        try Files.makeFolder(Files.parent(of: to))
        guard try Files.status(of: to) == nil else {
            throw SystemError(call: "rename", path: newPath, code: 17)
        }
        let isRewritten = seal != nil || new != old
        if isRewritten {
            try AtomicFile.replace(from, stored(new, as: newPath)) { try check(path, holds: old) }
        }
        do {
            try Files.moveExclusively(from, to: to)
        } catch {
            // As it was: the old path is still the note's.
            if isRewritten { try? AtomicFile.replace(from, stored(old, as: path)) }
            throw error
        }
        try flush(from, to)
    }

    private func flush(_ from: String, _ to: String) throws {
        try Files.flushFolder(Files.parent(of: to))
        if Files.parent(of: from) != Files.parent(of: to) {
            try Files.flushFolder(Files.parent(of: from))
        }
    }

    /// The bytes as they lie on the disk.
    private func stored(_ bytes: [UInt8], as path: String) throws -> [UInt8] {
        try seal?.sealed(bytes, label: path) ?? bytes
    }
}

extension NoteFiles {
    /// Removes a note that stands in another place, if the file still holds `old`.
    package func discard(_ path: String, holding old: [UInt8]) throws {
        try check(path, holds: old)
        try Files.remove(absolute(path))
        try Files.flushFolder(Files.parent(of: absolute(path)))
    }
}

// MARK: - The trash

extension NoteFiles {
    /// Moves a note's file out of the notes, as it is; its label still says where it belongs.
    func takeAway(_ path: String, to absolutePath: String) throws {
        try Files.makeFolder(Files.parent(of: absolutePath))
        try Files.move(absolute(path), to: absolutePath)
    }

    /// Moves a file that `takeAway` moved back, to a path whose name must be free.
    /// - Throws: `SystemError` with `isAlreadyThere`.
    func bringBack(_ absolutePath: String, to path: String) throws {
        let target = try absolute(path)
        try Files.makeFolder(Files.parent(of: target))
        if let seal {
            let name = Files.name(of: absolutePath)
            let opened = try seal.opened(Files.bytes(at: absolutePath), name: name)
            if opened.label != path {
                try AtomicFile.create(target, stored(opened.bytes, as: path))
                return try Files.remove(absolutePath)
            }
        }
        try Files.moveExclusively(absolutePath, to: target)
        try flush(absolutePath, target)
    }
}

// MARK: - Vaults

extension NoteFiles {
    /// Gives what lies in a vault of an encrypted home a path in another, one file after the other. Opens the
    /// header of every file; call it under the vault lock. Stopped half way it goes on when called again.
    package func renameVault(_ name: String, to newName: String) throws {
        guard let seal else { return }
        // A file that does not open stays where it is; none opens while the home is locked.
        _ = try seal.unlocked()
        for folder in [VaultLayout.sealedNotes, VaultLayout.sealedAttachments] {
            for file in (try? Files.names(of: "\(layout.root)/\(folder)")) ?? []
            where file.hasSuffix(FileSeal.ending) && !VaultLayout.isIgnored(file) {
                let place = "\(layout.root)/\(folder)/\(file)"
                let header = try Files.bytes(at: place, limit: 65_536)
                guard let path = try? seal.label(header, name: file),
                    VaultLayout.vault(of: path) == name
                else { continue }
                let newPath = newName + path.dropFirst(name.utf8.count)
                let mark = try seal.unlocked().tag(of: file).prefix(6)
                try reseal(place, seal, as: [newPath, NoteFiles.path(beside: newPath, mark: mark)])
                try Files.remove(place)
            }
        }
        // What is in the trash goes back to the vault under its new name.
        for file in (try? Files.names(of: layout.trash)) ?? []
        where file.hasSuffix(FileSeal.ending) && !VaultLayout.isIgnored(file) {
            let place = "\(layout.trash)/\(file)"
            guard let opened = try? seal.opened(Files.bytes(at: place), name: file),
                let path = opened.label, VaultLayout.vault(of: path) == name
            else { continue }
            let newPath = newName + path.dropFirst(name.utf8.count)
            try AtomicFile.replace(place, seal.sealed(opened.bytes, label: newPath))
        }
    }
}

extension NoteFiles {
    /// Seals a sealed file anew under the first of the paths that is free, or has the same bytes already.
    private func reseal(_ place: String, _ seal: FileSeal, as paths: [String]) throws {
        for path in paths {
            let target = "\(layout.root)/\(try name(of: path))"
            do {
                return try SealedStream.reseal(place, seal, to: target, seal, label: path)
            } catch let error as SystemError where error.isAlreadyThere {
                let there = try SealedStream.digest(target, seal)
                if try there == SealedStream.digest(place, seal) { return }
            }
        }
        throw VaultError.changedMeanwhile(path: paths.last ?? "")
    }
}

// MARK: - Putting right

extension NoteFiles {
    /// Puts a file of an encrypted home under the name that its path has: one that was killed in the
    /// middle of a move left it under another, or a copy was put beside it by hand. Where that name is
    /// taken both are kept, this one under a path of its own.
    ///
    /// Call it under the vault lock.
    /// - Returns: the name it has now.
    package func settle(_ name: String) throws -> String {
        guard let seal, let opened = try read(name) else { return name }
        let right = try self.name(of: opened.path)
        guard right != name else { return name }
        let (from, to) = ("\(layout.root)/\(name)", "\(layout.root)/\(right)")
        do throws(SystemError) {
            try Files.moveExclusively(from, to: to)
            try Files.flushFolder(Files.parent(of: to))
            return right
        } catch {
            guard error.isAlreadyThere else { throw error }
        }
        if try contents(of: opened.path) == opened.bytes {
            // The very same note twice: nothing is lost with one of them.
            try Files.remove(from)
            return right
        }
        let mark = try seal.unlocked().tag(of: name).prefix(6)
        let path = NoteFiles.path(beside: opened.path, mark: mark)
        let beside = try self.name(of: path)
        // The same bytes are there where a run was stopped just here.
        _ = try create(
            in: Files.parent(of: path), names: [Files.name(of: path)], opened.bytes)
        try Files.remove(from)
        return beside
    }

    /// A path like the one given, which another note has.
    private static func path(beside path: String, mark: some StringProtocol) -> String {
        let name = Files.name(of: path)
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        // Short enough for a file's name, which it is when the home is made plain.
        return "\(Files.parent(of: path))/\(name[..<dot].prefix(bytes: 200))-\(mark)\(name[dot...])"
    }

    /// Whether the file lies under the name that its path has.
    private func isSettled(_ name: String, path: String) throws -> Bool {
        try seal == nil || self.name(of: path) == name
    }

    /// Removes what killed processes left in the home: temporary files of ours older than an hour.
    package func sweep(nowNanoseconds: Int64) {
        var folders = [layout.root]
        while let folder = folders.popLast() {
            AtomicFile.sweep(folder, nowNanoseconds: nowNanoseconds)
            for entry in (try? Files.entries(of: folder)) ?? [] where entry.status.kind == .folder {
                // Of hidden folders only our own is ours to clean.
                let path = "\(folder)/\(entry.name)"
                let isOurs = !entry.name.hasPrefix(".") || path == layout.settingsFolder
                if isOurs, path.utf8.count < 3000 { folders.append(path) }
            }
        }
    }
}
