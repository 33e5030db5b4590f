/// The marks that recognisers and captions set for sounds, silence and speakers: `[BLANK_AUDIO]`,
/// `(wind blowing)`, `♪`, `>>`.
enum SpeechMarks {
    /// Whether the text has marks that nobody writes by hand.
    static func hasMarks(_ text: String) -> Bool {
        var marks = 0
        for line in CueFile.split(text) {
            let words = SpeechCleaning.trimmed(line)
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

    /// The text with a blank in the place of each mark; itself when there is none.
    static func without(_ text: String) -> String {
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

    // MARK: One mark

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

    // MARK: Lists

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
    }

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
}
