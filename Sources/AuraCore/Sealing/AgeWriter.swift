package import AuraCrypto

/// Seals bytes that come in pieces.
///
/// It keeps no more than one chunk. What it appends is the file from its first byte on: header, payload.
package struct AgeWriter: ~Copyable {
    private var payload: AgePayload
    /// Header and nonce, until the first piece is out.
    private var opening: [UInt8]
    /// Less than is known to be a chunk that is not the last.
    private var pending: [UInt8] = []

    /// - Parameter label: at most 64 KiB, without NUL.
    /// - Throws: `AgeError.noRecipients`.
    package init(to recipients: [AgeRecipient], label: String? = nil) throws(AgeError) {
        guard !recipients.isEmpty else { throw .noRecipients }
        let fileKey = Secret.random(Secret.fileKeyLength)
        var stanzas = recipients.map { $0.wrap(fileKey) }
        if let label { stanzas.append(AgeLabel.stanza(label, fileKey: fileKey)) }
        self.init(stanzas, fileKey: fileKey)
    }

    /// - Throws: `AgeError.workFactor`.
    package init(passphrase: Secret, workFactor: Int = 17) throws(AgeError) {
        let fileKey = Secret.random(Secret.fileKeyLength)
        let stanza = try AgePassphrase.wrap(
            fileKey, passphrase: passphrase, workFactor: workFactor)
        self.init([stanza], fileKey: fileKey)
    }

    private init(_ stanzas: [AgeStanza], fileKey: Secret) {
        let nonce = Secret.random(AgePayload.nonceLength).publicBytes
        opening = AgeHeader.bytes(stanzas: stanzas, fileKey: fileKey) + nonce
        payload = AgePayload(fileKey: fileKey, nonce: nonce)
    }

    /// Appends what is sealed by now.
    package mutating func update(_ plain: Span<UInt8>, into sealed: inout [UInt8]) {
        start(&sealed)
        var rest = plain
        // A full chunk waits for the next byte: it may be the last.
        while pending.count + rest.count > AgePayload.chunkLength {
            if pending.isEmpty {
                payload.seal(
                    rest.extracting(first: AgePayload.chunkLength), isLast: false, into: &sealed)
                rest = rest.extracting(droppingFirst: AgePayload.chunkLength)
            } else {
                let missing = AgePayload.chunkLength - pending.count
                pending.append(rest.extracting(first: missing))
                rest = rest.extracting(droppingFirst: missing)
                let chunk = pending
                pending = []
                payload.seal(chunk.span, isLast: false, into: &sealed)
            }
        }
        pending.append(rest)
    }

    /// Appends the end of the file.
    package consuming func finish(into sealed: inout [UInt8]) {
        start(&sealed)
        let chunk = pending
        payload.seal(chunk.span, isLast: true, into: &sealed)
    }

    private mutating func start(_ sealed: inout [UInt8]) {
        sealed += opening
        opening = []
    }
}

extension [UInt8] {
    mutating func append(_ bytes: Span<UInt8>) {
        reserveCapacity(count + bytes.count)
        for index in 0..<bytes.count { append(bytes[index]) }
    }
}
