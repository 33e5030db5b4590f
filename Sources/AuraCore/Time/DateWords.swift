/// What a word can mean in a date. A language is a table from words to these.
enum DateWord: Equatable {
    case none
    /// A short one (`sat`, `sun`) may be another word and needs support around it.
    case weekday(Weekday, isShort: Bool)
    /// `Mondays`
    case weekdays(Weekday)
    /// A month whose name is nothing else may stand alone; `may` and `April` may not.
    case month(Int, standsAlone: Bool)
    case unit(DateUnit)
    case number(Int)
    case ordinal(Int)
    /// The ordinal, or the sixtieth of a minute.
    case second
    case ordinalSuffix
    /// `couple` 2, `few` 3
    case amount(Int)
    case half
    /// Days from today.
    case day(Int)
    case now
    case tonight
    /// `this` 0, `next` 1, `last` -1
    case which(Int)
    /// `coming`: the next one from today on.
    case coming
    case following
    case past
    case part(DayPart)
    case noon, midnight, mid
    case morningMark, afternoonMark
    case oClock
    case weekend
    case edge(DateEdge)
    case early, late
    case every, other
    /// `weekly`
    case repeats(DateUnit)
    /// `EOM`, `EOD`
    case endOf(DateUnit)
    case the, a
    case on, at, `in`, by, of, from, to, until, before, after, since, between, and, within
    case ago, hence, rest
    /// A word that makes `16:10` something other than a time.
    case ratio
    /// `q` before 1 to 4, `h` before 1 and 2.
    case quarterMark, halfMark
    /// The first word of a holiday's name, and nothing else.
    case holiday
    /// `starting`, `beginning` as in `starting Monday`
    case starting
}

/// The parts of a calendar that a date can count.
enum DateUnit: Equatable {
    case second, minute, hour, day, week, fortnight, month, quarter, year, decade, century
}

enum DateEdge: Equatable { case start, middle, end }

/// A stretch of the day with a name. The hours are those of the Recognizers-Text conventions.
enum DayPart: Equatable {
    case morning, lunch, afternoon, evening, night, day

    var minutes: Range<Int> {
        switch self {
        case .morning: 480..<720
        case .lunch: 660..<780
        case .afternoon: 720..<960
        case .evening: 960..<1200
        case .night: 1200..<1440
        case .day: 480..<1080
        }
    }
}

/// The words of one language.
struct DateWords: Sendable {
    private let meanings: [String: DateWord]
    private let holidays: [String: Holiday]
    /// The first words of all holidays, with the number of words of the longest that begins so.
    private let holidayLengths: [String: Int]
    /// Words that may stand between a date and the one that takes its place: `scratch that`.
    let corrections: Set<String>
    /// Of those, the words that make it one.
    let correctionKeys: Set<String>

    subscript(word: String) -> DateWord { meanings[word] ?? .none }

    private init(
        meanings: [String: DateWord], holidays: [String: Holiday], corrections: Set<String>,
        correctionKeys: Set<String>
    ) {
        var meanings = meanings
        var lengths: [String: Int] = [:]
        for name in holidays.keys {
            let words = name.split(separator: " ")
            let first = String(words[0])
            lengths[first] = max(lengths[first] ?? 0, words.count)
            // `father's` begins one as `fathers` does.
            for spelling in [first, "\(first.dropLast())'s"] where meanings[spelling] == nil {
                meanings[spelling] = .holiday
            }
        }
        self.meanings = meanings
        self.holidays = holidays
        holidayLengths = lengths
        self.corrections = corrections
        self.correctionKeys = correctionKeys
    }

    /// How many words the longest holiday has that begins with the word; 0 for none.
    func longestHoliday(from word: String) -> Int { holidayLengths[word] ?? 0 }

    /// The holiday of that name; words are parted by single blanks and have no apostrophes.
    func holiday(named name: String) -> Holiday? { holidays[name] }

    static let english = DateWords(
        meanings: englishMeanings, holidays: Holiday.english,
        corrections: [
            "scratch", "that", "no", "wait", "sorry", "i", "mean", "meant", "rather", "actually",
            "make", "it", "correction", "hang", "hold", "on", "instead", "um", "uh", "er", "oh",
            "well", "let's", "say", "strike", "or", "at", "by", "the", "better", "for",
        ],
        correctionKeys: [
            "scratch", "no", "wait", "sorry", "mean", "meant", "rather", "actually", "correction",
            "strike",
        ])

