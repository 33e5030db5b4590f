package import AuraYAML

/// Writing single YAML values so that every reader, of YAML 1.1 or 1.2, reads the same text back.
package enum YAMLText {
    /// The text as a scalar: plain where that is safe, otherwise in quotes.
    /// - Parameters:
    ///   - style: how the value was written before; its quotes are kept where they can be.
    ///   - isInFlow: it stands inside `[…]` or `{…}`.
    package static func scalar(
        _ text: String, like style: YAMLNode.Style? = nil, isInFlow: Bool = false
    ) -> String {
        switch style {
        case .singleQuoted where isPrintable(text):
            singleQuoted(text)
        case .singleQuoted, .doubleQuoted: quoted(text)
        case .plain, .literal, .folded, nil:
            isSafePlain(text, isInFlow: isInFlow) ? text : quoted(text)
        }
    }

    /// The text in double quotes.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0": result += "\\0"
            case "\u{1B}": result += "\\e"
            case "\u{85}": result += "\\N"
            case "\u{2028}": result += "\\L"
            case "\u{2029}": result += "\\P"
            case _ where needsEscape(scalar):
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result +=
                    scalar.value < 0x100
                    ? "\\x" + zeros(digits, 2) : "\\u" + zeros(digits, 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func singleQuoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { result += "'" }
            result.unicodeScalars.append(scalar)
        }
        return result + "'"
    }

    /// `[a, "b: c"]`
    package static func flowList(_ items: [String]) -> String {
        "[" + items.map { scalar($0, isInFlow: true) }.joined(separator: ", ") + "]"
    }

    /// Whether the text may stand without quotes and is a string to all readers.
    package static func isSafePlain(_ text: String, isInFlow: Bool) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last, isPrintable(text) else {
            return false
        }
        if last == UInt8(ascii: ":") || isEdgedByWhitespace(text) { return false }
        if "-?:,[]{}#&*!|>'\"%@`=<.".utf8.contains(first) { return false }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
                UInt8(ascii: "}"), UInt8(ascii: "?"):
                // PyYAML ends a plain scalar in a flow at '?', older readers at any colon.
                if isInFlow { return false }
            case 0x09: return false
            case UInt8(ascii: ":") where isInFlow || isBlank(bytes[index + 1]): return false
            case UInt8(ascii: "#") where isBlank(bytes[index - 1]): return false
            default: break
            }
        }
        return !isOtherType(text)
    }

    /// Whether some reader takes the plain text for a number, a date, a boolean or nothing.
    ///
    /// Errs on the side of yes: quotes that are not needed harm nobody.
    package static func isOtherType(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        let words: Set<String> = [
            "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "~",
        ]
        if text.utf8.count <= 5, words.contains(text.lowercased()) { return true }
        let isNumeric = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        var start = first
        if "+-.".utf8.contains(first) {
            let rest = text.utf8.dropFirst()
            guard let second = rest.first else { return true }
            let word = rest.drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+") }
            let name = String(decoding: word, as: UTF8.self).lowercased()
            if name == "inf" || name == "nan" { return true }
            start = second == UInt8(ascii: ".") ? (rest.dropFirst().first ?? second) : second
        }
        guard isNumeric(start) else { return false }
        return text.utf8.allSatisfy { "0123456789abcdefABCDEFxXoO_+-.:tTzZ \t".utf8.contains($0) }
    }

    private static func isPrintable(_ text: String) -> Bool {
        !text.unicodeScalars.contains {
            needsEscape($0) || $0 == "\n" || $0 == "\r" || $0 == "\u{2028}" || $0 == "\u{2029}"
        }
    }

    /// Controls, byte order marks and what YAML does not count as text.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    private static func isEdgedByWhitespace(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.first?.properties.isWhitespace == true
            || scalars.last?.properties.isWhitespace == true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func zeros(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
