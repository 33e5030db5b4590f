/// The rules that take noise out of dictated text, and nothing that says something.
///
/// Out go: marks for sounds and silence, what recognisers make up over silence, and in English text
/// `um` and its like, words begun twice, what the speaker took back, and `you know` where it only
/// fills a pause. Then sentences get their capitals and signs. A name, a number, a date, a time or a
/// denial goes only where another of its kind was put in its place by the speaker, or where it was
/// said twice. In other languages only the marks go.
enum SpeechCleaning {
    /// The lines that have words left, and the empty lines of the text itself. Linear in the length.
    static func clean(_ lines: [Transcript.Line]) -> [Transcript.Line] {
        var sentences: [SpeechInventions.Sentence] = []
        for (index, line) in lines.enumerated() {
            SpeechInventions.split(SpeechMarks.without(line.text), line: index, into: &sentences)
        }
        SpeechInventions.drop(from: &sentences, lines: lines.count)
        var kept = lines
        for index in kept.indices { kept[index].text = "" }
        var hasWords = Array(repeating: false, count: lines.count)
        for sentence in sentences {
            if hasWords[sentence.line] { kept[sentence.line].text += " " }
            kept[sentence.line].text += sentence.text
            hasWords[sentence.line] = true
        }
        let isEnglish = isEnglish(sentences)
        let hasSentences = sentences.contains { $0.text.utf8.last.map(isEnd) == true }
        for stretch in stretches(of: kept) {
            if isEnglish {
                tidy(&kept, stretch, mayComplete: hasSentences || stretch.count == kept.count)
            } else {
                for index in stretch { kept[index].text = withSingleBlanks(kept[index].text) }
            }
            for index in stretch { hasWords[index] = !kept[index].text.isEmpty }
        }
        // A line that lost everything goes; an empty line of the text itself stays.
        return kept.indices.compactMap { index in
            hasWords[index] || (lines[index].text.isEmpty && lines[index].staysLine)
                ? kept[index] : nil
        }
    }

    /// Without blanks at both ends; only ASCII blanks count.
    static func trimmed(_ text: Substring) -> Substring {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
            let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return Substring(bytes[first...last])
    }

    // MARK: Stretches

    /// Lines that are read as one text: the captions of one speaker, a single line of a plain text,
    /// and the lines after it that go on in the middle of its sentence.
    private static func stretches(of lines: [Transcript.Line]) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        var start = 0
        while start < lines.count {
            if lines[start].text.isEmpty {
                start += 1
                continue
            }
            var end = start + 1
            while end < lines.count, goesOn(lines[end - 1], lines[end]) { end += 1 }
            stretches.append(start..<end)
            start = end
        }
        return stretches
    }

    private static func goesOn(_ line: Transcript.Line, _ next: Transcript.Line) -> Bool {
        guard line.speaker == next.speaker else { return false }
        if !line.staysLine, !next.staysLine { return true }
        guard line.staysLine, next.staysLine, let last = line.text.utf8.last,
            next.text.unicodeScalars.first?.properties.isLowercase == true
        else { return false }
        // A list has short lines; a text that was broken at a width has long ones.
        return !isEnd(last) && last != 0x3A && line.text.utf8.count >= 25
    }

    /// `.`, `!` or `?`
    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == 0x2E || byte == 0x21 || byte == 0x3F
    }

    private static func tidy(
        _ lines: inout [Transcript.Line], _ stretch: Range<Int>, mayComplete: Bool
    ) {
        var words: [SpeechWord] = []
        var hasSigns = false
        for index in stretch where !lines[index].text.isEmpty {
            SpeechWord.read(lines[index].text[...], line: index, into: &words)
        }
        let startsWithCapital = words.first?.isCapitalised == true
        words = SpeechFillers.withoutSounds(words)
        hasSigns = words.contains { $0.hasStop || $0.tail == "," }
        words = SpeechStutters.resolved(words)
        words = SpeechRepairs.resolved(words)
        words = SpeechFillers.withoutPhrases(words)
        words = SpeechStutters.resolved(words)
        let isPlain = lines[stretch.lowerBound].staysLine
        if startsWithCapital, !words.isEmpty, !words[0].core.isEmpty { words[0].capitalise() }
        SpeechPunctuation.set(&words, completes: isPlain ? mayComplete : hasSigns)
        for index in stretch { lines[index].text = "" }
        var start = 0
        while start < words.count {
            var end = start + 1
            while end < words.count, words[end].line == words[start].line { end += 1 }
            lines[words[start].line].text = SpeechWord.text(words[start..<end])
            start = end
        }
    }

    private static func withSingleBlanks(_ text: String) -> String {
        text.utf8.split(whereSeparator: { $0 <= 0x20 }).map { String(Substring($0)) }
            .joined(separator: " ")
    }

    // MARK: Language

    /// `um` is a word in German and Portuguese, `no` one in Spanish: words go from English only.
    ///
    /// Without a word that tells, a text is English when it is short and plain ASCII: `uh`.
    private static func isEnglish(_ sentences: [SpeechInventions.Sentence]) -> Bool {
        var english = 0
        var other = 0
        var seen = 0
        var isASCII = true
        for sentence in sentences {
            for word in sentence.text.utf8.prefix(20_000).split(whereSeparator: { $0 <= 0x20 })
            where word.count <= 8 {
                let letters = word.prefix { $0 >= 0x80 || $0 == 0x27 || $0 | 0x20 >= 0x61 }
                let text = FoldedText.fold(Substring(letters))
                if englishWords.contains(text) { english += 1 }
                if otherWords.contains(text) { other += 1 }
            }
            isASCII = isASCII && sentence.text.utf8.allSatisfy { $0 < 0x80 }
            seen += sentence.text.utf8.count
            if seen > 20_000 { break }
        }
        if english == 0, other == 0 { return isASCII && seen < 80 }
        return english > other
    }

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
    }

    private static let englishWords = list(
        """
        the and to of is it i we that you for was with this my not have are i'm it's don't what they
        he she at on but be will can should need our your about by from call just there if or i'll
        i've let's him her them were has had did who how
        """)
    private static let otherWords = list(
        """
        und der die das ist ich nicht wir ein eine zu auf mit fur den dem sie nao uma que para os
        com por nos ele og jeg det de la el le les des et est une je il elle nous vous pas los las
        del una es en por con lo che di per non sono della het een van ik niet dat jag att och som
        nie sie jest ja ei olen joka
        """)
}
