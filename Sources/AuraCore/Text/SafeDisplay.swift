/// Text from notes, models and the network made safe to print on a terminal.
///
/// Whatever could move the cursor, change colours, turn the writing direction or hide text is shown
/// as its code point, `\u{1B}`: control characters, direction marks, zero-width and other invisible
/// characters. Joiners stay where a script or an emoji needs them. No more than
/// `longestMarkRun` combining marks stay on one character.
package enum SafeDisplay {
    /// Vietnamese needs two, pointed Hebrew and Tibetan up to four.
    static let longestMarkRun = 6

    /// - Parameter keepsLines: whether line ends and tabs stay as they are; CR LF becomes LF.
    package static func visible(_ text: String, keepsLines: Bool = true) -> String {
        if isPlain(text, keepsLines: keepsLines) { return text }
        var stream = SafeStream(keepsLines: keepsLines)
        return stream.append(text) + stream.finish()
    }

    /// Printable ASCII passes as it is, which is nearly all text there is.
    private static func isPlain(_ text: String, keepsLines: Bool) -> Bool {
        text.utf8.allSatisfy { byte in
            (byte >= 0x20 && byte < 0x7F) || (keepsLines && (byte == 0x0A || byte == 0x09))
        }
    }

    /// `\u{1B}`
    static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u{\(digits.count < 2 ? "0" : "")\(digits)}"
    }

    /// Characters that print nothing or change how others print.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case ..<0x20, 0x7F...0x9F: true
        case 0xA0...0x2FF where scalar.value != 0xAD: false
        case 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFFF0...0xFFFC,
            0xE0000...0xE0FFF:
            true
        case 0xFE00...0xFE0F: false
        default:
            scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.generalCategory == .format
        }
    }
}

/// `SafeDisplay.visible` for text that comes in pieces, as a model writes it.
///
/// What cannot be judged before the next piece is there (a joiner, a carriage return) is held back.
package struct SafeStream: Sendable {
    private let keepsLines: Bool
    private var held: Unicode.Scalar?
    private var last: Unicode.Scalar?
    private var marks = 0

    package init(keepsLines: Bool = true) { self.keepsLines = keepsLines }

    /// What can be printed now.
    package mutating func append(_ piece: String) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(piece.utf8.count)
        for scalar in piece.unicodeScalars {
            if let waiting = held {
                held = nil
                if waiting == "\r" {
                    if scalar != "\n" || !keepsLines { show(waiting, in: &out) }
                } else if joins(waiting, to: scalar) {
                    keep(waiting, in: &out)
                } else {
                    show(waiting, in: &out)
                }
            }
            add(scalar, to: &out)
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// What was held back at the end of the last piece.
    package mutating func finish() -> String {
        var out: [UInt8] = []
        if let waiting = held { show(waiting, in: &out) }
        held = nil
        return String(decoding: out, as: UTF8.self)
    }

    private mutating func add(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
        switch scalar.value {
        case 0x20...0x7E:
            keep(scalar, in: &out)
        case 0x0A where keepsLines, 0x09 where keepsLines:
            keep(scalar, in: &out)
        case 0x0D, 0x200C, 0x200D:
            held = scalar
        case 0xFE00...0xFE0F:
            // A variation selector right after a character that can have one, never in a row.
            if let last, !SafeDisplay.isHidden(last), last.value >= 0x80 || isKeycapBase(last),
                !(0xFE00...0xFE0F).contains(last.value)
            {
                keep(scalar, in: &out)
            } else {
                show(scalar, in: &out)
            }
        default:
            if SafeDisplay.isHidden(scalar) {
                show(scalar, in: &out)
            } else if scalar.value >= 0x300, scalar.isCombiningMark {
                marks += 1
                if marks <= SafeDisplay.longestMarkRun { write(scalar, to: &out) }
                last = scalar
            } else {
                keep(scalar, in: &out)
            }
        }
    }

    private mutating func keep(_ scalar: Unicode.Scalar, in out: inout [UInt8]) {
        write(scalar, to: &out)
        last = scalar
        marks = 0
    }

    private mutating func show(_ scalar: Unicode.Scalar, in out: inout [UInt8]) {
        out.append(contentsOf: SafeDisplay.escape(scalar).utf8)
        last = nil
        marks = 0
    }

    private func write(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
        if scalar.value < 0x80 {
            out.append(UInt8(scalar.value))
        } else {
            out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// `#`, `*` and the digits.
    private func isKeycapBase(_ scalar: Unicode.Scalar) -> Bool {
        (0x30...0x39).contains(scalar.value) || scalar == "#" || scalar == "*"
    }

    /// A joiner stays between the parts of one emoji, and inside words of the scripts that shape
    /// their letters.
    private func joins(_ joiner: Unicode.Scalar, to next: Unicode.Scalar) -> Bool {
        guard let last else { return false }
        if joiner == "\u{200D}", last.value == 0xFE0F || last.isPictograph || last.isSkinTone,
            next.isPictograph
        {
            return true
        }
        return last.isJoiningLetter && next.isJoiningLetter
    }
}

extension Unicode.Scalar {
    var isCombiningMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    var isPictograph: Bool {
        value >= 0x2190 && properties.isEmoji && !(0x1F1E6...0x1F1FF).contains(value)
    }

    var isSkinTone: Bool { (0x1F3FB...0x1F3FF).contains(value) }

    /// Arabic and its relatives, and the scripts of India and its neighbours.
    fileprivate var isJoiningLetter: Bool {
        (0x600...0x8FF).contains(value) || (0x900...0xDFF).contains(value)
            || (0x1000...0x109F).contains(value) || (0x1780...0x18AF).contains(value)
    }
}
