/// Bytes made fit for libyaml, and the way back from its character numbers to byte offsets.
///
/// libyaml counts Unicode scalars and refuses invalid UTF-8 and control characters. Each of those
/// becomes one U+FFFD in the copy that libyaml sees, so its counts still fit the original.
struct SourceText {
    /// What libyaml reads: no byte order mark, valid UTF-8.
    let bytes: [UInt8]
    /// Byte offset of each character in the original, then of the end; nil when all are one byte.
    private let offsets: [UInt32]?
    /// The length of the byte order mark that was cut off.
    private let base: Int
    /// The first place where something had to be replaced, as a mark in the original.
    let firstRepair: YAMLMark?

    init(_ original: [UInt8]) {
        base = original.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if original.dropFirst(base).allSatisfy(SourceText.isPlain) {
            bytes = base == 0 ? original : Array(original.dropFirst(base))
            offsets = nil
            firstRepair = nil
            return
        }
        var copy: [UInt8] = []
        copy.reserveCapacity(original.count)
        var offsets: [UInt32] = []
        offsets.reserveCapacity(original.count)
        var repair: YAMLMark?
        var (line, column) = (1, 1)
        var index = base
        while index < original.count {
            offsets.append(UInt32(index))
            let (length, isAllowed) = SourceText.character(in: original, at: index)
            if isAllowed {
                copy.append(contentsOf: original[index..<index + length])
            } else {
                if repair == nil { repair = YAMLMark(offset: index, line: line, column: column) }
                copy.append(contentsOf: [0xEF, 0xBF, 0xBD])
            }
            column += 1
            if original[index] == 0x0A { (line, column) = (line + 1, 1) }
            index += length
        }
        offsets.append(UInt32(index))
        bytes = copy
        self.offsets = offsets
        firstRepair = repair
    }

    /// The byte offset in the original of libyaml's character number.
    func offset(ofCharacter index: Int) -> Int {
        guard let offsets else { return base + index }
        return Int(offsets[min(index, offsets.count - 1)])
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The length of the character at `index`, or of the longest piece that could have begun one.
    private static func character(in bytes: [UInt8], at index: Int) -> (length: Int, Bool) {
        let first = bytes[index]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return (1, isPlain(first))
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return (1, false)
        }
        for step in 1..<count {
            let range = step == 1 ? second : 0x80...0xBF
            guard index + step < bytes.count, range.contains(bytes[index + step]) else {
                return (step, false)
            }
        }
        // What is left that YAML does not print: C1 controls but NEL, U+FFFE and U+FFFF.
        let next = bytes[index + 1]
        if first == 0xC2, next < 0xA0 { return (2, next == 0x85) }
        if first == 0xEF, next == 0xBF { return (3, bytes[index + 2] < 0xBE) }
        return (count, true)
    }
}
