internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A local socket that programs of the same user connect to.
package final class UnixListener: Sendable {
    package let path: String
    private let number: Int32
    /// Held as long as the listener lives, where it was made by `alone`.
    private let lock: FileLock?

    /// The one listener of this name, which a lock beside the socket makes sure of; nil when another process has it
    /// and answers. One that is just ending holds the lock a little longer: it is waited for, at most 3 s.
    package static func alone(
        at path: String, lockedBy lockPath: String
    ) throws(SystemError) -> UnixListener? {
        for _ in 0..<150 {
            if let lock = try FileLock.acquire(lockPath) {
                return try UnixListener(at: path, holding: lock)
            }
            if (try? UnixConnection.connect(to: path)) != nil { return nil }
            WorkThread.pause(.milliseconds(20))
        }
        return nil
    }

    /// Takes the name, removing a socket that is there: only the holder of the lock beside it may do this.
    package convenience init(at path: String) throws(SystemError) {
        try self.init(at: path, holding: nil)
    }

    private init(at path: String, holding lock: consuming FileLock?) throws(SystemError) {
        self.path = path
        self.lock = lock
        try Files.remove(path)
        number = try UnixSocket.make()
        do throws(SystemError) {
            try unsafe UnixSocket.withAddress(of: path) { address, size in
                unsafe bind(number, address, size)
            } orThrow: {
                "bind"
            }
            _ = unsafe chmod(path, 0o600)
            guard listen(number, 64) == 0 else { throw .last("listen", path) }
            _ = aura_fcntl(number, F_SETFL, O_NONBLOCK)
        } catch {
            close(number)
            throw error
        }
    }

    deinit { close(number) }

    /// The next connection of the same user; nil when none came within `patience`. Others are hung up on.
    package func accept(within patience: Duration) throws(SystemError) -> UnixConnection? {
        guard
            try UnixSocket.isReady(
                number, for: Int16(POLLIN), until: ContinuousClock.now + patience)
        else { return nil }
        let peer = acceptConnection(number)
        guard peer >= 0 else {
            if [EAGAIN, ECONNABORTED, EINTR].contains(errno) { return nil }
            throw .last("accept", path)
        }
        let connection = UnixConnection(owning: peer)
        return connection.peerUser == geteuid() ? connection : nil
    }
}

/// One end of a local connection. Any thread may call `hangUp`; reading and writing are for one thread each.
package final class UnixConnection: Sendable {
    private let number: Int32

    init(owning number: Int32) {
        self.number = number
        _ = aura_fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = aura_fcntl(number, F_SETFL, O_NONBLOCK)
    }

    deinit { close(number) }

    /// - Throws: `SystemError` with `isNobodyListening` when no program serves the socket.
    package static func connect(to path: String) throws(SystemError) -> UnixConnection {
        let number = try UnixSocket.make()
        do throws(SystemError) {
            try unsafe UnixSocket.withAddress(of: path) { address, size in
                unsafe connectSocket(number, address, size)
            } orThrow: {
                "connect"
            }
        } catch {
            close(number)
            throw error
        }
        let connection = UnixConnection(owning: number)
        guard connection.peerUser == geteuid() else {
            throw SystemError(call: "connect", path: path, code: EPERM)
        }
        return connection
    }

    /// The user who runs the other end; nil when the system does not tell.
    package var peerUser: UInt32? {
        let user = aura_peer_user(number)
        return user < 0 ? nil : UInt32(user)
    }

    /// The process at the other end; nil when the system does not tell.
    package var peerProcess: Int32? {
        let process = aura_peer_process(number)
        return process <= 0 ? nil : Int32(process)
    }

    /// Ends the conversation for both sides; a thread that waits in `receive` wakes.
    package func hangUp() { _ = shutdown(number, Int32(SHUT_RDWR)) }

    /// Whether the other side has gone. Costs one call and never waits.
    package var isHungUp: Bool {
        var item = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&item, 1, 0) > 0 else { return false }
        if item.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return true }
        var byte: UInt8 = 0
        return unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Sends all of it.
    /// - Throws: `SystemError` with `isTimeout` when the other side does not take it in time.
    package func send(
        _ bytes: [UInt8], by deadline: ContinuousClock.Instant
    ) throws(SystemError) {
        try send(bytes.span, by: deadline)
    }

    /// As the other `send`, without a copy of the bytes.
    package func send(
        _ bytes: Span<UInt8>, by deadline: ContinuousClock.Instant
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let sent = unsafe bytes.withUnsafeBytes { buffer in
                unsafe sendSome(number, buffer.baseAddress! + done, buffer.count - done)
            }
            if sent >= 0 {
                done += sent
            } else if errno == EAGAIN {
                guard try UnixSocket.isReady(number, for: Int16(POLLOUT), until: deadline) else {
                    throw SystemError(call: "send", path: "", code: ETIMEDOUT)
                }
            } else if errno != EINTR {
                throw .last("send")
            }
        }
    }

    /// Fills the memory, without leaving a copy of the bytes elsewhere in this process.
    /// - Throws: `SystemError` with `isTimeout` after the deadline, with `isHangUp` when the bytes end before.
    package func receive(
        into bytes: inout MutableSpan<UInt8>, by deadline: ContinuousClock.Instant
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            guard try UnixSocket.isReady(number, for: Int16(POLLIN), until: deadline) else {
                throw SystemError(call: "receive", path: "", code: ETIMEDOUT)
            }
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe recv(
                    number, buffer.baseAddress! + done, buffer.count - done, Int32(MSG_DONTWAIT))
            }
            if got == 0 { throw SystemError(call: "receive", path: "", code: ECONNRESET) }
            if got < 0, errno != EAGAIN, errno != EINTR { throw .last("receive") }
            done += max(got, 0)
        }
    }

    /// Exactly so many bytes; nil when the other side hung up before the first of them.
    /// - Throws: `SystemError` with `isTimeout` after the deadline; nil waits for ever.
    package func receive(
        _ count: Int, by deadline: ContinuousClock.Instant?
    ) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard try UnixSocket.isReady(number, for: Int16(POLLIN), until: deadline) else {
                throw SystemError(call: "receive", path: "", code: ETIMEDOUT)
            }
            var failure: SystemError?
            let wanted = min(count - bytes.count, 1 << 16)
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                let got = unsafe recv(number, buffer.baseAddress, wanted, Int32(MSG_DONTWAIT))
                if got < 0, errno != EAGAIN, errno != EINTR { failure = .last("receive") }
                if got == 0 { failure = SystemError(call: "receive", path: "", code: ECONNRESET) }
                filled = max(got, 0)
            }
            if let failure {
                if bytes.isEmpty, failure.code == ECONNRESET { return nil }
                throw failure
            }
            bytes += piece
        }
        return bytes
    }
}

