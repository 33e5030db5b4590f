internal import AuraSystem
internal import Synchronization

/// Asks the user's model server, and starts it where none runs.
///
/// Nothing here loads a model or native code. A server that dies takes one answer with it and is started anew for
/// the next.
package final class ModelWorker: Sendable {
    package struct Setup: Sendable {
        package var folder: WorkerFolder
        /// The program that has the command `model-worker`: this one.
        package var program: String
        /// What that command is started with.
        package var environment: [String: String] = [:]
        /// Files; nil when none is set up.
        package var chatModel: String?
        package var embeddingModel: String?
        package var threads = 2
        /// Tokens of prompt and reply together; less where the model was trained for less.
        package var context = 4096
        /// The server stays so long after the last request.
        package var warm: Duration = .seconds(120)
        /// Bytes of memory that models may take; nil for what the machine has free.
        package var memoryLimit: Int64?
        /// Where what was computed for the beginnings of prompts is kept; nil for nowhere.
        package var stateFolder: String?

        package init(folder: WorkerFolder, program: String) {
            self.folder = folder
            self.program = program
        }

        fileprivate var models: WorkerMessage.Models {
            WorkerMessage.Models(
                chat: chatModel, embedding: embeddingModel, threads: threads, context: context)
        }

        fileprivate var server: ModelServer.Options {
            var options = ModelServer.Options(folder: folder)
            options.warm = warm
            options.memoryLimit = memoryLimit
            options.stateFolder = stateFolder
            return options
        }
    }

    package let setup: Setup
    private let started = Mutex<ChildProcess?>(nil)
    private let totals = Mutex(ReplyStatistics())
    private let knownContext = Mutex<Int?>(nil)
    private let knownWidth = Mutex<Int?>(nil)

    /// A server that does not answer at all within this time will not.
    private static let startPatience = Duration.seconds(10)
    /// Loading is not part of a reply's deadline, but it ends too.
    private static let loadPatience = Duration.seconds(90)

    package init(_ setup: Setup) { self.setup = setup }

    /// What all replies since the creation of this value cost.
    package var statistics: ReplyStatistics { totals.withLock { $0 } }

    /// The door to the embedding model behind the same server.
    package var embedder: WorkerEmbedder { WorkerEmbedder(worker: self) }

    fileprivate var embeddingWidth: Int {
        knownWidth.withLock { known in
            if let known { return known }
            let width = setup.embeddingModel.flatMap {
                try? GGUFCheck.check($0, role: "embedding").width
            }
            known = width
            return width ?? 0
        }
    }

    /// What the server is and has loaded; nil when none runs. Starts nothing and waits at most `patience`.
    package func status(within patience: Duration = .milliseconds(200)) async -> WorkerMessage
        .Status?
    {
        try? await ask(request(.status), starting: false, within: patience).status
    }

    /// Ends the server, where one runs. An answer in progress is lost.
    package func stopServer() async {
        _ = try? await ask(request(.stop), starting: false, within: .seconds(2))
    }

    fileprivate func request(_ kind: WorkerMessage.Request.Kind) -> WorkerMessage.Request {
        WorkerMessage.Request(kind: kind, models: setup.models)
    }

    fileprivate func ask(
        _ request: WorkerMessage.Request, starting: Bool = true, within patience: Duration
    ) async throws -> WorkerMessage.Reply {
        let line = Wire()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let work: @Sendable () -> Void = {
                    continuation.resume(
                        with: Result {
                            try self.converse(
                                request, on: line, starting: starting, by: .now + patience
                            ) { _ in }
                        })
                }
                do throws(SystemError) {
                    try WorkThread.start(work)
                } catch {
                    continuation.resume(
                        throwing: ModelError.workerUnreachable(detail: error.description))
                }
            }
        } onCancel: {
            line.cut()
        }
    }
}

extension ModelWorker: TextGenerator {
    /// The chat model's file name without its ending; empty when none is set up.
    package var modelName: String { ModelCatalog.name(of: setup.chatModel) }

