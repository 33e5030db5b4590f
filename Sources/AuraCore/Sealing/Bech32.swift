internal import AuraCrypto

/// Short bytes as text that shows a slip of the pen (BIP 173, without its limit on the length).
///
/// The bytes may be a private key: what this makes on the way is wiped.
enum Bech32 {
    private static let digits = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let checksumLength = 6

    /// - Parameter prefix: what stands before the `1`; its case is the case of the whole text.
    static func encode(_ bytes: Span<UInt8>, prefix: String) -> [UInt8] {
        let isUpper = prefix == prefix.uppercased()
        let lowerPrefix = Array(prefix.lowercased().utf8)
        let length = (bytes.count * 8 + 4) / 5
        var values: [UInt8] = []
        values.reserveCapacity(length + checksumLength)
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for index in 0..<bytes.count {
            group = group << 8 | UInt32(bytes[index])
            bits += 8
            while bits >= 5 {
                bits -= 5
                values.append(UInt8(group >> bits & 31))
            }
        }
        if bits > 0 { values.append(UInt8(group << (5 - bits) & 31)) }
        values.append(contentsOf: repeatElement(0, count: checksumLength))
        let checksum = remainder(prefix: lowerPrefix, values) ^ 1
        for place in 0..<checksumLength {
            values[length + place] = UInt8(checksum >> UInt32(5 * (5 - place)) & 31)
        }
        var text: [UInt8] = []
        text.reserveCapacity(prefix.utf8.count + 1 + values.count)
        text.append(contentsOf: prefix.utf8)
        text.append(UInt8(ascii: "1"))
        for value in values {
            let digit = digits[Int(value)]
            text.append(isUpper && digit >= UInt8(ascii: "a") ? digit - 32 : digit)
        }
        Secret.wipe(&values)
        return text
    }

    /// The bytes of a text that `encode` gave for the same prefix, its case included; else nil.
    static func decode(_ text: Span<UInt8>, prefix: String) -> [UInt8]? {
        let isUpper = prefix == prefix.uppercased()
        let lowerPrefix = Array(prefix.lowercased().utf8)
        guard text.count >= prefix.utf8.count + 1 + checksumLength else { return nil }
        for (index, byte) in prefix.utf8.enumerated() where text[index] != byte { return nil }
        guard text[lowerPrefix.count] == UInt8(ascii: "1") else { return nil }

        var values: [UInt8] = []
        values.reserveCapacity(text.count)
        defer { Secret.wipe(&values) }
        for index in lowerPrefix.count + 1..<text.count {
            var byte = text[index]
            let isLetter = UInt8(ascii: isUpper ? "A" : "a")...UInt8(ascii: isUpper ? "Z" : "z")
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard isLetter.contains(byte) || isDigit.contains(byte) else { return nil }
            byte |= 32
            guard let value = digits.firstIndex(of: byte) else { return nil }
            values.append(UInt8(value))
        }
        guard remainder(prefix: lowerPrefix, values) == 1 else { return nil }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count * 5 / 8)
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for value in values.dropLast(checksumLength) {
            group = (group << 5 | UInt32(value)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(group >> bits & 255))
            }
        }
        // What is left over belongs to no byte.
        guard bits < 5, group & (1 << bits - 1) == 0 else {
            Secret.wipe(&bytes)
            return nil
        }
        return bytes
    }

    /// The checksum's polynomial over prefix and values; 1 when the checksum among the values fits.
    private static func remainder(prefix: [UInt8], _ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [
            0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3,
        ]
        var remainder: UInt32 = 1
        func add(_ value: UInt8) {
            let top = remainder >> 25
            remainder = (remainder & 0x1FF_FFFF) << 5 ^ UInt32(value)
            for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 {
                remainder ^= term
            }
        }
        for byte in prefix { add(byte >> 5) }
        add(0)
        for byte in prefix { add(byte & 31) }
        for value in values { add(value) }
        return remainder
    }
}
