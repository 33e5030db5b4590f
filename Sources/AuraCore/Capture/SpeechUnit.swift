/// A day, time, number or name in dictated text: what only one of its own kind may replace.
struct SpeechUnit: Equatable {
    enum Kind: Equatable {
        /// A weekday, `tomorrow`, `next week`.
        case day
        /// A month with a day of it: `March 3rd`, `the 3rd of March`.
        case date
        /// `3rd`, `third`: a day of a month, or a place in a row.
        case ordinal
        case month, time, number, name
        /// One of a few words of its kind: a colour, a side, a meal, a relative.
        case choice(Int)
    }

    var kind: Kind
    /// Without preposition and article.
    var range: Range<Int>

    /// Whether `other` can stand where this stands.
    func takes(_ other: SpeechUnit) -> Bool {
        switch (kind, other.kind) {
        case (.day, .day), (.day, .date), (.day, .ordinal), (.date, .date), (.date, .day): true
        case (.ordinal, .ordinal), (.ordinal, .date), (.ordinal, .day), (.month, .month): true
        case (.time, .time), (.time, .number), (.number, .number), (.name, .name): true
        case (.number, .time): true
        case (.choice(let group), .choice(let other)): group == other
        default: false
        }
    }

    // MARK: Reading

    /// The unit that begins with exactly this word; nil when none does. The words of a unit have no
    /// signs between them.
    static func read(at start: Int, in words: [SpeechWord]) -> SpeechUnit? {
        if let end = endOfDate(at: start, in: words) { return unit(.date, start, end) }
        if let end = endOfDay(at: start, in: words) { return unit(.day, start, end) }
        if let end = endOfTime(at: start, in: words) { return unit(.time, start, end) }
        let word = words[start]
        if isMonth(at: start, in: words) { return unit(.month, start, start + 1) }
        if isOrdinal(at: start, in: words) { return unit(.ordinal, start, start + 1) }
        if let end = endOfNumber(at: start, in: words) { return unit(.number, start, end) }
        if let group = choices.firstIndex(where: { $0.contains(word.key) }) {
            return unit(.choice(group), start, start + 1)
        }
        guard isName(at: start, in: words) else { return nil }
        var end = start + 1
        var last = word
        while end < words.count, !last.hasPause || isTitle(last), end - start < 4,
            isName(words[end])
        {
            last = words[end]
            end += 1
        }
        return unit(.name, start, end)
    }

