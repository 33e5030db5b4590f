package import AuraCrypto

/// A private key that opens what was sealed to its recipient.
package struct AgeIdentity: Sendable {
    private static let textPrefix = "AGE-SECRET-KEY-"

    private let pair: X25519

    private init(pair: X25519) { self.pair = pair }

    /// From 32 bytes, which are the private key.
    package init(privateKey: Secret) { pair = X25519(privateKey: privateKey) }

    /// Reads `AGE-SECRET-KEY-1…`; nil for anything else.
    package init?(_ secretText: Secret) {
        guard let pair = secretText.withBytes({ Self.pair($0) }) else { return nil }
        self.pair = pair
    }

    package static func make() -> AgeIdentity { AgeIdentity(pair: .make()) }

    package var recipient: AgeRecipient { AgeRecipient(publicKey: pair.publicKey) }

    /// `AGE-SECRET-KEY-1…`.
    package var secretText: Secret {
        var text = pair.privateKey.withBytes { Bech32.encode($0, prefix: Self.textPrefix) }
        defer { Secret.wipe(&text) }
        return Secret(text)
    }

    /// The keys of an identity file, one a line; empty lines and lines that start with `#` say nothing.
    ///
    /// - Throws: `AgeError.identityLine`.
    package static func list(inFile file: Secret) throws(AgeError) -> [AgeIdentity] {
        try file.withBytes { (bytes: Span<UInt8>) throws(AgeError) in
            var identities: [AgeIdentity] = []
            var start = 0
            var number = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
                let next = end + 1
                number += 1
                if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
                if end > start, bytes[start] != UInt8(ascii: "#") {
                    guard let pair = pair(bytes.extracting(start..<end)) else {
                        throw .identityLine(number)
                    }
                    identities.append(AgeIdentity(pair: pair))
                }
                start = next
            }
            return identities
        }
    }

    private static func pair(_ text: Span<UInt8>) -> X25519? {
        guard var bytes = Bech32.decode(text, prefix: textPrefix) else { return nil }
        defer { Secret.wipe(&bytes) }
        guard bytes.count == X25519.length else { return nil }
        return X25519(privateKey: Secret(bytes))
    }

    /// The file key; nil where the stanza is somebody else's.
    ///
    /// - Throws: `AgeError.header` for a share that makes the secret the same for everybody.
    func unwrap(_ stanza: AgeHeader.Share) throws(AgeError) -> Secret? {
        let shared: Secret
        do {
            shared = try pair.sharedSecret(with: stanza.publicKey)
        } catch {
            throw .header("a share that hides nothing")
        }
        let key = AgeRecipient.wrapKey(
            shared, share: stanza.publicKey, publicKey: pair.publicKey)
        return Secret.unwrapped(stanza.body, with: key)
    }
}
