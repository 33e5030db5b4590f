internal import CLlama

/// A model's vocabulary: text to tokens and back.
///
/// Sendable because a vocabulary is never changed. It belongs to its model, which holds it.
@safe package struct Tokens: @unchecked Sendable {
    package let count: Int
    /// The bytes of all tokens one after the other; token `n` is from `starts[n]` to `starts[n + 1]`.
    private let bytes: [UInt8]
    private let starts: [Int32]
    private let endings: Set<Int32>
    /// What this vocabulary puts before every text: the tokens of a line break, to be cut off again. Empty for most.
    private let leading: [Int32]
    let handle: OpaquePointer

    /// - Parameter model: a loaded model; it must outlive this value.
    init(of model: OpaquePointer) {
        let handle = unsafe llama_model_get_vocab(model)!
        unsafe self.handle = handle
        count = Int(unsafe llama_vocab_n_tokens(handle))
        var bytes: [UInt8] = []
        var starts: [Int32] = [0]
        starts.reserveCapacity(count + 1)
        var endings: Set<Int32> = []
        for token in 0..<Int32(count) {
            unsafe Self.append(token, of: handle, to: &bytes)
            starts.append(Int32(bytes.count))
            if unsafe llama_vocab_is_eog(handle, token) { endings.insert(token) }
        }
        self.bytes = bytes
        self.starts = starts
        self.endings = endings
        let isSentencePiece = unsafe llama_vocab_type(handle) == LLAMA_VOCAB_TYPE_SPM
        leading =
            unsafe isSentencePiece
            ? Self.tokens(of: "\n", in: handle, isFrame: false, isStart: false) : []
    }

    /// The text's tokens.
    /// - Parameter isFrame: reads markers such as `<|im_end|>` as the tokens they name. Never for a person's text.
    /// - Parameter isStart: puts the model's own start token first, where it wants one.
    package func tokens(
        of text: some StringProtocol, isFrame: Bool = false, isStart: Bool = false
    ) -> [Int32] {
        guard !text.isEmpty || isStart else { return [] }
        // Such a vocabulary puts a blank before every text, which is wrong in the middle of one.
        if !leading.isEmpty, !isStart {
            let all = unsafe Self.tokens(
                of: "\n" + text, in: handle, isFrame: isFrame, isStart: false)
            if all.starts(with: leading) { return Array(all.dropFirst(leading.count)) }
        }
        return unsafe Self.tokens(of: String(text), in: handle, isFrame: isFrame, isStart: isStart)
    }

    /// The bytes that the token stands for; empty for markers. They need not be whole characters.
    package func piece(_ token: Int32) -> ArraySlice<UInt8> {
        bytes[Int(starts[Int(token)])..<Int(starts[Int(token) + 1])]
    }

    /// Whether the model says with it that its turn is over.
    package func isEnding(_ token: Int32) -> Bool { endings.contains(token) }

    private static func tokens(
        of text: String, in handle: OpaquePointer, isFrame: Bool, isStart: Bool
    ) -> [Int32] {
        let utf8 = Array(text.utf8)
        var room = utf8.count / 2 + 16
        while true {
            var count: Int32 = 0
            let tokens = unsafe [Int32](unsafeUninitializedCapacity: room) { buffer, filled in
                count = unsafe utf8.withUnsafeBufferPointer { text in
                    unsafe text.withMemoryRebound(to: CChar.self) { text in
                        unsafe llama_tokenize(
                            handle, text.baseAddress, Int32(text.count), buffer.baseAddress,
                            Int32(room), isStart, isFrame)
                    }
                }
                filled = max(0, Int(count))
            }
            if count >= 0 { return tokens }
            room = Int(-count)
        }
    }

    private static func append(_ token: Int32, of handle: OpaquePointer, to bytes: inout [UInt8]) {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            let length = unsafe llama_token_to_piece(
                handle, token, buffer.baseAddress, Int32(buffer.count), 0, false)
            guard length > 0 else { return }
            for index in 0..<Int(length) { bytes.append(UInt8(bitPattern: unsafe buffer[index])) }
        }
    }
}

/// Gives bytes out as text, whole characters only: the start of one waits for its rest.
package struct CharacterBuffer: Sendable {
    private var waiting: [UInt8] = []

    package init() {}

    /// The text that is complete now; may be empty.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> String {
        waiting += bytes
        let whole = waiting.count - Self.incompleteTail(of: waiting)
        let text = String(decoding: waiting[..<whole], as: UTF8.self)
        waiting.removeFirst(whole)
        return text
    }

    /// How many bytes at the end begin a character without ending it: 0 to 3.
    package static func incompleteTail(of bytes: some BidirectionalCollection<UInt8>) -> Int {
        var count = 0
        for byte in bytes.reversed() {
            count += 1
            if count > 4 { return 0 }
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
