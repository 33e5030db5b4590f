internal import AuraLlama
internal import AuraSystem
internal import Synchronization

/// Runs models in this process: the only place that knows the native library.
///
/// Calls block their thread. There is one conversation for each urgency, so that background work keeps what it has
/// read while a person's question is answered; it stands still meanwhile. Vectors are computed beside both.
package final class LlamaRunner: Sendable {
    /// How the next token is chosen, who asked, and how to tell that they no longer wait.
    package struct Job: Sendable {
        package var urgency: Sampling.Urgency
        package var temperature: Double
        package var seed: UInt32
        /// Counted from when the model is loaded.
        package var deadline: Duration
        package var isStopped: @Sendable () -> Bool
        /// Ways that are slower on purpose, to measure against.
        package var comparison: Comparison?

        package init(
            urgency: Sampling.Urgency = .interactive, temperature: Double = 0, seed: UInt32 = 0,
            deadline: Duration = .seconds(120),
            isStopped: @escaping @Sendable () -> Bool = { false }
        ) {
            self.urgency = urgency
            self.temperature = temperature
            self.seed = seed
            self.deadline = deadline
            self.isStopped = isStopped
        }
    }

    /// What `bench` compares with.
    package enum Comparison: Sendable {
        /// The grammar is asked about the whole vocabulary for every token.
        case wholeVocabulary
        /// As well, and nothing is remembered from the prompt before.
        case nothingKept
    }

    private let memoryLimit: Int64?
    private let states: PrefixStates
    private let chat = Mutex<LoadedChat?>(nil)
    private let interactive = Mutex<LlamaContext?>(nil)
    private let background = Mutex<LlamaContext?>(nil)
    private let embedding = Mutex<LoadedEmbedder?>(nil)
    private let embeddingPath = Mutex<String?>(nil)
    /// How many interactive jobs run or wait.
    private let persons = Monitor(0)
    private let chatUsed = Mutex(ContinuousClock.now)

    /// - Parameter memoryLimit: the most bytes that models may take; nil for what the machine has free.
    /// - Parameter stateFolder: where what was computed for shared beginnings of prompts is kept between runs;
    ///   nil keeps it in memory only.
    package init(memoryLimit: Int64? = nil, stateFolder: String? = nil) {
        self.memoryLimit = memoryLimit
        states = PrefixStates(folder: stateFolder)
    }

    /// Writes the reply, giving out text as it comes; blocks until it is done.
    /// - Throws: `ModelError`; `CancellationError` when the job was stopped; what `emit` throws.
    package func generate(
        _ prompt: Prompt, models: WorkerMessage.Models, job: Job,
        emit: @escaping @Sendable (String) throws -> Void
    ) throws -> ReplyStatistics {
        try asPerson(if: job.urgency == .interactive) {
            let loaded = try loadedChat(models)
            defer { touchChat() }
            let end = ContinuousClock.now + job.deadline
            var timed = job
            timed.isStopped = { job.isStopped() || ContinuousClock.now > end }
            do {
                return try Self.explaining(models.chat ?? "") {
                    try write(prompt, with: loaded, threads: models.threads, job: timed, emit: emit)
                }
            } catch is CancellationError where !job.isStopped() && ContinuousClock.now > end {
                throw ModelError.deadlineExceeded(seconds: Int(job.deadline.seconds.rounded(.up)))
            }
        }
    }

    /// One vector for each text, in order; empty for a text that has none.
    package func vectors(
        for texts: [String], models: WorkerMessage.Models, job: Job
    ) throws -> [[Float]] {
        try asPerson(if: job.urgency == .interactive) {
            var vectors: [[Float]] = []
            for text in texts {
                if job.isStopped() { throw CancellationError() }
                if job.urgency == .background { waitForPersons(unless: job.isStopped) }
                // Taken anew for each text, so that a query goes between two passages of a long job.
                let vector = try embedding.withLock { embedder in
                    try load(&embedder, models)
                    return try Self.explaining(models.embedding ?? "") {
                        try embedder?.embedder.vector(for: text) ?? []
                    }
                }
                vectors.append(vector)
            }
            return vectors
        }
    }

    /// The number of the chat model's tokens in each text.
    package func tokenCounts(of texts: [String], models: WorkerMessage.Models) throws -> [Int] {
        let loaded = try loadedChat(models)
        return texts.map { loaded.model.vocabulary.tokens(of: $0).count }
    }

    /// Prompt and reply together may have this many tokens.
    package func contextLength(models: WorkerMessage.Models) throws -> Int {
        try loadedChat(models).context
    }

    /// Paths of the models in memory.
    package var loadedPaths: (chat: String?, embedding: String?) {
        let chat = chat.withLockIfAvailable { $0?.file.path } ?? nil
        return (chat, embeddingPath.withLock { $0 })
    }

    /// Frees the chat model when nobody used it for so long.
    package func unloadChat(idleFor patience: Duration) {
        guard chatUsed.withLock({ ContinuousClock.now - $0 }) >= patience else { return }
        chat.withLock { loaded in
            loaded = nil
            releaseConversations()
        }
    }

    // MARK: Loading

    private func loadedChat(_ models: WorkerMessage.Models) throws -> LoadedChat {
        guard let path = models.chat else { throw ModelError.missing(role: "chat", path: nil) }
        let file = try ModelFile(path, role: "chat")
        touchChat()
        return try chat.withLock { loaded in
            if let loaded, loaded.file == file, loaded.wantedContext == models.context {
                return loaded
            }
            loaded = nil
            releaseConversations()
            let start = ContinuousClock.now
            let head = try GGUFCheck.check(path)
            let context = min(models.context, head.trainedContext)
            let isRepacked = try room(for: head, path: path, context: context)
            let model = try Self.explaining(path) {
                try LlamaModel(path: path, isRepacked: isRepacked)
            }
            let new = LoadedChat(
                file: file, model: model, wantedContext: models.context, context: context,
                loadTime: ContinuousClock.now - start)
            loaded = new
            return new
        }
    }

    private func load(_ embedder: inout LoadedEmbedder?, _ models: WorkerMessage.Models) throws {
        guard let path = models.embedding else {
            throw ModelError.missing(role: "embedding", path: nil)
        }
        let file = try ModelFile(path, role: "embedding")
        if embedder?.file == file { return }
        embedder = nil
        embeddingPath.withLock { $0 = nil }
        let head = try GGUFCheck.check(path, role: "embedding")
        _ = try room(for: head, path: path, context: min(2048, head.trainedContext))
        try Self.explaining(path) {
            let model = try LlamaModel(path: path)
            embedder = LoadedEmbedder(
                file: file, embedder: try LlamaEmbedder(model: model, threads: models.threads))
        }
        embeddingPath.withLock { $0 = path }
    }

    /// Whether there is room for the model with a second copy of its weights.
    /// - Throws: `ModelError.notEnoughMemory` when there is none even without.
    private func room(for head: GGUFCheck, path: String, context: Int) throws(ModelError) -> Bool {
        let free = min(SystemMemory.available() ?? .max, memoryLimit ?? .max)
        if head.memoryNeeded(context: context, conversations: 2, isRepacked: true) <= free {
            return true
        }
        let least = head.memoryNeeded(context: context, conversations: 2, isRepacked: false)
        guard least <= free else { throw .notEnoughMemory(path: path, needed: least, free: free) }
        return false
    }

    /// A conversation that is busy keeps its model until it is done; waiting for it here could be for ever.
    private func releaseConversations() {
        _ = interactive.withLockIfAvailable { $0 = nil }
        _ = background.withLockIfAvailable { $0 = nil }
    }

    private func touchChat() { chatUsed.withLock { $0 = .now } }

    // MARK: Urgency

    private func asPerson<Result>(if isPerson: Bool, _ body: () throws -> Result) rethrows -> Result
    {
        guard isPerson else { return try body() }
        persons.withLock { $0 += 1 }
        defer { persons.withLock { $0 -= 1 } }
        return try body()
    }

    private func waitForPersons(unless isStopped: () -> Bool) {
        while !isStopped(),
            persons.wait(atMost: .milliseconds(100), until: { $0 == 0 ? true : nil }) == nil
        {}
    }

    private func interruption(of job: Job) -> Interruption {
        guard job.urgency == .background else { return Interruption(isStopped: job.isStopped) }
        return Interruption(
            isStopped: job.isStopped,
            isPauseWanted: { [persons] in persons.withLock { $0 > 0 } },
            waitOut: { self.waitForPersons(unless: job.isStopped) })
    }

    // MARK: Writing

    private func write(
        _ prompt: Prompt, with loaded: LoadedChat, threads: Int, job: Job,
        emit: @escaping @Sendable (String) throws -> Void
    ) throws -> ReplyStatistics {
        let asked = try loaded.tokens(of: prompt)
        guard asked.tokens.count + 8 <= loaded.context else {
            throw ModelError.promptTooLong(tokens: asked.tokens.count, limit: loaded.context)
        }
        let interruption = interruption(of: job)
        let run: (inout sending LlamaContext?) throws -> sending ReplyStatistics = {
            [states] slot in
            if slot == nil || slot?.model !== loaded.model {
                slot = nil
                slot = try LlamaContext(
                    model: loaded.model, limit: loaded.context, threads: threads)
            }
            guard let context = slot else { preconditionFailure("just made") }
            context.use(threads: threads)
            context.interruption = interruption
            defer { context.interruption = Interruption() }
            if job.comparison == .nothingKept { context.cut(to: 0) }
            var writing = Writing(
                prompt: prompt, asked: asked, context: context, job: job, emit: emit,
                states: job.comparison == nil ? states : nil)
            var statistics = try writing.run()
            statistics.loadSeconds = loaded.takeLoadTime()
            return statistics
        }
        return switch job.urgency {
        case .interactive: try interactive.withLock(run)
        case .background: try background.withLock(run)
        }
    }

    /// Turns what the native library says into what a person can act on.
    private static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let error as LlamaError {
            throw switch error {
            case .notLoaded(let path, let detail):
                ModelError.unusable(
                    path: path, reason: detail.isEmpty ? "the library cannot load it" : detail)
            case .noContext(let detail):
                ModelError.unusable(
                    path: path, reason: detail.isEmpty ? "no memory for its context" : detail)
            case .noTemplate:
                ModelError.unusable(
                    path: path, reason: "it has no chat template: it was not made for conversations"
                )
            case .templateFailed:
                ModelError.unusable(path: path, reason: "its chat template cannot be used")
            case .noVectors: ModelError.unusable(path: path, reason: "it gives no vectors")
            case .badGrammar(let detail): ModelError.refused("the grammar is not valid: \(detail)")
            case .deadEnd: ModelError.refused("the model found no way to complete the form")
            case .promptTooLong(let tokens, let limit):
                ModelError.promptTooLong(tokens: tokens, limit: limit)
            case .contextFull(let limit): ModelError.promptTooLong(tokens: limit + 1, limit: limit)
            case .decodeFailed(let code):
                ModelError.refused("the model failed to compute (\(code))")
            case .stopped: CancellationError()
            }
        }
    }
}

