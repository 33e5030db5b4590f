internal import AuraSystem

/// The notes of a home as files: listing, reading, writing whole.
package struct NoteFiles: NoteSource {
    package let layout: VaultLayout

    package init(layout: VaultLayout) { self.layout = layout }

    /// Larger files are not read as notes.
    package static let maximumBytes = 256 << 20

    /// Every note of every folder in the home, unordered. Hidden folders, links, and what editors and
    /// sync programs leave behind are passed over. A folder that cannot be read is left out with its
    /// notes; `unreadableFolders` tells which.
    package func listing() throws -> [NoteFile] { try walk().notes }

    /// Logical paths of folders that could not be listed: their notes are not gone, only out of reach.
    package func unreadableFolders() throws -> [String] { try walk().unreadable }

    private func walk() throws(SystemError) -> (notes: [NoteFile], unreadable: [String]) {
        var notes: [NoteFile] = []
        var unreadable: [String] = []
        var folders: [String] = []
        for entry in try Files.entries(of: layout.root) where entry.status.kind == .folder {
            if !VaultLayout.isIgnored(entry.name) { folders.append(entry.name) }
        }
        while let folder = folders.popLast() {
            let entries: [(name: String, status: FileStatus)]
            do throws(SystemError) {
                entries = try Files.entries(of: "\(layout.root)/\(folder)")
            } catch {
                unreadable.append(folder)
                continue
            }
            for entry in entries where !VaultLayout.isIgnored(entry.name) {
                let path = "\(folder)/\(entry.name)"
                switch entry.status.kind {
                case .folder
                where entry.name != "attachments" && !VaultLayout.isNoteName(entry.name):
                    if path.utf8.count < 3000 { folders.append(path) }
                case .regular where VaultLayout.isNoteName(entry.name):
                    notes.append(
                        NoteFile(
                            path: path, size: entry.status.size, modified: entry.status.modified,
                            inode: entry.status.inode))
                default: continue
                }
            }
        }
        return (notes, unreadable)
    }

    package func contents(of path: String) throws -> [UInt8]? {
        do {
            let file = try FileDescriptor.open(layout.absolute(path), for: .read)
            let size = try file.status().size
            guard size <= NoteFiles.maximumBytes else {
                throw VaultError.tooLarge(path: path, bytes: size)
            }
            return try file.readAll()
        } catch let error as SystemError where error.isNotFound {
            return nil
        }
    }

    /// When the file was written last, for notes that do not say when they were made; nil when it is gone.
    package func modified(_ path: String) throws -> Instant? {
        try Files.status(of: layout.absolute(path)).map { status in
            Instant(seconds: status.modified / 1_000_000_000)
        }
    }

    /// Writes a new note under the first of the names that is free, and tells which.
    ///
    /// Takes no lock: a name is taken by the file system in one step. A file that holds just these
    /// bytes is the same note, written before by one that was killed: its id is among the bytes.
    package func create(
        in folder: String, names: some Sequence<String>, _ bytes: [UInt8]
    ) throws -> String {
        try Files.makeFolder("\(layout.root)/\(folder)")
        var last: SystemError?
        for name in names {
            let path = "\(folder)/\(name)"
            do throws(SystemError) {
                let absolute = "\(layout.root)/\(path)"
                guard VaultLayout.isSafe(path) else { continue }
                try AtomicFile.create(absolute, bytes)
                return path
            } catch {
                guard error.isAlreadyThere else { throw error }
                last = error
            }
            if let there = try? contents(of: path), there == bytes { return path }
        }
        throw last ?? SystemError(call: "create", path: folder, code: 17)
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

    /// Puts new bytes in a note's place, if the file still holds `old`.
    /// - Throws: `VaultError.changedMeanwhile`.
    package func replace(_ path: String, old: [UInt8], new: [UInt8]) throws {
        let absolute = try layout.absolute(path)
        guard try contents(of: path) == old else {
            throw VaultError.changedMeanwhile(path: path)
        }
        try AtomicFile.replace(absolute, new)
    }

    /// Renames a note to the first free name and tells the new path.
    package func move(
        _ path: String, toFolder folder: String, names: some Sequence<String>
    ) throws -> String {
        let absolute = try layout.absolute(path)
        try Files.makeFolder("\(layout.root)/\(folder)")
        var last: SystemError?
        for name in names {
            let newPath = "\(folder)/\(name)"
            if newPath == path { return path }
            guard VaultLayout.isSafe(newPath) else { continue }
            do throws(SystemError) {
                try Files.moveExclusively(absolute, to: "\(layout.root)/\(newPath)")
                try Files.flushFolder("\(layout.root)/\(folder)")
                let oldFolder = Files.parent(of: absolute)
                if oldFolder != "\(layout.root)/\(folder)" { try Files.flushFolder(oldFolder) }
                return newPath
            } catch {
                guard error.isAlreadyThere else { throw error }
                last = error
            }
        }
        throw last ?? SystemError(call: "rename", path: path, code: 17)
    }
}
