internal import AuraCrypto

/// One recipient's part of a header.
struct AgeStanza: Equatable, Sendable {
    let kind: String
    let arguments: [String]
    let body: [UInt8]
}

/// The text before the payload: stanzas that hold the file key, and a digest over them.
struct AgeHeader {
    /// Far more than a thousand recipients and the longest label need.
    static let maximumLength = 128 << 10
    static let mark = Array("age-encryption.org/".utf8)
    private static let versionLine = Array("age-encryption.org/v1".utf8)
    private static let stanzaMark = Array("-> ".utf8)
    private static let endMark = Array("---".utf8)
    private static let columns = 64
    private static let newline = UInt8(ascii: "\n")

    /// An X25519 stanza that is well formed.
    struct Share {
        let publicKey: [UInt8]
        let body: [UInt8]
    }

    /// A scrypt stanza that is well formed.
    struct PassphraseShare {
        let salt: [UInt8]
        /// Log2 of the work factor, in digits.
        let workFactor: String
        let body: [UInt8]
    }

    let stanzas: [AgeStanza]
    /// What the digest is over.
    private let signedBytes: [UInt8]
    private let digest: [UInt8]
    let shares: [Share]
    let passphraseShare: PassphraseShare?

    // MARK: Writing

    /// The header's bytes.
    static func bytes(stanzas: [AgeStanza], fileKey: Secret) -> [UInt8] {
        var bytes = versionLine + [newline]
        for stanza in stanzas {
            bytes += stanzaMark
            bytes += ([stanza.kind] + stanza.arguments).joined(separator: " ").utf8
            bytes.append(newline)
            let body = Base64.encode(stanza.body.span, isPadded: false)
            // A full last line is followed by an empty one.
            for start in stride(from: 0, through: body.count, by: columns) {
                bytes += body[start..<min(start + columns, body.count)]
                bytes.append(newline)
            }
        }
        bytes += endMark
        let digest = HMAC.of(bytes.span, key: digestKey(fileKey))
        bytes.append(UInt8(ascii: " "))
        bytes += Base64.encode(digest.span, isPadded: false)
        bytes.append(newline)
        precondition(bytes.count <= maximumLength, "a header that nobody would read")
        return bytes
    }

    private static func digestKey(_ fileKey: Secret) -> Secret {
        HKDF.key(from: fileKey, info: "header")
    }

    // MARK: Reading

    /// The length of the header at the beginning of the bytes, once all of it is there.
    ///
    /// - Parameter known: bytes from the beginning that were looked at before, in vain.
    static func length(in bytes: [UInt8], known: Int) -> Int? {
        // No line before the last starts with a hyphen but for a stanza's `->`.
        var index = max(known - maximumEndLine, 0)
        while index + endMark.count < bytes.count {
            if bytes[index] == newline,
                bytes[index + 1..<index + 1 + endMark.count].elementsEqual(endMark)
            {
                guard let end = bytes[(index + 1)...].firstIndex(of: newline) else { return nil }
                return end + 1
            }
            index += 1
        }
        return nil
    }

    /// Bytes of the last line; a longer one is found at the end of a file, and refused.
    private static let maximumEndLine = 64

    /// - Parameter bytes: exactly the header.
    /// - Throws: `AgeError.header`.
    init(_ bytes: ArraySlice<UInt8>) throws(AgeError) {
        var lines = Lines(rest: bytes)
        guard let version = lines.next() else { throw .header("it is cut off") }
        guard version.elementsEqual(Self.versionLine) else {
            throw .header("its version is not v1")
        }
        var stanzas: [AgeStanza] = []
        while true {
            let start = lines.rest.startIndex
            guard let line = lines.next() else { throw .header("it is cut off") }
            if line.starts(with: Self.stanzaMark) {
                stanzas.append(try Self.stanza(line.dropFirst(Self.stanzaMark.count), &lines))
                continue
            }
            guard line.starts(with: Self.endMark + [UInt8(ascii: " ")]) else {
                throw .header("a line is neither a stanza nor the end")
            }
            guard !stanzas.isEmpty else { throw .header("it has no stanza") }
            let text = Array(line.dropFirst(Self.endMark.count + 1))
            guard let digest = Base64.decode(text.span, isPadded: false),
                digest.count == HMAC.Hash.sha256.length
            else { throw .header("its digest is malformed") }
            self.digest = digest
            signedBytes = Array(bytes[..<start] + Self.endMark)
            break
        }
        self.stanzas = stanzas
        shares = try Self.shares(of: stanzas)
        passphraseShare = try Self.passphraseShare(of: stanzas)
    }

