internal import AuraCrypto
internal import AuraSystem

/// What `aura key-agent` runs: unlocked keys in memory, for programs of the same user, behind a local socket.
///
/// One process a run-time folder; a lock decides which. It ends when it holds no key any more, or when its socket is
/// gone and nobody could ask for them. A connection carries one request and its reply.
package struct KeyAgent {
    /// The hidden command that runs it.
    package static let commandName = "key-agent"

    /// One request: version, verb, the lengths of the name (1 byte) and of the value (2), the seconds that it is kept
    /// (8; 0 for no end), numbers with the highest byte first; then name and value. The reply is a state and the
    /// length of a value (2), then the value.
    fileprivate enum Wire {
        static let version: UInt8 = 1
        static let requestHead = 13
        static let replyHead = 3
        static let mostNameBytes = 200
        static let mostValueBytes = 4096
        /// The other side is a program that has nothing to wait for.
        static let patience = Duration.seconds(2)

        enum Verb: UInt8 {
            case keep = 1
            case get, drop, dropAll
        }

        enum State: UInt8 {
            case done = 0
            case missing, refused
        }
    }

    private struct Entry {
        let value: Secret
        /// By the clock that nobody sets and that goes on while the machine sleeps; nil for no end.
        let end: ContinuousClock.Instant?
    }

    /// So many keys are a mistake.
    private static let mostEntries = 64
    /// A new agent waits so long for its first key.
    private static let firstPatience = Duration.seconds(10)
    /// How often it looks whether its socket is still there.
    private static let lookingPause = Duration.seconds(30)

    private let listener: UnixListener
    private let socketStatus: FileStatus?
    private var entries: [String: Entry] = [:]

    private init(_ listener: UnixListener) {
        self.listener = listener
        socketStatus = try? Files.status(of: listener.path)
    }

    /// Serves until it holds no key. Writes to neither stream.
    /// - Parameter arguments: `--socket-folder` and an absolute path.
    /// - Returns: the code to exit with: 0 also when another agent is there already; 64 for words that are not
    ///   understood, 69 when no socket can be had.
    package static func run(arguments: [String]) -> Int32 {
        guard arguments.count == 2, arguments[0] == "--socket-folder",
            arguments[1].hasPrefix("/")
        else { return 64 }
        let place = Place(folder: arguments[1])
        ThisProcess.silenceOutput()
        ThisProcess.ignoreBrokenPipes()
        ThisProcess.dieAtOnceInCrash()
        ThisProcess.keepFilesPrivate()
        ThisProcess.hideMemory()
        do {
            try Files.makePrivateFolder(place.folder)
            guard let listener = try UnixListener.alone(at: place.socket, lockedBy: place.lock)
            else { return 0 }
            var agent = KeyAgent(listener)
            try agent.serve()
            return 0
        } catch {
            return 69
        }
    }

    fileprivate struct Place {
        let folder: String
        var socket: String { "\(folder)/keys.sock" }
        var lock: String { "\(folder)/keys.lock" }
    }

    private mutating func serve() throws(SystemError) {
        let firstEnd = ContinuousClock.now + Self.firstPatience
        var hadKey = false
        while isReachable {
            let now = ContinuousClock.now
            entries = entries.filter { entry in entry.value.end.map { $0 > now } ?? true }
            hadKey = hadKey || !entries.isEmpty
            guard !entries.isEmpty || !hadKey && now < firstEnd else { break }
            let next = entries.isEmpty ? firstEnd : entries.values.compactMap(\.end).min()
            let pause = next.map { min($0 - now, Self.lookingPause) } ?? Self.lookingPause
            guard let connection = try listener.accept(within: pause) else { continue }
            do throws(SystemError) {
                try answer(connection)
            } catch {
                // The client has gone, or speaks something else: there is nobody to tell.
            }
        }
        // Who connected in between is hung up on and starts the next agent.
        if isReachable { try? Files.remove(listener.path) }
    }

    /// Whether the socket under the name is still the one that this process listens on.
    private var isReachable: Bool {
        guard let status = try? Files.status(of: listener.path) else { return false }
        return status.inode == socketStatus?.inode && status.device == socketStatus?.device
    }

    private mutating func answer(_ connection: UnixConnection) throws(SystemError) {
        let end = ContinuousClock.now + Wire.patience
        guard let head = try connection.receive(Wire.requestHead, by: end) else { return }
        let nameCount = Int(head[2])
        let valueCount = Int(head[3]) << 8 | Int(head[4])
        let seconds = head[5...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard head[0] == Wire.version, let verb = Wire.Verb(rawValue: head[1]),
            nameCount <= Wire.mostNameBytes, valueCount <= Wire.mostValueBytes,
            let nameBytes = nameCount == 0 ? [] : try connection.receive(nameCount, by: end)
        else { return try reply(.refused, on: connection, by: end) }
        let name = String(decoding: nameBytes, as: UTF8.self)
        let value = try Secret(count: valueCount) { bytes throws(SystemError) in
            try connection.receive(into: &bytes, by: end)
        }
        switch verb {
        case .keep:
            guard !name.isEmpty, value.count > 0,
                entries[name] != nil || entries.count < Self.mostEntries
            else { return try reply(.refused, on: connection, by: end) }
            let time = seconds == 0 ? nil : Duration.seconds(min(seconds, 1 << 40))
            entries[name] = Entry(value: value, end: time.map { .now + $0 })
            try reply(.done, on: connection, by: end)
        case .get:
            guard let entry = entries[name], entry.end.map({ $0 > .now }) ?? true else {
                return try reply(.missing, on: connection, by: end)
            }
            try reply(.done, entry.value, on: connection, by: end)
        case .drop:
            entries[name] = nil
            try reply(.done, on: connection, by: end)
        case .dropAll:
            entries = [:]
            try reply(.done, on: connection, by: end)
        }
    }

    private func reply(
        _ state: Wire.State, _ value: Secret? = nil, on connection: UnixConnection,
        by end: ContinuousClock.Instant
    ) throws(SystemError) {
        let count = value?.count ?? 0
        try connection.send(
            [state.rawValue, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)], by: end)
        try value?.withBytes { bytes throws(SystemError) in try connection.send(bytes, by: end) }
    }
}

