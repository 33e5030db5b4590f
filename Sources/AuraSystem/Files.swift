internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Calls on paths: reading a whole file, listing and making folders, moving and removing.
package enum Files {
    /// The bytes of a regular file, at most `limit` of them. A last link is not followed.
    package static func bytes(
        at path: String, limit: Int = .max
    ) throws(SystemError) -> [UInt8] {
        try FileDescriptor.open(path, for: .read).readAll(limit: limit)
    }

    /// As `bytes(at:)`, but a link is followed: for files that the person names, not for notes.
    package static func bytesFollowingLinks(at path: String) throws(SystemError) -> [UInt8] {
        let number = unsafe aura_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        guard number >= 0 else { throw .last("open", path) }
        let descriptor = FileDescriptor(owning: number, path: path)
        // A pipe or a device might never end.
        switch try descriptor.status().kind {
        case .regular: return try descriptor.readAll()
        case .folder: throw SystemError(call: "open", path: path, code: EISDIR)
        case .link, .other: throw SystemError(call: "open", path: path, code: EINVAL)
        }
    }

    /// Nil when nothing is there.
    package static func status(
        of path: String, followingLinks: Bool = false
    ) throws(SystemError) -> FileStatus? {
        var status = stat()
        let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else {
            let error = SystemError.last("stat", path)
            if error.isNotFound { return nil }
            throw error
        }
        return FileStatus(status)
    }

    /// The entries of a folder with their status, unordered, without `.` and `..`.
    /// An entry that vanishes while the folder is read is left out. Links are not followed.
    package static func entries(
        of folder: String
    ) throws(SystemError) -> [(name: String, status: FileStatus)] {
        guard let stream = unsafe opendir(folder) else { throw .last("opendir", folder) }
        defer { unsafe closedir(stream) }
        let number = unsafe dirfd(stream)
        var found: [(name: String, status: FileStatus)] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    unsafe String(
                        decoding: UnsafeBufferPointer(start: $0, count: strlen($0)), as: UTF8.self)
                }
            }
            if name == "." || name == ".." { continue }
            var status = stat()
            let result = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW)
                }
            }
            if result == 0 { found.append((name, FileStatus(status))) }
        }
        return found
    }

    /// What a folder says of its entries by itself, unordered, without `.` and `..`: no entry is asked.
    ///
    /// The inode of a name changes when another file takes it. The kind is nil on file systems that do
    /// not keep it in the folder.
    package static func listing(
        of folder: String
    ) throws(SystemError) -> [(name: String, inode: UInt64, kind: FileStatus.Kind?)] {
        guard let stream = unsafe opendir(folder) else { throw .last("opendir", folder) }
        defer { unsafe closedir(stream) }
        var found: [(name: String, inode: UInt64, kind: FileStatus.Kind?)] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    unsafe String(
                        decoding: UnsafeBufferPointer(start: $0, count: strlen($0)), as: UTF8.self)
                }
            }
            if name == "." || name == ".." { continue }
            let kind: FileStatus.Kind? =
                switch Int(unsafe entry.pointee.d_type) {
                case Int(DT_REG): .regular
                case Int(DT_DIR): .folder
                case Int(DT_LNK): .link
                case Int(DT_UNKNOWN): nil
                default: .other
                }
            found.append((name, UInt64(unsafe entry.pointee.d_ino), kind))
        }
        return found
    }

    /// The names in a folder, unordered, without `.` and `..`; nothing is asked about each.
    package static func names(of folder: String) throws(SystemError) -> [String] {
        try listing(of: folder).map(\.name)
    }

    /// Makes the folder and those above it, 0700 whatever the umask. One that is there stays as it is.
    /// Every folder made is on the disk when this returns.
    package static func makeFolder(_ path: String) throws(SystemError) {
        if unsafe mkdir(path, 0o700) == 0 {
            _ = unsafe chmod(path, 0o700)
            try flushFolder(parent(of: path))
            return
        }
        let error = SystemError.last("mkdir", path)
        if error.code == EEXIST {
            guard try status(of: path, followingLinks: true)?.kind == .folder else {
                throw SystemError(call: "mkdir", path: path, code: ENOTDIR)
            }
            return
        }
        let above = parent(of: path)
        guard error.code == ENOENT, above != path else { throw error }
        try makeFolder(above)
        try makeFolder(path)
    }

    /// Makes the folder where it is missing, and makes sure that nobody else can put anything there.
    /// - Throws: `SystemError` with `isDenied` also when it belongs to another user, is a link, or is open to others.
    package static func makePrivateFolder(_ path: String) throws(SystemError) {
        try makeFolder(path)
        guard let status = try status(of: path), status.kind == .folder,
            status.owner == geteuid(), status.mode & 0o077 == 0
        else { throw .notPrivate(path) }
    }

    /// Makes names that were created in, moved into or removed from the folder last.
    package static func flushFolder(_ path: String) throws(SystemError) {
        try FileDescriptor.open(path, for: .folder).flush()
    }

    /// Renames, replacing what has the new name. Both folders are flushed.
    package static func move(_ path: String, to newPath: String) throws(SystemError) {
        guard unsafe rename(path, newPath) == 0 else { throw .last("rename", newPath) }
        let (old, new) = (parent(of: path), parent(of: newPath))
        try flushFolder(new)
        if old != new { try flushFolder(old) }
    }

    /// Renames, but never over a file: fails with `isAlreadyThere` when the new name is taken.
    /// The folders are not flushed. Where the file system has no such call a hard link does the same
    /// in two steps.
    package static func moveExclusively(_ path: String, to newPath: String) throws(SystemError) {
        if unsafe aura_rename_exclusive(path, newPath) == 0 { return }
        let error = SystemError.last("rename", newPath)
        guard error.code == EINVAL || error.code == ENOSYS || error.code == ENOTSUP else {
            throw error
        }
        guard makeLink(path, newPath) == 0 else { throw .last("link", newPath) }
        try remove(path)
    }

    /// Removes a file; one that is not there counts as removed.
    package static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path) }
    }

    /// Removes an empty folder; one that is not there counts as removed.
    package static func removeFolder(_ path: String) throws(SystemError) {
        guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw .last("rmdir", path) }
    }

    /// Everything before the last slash; `.` when there is none, `/` for the root.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Everything after the last slash.
    package static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

private func makeLink(_ path: String, _ newPath: String) -> Int32 {
    unsafe link(path, newPath)
}
