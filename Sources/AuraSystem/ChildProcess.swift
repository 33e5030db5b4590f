internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A program that this process started.
package struct ChildProcess: Sendable {
    /// What the program is started with; nothing is taken over that is not named here.
    package struct Recipe: Sendable {
        package var program: String
        /// Without the program's own name.
        package var arguments: [String]
        package var environment: [String: String]
        /// Where it starts; nil is this process's folder.
        package var folder: String?
        /// A session of its own, so that closing the terminal does not end it.
        package var isDetached = false
        /// Lets everything else go first (nice 10).
        package var isLowPriority = false

        package init(
            _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
        ) {
            self.program = program
            self.arguments = arguments
            self.environment = environment
        }
    }

    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signal(Int32)
    }

    package let number: Int32

    /// Starts the program. Each of the three streams is the given descriptor, or `/dev/null`; no other is passed on.
    package static func start(
        _ recipe: Recipe, input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
    ) throws(SystemError) -> ChildProcess {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let streams = [input, output, errors]
        for stream in streams.indices {
            if let given = streams[stream] {
                unsafe posix_spawn_file_actions_adddup2(&actions, given, Int32(stream))
            } else {
                unsafe posix_spawn_file_actions_addopen(
                    &actions, Int32(stream), "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
        unsafe aura_spawn_close_rest(&actions)
        if let folder = recipe.folder { unsafe aura_spawn_in_folder(&actions, folder) }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Signals that this process ignores or blocks are as usual in the child.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            unsafe sigaddset(&usual, signal)
        }
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        if recipe.isDetached { flags |= aura_spawn_new_session() }
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var number: pid_t = 0
        let environment = recipe.environment.map { "\($0.key)=\($0.value)" }.sorted()
        let code = unsafe withCStrings([recipe.program] + recipe.arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe posix_spawn(
                    &number, recipe.program, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemError(call: "spawn", path: recipe.program, code: code) }
        if recipe.isLowPriority { aura_lower_process(number, 10) }
        return ChildProcess(number: number)
    }

    /// How it ended; nil while it runs. Once it was told, the number belongs to nobody.
    package func ending() -> Ending? {
        var status: Int32 = 0
        var result = unsafe waitpid(number, &status, WNOHANG)
        while result < 0, errno == EINTR { result = unsafe waitpid(number, &status, WNOHANG) }
        guard result != 0 else { return nil }
        // Gone, and somebody else was told how.
        guard result == number else { return .exited(0) }
        let code = aura_exit_code(status)
        return code >= 256 ? .signal(code - 256) : .exited(code)
    }

    /// Waits for the end; nil when it still runs after `patience`.
    package func waitForEnd(atMost patience: Duration) -> Ending? {
        let deadline = ContinuousClock.now + patience
        var pause: UInt32 = 500
        while true {
            if let ending = ending() { return ending }
            guard ContinuousClock.now < deadline else { return nil }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
    }

    package func stop() { _ = killProcess(number, SIGTERM) }
    package func kill() { _ = killProcess(number, SIGKILL) }

    /// What a finished program wrote.
    package struct Outcome: Sendable {
        package let ending: Ending
        package let output: [UInt8]
    }

    /// Runs a program to its end with nothing on its input, keeping at most `limit` bytes of its standard output.
    /// - Throws: `SystemError` with `isTimeout` when it was killed at the deadline.
    package static func run(
        _ recipe: Recipe, within patience: Duration, limit: Int = 1 << 24
    ) throws(SystemError) -> Outcome {
        var ends: [Int32] = [0, 0]
        guard unsafe makePipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = aura_fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reading = FileDescriptor(owning: ends[0])
        let writing = FileDescriptor(owning: ends[1])
        let deadline = ContinuousClock.now + patience
        let child = try start(recipe, output: writing.number)
        _ = consume writing
        var output: [UInt8] = []
        var isOpen = true
        while isOpen {
            var item = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
            let left = (deadline - ContinuousClock.now).components
            let wait = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            let count = unsafe poll(&item, 1, Int32(clamping: wait))
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                child.kill()
                _ = child.waitForEnd(atMost: .seconds(5))
                throw SystemError(call: "wait", path: recipe.program, code: ETIMEDOUT)
            }
            let piece = try reading.read(upTo: 65_536)
            if piece.isEmpty { isOpen = false }
            output += piece.prefix(max(0, limit - output.count))
        }
        guard let ending = child.waitForEnd(atMost: max(deadline - ContinuousClock.now, .zero))
        else {
            child.kill()
            _ = child.waitForEnd(atMost: .seconds(5))
            throw SystemError(call: "wait", path: recipe.program, code: ETIMEDOUT)
        }
        return Outcome(ending: ending, output: output)
    }
}

/// Calls about the process itself that a server makes once, before it starts threads.
package enum ThisProcess {
    package static var number: Int32 { getpid() }
    package static var user: UInt32 { geteuid() }

    /// Processor time that this process has used, in seconds over all its threads.
    package static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Standard output and error lead nowhere from now on, so that native code cannot speak to a terminal.
    package static func silenceOutput() {
        let number = unsafe aura_openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC, 0)
        guard number >= 0 else { return }
        dup2(number, 1)
        dup2(number, 2)
        if number > 2 { close(number) }
    }

    /// Writing to a closed pipe becomes an error of the call instead of the end of the process.
    package static func ignoreBrokenPipes() { aura_ignore_signal(SIGPIPE) }

    /// Ends the process without any more work, also while other threads compute.
    package static func exitNow(_ code: Int32) -> Never { _exit(code) }

    /// A crash ends the process at once and leaves nothing behind: no trace is gathered, no memory written to a file.
    package static func dieAtOnceInCrash() {
        for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
            aura_reset_signal(signal)
        }
        aura_refuse_core_files()
    }

    /// From now on no other program of the same user reads this process's memory, nor does the system write it to
    /// a file. To be called before any secret is in it.
    ///
    /// Files below `/proc/self` then belong to root: an ordinary user's process still reads its own, but changes
    /// none (see `SystemMemory.volunteerWhenShort`).
    package static func hideMemory() { aura_hide_memory() }

    /// New files and sockets are for the owner only.
    package static func keepFilesPrivate() { umask(0o077) }
}

private func killProcess(_ number: Int32, _ signal: Int32) -> Int32 { kill(number, signal) }
private func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }

/// The strings as C wants them, with the closing null, for the time of the call.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    for string in strings { unsafe pointers.append(strdup(string)) }
    unsafe pointers.append(nil)
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe body(pointers)
}