extension KeyAgent {
    /// Asks the agent of one run-time folder, and starts it where a key is to be kept and none runs.
    struct Client: Sendable {
        let folder: String
        let program: String?
        let environment: [String: String]

        /// The agent has nothing to load: one that does not answer within this time will not.
        private static let patience = Duration.seconds(3)
        /// A new one is there in some milliseconds where the machine is not very busy.
        private static let startPatience = Duration.seconds(10)

        /// - Parameter value: at most 4096 bytes.
        func keep(_ value: Secret, as name: String, for time: Duration?) throws(KeySessionError) {
            guard value.count <= Wire.mostValueBytes, name.utf8.count <= Wire.mostNameBytes else {
                throw .agentFailed(reason: "the key or its name is too long")
            }
            let seconds = time.map { UInt64(max($0.components.seconds, 1)) } ?? 0
            guard let reply = try ask(.keep, name, value, seconds: seconds, isStarting: true) else {
                throw .noHolder(reason: "there is no program to start")
            }
            guard reply.state == .done else { throw .agentFailed(reason: "it refused the key") }
        }

        /// Nil when no agent runs or it has nothing under the name.
        func value(of name: String) throws(KeySessionError) -> Secret? {
            guard let reply = try ask(.get, name), reply.state == .done else { return nil }
            return reply.value
        }

        func drop(_ name: String) throws(KeySessionError) {
            guard let reply = try ask(.drop, name) else { return }
            guard reply.state == .done else { throw .agentFailed(reason: "it keeps the key") }
        }

        func dropAll() throws(KeySessionError) {
            guard let reply = try ask(.dropAll, "") else { return }
            guard reply.state == .done else { throw .agentFailed(reason: "it keeps the keys") }
        }

        /// Nil when no agent runs and none is to be, or can be, started.
        private func ask(
            _ verb: Wire.Verb, _ name: String, _ value: Secret? = nil, seconds: UInt64 = 0,
            isStarting: Bool = false
        ) throws(KeySessionError) -> (state: Wire.State, value: Secret)? {
            let startEnd = ContinuousClock.now + Self.startPatience
            do throws(SystemError) {
                // An agent that was just ending hangs up; the next try meets none, or a new one.
                while true {
                    guard let connection = try connect(isStarting: isStarting, by: startEnd)
                    else { return nil }
                    let end = ContinuousClock.now + Self.patience
                    do throws(SystemError) {
                        return try converse(verb, name, value, seconds, on: connection, by: end)
                    } catch {
                        guard error.isHangUp, ContinuousClock.now < startEnd else { throw error }
                    }
                }
            } catch {
                throw error.isDenied
                    ? .unsafeFolder(path: folder) : .agentFailed(reason: error.description)
            }
        }

        private func converse(
            _ verb: Wire.Verb, _ name: String, _ value: Secret?, _ seconds: UInt64,
            on connection: UnixConnection, by end: ContinuousClock.Instant
        ) throws(SystemError) -> (state: Wire.State, value: Secret) {
            let count = value?.count ?? 0
            let head =
                [
                    Wire.version, verb.rawValue, UInt8(name.utf8.count), UInt8(count >> 8),
                    UInt8(truncatingIfNeeded: count),
                ] + (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
            try connection.send(head + Array(name.utf8), by: end)
            try value?.withBytes { bytes throws(SystemError) in
                try connection.send(bytes, by: end)
            }
            guard let answer = try connection.receive(Wire.replyHead, by: end) else {
                throw .hangUp
            }
            let length = Int(answer[1]) << 8 | Int(answer[2])
            let got = try Secret(count: length) { bytes throws(SystemError) in
                try connection.receive(into: &bytes, by: end)
            }
            return (Wire.State(rawValue: answer[0]) ?? .refused, got)
        }

        /// Nil when no agent runs and none is to be started.
        private func connect(
            isStarting: Bool, by end: ContinuousClock.Instant
        ) throws(SystemError) -> UnixConnection? {
            let place = Place(folder: folder)
            if !isStarting, try Files.status(of: folder) == nil { return nil }
            try Files.makePrivateFolder(folder)
            var child: ChildProcess?
            while true {
                if let status = try Files.status(of: place.socket) {
                    guard status.owner == ThisProcess.user, status.mode & 0o077 == 0 else {
                        throw .notPrivate(place.socket)
                    }
                }
                do throws(SystemError) {
                    return try UnixConnection.connect(to: place.socket)
                } catch {
                    guard error.isNobodyListening else { throw error }
                }
                guard isStarting, let program else { return nil }
                // One that ended met an agent that was just ending, or lost the race for the lock.
                if child == nil || child?.ending() != nil { child = try start(program) }
                guard ContinuousClock.now < end else { throw .timeout("connect", place.socket) }
                WorkThread.pause(.milliseconds(5))
            }
        }

        private func start(_ program: String) throws(SystemError) -> ChildProcess {
            var recipe = ChildProcess.Recipe(
                program, [KeyAgent.commandName, "--socket-folder", folder],
                environment: environment.filter { ["PATH", "HOME", "LANG"].contains($0.key) })
            recipe.folder = "/"
            recipe.isDetached = true
            return try ChildProcess.start(recipe)
        }
    }
}
