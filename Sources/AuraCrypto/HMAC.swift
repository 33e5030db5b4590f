internal import COpenSSL

/// A keyed digest of bytes that come in pieces (RFC 2104).
@safe package struct HMAC: ~Copyable {
    package enum Hash: Sendable {
        /// Only for formats that were made with it.
        case sha1
        case sha256

        /// Bytes of a finished digest.
        package var length: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            }
        }

        /// A context that knows its hash and no key. Made once: looking an algorithm up by its name takes
        /// longer than a short digest.
        fileprivate var template: Template {
            switch self {
            case .sha1: Template.sha1
            case .sha256: Template.sha256
            }
        }
    }

    /// `@unchecked Sendable`: after `init` the context is only copied from.
    @safe fileprivate final class Template: @unchecked Sendable {
        static let sha1 = Template("SHA1")
        static let sha256 = Template("SHA256")
        private let context: OpaquePointer

        private init(_ hash: String) {
            guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil),
                let context = unsafe EVP_MAC_CTX_new(algorithm)
            else { preconditionFailure("the system's libcrypto has no HMAC") }
            unsafe EVP_MAC_free(algorithm)
            unsafe self.context = context
            var name = Array(hash.utf8CString)
            let isSet = unsafe name.withUnsafeMutableBufferPointer { name in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_MAC_CTX_set_params(context, parameters) == 1
            }
            precondition(isSet, "the system's libcrypto has no such hash")
        }

        func copy() -> OpaquePointer {
            guard let copy = unsafe EVP_MAC_CTX_dup(context) else { fatalError("no memory") }
            return unsafe copy
        }
    }

    private let context: OpaquePointer
    private let length: Int

    package init(_ hash: Hash = .sha256, key: Secret) {
        let context = unsafe hash.template.copy()
        unsafe self.context = context
        length = hash.length
        let isReady = key.withBytes { key in
            // No key at all would mean the key of before; zeros at its end change nothing.
            guard key.count > 0 else { return unsafe EVP_MAC_init(context, [0], 1, nil) == 1 }
            return unsafe key.withUnsafeBufferPointer { key in
                unsafe EVP_MAC_init(context, key.baseAddress, key.count, nil) == 1
            }
        }
        precondition(isReady, "libcrypto refuses a key for HMAC")
    }

    deinit { unsafe EVP_MAC_CTX_free(context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe _ = EVP_MAC_update(context, buffer.baseAddress, buffer.count)
        }
    }

    /// The digest; no more may be added.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            unsafe _ = EVP_MAC_final(context, buffer.baseAddress, &filled, buffer.count)
        }
    }

    /// The digest where it is itself a key; no more may be added.
    package consuming func finishSecret() -> Secret {
        Secret(count: length) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var filled = 0
                unsafe _ = EVP_MAC_final(context, buffer.baseAddress, &filled, buffer.count)
            }
        }
    }

    package static func of(_ bytes: Span<UInt8>, _ hash: Hash = .sha256, key: Secret) -> [UInt8] {
        var digest = HMAC(hash, key: key)
        digest.update(bytes)
        return digest.finish()
    }

    /// Whether two digests are equal; takes the same time wherever they differ.
    package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        unsafe one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
