import AuraCrypto

/// The bytes of a published vector.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)!
    }
}

func secret(_ hexadecimal: String) -> Secret { Secret(bytes(hexadecimal)) }

extension Secret {
    var hexadecimal: String {
        withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }.hexadecimal
    }
}
