internal import AuraCrypto

/// A note's name inside the header of its file, for those who can open it.
///
/// Other programs take it for the stanza of a recipient they do not know, and pass over it.
enum AgeLabel {
    static let stanzaKind = "aura-label"
    /// What the length of a label is rounded up to, so that it says little.
    private static let step = 64

    static func stanza(_ label: String, fileKey: Secret) -> AgeStanza {
        var bytes = Array(label.utf8)
        precondition(!bytes.contains(0), "a label with a NUL")
        let length = max(step, (bytes.count + step - 1) / step * step)
        bytes += repeatElement(0, count: length - bytes.count)
        var body: [UInt8] = []
        // A file key is fresh for each file: the pair of key and nonce is used once.
        var cipher = ChaChaPoly(key: key(fileKey))
        cipher.seal(bytes.span, nonce: Secret.zeroNonce, into: &body)
        return AgeStanza(kind: stanzaKind, arguments: [], body: body)
    }

    /// Nil where the header has none.
    ///
    /// - Throws: `AgeError.header` for one that is not as `stanza` makes it.
    static func label(in stanzas: [AgeStanza], fileKey: Secret) throws(AgeError) -> String? {
        guard let stanza = stanzas.first(where: { $0.kind == stanzaKind }) else { return nil }
        var bytes: [UInt8] = []
        do {
            var cipher = ChaChaPoly(key: key(fileKey))
            try cipher.open(stanza.body.span, nonce: Secret.zeroNonce, into: &bytes)
        } catch {
            throw .header("its label is malformed")
        }
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        guard bytes.count.isMultiple(of: step), bytes[end...].allSatisfy({ $0 == 0 }),
            let label = String(validating: bytes[..<end], as: UTF8.self)
        else { throw .header("its label is malformed") }
        return label
    }

    private static func key(_ fileKey: Secret) -> Secret {
        HKDF.key(from: fileKey, info: "aura label v1")
    }
}
