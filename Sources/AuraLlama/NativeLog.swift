internal import CLlama
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The lines that native code would print. They never reach a terminal; the last complaints are kept for messages.
package enum NativeLog {
    private static let complaints = Mutex<[String]>([])
    private static let kept = 20

    /// Takes over the library's output and starts its backend, once a process.
    package static func install() { _ = installed }

    private static let installed: Void = {
        // A crash should be one at once, not after a debugger has looked at it.
        unsafe setenv("GGML_NO_BACKTRACE", "1", 1)
        unsafe llama_log_set(
            { level, text, _ in
                guard level.rawValue >= GGML_LOG_LEVEL_WARN.rawValue, let text = unsafe text else {
                    return
                }
                NativeLog.keep(unsafe String(cString: text))
            }, nil)
        llama_backend_init()
    }()

    /// The last warnings and errors since the last call, oldest first, and forgets them.
    package static func takeComplaints() -> [String] {
        complaints.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// The last complaint that says anything, for an error; empty when there is none.
    static func lastComplaint() -> String { takeComplaints().last ?? "" }

    /// Runs a call that prints its complaints instead of logging them, and keeps those too.
    ///
    /// Standard error leads elsewhere for the time of the call: keep it short.
    static func catchingPrints<Result>(_ body: () -> Result) -> Result {
        var ends: [Int32] = [-1, -1]
        let saved = dup(2)
        guard saved >= 0, unsafe pipe(&ends) == 0 else { return body() }
        // What does not fit into the pipe is lost; nothing waits.
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        dup2(ends[1], 2)
        let result = body()
        dup2(saved, 2)
        close(saved)
        close(ends[1])
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            filled = max(0, unsafe read(ends[0], buffer.baseAddress, buffer.count))
        }
        close(ends[0])
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            keep(String(line))
        }
        return result
    }

    private static func keep(_ text: String) {
        var line = Substring(text)
        while let last = line.last, last.isWhitespace { line.removeLast() }
        guard line.count > 1 else { return }
        complaints.withLock { lines in
            lines.append(String(line.prefix(300)))
            if lines.count > kept { lines.removeFirst() }
        }
    }
}
