internal import CLlama

/// How long work on a context is interrupted or ended, asked while it goes on.
package struct Interruption: Sendable {
    /// Whether the caller has gone or its time is over.
    package var isStopped: @Sendable () -> Bool
    /// Whether somebody who is more urgent waits.
    package var isPauseWanted: @Sendable () -> Bool
    /// Blocks until nobody more urgent waits, or the caller has gone.
    package var waitOut: @Sendable () -> Void

    package init(
        isStopped: @escaping @Sendable () -> Bool = { false },
        isPauseWanted: @escaping @Sendable () -> Bool = { false },
        waitOut: @escaping @Sendable () -> Void = {}
    ) {
        self.isStopped = isStopped
        self.isPauseWanted = isPauseWanted
        self.waitOut = waitOut
    }
}

/// One conversation's memory in a model: the tokens read so far, and what the model thinks comes next.
///
/// For one thread at a time.
@safe package final class LlamaContext {
    package let model: LlamaModel
    /// The most tokens that fit.
    package let limit: Int
    /// What has been read and not been cut off again.
    package private(set) var tokens: [Int32] = []
    /// Consulted between tokens and inside long reads.
    package var interruption = Interruption()

    private let handle: OpaquePointer
    private var batch: llama_batch
    private var pace: ThreadPace
    private let abort: AbortCheck
    /// Whether the last row of logits belongs to the end of `tokens`.
    private var isScored = false

    /// Prompts are read so many tokens at a time: little slower than 512, and an interruption loses less.
    private static let chunk = 256

    /// - Throws: `LlamaError.noContext` when the memory cannot be had.
    package init(model: LlamaModel, limit: Int, threads: Int) throws(LlamaError) {
        self.model = model
        var parameters = unsafe llama_context_default_params()
        unsafe parameters.n_ctx = UInt32(limit)
        unsafe parameters.n_batch = UInt32(Self.chunk)
        unsafe parameters.n_ubatch = UInt32(Self.chunk)
        // Only the last token's row is ever asked for; room for more would be hundreds of megabytes.
        unsafe parameters.n_outputs_max = 1
        unsafe parameters.n_threads = Int32(threads)
        unsafe parameters.n_threads_batch = Int32(threads)
        unsafe parameters.no_perf = true
        _ = NativeLog.takeComplaints()
        guard let handle = unsafe llama_init_from_model(model.handle, parameters) else {
            throw .noContext(detail: NativeLog.lastComplaint())
        }
        unsafe self.handle = handle
        unsafe batch = llama_batch_init(Int32(Self.chunk), 0, 1)
        self.limit = Int(unsafe llama_n_ctx_seq(handle))
        abort = AbortCheck()
        pace = ThreadPace(most: threads)
        unsafe llama_set_abort_callback(
            handle,
            { pointer in
                unsafe Unmanaged<AbortCheck>.fromOpaque(pointer!).takeUnretainedValue().isDue()
            },
            Unmanaged.passUnretained(abort).toOpaque())
    }

    deinit {
        unsafe llama_batch_free(batch)
        unsafe llama_free(handle)
    }

    /// Computes with so many threads from now on, or fewer while the machine is busy.
    package func use(threads: Int) {
        guard threads != pace.most else { return }
        pace = ThreadPace(most: threads)
        unsafe llama_set_n_threads(handle, Int32(pace.current), Int32(pace.current))
    }

    /// Keeps what `prompt` shares with the tokens read so far and forgets the rest; at least the prompt's last
    /// token stays to be read. Gives the number kept.
    package func keep(sharedWith prompt: [Int32]) -> Int {
        var shared = 0
        let most = min(tokens.count, prompt.count - 1)
        while shared < most, tokens[shared] == prompt[shared] { shared += 1 }
        cut(to: shared)
        return tokens.count
    }

    /// Forgets everything after the first `count` tokens; all of it where the model cannot forget a part.
    package func cut(to count: Int) {
        guard count < tokens.count else { return }
        let memory = unsafe llama_get_memory(handle)
        if unsafe llama_memory_seq_rm(memory, 0, Int32(count), -1) {
            tokens.removeLast(tokens.count - count)
        } else {
            unsafe llama_memory_clear(memory, true)
            tokens = []
        }
        isScored = false
    }

    /// Reads more tokens. Afterwards the model's view of the next token is known.
    /// - Throws: `LlamaError.contextFull`, `.stopped`, `.decodeFailed`. What was read before stays.
    package func read(_ more: [Int32]) throws(LlamaError) {
        guard tokens.count + more.count <= limit else { throw .contextFull(limit: limit) }
        var start = 0
        while start < more.count {
            let end = min(start + Self.chunk, more.count)
            try readChunk(more[start..<end], isLast: end == more.count)
            start = end
        }
    }

    private func readChunk(_ chunk: ArraySlice<Int32>, isLast: Bool) throws(LlamaError) {
        while true {
            if interruption.isStopped() { throw .stopped }
            if interruption.isPauseWanted() {
                interruption.waitOut()
                if interruption.isStopped() { throw .stopped }
            }
            fillBatch(chunk, isLast: isLast)
            // A single token is soon done; only long reads give way in the middle.
            let interruption = interruption
            let givesWay = chunk.count > 8
            abort.question = {
                interruption.isStopped() || (givesWay && interruption.isPauseWanted())
            }
            let threads = pace.current
            let code = pace.run { unsafe llama_decode(handle, batch) }
            if pace.current != threads {
                unsafe llama_set_n_threads(handle, Int32(pace.current), Int32(pace.current))
            }
            abort.question = nil
            if code == 0 { break }
            // Part of the chunk may be in the memory.
            unsafe _ = llama_memory_seq_rm(llama_get_memory(handle), 0, Int32(tokens.count), -1)
            isScored = false
            switch code {
            case 2: continue
            case 1: throw .contextFull(limit: limit)
            default: throw .decodeFailed(code: Int(code))
            }
        }
        tokens += chunk
        isScored = isLast
    }

    private func fillBatch(_ chunk: ArraySlice<Int32>, isLast: Bool) {
        unsafe batch.n_tokens = Int32(chunk.count)
        var index = 0
        for token in chunk {
            unsafe batch.token[index] = token
            unsafe batch.pos[index] = Int32(tokens.count + index)
            unsafe batch.n_seq_id[index] = 1
            unsafe batch.seq_id[index]![0] = 0
            unsafe batch.logits[index] = isLast && index == chunk.count - 1 ? 1 : 0
            index += 1
        }
    }
}

