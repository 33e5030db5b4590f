internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The standard streams of this process.
package enum TerminalDevice {
    package enum Stream: Int32, Sendable { case input = 0, output, error }

    package static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// Nil when the stream is no terminal or does not tell.
    package static func columns(_ stream: Stream) -> Int? {
        let columns = aura_terminal_columns(stream.rawValue)
        return columns > 0 ? Int(columns) : nil
    }

    /// Writes all bytes to a stream.
    package static func write(_ bytes: some Sequence<UInt8>, to stream: Stream) throws(SystemError)
    {
        let bytes = ContiguousArray(bytes)
        var done = 0
        while done < bytes.count {
            let wrote = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Self.call(stream.rawValue, buffer.baseAddress! + done, buffer.count - done)
            }
            if wrote < 0 {
                if errno == EINTR { continue }
                throw .last("write")
            }
            done += wrote
        }
    }

    private static func call(_ number: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.write(number, buffer, count)
        #else
            unsafe Darwin.write(number, buffer, count)
        #endif
    }

    /// Up to `count` bytes of standard input; empty at its end.
    package static func readInput(upTo count: Int) throws(SystemError) -> [UInt8] {
        // A duplicate, so that dropping it leaves the stream open.
        let number = dup(0)
        guard number >= 0 else { throw .last("dup", "standard input") }
        return try FileDescriptor(owning: number, path: "standard input").read(upTo: count)
    }

    /// All of standard input, at most `limit` bytes.
    package static func readAllInput(limit: Int) throws(SystemError) -> [UInt8] {
        let number = dup(0)
        guard number >= 0 else { throw .last("dup", "standard input") }
        return try FileDescriptor(owning: number, path: "standard input").readAll(limit: limit)
    }

    /// What standard input is: nothing at all when it was closed.
    package static func inputStatus() -> FileStatus? {
        let number = dup(0)
        guard number >= 0 else { return nil }
        return try? FileDescriptor(owning: number).status()
    }
}