/// A file as it was when it was loaded.
private struct ModelFile: Hashable, Sendable {
    let path: String
    let size: Int64
    let modified: Int64
    let inode: UInt64

    init(_ path: String, role: String) throws(ModelError) {
        guard let status = try? Files.status(of: path, followingLinks: true) else {
            throw .missing(role: role, path: path)
        }
        self.path = path
        size = status.size
        modified = status.modified
        inode = status.inode
    }
}

private final class LoadedChat: Sendable {
    let file: ModelFile
    let model: LlamaModel
    let wantedContext: Int
    let context: Int
    /// Whether the model thinks aloud unless it is told not to.
    let isThinking: Bool
    private let loadTime: Mutex<Duration>

    init(file: ModelFile, model: LlamaModel, wantedContext: Int, context: Int, loadTime: Duration) {
        self.file = file
        self.model = model
        self.wantedContext = wantedContext
        self.context = context
        self.loadTime = Mutex(loadTime)
        isThinking =
            model.name.lowercased().contains("qwen3") || model.name.lowercased().contains("qwen 3")
            || model.template?.contains("enable_thinking") == true
    }

    /// Told once: the first reply paid for it.
    func takeLoadTime() -> Double {
        loadTime.withLock { time in
            defer { time = .zero }
            return time.seconds
        }
    }