    private static let englishMeanings: [String: DateWord] = {
        var table: [String: DateWord] = [:]
        func add(_ words: String, _ meaning: DateWord) {
            for word in words.split(separator: " ") { table[String(word)] = meaning }
        }
        for (weekday, short) in zip(
            Weekday.allCases,
            ["mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat", "sun"])
        {
            let name = weekday.name.lowercased()
            add("\(name) \(name)'s", .weekday(weekday, isShort: false))
            add("\(name)s", .weekdays(weekday))
            add(short, .weekday(weekday, isShort: true))
        }
        let months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september",
            "october", "november", "december",
        ]
        for (index, name) in months.enumerated() {
            let standsAlone = !["march", "april", "may", "june", "august"].contains(name)
            add("\(name) \(name)'s", .month(index + 1, standsAlone: standsAlone))
            if name != "may" { add(String(name.prefix(3)), .month(index + 1, standsAlone: false)) }
        }
        add("sept", .month(9, standsAlone: false))
        let numbers = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen",
        ]
        for (index, name) in numbers.enumerated() { add(name, .number(index)) }
        let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        for (index, name) in tens.enumerated() { add(name, .number(index * 10 + 20)) }
        let ordinals = [
            "first", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
            "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
            "seventeenth", "eighteenth", "nineteenth", "twentieth",
        ]
        for (index, name) in ordinals.enumerated() { add(name, .ordinal(index + 1)) }
        add("thirtieth", .ordinal(30))
        add("st nd rd th", .ordinalSuffix)
        add("second", .second)
        add("couple pair", .amount(2))
        add("few", .amount(3))
        add("half", .half)

        add("secs sec seconds", .unit(.second))
        add("minute minutes min mins minute's", .unit(.minute))
        add("hour hours hr hrs hour's", .unit(.hour))
        add("day days day's", .unit(.day))
        add("week weeks wk wks week's", .unit(.week))
        add("fortnight fortnights", .unit(.fortnight))
        add("month months month's", .unit(.month))
        add("quarter quarters qtr quarter's", .unit(.quarter))
        add("year years yr yrs year's", .unit(.year))
        add("decade decades", .unit(.decade))
        add("century centuries", .unit(.century))

        add("today today's", .day(0))
        add("tomorrow tomorrow's tmrw tmr", .day(1))
        add("yesterday yesterday's", .day(-1))
        add("now", .now)
        add("tonight tonite tonight's", .tonight)
        add("this current", .which(0))
        add("next", .which(1))
        add("last previous", .which(-1))
        add("coming upcoming", .coming)
        add("following", .following)
        add("past", .past)

        add("morning mornings", .part(.morning))
        add("lunch lunchtime", .part(.lunch))
        add("afternoon afternoons", .part(.afternoon))
        add("evening evenings", .part(.evening))
        add("night nights", .part(.night))
        add("daytime", .part(.day))
        add("noon midday noonish", .noon)
        add("midnight", .midnight)
        add("mid middle", .edge(.middle))
        add("start beginning", .edge(.start))
        add("end close", .edge(.end))
        add("early", .early)
        add("late", .late)
        add("am", .morningMark)
        add("pm", .afternoonMark)
        add("o'clock oclock", .oClock)
        add("weekend weekends week-end wkend", .weekend)
        add("every each", .every)
        add("other", .other)
        add("daily everyday", .repeats(.day))
        add("weekly", .repeats(.week))
        add("fortnightly", .repeats(.fortnight))
        add("monthly", .repeats(.month))
        add("quarterly", .repeats(.quarter))
        add("yearly annually", .repeats(.year))
        add("eod cob", .endOf(.day))
        add("eow", .endOf(.week))
        add("eom", .endOf(.month))
        add("eoy", .endOf(.year))

        add("q", .quarterMark)
        add("h", .halfMark)
        add("starting", .starting)
        add("the", .the)
        add("a an", .a)
        add("on", .on)
        add("at", .at)
        add("in", .in)
        add("by", .by)
        add("of", .of)
        add("from", .from)
        add("to", .to)
        add("until till til through thru", .until)
        add("before", .before)
        add("after", .after)
        add("since", .since)
        add("between", .between)
        add("and", .and)
        add("within", .within)
        add("ago", .ago)
        add("hence later", .hence)
        add("rest remainder", .rest)
        add("ratio odds score aspect verse scale john luke matthew psalm genesis exodus", .ratio)
        return table
    }()
}
