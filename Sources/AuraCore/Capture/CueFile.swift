/// SRT and WebVTT: cues with times, each with lines of text.
enum CueFile {
    static func beginsWebVTT(_ start: Substring) -> Bool {
        guard start.hasPrefix("WEBVTT") else { return false }
        let next = start.dropFirst(6).first
        return next == nil || next == " " || next == "\t" || next.map(\.isNewline) == true
    }

    /// A number, a line of times, and text.
    static func beginsSRT(_ start: Substring) -> Bool {
        let lines = split(String(start)).lazy.map(SpeechCleaning.trimmed).filter { !$0.isEmpty }
            .prefix(2).map(\.self)
        guard lines.count >= 2 else { return false }
        let number = SpeechCleaning.trimmed(lines[0])
        return !number.isEmpty && number.utf8.count <= 9
            && number.utf8.allSatisfy { (0x30...0x39).contains($0) } && isTimes(lines[1])
    }

    /// Nil when there is no cue at all in a text that has something.
    static func lines(of text: String, isWebVTT: Bool) -> [Transcript.Line]? {
        var reader = CueReader(isWebVTT: isWebVTT)
        var isBlank = true
        for line in split(text) {
            reader.read(line)
            isBlank = isBlank && SpeechCleaning.trimmed(line).isEmpty
        }
        reader.endCue()
        return reader.hasCues || reader.hasHeader || isBlank ? reader.lines : nil
    }

    /// Lines without their ends, whichever kind these are, and without a byte order mark.
    static func split(_ text: String) -> [Substring] {
        let bytes = text.utf8
        let start =
            text.unicodeScalars.first == "\u{FEFF}"
            ? text.unicodeScalars.index(after: text.startIndex) : text.startIndex
        return bytes[start...].split(separator: 0x0A, omittingEmptySubsequences: false).map {
            line in
            Substring(line.last == 0x0D ? line.dropLast() : line)
        }
    }

    /// `00:00:01,000 --> 00:00:02,500 …`
    static func isTimes(_ line: Substring) -> Bool {
        guard let arrow = line.firstRange(of: "-->") else { return false }
        let left = SpeechCleaning.trimmed(line[..<arrow.lowerBound])
        let right = SpeechCleaning.trimmed(line[arrow.upperBound...]).prefix { !$0.isWhitespace }
        return isTime(left) && isTime(right)
    }

    private static func isTime(_ text: Substring) -> Bool {
        var colons = 0
        var digits = 0
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39: digits += 1
            case 0x3A: colons += 1
            case 0x2C, 0x2E: break
            default: return false
            }
        }
        return digits >= 4 && (1...2).contains(colons) && digits <= 14
    }
}

/// Goes through the lines of a cue file; what it keeps are lines of speech, each once.
private struct CueReader {
    private enum State { case header, between, skipping, inCue }

    let isWebVTT: Bool
    private(set) var lines: [Transcript.Line] = []
    private(set) var hasCues = false
    private(set) var hasHeader = false
    private var state = State.between
    private var cue: [Transcript.Line] = []
    /// The lines of the cue before, for captions that roll.
    private var previous: [Transcript.Line] = []

    /// A line of digits at the beginning of a cue, until it is known what it is.
    private var waiting: Substring?

    init(isWebVTT: Bool) { self.isWebVTT = isWebVTT }

