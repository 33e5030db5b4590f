internal import COpenSSL

/// SHA-256 of bytes that come in pieces.
@safe package struct Digest: ~Copyable {
    /// Bytes of a finished digest.
    package static let length = 32
    private let context: OpaquePointer

    package init() {
        let context = unsafe EVP_MD_CTX_new()!
        unsafe self.context = context
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("the system's libcrypto has no SHA-256")
        }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: some Collection<UInt8>) {
        let direct: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe _ = EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
        if direct == nil {
            let copy = Array(bytes)
            unsafe copy.withUnsafeBufferPointer { buffer in
                unsafe _ = EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
            }
        }
    }

    /// The 32 bytes; no more may be added.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, filled in
            unsafe _ = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            filled = Self.length
        }
    }

    package static func of(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var digest = Digest()
        digest.update(bytes)
        return digest.finish()
    }
}

extension [UInt8] {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
