internal import COpenSSL

/// ChaCha20-Poly1305 (RFC 8439) under one key, without additional data.
///
/// A nonce may seal once under a key: the caller counts.
@safe package struct ChaChaPoly: ~Copyable {
    package static let keyLength = 32
    package static let nonceLength = 12
    package static let tagLength = 16

    private let context: OpaquePointer

    /// `@unchecked Sendable`: libcrypto counts its holders and never changes it.
    @safe private final class Algorithm: @unchecked Sendable {
        static let shared = Algorithm()
        let cipher: OpaquePointer

        private init() {
            guard let cipher = unsafe EVP_CIPHER_fetch(nil, "ChaCha20-Poly1305", nil) else {
                preconditionFailure("the system's libcrypto has no ChaCha20-Poly1305")
            }
            unsafe self.cipher = cipher
        }
    }

    package init(key: Secret) {
        precondition(key.count == Self.keyLength, "not a key of ChaCha20-Poly1305")
        guard let context = unsafe EVP_CIPHER_CTX_new() else { fatalError("no memory") }
        unsafe self.context = context
        key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                let isReady = unsafe EVP_CipherInit_ex(
                    context, Algorithm.shared.cipher, nil, key.baseAddress, nil, 1)
                precondition(isReady == 1, "libcrypto refuses a key for ChaCha20-Poly1305")
            }
        }
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// Appends the sealed bytes and their tag: `tagLength` more than were given.
    package mutating func seal(
        _ bytes: Span<UInt8>, nonce: [UInt8], into sealed: inout [UInt8]
    ) {
        start(nonce, isSealing: true)
        sealed.append(addingCapacity: bytes.count + Self.tagLength) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                guard let start = buffer.baseAddress else { return }
                unsafe pass(bytes, to: start)
                var none: Int32 = 0
                let tag = unsafe start + bytes.count
                let isSealed = unsafe EVP_CipherFinal_ex(context, tag, &none) == 1
                let hasTag = unsafe EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), tag)
                precondition(isSealed && hasTag == 1, "libcrypto cannot seal")
                filled = bytes.count + Self.tagLength
            }
        }
    }

    /// Appends the plain bytes, or none at all.
    ///
    /// - Throws: `CryptoError.notAuthentic`.
    package mutating func open(
        _ sealed: Span<UInt8>, nonce: [UInt8], into plain: inout [UInt8]
    ) throws(CryptoError) {
        guard sealed.count >= Self.tagLength else { throw .notAuthentic }
        var isAuthentic = false
        plain.append(addingCapacity: sealed.count - Self.tagLength) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
                isAuthentic = unsafe open(sealed, nonce, to: buffer)
                if isAuthentic { filled = sealed.count - Self.tagLength }
            }
        }
        guard isAuthentic else { throw .notAuthentic }
    }

    /// Opens what is itself a key.
    ///
    /// - Throws: `CryptoError.notAuthentic`.
    package mutating func openSecret(
        _ sealed: Span<UInt8>, nonce: [UInt8]
    ) throws(CryptoError) -> Secret {
        guard sealed.count >= Self.tagLength else { throw .notAuthentic }
        var isAuthentic = false
        let secret = Secret(count: sealed.count - Self.tagLength) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                isAuthentic = unsafe open(sealed, nonce, to: buffer)
            }
        }
        guard isAuthentic else { throw .notAuthentic }
        return secret
    }

    /// The buffer is wiped when the tag does not fit.
    private func open(
        _ sealed: Span<UInt8>, _ nonce: [UInt8], to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        let length = sealed.count - Self.tagLength
        start(nonce, isSealing: false)
        var tag = (0..<Self.tagLength).map { sealed[length + $0] }
        let hasTag = unsafe EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
        precondition(hasTag == 1, "libcrypto refuses a tag")
        if let start = buffer.baseAddress {
            unsafe pass(sealed.extracting(0..<length), to: start)
        }
        var none: Int32 = 0
        if unsafe EVP_CipherFinal_ex(context, &tag, &none) == 1 { return true }
        unsafe OPENSSL_cleanse(buffer.baseAddress, length)
        ERR_clear_error()
        return false
    }

    private func start(_ nonce: [UInt8], isSealing: Bool) {
        precondition(nonce.count == Self.nonceLength, "not a nonce of ChaCha20-Poly1305")
        let isReady = unsafe EVP_CipherInit_ex(context, nil, nil, nil, nonce, isSealing ? 1 : 0)
        precondition(isReady == 1, "libcrypto refuses a nonce")
    }

    private func pass(_ bytes: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
        guard bytes.count > 0 else { return }
        var written: Int32 = 0
        let worked = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe EVP_CipherUpdate(
                context, target, &written, bytes.baseAddress, Int32(bytes.count)) == 1
        }
        precondition(worked && Int(written) == bytes.count, "libcrypto cannot pass bytes on")
    }
}
