/// A word, a number or a sign of a text in which dates are looked for.
struct DateToken {
    enum Kind { case word, number, sign }

    let kind: Kind
    /// What the language's table says about a word; `.none` for every other word.
    let word: DateWord
    /// Of a number with up to nine digits; -1 for longer ones.
    let value: Int
    /// Lower case; only of words. A sign is one character.
    let text: String
    /// In bytes of the text's UTF-8.
    let range: Range<Int>
    let hasSpaceBefore: Bool
    let isCapitalised: Bool
    /// Nothing on its left or right ties a number to something else: `$5`, `1.2.3`, `A4`, `5%`.
    let isFree: Bool
    /// An expression of the language begins with the word.
    var startsExpression = false

    var digitCount: Int { kind == .number ? range.count : 0 }

    func isSign(_ byte: UInt8) -> Bool { kind == .sign && value == Int(byte) }
}

/// Takes a text apart for the date grammar, in one pass.
struct DateTokenizer {
    private let bytes: [UInt8]
    private let words: DateLanguage
    private var tokens: [DateToken] = []
    private var hasExpressions = false

    private init(_ text: String, words: DateLanguage) {
        bytes = Array(text.utf8)
        self.words = words
        tokens.reserveCapacity(bytes.count / 4)
    }

    static func tokens(in text: String, words: DateLanguage) -> [DateToken] {
        var tokenizer = DateTokenizer(text, words: words)
        tokenizer.run()
        if tokenizer.hasExpressions { tokenizer.joinExpressions() }
        return tokenizer.tokens
    }

    private mutating func run() {
        var index = 0
        var hasSpace = true
        while index < bytes.count {
            let byte = bytes[index]
            let start = index
            if isLetter(at: index) {
                index = endOfWord(from: index)
                addWord(start..<index, hasSpace: hasSpace)
                hasSpace = false
            } else if isDigit(byte) {
                while index < bytes.count, isDigit(bytes[index]) { index += 1 }
                addNumber(start..<index, hasSpace: hasSpace)
                hasSpace = false
            } else if byte <= 0x20 {
                // A line end separates like a full stop does, unless the line was only wrapped.
                if byte == 0x0A, index + 1 < bytes.count, bytes[index + 1] == 0x0A {
                    addSign(0x0A, start..<(index + 1), hasSpace: true)
                }
                index += 1
                hasSpace = true
            } else {
                let (sign, length) = sign(at: index)
                index += length
                if sign == 0x20 {
                    hasSpace = true
                } else {
                    addSign(sign, start..<index, hasSpace: hasSpace)
                    hasSpace = false
                }
            }
        }
    }

    private mutating func addWord(_ range: Range<Int>, hasSpace: Bool) {
        var isASCII = true
        for index in range where bytes[index] >= 0x80 { isASCII = false }
        let text = FoldedText.fold(utf8: bytes[range], isASCII: isASCII)
        let entry = words.entry(for: text)
        let startsExpression = entry?.startsExpression ?? false
        hasExpressions = hasExpressions || startsExpression
        tokens.append(
            DateToken(
                kind: .word, word: entry?.meaning ?? .none, value: 0, text: text, range: range,
                hasSpaceBefore: hasSpace,
                isCapitalised: (0x41...0x5A).contains(bytes[range.lowerBound]), isFree: true,
                startsExpression: startsExpression))
    }

