internal import COpenSSL

/// A key pair for agreeing on a secret (RFC 7748).
///
/// `@unchecked Sendable`: the key is never changed, and libcrypto lets threads share such a one.
@safe package final class X25519: @unchecked Sendable {
    /// Bytes of a private key, a public key and a shared secret.
    package static let length = 32

    package let publicKey: [UInt8]
    private let key: OpaquePointer

    private init(owning key: OpaquePointer) {
        unsafe self.key = key
        publicKey = unsafe [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, filled in
            filled = buffer.count
            unsafe _ = EVP_PKEY_get_raw_public_key(key, buffer.baseAddress, &filled)
        }
    }

    package convenience init(privateKey: Secret) {
        precondition(privateKey.count == Self.length, "not a private key of X25519")
        let key = unsafe privateKey.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe EVP_PKEY_new_raw_private_key(
                    EVP_PKEY_X25519, nil, bytes.baseAddress, bytes.count)
            }
        }
        guard let key = unsafe key else { fatalError("libcrypto has no X25519") }
        unsafe self.init(owning: key)
    }

    /// A pair that nobody has had before.
    package static func make() -> X25519 { X25519(privateKey: .random(length)) }

    deinit { unsafe EVP_PKEY_free(key) }

    package var privateKey: Secret {
        Secret(count: Self.length) { bytes in
            let worked = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var count = buffer.count
                return unsafe EVP_PKEY_get_raw_private_key(key, buffer.baseAddress, &count) == 1
            }
            precondition(worked, "libcrypto does not give a private key back")
        }
    }

    /// What the other pair's owner gets from this public key.
    ///
    /// - Parameter publicKey: `length` bytes.
    /// - Throws: `CryptoError.weakPublicKey` where the secret would be all zeros.
    package func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> Secret {
        guard publicKey.count == Self.length else { throw .badParameters }
        guard
            let other = unsafe EVP_PKEY_new_raw_public_key(
                EVP_PKEY_X25519, nil, publicKey, publicKey.count)
        else { fatalError("no memory") }
        defer { unsafe EVP_PKEY_free(other) }
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { fatalError("no memory") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return try Secret(count: Self.length) {
            (bytes: inout MutableSpan<UInt8>) throws(CryptoError) in
            let worked = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var count = buffer.count
                return unsafe EVP_PKEY_derive_init(context) == 1
                    && EVP_PKEY_derive_set_peer_ex(context, other, 0) == 1
                    && EVP_PKEY_derive(context, buffer.baseAddress, &count) == 1
                    && count == Self.length
            }
            var bits: UInt8 = 0
            for index in 0..<bytes.count { bits |= bytes[index] }
            guard worked, bits != 0 else {
                ERR_clear_error()
                throw .weakPublicKey
            }
        }
    }
}
