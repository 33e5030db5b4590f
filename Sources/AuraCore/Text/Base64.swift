/// Bytes as 64 printable characters (RFC 4648, section 4).
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The value of each digit; 255 for what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// - Parameter isPadded: `=` at the end, up to a multiple of 4 characters.
    package static func encode(_ bytes: Span<UInt8>, isPadded: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if count > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[index + 2]) }
            for place in 0...count {
                text.append(digits[Int(group >> (18 - 6 * UInt32(place)) & 63)])
            }
            index += 3
        }
        if isPadded { while !text.count.isMultiple(of: 4) { text.append(padding) } }
        return text
    }

    /// Nil for anything but what `encode` gives: another alphabet, white space, missing or spare padding, bits
    /// at the end that say nothing but are set.
    package static func decode(_ text: Span<UInt8>, isPadded: Bool) -> [UInt8]? {
        var count = text.count
        if isPadded {
            guard count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where count > 0 && text[count - 1] == padding { count -= 1 }
        }
        guard count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3 + 2)
        var group: UInt32 = 0
        var bits = 0
        for index in 0..<count {
            let value = values[Int(text[index])]
            guard value < 64 else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        guard group & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }

    /// With padding, as JSON and other texts carry it.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: encode(bytes.span, isPadded: true), as: UTF8.self)
    }

    /// Nil for anything but what `text` gives.
    package static func bytes(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8).span, isPadded: true)
    }
}
