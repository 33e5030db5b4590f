internal import AuraCrypto

/// Whom a file is sealed to: the public half of an `AgeIdentity`.
package struct AgeRecipient: Hashable, Sendable {
    static let stanzaKind = "X25519"
    static let textPrefix = "age"

    let publicKey: [UInt8]

    init(publicKey: [UInt8]) { self.publicKey = publicKey }

    /// Reads `age1…`; nil for anything else, and for the few keys that anybody could open.
    package init?(_ text: String) {
        let text = Array(text.utf8)
        guard let bytes = Bech32.decode(text.span, prefix: Self.textPrefix),
            bytes.count == X25519.length,
            (try? X25519.make().sharedSecret(with: bytes)) != nil
        else { return nil }
        publicKey = bytes
    }

    /// `age1…`.
    package var text: String {
        String(
            decoding: Bech32.encode(publicKey.span, prefix: Self.textPrefix), as: UTF8.self)
    }

    /// A stanza from which only the identity gets the file key.
    func wrap(_ fileKey: Secret) -> AgeStanza {
        let ephemeral = X25519.make()
        guard let shared = try? ephemeral.sharedSecret(with: publicKey) else {
            preconditionFailure("a recipient with a weak key")
        }
        let share = ephemeral.publicKey
        let key = Self.wrapKey(shared, share: share, publicKey: publicKey)
        let shareText = Base64.encode(share.span, isPadded: false)
        return AgeStanza(
            kind: Self.stanzaKind, arguments: [String(decoding: shareText, as: UTF8.self)],
            body: fileKey.wrapped(with: key))
    }

    static func wrapKey(_ shared: Secret, share: [UInt8], publicKey: [UInt8]) -> Secret {
        HKDF.key(from: shared, salt: share + publicKey, info: "age-encryption.org/v1/X25519")
    }
}

extension AgeRecipient: CustomStringConvertible {
    package var description: String { text }
}

extension Secret {
    /// Bytes of a file key.
    static let fileKeyLength = 16

    /// Sealed with a key that seals nothing else, so that its nonce may be zeros.
    func wrapped(with key: Secret) -> [UInt8] {
        var body: [UInt8] = []
        var cipher = ChaChaPoly(key: key)
        withBytes { cipher.seal($0, nonce: Self.zeroNonce, into: &body) }
        return body
    }

    /// Nil where the key is not the one that wrapped it.
    static func unwrapped(_ body: [UInt8], with key: Secret) -> Secret? {
        var cipher = ChaChaPoly(key: key)
        return try? cipher.openSecret(body.span, nonce: zeroNonce)
    }

    static let zeroNonce = [UInt8](repeating: 0, count: ChaChaPoly.nonceLength)
}