extension SystemError {
    /// No socket there, or one that its program left behind.
    package var isNobodyListening: Bool { isNotFound || code == ECONNREFUSED }
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// The other side of a connection ended it.
    package var isHangUp: Bool { code == ECONNRESET || code == EPIPE }
}

private enum UnixSocket {
    static func make() throws(SystemError) -> Int32 {
        #if canImport(Glibc)
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let number = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard number >= 0 else { throw .last("socket") }
        return number
    }

    /// An address holds 107 bytes of path. A longer one goes by way of its opened folder.
    static func withAddress(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32,
        orThrow call: () -> String
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        var short = path
        var folder: FileDescriptor?
        if short.utf8.count > room {
            let opened = try FileDescriptor.open(Files.parent(of: path), for: .folder)
            short = "/proc/self/fd/\(opened.number)/\(Files.name(of: path))"
            folder = consume opened
        }
        guard short.utf8.count <= room, !short.utf8.contains(0) else {
            throw SystemError(call: call(), path: path, code: ENAMETOOLONG)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            unsafe buffer.copyBytes(from: short.utf8)
        }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let code = errno
        _ = consume folder
        guard result == 0 else { throw SystemError(call: call(), path: path, code: code) }
    }

    /// Waits until the socket can be used; false after the deadline.
    static func isReady(
        _ number: Int32, for events: Int16, until deadline: ContinuousClock.Instant?
    ) throws(SystemError) -> Bool {
        while true {
            var wait: Int32 = -1
            if let deadline {
                let left = (deadline - ContinuousClock.now).components
                let milliseconds =
                    left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999)
                    / 1_000_000_000_000_000
                wait = Int32(clamping: max(milliseconds, 0))
            }
            var item = pollfd(fd: number, events: events, revents: 0)
            let count = unsafe poll(&item, 1, wait)
            if count > 0 { return true }
            if count == 0 { return false }
            guard errno == EINTR else { throw .last("poll") }
        }
    }
}

// The C names are hidden by the methods above.
private func acceptConnection(_ number: Int32) -> Int32 { accept(number, nil, nil) }

private func connectSocket(
    _ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    unsafe connect(number, address, size)
}

private func sendSome(_ number: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
        unsafe send(number, buffer, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    #else
        unsafe send(number, buffer, count, Int32(MSG_DONTWAIT))
    #endif
}