    /// Puts one token in the place of each expression; a hyphen may stand for a blank.
    private mutating func joinExpressions() {
        var joined: [DateToken] = []
        joined.reserveCapacity(tokens.count)
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            guard token.startsExpression, let found = expression(at: index) else {
                joined.append(token)
                index += 1
                continue
            }
            joined.append(
                DateToken(
                    kind: .word, word: found.meaning, value: 0, text: token.text,
                    range: token.range.lowerBound..<tokens[found.end - 1].range.upperBound,
                    hasSpaceBefore: token.hasSpaceBefore, isCapitalised: token.isCapitalised,
                    isFree: true))
            index = found.end
        }
        tokens = joined
    }

    private func expression(at index: Int) -> (meaning: DateWord, end: Int)? {
        for expression in words.expressions(from: tokens[index].text) {
            var at = index + 1
            let isHere = expression.rest.allSatisfy { word in
                if at < tokens.count, tokens[at].isSign(0x2D), !tokens[at].hasSpaceBefore {
                    at += 1
                }
                guard at < tokens.count, tokens[at].text == word else { return false }
                at += 1
                return true
            }
            if isHere { return (expression.meaning, at) }
        }
        return nil
    }

    private mutating func addNumber(_ range: Range<Int>, hasSpace: Bool) {
        let value = range.count <= 9 ? bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } : -1
        tokens.append(
            DateToken(
                kind: .number, word: .none, value: value, text: "", range: range,
                hasSpaceBefore: hasSpace, isCapitalised: false,
                isFree: isFree(range)))
    }

    private mutating func addSign(_ sign: UInt8, _ range: Range<Int>, hasSpace: Bool) {
        tokens.append(
            DateToken(
                kind: .sign, word: .none, value: Int(sign), text: "", range: range,
                hasSpaceBefore: hasSpace, isCapitalised: false, isFree: true))
    }

    private func isFree(_ range: Range<Int>) -> Bool {
        if range.lowerBound > 0 {
            switch bytes[range.lowerBound - 1] {
            case 0...0x22, 0x27, 0x28, 0x2A, 0x3B, 0x3E, 0x5B, 0x7B, 0x7C, 0x7E: break
            // The last byte of a curly quote, a dash or a no-break space.
            case 0x93, 0x94, 0x98, 0x9C, 0xA0: break
            default: return false
            }
        }
        guard range.upperBound < bytes.count else { return true }
        let next = bytes[range.upperBound]
        switch next {
        case 0x25, 0x24, 0x2F, 0x2D, 0x5F, 0x40, 0x23, 0x26, 0x3D, 0x2B: return false
        // A no-break space, but no degree sign.
        case 0xC2: return range.upperBound + 1 < bytes.count && bytes[range.upperBound + 1] == 0xA0
        case 0x2E, 0x2C, 0x3A:
            let after = range.upperBound + 1
            return after >= bytes.count || !isDigit(bytes[after])
        default: return true
        }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// ASCII letters and everything beyond Latin-1's signs and the general punctuation.
    private func isLetter(at index: Int) -> Bool {
        let byte = bytes[index]
        if byte < 0x80 { return (0x61...0x7A).contains(byte | 0x20) }
        return byte >= 0xC3 && byte != 0xE2
    }

    private func endOfWord(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if isLetter(at: index) {
                index += 1
                while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
            } else if bytes[index] == 0x27, index + 1 < bytes.count, isLetter(at: index + 1) {
                index += 1
            } else if bytes[index] == 0xE2, index + 3 < bytes.count, bytes[index + 1] == 0x80,
                bytes[index + 2] == 0x99, isLetter(at: index + 3)
            {
                index += 3
            } else {
                break
            }
        }
        return index
    }

    /// Dashes of any length count as `-`, curly quotes as straight ones, odd blanks as a blank.
    private func sign(at index: Int) -> (sign: UInt8, length: Int) {
        let byte = bytes[index]
        if byte < 0x80 { return (byte, 1) }
        if byte == 0xC2, index + 1 < bytes.count {
            return (bytes[index + 1] == 0xA0 ? 0x20 : 0x23, 2)
        }
        guard byte == 0xE2, index + 2 < bytes.count else { return (0x23, 1) }
        guard bytes[index + 1] == 0x80 else { return (0x23, 3) }
        switch bytes[index + 2] {
        case 0x90...0x95: return (0x2D, 3)
        case 0x98, 0x99: return (0x27, 3)
        case 0x9C, 0x9D: return (0x22, 3)
        case 0x80...0x8B, 0xAF: return (0x20, 3)
        default: return (0x23, 3)
        }
    }
}
