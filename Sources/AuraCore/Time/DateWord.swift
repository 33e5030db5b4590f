/// What a word can mean in a date. A language is a table from words to these.
enum DateWord: Equatable {
    case none
    /// A short one (`sat`, `sun`) may be another word and needs support around it.
    case weekday(Weekday, isShort: Bool)
    /// `Mondays`
    case weekdays(Weekday)
    /// `Freitagabend`
    case weekdayPart(Weekday, DayPart)
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
    case on, at, `in`, by, of, from, to, until, before, after, since, between, and, or, within
    case ago, hence, rest
    /// Stands before the amount: `hace tres días`.
    case agoLead
    /// `later this week`, and after an amount as much as `hence`.
    case later, earlier
    /// `so far this year`, `year to date`: up to now.
    case soFar
    /// `all week`
    case whole
    /// `about`, `circa`: what follows is meant roughly.
    case about
    /// `for nine`, `for two hours`
    case `for`
    case more
    /// `not Thursday`
    case not
    /// `nearest`
    case closest
    /// The fourth of an hour where a language does not call it as it calls that of a year.
    case quarterHour
    /// `tres menos cuarto`
    case minus
    case hundred, thousand
    /// From today on, as soon as can be.
    case soon
    /// Hours and minutes ahead of UTC, as seconds, or a zone by its name in the system.
    case zone(Int)
    case zoneNamed(String)
    /// Spring 0 to winter 3. One whose name is also something else is no season alone.
    case season(Int, standsAlone: Bool)
    /// Monday to Friday: `every weekday`, `working week`.
    case workday
    case working
    /// `calendar year`, `month of March`: changes nothing.
    case calendar
    case school
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
    /// Monday to Friday.
    case workday
    /// A weekend, counted as a unit: `two weekends ago`.
    case weekend
    case season
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

extension DateWord {
    /// A name or a unit: a word that belongs to dates and to little else.
    var isTelling: Bool {
        switch self {
        case .weekday, .weekdays, .weekdayPart, .month, .unit, .day, .tonight, .part, .noon,
            .midnight, .oClock,
            .weekend, .repeats, .holiday, .season, .every, .workday, .which:
            true
        default: false
        }
    }
}