    func tokens(of prompt: Prompt) throws(LlamaError) -> ChatPrompt {
        var turns = prompt.messages.map { ChatTurn(role: $0.role.rawValue, text: $0.text) }
        var opening = ""
        if isThinking {
            if let system = turns.firstIndex(where: { $0.role == "system" }) ?? turns.indices.last {
                turns[system].text += " /no_think"
            }
            // A reply that is held to a form cannot begin with a thinking block, so an empty one is put there.
            if prompt.decoding != .free { opening = "<think>\n\n</think>\n\n" }
        }
        return try model.prompt(for: turns, shared: prompt.sharedMessages, opening: opening)
    }
}

private struct LoadedEmbedder {
    let file: ModelFile
    let embedder: LlamaEmbedder
}

/// One reply being written.
private struct Writing {
    let prompt: Prompt
    let asked: ChatPrompt
    let context: LlamaContext
    let job: LlamaRunner.Job
    let emit: @Sendable (String) throws -> Void
    let states: PrefixStates?
    private var statistics = ReplyStatistics()

    init(
        prompt: Prompt, asked: ChatPrompt, context: LlamaContext, job: LlamaRunner.Job,
        emit: @escaping @Sendable (String) throws -> Void, states: PrefixStates?
    ) {
        self.prompt = prompt
        self.asked = asked
        self.context = context
        self.job = job
        self.emit = emit
        self.states = states
    }

