internal import AuraCrypto

/// What a file's bytes were, without them: SHA-256 in hexadecimal.
package struct ContentDigest: Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }
    package init(of bytes: [UInt8]) { text = Digest.of(bytes).hexadecimal }
}
