/// Why text is no JSON, and at which byte of it.
package struct JSONError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case tooLarge, tooDeep, unexpectedEnd, unexpectedCharacter, badNumber, badEscape
    }
    package let reason: Reason
    /// Counted in bytes from the beginning.
    package let offset: Int
}

extension JSONValue {
    /// Reads JSON as RFC 8259 defines it; nothing may follow the value but blanks.
    ///
    /// Half of a surrogate pair becomes U+FFFD. Nesting deeper than 64 and text longer than
    /// `maximumBytes` are refused.
    package init(
        parsing text: some StringProtocol, maximumBytes: Int = 64 << 20
    ) throws(JSONError) {
        var reader = JSONReader(Array(text.utf8))
        guard reader.bytes.count <= maximumBytes else {
            throw JSONError(reason: .tooLarge, offset: maximumBytes)
        }
        self = try reader.value()
        reader.skipBlanks()
        guard reader.position == reader.bytes.count else {
            throw reader.error(.unexpectedCharacter)
        }
    }
}

/// Reads one JSON value after another out of bytes that are known to be UTF-8.
struct JSONReader {
    static let deepest = 64

    let bytes: [UInt8]
    var position = 0
    private var depth = 0

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(
            reason: reason == .unexpectedCharacter && position >= bytes.count
                ? .unexpectedEnd : reason,
            offset: position)
    }

    mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    mutating func takes(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    mutating func value() throws(JSONError) -> JSONValue {
        skipBlanks()
        switch current {
        case 0x7B: return try object()
        case 0x5B: return try array()
        case 0x22: return .string(try string())
        case 0x74: return try literal("true", .bool(true))
        case 0x66: return try literal("false", .bool(false))
        case 0x6E: return try literal("null", .null)
        default: return try number()
        }
    }

    /// `"key" :`
    mutating func key() throws(JSONError) -> String {
        skipBlanks()
        guard current == 0x22 else { throw error(.unexpectedCharacter) }
        let key = try string()
        skipBlanks()
        guard takes(0x3A) else { throw error(.unexpectedCharacter) }
        return key
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        try enter()
        var members: [JSONValue.Member] = []
        skipBlanks()
        if !takes(0x7D) {
            repeat {
                let key = try key()
                members.append(JSONValue.Member(key, try value()))
                skipBlanks()
            } while takes(0x2C)
            guard takes(0x7D) else { throw error(.unexpectedCharacter) }
        }
        depth -= 1
        return .object(members)
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        skipBlanks()
        if !takes(0x5D) {
            repeat {
                elements.append(try value())
                skipBlanks()
            } while takes(0x2C)
            guard takes(0x5D) else { throw error(.unexpectedCharacter) }
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func enter() throws(JSONError) {
        guard depth < JSONReader.deepest else { throw error(.tooDeep) }
        depth += 1
        position += 1
    }

    private mutating func literal(
        _ word: StaticString, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        for byte in "\(word)".utf8 where !takes(byte) { throw error(.unexpectedCharacter) }
        return value
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = current, byte != 0x22, byte != 0x5C, byte >= 0x20 { position += 1 }
        if current == 0x22 {
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while true {
            guard let byte = current else { throw error(.unexpectedEnd) }
            switch byte {
            case 0x22:
                position += 1
                return String(decoding: text, as: UTF8.self)
            case 0x5C:
                position += 1
                try escape(into: &text)
            case ..<0x20:
                throw error(.unexpectedCharacter)
            default:
                text.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = current else { throw error(.unexpectedEnd) }
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            var unit = try codeUnit()
            if (0xD800..<0xDC00).contains(unit), position + 1 < bytes.count,
                bytes[position] == 0x5C,
                bytes[position + 1] == 0x75
            {
                let before = position
                position += 2
                let second = try codeUnit()
                if (0xDC00..<0xE000).contains(second) {
                    unit = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
                } else {
                    position = before
                }
            }
            let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default:
            position -= 1
            throw error(.badEscape)
        }
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw error(.unexpectedEnd) }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw error(.badEscape)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = takes(0x2D)
        if !takes(0x30) {
            guard digits() else {
                throw error(position > start ? .badNumber : .unexpectedCharacter)
            }
        }
        var isWhole = true
        if takes(0x2E) {
            isWhole = false
            guard digits() else { throw error(.badNumber) }
        }
        if takes(0x65) || takes(0x45) {
            isWhole = false
            if !takes(0x2B) { _ = takes(0x2D) }
            guard digits() else { throw error(.badNumber) }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw error(.badNumber) }
        return .number(number)
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = current, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }
}
