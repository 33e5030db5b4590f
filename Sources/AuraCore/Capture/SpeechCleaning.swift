/// The rules that take noise out of dictated text, and nothing that says something.
///
/// Out go: marks for sounds and silence (`[BLANK_AUDIO]`, `(wind blowing)`, `♪`), what whisper makes
/// up over silence (thanks for watching at the end or again and again, lines that are only `you`),
/// sentences repeated four times or more, `um` and `uh`, and doubled small words (`I I I think`).
/// Names, numbers, dates and denials always stay: only words from the lists below are ever removed.
enum SpeechCleaning {
    static func clean(_ lines: [Transcript.Line]) -> [Transcript.Line] {
        var sentences: [Sentence] = []
        for (index, line) in lines.enumerated() {
            split(withoutMarks(line.text), line: index, into: &sentences)
        }
        dropInventions(from: &sentences, lines: lines)
        let dropsFillers = isEnglish(sentences)
        var kept = lines
        for index in kept.indices { kept[index].text = "" }
        var hasWords = Array(repeating: false, count: lines.count)
        for sentence in sentences {
            let words = withoutSlips(sentence.text, dropsFillers: dropsFillers)
            if words.isEmpty { continue }
            if hasWords[sentence.line] { kept[sentence.line].text += " " }
            kept[sentence.line].text += words
            hasWords[sentence.line] = true
        }
        // A line that lost everything goes; an empty line of the text itself stays.
        return kept.indices.compactMap { index in
            hasWords[index] || (lines[index].text.isEmpty && lines[index].staysLine)
                ? kept[index] : nil
        }
    }

    static func hasMarks(_ text: String) -> Bool {
        var marks = 0
        for line in CueFile.split(text) {
            let words = trimmed(line)
            var rest = line
            while let open = rest.utf8.firstIndex(where: { $0 == 0x5B || $0 == 0x28 || $0 == 0x3C })
            {
                let after = rest[open...].dropFirst()
                rest = after
                guard let mark = mark(at: open, in: line) else { continue }
                if mark.isCertain { return true }
                let isWholeLine = line[open..<mark.end].utf8.count == words.utf8.count
                marks += isWholeLine && line.utf8[open] == 0x5B ? 2 : 1
                if marks >= 2 { return true }
                rest = line[mark.end...]
            }
        }
        return false
    }

    /// Without blanks at both ends; only ASCII blanks count.
    static func trimmed(_ text: Substring) -> Substring {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
            let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return Substring(bytes[first...last])
    }

    // MARK: Marks