    /// All units of a stretch, in order. Linear in its length.
    static func all(in words: [SpeechWord], _ range: Range<Int>) -> [SpeechUnit] {
        var units: [SpeechUnit] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if let unit = read(at: index, in: words), unit.range.upperBound <= range.upperBound {
                units.append(unit)
                index = unit.range.upperBound
            } else {
                index += 1
            }
        }
        return units
    }

    private static func unit(_ kind: Kind, _ start: Int, _ end: Int) -> SpeechUnit {
        SpeechUnit(kind: kind, range: start..<end)
    }

    /// The folded word at `index` where no sign parts it from the word before; else an empty text.
    private static func key(_ index: Int, _ words: [SpeechWord]) -> String {
        index < words.count && !words[index - 1].hasPause ? words[index].key : ""
    }

    private static func endOfDate(at start: Int, in words: [SpeechWord]) -> Int? {
        let first = words[start].key
        var end: Int?
        if months.contains(first) {
            let next = key(start + 1, words)
            if isDayNumber(next) {
                end = start + 2
            } else if next == "the", ordinals.contains(key(start + 2, words)) {
                end = start + 3
            }
        } else if isDayNumber(first) {
            if months.contains(key(start + 1, words)) {
                end = start + 2
            } else if key(start + 1, words) == "of", months.contains(key(start + 2, words)) {
                end = start + 3
            }
        }
        guard let end else { return nil }
        let year = key(end, words)
        return year.utf8.count == 4 && year.utf8.allSatisfy(isDigit) ? end + 1 : end
    }

    private static func endOfDay(at start: Int, in words: [SpeechWord]) -> Int? {
        let first = words[start].key
        var end = start
        if whichDay.contains(first) {
            let next = key(start + 1, words)
            guard weekdays.contains(next) || stretches.contains(next) else { return nil }
            end = start + 2
        } else if weekdays.contains(first) || relativeDays.contains(first) {
            end = start + 1
        } else {
            return nil
        }
        return partsOfDay.contains(key(end, words)) ? end + 1 : end
    }

    private static func endOfTime(at start: Int, in words: [SpeechWord]) -> Int? {
        let word = words[start].key
        if word == "noon" || word == "midnight" { return start + 1 }
        if word == "half" || word == "quarter", ["past", "to"].contains(key(start + 1, words)),
            start + 2 < words.count, isNumberWord(words[start + 2].key)
        {
            return start + 3
        }
        if word.utf8.first.map(isDigit) == true {
            if word.utf8.contains(0x3A) || word.hasSuffix("am") || word.hasSuffix("pm") {
                return endAfterMark(start + 1, words) ?? start + 1
            }
        }
        guard let end = endOfNumber(at: start, in: words) else { return nil }
        return endAfterMark(end, words)
    }

    /// After `a.m.`, `o'clock` or `in the morning`.
    private static func endAfterMark(_ index: Int, _ words: [SpeechWord]) -> Int? {
        timeMarks.contains(key(index, words)) ? index + 1 : nil
    }

    private static func endOfNumber(at start: Int, in words: [SpeechWord]) -> Int? {
        guard isNumber(words[start]) else { return nil }
        var end = start + 1
        while end < words.count, !words[end - 1].hasPause, end - start < 24 {
            if isNumber(words[end]) {
                end += 1
            } else if words[end].key == "and" || words[end].key == "point", end + 1 < words.count,
                !words[end].hasPause, isNumberWord(words[end + 1].key),
                words[end].key == "point" || large.contains(words[end - 1].key)
            {
                end += 2
            } else {
                break
            }
        }
        if end == start + 1, words[start].key == "one" { return isCountedOne(start, words) }
        return end
    }

    /// `at one` is a number, `the blue one` none.
    private static func isCountedOne(_ index: Int, _ words: [SpeechWord]) -> Int? {
        guard index > 0 else { return nil }
        if words[index - 1].hasPause { return index + 1 }
        return ["at", "by", "until", "around", "number", "than", "only"]
            .contains(words[index - 1].key) ? index + 1 : nil
    }

    private static func isNumber(_ word: SpeechWord) -> Bool {
        if isNumberWord(word.key) { return true }
        guard word.core.utf8.contains(where: isDigit) else { return false }
        return !ordinals.contains(word.key)
    }

    private static func isMonth(at index: Int, in words: [SpeechWord]) -> Bool {
        let key = words[index].key
        guard months.contains(key) else { return false }
        if key != "may" && key != "march" { return true }
        return words[index].isCapitalised && !words.beginsSentence(index)
            || index > 0 && beforeMonths.contains(words[index - 1].key)
    }

    private static func isOrdinal(at index: Int, in words: [SpeechWord]) -> Bool {
        let key = words[index].key
        guard ordinals.contains(key) else { return false }
        guard key == "first" || key == "second" else { return true }
        return index > 0 && words[index - 1].key == "the"
    }

    private static func isName(at index: Int, in words: [SpeechWord]) -> Bool {
        guard isName(words[index]) else { return false }
        // What begins a sentence is a name only if no common word looks like it.
        guard words.beginsSentence(index) else { return true }
        let key = words[index].key
        let base = key.utf8.prefix { $0 != 0x27 }
        if StopWords.english.contains(String(Substring(base))) || neverNames.contains(key) {
            return false
        }
        // `Ring Peter` has one name, whatever the first word may be.
        return words[index].hasPause || index + 1 == words.count || !isName(words[index + 1])
    }

    private static func isName(_ word: SpeechWord) -> Bool {
        guard word.isCapitalised, !isNumberWord(word.key), !weekdays.contains(word.key),
            !months.contains(word.key), !SpeechUnit.pronounsOfOneself.contains(word.key)
        else { return false }
        return !word.core.utf8.contains(where: isDigit)
    }

    private static func isTitle(_ word: SpeechWord) -> Bool {
        word.tail == "." && ["dr", "mr", "mrs", "ms", "prof", "st"].contains(word.key)
    }

    private static func isDayNumber(_ key: String) -> Bool {
        if ordinals.contains(key) { return true }
        guard (1...2).contains(key.utf8.count), let number = Int(key) else { return false }
        return (1...31).contains(number)
    }

    /// A weekday, a month, or `tomorrow`.
    static func isDayWord(at index: Int, in words: [SpeechWord]) -> Bool {
        let key = words[index].key
        return weekdays.contains(key) || relativeDays.contains(key) || isMonth(at: index, in: words)
    }

    static func isNumberWord(_ key: String) -> Bool {
        if numbers.contains(key) { return true }
        let parts = key.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { numbers.contains(String(Substring($0))) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

// MARK: Words

extension SpeechUnit {
    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    static let weekdays: Set<String> = {
        var all: Set<String> = []
        for day in Weekday.allCases {
            let name = day.name.lowercased()
            for ending in ["", "s", "'s"] { all.insert(name + ending) }
        }
        return all
    }()

    static let months = list(
        """
        january february march april may june july august september october november december
        """)

    static let relativeDays = list("today tomorrow yesterday tonight")
    static let whichDay = list("next last this coming")
    private static let stretches = list(
        "week month year weekend quarter morning afternoon evening spring summer autumn winter")
    private static let partsOfDay = list("morning afternoon evening night lunchtime")
    private static let timeMarks = list("am pm a.m p.m o'clock oclock")
    /// `may` and `march` after one of these are months.
    static let beforeMonths = list("in since until till by of last next from through during")

    private static let numbers = list(
        """
        zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
        ninety hundred thousand million billion dozen
        """
    ).subtracting(["oh"])
    private static let large = list("hundred thousand million")

    private static let choices = [
        list("red blue green yellow black white brown grey gray orange purple pink"),
        list("left right"), list("north south east west"), list("upstairs downstairs"),
        list("breakfast lunch dinner brunch supper"), list("small medium large"),
        list(
            """
            mum mom dad mother father brother sister aunt uncle cousin son daughter grandma grandpa
            grandmother grandfather husband wife
            """),
    ]

    private static let ordinals: Set<String> = {
        var all = list(
            """
            first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
            thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
            thirtieth
            """)
        for (tens, name) in [("20", "twenty"), ("30", "thirty")] {
            for unit in list("first second third fourth fifth sixth seventh eighth ninth") {
                if tens == "20" || unit == "first" { all.insert("\(name)-\(unit)") }
            }
        }
        for day in 1...31 {
            let ending =
                switch (day % 10, day / 10) {
                case (1, 0), (1, 2), (1, 3): "st"
                case (2, 0), (2, 2): "nd"
                case (3, 0), (3, 2): "rd"
                default: "th"
                }
            all.insert("\(day)\(ending)")
        }
        return all
    }()

    static let pronounsOfOneself = list("i i'm i've i'll i'd")

    /// Common words that begin sentences.
    private static let neverNames = list(
        """
        call meet order book buy tell ask give take send bring remind remember dinner lunch okay ok
        oh well yes yeah let let's maybe also then today tomorrow need two three put pick check get
        note idea sorry wait scratch actually correction hello hi thanks thank make pay move write
        """)

    /// Words that deny. One is never left out for anything but another.
    static let denials = list(
        """
        no not never none nothing nobody nowhere neither nor without cannot don't doesn't didn't
        isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't hasn't haven't
        hadn't needn't dont doesnt didnt isnt arent wasnt wont wouldnt cant couldnt shouldnt hasnt
        havent hadnt
        """)
}