    mutating func read(_ raw: Substring) {
        let line = SpeechCleaning.trimmed(raw)
        if CueFile.isTimes(line) {
            waiting = nil
            endCue()
            hasCues = true
            state = .inCue
            return
        }
        if line.isEmpty {
            // YouTube leaves a line of one blank inside a cue; some editors take the blank away.
            if state == .inCue, cue.isEmpty, waiting == nil { return }
            guard raw.isEmpty || state != .inCue else { return }
            endCue()
            state = .between
            return
        }
        if state == .inCue, cue.isEmpty, !isWebVTT,
            line.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            // The number of the next cue after one without text, or a cue that is a number.
            waiting = line
            return
        }
        switch state {
        case .inCue: add(line)
        case .header, .skipping: break
        case .between:
            if isWebVTT, !hasHeader, line.hasPrefix("WEBVTT") {
                hasHeader = true
                state = .header
            } else if isWebVTT, ["NOTE", "STYLE", "REGION"].contains(where: { isBlock(line, $0) }) {
                state = .skipping
            }
        // Anything else here is the name or number of the cue that follows.
        }
    }

    private func isBlock(_ line: Substring, _ name: String) -> Bool {
        line == name || line.hasPrefix(name + " ") || line.hasPrefix(name + "\t")
    }

    private mutating func add(_ line: Substring) {
        if let number = waiting {
            waiting = nil
            add(number)
        }
        let (text, speaker) = CueText.plain(line)
        let words = SpeechCleaning.trimmed(text[...])
        if !words.isEmpty || speaker != nil {
            cue.append(Transcript.Line(String(words), speaker: speaker ?? cue.last?.speaker))
        }
    }

    /// Takes over the cue's lines that are not those of the cue before once more.
    mutating func endCue() {
        if let number = waiting {
            waiting = nil
            add(number)
        }
        guard !cue.isEmpty else { return }
        defer {
            previous = cue
            cue = []
        }
        // Captions that roll show the last lines again before new ones.
        var repeated = min(previous.count, cue.count)
        while repeated > 0 {
            let tail = previous.suffix(repeated).map(\.text)
            if tail.elementsEqual(cue.prefix(repeated).map(\.text)) { break }
            repeated -= 1
        }
        for line in cue.dropFirst(repeated) where !line.text.isEmpty {
            // A speaker goes on until another is named.
            let speaker = line.speaker ?? (repeated > 0 ? lines.last?.speaker : nil)
            lines.append(Transcript.Line(line.text, speaker: speaker))
        }
        // A repeated line keeps its speaker for the lines that follow it.
        if repeated > 0 {
            for index in cue.indices.prefix(repeated) where cue[index].speaker == nil {
                cue[index].speaker = lines.last?.speaker
            }
        }
    }
}

/// One line of a cue without its tags and entities.
enum CueText {
    static func plain(_ line: Substring) -> (text: String, speaker: String?) {
        var out = ""
        var speaker: String?
        var rest = line
        while let mark = rest.utf8.firstIndex(where: { $0 == 0x3C || $0 == 0x26 || $0 == 0x7B }) {
            out += rest[..<mark]
            let after = rest[mark...].dropFirst()
            switch rest[mark] {
            case "<":
                if let end = after.prefix(200).firstIndex(of: ">"), isTag(after[..<end]) {
                    if let name = voice(after[..<end]) { speaker = name }
                    rest = after[after.index(after: end)...]
                    continue
                }
            case "{":
                // `{\an8}` places an SRT line on the screen.
                if after.first == "\\", let end = after.prefix(40).firstIndex(of: "}") {
                    rest = after[after.index(after: end)...]
                    continue
                }
            default:
                if let end = after.prefix(10).firstIndex(of: ";"),
                    let character = entity(after[..<end])
                {
                    out += character
                    rest = after[after.index(after: end)...]
                    continue
                }
            }
            out.append(rest[mark])
            rest = after
        }
        out += rest
        return (out, speaker)
    }

    /// A name, perhaps after a slash, with classes or attributes; or a time. `<3` and `a < b` are not.
    private static func isTag(_ inner: Substring) -> Bool {
        let name = inner.first == "/" ? inner.dropFirst() : inner
        guard let first = name.utf8.first else { return false }
        if (0x30...0x39).contains(first) {
            return name.utf8.contains(0x3A)
                && name.utf8.allSatisfy { (0x30...0x3A).contains($0) || $0 == 0x2E || $0 == 0x2C }
        }
        return (0x61...0x7A).contains(first | 0x20)
    }

    /// `v Priya` and `v.loud Priya`.
    private static func voice(_ inner: Substring) -> String? {
        guard inner.first == "v", let blank = inner.firstIndex(where: \.isWhitespace),
            inner[..<blank].dropFirst().first.map({ $0 == "." }) ?? true
        else { return nil }
        let name = SpeechCleaning.trimmed(inner[blank...])
        return name.isEmpty ? nil : plain(name).text
    }

    private static func entity(_ name: Substring) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        case "lrm", "rlm", "shy": return ""
        case "mdash": return "—"
        case "ndash": return "–"
        case "hellip": return "…"
        case "rsquo": return "’"
        case "lsquo": return "‘"
        case "ldquo": return "“"
        case "rdquo": return "”"
        default: break
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let value =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value, value >= 0x20, let scalar = Unicode.Scalar(value) else { return nil }
        return String(Character(scalar))
    }
}
