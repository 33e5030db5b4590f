extension Form.Shape {
    /// What a text so far is, seen from the shape and the text that ends it.
    package enum Check: Hashable, Sendable {
        case refused
        case open
        /// The content ended after so many bytes.
        case closed(contentBytes: Int)
    }

    /// Looks at all bytes so far. A character that is not complete is open.
    package func check(_ text: ArraySlice<UInt8>, end: [UInt8]) -> Check {
        switch self {
        case .line(let minimum, let maximum):
            Self.checkLine(text, end: end, minimum: minimum, maximum: maximum)
        case .tags(let minimum, let maximum):
            Self.checkTags(text, end: end, minimum: minimum, maximum: maximum)
        }
    }

    private static func checkLine(
        _ text: ArraySlice<UInt8>, end: [UInt8], minimum: Int, maximum: Int
    ) -> Check {
        var characters = 0
        var index = text.startIndex
        while index < text.endIndex {
            let rest = text[index...]
            if characters >= minimum {
                if rest.starts(with: end) { return .closed(contentBytes: index - text.startIndex) }
                if end.starts(with: rest) { return .open }
            }
            let byte = text[index]
            // Control characters, quote and backslash would need escaping; a blank at the start says nothing.
            guard byte >= 0x20, byte != 0x22, byte != 0x5C, byte != 0x7F else { return .refused }
            if byte == 0x20, index == text.startIndex { return .refused }
            guard let length = lengthOfCharacter(at: index, in: text) else { return .refused }
            characters += 1
            guard characters <= maximum else { return .refused }
            index += length
        }
        return .open
    }

    private static func checkTags(
        _ text: ArraySlice<UInt8>, end: [UInt8], minimum: Int, maximum: Int
    ) -> Check {
        let separator = Array("\",\"".utf8)
        var tags: [ArraySlice<UInt8>] = []
        var index = text.startIndex
        while true {
            let start = index
            while index < text.endIndex, isTagByte(text[index], isFirst: index == start) {
                index += 1
            }
            let tag = text[start..<index]
            // A repeated tag may grow into another, but not end; at full length it can do neither.
            let isRepeated = tags.contains(tag)
            guard tag.count < 20 || (tag.count == 20 && !isRepeated) else { return .refused }
            let rest = text[index...]
            if rest.isEmpty { return .open }
            guard tag.count >= 2, !isRepeated else { return .refused }
            tags.append(tag)
            let mayEnd = tags.count >= minimum
            let mayGoOn = tags.count < maximum
            if mayEnd, rest.starts(with: end) {
                return .closed(contentBytes: index - text.startIndex)
            }
            if mayGoOn, rest.starts(with: separator) {
                index += separator.count
                continue
            }
            let isOpen =
                (mayEnd && end.starts(with: rest)) || (mayGoOn && separator.starts(with: rest))
            return isOpen ? .open : .refused
        }
    }

    private static func isTagByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x61...0x7A: true
        case 0x30...0x39, 0x2D: !isFirst
        default: false
        }
    }

    /// Bytes of the UTF-8 character there; the rest of the text when it is cut off; nil when it is none.
    private static func lengthOfCharacter(at index: Int, in text: ArraySlice<UInt8>) -> Int? {
        let first = text[index]
        let length: Int
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return nil
        }
        let there = text[index...].prefix(length)
        for (place, byte) in there.enumerated().dropFirst() {
            guard byte & 0xC0 == 0x80 else { return nil }
            // Overlong forms, surrogates and numbers past the last character.
            if place == 1 {
                switch (first, byte) {
                case (0xE0, ..<0xA0), (0xED, 0xA0...), (0xF0, ..<0x90), (0xF4, 0x90...): return nil
                // C1 controls and the line separators are no part of a line.
                case (0xC2, ..<0xA0): return nil
                default: break
                }
            }
            if place == 2, first == 0xE2, there[index + 1] == 0x80, byte == 0xA8 || byte == 0xA9 {
                return nil
            }
        }
        return there.count
    }
}
