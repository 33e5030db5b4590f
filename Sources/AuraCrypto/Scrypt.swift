internal import COpenSSL

/// A key from a passphrase, made slow and hungry on purpose (RFC 7914).
package enum Scrypt {
    /// - Parameters:
    ///   - cost: N, a power of two above 1.
    ///   - blockSize: r; one guess takes 128 · N · r bytes.
    ///   - parallelism: p.
    ///   - maximumMemory: in bytes; more is refused before any is taken.
    /// - Throws: `CryptoError.badParameters`.
    package static func key(
        from passphrase: Secret, salt: [UInt8], cost: UInt64, blockSize: UInt64,
        parallelism: UInt64, length: Int, maximumMemory: UInt64
    ) throws(CryptoError) -> Secret {
        try Secret(count: length) { (key: inout MutableSpan<UInt8>) throws(CryptoError) in
            let worked = unsafe key.withUnsafeMutableBufferPointer { key in
                passphrase.withBytes { passphrase in
                    unsafe passphrase.withUnsafeBytes { passphrase in
                        unsafe EVP_PBE_scrypt(
                            passphrase.bindMemory(to: CChar.self).baseAddress, passphrase.count,
                            salt, salt.count, cost, blockSize, parallelism, maximumMemory,
                            key.baseAddress, key.count) == 1
                    }
                }
            }
            guard worked else {
                ERR_clear_error()
                throw .badParameters
            }
        }
    }
}
