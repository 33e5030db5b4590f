/// The changes of one zone's clocks, as a TZif file lists them (RFC 8536), and the rule for the time
/// after the last of them.
struct ZoneTable: Equatable, Sendable {
    /// Seconds since 1970, ascending.
    private var changes: [Int64] = []
    /// The offset that begins with the change of the same index.
    private var offsets: [Int] = []
    /// Before the first change.
    private var firstOffset: Int
    /// After the last change; nil means that the last offset stays.
    private var rule: ZoneRule?

    init(fixedOffset: Int) { firstOffset = fixedOffset }

    init(rule: ZoneRule) {
        firstOffset = rule.standardOffset
        self.rule = rule
    }

    /// Nil for bytes that are no whole TZif file.
    init?(tzif bytes: [UInt8]) {
        guard let first = Header(bytes, at: 0) else { return nil }
        var header = first
        var wideTimes = false
        if first.version >= 2 {
            guard let second = Header(bytes, at: 44 + first.bodyLength(timeSize: 4)) else {
                return nil
            }
            header = second
            wideTimes = true
        }
        let timeSize = wideTimes ? 8 : 4
        let end = header.bodyStart + header.bodyLength(timeSize: timeSize)
        guard end <= bytes.count, header.typeCount > 0 else { return nil }

        let typeIndexStart = header.bodyStart + header.timeCount * timeSize
        let typeStart = typeIndexStart + header.timeCount
        func offset(ofType index: Int) -> Int? {
            guard index < header.typeCount else { return nil }
            return Int(
                Int32(truncatingIfNeeded: bytes.bigEndian(at: typeStart + index * 6, size: 4)))
        }
        guard let initial = offset(ofType: 0) else { return nil }
        firstOffset = initial
        changes.reserveCapacity(header.timeCount)
        offsets.reserveCapacity(header.timeCount)
        for index in 0..<header.timeCount {
            let time = bytes.bigEndian(at: header.bodyStart + index * timeSize, size: timeSize)
            guard let offset = offset(ofType: Int(bytes[typeIndexStart + index])) else {
                return nil
            }
            guard changes.last.map({ $0 < time }) ?? true else { return nil }
            changes.append(time)
            offsets.append(offset)
        }
        if wideTimes, end < bytes.count, bytes[end] == 0x0A {
            let footer = bytes[(end + 1)...].prefix { $0 != 0x0A }
            rule = ZoneRule(posix: String(decoding: footer, as: UTF8.self))
        }
    }

    func offset(at seconds: Int64) -> Int {
        guard let first = changes.first, let last = changes.last else {
            return rule?.offset(at: seconds) ?? firstOffset
        }
        if seconds < first { return firstOffset }
        if seconds >= last, let rule { return rule.offset(at: seconds) }
        var low = 0
        var high = changes.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle } else { high = middle }
        }
        return offsets[low]
    }

    private struct Header {
        let version: Int
        let bodyStart: Int
        private let utcCount: Int
        private let standardCount: Int
        private let leapCount: Int
        let timeCount: Int
        let typeCount: Int
        private let nameLength: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start >= 0, bytes.count >= start + 44,
                bytes[start..<(start + 4)].elementsEqual("TZif".utf8)
            else { return nil }
            let digit = bytes[start + 4]
            version = digit >= 0x31 && digit <= 0x39 ? Int(digit - 0x30) : 1
            let counts = (0..<6).map { Int(bytes.bigEndian(at: start + 20 + $0 * 4, size: 4)) }
            guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
            utcCount = counts[0]
            standardCount = counts[1]
            leapCount = counts[2]
            timeCount = counts[3]
            typeCount = counts[4]
            nameLength = counts[5]
            bodyStart = start + 44
        }

        func bodyLength(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + nameLength + leapCount * (timeSize + 4)
                + standardCount + utcCount
        }
    }
}

extension [UInt8] {
    /// A signed number of four or eight bytes; four bytes keep their sign.
    fileprivate func bigEndian(at start: Int, size: Int) -> Int64 {
        var value: Int64 = 0
        for byte in self[start..<(start + size)] { value = value << 8 | Int64(byte) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
    }
}
