internal import AuraCrypto

/// A file key behind a passphrase.
enum AgePassphrase {
    static let stanzaKind = "scrypt"
    static let saltLength = 16
    private static let blockSize: UInt64 = 8

    /// - Throws: `AgeError.workFactor` outside 1...30, or for want of memory.
    static func wrap(
        _ fileKey: Secret, passphrase: Secret, workFactor: Int
    ) throws(AgeError) -> AgeStanza {
        guard (1...30).contains(workFactor) else { throw .workFactor(workFactor) }
        let salt = Secret.random(saltLength).publicBytes
        let key = try key(passphrase, salt: salt, workFactor: workFactor)
        return AgeStanza(
            kind: stanzaKind,
            arguments: [
                String(decoding: Base64.encode(salt.span, isPadded: false), as: UTF8.self),
                String(workFactor),
            ],
            body: fileKey.wrapped(with: key))
    }

    /// - Throws: `AgeError.wrongPassphrase`, `AgeError.workFactor`.
    static func unwrap(
        _ share: AgeHeader.PassphraseShare, passphrase: Secret, maximumWorkFactor: Int
    ) throws(AgeError) -> Secret {
        guard let workFactor = Int(share.workFactor), workFactor <= maximumWorkFactor else {
            throw .workFactor(Int(share.workFactor) ?? .max)
        }
        let key = try key(passphrase, salt: share.salt, workFactor: workFactor)
        guard let fileKey = Secret.unwrapped(share.body, with: key) else { throw .wrongPassphrase }
        return fileKey
    }

    private static func key(
        _ passphrase: Secret, salt: [UInt8], workFactor: Int
    ) throws(AgeError) -> Secret {
        guard (1...30).contains(workFactor) else { throw .workFactor(workFactor) }
        let cost: UInt64 = 1 << UInt64(workFactor)
        do {
            return try Scrypt.key(
                from: passphrase, salt: Array("age-encryption.org/v1/scrypt".utf8) + salt,
                cost: cost, blockSize: blockSize, parallelism: 1, length: ChaChaPoly.keyLength,
                // The table, and a few blocks to work in.
                maximumMemory: 128 * blockSize * (cost + 16))
        } catch {
            throw .workFactor(workFactor)
        }
    }
}

extension Secret {
    /// Random bytes that are to be read by everybody.
    var publicBytes: [UInt8] {
        withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }
    }
}
