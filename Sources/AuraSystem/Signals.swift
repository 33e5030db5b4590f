internal import CSystem
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The signals that ask a program to stop: Ctrl-C, TERM and a closed terminal.
package enum Signals {
    /// Writing to a closed pipe, or past a file-size limit, becomes an error instead of an end.
    package static func ignorePipeAndFileSize() {
        aura_ignore_signal(SIGPIPE)
        aura_ignore_signal(SIGXFSZ)
    }

    /// Calls `handler` on a thread of its own for every stopping signal, with 128 + its number: the
    /// exit code that a shell would show. To be called once, before other threads are started.
    package static func watchStops(_ handler: @escaping @Sendable (Int32) -> Void) {
        aura_block_stops()
        let noting = Handler { code in
            stopped.store(true, ordering: .relaxed)
            handler(code)
        }
        let box = unsafe Unmanaged.passRetained(noting)
        var thread = pthread_t()
        let failed = unsafe pthread_create(
            &thread, nil,
            { context in
                let handler = unsafe Unmanaged<Handler>.fromOpaque(context!).takeRetainedValue()
                while true { handler.call(128 + aura_wait_for_stop()) }
            }, box.toOpaque())
        if failed == 0 {
            pthread_detach(thread)
        } else {
            aura_unblock_stops()
            unsafe box.release()
        }
    }

    /// Whether a stopping signal came: a call that waits for a person gives up then.
    package static var hasStopped: Bool { stopped.load(ordering: .relaxed) }

    private static let stopped = Atomic(false)

    /// Ends the program now, without running anything that waits. A terminal that hides what is typed shows it again.
    package static func exitNow(_ code: Int32) -> Never {
        TerminalDevice.showTyping(isInterrupted: true)
        _exit(code)
    }

    private final class Handler: Sendable {
        let call: @Sendable (Int32) -> Void
        init(_ call: @escaping @Sendable (Int32) -> Void) { self.call = call }
    }
}
