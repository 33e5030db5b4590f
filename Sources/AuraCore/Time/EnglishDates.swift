extension DateLanguage {
    package static let english = DateLanguage(
        code: .en, meanings: englishMeanings, holidays: Holiday.english,
        habits: Habits(
            corrections: [
                "scratch", "that", "no", "wait", "sorry", "i", "mean", "meant", "rather",
                "actually", "make", "it", "correction", "hang", "hold", "on", "instead", "um", "uh",
                "er", "oh", "well", "let's", "say", "strike", "or", "at", "by", "the", "better",
                "for",
            ],
            correctionKeys: [
                "scratch", "no", "wait", "sorry", "mean", "meant", "rather", "actually",
                "correction", "strike",
            ],
            clauseWords: [
                "i", "we", "you", "he", "she", "they", "it", "then", "please", "sharp", "because",
                "when", "if", "but", "or", "so", "with", "my", "our", "your", "his", "her", "their",
                "as", "is", "was", "will", "and", "local", "prompt", "latest", "works", "suits",
            ],
            endings: ["ends", "closes"],
            countedWords: [
                "percent", "per", "km", "mph", "kmh", "kg", "people", "point", "euro", "pound",
                "dollar", "feet", "foot", "mile", "metre", "meter", "time", "different", "more",
                "or", "grand", "k",
            ],
            otherWords: ["may", "march", "mar", "dec", "jan"], plainHolidays: ["lent", "tet"]))

    private static let englishMeanings: [String: DateWord] = {
        var words = DateMeanings()
        addEnglishCalendar(&words)
        addEnglishNumbers(&words)
        addEnglishDays(&words)
        addEnglishGrammar(&words)
        return words.table
    }()

    private static func addEnglishCalendar(_ words: inout DateMeanings) {
        for (weekday, short) in zip(
            Weekday.allCases,
            ["mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat", "sun"])
        {
            let name = weekday.name.lowercased()
            words.add("\(name) \(name)'s", .weekday(weekday, isShort: false))
            words.add("\(name)s", .weekdays(weekday))
            words.add(short, .weekday(weekday, isShort: true))
        }
        for (index, name) in Month.names.map({ $0.lowercased() }).enumerated() {
            let standsAlone = !["march", "april", "may", "june", "august"].contains(name)
            words.add("\(name) \(name)'s", .month(index + 1, standsAlone: standsAlone))
            if name != "may" {
                words.add(String(name.prefix(3)), .month(index + 1, standsAlone: false))
            }
        }
        words.add("sept", .month(9, standsAlone: false))
        words.add("spring", .season(0, standsAlone: false))
        words.add("summer summers summertime", .season(1, standsAlone: true))
        words.add("autumn fall", .season(2, standsAlone: false))
        words.add("winter wintertime", .season(3, standsAlone: true))

        words.add("secs sec seconds", .unit(.second))
        words.add("minute minutes min mins minute's", .unit(.minute))
        words.add("hour hours hr hrs hour's", .unit(.hour))
        words.add("day days day's", .unit(.day))
        words.add("week weeks wk wks week's", .unit(.week))
        words.add("fortnight fortnights", .unit(.fortnight))
        words.add("month months month's", .unit(.month))
        words.add("quarter quarters qtr quarter's", .unit(.quarter))
        words.add("year years yr yrs year's", .unit(.year))
        words.add("decade decades", .unit(.decade))
        words.add("century centuries", .unit(.century))
        words.add("season seasons", .unit(.season))
        words.add("weekday weekdays workday workdays", .workday)
        words.add(
            "business_day business_days working_day working_days work_day work_days",
            .workday)
        words.add("working workday's", .working)
        words.add("calendar", .calendar)
        words.add("weekend weekends week-end wkend week_end", .weekend)
    }

    private static func addEnglishNumbers(_ words: inout DateMeanings) {
        words.addInOrder(
            [
                "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
                "seventeen", "eighteen", "nineteen",
            ]) { .number($0) }
        words.addInOrder(
            ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], from: 2
        ) { .number($0 * 10) }
        words.addInOrder(
            [
                "first", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
                "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth",
                "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
            ], from: 1
        ) { .ordinal($0) }
        words.add("thirtieth", .ordinal(30))
        words.add("st nd rd th", .ordinalSuffix)
        words.add("second", .second)
        words.add("hundred", .hundred)
        words.add("thousand", .thousand)
        words.add("couple pair", .amount(2))
        words.add("few several", .amount(3))
        words.add("half", .half)
    }

    private static func addEnglishDays(_ words: inout DateMeanings) {
        words.add("today today's", .day(0))
        words.add("tomorrow tomorrow's tmrw tmr tomorow tommorow", .day(1))
        words.add("yesterday yesterday's", .day(-1))
        words.add("now", .now)
        words.add("right_now at_the_moment at_present at_the_present_time just_now", .soon)
        words.add("asap as_soon_as_possible", .soon)
        words.add("tonight tonite tonight's", .tonight)
        words.add("this current same", .which(0))
        words.add("next", .which(1))
        words.add("last previous", .which(-1))
        words.add("coming upcoming", .coming)
        words.add("following", .following)
        words.add("past", .past)

        words.add("morning mornings", .part(.morning))
        words.add("lunch lunchtime lunch_time", .part(.lunch))
        words.add("afternoon afternoons", .part(.afternoon))
        words.add("evening evenings", .part(.evening))
        words.add("night nights", .part(.night))
        words.add("daytime", .part(.day))
        words.add("noon midday noonish", .noon)
        words.add("midnight mid_night", .midnight)
        words.add("mid middle", .edge(.middle))
        words.add("start beginning", .edge(.start))
        words.add("end close", .edge(.end))
        words.add("early", .early)
        words.add("late", .late)
        words.add("later", .later)
        words.add("earlier", .earlier)
        words.add("am", .morningMark)
        words.add("pm", .afternoonMark)
        words.add("o'clock oclock", .oClock)
        words.add("every each", .every)
        words.add("other", .other)
        words.add("daily everyday", .repeats(.day))
        words.add("weekly", .repeats(.week))
        words.add("fortnightly biweekly", .repeats(.fortnight))
        words.add("monthly", .repeats(.month))
        words.add("quarterly", .repeats(.quarter))
        words.add("yearly annually", .repeats(.year))
        words.add("eod cob", .endOf(.day))
        words.add("eow", .endOf(.week))
        words.add("eom", .endOf(.month))
        words.add("eoq", .endOf(.quarter))
        words.add("eoy", .endOf(.year))
        words.add("q", .quarterMark)
        words.add("h", .halfMark)
        addZones(&words)
    }

    /// Abbreviations that are the same in every language.
    static func addZones(_ words: inout DateMeanings) {
        for (names, hours) in [
            ("gmt utc", 0.0), ("bst cet mez wat", 1), ("cest mesz eet sast", 2), ("eest msk", 3),
            ("ist", 5.5), ("sgt awst", 8), ("jst kst", 9), ("aest", 10), ("aedt", 11), ("nzst", 12),
            ("nzdt", 13), ("est", -5), ("edt", -4), ("cst", -6), ("cdt", -5), ("mst", -7),
            ("mdt", -6), ("pst", -8), ("pdt", -7), ("akst", -9), ("hst", -10),
        ] {
            words.add(names, .zone(Int(hours * 3600)))
        }
        words.add("et", .zoneNamed("America/New_York"))
        words.add("ct", .zoneNamed("America/Chicago"))
        words.add("pt", .zoneNamed("America/Los_Angeles"))
    }

    private static func addEnglishGrammar(_ words: inout DateMeanings) {
        words.add("starting", .starting)
        words.add("the", .the)
        words.add("a an", .a)
        words.add("on", .on)
        words.add("at", .at)
        words.add("in during", .in)
        words.add("by", .by)
        words.add("of", .of)
        words.add("from", .from)
        words.add("to", .to)
        words.add("until till til through thru", .until)
        words.add("before", .before)
        words.add("earlier_than", .before)
        words.add("no_later_than not_later_than", .by)
        words.add("after later_than", .after)
        words.add("since", .since)
        words.add("between in_between", .between)
        words.add("and", .and)
        words.add("or", .or)
        words.add("within", .within)
        words.add("ago", .ago)
        words.add("hence", .hence)
        words.add("rest remainder remaining", .rest)
        words.add("all whole entire", .whole)
        words.add("about around approximately circa roughly", .about)
        words.add("for", .for)
        words.add("more", .more)
        words.add("not", .not)
        words.add("closest nearest", .closest)
        words.add(
            "ratio odds score aspect verse scale john luke matthew psalm genesis exodus", .ratio)
    }
}
