#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A lock that the kernel holds for this process and drops when the process ends, however it ends.
///
/// The file holds the owner's process number for messages; it is not what locks.
package struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// Nil when another process holds it. Waits at most `patience`, looking every 20 ms.
    package static func acquire(
        _ path: String, patience: Duration = .zero
    ) throws(SystemError) -> FileLock? {
        let file = try FileDescriptor.open(path, for: .lock)
        let deadline = ContinuousClock.now + patience
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw .last("flock", path) }
            if ContinuousClock.now >= deadline { return nil }
            usleep(20_000)
        }
        let lock = FileLock(file: file)
        lock.writeOwner()
        return lock
    }

    /// Who wrote its number into the lock file last, for a message; nil when nobody did.
    package static func owner(of path: String) -> Int? {
        guard let bytes = try? Files.bytes(at: path, limit: 32) else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isASCII && $0.isNumber })
    }

    private func writeOwner() {
        _ = ftruncate(file.number, 0)
        _ = lseek(file.number, 0, SEEK_SET)
        try? file.write("\(getpid())\n".utf8)
    }
}