    mutating func run() throws -> ReplyStatistics {
        let start = ContinuousClock.now
        let kept = try recallSharedPart()
        statistics.replies = 1
        statistics.promptTokens = asked.tokens.count
        statistics.reusedTokens = kept
        let rest = Array(asked.tokens[context.tokens.count...])
        var promptDone: ContinuousClock.Instant
        switch prompt.decoding {
        case .form(let form, _):
            let emit = emit
            var decoder = SlotDecoder(
                form.pieces.map(Self.slot), in: context, prompt: rest,
                maximumTokens: min(prompt.maximumTokens, context.limit - asked.tokens.count)
            ) { text throws(LlamaError) in
                do { try emit(text) } catch { throw .stopped }
            }
            try decoder.run()
            statistics.generatedTokens = decoder.chosenTokens
            promptDone = decoder.promptRead ?? start
        case .grammar(let text):
            let grammar = try SamplingGrammar(text, for: context.model)
            try context.read(rest)
            promptDone = .now
            try write(grammar)
        case .free:
            try context.read(rest)
            promptDone = .now
            try write(nil)
        }
        statistics.promptSeconds = (promptDone - start).seconds
        statistics.generationSeconds = (ContinuousClock.now - promptDone).seconds
        return statistics
    }

    /// Brings the context to the longest known beginning of the prompt; gives the number of tokens not read anew.
    private func recallSharedPart() throws -> Int {
        let kept = context.keep(sharedWith: asked.tokens)
        // The last token is always read, for its row of logits.
        let shared = min(asked.sharedCount, asked.tokens.count - 1)
        guard let states, shared - kept >= PrefixStates.leastTokens else { return kept }
        let beginning = Array(asked.tokens[..<shared])
        let key = PrefixStates.Key(
            model: context.model.path, library: LlamaModel.library, tokens: beginning)
        if let state = states.state(for: key) {
            if context.restore(state, for: beginning) { return shared }
            states.forget(key)
            try context.read(beginning)
            return 0
        }
        try context.read(Array(beginning[kept...]))
        states.keep(context.state(), for: key)
        return kept
    }

    private mutating func write(_ grammar: SamplingGrammar?) throws {
        let sampler = Sampler(temperature: job.temperature, seed: job.seed)
        let vocabulary = context.model.vocabulary
        var characters = CharacterBuffer()
        var stops = StopFilter(prompt.stops + (asked.endOfTurn.map { [$0] } ?? []))
        var repetition = RepetitionDetector()
        let most = min(prompt.maximumTokens, context.limit - context.tokens.count)
        var isComplete = false
        for _ in 0..<most {
            let token: Int32
            if let grammar {
                token =
                    job.comparison == nil
                    ? try sampler.next(in: context, allowedBy: grammar)
                    : try sampler.nextOfAll(in: context, allowedBy: grammar)
            } else {
                token = try sampler.next(in: context)
            }
            statistics.generatedTokens += 1
            let piece = vocabulary.piece(token)
            isComplete = vocabulary.isEnding(token) || (grammar == nil && piece.isEmpty)
            if isComplete { break }
            let text = stops.take(characters.take(piece))
            if !text.isEmpty { try emit(text) }
            isComplete = stops.isStopped
            if isComplete || repetition.take(token) { break }
            try context.read([token])
        }
        // Half an object is worse than none: the caller has rules for when there is no reply.
        if grammar != nil, !isComplete {
            throw ModelError.refused(
                "the reply had no end after \(statistics.generatedTokens) tokens")
        }
        let rest = stops.finish()
        if !rest.isEmpty { try emit(rest) }
    }

    private static func slot(_ piece: Form.Piece) -> Slot {
        switch piece {
        case .fixed(let text): return .fixed(text)
        case .choice(let options): return .choice(options)
        case .free(let shape, let end):
            let closing = Array(end.utf8)
            return .free(end: end) { text in
                switch shape.check(text, end: closing) {
                case .refused: .refused
                case .open: .open
                case .closed(let bytes): .closed(contentBytes: bytes)
                }
            }
        }
    }
}

extension Duration {
    /// The whole of it in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
