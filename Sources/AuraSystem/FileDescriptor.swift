internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What `stat` tells of a file, as far as anyone here asks.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable { case regular, folder, link, other }

    package let kind: Kind
    package let size: Int64
    package let inode: UInt64
    package let device: UInt64
    /// Nanoseconds since 1970.
    package let modified: Int64
    /// The twelve permission bits.
    package let mode: UInt32
    package let owner: UInt32

    init(_ status: stat) {
        let mode = status.st_mode
        kind =
            if aura_is_regular(mode) != 0 { .regular } else if aura_is_folder(mode) != 0 {
                .folder
            } else if aura_is_link(mode) != 0 { .link } else { .other }
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        modified = unsafe withUnsafePointer(to: status) { unsafe aura_modified_nanoseconds($0) }
        self.mode = UInt32(mode) & 0o7777
        owner = UInt32(status.st_uid)
    }
}

/// One open file or folder, closed when it goes out of scope.
package struct FileDescriptor: ~Copyable {
    /// The number the kernel knows; valid while this value lives.
    package let number: Int32
    /// For messages only.
    package let path: String

    /// Takes over `number`; the caller must not close it.
    package init(owning number: Int32, path: String = "") {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    package enum Access: Sendable {
        /// A regular file for reading. Links are not followed; a pipe or device is refused, never waited for.
        case read
        /// A new file for writing, 0600; fails when the name is taken.
        case create
        /// For appending, made when missing.
        case append
        /// For reading and writing, made when missing; what lock files use.
        case lock
        /// A folder, to open files relative to it.
        case folder

        fileprivate var flags: Int32 {
            switch self {
            case .read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            case .append: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
            case .lock: O_RDWR | O_CREAT | O_NOFOLLOW
            case .folder: O_RDONLY | O_DIRECTORY
            }
        }
    }

    package static func open(
        _ path: String, for access: Access, mode: UInt32 = 0o600
    ) throws(SystemError) -> FileDescriptor {
        let number = unsafe aura_openat(
            AT_FDCWD, path, access.flags | O_CLOEXEC, mode_t(mode))
        guard number >= 0 else { throw .last("open", path) }
        let descriptor = FileDescriptor(owning: number, path: path)
        if access == .read {
            switch try descriptor.status().kind {
            case .regular: break
            case .folder: throw SystemError(call: "open", path: path, code: EISDIR)
            case .link, .other: throw SystemError(call: "open", path: path, code: EINVAL)
            }
        }
        return descriptor
    }

    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last("stat", path) }
        return FileStatus(status)
    }

    /// Everything from the present position to the end, or to `limit` bytes.
    package func readAll(limit: Int = .max) throws(SystemError) -> [UInt8] {
        let expected = Int((try? status().size) ?? 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(max(expected, 0), limit) + 1)
        while bytes.count < limit {
            let piece = try read(
                upTo: min(max(expected - bytes.count, 16_384), limit - bytes.count))
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
        }
        return bytes
    }

    /// One `read`; empty at the end. An interrupted call is repeated.
    package func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            while true {
                let got = unsafe readSome(number, buffer.baseAddress, buffer.count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = .last("read", path) }
                filled = max(got, 0)
                return
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Hands over everything from the present position to the end, a megabyte at a time: the size of a file
    /// costs no memory.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        while true {
            let piece = try read(upTo: 1 << 20)
            if piece.isEmpty { return }
            try body(piece)
        }
    }

    /// Writes all of it, however many calls that takes.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        let bytes = ContiguousArray(bytes)
        var done = 0
        while done < bytes.count {
            let wrote = unsafe bytes.withUnsafeBytes { buffer in
                unsafe writeSome(number, buffer.baseAddress! + done, buffer.count - done)
            }
            if wrote < 0 {
                if errno == EINTR { continue }
                throw .last("write", path)
            }
            done += wrote
        }
    }

    /// Makes the file one that was written last at that time, in nanoseconds since 1970.
    package func setModified(_ nanoseconds: Int64) throws(SystemError) {
        let moment = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        guard unsafe futimens(number, [moment, moment]) == 0 else { throw .last("utime", path) }
    }

    /// Waits until the file's bytes are on the disk. A failure means that they may not be, and
    /// trying again would not tell.
    package func flush() throws(SystemError) {
        guard fsync(number) == 0 else { throw .last("fsync", path) }
    }
}

// The C names are hidden by the methods above.
private func readSome(
    _ number: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
    unsafe read(number, buffer, count)
}

private func writeSome(_ number: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(number, buffer, count)
}
