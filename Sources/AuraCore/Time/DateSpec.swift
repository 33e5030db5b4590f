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
    case year(Int)
    case quarter(Int, year: Int?)
    /// The first or second half of a year.
    case half(Int, year: Int?)
    /// The ten years from this one on.
    case decade(Int)
    case weekNumber(Int, year: Int?)
    /// With a shift the one before or after today, in no particular year.
    case holiday(Holiday, year: Int?, shift: Int?)
    /// The next such day, or with a shift the one in this, the next or the last week.
    case weekday(Weekday, shift: Int?)
    /// This, the next, the last week, month …
    case unit(DateUnit, shift: Int)
    case weekend(shift: Int)
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
    case edge(DateEdge, of: DaySpec)
    case restOf(DateUnit)
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
    /// `in two hours`: seconds from now.
    case shifted(seconds: Int)
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
    var recurrence: String?
    /// A past that the words themselves say: `ago`, `yesterday`.
    var isPast = false
}
