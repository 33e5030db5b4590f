internal import CSystem
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension TerminalDevice {
    /// Asks a person for a secret on the terminal that this process belongs to, whatever the streams are, and does
    /// not show what is typed.
    ///
    /// Nil when there is no terminal, at the end of its input, or when a stopping signal came. The one newline that
    /// ends it is left out. The caller wipes the bytes.
    package static func readSecret(prompt: String) -> [UInt8]? {
        let number = unsafe aura_openat(AT_FDCWD, "/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
        guard number >= 0 else { return nil }
        let terminal = FileDescriptor(owning: number, path: "/dev/tty")
        let isHidden = hidden.withLock { hidden in
            var before = termios()
            guard unsafe aura_hide_typing(number, &before) == 0 else { return false }
            hidden = Hidden(number: number, before: before)
            return true
        }
        guard isHidden else { return nil }
        defer { showTyping(isInterrupted: false) }
        try? terminal.write(prompt.utf8)
        let typed = try? SecretInput.read(from: number, isLine: true) {
            // Looked at between short waits: the signals are taken on another thread.
            var item = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            while !Signals.hasStopped {
                if unsafe poll(&item, 1, 50) > 0 { return true }
            }
            return false
        }
        try? terminal.write("\n".utf8)
        return typed
    }

    /// Undoes what `readSecret` did to the terminal; nothing when it is not reading.
    static func showTyping(isInterrupted: Bool) {
        hidden.withLock { state in
            guard var past = state else { return }
            // Half a passphrase must not become the shell's next line.
            if isInterrupted { tcflush(past.number, TCIFLUSH) }
            _ = unsafe tcsetattr(past.number, TCSANOW, &past.before)
            state = nil
        }
    }

    /// The terminal that hides what is typed, and how it was before.
    private struct Hidden {
        let number: Int32
        var before: termios
    }

    private static let hidden = Mutex<Hidden?>(nil)
}

extension FileDescriptor {
    /// All the bytes of a descriptor that this process was started with, at most 4096, without the one newline that
    /// may end them. It stays open. The caller wipes the bytes.
    package static func readSecret(fromNumber number: Int32) throws(SystemError) -> [UInt8] {
        try SecretInput.read(from: number, isLine: false) { true } ?? []
    }
}

private enum SecretInput {
    /// A longer secret is a mistake.
    static let mostBytes = 4096

    /// The bytes up to the end, or to the first newline; nil for a line that ended before its first byte, or when
    /// `isReady`, which is asked before every read, says no. Every other copy is wiped.
    static func read(
        from number: Int32, isLine: Bool, isReady: () -> Bool
    ) throws(SystemError) -> [UInt8]? {
        // A newline more, and a byte more to see that it is too long.
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: mostBytes + 2, alignment: 1)
        defer {
            unsafe aura_wipe(memory.baseAddress, memory.count)
            unsafe memory.deallocate()
        }
        var count = 0
        while count < memory.count {
            guard isReady() else { return nil }
            let got = unsafe readSome(number, memory.baseAddress! + count, memory.count - count)
            if got < 0 {
                if errno == EINTR { continue }
                throw .last("read")
            }
            count += got
            if got == 0 { break }
            if isLine, unsafe memory[count - 1] == 0x0A { break }
        }
        if isLine, count == 0 { return nil }
        if count > 0, unsafe memory[count - 1] == 0x0A { count -= 1 }
        guard count <= mostBytes else {
            throw SystemError(call: "read", path: "", code: EMSGSIZE)
        }
        return unsafe Array(memory[..<count])
    }
}

// The C name is hidden by the methods above.
private func readSome(_ number: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(number, buffer, count)
}
