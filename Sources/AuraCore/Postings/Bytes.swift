/// Writes numbers of seven bits a byte, low ones first, the high bit meaning "more follows".
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: Int) {
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Small numbers of either sign stay short.
    mutating func signed(_ value: Int) { number(value << 1 ^ value >> 63) }

    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Reads what `ByteWriter` wrote. Behind the end every number is 0 and `isDamaged` holds: bytes that
/// were changed on the disk never lead outside of the array.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var position: Int
    private(set) var isDamaged: Bool

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = min(position, bytes.count)
        isDamaged = position > bytes.count
    }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else {
            isDamaged = true
            return 0
        }
        position += 1
        return bytes[position - 1]
    }

    mutating func number() -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { break }
            shift += 7
            if shift > 56 {
                isDamaged = true
                break
            }
        }
        return Int(truncatingIfNeeded: value & 0x7FFF_FFFF_FFFF_FFFF)
    }

    mutating func signed() -> Int {
        let value = number()
        return value >> 1 ^ -(value & 1)
    }

    /// Passes over so many numbers.
    mutating func skip(numbers: Int) {
        for _ in 0..<numbers {
            while byte() >= 0x80 {}
            if isDamaged { return }
        }
    }
}

/// Part of the index that does not read as it was written.
struct PostingsDamage: Error {}
