internal import AuraCrypto

/// The cipher of a payload, which goes from chunk to chunk.
struct AgePayload: ~Copyable {
    /// Plain bytes of every chunk but the last.
    static let chunkLength = 64 << 10
    static let sealedLength = chunkLength + ChaChaPoly.tagLength
    static let tagLength = ChaChaPoly.tagLength
    /// Bytes before the first chunk.
    static let nonceLength = 16

    /// How many chunks were passed.
    private var count: UInt64 = 0
    private var cipher: ChaChaPoly

    init(fileKey: Secret, nonce: [UInt8]) {
        cipher = ChaChaPoly(key: HKDF.key(from: fileKey, salt: nonce, info: "payload"))
    }

    /// Whether no chunk was passed yet. A method: a property cannot be read through an optional here.
    func isFirst() -> Bool { count == 0 }

    mutating func seal(_ chunk: Span<UInt8>, isLast: Bool, into sealed: inout [UInt8]) {
        cipher.seal(chunk, nonce: nonce(isLast: isLast), into: &sealed)
        count += 1
    }

    /// False, and nothing done, where the chunk was not sealed in this place.
    mutating func open(_ chunk: Span<UInt8>, isLast: Bool, into plain: inout [UInt8]) -> Bool {
        do {
            try cipher.open(chunk, nonce: nonce(isLast: isLast), into: &plain)
        } catch {
            return false
        }
        count += 1
        return true
    }

    /// The count in eleven bytes, the highest first, and a byte that marks the last chunk.
    private func nonce(isLast: Bool) -> [UInt8] {
        [0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) }
            + [isLast ? 1 : 0]
    }
}
