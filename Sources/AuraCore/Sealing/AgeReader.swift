package import AuraCrypto

/// Opens a sealed file that comes in pieces, armored or not.
///
/// Nothing of a chunk is given out before its tag was checked, and it keeps no more than one chunk. Only
/// after `finish` is it known that nothing is missing at the end.
package struct AgeReader: ~Copyable {
    private enum Keys {
        case identities([AgeIdentity])
        case passphrase(Secret, maximumWorkFactor: Int)
    }

    private enum Wrapping {
        case unknown
        case none
        case armor(AgeArmor.Reader)
        /// Neither; a little more is read to see why.
        case strange
    }

    /// What is read of something strange to find the armor that stands further down.
    private static let strangeLength = 1024

    private let keys: Keys
    private var wrapping = Wrapping.unknown
    /// The beginning of the file until the header's end is there; then at most one sealed chunk.
    private var pending: [UInt8] = []
    /// How many of the pending bytes were looked through for the header's end.
    private var searched = 0
    private var fileKey: Secret?
    private var payload: AgePayload?
    /// Only armored text may have white space before it.
    private var hasSpaceBefore = false

    /// What the file is labelled with; nil before the header is read, and where there is none.
    package private(set) var label: String?

    package init(with identities: [AgeIdentity]) { keys = .identities(identities) }

    /// - Parameter maximumWorkFactor: a file that asks for more is refused: 20 takes a gigabyte.
    package init(passphrase: Secret, maximumWorkFactor: Int = 20) {
        keys = .passphrase(passphrase, maximumWorkFactor: maximumWorkFactor)
    }

    /// Whether the header was read and one of the keys opened it.
    package var isOpen: Bool { fileKey != nil }

    /// Appends what can be given out by now, which is right even when this throws.
    package mutating func update(
        _ sealed: Span<UInt8>, into plain: inout [UInt8]
    ) throws(AgeError) {
        var start = 0
        if case .unknown = wrapping {
            while start < sealed.count, AgeArmor.isSpace(sealed[start]) { start += 1 }
            if start > 0 { hasSpaceBefore = true }
            guard start < sealed.count else { return }
            switch sealed[start] {
            case UInt8(ascii: "-"): wrapping = .armor(AgeArmor.Reader())
            case AgeHeader.mark[0] where !hasSpaceBefore: wrapping = .none
            default: wrapping = .strange
            }
        }
        switch wrapping {
        case .armor(var armor):
            var bytes: [UInt8] = []
            try armor.update(sealed.extracting(droppingFirst: start), into: &bytes)
            wrapping = .armor(armor)
            try take(bytes.span, into: &plain)
        case .strange:
            pending.append(sealed)
            if pending.count >= Self.strangeLength { throw strangeness() }
        case .none, .unknown: try take(sealed, into: &plain)
        }
    }

    /// Appends the rest; only now everything was there.
    ///
    /// - Throws: also when the end is missing.
    package consuming func finish(into plain: inout [UInt8]) throws(AgeError) {
        switch wrapping {
        case .armor(var armor):
            var bytes: [UInt8] = []
            try armor.finish(into: &bytes)
            try take(bytes.span, into: &plain)
        case .strange: throw strangeness()
        case .none, .unknown: break
        }
        guard payload != nil else {
            guard !pending.isEmpty else { throw .notAnAgeFile }
            throw .header("it is cut off")
        }
        try takeLastChunk(into: &plain)
    }

    private func strangeness() -> AgeError {
        guard AgeArmor.isWithin(pending) else { return .notAnAgeFile }
        return .armor("something stands before its first line")
    }

    private mutating func take(
        _ bytes: Span<UInt8>, into plain: inout [UInt8]
    ) throws(AgeError) {
        guard payload == nil else { return try takeChunks(bytes, into: &plain) }
        pending.append(bytes)
        if fileKey == nil { try takeHeader() }
        guard let fileKey, pending.count >= AgePayload.nonceLength else { return }
        let nonce = Array(pending[..<AgePayload.nonceLength])
        payload = AgePayload(fileKey: fileKey, nonce: nonce)
        let rest = Array(pending[AgePayload.nonceLength...])
        pending = []
        try takeChunks(rest.span, into: &plain)
    }

    private mutating func takeHeader() throws(AgeError) {
        let beginning = pending.prefix(AgeHeader.mark.count)
        guard beginning.elementsEqual(AgeHeader.mark.prefix(beginning.count)) else {
            throw .notAnAgeFile
        }
        let length = AgeHeader.length(in: pending, known: searched)
        guard let length, length <= AgeHeader.maximumLength else {
            searched = pending.count
            guard searched <= AgeHeader.maximumLength else { throw .header("it is too long") }
            return
        }
        let header = try AgeHeader(pending[..<length])
        let fileKey = try unwrap(header)
        try header.check(with: fileKey)
        label = try AgeLabel.label(in: header.stanzas, fileKey: fileKey)
        self.fileKey = fileKey
        pending = Array(pending[length...])
    }

    private func unwrap(_ header: AgeHeader) throws(AgeError) -> Secret {
        switch keys {
        case .identities(let identities):
            guard header.passphraseShare == nil else { throw .needsPassphrase }
            for share in header.shares {
                for identity in identities {
                    if let fileKey = try identity.unwrap(share) { return fileKey }
                }
            }
            throw header.mismatch
        case .passphrase(let passphrase, let maximumWorkFactor):
            guard let share = header.passphraseShare else { throw header.mismatch }
            return try AgePassphrase.unwrap(
                share, passphrase: passphrase, maximumWorkFactor: maximumWorkFactor)
        }
    }

    private mutating func takeChunks(
        _ bytes: Span<UInt8>, into plain: inout [UInt8]
    ) throws(AgeError) {
        var rest = bytes
        // A chunk waits for the next byte: it may be the last.
        while pending.count + rest.count > AgePayload.sealedLength {
            if pending.isEmpty {
                try takeChunk(rest.extracting(first: AgePayload.sealedLength), into: &plain)
                rest = rest.extracting(droppingFirst: AgePayload.sealedLength)
            } else {
                let missing = AgePayload.sealedLength - pending.count
                pending.append(rest.extracting(first: missing))
                rest = rest.extracting(droppingFirst: missing)
                let chunk = pending
                pending = []
                try takeChunk(chunk.span, into: &plain)
            }
        }
        pending.append(rest)
    }

    /// A chunk that is not the last.
    private mutating func takeChunk(
        _ chunk: Span<UInt8>, into plain: inout [UInt8]
    ) throws(AgeError) {
        if payload!.open(chunk, isLast: false, into: &plain) { return }
        guard payload!.open(chunk, isLast: true, into: &plain) else {
            throw .payload("a chunk was changed")
        }
        throw .payload("something stands after its end")
    }

    private mutating func takeLastChunk(into plain: inout [UInt8]) throws(AgeError) {
        let chunk = pending
        let isFirst = payload!.isFirst()
        guard chunk.count >= AgePayload.tagLength else { throw .payload("its end is missing") }
        guard isFirst || chunk.count > AgePayload.tagLength else {
            throw .payload("its last chunk is empty")
        }
        if payload!.open(chunk.span, isLast: true, into: &plain) { return }
        guard chunk.count == AgePayload.sealedLength,
            payload!.open(chunk.span, isLast: false, into: &plain)
        else { throw .payload("a chunk was changed or its end is missing") }
        throw .payload("its end is missing")
    }
}
