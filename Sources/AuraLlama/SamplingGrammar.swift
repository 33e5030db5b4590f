internal import CLlama

/// A grammar in GBNF, and how far a reply has come in it. One for each reply.
@safe package final class SamplingGrammar {
    private let sampler: UnsafeMutablePointer<llama_sampler>
    private let vocabulary: Tokens
    /// Keeps the vocabulary's model alive.
    private let model: LlamaModel

    /// - Throws: `LlamaError.badGrammar` when the text is no grammar with a rule called `root`.
    package init(_ text: String, for model: LlamaModel) throws(LlamaError) {
        NativeLog.install()
        _ = NativeLog.takeComplaints()
        let made = unsafe NativeLog.catchingPrints {
            text.isEmpty
                ? nil : unsafe llama_sampler_init_grammar(model.vocabulary.handle, text, "root")
        }
        guard let sampler = unsafe made else {
            throw .badGrammar(
                detail: NativeLog.takeComplaints().first ?? "it has no rule called root")
        }
        unsafe self.sampler = sampler
        self.model = model
        vocabulary = model.vocabulary
    }

    deinit { unsafe llama_sampler_free(sampler) }

    /// Whether the token may come next; an ending token when the reply may end here.
    func allows(_ token: Int32) -> Bool {
        // Markers have no bytes: the grammar cannot tell them from nothing.
        if !vocabulary.isEnding(token), vocabulary.piece(token).isEmpty { return false }
        var one = llama_token_data(id: token, logit: 1, p: 0)
        unsafe withUnsafeMutablePointer(to: &one) { pointer in
            var list = unsafe llama_token_data_array(
                data: pointer, size: 1, selected: -1, sorted: false)
            unsafe llama_sampler_apply(sampler, &list)
        }
        return one.logit > -Float.infinity
    }

    /// Moves on by one token that is allowed.
    func accept(_ token: Int32) { unsafe llama_sampler_accept(sampler, token) }

    /// Puts everything that may not come next to minus infinity.
    func mask(_ list: inout llama_token_data_array) { unsafe llama_sampler_apply(sampler, &list) }
}
