/// Text with everything taken away that people do not mean when they look for something: case,
/// accents, full and half width, typographic quotes and dashes.
///
/// The same everywhere: no locale takes part. Text that is composed (NFC) and text that is
/// decomposed (NFD) fold to the same scalars. The standard library offers no decomposition, so the
/// folding is a table of our own (`FoldingTable.swift`) that covers Latin, Greek, Cyrillic,
/// Hebrew, Arabic and the Indic vowel signs; kana voicing and Hangul syllables are put together.
package enum FoldedText {
    /// ASCII text costs one pass over its bytes; other text a table look-up for each scalar.
    package static func fold(_ text: some StringProtocol) -> String {
        var bytes = Array(text.utf8)
        var isASCII = true
        for index in bytes.indices {
            let byte = bytes[index]
            if byte >= 0x80 {
                isASCII = false
                break
            }
            if byte >= 0x41 && byte <= 0x5A { bytes[index] = byte | 0x20 }
        }
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count)
        for scalar in text.unicodeScalars { append(scalar, to: &folded) }
        return String(decoding: folded, as: UTF8.self)
    }

    /// A token's bytes folded, for those who read UTF-8 and know already whether it is all ASCII.
    static func fold(utf8 bytes: ArraySlice<UInt8>, isASCII: Bool) -> String {
        guard isASCII else { return fold(String(decoding: bytes, as: UTF8.self)) }
        return String(
            decoding: bytes.lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Folds one more scalar onto UTF-8 that is folded already.
    private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        let value = scalar.value
        switch value {
        case ..<0x80:
            let isUpper = value >= 0x41 && value <= 0x5A
            folded.append(UInt8(isUpper ? value | 0x20 : value))
        case 0x3400...0x9FFF, 0xAC00...0xD7A3:
            if !joinHangul(value, to: &folded) { add(scalar, to: &folded) }
        case 0xFF01...0xFF5E:
            append(Unicode.Scalar(value - 0xFEE0) ?? scalar, to: &folded)
        case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000:
            folded.append(0x20)
        case 0x3099, 0x309A, 0xFF9E, 0xFF9F:
            joinVoicing(isHalf: value & 1 == (value > 0xFF00 ? 1 : 0), to: &folded)
        case 0x1161...0x11C2:
            if !joinHangul(value, to: &folded) { add(scalar, to: &folded) }
        default:
            if isDropped(value) { return }
            if let known = table[scalar] {
                folded.append(contentsOf: known)
            } else if scalar.properties.changesWhenLowercased {
                for lower in scalar.properties.lowercaseMapping.unicodeScalars
                where !isDropped(lower.value) {
                    if let known = table[lower] {
                        folded.append(contentsOf: known)
                    } else {
                        add(lower, to: &folded)
                    }
                }
            } else {
                add(scalar, to: &folded)
            }
        }
    }

    /// Accents, vowel points, soft hyphens, joiners and variation selectors.
    private static func isDropped(_ value: UInt32) -> Bool {
        switch value {
        case 0xAD, 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2,
            0x5C4...0x5C5, 0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x1AB0...0x1AFF,
            0x1DC0...0x1DFF, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0x20D0...0x20FF,
            0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF:
            true
        default: false
        }
    }

    /// `か` and a voicing mark are `が`; a mark after anything else is dropped.
    private static func joinVoicing(isHalf: Bool, to folded: inout [UInt8]) {
        guard let last = last(of: folded), last > 0x3000 else { return }
        let isKatakana = last >= 0x30A0
        let step: UInt32
        switch last - (isKatakana ? 0x60 : 0) {
        case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B: step = isHalf ? 2 : 1
        case _ where isHalf: step = 0
        case 0x304B...0x3061 where last % 2 == 1, 0x3064, 0x3066, 0x3068: step = 1
        case 0x3046: step = 0x4E
        case 0x308F...0x3092 where isKatakana: step = 8
        default: step = 0
        }
        guard step > 0, let joined = Unicode.Scalar(last + step) else { return }
        folded.removeLast(3)
        add(joined, to: &folded)
    }

    /// A vowel after a leading consonant, or a closing consonant after an open syllable.
    private static func joinHangul(
        _ value: UInt32, to folded: inout [UInt8]
    ) -> Bool {
        guard value < 0x1200, let last = last(of: folded) else { return false }
        let joined: UInt32
        if (0x1161...0x1175).contains(value), (0x1100...0x1112).contains(last) {
            joined = 0xAC00 + ((last - 0x1100) * 21 + value - 0x1161) * 28
        } else if value >= 0x11A8, (0xAC00...0xD7A3).contains(last), (last - 0xAC00) % 28 == 0 {
            joined = last + value - 0x11A7
        } else {
            return false
        }
        guard let scalar = Unicode.Scalar(joined) else { return false }
        folded.removeLast(3)
        add(scalar, to: &folded)
        return true
    }

    private static func add(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// The last scalar when it takes three bytes, as kana and Hangul do.
    private static func last(of folded: [UInt8]) -> UInt32? {
        guard folded.count >= 3 else { return nil }
        let bytes = folded.suffix(3).map(UInt32.init)
        guard bytes[0] & 0xF0 == 0xE0, bytes[1] & 0xC0 == 0x80, bytes[2] & 0xC0 == 0x80 else {
            return nil
        }
        return (bytes[0] & 0xF) << 12 | (bytes[1] & 0x3F) << 6 | bytes[2] & 0x3F
    }

    private static let table: [Unicode.Scalar: [UInt8]] = {
        var table: [Unicode.Scalar: [UInt8]] = [:]
        table.reserveCapacity(1000)
        for line in letters.split(separator: "\n") {
            let parts = line.split(separator: " ")
            for scalar in parts[1].unicodeScalars { table[scalar] = Array(parts[0].utf8) }
        }
        for entry in spellings.split(separator: " ") {
            let numbers = entry.split { $0 == "=" || $0 == "+" }.compactMap {
                UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
            }
            var written: [UInt8] = []
            for scalar in numbers.dropFirst() { add(scalar, to: &written) }
            table[numbers[0]] = written
        }
        return table
    }()
}
