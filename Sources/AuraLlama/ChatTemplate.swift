internal import CLlama

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// One turn of a conversation: `system`, `user` or `assistant`, and what was said.
package struct ChatTurn: Hashable, Sendable {
    package var role: String
    package var text: String

    package init(role: String, text: String) {
        self.role = role
        self.text = text
    }
}

/// A conversation as the model wants to read it.
package struct ChatPrompt: Sendable {
    package var tokens: [Int32]
    /// How many of the first tokens come from the turns that were called shared.
    package var sharedCount: Int
    /// Text that ends a turn where the vocabulary has no token for that; nil otherwise.
    package var endOfTurn: String?
}

extension LlamaModel {
    /// Puts the turns into the model's frame, up to where its answer begins.
    ///
    /// Markers in the text of a turn stay text: only the frame's own are read as markers. A template that the
    /// library does not know is replaced by ChatML, the commonest.
    /// - Parameter shared: so many of the first turns are the same from call to call.
    /// - Parameter opening: frame text put before the answer, for models that want an empty thinking block there.
    /// - Throws: `LlamaError.noTemplate`, `.templateFailed`.
    package func prompt(
        for turns: [ChatTurn], shared: Int = 0, opening: String = ""
    ) throws(LlamaError) -> ChatPrompt {
        guard let template else { throw .noTemplate }
        // Rendered with a sign in place of each text, so that frame and texts can be told apart.
        let signs = turns.indices.map { "@@aura-\($0)@@" }
        let roles = turns.map(\.role)
        var isKnown = true
        var rendered = Self.render(template, roles: roles, texts: signs)
        if rendered == nil {
            isKnown = false
            rendered = Self.render("chatml", roles: roles, texts: signs)
        }
        guard let rendered else { throw .templateFailed }

        var prompt = ChatPrompt(tokens: [], sharedCount: 0, endOfTurn: isKnown ? nil : "<|im_end|>")
        var rest = Substring(rendered)
        for (index, sign) in signs.enumerated() {
            guard let place = rest.firstRange(of: sign) else { throw .templateFailed }
            prompt.tokens += vocabulary.tokens(
                of: String(rest[..<place.lowerBound]), isFrame: true, isStart: index == 0)
            prompt.tokens += vocabulary.tokens(of: turns[index].text)
            rest = rest[place.upperBound...]
            if index + 1 == shared { prompt.sharedCount = prompt.tokens.count }
        }
        prompt.tokens += vocabulary.tokens(
            of: rest + opening, isFrame: true, isStart: turns.isEmpty)
        return prompt
    }

    private static func render(_ template: String, roles: [String], texts: [String]) -> String? {
        var owned: [UnsafeMutablePointer<CChar>?] = unsafe []
        defer { for index in unsafe owned.indices { unsafe free(owned[index]) } }
        var messages: [llama_chat_message] = unsafe []
        for (role, text) in zip(roles, texts) {
            let pair = unsafe (strdup(role), strdup(text))
            unsafe owned.append(pair.0)
            unsafe owned.append(pair.1)
            unsafe messages.append(llama_chat_message(role: pair.0, content: pair.1))
        }
        var size: Int32 = 4096
        while true {
            var length: Int32 = 0
            let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(size)) { buffer, filled in
                length = unsafe llama_chat_apply_template(
                    template, messages, messages.count, true, buffer.baseAddress, size)
                filled = max(0, Int(min(length, size)))
            }
            if length < 0 { return nil }
            if length <= size {
                return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            size = length
        }
    }
}
