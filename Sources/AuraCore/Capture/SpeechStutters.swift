/// Words begun and begun again: `th- the`, `I I`, `we should, we should call`.
///
/// What is said twice is kept once, so nothing that was said is lost.
enum SpeechStutters {
    static func resolved(_ words: [SpeechWord]) -> [SpeechWord] {
        withoutRestarts(withoutDoubles(withoutBreaks(words)))
    }

    /// Longest beginning of a sentence that is looked for a second time.
    private static let longestRestart = 8

    // MARK: Broken words

    /// Without the beginnings of words: `th- the`, `b-but`, `I-I`.
    private static func withoutBreaks(_ words: [SpeechWord]) -> [SpeechWord] {
        var kept: [SpeechWord] = []
        kept.reserveCapacity(words.count)
        for index in words.indices {
            var word = words[index]
            if word.isCut, index + 1 < words.count, isBeginning(word.key, of: words[index + 1].key)
            {
                continue
            }
            if word.isCut, index + 1 < words.count,
                let start = given(up: word, words[index + 1], kept)
            {
                kept.removeLast(kept.count - start)
                continue
            }
            if index + 1 < words.count, isPronoun(word, begunAgainIn: words[index + 1]) { continue }
            if word.core.utf8.contains(0x2D), let whole = withoutStammer(word.core) {
                word.setCore(whole)
            }
            kept.append(word)
        }
        return kept
    }

    /// `I, I'm`, `we we're`
    private static func isPronoun(_ word: SpeechWord, begunAgainIn next: SpeechWord) -> Bool {
        guard subjects.contains(word.key), !word.hasStop, next.key.hasPrefix("\(word.key)'") else {
            return false
        }
        return word.key != "it" && word.key != "you" || word.hasPause || next.isAfterSound
    }

