import AuraSystem
import Foundation
import Glibc
import Synchronization

/// The built `aura`, run as a person would run it, in a home of its own.
///
/// Each value has its own temporary folder with `home`, the XDG folders, `run` and `tmp`; nothing of the
/// machine's own settings, vaults or models is seen. Classification in the background is switched off,
/// so that no program runs on after its test; whatever does is ended when the value is released.
package final class AuraProgram: Sendable {
    package enum Models: Sendable {
        case none
        /// Files that exist; nil for none of that kind.
        case files(chat: String?, embedding: String?)
    }

    package enum Input: Sendable {
        /// `/dev/null`
        case nothing
        /// No stream at all, as cron may leave it.
        case closed
        /// A pipe that stays open and brings nothing.
        case heldOpen
        /// A pipe with these bytes.
        case bytes([UInt8])
        /// A pipe that brings the bytes after a while.
        case delayed([UInt8], Duration)

        package static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }
    }

    /// What kind of home the program makes when no option says.
    package enum Sealing: Sendable { case plain, encrypted }

    /// What the program is given as its terminal.
    package struct Terminal: Sendable {
        package var columns = 80
        /// Standard error goes to its own pipe, so that it can be told apart.
        package var keepsErrorsApart = false
        /// Standard input is what `input` says, not the terminal.
        package var keepsInputApart = false

        package init(
            columns: Int = 80, keepsErrorsApart: Bool = false, keepsInputApart: Bool = false
        ) {
            self.columns = columns
            self.keepsErrorsApart = keepsErrorsApart
            self.keepsInputApart = keepsInputApart
        }
    }

    package struct Outcome: Sendable {
        /// As a shell would tell it: 128 + the number of a signal that ended the program.
        package let status: Int32
        package let outputBytes: [UInt8]
        package let errorBytes: [UInt8]
        package let time: Duration
        /// It ran past its deadline and was killed.
        package let wasKilled: Bool
        /// From the signal that was asked for to the end; nil when none was sent.
        package let timeAfterSignal: Duration?

        package var output: String { String(decoding: outputBytes, as: UTF8.self) }
        package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
        package var lines: [String] {
            output.split(separator: "\n").map(String.init)
        }
    }

    package let folder: TemporaryFolder
    private let environment: [String: String]
    /// Global options that go before the words: a pretended clock.
    private let globals: [String]

    /// - Parameter clock: as the cases write it: `Wednesday 2026-03-04 10:00, Europe/London`.
    package init(
        clock: String? = nil, models: Models = .none, sealing: Sealing = .plain
    ) throws {
        folder = try TemporaryFolder()
        globals = try clock.map { try CaseClock($0).options } ?? []
        let root = folder.path
        for name in ["home", "config", "data", "run", "tmp", "models", "bin"] {
            try Files.makeFolder("\(root)/\(name)")
        }
        var environment = [
            "HOME": "\(root)/home", "XDG_CONFIG_HOME": "\(root)/config",
            "XDG_DATA_HOME": "\(root)/data", "XDG_RUNTIME_DIR": "\(root)/run",
            "TMPDIR": "\(root)/tmp", "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "PATH": "\(root)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            "AURA_MODELS": "\(root)/models", "AURA_CAPTURE_ENRICH": "false",
            // Tests look at the files; those of encrypted homes say otherwise.
            "AURA_VAULT_PLAIN": "\(sealing == .plain)",
        ]
        if case .files(let chat, let embedding) = models {
            environment["AURA_MODEL_CHAT"] = chat ?? "none"
            environment["AURA_MODEL_EMBEDDING"] = embedding ?? "none"
            environment["AURA_MODEL_WARM_SECONDS"] = "20"
        }
        self.environment = environment
        // What a shell in a test calls `aura`, with the clock of this value.
        let words = ([BuiltProgram.path] + globals).map { "'\($0)'" }.joined(separator: " ")
        try AtomicFile.create(
            "\(root)/bin/aura", Array("#!/bin/sh\nexec \(words) \"$@\"\n".utf8), mode: 0o700)
    }

    private init(_ other: AuraProgram, globals: [String]) {
        folder = other.folder
        environment = other.environment
        self.globals = globals
    }

    /// The same home at another time.
    package func at(clock: String) throws -> AuraProgram {
        AuraProgram(self, globals: try CaseClock(clock).options)
    }

    deinit { AuraProgram.endAll(mentioning: folder.path) }

    /// Where the notes lie when no option says otherwise.
    package var vaultHome: String { "\(folder.path)/home/Documents/AuraVault" }

    /// Makes an empty home.
    package func makeHome() async throws {
        let outcome = try await run("init", "--plain")
        guard outcome.status == 0 else { throw RunFailure(words: ["init"], outcome: outcome) }
    }

    /// Writes notes below the vaults' folder, as another program would.
    package func write(_ files: [Case.File]) throws {
        for file in files { try write(file.bytes, to: file.path) }
    }

    package func write(_ bytes: [UInt8], to path: String) throws {
        try folder.write(bytes, to: "home/Documents/AuraVault/\(path)")
    }

    package func bytes(of path: String) throws -> [UInt8] {
        try Files.bytes(at: "\(vaultHome)/\(path)")
    }

    package func text(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }

    /// Logical paths of all Markdown files in the home, hidden folders left out, sorted.
    package func notePaths() -> [String] {
        let found = FileManager.default.enumerator(atPath: vaultHome)?.compactMap { $0 as? String }
        return (found ?? []).filter { path in
            path.hasSuffix(".md") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
    }

    /// Every file of the home with its bytes, hidden ones too.
    package func contents() -> [String: [UInt8]] {
        var result: [String: [UInt8]] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: vaultHome) ?? .init()
        {
            if let bytes = try? Files.bytes(at: "\(vaultHome)/\(path)") { result[path] = bytes }
        }
        return result
    }

    // MARK: running

    @discardableResult
    package func run(
        _ words: String..., input: Input = .nothing, environment more: [String: String?] = [:],
        terminal: Terminal? = nil, folder: String? = nil, deadline: Duration = .seconds(60)
    ) async throws -> Outcome {
        try await run(
            words, input: input, environment: more, terminal: terminal, folder: folder,
            deadline: deadline)
    }

    /// - Parameters:
    ///   - more: variables to add, or to take away where nil.
    ///   - folder: where the program starts; the home folder unless given.
    ///   - deadline: then it is killed, and the outcome says so.
    package func run(
        _ words: [String], input: Input = .nothing, environment more: [String: String?] = [:],
        terminal: Terminal? = nil, folder: String? = nil, deadline: Duration = .seconds(60)
    ) async throws -> Outcome {
        try await start(
            BuiltProgram.path, globals + words, input: input, environment: more,
            terminal: terminal, folder: folder
        ).outcome(deadline: deadline)
    }

    /// Runs a line in a shell in which `aura` is this program.
    package func shell(
        _ line: String, input: Input = .nothing, environment more: [String: String?] = [:],
        terminal: Terminal? = nil, folder: String? = nil, deadline: Duration = .seconds(60)
    ) async throws -> Outcome {
        try await start(
            "/bin/sh", ["-c", line], input: input, environment: more, terminal: terminal,
            folder: folder
        ).outcome(deadline: deadline)
    }

    /// Starts the program and leaves it running.
    package func start(
        _ words: String..., input: Input = .nothing, environment more: [String: String?] = [:]
    ) throws -> RunningProgram {
        try start(words, input: input, environment: more)
    }

    package func start(
        _ words: [String], input: Input = .nothing, environment more: [String: String?] = [:]
    ) throws -> RunningProgram {
        try start(
            BuiltProgram.path, globals + words, input: input, environment: more, terminal: nil,
            folder: nil)
    }

    private func start(
        _ program: String, _ words: [String], input: Input, environment more: [String: String?],
        terminal: Terminal?, folder: String?
    ) throws -> RunningProgram {
        var environment = environment
        for (name, value) in more { environment[name] = value }
        var recipe = ChildProcess.Recipe(program, words, environment: environment)
        recipe.folder = folder ?? "\(self.folder.path)/home"
        return try RunningProgram(recipe, input: input, terminal: terminal, keeping: self)
    }

    /// Kills what this test's program left running: everything that was started with its folder.
    private static func endAll(mentioning path: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for number in names.compactMap(Int32.init) where number != getpid() {
            let words = try? Files.bytes(at: "/proc/\(number)/cmdline")
            guard let words, String(decoding: words, as: UTF8.self).contains(path) else { continue }
            kill(number, SIGKILL)
        }
    }
}

