internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Threads of our own, for calls that block: the threads of Swift's tasks must never wait.
package enum WorkThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` once on a new thread that ends with it.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Native model code keeps large frames; the default of a limited shell may be small.
        unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = unsafe pthread_create(
            &thread, &attributes,
            { pointer in
                #if canImport(Glibc)
                    let pointer = unsafe pointer!
                #endif
                unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            unsafe work.release()
            throw SystemError(call: "pthread_create", path: "", code: code)
        }
    }

    /// Stands still for a moment. Never on a thread of Swift's tasks.
    package static func pause(_ time: Duration) {
        let parts = time.components
        usleep(UInt32(clamping: parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000))
    }

    /// Lets others go before this thread, and the threads it starts. Linux only; elsewhere nothing.
    package static func lowerPriority() { aura_lower_thread(10) }
}
