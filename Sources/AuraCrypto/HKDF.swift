/// Keys made from a key (RFC 5869, with SHA-256).
package enum HKDF {
    /// - Parameter salt: public; empty stands for zeros.
    /// - Parameter length: of the new key, at most 255 digests.
    package static func key(
        from material: Secret, salt: [UInt8] = [], info: String, length: Int = 32
    ) -> Secret {
        key(from: material, salt: salt, info: Array(info.utf8), length: length)
    }

    package static func key(
        from material: Secret, salt: [UInt8], info: [UInt8], length: Int
    ) -> Secret {
        precondition((1...255 * HMAC.Hash.sha256.length).contains(length), "no such length")
        var extraction = HMAC(key: Secret(salt))
        material.withBytes { extraction.update($0) }
        let extracted = extraction.finishSecret()

        func block(_ number: UInt8, after earlier: Secret?) -> Secret {
            var digest = HMAC(key: extracted)
            earlier?.withBytes { digest.update($0) }
            digest.update(info.span)
            digest.update([number].span)
            return digest.finishSecret()
        }

        var last = block(1, after: nil)
        if length == last.count { return last }
        return Secret(count: length) { key in
            var filled = 0
            var number: UInt8 = 1
            while true {
                last.withBytes { block in
                    for index in 0..<min(block.count, length - filled) {
                        key[filled + index] = block[index]
                    }
                }
                filled += last.count
                guard filled < length else { return }
                number += 1
                last = block(number, after: last)
            }
        }
    }
}