/// A run that should have worked and did not.
package struct RunFailure: Error, CustomStringConvertible {
    package let words: [String]
    package let outcome: AuraProgram.Outcome
    package var description: String {
        "aura \(words.joined(separator: " ")): \(outcome.status)\n\(outcome.output)\(outcome.errors)"
    }
}

/// A program whose streams this process holds the other ends of.
package final class RunningProgram: Sendable {
    private let child: ChildProcess
    private let began = ContinuousClock.now
    private let input: AuraProgram.Input
    private let inputEnd: Int32?
    private let outputEnd: Int32
    private let errorEnd: Int32?
    /// The folder must outlive the program.
    private let owner: AuraProgram
    private static let ignoringPipes: Void = ThisProcess.ignoreBrokenPipes()

    package var number: Int32 { child.number }

    fileprivate init(
        _ recipe: ChildProcess.Recipe, input: AuraProgram.Input, terminal: AuraProgram.Terminal?,
        keeping owner: AuraProgram
    ) throws {
        _ = Self.ignoringPipes
        self.owner = owner
        self.input = input
        var recipe = recipe
        var inherited: [Int32] = []
        defer { for number in inherited { close(number) } }

        var childInput: Int32?
        var ownInput: Int32?
        switch input {
        case .nothing: break
        case .closed:
            recipe.arguments = ["-c", "exec \"$0\" \"$@\" <&-", recipe.program] + recipe.arguments
            recipe.program = "/bin/sh"
        case .heldOpen, .bytes, .delayed:
            let (reading, writing) = try Self.pipe()
            inherited.append(reading)
            childInput = reading
            ownInput = writing
        }
        var childOutput: Int32
        var childErrors: Int32
        if let terminal {
            let (device, end) = try Self.terminal(columns: terminal.columns)
            inherited.append(end)
            outputEnd = device
            childOutput = end
            childErrors = end
            if !terminal.keepsInputApart { childInput = end }
            if terminal.keepsErrorsApart {
                let (reading, writing) = try Self.pipe()
                inherited.append(writing)
                childErrors = writing
                errorEnd = reading
            } else {
                errorEnd = nil
            }
        } else {
            let (reading, writing) = try Self.pipe()
            let (errorsReading, errorsWriting) = try Self.pipe()
            inherited += [writing, errorsWriting]
            (childOutput, outputEnd) = (writing, reading)
            (childErrors, errorEnd) = (errorsWriting, errorsReading)
        }
        inputEnd = ownInput
        child = try ChildProcess.start(
            recipe, input: childInput, output: childOutput, errors: childErrors)
    }

    package func signal(_ number: Int32) { kill(child.number, number) }

    /// Waits for the end on a thread of its own, collecting what the program writes.
    ///
    /// - Parameters:
    ///   - deadline: counted from now; then the program is killed.
    ///   - signal: sent to the program once it has run for so long.
    package func outcome(
        deadline: Duration = .seconds(60), signal: (number: Int32, after: Duration)? = nil
    ) async throws -> AuraProgram.Outcome {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try WorkThread.start {
                    continuation.resume(returning: self.collect(deadline, signal))
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func collect(
        _ deadline: Duration, _ signal: (number: Int32, after: Duration)?
    ) -> AuraProgram.Outcome {
        let end = ContinuousClock.now + deadline
        var signalled: ContinuousClock.Instant?
        var waiting: ArraySlice<UInt8> = []
        var notBefore = began
        var isInputOpen = inputEnd != nil
        var closesInput = true
        switch input {
        case .bytes(let bytes): waiting = bytes[...]
        case .delayed(let bytes, let delay):
            waiting = bytes[...]
            notBefore = began + delay
        default: closesInput = false
        }
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var isOutputOpen = true
        var areErrorsOpen = errorEnd != nil
        var wasKilled = false
        var ending: ChildProcess.Ending?
        while isOutputOpen || areErrorsOpen {
            if ContinuousClock.now >= end, !wasKilled {
                wasKilled = true
                child.kill()
            }
            if let signal, signalled == nil, ContinuousClock.now >= began + signal.after {
                signalled = .now
                kill(child.number, signal.number)
            }
            // A grandchild may hold the streams open: what ended is over all the same.
            if ending == nil { ending = child.ending() }
            let mayWrite = isInputOpen && closesInput && ContinuousClock.now >= notBefore
            if mayWrite, waiting.isEmpty, let inputEnd {
                close(inputEnd)
                isInputOpen = false
            }
            var items = [
                pollfd(fd: isOutputOpen ? outputEnd : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: areErrorsOpen ? errorEnd ?? -1 : -1, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: mayWrite && isInputOpen ? inputEnd ?? -1 : -1, events: Int16(POLLOUT),
                    revents: 0),
            ]
            let count = poll(&items, 3, ending == nil ? 20 : 100)
            if count == 0, ending != nil { break }
            guard count > 0 else { continue }
            if items[0].revents != 0 { isOutputOpen = Self.read(outputEnd, into: &output) }
            if items[1].revents != 0, let errorEnd {
                areErrorsOpen = Self.read(errorEnd, into: &errors)
            }
            if items[2].revents != 0, let inputEnd {
                let piece = Array(waiting.prefix(4096))
                let wrote = Glibc.write(inputEnd, piece, piece.count)
                waiting = wrote < 0 ? [] : waiting.dropFirst(wrote)
            }
        }
        if isInputOpen, let inputEnd { close(inputEnd) }
        close(outputEnd)
        if let errorEnd { close(errorEnd) }
        let known = ending ?? child.waitForEnd(atMost: max(end - .now, .milliseconds(200)))
        if known == nil {
            wasKilled = true
            child.kill()
        }
        let status: Int32 =
            switch known ?? child.waitForEnd(atMost: .seconds(5)) {
            case .exited(let code): code
            case .signal(let number): 128 + number
            case nil: -1
            }
        return AuraProgram.Outcome(
            status: status, outputBytes: output, errorBytes: errors, time: .now - began,
            wasKilled: wasKilled, timeAfterSignal: signalled.map { .now - $0 })
    }

    /// False at the end of the stream; a terminal whose program has gone gives an error there.
    private static func read(_ number: Int32, into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(number, &buffer, buffer.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        bytes += buffer[..<count]
        return true
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw SystemError(call: "pipe", path: "", code: errno)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// A new pseudo-terminal: our side, and the side that a program takes for its terminal.
    ///
    /// What the program writes arrives as it is, and nothing is echoed.
    private static func terminal(columns: Int) throws -> (device: Int32, end: Int32) {
        // The numbers of Linux; the C names of these calls are not visible to Swift.
        let (unlocking, numberOf, sizeSetting): (UInt, UInt, UInt) = (
            0x4004_5431, 0x8004_5430, 0x5414
        )
        let device = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: Int32 = 0
        guard device >= 0, ioctl(device, unlocking, &isLocked) == 0,
            ioctl(device, numberOf, &number) == 0
        else { throw SystemError(call: "open", path: "/dev/ptmx", code: errno) }
        let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard end >= 0 else {
            throw SystemError(call: "open", path: "/dev/pts/\(number)", code: errno)
        }
        var size: [UInt16] = [24, UInt16(columns), 0, 0]
        _ = ioctl(end, sizeSetting, &size)
        var settings = termios()
        tcgetattr(end, &settings)
        settings.c_oflag &= ~tcflag_t(OPOST)
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(end, TCSANOW, &settings)
        return (device, end)
    }
}
