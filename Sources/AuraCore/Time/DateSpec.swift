/// Which day or days a text names, before it is known what day it is.
indirect enum DaySpec: Equatable {
    /// Days from today.
    case relative(Int)
    case date(year: Int?, month: Int, day: Int, weekday: Weekday?)
    /// `the 20th`
    case dayOfMonth(Int, weekday: Weekday?)
    case month(Int, year: Int?)
    /// `next March`
    case monthShifted(Int, by: Int)
    /// `March of next year`
    case monthOfYear(Int, shift: Int)
    case year(Int)
    case quarter(Int, year: Int?)
    /// The first or second half of a year.
    case halfYear(Int, year: Int?)
    /// The ten years from this one on.
    case decade(Int)
    case weekNumber(Int, year: Int?)
    /// With a shift the one before or after today, in no particular year.
    case holiday(Holiday, year: Int?, shift: Int?)
    /// `Labor Day of last year`
    case holidayIn(Holiday, DaySpec)
    /// `the second closest Christmas to today`
    case closest(Int, Holiday, to: DaySpec)
    /// The weekend that the day is on or beside.
    case weekendOf(DaySpec)
    /// From spring 0 to winter 3; with a shift the one before, of or after today.
    case season(Int, year: Int?, shift: Int?)
    /// `this season`
    case seasonShifted(Int)
    /// The next such day, or with a shift the one in this, the next or the last week.
    case weekday(Weekday, shift: Int?)
    /// This, the next, the last week, month …
    case unit(DateUnit, shift: Int)
    case weekend(shift: Int)
    /// The first of such days that comes, today included.
    case soonest([Weekday])
    /// The next such weekday that is the n-th of its month, today included; -1 is the last.
    case nextNthWeekday(Int, Weekday)
    /// `past Wednesday`: the last one before today.
    case weekdayBack(Weekday)
    /// `in three days on Friday`: the one nearest to a day.
    case weekdayNear(Weekday, DaySpec)
    /// `the third Tuesday after Christmas`, `the Friday before Easter`
    case nthWeekdayFrom(Int, Weekday, DaySpec, isBack: Bool)
    /// `Monday of next week`
    case weekdayIn(Weekday, DaySpec)
    /// `two weeks after Monday`; without a day, after today.
    case moved([Amount], from: DaySpec?, isBack: Bool)
    /// `the next three days`: days that follow today or come before it.
    case run(Int, DateUnit, isBack: Bool)
    /// From today to the end of the amount.
    case within([Amount])
    /// `the first Monday of March`; -1 is the last.
    case nthWeekday(Int, Weekday, in: DaySpec)
    case nthUnit(Int, DateUnit, in: DaySpec)
    case nthWeekend(Int, in: DaySpec)
    case edge(DateEdge, of: DaySpec)
    case restOf(DateUnit)
    /// From the beginning of the period to today.
    case soFar(DateUnit)
    /// `late March`: the first or the second half.
    case half(DateEdge, of: DaySpec)
    /// Monday to Friday of a week.
    case workingWeek(shift: Int)
    /// `two weeks starting Monday`
    case length([Amount], from: DaySpec)
    case range(DaySpec, DaySpec)

    struct Amount: Equatable {
        var count: Double
        var unit: DateUnit
    }
}

/// Which time of the day a text names.
indirect enum TimeSpec: Equatable {
    case clock(ClockSpec)
    case part(DayPart)
    case range(TimeSpec, TimeSpec)
    /// `in two hours`: so long from now.
    case shifted([DaySpec.Amount], isBack: Bool)
    /// `the next two hours`, `the last ten minutes`
    case run([DaySpec.Amount], isBack: Bool)
    case now
}

/// A time as a clock has it, with what was said about the half of the day.
struct ClockSpec: Equatable {
    enum Half: Equatable {
        /// Half a day was not named and both are possible.
        case open
        case morning, afternoon
        /// Written in 24 hours.
        case exact
    }

    var hour: Int
    var minute: Int
    var second: Int?
    var half: Half
    var hasMinutes: Bool

    /// A number after the clock belongs to what follows it: `15 Uhr 3 Leute`.
    func isTied(to next: DateWord) -> Bool {
        switch next {
        case .unit, .month, .ordinalSuffix: true
        default: false
        }
    }

    /// Minutes after midnight; for an open half, those of the morning.
    var minutes: Int {
        switch half {
        case .open, .exact: hour * 60 + minute
        case .morning: hour % 12 * 60 + minute
        case .afternoon: (hour % 12 + 12) * 60 + minute
        }
    }
}

/// Everything one phrase says.
struct PhraseSpec: Equatable {
    var day: DaySpec?
    var time: TimeSpec?
    var part: DayPart?
    var partEdge: DateEdge?
    /// How long it lasts: `from 2 pm for two hours`.
    var length: [DaySpec.Amount] = []
    var isByWord = false
    var openSide: DatePhrase.OpenSide?
    /// `since Monday` begins with it; `after Monday` does not.
    var isInclusive = false
    /// The day was said before the time.
    var dayLeads = false
    /// The other end, where both ends have a day and a time. One or none.
    var until: [PhraseSpec] = []
    /// The zone that the time is in.
    var zone: ZoneName?
    var recurrence: String?
    /// A past that the words themselves say: `ago`, `yesterday`.
    var isPast = false
    /// `since Monday` is the Monday gone by, whichever way the text is read.
    var looksBack = false
}

/// A zone as a text names it.
enum ZoneName: Equatable {
    /// Seconds ahead of UTC.
    case fixed(Int)
    /// By its name in the system.
    case named(String)
}