    /// A mark that begins at `open`: where it ends, and whether nobody writes such a thing by hand.
    private static func mark(
        at open: String.Index, in text: Substring
    ) -> (end: String.Index, isCertain: Bool)? {
        let bytes = text.utf8
        let closing: UInt8
        switch bytes[open] {
        case 0x5B: closing = 0x5D
        case 0x28: closing = 0x29
        case 0x2A: closing = 0x2A
        case 0x3C: closing = 0x3E
        default: return nil
        }
        let start = bytes.index(after: open)
        guard let close = bytes[start...].prefix(60).firstIndex(of: closing) else { return nil }
        let end = bytes.index(after: close)
        let inner = text[start..<close]
        if closing == 0x3E { return inner.utf8.first == 0x7C ? (end, true) : nil }
        if closing == 0x5D {
            // A link, a footnote or a task box of Markdown is no mark.
            if end < bytes.endIndex, bytes[end] == 0x28 || bytes[end] == 0x3A { return nil }
            if inner.utf8.first == 0x5F, inner.utf8.last == 0x5F || inner.hasPrefix("_TT_") {
                return (end, true)
            }
        }
        var hasSound = false
        for word in inner.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x2C || $0 == 0x5F }) {
            let folded = FoldedText.fold(Substring(word))
            if sounds.contains(folded) {
                hasSound = true
            } else if !thingsThatSound.contains(folded) {
                return nil
            }
        }
        guard hasSound else { return nil }
        return (end, closing == 0x5D && inner.utf8.elementsEqual("BLANK_AUDIO".utf8))
    }

    private static func withoutMarks(_ text: String) -> String {
        let whole = text[...]
        var out = ""
        var copied = whole.startIndex
        var rest = whole.utf8
        while let open = rest.firstIndex(where: {
            $0 == 0x5B || $0 == 0x28 || $0 == 0x2A || $0 == 0x3C || $0 == 0xE2 || $0 == 0x3E
        }) {
            let next = whole.utf8.index(after: open)
            rest = whole.utf8[next...]
            if whole.utf8[open] == 0xE2 {
                // Notes: ♩ to ♯.
                let scalar = whole.unicodeScalars[open]
                guard (0x2669...0x266F).contains(scalar.value) else { continue }
                out += whole[copied..<open] + " "
                copied = whole.unicodeScalars.index(after: open)
                rest = whole.utf8[copied...]
            } else if whole.utf8[open] == 0x3E {
                // `>>` is how captions say that somebody else speaks.
                guard rest.first == 0x3E else { continue }
                out += whole[copied..<open] + " "
                copied = whole.utf8.index(after: next)
                rest = whole.utf8[copied...]
            } else if let mark = mark(at: open, in: whole) {
                out += whole[copied..<open] + " "
                copied = mark.end
                rest = whole.utf8[copied...]
            }
        }
        guard copied > whole.startIndex else { return text }
        out += whole[copied...]
        return out
    }

    // MARK: Sentences

    private struct Sentence {
        var text: Substring
        var line: Int
        /// Its words, folded, without signs; empty for a long sentence, which nobody invents.
        var key: String
        var isWholeLine: Bool
    }

    private static let longestInvention = 100

    private static func split(_ text: String, line: Int, into sentences: inout [Sentence]) {
        let first = sentences.count
        var rest = text[...]
        while !rest.isEmpty {
            var end = rest.utf8.endIndex
            var at = rest.utf8.startIndex
            while let stop = rest.utf8[at...].firstIndex(where: {
                $0 == 0x2E || $0 == 0x21 || $0 == 0x3F
            }) {
                let next = rest.utf8.index(after: stop)
                if next == rest.utf8.endIndex || rest.utf8[next] <= 0x20 {
                    end = next
                    break
                }
                at = next
            }
            let sentence = trimmed(rest[..<end])
            if !sentence.isEmpty {
                sentences.append(
                    Sentence(text: sentence, line: line, key: key(sentence), isWholeLine: false))
            }
            rest = rest[end...]
        }
        if sentences.count == first + 1 { sentences[first].isWholeLine = true }
    }

    private static func key(_ sentence: Substring) -> String {
        guard sentence.utf8.count <= longestInvention else { return "" }
        let folded = FoldedText.fold(sentence)
        var key = ""
        for word in folded.utf8.split(whereSeparator: { byte in
            byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte)
                && byte != 0x27
        }) {
            if !key.isEmpty { key += " " }
            key += String(Substring(word))
        }
        return key
    }

    private static func dropInventions(
        from sentences: inout [Sentence], lines: [Transcript.Line]
    ) {
        sentences.removeAll { sentence in
            sentence.isWholeLine && (sentence.key == "you" || sentence.text.utf8.allSatisfy(isSign))
        }
        var kept: [Sentence] = []
        var index = 0
        while index < sentences.count {
            let key = sentences[index].key
            var end = index + 1
            if !key.isEmpty {
                while end < sentences.count, sentences[end].key == key { end += 1 }
            }
            let count = end - index
            if count >= 2, inventions.contains(key) {
                // Said once and again: nobody does.
            } else if count >= 4 {
                kept.append(sentences[index])
            } else {
                kept.append(contentsOf: sentences[index..<end])
            }
            index = end
        }
        while let last = kept.last,
            inventions.contains(last.key)
                || (last.key == "thank you" && last.isWholeLine && lines.count > 1
                    && kept.count > 1)
        {
            kept.removeLast()
        }
        sentences = kept
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte | 0x20)
    }

    // MARK: Slips

    /// `um` is a word in German and Portuguese, `er` one in German: fillers go from English only.
    private static func isEnglish(_ sentences: [Sentence]) -> Bool {
        var english = 0
        var other = 0
        var seen = 0
        for sentence in sentences {
            for word in sentence.text.utf8.prefix(20_000).split(separator: 0x20)
            where word.count <= 6 {
                let text = FoldedText.fold(Substring(word))
                if englishWords.contains(text) { english += 1 }
                if otherWords.contains(text) { other += 1 }
            }
            seen += sentence.text.utf8.count
            if seen > 20_000 { break }
        }
        return english >= other
    }

    private static func withoutSlips(_ sentence: Substring, dropsFillers: Bool) -> String {
        let words = sentence.utf8.split(whereSeparator: { $0 <= 0x20 }).map { Substring($0) }
        var kept: [Substring] = []
        kept.reserveCapacity(words.count)
        var isStartDropped = false
        var index = 0
        while index < words.count {
            let word = words[index]
            let next = index + 1 < words.count ? words[index + 1] : nil
            if dropsFillers, isFiller(word) {
                let sign = word.utf8.last ?? 0
                if kept.isEmpty {
                    isStartDropped = true
                } else if sign == 0x2E || sign == 0x21 || sign == 0x3F {
                    // The sentence ended here; its sign moves to the word before.
                    let last = kept.removeLast()
                    kept.append("\(withoutComma(last))\(Character(Unicode.Scalar(sign)))")
                } else if sign == 0x2C, let last = kept.last, last.utf8.last == 0x2C {
                    // `I, um, think` had its commas for the filler.
                    kept[kept.count - 1] = withoutComma(last)
                }
            } else if let next, isStutter(word, before: next) {
                if kept.isEmpty { isStartDropped = true }
            } else {
                kept.append(word)
            }
            index += 1
        }
        guard !kept.isEmpty else { return "" }
        if kept.count == words.count, !isStartDropped { return kept.joined(separator: " ") }
        var text = kept.joined(separator: " ")
        if isStartDropped, let first = words.first?.first, first.isUppercase, let now = text.first {
            text = now.uppercased() + text.dropFirst()
        }
        return text
    }

    private static func withoutComma(_ word: Substring) -> Substring {
        word.utf8.last == 0x2C ? word.dropLast() : word
    }

    /// `um`, `Uh,` and `er…`, but not `UM`, `ER` or `uh-huh`.
    private static func isFiller(_ word: Substring) -> Bool {
        // Every filler begins with one of two letters.
        guard let first = word.utf8.first, first | 0x20 == 0x75 || first | 0x20 == 0x65,
            word.utf8.count <= 8
        else { return false }
        let letters = word.utf8.prefix { (0x61...0x7A).contains($0 | 0x20) }
        guard !letters.isEmpty,
            word.utf8.dropFirst(letters.count).allSatisfy({ byte in
                byte == 0x2C || byte == 0x2E || byte == 0x21 || byte == 0x3F || byte >= 0x80
            })
        else { return false }
        let isLower = letters.dropFirst().allSatisfy { $0 >= 0x61 }
        return isLower && fillers.contains(FoldedText.fold(Substring(letters)))
    }

    /// A small word that comes at once again, or the beginning of the next word, cut off.
    private static func isStutter(_ word: Substring, before next: Substring) -> Bool {
        guard let first = word.utf8.first, let second = next.utf8.first,
            first | 0x20 == second | 0x20, word.utf8.count <= 12
        else { return false }
        let bare = FoldedText.fold(withoutComma(word))
        if bare.utf8.last == 0x2D, bare.utf8.count >= 2, bare.utf8.count <= 6 {
            let start = bare.dropLast()
            let following = FoldedText.fold(next)
            return start.utf8.allSatisfy { (0x61...0x7A).contains($0) }
                && following.hasPrefix(start)
                && following.utf8.count > start.utf8.count
        }
        guard doubled.contains(bare) else { return false }
        return FoldedText.fold(next.utf8.last == 0x2C ? next.dropLast() : next) == bare
    }

    // MARK: Lists

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
    }

    private static let fillers = list("um umm ummm uhm uh uhh uhhh er err erm ehm")

    /// Small words that nobody says twice on purpose; not `that`, `had`, `no`, `very`, no numbers.
    private static let doubled = list(
        """
        i we he she they the a an and but my our your his their i'm we're they're it's i'll we'll
        i've we've if when because
        """)

    private static let englishWords = list("the and to of is it i we that you for was with this")
    private static let otherWords = list(
        "und der die das ist ich nicht wir ein eine zu nao uma que para os og jeg det de la el le les"
    )

    /// One of these makes brackets the mark of a sound.
    private static let sounds = list(
        """
        blank audio music musik musique playing plays instrumental singing humming whistling laughs
        laughing laughter chuckles chuckling giggles giggling applause applauding clapping cheering
        cheers chatter chattering murmuring cough coughs coughing sneezes sneezing sniffs sniffing
        sniffling sighs sighing sigh gasps gasping groans groaning grunts grunting breathing exhales
        inhales yawns yawning clears clearing silence silent inaudible unintelligible indistinct
        mumbling mumbles speaking blowing howling raining thunder running splashing chirping chirps
        barking barks meowing opens opening closes closing slams slamming creaks creaking knocking
        knocks ringing rings buzzing buzzes vibrating beep beeps beeping siren sirens revving honking
        footsteps typing clacking clicking clicks static noise noises sounds screaming screams crying
        cries sobbing whooshing whoosh rustling rustles thud thuds bangs clinking gunshot gunshots
        explosion pause
        """)

    /// These stand beside a sound, and are nothing without one.
    private static let thingsThatSound = list(
        """
        upbeat soft gentle dramatic tense suspenseful intro outro theme song crowd audience heavily
        throat foreign language speech wind rain water waves wave bird birds dog dogs cat cats door
        doors phone bell bells alarm engine car cars horn traffic keyboard mouse background sound
        effect effects baby train whistle paper glass breaking in of and the a man woman people
        """)

    /// What whisper was trained on at the end of films, folded and without signs.
    private static let inventions: Set<String> = [
        "thanks for watching", "thank you for watching", "thank you so much for watching",
        "thank you very much for watching", "thanks for watching everyone",
        "thanks for watching guys", "thanks for watching and see you next time",
        "thanks for watching and i'll see you in the next video", "thanks for watching bye",
        "thanks for listening", "thank you for listening",
        "please subscribe", "please subscribe to my channel", "please subscribe to the channel",
        "please like and subscribe", "like and subscribe", "don't forget to like and subscribe",
        "don't forget to subscribe", "see you in the next video", "i'll see you in the next video",
        "i'll see you in the next one", "see you in the next one", "see you next time bye",
        "subtitles by the amara org community", "subtitles by the amara community",
        "transcription by castingwords", "transcribed by otter ai", "subtitles by",
        "captions by", "sous titres realises par la communaute d'amara org",
        "untertitel der amara org community", "untertitel im auftrag des zdf fur funk 2017",
        "www mooji org",
    ]
}