    /// - Throws: `AgeError.headerMAC`.
    func check(with fileKey: Secret) throws(AgeError) {
        let expected = HMAC.of(signedBytes.span, key: Self.digestKey(fileKey))
        guard HMAC.isSame(expected, digest) else { throw .headerMAC }
    }

    /// Why nobody's key fits.
    var mismatch: AgeError {
        let kinds = stanzas.map(\.kind).filter {
            $0 != AgeRecipient.stanzaKind && $0 != AgePassphrase.stanzaKind
                && $0 != AgeLabel.stanzaKind && !$0.hasSuffix(Self.greaseSuffix)
        }
        guard let kind = kinds.first else { return .noMatch }
        return .unsupportedRecipient(String(kind.prefix(Self.columns)))
    }

    /// Ends the kind of stanzas that are there only to see whether programs ignore them.
    private static let greaseSuffix = "grease"

    private struct Lines {
        var rest: ArraySlice<UInt8>

        /// Without its end; nil when there is no whole line left.
        mutating func next() -> ArraySlice<UInt8>? {
            guard let end = rest.firstIndex(of: newline) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return rest[..<end]
        }
    }

    private static func stanza(
        _ line: ArraySlice<UInt8>, _ lines: inout Lines
    ) throws(AgeError) -> AgeStanza {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        for word in words {
            guard !word.isEmpty, word.allSatisfy({ (33...126).contains($0) }) else {
                throw .header("a stanza's first line is malformed")
            }
        }
        var text: [UInt8] = []
        while true {
            guard let line = lines.next(), line.count <= columns else {
                throw .header("a stanza does not end as it must")
            }
            text += line
            if line.count < columns { break }
        }
        guard let body = Base64.decode(text.span, isPadded: false) else {
            throw .header("a stanza's body is malformed")
        }
        let strings = words.map { String(decoding: $0, as: UTF8.self) }
        return AgeStanza(kind: strings[0], arguments: Array(strings.dropFirst()), body: body)
    }

    private static func shares(of stanzas: [AgeStanza]) throws(AgeError) -> [Share] {
        var shares: [Share] = []
        for stanza in stanzas where stanza.kind == AgeRecipient.stanzaKind {
            // A body of another length could be opened by more than one key.
            guard stanza.arguments.count == 1,
                let publicKey = Base64.decode(
                    Array(stanza.arguments[0].utf8).span, isPadded: false),
                publicKey.count == X25519.length, stanza.body.count == wrappedLength
            else { throw .header("an X25519 stanza is malformed") }
            shares.append(Share(publicKey: publicKey, body: stanza.body))
        }
        return shares
    }

    private static let wrappedLength = Secret.fileKeyLength + ChaChaPoly.tagLength

    private static func passphraseShare(
        of stanzas: [AgeStanza]
    ) throws(AgeError) -> PassphraseShare? {
        guard let stanza = stanzas.first(where: { $0.kind == AgePassphrase.stanzaKind }) else {
            return nil
        }
        guard stanzas.count == 1 else { throw .header("a passphrase is not the only recipient") }
        guard stanza.arguments.count == 2,
            let salt = Base64.decode(Array(stanza.arguments[0].utf8).span, isPadded: false),
            salt.count == AgePassphrase.saltLength, stanza.body.count == wrappedLength,
            stanza.arguments[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            !stanza.arguments[1].hasPrefix("0")
        else { throw .header("a scrypt stanza is malformed") }
        return PassphraseShare(
            salt: salt, workFactor: stanza.arguments[1], body: stanza.body)
    }
}
