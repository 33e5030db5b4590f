/// The English stem of a word: `moorings` → `moor`, `decided` → `decid`.
///
/// The Snowball project's "English" (Porter 2) algorithm, snowballstem.org/algorithms/english, on
/// lower-case ASCII. A stem is for comparing, not for reading.
package enum EnglishStem {
    /// Words that are not plain `a`…`z`, or shorter than three letters, are left as they are.
    package static func reduce(_ word: inout [UInt8]) {
        guard word.count > 2, word.count < 40, word.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return }
        var stemmer = Stemmer(word)
        stemmer.run()
        word = stemmer.word
    }

    package static func of(_ word: String) -> String {
        var bytes = Array(word.utf8)
        reduce(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Up to eight letters as one number, so that a word's end is compared with a suffix in one step.
private struct Letters: ExpressibleByStringLiteral {
    let packed: UInt64
    let mask: UInt64
    let count: Int
    let text: String

    init(stringLiteral text: String) {
        precondition(text.utf8.count <= 8, "at most eight letters")
        packed = Letters.pack(text.utf8)
        count = text.utf8.count
        mask = count == 8 ? .max : (1 << UInt64(8 * count)) - 1
        self.text = text
    }

    /// The last letter is the lowest byte.
    static func pack(_ letters: some Sequence<UInt8>) -> UInt64 {
        letters.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

private struct Stemmer {
    var word: [UInt8]
    /// Where the regions R1 and R2 of the algorithm begin.
    private var first = 0
    private var second = 0

    init(_ word: [UInt8]) { self.word = word }

    mutating func run() {
        if word.count <= 8, let fixed = Stemmer.fixed[Letters.pack(word)] {
            word = Array(fixed.utf8)
            return
        }
        markConsonantY()
        findRegions()
        removePlural()
        if word.count > 8 || !Stemmer.fixedAfterPlural.contains(Letters.pack(word)) {
            removePastAndProgressive()
            replaceFinalY()
            shortenSuffixes()
            shortenMoreSuffixes()
            removeSuffixes()
            removeFinalLetter()
        }
        for index in word.indices where word[index] == Stemmer.consonantY {
            word[index] = UInt8(ascii: "y")
        }
    }

    // MARK: Letters and regions

    private static let consonantY = UInt8(ascii: "Y")

    private static func isVowel(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
            UInt8(ascii: "u"), UInt8(ascii: "y"):
            true
        default: false
        }
    }

    private mutating func markConsonantY() {
        for index in word.indices where word[index] == UInt8(ascii: "y") {
            if index == 0 || Stemmer.isVowel(word[index - 1]) { word[index] = Stemmer.consonantY }
        }
    }

    private mutating func findRegions() {
        first = word.count
        let head = Letters.pack(word.prefix(8))
        let spare = max(0, 8 - word.count)
        if let prefix = Stemmer.longPrefixes.first(where: { prefix in
            let rest = 8 - spare - prefix.count
            return rest >= 0 && head >> UInt64(8 * rest) == prefix.packed
        }) {
            first = prefix.count
        } else {
            first = regionStart(from: 0)
        }
        second = regionStart(from: first)
    }

    /// After the first consonant that follows a vowel.
    private func regionStart(from start: Int) -> Int {
        var index = start + 1
        while index < word.count {
            if !Stemmer.isVowel(word[index]), Stemmer.isVowel(word[index - 1]) { return index + 1 }
            index += 1
        }
        return word.count
    }

    private func hasVowel(before end: Int) -> Bool { word[..<end].contains(where: Stemmer.isVowel) }

    /// Whether the letters before `end` close with a short syllable.
    private func isShortSyllable(before end: Int) -> Bool {
        guard end >= 2, !Stemmer.isVowel(word[end - 1]), Stemmer.isVowel(word[end - 2]) else {
            return false
        }
        if end == 2 { return true }
        let last = word[end - 1]
        return !Stemmer.isVowel(word[end - 3]) && last != UInt8(ascii: "w")
            && last != UInt8(ascii: "x") && last != Stemmer.consonantY
    }

    private mutating func replace(_ count: Int, with text: String) {
        word.removeLast(count)
        word.append(contentsOf: text.utf8)
    }

    // MARK: The steps, in the order of the algorithm

    /// 1a
    private mutating func removePlural() {
        guard let last = word.last, last == UInt8(ascii: "s") || last == UInt8(ascii: "d") else {
            return
        }
        if has("sses") {
            word.removeLast(2)
        } else if has("ied") || has("ies") {
            word.removeLast(word.count > 4 ? 2 : 1)
        } else if last == UInt8(ascii: "s"), !has("us"), !has("ss"),
            hasVowel(before: word.count - 2)
        {
            word.removeLast()
        }
    }

    /// 1b
    private mutating func removePastAndProgressive() {
        guard ends(inOneOf: "dgy") else { return }
        for suffix in Stemmer.presentEndings where has(suffix) {
            if word.count - suffix.count >= first { replace(suffix.count, with: "ee") }
            return
        }
        for suffix in Stemmer.pastEndings where has(suffix) {
            let end = word.count - suffix.count
            guard hasVowel(before: end) else { return }
            word.removeLast(suffix.count)
            if has("at") || has("bl") || has("iz") {
                word.append(UInt8(ascii: "e"))
            } else if endsInDouble {
                word.removeLast()
            } else if first >= word.count, isShortSyllable(before: word.count) {
                word.append(UInt8(ascii: "e"))
            }
            return
        }
    }

    private var endsInDouble: Bool {
        guard word.count > 1, let last = word.last, last == word[word.count - 2],
            "bdfgmnprt".utf8.contains(last)
        else { return false }
        // `egg`, `add`, `off` keep both letters.
        return !(word.count == 3 && "aeo".utf8.contains(word[0]))
    }

    /// 1c
    private mutating func replaceFinalY() {
        guard word.count > 2, let last = word.last,
            last == UInt8(ascii: "y") || last == Stemmer.consonantY,
            !Stemmer.isVowel(word[word.count - 2])
        else { return }
        word[word.count - 1] = UInt8(ascii: "i")
    }

    /// 2
    private mutating func shortenSuffixes() {
        guard ends(inOneOf: "lnsmirt") else { return }
        let tail = tail
        for (suffix, shorter) in Stemmer.secondStep where tail & suffix.mask == suffix.packed {
            let end = word.count - suffix.count
            guard end >= first else { return }
            switch suffix.text {
            case "ogi" where end == 0 || word[end - 1] != UInt8(ascii: "l"): return
            case "li" where end == 0 || !"cdeghkmnrt".utf8.contains(word[end - 1]): return
            default: replace(suffix.count, with: shorter)
            }
            return
        }
    }

    /// 3
    private mutating func shortenMoreSuffixes() {
        guard ends(inOneOf: "leis") else { return }
        let tail = tail
        for (suffix, shorter) in Stemmer.thirdStep where tail & suffix.mask == suffix.packed {
            let end = word.count - suffix.count
            guard end >= (suffix.text == "ative" ? second : first) else { return }
            replace(suffix.count, with: shorter)
            return
        }
    }

    /// 4
    private mutating func removeSuffixes() {
        guard ends(inOneOf: "temisnlrc") else { return }
        let tail = tail
        for suffix in Stemmer.fourthStep where tail & suffix.mask == suffix.packed {
            let end = word.count - suffix.count
            guard end >= second else { return }
            if suffix.text == "ion", end == 0 || !"st".utf8.contains(word[end - 1]) { return }
            word.removeLast(suffix.count)
            return
        }
    }

    /// 5
    private mutating func removeFinalLetter() {
        guard let last = word.last else { return }
        let end = word.count - 1
        if last == UInt8(ascii: "e") {
            if end >= second || (end >= first && !isShortSyllable(before: end)) {
                word.removeLast()
            }
        } else if last == UInt8(ascii: "l"), end >= second, end > 0,
            word[end - 1] == UInt8(ascii: "l")
        {
            word.removeLast()
        }
    }

    /// Most words end here: looking at every suffix of a table costs more than all the rest.
    private func ends(inOneOf letters: String) -> Bool {
        word.last.map(letters.utf8.contains) == true
    }

    private func has(_ suffix: Letters) -> Bool {
        tail & suffix.mask == suffix.packed
    }

    /// The last eight letters.
    private var tail: UInt64 {
        var packed: UInt64 = 0
        for index in max(0, word.count - 8)..<word.count {
            packed = packed << 8 | UInt64(word[index])
        }
        return packed
    }

    // MARK: Tables

    private static let presentEndings: [Letters] = ["eedly", "eed"]
    private static let pastEndings: [Letters] = ["ingly", "edly", "ing", "ed"]

    private static let longPrefixes: [Letters] = [
        "gener", "commun", "arsen", "past", "univers", "later", "emerg", "organ", "inter",
    ]

    private static let fixed: [UInt64: String] = {
        var table: [UInt64: String] = [:]
        for pair in [
            "skis ski", "skies sky", "dying die", "lying lie", "tying tie", "idly idl",
            "gently gentl", "ugly ugli", "early earli", "only onli", "singly singl", "sky sky",
            "news news", "howe howe", "atlas atlas", "cosmos cosmos", "bias bias", "andes andes",
        ] {
            let words = pair.split(separator: " ")
            table[Letters.pack(words[0].utf8)] = String(words[1])
        }
        return table
    }()

    private static let fixedAfterPlural: Set<UInt64> = Set(
        [
            "inning", "outing", "evening", "canning", "herring", "earring", "proceed", "exceed",
            "succeed",
        ].map { Letters.pack($0.utf8) })

    /// Longest first, so that the first that fits is the one meant.
    private static let secondStep: [(Letters, String)] = [
        ("ational", "ate"), ("ization", "ize"), ("fulness", "ful"), ("ousness", "ous"),
        ("iveness", "ive"), ("tional", "tion"), ("biliti", "ble"), ("lessli", "less"),
        ("entli", "ent"), ("ogist", "og"), ("ation", "ate"), ("alism", "al"), ("aliti", "al"),
        ("ousli", "ous"),
        ("iviti", "ive"), ("fulli", "ful"), ("enci", "ence"), ("anci", "ance"), ("abli", "able"),
        ("izer", "ize"), ("ator", "ate"), ("alli", "al"), ("bli", "ble"), ("ogi", "og"), ("li", ""),
    ]

    private static let thirdStep: [(Letters, String)] = [
        ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"),
        ("ative", ""), ("ical", "ic"), ("ness", ""), ("ful", ""),
    ]

    private static let fourthStep: [Letters] = [
        "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
        "ive", "ize", "ion", "al", "er", "ic",
    ]
}
