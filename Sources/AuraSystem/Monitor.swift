internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A value behind a lock that threads can wait on until it is as they need it.
@safe package final class Monitor<State: Sendable>: @unchecked Sendable {
    // Sendable because `state` is touched only while `mutex` is held.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value; whoever waits looks again afterwards.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Blocks the thread until `body` gives a result, or gives nil when `patience` is over.
    /// Nil patience waits for ever.
    package func wait<Result>(
        atMost patience: Duration?, until body: (inout State) -> Result?
    ) -> Result? {
        let deadline = patience.map { ContinuousClock.now + $0 }
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                unsafe pthread_cond_wait(changed, mutex)
                continue
            }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { return nil }
            // Wall time is what the call takes; a clock that is set in between costs one more look.
            var end = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &end)
            let step = min(left, .seconds(1)).components
            end.tv_sec += Int(step.seconds)
            end.tv_nsec += Int(step.attoseconds / 1_000_000_000)
            if end.tv_nsec >= 1_000_000_000 {
                end.tv_sec += 1
                end.tv_nsec -= 1_000_000_000
            }
            unsafe pthread_cond_timedwait(changed, mutex, &end)
        }
    }
}
