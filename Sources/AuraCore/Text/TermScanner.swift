/// Reads a text term by term, as the index and every query do.
///
/// A term is a run of letters and digits, folded (case, accents, width). Runs of scripts that are
/// written without blanks (Chinese, Japanese, Korean, Thai and relatives) give every pair of
/// neighbouring characters and the last character alone, so that any part of a run is findable.
/// The parts of `OPS-4417`, `flush_write_queue` and `3.14` are terms of their own, each but the first
/// marked as `continuesCompound`; so are the pairs of one run.
package struct TermScanner {
    private let bytes: [UInt8]
    private var position = 0
    /// Terms of a word with characters outside ASCII, last one first.
    private var waiting: [Piece] = []

    /// The folded term: UTF-8, at most `maximumBytes` of it.
    package private(set) var term: [UInt8] = []
    /// Where it stands in the text, in UTF-8 bytes.
    package private(set) var range = 0..<0
    /// Nothing but a joining sign stands between the term before and this one.
    package private(set) var continuesCompound = false
    /// The term is a pair out of a run without blanks, or its last character.
    package private(set) var isPair = false
    /// The term is the first of a hashtag: `#garden`.
    package private(set) var isHashtag = false
    /// What stands right behind a word and belongs to it: `++` of `C++`, `#` of `F#`.
    package private(set) var signs: [UInt8] = []
    /// Offsets into `term` where a capital begins a new word: 5 and 10 for `flushWriteQueue`.
    package private(set) var innerWords: [Int] = []

    /// Longer runs (encoded data, mostly) are cut; a query is cut the same way.
    package static let maximumBytes = 64

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Moves to the next term; false at the end.
    package mutating func next() -> Bool {
        let end = range.upperBound
        innerWords.removeAll(keepingCapacity: true)
        signs.removeAll(keepingCapacity: true)
        isPair = false
        isHashtag = false
        while true {
            if let piece = waiting.popLast() {
                term = piece.term
                range = piece.range
                continuesCompound = piece.continues
                isPair = piece.isPair
                isHashtag = !piece.continues && followsHash(piece.range.lowerBound)
                return true
            }
            while position < bytes.count, !TermScanner.isWordByte(bytes[position]) { position += 1 }
            guard position < bytes.count else { return false }
            let start = position
            let joins = start > 0 && isJoint(from: end, to: start)
            var isPlain = true
            while position < bytes.count, TermScanner.isWordByte(bytes[position]) {
                if bytes[position] >= 0x80 { isPlain = false }
                position += 1
            }
            if isPlain {
                if isPossessive(start) { continue }
                readPlain(start..<position)
                continuesCompound = joins
                isHashtag = !joins && followsHash(start)
                readSigns()
                return true
            }
            waiting = TermScanner.pieces(of: bytes[start..<position], joins: joins).reversed()
        }
    }

    /// ASCII letters and digits, and every byte of other characters.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }

    /// A `#` that begins a word, with a letter behind it.
    private func followsHash(_ start: Int) -> Bool {
        guard start > 0, bytes[start - 1] == UInt8(ascii: "#"), bytes[start] >= 0x41 else {
            return false
        }
        guard start > 1 else { return true }
        let before = bytes[start - 2]
        return !TermScanner.isWordByte(before) && before != UInt8(ascii: "#")
            && before != UInt8(ascii: "&") && before != UInt8(ascii: "/")
    }

    private mutating func readSigns() {
        guard term.count <= TermScanner.maximumSignedBytes,
            term.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return }
        var end = position
        while end < bytes.count, end < position + 3,
            bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "#")
        {
            end += 1
        }
        guard end == bytes.count || !TermScanner.isWordByte(bytes[end]) else { return }
        let found = bytes[position..<end]
        if found.elementsEqual("++".utf8) || found.elementsEqual("#".utf8) { signs = Array(found) }
    }

    /// Names with signs are short.
    private static let maximumSignedBytes = 8

    /// A hyphen, underscore, dot, at sign, ampersand or apostrophe between words; a comma only between
    /// digits.
    private func isJoint(from end: Int, to start: Int) -> Bool {
        guard start == end + 1, end > 0 else { return false }
        switch bytes[end] {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "'"),
            UInt8(ascii: "@"), UInt8(ascii: "&"):
            return true
        case UInt8(ascii: ","):
            return (0x30...0x39).contains(bytes[end - 1]) && (0x30...0x39).contains(bytes[start])
        default: return false
        }
    }

    /// The `s` of `pump's` says nothing.
    private func isPossessive(_ start: Int) -> Bool {
        position == start + 1 && bytes[start] | 0x20 == UInt8(ascii: "s") && start > 1
            && bytes[start - 1] == UInt8(ascii: "'") && TermScanner.isWordByte(bytes[start - 2])
    }

    private mutating func readPlain(_ run: Range<Int>) {
        range = run
        term.removeAll(keepingCapacity: true)
        var wasLower = false
        for byte in bytes[run].prefix(TermScanner.maximumBytes) {
            if (0x41...0x5A).contains(byte) {
                if wasLower { innerWords.append(term.count) }
                wasLower = false
                term.append(byte | 0x20)
            } else {
                wasLower = byte >= 0x61
                term.append(byte)
            }
        }
    }
}

