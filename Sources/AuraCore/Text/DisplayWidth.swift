/// How much room text takes on a terminal.
extension SafeDisplay {
    /// Columns: 2 for East Asian wide characters, emoji and flags, 0 for marks on other characters.
    /// An emoji of several parts counts once. Control characters count 0; make them visible first.
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The text cut at a character so that it and the `…` at its end take no more than `columns`.
    /// Text that fits is returned as it is.
    package static func truncate(_ text: String, toColumns columns: Int) -> String {
        guard columns > 0 else { return "" }
        if text.utf8.count <= columns || width(text) <= columns { return text }
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            let width = width(of: text[index])
            if used + width > columns - 1 { break }
            used += width
            end = text.index(after: index)
        }
        return text[..<end] + "…"
    }

    static func width(of character: Character) -> Int {
        var total = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F, total > 0 { return 2 }
            let width = width(of: scalar)
            if width == 2, scalar.properties.isEmojiPresentation { return 2 }
            total += width
        }
        return total
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 {
            return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD ? 0 : 1
        }
        if value < 0x1100 {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: return 0
            default: return 1
            }
        }
        if isWide(value) || scalar.properties.isEmojiPresentation { return 2 }
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator,
            .paragraphSeparator:
            return 0
        default:
            return scalar.properties.isDefaultIgnorableCodePoint ? 0 : 1
        }
    }

    /// East Asian Width W and F of Unicode 16, without the emoji, which have a property of their own.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x3029, 0x302E...0x303E, 0x3041...0x3096,
            0x309B...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3,
            0x17000...0x18CFF, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265,
            0x20000...0x2FFFD, 0x30000...0x3FFFD:
            true
        default: false
        }
    }
}
