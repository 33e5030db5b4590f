/// JSON as a value; the members of an object keep their order.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number written without point or exponent that fits.
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}

/// Reading: nil when the value is of another kind.
extension JSONValue {
    /// The member of an object; the last of several with one key.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    package var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// Whole numbers only; `3.0` is one.
    package var integer: Int? {
        switch self {
        case .integer(let integer): integer
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    package var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    package var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
    package init(nilLiteral: ()) { self = .null }
}

extension JSONValue: CustomStringConvertible {
    package var description: String { serialized }

    /// One line without blanks, safe to write as a line of a file or to a terminal: control characters,
    /// direction marks and U+2028/9 are escaped, everything else stands as it is. A number JSON cannot write is `null`.
    package var serialized: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let bool): out += bool ? "true" : "false"
        case .integer(let integer): out += String(integer)
        case .number(let number): out += number.isFinite ? number.description : "null"
        case .string(let text): JSONValue.write(text, to: &out)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { out += "," }
                element.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += "," }
                JSONValue.write(member.key, to: &out)
                out += ":"
                member.value.write(to: &out)
            }
            out += "}"
        }
    }

    private static func write(_ text: String, to out: inout String) {
        out += "\""
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            out += text
        } else {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": out += "\\\""
                case "\\": out += "\\\\"
                case "\n": out += "\\n"
                case "\r": out += "\\r"
                case "\t": out += "\\t"
                // Also what a terminal would obey, or what turns the writing direction.
                case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}",
                    "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                    let digits = String(scalar.value, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: out.unicodeScalars.append(scalar)
                }
            }
        }
        out += "\""
    }
}

extension JSONValue {
    /// An object with these members in this order.
    package static func record(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member($0.0, $0.1) })
    }

    /// The text as JSON, or null for nil.
    package static func optional(_ text: (some CustomStringConvertible)?) -> JSONValue {
        text.map { .string($0.description) } ?? .null
    }
}

extension JSONValue {
    /// What a file of ours holds; nil when it is no JSON.
    package static func read(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    }
}