extension LlamaContext {
    /// The likeliest next token of the whole vocabulary.
    package func likeliest() throws(LlamaError) -> Int32 {
        try unsafe withScores { scores in
            var best = 0
            var bestScore = -Float.infinity
            for index in 0..<scores.count where unsafe scores[index] > bestScore {
                unsafe bestScore = scores[index]
                best = index
            }
            return Int32(best)
        }
    }

    /// The likeliest next token among these; the first of equals.
    package func likeliest(among choices: [Int32]) throws(LlamaError) -> Int32 {
        try unsafe withScores { scores in
            var best = choices[0]
            for choice in choices where unsafe scores[Int(choice)] > scores[Int(best)] {
                best = choice
            }
            return best
        }
    }

    /// The likeliest next token that is accepted; nil when none is.
    package func likeliest(accepting isAccepted: (Int32) -> Bool) throws(LlamaError) -> Int32? {
        // The first few are found one by one; when they are refused, everything is asked.
        var refused: [Int32] = []
        let found: Int32? = try unsafe withScores { scores in
            for _ in 0..<6 {
                var best: Int32 = -1
                var bestScore = -Float.infinity
                for index in 0..<scores.count where unsafe scores[index] > bestScore {
                    if refused.contains(Int32(index)) { continue }
                    unsafe bestScore = scores[index]
                    best = Int32(index)
                }
                guard best >= 0 else { return nil }
                if isAccepted(best) { return best }
                refused.append(best)
            }
            var best: Int32?
            var bestScore = -Float.infinity
            for index in 0..<scores.count where unsafe scores[index] > bestScore {
                guard isAccepted(Int32(index)) else { continue }
                unsafe bestScore = scores[index]
                best = Int32(index)
            }
            return best
        }
        return found
    }

    /// The row of logits after the last token, for the time of the call.
    func withScores<Result>(
        _ body: (UnsafeBufferPointer<Float>) -> Result
    ) throws(LlamaError) -> Result {
        try score()
        guard let row = unsafe llama_get_logits_ith(handle, -1) else {
            throw .decodeFailed(code: -4)
        }
        return unsafe body(UnsafeBufferPointer(start: row, count: model.vocabulary.count))
    }

    /// Runs a chain of samplers over the row of logits after the last token.
    func sample(with chain: UnsafeMutablePointer<llama_sampler>) throws(LlamaError) -> Int32 {
        try score()
        return unsafe llama_sampler_sample(chain, handle, -1)
    }

    /// After a cut the row at hand belongs to what was cut off: the last token is read once more.
    private func score() throws(LlamaError) {
        guard !isScored else { return }
        guard let last = tokens.last else { preconditionFailure("nothing was read") }
        cut(to: tokens.count - 1)
        try read([last])
    }
}

extension LlamaContext {
    /// What the model computed for the tokens read so far, to be given to `restore` of a like context.
    package func state() -> [UInt8] {
        let size = unsafe llama_state_seq_get_size(handle, 0)
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            unsafe filled = llama_state_seq_get_data(handle, buffer.baseAddress, size, 0)
        }
    }

    /// Takes over a state that this library wrote for these tokens and this model; false when it does not fit,
    /// then nothing is remembered. The bytes must be whole: a damaged state is not noticed, a cut one ends the process.
    package func restore(_ state: [UInt8], for tokens: [Int32]) -> Bool {
        unsafe llama_memory_clear(llama_get_memory(handle), true)
        self.tokens = []
        isScored = false
        guard tokens.count <= limit else { return false }
        let read = unsafe state.withUnsafeBufferPointer {
            unsafe llama_state_seq_set_data(handle, $0.baseAddress, $0.count, 0)
        }
        guard read == state.count else {
            unsafe llama_memory_clear(llama_get_memory(handle), true)
            return false
        }
        self.tokens = tokens
        return true
    }
}

/// Asked by native code before each step of a computation; looks at the clock first, since it is asked often.
private final class AbortCheck {
    var question: (() -> Bool)?
    private var next = ContinuousClock.now
    private static let interval = Duration.milliseconds(10)

    func isDue() -> Bool {
        guard let question else { return false }
        let now = ContinuousClock.now
        guard now >= next else { return false }
        next = now + Self.interval
        return question()
    }
}
