package import AuraCrypto

/// Passphrases as bytes.
package enum PassphraseText {
    /// In Unicode's composed form, so that every keyboard gives the same; plain ASCII is that already.
    package static func normalised(_ bytes: [UInt8]) -> Secret {
        var bytes = bytes
        defer { Secret.wipe(&bytes) }
        guard bytes.contains(where: { $0 >= 0x80 }),
            let text = String(validating: bytes, as: UTF8.self)
        else { return Secret(bytes) }
        return Secret(Array(ComposedText.composed(text).utf8))
    }
}
