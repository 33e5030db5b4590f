internal import CLlama

/// How the next token is chosen: the likeliest, or by chance among likely ones.
@safe package final class Sampler {
    /// Nil takes the likeliest every time.
    private let chain: UnsafeMutablePointer<llama_sampler>?

    /// - Parameter temperature: 0 takes the likeliest every time; 1 follows the model's own odds.
    package init(temperature: Double = 0, seed: UInt32 = 0) {
        guard temperature > 0 else {
            unsafe chain = nil
            return
        }
        let chain = unsafe llama_sampler_chain_init(llama_sampler_chain_default_params())!
        unsafe self.chain = chain
        // Unlikely tokens are cut off first: small models lose the thread after one of them.
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_top_k(40))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_top_p(0.95, 1))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_temp(Float(temperature)))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_dist(seed))
    }

    deinit {
        if let chain = unsafe chain { unsafe llama_sampler_free(chain) }
    }

    /// The next token, not yet read by the context.
    package func next(in context: LlamaContext) throws(LlamaError) -> Int32 {
        guard let chain = unsafe chain else { return try context.likeliest() }
        return try unsafe context.sample(with: chain)
    }

    /// The next token that the grammar allows.
    ///
    /// The model is nearly always right by itself, so its free choice is tried first; asking the grammar about the
    /// whole vocabulary costs as much as a third of a token.
    /// - Throws: `LlamaError.deadEnd` when it allows none.
    package func next(
        in context: LlamaContext, allowedBy grammar: SamplingGrammar
    ) throws(LlamaError) -> Int32 {
        let free = try next(in: context)
        if grammar.allows(free) {
            grammar.accept(free)
            return free
        }
        return try nextOfAll(in: context, allowedBy: grammar)
    }

    /// As `next(in:allowedBy:)`, asking the grammar about the whole vocabulary every time: the plain way, for comparison.
    package func nextOfAll(
        in context: LlamaContext, allowedBy grammar: SamplingGrammar
    ) throws(LlamaError) -> Int32 {
        let chain = unsafe chain
        let token: Int32? = try unsafe context.withScores { scores in
            var candidates: [llama_token_data] = []
            candidates.reserveCapacity(scores.count)
            for index in 0..<scores.count {
                candidates.append(
                    llama_token_data(id: Int32(index), logit: unsafe scores[index], p: 0))
            }
            return unsafe candidates.withUnsafeMutableBufferPointer { buffer in
                var list = unsafe llama_token_data_array(
                    data: buffer.baseAddress, size: buffer.count, selected: -1, sorted: false)
                unsafe grammar.mask(&list)
                var best: Int?
                var bestScore = -Float.infinity
                for index in 0..<Int(unsafe list.size) {
                    let score = unsafe list.data[index].logit
                    if score > bestScore { (best, bestScore) = (index, score) }
                }
                guard let best else { return nil }
                guard let chain = unsafe chain else { return unsafe list.data[best].id }
                unsafe llama_sampler_apply(chain, &list)
                let selected = Int(unsafe list.selected)
                return unsafe list.data[selected].id
            }
        }
        // Only what it allows may be told to a grammar: anything else ends the process.
        guard let token, grammar.allows(token) else { throw .deadEnd }
        grammar.accept(token)
        return token
    }
}
