/// A sealed file as printable text: strict PEM, of which only white space before and after is left out.
enum AgeArmor {
    private static let begin = Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)
    private static let end = Array("-----END AGE ENCRYPTED FILE-----".utf8)
    private static let columns = 64
    private static let bytesPerLine = columns / 4 * 3
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = begin + [newline]
        text.reserveCapacity(bytes.count / bytesPerLine * (columns + 1) + 3 * columns)
        for start in stride(from: 0, to: bytes.count, by: bytesPerLine) {
            let line = bytes.span.extracting(start..<min(start + bytesPerLine, bytes.count))
            text += Base64.encode(line, isPadded: true)
            text.append(newline)
        }
        return text + end + [newline]
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }

    /// Whether the first line of an armored file stands somewhere in the bytes.
    static func isWithin(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: begin) }
    }

    /// Takes the text in pieces, and gives the bytes of the lines that are whole.
    struct Reader {
        private enum Place {
            case before
            case within
            /// After a line that is shorter than the others or padded: only the end may follow.
            case lastLine
            case after
        }

        private var place = Place.before
        private var line: [UInt8] = []

        /// - Throws: `AgeError.armor`.
        mutating func update(_ text: Span<UInt8>, into bytes: inout [UInt8]) throws(AgeError) {
            var start = 0
            while start < text.count {
                var end = start
                while end < text.count, text[end] != newline { end += 1 }
                try take(text.extracting(start..<end))
                if end < text.count {
                    try finishLine(into: &bytes)
                    line.removeAll(keepingCapacity: true)
                }
                start = end + 1
            }
        }

        /// A piece of a line.
        private mutating func take(_ piece: Span<UInt8>) throws(AgeError) {
            var start = 0
            if place == .after || place == .before && line.isEmpty {
                while start < piece.count, isSpace(piece[start]) { start += 1 }
                guard place == .before || start == piece.count else {
                    throw .armor("something stands after its end")
                }
            }
            line.append(piece.extracting(droppingFirst: start))
            // The longest line is one of bytes with a carriage return; any number of spaces may follow the end.
            guard line.count > columns + 1 else { return }
            guard isEnd else { throw .armor("a line is too long") }
            line = end
        }

        /// - Throws: `AgeError.armor` where the end is missing.
        mutating func finish(into bytes: inout [UInt8]) throws(AgeError) {
            if place != .after { try finishLine(into: &bytes) }
            guard place == .after else { throw .armor("it has no last line") }
        }

        /// The last line, with white space behind it.
        private var isEnd: Bool {
            line.starts(with: end) && line.dropFirst(end.count).allSatisfy(isSpace)
        }

        private mutating func finishLine(into bytes: inout [UInt8]) throws(AgeError) {
            switch place {
            case .after: return
            case .before where line.isEmpty: return
            case .within where isEnd, .lastLine where isEnd:
                place = .after
                return
            default: break
            }
            if line.last == carriageReturn { line.removeLast() }
            switch place {
            case .before:
                guard line == begin else { throw .armor("its first line is another") }
                place = .within
            case .within:
                guard !line.isEmpty, line.count <= columns,
                    let decoded = Base64.decode(line.span, isPadded: true)
                else { throw .armor("a line is not base64") }
                bytes += decoded
                if decoded.count < bytesPerLine { place = .lastLine }
            case .lastLine: throw .armor("a line before the last is short")
            case .after: break
            }
        }
    }
}
