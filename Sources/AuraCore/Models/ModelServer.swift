internal import AuraSystem

/// What `aura model-worker` runs: models for all programs of one user, behind a local socket.
///
/// One process a user; a lock decides which. It ends when nobody asked for anything for a while, and native code that
/// crashes takes only the answers in progress with it.
package struct ModelServer: Sendable {
    /// The hidden command that runs it.
    package static let commandName = "model-worker"

    package struct Options: Hashable, Sendable {
        package var folder: WorkerFolder
        /// It ends, and the chat model is freed, after so long without a request.
        package var warm: Duration = .seconds(120)
        /// Bytes of memory that models may take.
        package var memoryLimit: Int64?
        /// Where what was computed for the beginnings of prompts is kept between runs; nil for nowhere.
        package var stateFolder: String?

        package init(folder: WorkerFolder) { self.folder = folder }

        /// The words after `model-worker`; nil when they are not understood.
        package init?(arguments: [String]) {
            guard arguments.count.isMultiple(of: 2) else { return nil }
            var values: [String: String] = [:]
            for index in stride(from: 0, to: arguments.count, by: 2) {
                values[arguments[index]] = arguments[index + 1]
            }
            guard let folder = values.removeValue(forKey: "--socket-folder"), folder.hasPrefix("/")
            else { return nil }
            self.init(folder: WorkerFolder(folder))
            if let text = values.removeValue(forKey: "--warm-milliseconds") {
                guard let number = Int(text), number > 0 else { return nil }
                warm = .milliseconds(number)
            }
            if let text = values.removeValue(forKey: "--memory-limit") {
                guard let number = Int64(text), number > 0 else { return nil }
                memoryLimit = number
            }
            stateFolder = values.removeValue(forKey: "--state-folder")
            guard values.isEmpty else { return nil }
        }

        package var arguments: [String] {
            var words = [
                "--socket-folder", folder.path, "--warm-milliseconds",
                "\(Int(warm.seconds * 1000))",
            ]
            if let memoryLimit { words += ["--memory-limit", "\(memoryLimit)"] }
            if let stateFolder { words += ["--state-folder", stateFolder] }
            return words
        }
    }

    private struct Activity {
        var connections = 0
        var lastUsed = ContinuousClock.now
    }

    private let options: Options
    private let runner: LlamaRunner
    private let activity = Monitor(Activity())

    private init(_ options: Options) {
        self.options = options
        runner = LlamaRunner(memoryLimit: options.memoryLimit, stateFolder: options.stateFolder)
    }

    /// Serves until nobody has asked for anything for a while. Writes to neither stream.
    /// - Returns: the code to exit with: 0 also when another server is there already; 64 for words that are not
    ///   understood, 69 when no socket can be had.
    package static func run(arguments: [String]) -> Int32 {
        guard let options = Options(arguments: arguments) else { return 64 }
        ThisProcess.silenceOutput()
        ThisProcess.ignoreBrokenPipes()
        ThisProcess.dieAtOnceInCrash()
        ThisProcess.keepFilesPrivate()
        SystemMemory.volunteerWhenShort()
        // What it reads are people's notes. Only now, for hidden memory cannot volunteer.
        ThisProcess.hideMemory()
        if let most = options.memoryLimit ?? SystemMemory.total() {
            // Room for what is reserved and never used: stacks, and files mapped into memory.
            SystemMemory.limitAddressSpace(to: most + most / 2 + 4 << 30)
        }
        do {
            try options.folder.secure()
            guard
                let listener = try UnixListener.alone(
                    at: options.folder.socket, lockedBy: options.folder.lock)
            else { return 0 }
            try ModelServer(options).serve(listener)
            return 0
        } catch {
            return 69
        }
    }

    private func serve(_ listener: UnixListener) throws {
        while true {
            let (connections, idle) = activity.withLock {
                ($0.connections, ContinuousClock.now - $0.lastUsed)
            }
            if connections == 0, idle >= options.warm { break }
            let patience = connections == 0 ? options.warm - idle : min(options.warm, .seconds(1))
            if let connection = try listener.accept(within: patience) {
                activity.withLock { $0.connections += 1 }
                do {
                    try WorkThread.start {
                        answer(connection)
                        activity.withLock {
                            $0.connections -= 1
                            $0.lastUsed = .now
                        }
                    }
                } catch {
                    // No thread to be had: the client sees the connection end and tries once more.
                    activity.withLock { $0.connections -= 1 }
                }
            } else {
                runner.unloadChat(idleFor: options.warm)
            }
        }
        // Nobody finds the socket any more. Who connected in between is hung up on and starts the next server.
        try? Files.remove(options.folder.socket)
    }

    private func answer(_ connection: UnixConnection) {
        let patience = ContinuousClock.now + .seconds(10)
        let send: @Sendable (WorkerMessage.Reply) throws -> Void = { reply in
            try connection.send(WorkerMessage.frame(reply), by: .now + .seconds(30))
        }
        do {
            guard let bytes = try WorkerMessage.receiveBytes(from: connection, by: patience) else {
                return
            }
            let hello = try WorkerMessage.decode(WorkerMessage.Hello.self, from: bytes)
            if hello.kind == WorkerMessage.Request.Kind.stop.rawValue {
                try? Files.remove(options.folder.socket)
                try? send(WorkerMessage.Reply(.accepted))
                try? send(WorkerMessage.Reply(.done))
                ThisProcess.exitNow(0)
            }
            guard hello.version == WorkerMessage.version else {
                var reply = WorkerMessage.Reply(.failed)
                reply.failure = .version
                return try send(reply)
            }
            let request = try WorkerMessage.decode(WorkerMessage.Request.self, from: bytes)
            try send(WorkerMessage.Reply(.accepted))
            do {
                try send(reply(to: request, connection: connection, send: send))
            } catch let error as ModelError {
                var reply = WorkerMessage.Reply(.failed)
                reply.failure = WorkerMessage.Failure(error)
                try send(reply)
            }
        } catch {
            // The client has gone, or speaks something else: there is nobody to tell.
        }
    }

    private func reply(
        to request: WorkerMessage.Request, connection: UnixConnection,
        send: @escaping @Sendable (WorkerMessage.Reply) throws -> Void
    ) throws -> WorkerMessage.Reply {
        let urgency = Sampling.Urgency(rawValue: request.urgency) ?? .interactive
        if urgency == .background { WorkThread.lowerPriority() }
        let job = LlamaRunner.Job(
            urgency: urgency, temperature: request.temperature, seed: request.seed,
            deadline: .milliseconds(Int(min(max(request.deadlineSeconds, 0), 86_400) * 1000)),
            isStopped: { connection.isHungUp })
        var reply = WorkerMessage.Reply(.done)
        switch request.kind {
        case .status, .stop:
            let loaded = runner.loadedPaths
            reply.status = WorkerMessage.Status(
                process: Int(ThisProcess.number), chat: loaded.chat, embedding: loaded.embedding,
                idleSeconds: activity.withLock { ContinuousClock.now - $0.lastUsed }.seconds)
        case .generate:
            guard let prompt = request.prompt else {
                throw ModelError.refused("there is no prompt")
            }
            reply.statistics = try runner.generate(prompt.prompt, models: request.models, job: job)
            { text in
                var piece = WorkerMessage.Reply(.piece)
                piece.text = text
                try send(piece)
            }
        case .embed:
            reply.vectors = try runner.vectors(
                for: request.texts ?? [], models: request.models, job: job)
        case .count:
            reply.counts = try runner.tokenCounts(of: request.texts ?? [], models: request.models)
        case .context:
            reply.counts = [try runner.contextLength(models: request.models)]
        }
        return reply
    }
}