// MARK: - Beyond ASCII

private struct Piece {
    var term: [UInt8]
    var range: Range<Int>
    var continues: Bool
    var isPair = false
}

extension TermScanner {
    /// Splits a run that has characters outside ASCII into words, pairs and signs.
    private static func pieces(of run: ArraySlice<UInt8>, joins: Bool) -> [Piece] {
        var pieces: [Piece] = []
        let text = String(decoding: run, as: UTF8.self)
        var offset = run.startIndex
        var start = offset
        var current = Script.none
        var word = String.UnicodeScalarView()
        var continues = joins

        func close(at end: Int) {
            defer { word = String.UnicodeScalarView() }
            switch current {
            case .none: return
            case .spaced:
                let term = fold(String(word)).filter(isWordByte)
                guard !term.isEmpty else { return }
                pieces.append(
                    Piece(
                        term: Array(term.prefix(maximumBytes)), range: start..<end,
                        continues: continues))
            case .unspaced:
                pieces += pairs(of: word, at: start, to: end, continues: continues)
            case .sign:
                pieces.append(
                    Piece(
                        term: Array(String(word).utf8.prefix(maximumBytes)), range: start..<end,
                        continues: false))
                continues = false
                return
            }
            continues = true
        }

        for scalar in text.unicodeScalars {
            let script = Script(of: scalar, after: current)
            if script != current || script == .sign {
                close(at: offset)
                current = script
                start = offset
                if script == .none { continues = isJoiner(scalar) && !pieces.isEmpty }
            }
            word.append(scalar)
            // An invalid byte decodes as U+FFFD, three bytes long: keep within the run.
            offset = min(offset + UTF8.width(scalar), run.endIndex)
        }
        close(at: offset)
        return pieces
    }

    /// Typographic apostrophe and the two hyphens that are not ASCII's.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x2019 || scalar.value == 0x2010 || scalar.value == 0x2011
    }

    private static func pairs(
        of word: String.UnicodeScalarView, at start: Int, to end: Int, continues: Bool
    ) -> [Piece] {
        let folded = Array(String(decoding: fold(String(word)), as: UTF8.self).unicodeScalars)
        let raw = Array(word)
        // Where folding changed the number of characters the whole run is the place of each pair.
        var places: [Range<Int>] = []
        if raw.count == folded.count {
            var offset = start
            for scalar in raw {
                places.append(offset..<(offset + UTF8.width(scalar)))
                offset += UTF8.width(scalar)
            }
        } else {
            places = [Range<Int>](repeating: start..<end, count: folded.count)
        }
        return folded.indices.map { index in
            let next = min(index + 1, folded.count - 1)
            var term = Array(String(folded[index]).utf8)
            if next > index { term += Array(String(folded[next]).utf8) }
            return Piece(
                term: term, range: places[index].lowerBound..<places[next].upperBound,
                continues: index > 0 || continues, isPair: true)
        }
    }

    private static func fold(_ text: String) -> [UInt8] { Array(FoldedText.fold(text).utf8) }

    private enum Script {
        case none, spaced, unspaced, sign

        init(of scalar: Unicode.Scalar, after current: Script) {
            let value = scalar.value
            if value < 0x80 {
                self = .spaced
                return
            }
            switch value {
            case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF,  // Thai, Lao, Burmese, Khmer
                0x1100...0x11FF, 0xAC00...0xD7FF,  // Hangul
                0x3005...0x3007, 0x3041...0x3096, 0x3099...0x309A, 0x309D...0x309F,
                0x30A1...0x30FA, 0x30FC...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF,  // Kana
                0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,  // Han
                0xFF66...0xFF9F, 0x20000...0x3FFFF:
                self = .unspaced
                return
            default: break
            }
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark:
                // A mark belongs to the character before it.
                self = current == .unspaced ? .unspaced : current == .spaced ? .spaced : .none
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber:
                self = .spaced
            case .otherSymbol where properties.isEmoji: self = .sign
            default: self = .none
            }
        }
    }
}