    private static func isBeginning(_ start: String, of word: String) -> Bool {
        start.utf8.count <= 8 && word.utf8.count >= start.utf8.count && word.hasPrefix(start)
            && start.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x27 }
            && !suspended.contains(word)
    }

    /// Where `we nee- we have to` began: at the word that comes again, if what is given up has no
    /// number, name, day or denial.
    private static func given(
        up word: SpeechWord, _ next: SpeechWord, _ kept: [SpeechWord]
    ) -> Int? {
        guard word.core.utf8.count <= 6, !word.isCapitalised else { return nil }
        for back in 1...3 where back <= kept.count {
            let index = kept.count - back
            guard !kept[index].hasPause else { return nil }
            guard kept[index].key == next.key else { continue }
            let isFree =
                kept[index...].allSatisfy { !SpeechUnit.denials.contains($0.key) }
                && SpeechUnit.all(in: kept, index..<kept.count).isEmpty
            return isFree ? index : nil
        }
        return nil
    }

    /// `b-but` → `but`; nil where the hyphens are the word's own (`t-test`, `no-one`).
    private static func withoutStammer(_ core: String) -> String? {
        let parts = core.split(separator: "-")
        guard parts.count >= 2, let last = parts.last, last.utf8.count >= 1 else { return nil }
        let whole = FoldedText.fold(last)
        guard !wordsOfTheirOwn.contains(FoldedText.fold(core)) else { return nil }
        for part in parts.dropLast() {
            let start = FoldedText.fold(part)
            let isRepeated = start == whole && doubles.contains(whole)
            let isBegun =
                whole.hasPrefix(start) && whole.utf8.count > start.utf8.count
                && (start.utf8.count == 1
                    ? !"aeiouvx".contains(start) : begunSounds.contains(start))
            guard isRepeated || isBegun else { return nil }
        }
        let isCapital = parts[0].first?.isUppercase == true
        return isCapital ? last.prefix(1).uppercased() + last.dropFirst() : String(last)
    }

    // MARK: Doubled words

    private static func withoutDoubles(_ words: [SpeechWord]) -> [SpeechWord] {
        var kept: [SpeechWord] = []
        kept.reserveCapacity(words.count)
        for word in words {
            guard let last = kept.last, last.key == word.key, isDouble(last, word, kept) else {
                kept.append(word)
                continue
            }
            kept[kept.count - 1].tail = word.tail
            kept[kept.count - 1].isGlued = word.isGlued
        }
        return kept
    }

    /// Whether `word`, the same as `last`, was said twice without meaning it.
    private static func isDouble(
        _ last: SpeechWord, _ word: SpeechWord, _ kept: [SpeechWord]
    ) -> Bool {
        if last.hasStop || last.tail.utf8.contains(0x3A) || !word.lead.isEmpty { return false }
        let key = word.key
        if doubles.contains(key) { return true }
        if word.isAfterSound, !SpeechUnit.isNumberWord(key) {
            return !word.core.utf8.contains { (0x30...0x39).contains($0) }
        }
        let before = kept.count > 1 ? kept[kept.count - 2] : nil
        if last.hasPause { return doublesAfterPause.contains(key) }
        if doublesAfterPause.contains(key), particles.contains(key) {
            // `check in in the morning` has both.
            return before.map { !takesParticle.contains(EnglishStem.of($0.key)) } ?? true
        }
        if SpeechUnit.denials.contains(key) {
            return key != "no" && before.map { subjects.contains($0.key) } == true
        }
        return key.utf8.count >= 4 && !word.isCapitalised && !emphatic.contains(key)
            && key.utf8.allSatisfy { (0x61...0x7A).contains($0) } && !SpeechUnit.isNumberWord(key)
    }

    // MARK: Restarts

    /// Without the first of two equal runs of words, `in the, in the shed`.
    private static func withoutRestarts(_ words: [SpeechWord]) -> [SpeechWord] {
        var kept: [SpeechWord] = []
        kept.reserveCapacity(words.count)
        for index in words.indices {
            for length in stride(from: longestRestart, through: 2, by: -1)
            where length <= kept.count && index + length <= words.count {
                let start = kept.count - length
                guard kept[start].key == words[index].key,
                    isRestart(kept, start, words, index, length)
                else { continue }
                kept.removeLast(length)
                break
            }
            kept.append(words[index])
        }
        return kept
    }

    private static func isRestart(
        _ kept: [SpeechWord], _ start: Int, _ words: [SpeechWord], _ index: Int, _ length: Int
    ) -> Bool {
        for offset in 0..<length {
            let (old, new) = (kept[start + offset], words[index + offset])
            guard old.key == new.key, !old.hasStop, !new.key.isEmpty else { return false }
            if SpeechUnit.isNumberWord(old.key)
                || old.core.utf8.contains(where: { $0 < 0x3A && $0 > 0x2F })
                || neverRestarted.contains(old.key)
            {
                return false
            }
        }
        guard restarting.contains(words[index].key) else { return false }
        // `again and again and again`
        return start == 0 || kept[start - 1].key != kept[kept.count - 1].key
    }

    // MARK: Lists

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// `pre- and post-war`
    private static let suspended = list("and or to")
    private static let wordsOfTheirOwn = list(
        "t-test t-tests d-day b-ball p-p g-g h-hour k-k so-so no-no t-t s-s")
    private static let begunSounds = list(
        """
        th wh sh ch st tr pr pl cl br bl fr fl gr gl sp sc sk sm sn sw dr cr qu kn wr sl we wa wi
        ma mo me ha hi ho bu bo pu pa po fo fi ca cu ta te ti
        """)

    /// Small words that nobody says twice on purpose; not `that`, `had`, `no`, `very`, no numbers.
    private static let doubles = list(
        """
        i we he she they the a an and but or if so my our your his their to of for with from at was
        were are will can could should would this these those i'm we're they're it's i'll we'll i've
        we've he's she's that's there's i'd we'd when because where how what have has until before after
        near under through during between since around
        """
    ).subtracting(["so"])
    /// These only with a sign between them, or where the word before does not ask for one.
    private static let doublesAfterPause = list(
        "in on it is you by as up into over about some then")
    private static let particles = list("in on by up over about")
    private static let takesParticle = list(
        """
        check come came log sign move fill go went carri turn hand drop keep kept put get got bring
        call fit plug join hold look stand drive drove ring pick set cut give take took stop think
        talk climb get step pull
        """)
    private static let emphatic = list(
        """
        very really many much more long please okay yeah knock tick again there night chop never
        ever over down deep blah well that had what will bora duran little wait hear
        """)
    private static let subjects = list("i we he she they you it")

    /// Restarts begin with one of these.
    private static let restarting = list(
        """
        i we he she they you it the a an my our your his her their this that these those there to
        in on at of for with from by about into and but or so if when because what where how who
        can could should would will do does did is are was were i'm we're they're it's i'll we'll
        i've we've i'd he's she's that's there's let let's
        """)
    private static let neverRestarted = list("no very really many much more bye ha blah again over")
}
