/// One word of a text, folded, with its place.
package struct WordToken: Hashable, Sendable {
    package enum Kind: Sendable {
        /// Letters, perhaps with an apostrophe (`dont`, from `don't`).
        case word
        /// Digits, perhaps with points, colons or commas between them.
        case number
        /// Something with inner signs or capitals: `ops-4417`, `flush_write_queue`, `node.js`.
        case identifier
        /// A piece of the identifier, word or number that came before it at the same position.
        case part
        case email
        /// `#garden`, with its sign.
        case hashtag
        /// Two characters of a script written without blanks, or one that stands alone.
        case pair
    }

    package var text: String
    package var kind: Kind
    /// In bytes of the text's UTF-8.
    package var range: Range<Int>
    /// Counts words; the parts of a word have the position of the whole.
    package var position: Int
}

/// Text taken apart into words, for matching short texts, tags and citations.
///
/// A word is a run of letters, marks and digits. `-`, `.`, `_`, `@`, `&`, `:` and apostrophes between
/// them hold an identifier together, which is given whole and by part: `COVID-19` gives `covid-19`,
/// `covid` and `19`; `camelCase` gives `camelcase`, `camel` and `case`. A word with an apostrophe
/// loses it (`dont`) and also gives the part before (`don`); a hyphened word is also given without
/// its hyphens (`email` for `e-mail`). `C++`, `C#`, `.net`, `#tag` keep their sign. Single letters
/// are no parts. Chinese, Japanese, Korean, Thai and their neighbours give overlapping pairs.
package enum Words {
    /// In the order of the text, a whole before its parts. Linear in the length of the text.
    package static func tokens(in text: String) -> [WordToken] {
        var scanner = WordScanner(Array(text.utf8))
        scanner.run()
        return scanner.tokens
    }

    /// The folded texts alone, each once.
    package static func distinct(in text: String) -> Set<String> {
        Set(tokens(in: text).map(\.text))
    }
}

private struct WordScanner {
    private let bytes: [UInt8]
    private(set) var tokens: [WordToken] = []
    private var position = 0

