internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension FileDescriptor {
    /// A regular file for reading that may be reached through links: for files that a person names.
    package static func openFollowingLinks(_ path: String) throws(SystemError) -> FileDescriptor {
        let number = unsafe aura_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        guard number >= 0 else { throw .last("open", path) }
        let descriptor = FileDescriptor(owning: number, path: path)
        guard try descriptor.status().kind == .regular else {
            throw SystemError(call: "open", path: path, code: EINVAL)
        }
        return descriptor
    }

    /// The file as it will be written by a download: made when missing, kept when there.
    package static func openForDownload(_ path: String) throws(SystemError) -> FileDescriptor {
        let number = unsafe aura_openat(
            AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last("open", path) }
        return FileDescriptor(owning: number, path: path)
    }

    /// Cuts the file off or lengthens it, and goes on writing there.
    package func resize(to count: Int64) throws(SystemError) {
        guard ftruncate(number, off_t(count)) == 0, lseek(number, off_t(count), SEEK_SET) >= 0
        else {
            throw .last("truncate", path)
        }
    }

    /// The next `read` or `write` starts there.
    package func seek(to place: Int64) throws(SystemError) {
        guard lseek(number, off_t(place), SEEK_SET) >= 0 else { throw .last("seek", path) }
    }
}

extension Files {
    /// Gives a file a second name; fails with `isAlreadyThere` when that is taken, and across file systems.
    package static func hardLink(_ path: String, as newPath: String) throws(SystemError) {
        guard unsafe linkat(AT_FDCWD, path, AT_FDCWD, newPath, Int32(AT_SYMLINK_FOLLOW)) == 0 else {
            throw .last("link", newPath)
        }
    }
}
