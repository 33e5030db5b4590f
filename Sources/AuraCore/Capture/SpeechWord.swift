/// One word of dictated text with the signs around it.
struct SpeechWord {
    /// Opening quotes and brackets.
    var lead: String
    /// Letters, digits and what stands between them, as they came.
    var core: String
    /// The signs after it: `,`, `.`, `…`, or ` –` with its blank.
    var tail: String
    /// `core` folded, for comparing.
    var key: String
    /// Which line of the transcript it came in.
    var line: Int
    /// The next word follows without a blank, as in `shed—no`.
    var isGlued = false
    /// `um` stood before it.
    var isAfterSound = false
}

extension SpeechWord {
    /// A sign after the word parts it from the next.
    var hasPause: Bool { !tail.isEmpty }

    /// `.`, `!` or `?` ends a sentence here. An ellipsis, an abbreviation and an initial do not.
    var hasStop: Bool {
        var points = 0
        for byte in tail.utf8 {
            if byte == 0x21 || byte == 0x3F { return true }
            if byte == 0x2E { points += 1 }
        }
        guard points == 1 else { return false }
        let isInitial = core.utf8.count == 1 && key != core && key != "i"
        return !isInitial && !SpeechWord.abbreviations.contains(key)
    }

    var asks: Bool { tail.utf8.contains(0x3F) }

    /// Broken off in the middle: `th-`.
    var isCut: Bool { tail.utf8.first == 0x2D && !core.isEmpty }

    /// A quotation or a bracket begins or ends here.
    var isQuoted: Bool {
        !lead.isEmpty || tail.unicodeScalars.contains { "\"'”’»)]".unicodeScalars.contains($0) }
    }

    var isCapitalised: Bool { core.unicodeScalars.first?.properties.isUppercase == true }

    mutating func setCore(_ text: String) {
        core = text
        key = FoldedText.fold(text)
    }

    mutating func capitalise() {
        guard let first = core.first, first.isLowercase else { return }
        core = first.uppercased() + core.dropFirst()
    }

    mutating func dropComma() {
        while tail.utf8.last == 0x2C { tail.removeLast() }
    }

    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "approx", "a.m", "p.m", "etc",
        "ltd", "inc", "corp", "jr", "sr", "fig", "dept", "tel", "jan", "feb", "apr", "jun", "jul",
        "aug", "sep", "sept", "oct", "nov", "dec", "tue", "thu", "fri",
    ]
}

// MARK: Reading and writing

