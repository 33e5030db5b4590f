internal import CLlama

/// Turns texts into vectors of length 1. For one thread at a time.
@safe package final class LlamaEmbedder {
    package let model: LlamaModel
    package let dimensions: Int
    /// Tokens of a text beyond this are left out.
    package let limit: Int
    private let handle: OpaquePointer
    private var batch: llama_batch
    private var pace: ThreadPace

    /// Texts are read whole, so the room for one is also the room for its computation.
    private static let most = 2048

    /// - Throws: `LlamaError.noContext`, `.noVectors` for a model that ranks instead of embedding.
    package init(model: LlamaModel, threads: Int) throws(LlamaError) {
        self.model = model
        let limit = min(model.trainedContext, Self.most)
        self.limit = limit
        dimensions = Int(unsafe llama_model_n_embd_out(model.handle))
        var pooling = LLAMA_POOLING_TYPE_UNSPECIFIED
        // A model that does not say how its vectors are pooled gets their mean.
        if !["1", "2", "3"].contains(model.poolingKey ?? "") { pooling = LLAMA_POOLING_TYPE_MEAN }
        var parameters = unsafe llama_context_default_params()
        unsafe parameters.n_ctx = UInt32(limit)
        unsafe parameters.n_batch = UInt32(limit)
        unsafe parameters.n_ubatch = UInt32(limit)
        unsafe parameters.n_threads = Int32(threads)
        unsafe parameters.n_threads_batch = Int32(threads)
        unsafe parameters.embeddings = true
        unsafe parameters.pooling_type = pooling
        unsafe parameters.no_perf = true
        _ = NativeLog.takeComplaints()
        guard let handle = unsafe llama_init_from_model(model.handle, parameters) else {
            throw .noContext(detail: NativeLog.lastComplaint())
        }
        unsafe self.handle = handle
        pace = ThreadPace(most: threads)
        unsafe batch = llama_batch_init(Int32(limit), 0, 1)
        guard unsafe llama_pooling_type(handle) != LLAMA_POOLING_TYPE_RANK, dimensions > 0 else {
            throw .noVectors
        }
    }

    deinit {
        unsafe llama_batch_free(batch)
        unsafe llama_free(handle)
    }

    /// The text's vector; empty when the text is, or when the model computes none of finite length.
    package func vector(for text: String) throws(LlamaError) -> [Float] {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        var tokens = model.vocabulary.tokens(of: text, isStart: true)
        guard !tokens.isEmpty else { return [] }
        if tokens.count > limit { tokens = tokens.prefix(limit - 1) + [tokens[tokens.count - 1]] }
        unsafe batch.n_tokens = Int32(tokens.count)
        for index in tokens.indices {
            unsafe batch.token[index] = tokens[index]
            unsafe batch.pos[index] = Int32(index)
            unsafe batch.n_seq_id[index] = 1
            unsafe batch.seq_id[index]![0] = 0
            unsafe batch.logits[index] = 1
        }
        // A model that only reads has no memory to clear, and another call.
        let threads = pace.current
        let code = pace.run {
            guard let memory = unsafe llama_get_memory(handle) else {
                return unsafe llama_encode(handle, batch)
            }
            unsafe llama_memory_clear(memory, true)
            return unsafe llama_decode(handle, batch)
        }
        if pace.current != threads {
            unsafe llama_set_n_threads(handle, Int32(pace.current), Int32(pace.current))
        }
        guard code == 0 else { throw .decodeFailed(code: Int(code)) }
        guard let row = unsafe llama_get_embeddings_seq(handle, 0) else { throw .noVectors }
        let values = unsafe Array(UnsafeBufferPointer(start: row, count: dimensions))
        let length = values.reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite, length > 0 else { return [] }
        return values.map { $0 / length }
    }
}

extension LlamaModel {
    fileprivate var poolingKey: String? {
        metadata("general.architecture").flatMap { metadata("\($0).pooling_type") }
    }
}