    package func generate(
        _ prompt: Prompt, _ sampling: Sampling
    ) -> AsyncThrowingStream<String, any Error> {
        var request = request(.generate)
        request.prompt = WorkerMessage.Prompt(prompt)
        request.urgency = sampling.urgency.rawValue
        request.temperature = sampling.temperature
        request.seed = sampling.seed
        request.deadlineSeconds = sampling.deadline.seconds
        let asked = request
        return AsyncThrowingStream { continuation in
            let line = Wire()
            continuation.onTermination = { _ in line.cut() }
            let work: @Sendable () -> Void = { [self] in
                do {
                    let end = ContinuousClock.now + sampling.deadline + Self.loadPatience
                    let last = try converse(asked, on: line, by: end) { continuation.yield($0) }
                    if let statistics = last.statistics { totals.withLock { $0 += statistics } }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            do throws(SystemError) {
                try WorkThread.start(work)
            } catch {
                continuation.finish(
                    throwing: ModelError.workerUnreachable(detail: error.description))
            }
        }
    }

    package func tokenCounts(of texts: [String]) async throws -> [Int] {
        var request = request(.count)
        request.texts = texts
        let counts = try await ask(request, within: Self.loadPatience).counts ?? []
        guard counts.count == texts.count else {
            throw ModelError.workerUnreachable(detail: "counts are missing")
        }
        return counts
    }

    package func contextLength() async throws -> Int {
        if let known = knownContext.withLock({ $0 }) { return known }
        guard let count = try await ask(request(.context), within: Self.loadPatience).counts?.first
        else {
            throw ModelError.workerUnreachable(detail: "the context length is missing")
        }
        knownContext.withLock { $0 = count }
        return count
    }
}

/// The embedding model of a worker.
package struct WorkerEmbedder: Embedder {
    fileprivate let worker: ModelWorker
    private static let textsPerRequest = 64

    /// The embedding model's file name without its ending; empty when none is set up.
    package var modelName: String { ModelCatalog.name(of: worker.setup.embeddingModel) }

    /// Read from the head of the file; 0 when it is no model.
    package var dimensions: Int {
        worker.setup.embeddingModel.flatMap { try? GGUFCheck.check($0, role: "embedding").width }
            ?? 0
    }

    /// Gives way to people who wait: see `vector(for:within:)` for those.
    package func vectors(for texts: [String]) async throws -> [Embedding] {
        try await vectors(for: texts, urgency: .background)
    }

    package func vectors(
        for texts: [String], urgency: Sampling.Urgency, within patience: Duration? = nil
    ) async throws -> [Embedding] {
        var vectors: [Embedding] = []
        var rest = texts[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            var request = worker.request(.embed)
            let batch = Array(rest.prefix(Self.textsPerRequest))
            request.texts = batch
            request.urgency = urgency.rawValue
            // A long text takes a fifth of a second, and background work may have to wait for people.
            let enough = patience ?? .seconds(300)
            let got = try await worker.ask(request, within: enough).vectors ?? []
            guard got.count == batch.count else {
                throw ModelError.workerUnreachable(detail: "vectors are missing")
            }
            vectors += got.map(Embedding.init)
            rest = rest.dropFirst(batch.count)
        }
        return vectors
    }

    /// The text's vector for a person who waits; nil when it is not there in time or cannot be had.
    ///
    /// A server that was not running is started all the same, so that the next query finds it warm.
    package func vector(for text: String, within patience: Duration) async -> Embedding? {
        let found = try? await vectors(for: [text], urgency: .interactive, within: patience).first
        return found.flatMap { $0.values.isEmpty ? nil : $0 }
    }

    /// Whether a vector would come without loading a model first.
    package func isWarm(within patience: Duration = .milliseconds(50)) async -> Bool {
        guard let path = worker.setup.embeddingModel else { return false }
        return await worker.status(within: patience)?.embedding == path
    }
}

// MARK: - The conversation, on a thread that may block

/// The connection of one request, to be cut from elsewhere.
private final class Wire: Sendable {
    private let state = Mutex<(connection: UnixConnection?, isCut: Bool)>((nil, false))

    var isCut: Bool { state.withLock { $0.isCut } }

    func use(_ connection: UnixConnection) {
        state.withLock { state in
            state.connection = connection
            if state.isCut { connection.hangUp() }
        }
    }

    func cut() {
        state.withLock { state in
            state.isCut = true
            state.connection?.hangUp()
        }
    }
}

extension ModelWorker {
    /// Sends one request and gives its last reply; text goes to `piece` as it comes.
    ///
    /// A connection that ends before the request was accepted met a server that was just ending: tried once more.
    fileprivate func converse(
        _ request: WorkerMessage.Request, on line: Wire, starting: Bool = true,
        by deadline: ContinuousClock.Instant, piece: (String) -> Void
    ) throws -> WorkerMessage.Reply {
        try checkFiles(of: request)
        let bytes = try WorkerMessage.frame(request)
        let start = ContinuousClock.now
        do {
            for isLastTry in [false, true] {
                let connection = try connect(starting: starting, on: line, by: deadline)
                line.use(connection)
                let first: WorkerMessage.Reply?
                do {
                    try connection.send(bytes, by: deadline)
                    first = try WorkerMessage.receive(
                        WorkerMessage.Reply.self, from: connection, by: deadline)
                } catch let error as SystemError where error.isHangUp {
                    first = nil
                }
                if line.isCut { throw CancellationError() }
                if let first, first.kind == .accepted {
                    return try listen(to: connection, on: line, by: deadline, piece: piece)
                }
                if let failure = first?.failure, failure.code != WorkerMessage.Failure.version.code
                {
                    throw failure.error
                }
                if isLastTry { break }
                if first?.failure != nil { replaceServer(by: deadline) }
            }
        } catch let error as SystemError {
            if line.isCut { throw CancellationError() }
            if error.isTimeout {
                let seconds = (ContinuousClock.now - start).seconds
                throw ModelError.deadlineExceeded(seconds: max(1, Int(seconds.rounded())))
            }
            if error.isHangUp { throw ModelError.workerDied(detail: howItEnded()) }
            throw ModelError.workerUnreachable(detail: error.description)
        }
        throw ModelError.workerUnreachable(detail: "it hung up twice")
    }

    private func listen(
        to connection: UnixConnection, on line: Wire, by deadline: ContinuousClock.Instant,
        piece: (String) -> Void
    ) throws -> WorkerMessage.Reply {
        while true {
            let reply = try WorkerMessage.receive(
                WorkerMessage.Reply.self, from: connection, by: deadline)
            if line.isCut { throw CancellationError() }
            guard let reply else { throw ModelError.workerDied(detail: howItEnded()) }
            switch reply.kind {
            case .accepted: continue
            case .piece: piece(reply.text ?? "")
            case .done: return reply
            case .failed:
                throw reply.failure?.error
                    ?? .workerUnreachable(detail: "it failed and does not say how")
            }
        }
    }

    /// What is missing is told without a server.
    private func checkFiles(of request: WorkerMessage.Request) throws(ModelError) {
        let (role, path): (String, String?)
        switch request.kind {
        case .status, .stop: return
        case .generate, .count, .context: (role, path) = ("chat", setup.chatModel)
        case .embed: (role, path) = ("embedding", setup.embeddingModel)
        }
        guard let path, (try? Files.status(of: path, followingLinks: true)) != nil else {
            throw .missing(role: role, path: path)
        }
    }

    private func connect(
        starting: Bool, on line: Wire, by deadline: ContinuousClock.Instant
    ) throws -> UnixConnection {
        if starting { try setup.folder.secure() }
        let patience = min(deadline, .now + Self.startPatience)
        var child: ChildProcess?
        var pause = Duration.milliseconds(2)
        while true {
            if line.isCut { throw CancellationError() }
            do throws(SystemError) {
                return try UnixConnection.connect(to: setup.folder.socket)
            } catch {
                guard error.isNobodyListening, starting else {
                    throw ModelError.workerUnreachable(detail: error.description)
                }
            }
            switch child.map({ $0.ending() }) {
            case nil, .exited(0)??:
                // 0 without a socket: it met a server that was just ending.
                child = try startServer()
            case .some(nil): break
            case .exited(let code)??:
                throw ModelError.workerUnreachable(detail: "it ended with code \(code)")
            case .signal(let number)??:
                throw ModelError.workerUnreachable(detail: "it ended by signal \(number)")
            }
            guard ContinuousClock.now < patience else {
                throw SystemError(call: "connect", path: setup.folder.socket, code: 110)
            }
            WorkThread.pause(pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    private func startServer() throws -> ChildProcess {
        var recipe = ChildProcess.Recipe(
            setup.program, ["model-worker"] + setup.server.arguments, environment: setup.environment
        )
        recipe.folder = "/"
        recipe.isDetached = true
        do throws(SystemError) {
            let child = try ChildProcess.start(recipe)
            started.withLock { $0 = child }
            return child
        } catch {
            throw ModelError.workerUnreachable(detail: error.description)
        }
    }

    /// Ends a server of another version and waits until it has gone.
    private func replaceServer(by deadline: ContinuousClock.Instant) {
        guard let connection = try? UnixConnection.connect(to: setup.folder.socket),
            let bytes = try? WorkerMessage.frame(request(.stop))
        else { return }
        try? connection.send(bytes, by: deadline)
        while (try? WorkerMessage.receive(WorkerMessage.Reply.self, from: connection, by: deadline))
            != nil
        {}
    }

    /// `signal 6` for a server that this process started; else all that can be known.
    private func howItEnded() -> String {
        let child = started.withLock { $0 }
        switch child?.waitForEnd(atMost: .milliseconds(200)) {
        case .signal(let number)?: return "signal \(number)"
        case .exited(let code)? where code != 0: return "code \(code)"
        default: return "it hung up in the middle of an answer"
        }
    }
}