extension SpeechWord {
    /// The words of one line. Signs that stand alone go to the word before them, and a comma that
    /// has its blank on the wrong side changes it.
    static func read(_ text: Substring, line: Int, into words: inout [SpeechWord]) {
        let first = words.count
        for chunk in text.utf8.split(whereSeparator: { $0 <= 0x20 }) {
            read(Substring(chunk).unicodeScalars, line: line, after: first, into: &words)
        }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func read(
        _ chunk: Scalars, line: Int, after first: Int, into words: inout [SpeechWord]
    ) {
        var chunk = chunk
        while !chunk.isEmpty {
            let hasWordBefore = words.count > first
            if hasWordBefore, chunk.allSatisfy({ isStop($0) || $0 == "," }) {
                words[words.count - 1].tail += String(chunk)
                return
            }
            if hasWordBefore, chunk.allSatisfy(isDash) {
                words[words.count - 1].tail += " " + String(chunk)
                return
            }
            if hasWordBefore, let sign = chunk.first, ",;!?".unicodeScalars.contains(sign),
                chunk.dropFirst().first?.properties.isAlphabetic == true
            {
                words[words.count - 1].tail.unicodeScalars.append(sign)
                chunk = chunk.dropFirst()
            }
            let cut = end(ofFirstWordIn: chunk)
            add(chunk[..<cut], line: line, to: &words)
            chunk = chunk[cut...]
            if !chunk.isEmpty, words[words.count - 1].tail.unicodeScalars.last.map(isDash) == true {
                words[words.count - 1].isGlued = true
            }
        }
    }

    /// After the sign at which two words hang together: `shed—no`, `salt,pepper`, `arrived.It`.
    private static func end(ofFirstWordIn chunk: Scalars) -> Scalars.Index {
        var before: Unicode.Scalar?
        var letters = 0
        var index = chunk.startIndex
        while index < chunk.endIndex {
            let scalar = chunk[index]
            let next = chunk.index(after: index)
            let after = next < chunk.endIndex ? chunk[next] : nil
            if let after, scalar == ".", before == ".", letters > 0, after.properties.isAlphabetic {
                return next
            }
            if let before, let after, before.properties.isAlphabetic || before == "," {
                if scalar == "\u{2014}" { return next }
                let goesOn = after.properties.isAlphabetic
                if scalar == "…", goesOn { return next }
                if scalar == ",", goesOn { return next }
                if scalar == ".", letters > 2, after.properties.isUppercase,
                    before.properties.isLowercase, isPlain(chunk)
                {
                    return next
                }
            }
            letters += scalar.properties.isAlphabetic ? 1 : 0
            before = scalar
            index = next
        }
        return chunk.endIndex
    }

    /// No address or path.
    private static func isPlain(_ chunk: Scalars) -> Bool {
        var points = 0
        for scalar in chunk.dropLast() {
            if scalar == "." { points += 1 }
            if scalar == "/" || scalar == "@" || scalar == "_" || scalar == ":" { return false }
        }
        return points <= 1
    }

    private static func add(_ text: Scalars, line: Int, to words: inout [SpeechWord]) {
        let lead = text.prefix(while: isOpening)
        var core = text[lead.endIndex...]
        var tail = core[core.endIndex...]
        while let last = core.last, isStop(last) || isClosing(last) || isDash(last) {
            core.removeLast()
            tail = text[core.endIndex...]
        }
        if core.isEmpty {
            let all = String(text)
            words.append(SpeechWord(lead: "", core: all, tail: "", key: all, line: line))
            return
        }
        let word = String(core)
        words.append(
            SpeechWord(
                lead: String(lead), core: word, tail: String(tail), key: FoldedText.fold(word),
                line: line))
    }

    private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
        "([{\"'“‘«¿¡".unicodeScalars.contains(scalar)
    }
    private static func isStop(_ scalar: Unicode.Scalar) -> Bool {
        ".!?:;…".unicodeScalars.contains(scalar)
    }
    private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
        ",)]}\"'”’»".unicodeScalars.contains(scalar)
    }
    private static func isDash(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || scalar == "–" || scalar == "—"
    }

    /// The words again as text.
    static func text(_ words: ArraySlice<SpeechWord>) -> String {
        var out = ""
        for (index, word) in zip(words.indices, words) {
            out += word.lead
            out += word.core
            out += word.tail
            if index + 1 < words.endIndex, !word.isGlued { out += " " }
        }
        return out
    }
}

// MARK: Leaving words out

extension [SpeechWord] {
    /// Takes over the signs of words that are left out after the last one here: the end of a
    /// sentence stays, and a pair of commas around them goes, but not the one after `Okay,`.
    ///
    /// - Parameter next: what follows; two names, or two numbers, keep a comma between them.
    mutating func closeGap(over dropped: ArraySlice<SpeechWord>, before next: SpeechWord?) {
        guard let end = dropped.last, let index = indices.last else { return }
        if end.hasStop, !self[index].hasStop {
            self[index].dropComma()
            self[index].tail += end.tail.drop { $0 == "," || $0 == " " }
            self[index].isGlued = false
        } else if end.hasPause, !self[index].hasStop, !isAddress(index),
            next.map({ isListed(self[index], $0) }) != true
        {
            self[index].dropComma()
        }
        if self[index].isGlued, !self[index].hasPause { self[index].isGlued = false }
    }

    private func isListed(_ word: SpeechWord, _ next: SpeechWord) -> Bool {
        func hasDigits(_ word: SpeechWord) -> Bool {
            SpeechUnit.isNumberWord(word.key)
                || word.core.utf8.contains { (0x30...0x39).contains($0) }
        }
        return word.isCapitalised && next.isCapitalised && word.key != "i" && next.key != "i"
            || hasDigits(word) && hasDigits(next)
    }

    /// `Okay,` and its like at the beginning of a sentence have a comma of their own.
    private func isAddress(_ index: Int) -> Bool {
        beginsSentence(index)
            && [
                "okay", "ok", "so", "well", "yes", "yeah", "no", "oh", "right", "anyway", "hi",
                "hello",
                "hey", "also", "first", "today", "now",
            ].contains(self[index].key)
    }

    /// Where the sentence begins that the word at `index` is in.
    func sentenceStart(before index: Int, within limit: Int) -> Int {
        var start = index
        while start > 0, index - start < limit, !self[start - 1].hasStop { start -= 1 }
        return start
    }

    /// Whether a sentence begins with this word.
    func beginsSentence(_ index: Int) -> Bool { index == 0 || self[index - 1].hasStop }
}