    /// Identifiers with more pieces than this (a line of base64, a table of dots) give no parts.
    private static let mostParts = 24

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens.reserveCapacity(bytes.count / 4)
    }

    mutating func run() {
        var index = 0
        while index < bytes.count {
            let (kind, length) = classify(at: index)
            switch kind {
            case .letter, .digit:
                index = chunk(from: index)
            case .pair:
                index = pairs(from: index)
            case .mark, .other:
                index = sign(at: index, length: length)
            }
        }
    }

    /// A leading `#` or `.` that belongs to the word after it; anything else is passed over.
    private mutating func sign(at index: Int, length: Int) -> Int {
        let byte = bytes[index]
        guard byte == 0x23 || byte == 0x2E, index + 1 < bytes.count,
            index == 0 || !isWordByte(bytes[index - 1]) && bytes[index - 1] != byte,
            classify(at: index + 1).kind == .letter
        else { return index + length }
        if byte == 0x23 { return chunk(from: index + 1, hashtagFrom: index) }
        return chunk(from: index + 1, dottedFrom: index)
    }

    // MARK: Words with spaces between them

    /// Takes the word or identifier that begins at `start` and gives the index after it.
    private mutating func chunk(
        from start: Int, hashtagFrom hash: Int? = nil, dottedFrom dot: Int? = nil
    ) -> Int {
        var index = start
        var segments: [Range<Int>] = []
        var segmentStart = start
        var connectors: [UInt8] = []
        var hasDigit = false
        var hasLetter = false
        var capitals = false
        var isASCII = true
        while index < bytes.count {
            let (kind, length) = classify(at: index)
            if kind == .letter || kind == .digit || (kind == .mark && index > segmentStart) {
                let byte = bytes[index]
                if byte >= 0x80 {
                    isASCII = false
                    hasLetter = hasLetter || kind == .letter
                } else if kind == .digit {
                    hasDigit = true
                } else {
                    hasLetter = true
                    if byte < 0x60, index > start { capitals = true }
                }
                index += length
                continue
            }
            guard let (sign, signLength) = connector(at: index) else { break }
            let after = index + signLength
            guard after < bytes.count else { break }
            let next = classify(at: after).kind
            let previousIsDigit = (0x30...0x39).contains(bytes[index - 1])
            // A comma, colon or slash holds digits together, nothing else.
            if sign == 0x2C || sign == 0x3A || sign == 0x2F {
                guard previousIsDigit, next == .digit else { break }
            } else {
                guard next == .letter || next == .digit || (sign == 0x5F && bytes[after] == 0x5F)
                else { break }
            }
            segments.append(segmentStart..<index)
            connectors.append(sign)
            index = after
            segmentStart = index
        }
        // Underscores at the end belong to nothing.
        if segmentStart < index {
            segments.append(segmentStart..<index)
        } else if let last = segments.last {
            index = last.upperBound
        }
        var end = index
        if end + 1 < bytes.count, bytes[end] == 0x2B, bytes[end + 1] == 0x2B, hasLetter {
            end += 2
        } else if end < bytes.count, bytes[end] == 0x23, end - start == 1, hasLetter {
            end += 1
        }

        let isPlain = segments.count == 1 && end == index && hash == nil && dot == nil
        if isPlain, !(hasDigit && hasLetter), !capitals || isAllCapitals(start..<index) {
            add(start..<index, kind: hasLetter ? .word : .number, isASCII: isASCII)
            position += 1
            return index
        }
        compound(
            whole: (hash ?? dot ?? start)..<end, segments: segments, connectors: connectors,
            isNumber: !hasLetter, isHashtag: hash != nil)
        position += 1
        return end
    }

    private mutating func compound(
        whole: Range<Int>, segments: [Range<Int>], connectors: [UInt8], isNumber: Bool,
        isHashtag: Bool
    ) {
        let kind: WordToken.Kind
        if isHashtag {
            kind = .hashtag
        } else if connectors.contains(0x40) {
            kind = .email
        } else if connectors.allSatisfy({ $0 == 0x27 }),
            whole.upperBound == segments.last?.upperBound
        {
            kind = isNumber ? .number : .word
        } else {
            kind = isNumber ? .number : .identifier
        }
        let first = tokens.count
        let hasApostrophe = connectors.contains(0x27)
        add(whole, kind: kind, isASCII: false)
        if hasApostrophe { tokens[first].text.removeAll { $0 == "'" } }
        guard segments.count <= WordScanner.mostParts else { return }

        if connectors.contains(0x2D), !isNumber {
            let joined = tokens[first].text.filter { $0 != "-" }
            addPart(joined, range: whole, after: first)
        }
        for segment in segments {
            let pieces = pieces(of: segment)
            if segments.count > 1 || segment != whole { addPart(segment, after: first) }
            if pieces.count > 1 { for piece in pieces { addPart(piece, after: first) } }
        }
        // `v1.2.3` is also looked for as `1.2.3`.
        if segments.count > 1, let head = segments.first, pieces(of: head).count == 1,
            head.count > 1, bytes[head.lowerBound] | 0x20 == 0x76,
            bytes[(head.lowerBound + 1)..<head.upperBound].allSatisfy({ (0x30...0x39).contains($0) }
            )
        {
            addPart((whole.lowerBound + 1)..<whole.upperBound, after: first)
        }
    }

    /// Splits at `aB`, `ABc`, and between letters and digits where both have two characters.
    private func pieces(of segment: Range<Int>) -> [Range<Int>] {
        guard bytes[segment].allSatisfy({ $0 < 0x80 }) else { return [segment] }
        var pieces: [Range<Int>] = []
        var start = segment.lowerBound
        func isUpper(_ index: Int) -> Bool { (0x41...0x5A).contains(bytes[index]) }
        func isDigit(_ index: Int) -> Bool { (0x30...0x39).contains(bytes[index]) }
        for index in segment.dropFirst() {
            let splits: Bool
            if isUpper(index) {
                splits =
                    !isUpper(index - 1) && !isDigit(index - 1)
                    || (isUpper(index - 1) && index + 1 < segment.upperBound && !isUpper(index + 1)
                        && !isDigit(index + 1))
            } else if isDigit(index) != isDigit(index - 1) {
                let isShort = index - start < 2 || segment.upperBound - index < 2
                splits = !isShort
            } else {
                splits = false
            }
            if splits {
                pieces.append(start..<index)
                start = index
            }
        }
        pieces.append(start..<segment.upperBound)
        return pieces
    }

    /// `NASA`, or a name with one capital at its beginning; `iPhone` and `McCoy` are not.
    private func isAllCapitals(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { !(0x61...0x7A).contains($0) }
    }

    private mutating func add(_ range: Range<Int>, kind: WordToken.Kind, isASCII: Bool) {
        let text = FoldedText.fold(utf8: bytes[range], isASCII: isASCII)
        tokens.append(WordToken(text: text, kind: kind, range: range, position: position))
    }

    private mutating func addPart(_ range: Range<Int>, after first: Int) {
        addPart(
            FoldedText.fold(String(decoding: bytes[range], as: UTF8.self)), range: range,
            after: first)
    }

    /// Each text once for a whole; single letters never.
    private mutating func addPart(_ text: String, range: Range<Int>, after first: Int) {
        let isLetter = text.utf8.count == 1 && !(0x30...0x39).contains(text.utf8.first ?? 0)
        guard !text.isEmpty, !isLetter, !tokens[first...].contains(where: { $0.text == text })
        else {
            return
        }
        tokens.append(WordToken(text: text, kind: .part, range: range, position: position))
    }

    // MARK: Scripts without spaces

    private mutating func pairs(from start: Int) -> Int {
        var characters: [Range<Int>] = []
        var index = start
        while index < bytes.count {
            let (kind, length) = classify(at: index)
            if kind == .pair {
                characters.append(index..<(index + length))
            } else if kind == .mark, let last = characters.popLast() {
                characters.append(last.lowerBound..<(index + length))
            } else {
                break
            }
            index += length
        }
        if characters.count == 1 {
            add(characters[0], kind: .pair, isASCII: false)
            position += 1
        }
        for (left, right) in zip(characters, characters.dropFirst()) {
            add(left.lowerBound..<right.upperBound, kind: .pair, isASCII: false)
            position += 1
        }
        return index
    }

    // MARK: Characters

    private enum Class { case letter, digit, mark, pair, other }

    private func isWordByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            || byte == 0x5F
    }

    /// A sign that may stand inside a word, as the ASCII character it counts as.
    private func connector(at index: Int) -> (sign: UInt8, length: Int)? {
        switch bytes[index] {
        case 0x2D, 0x2E, 0x5F, 0x40, 0x26, 0x27, 0x2C, 0x3A, 0x2F: return (bytes[index], 1)
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
            switch bytes[index + 2] {
            case 0x99: return (0x27, 3)
            case 0x90, 0x91: return (0x2D, 3)
            default: return nil
            }
        default: return nil
        }
    }

    private func classify(at index: Int) -> (kind: Class, length: Int) {
        let byte = bytes[index]
        if byte < 0x80 {
            if (0x61...0x7A).contains(byte | 0x20) { return (.letter, 1) }
            return ((0x30...0x39).contains(byte) ? .digit : .other, 1)
        }
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        var value = UInt32(byte) & (0xFF >> UInt32(length + 1))
        for next in bytes[(index + 1)..<min(index + length, bytes.count)] {
            value = value << 6 | UInt32(next & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else { return (.other, length) }
        return (WordScanner.kind(of: scalar), length)
    }

    private static func kind(of scalar: Unicode.Scalar) -> Class {
        switch scalar.value {
        case 0xC0...0x24F where scalar.value != 0xD7 && scalar.value != 0xF7: return .letter
        case 0x300...0x36F: return .mark
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA,
            0x30FC...0x30FF, 0x3005...0x3007, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF,
            0xFF66...0xFF9D, 0x1100...0x11FF:
            return .pair
        case 0x3099, 0x309A, 0xFF9E, 0xFF9F: return .mark
        case 0x2000...0x206F: return .other
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            switch scalar.value {
            case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF: return .pair
            default: return .letter
            }
        case .decimalNumber, .letterNumber, .otherNumber: return .digit
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        default: return .other
        }
    }
}
