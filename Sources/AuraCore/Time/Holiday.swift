/// A day, or a few days, with a name instead of a date.
struct Holiday: Equatable, Sendable {
    enum Rule: Equatable, Sendable {
        case fixed(month: Int, day: Int)
        /// On a weekend it is kept on the Friday before or the Monday after.
        case observed(month: Int, day: Int)
        /// On such a weekday it is kept the day before.
        case notOn(Weekday, month: Int, day: Int)
        /// The n-th such weekday of a month, -1 the last, and days after it.
        case weekday(Int, Weekday, month: Int, plus: Int = 0)
        /// The last such weekday before a day, or the first on or after it.
        case weekdayBefore(Weekday, month: Int, day: Int)
        case weekdayFrom(Weekday, month: Int, day: Int)
        /// Days after Easter Sunday of the western churches, or of the eastern ones.
        case easter(plus: Int)
        case easternEaster(plus: Int)
        /// The evening before that date of the Hebrew calendar, as its days begin, and days after;
        /// see `HebrewCalendar`.
        case hebrew(month: Int, day: Int, plus: Int = 0)
        case islamic(month: Int, day: Int)
        case chinese(month: Int, day: Int, plus: Int = 0)
        /// The sun over Beijing comes to a longitude.
        case chineseSun(Double)
        /// A lunar day at an hour of India, and days after; see `IndianCalendar`.
        case indian(month: Int, tithi: Int, hour: Double, plus: Int = 0)
        case indianSun(sign: Int, hour: Double = 24, plus: Int = 0)
        case indianMoon(mansion: Int, sign: Int)
        /// The day for income taxes in the United States: 15 April, but on no weekend and not on the
        /// day on which the capital rests.
        case taxes
        /// Days that no rule gives, by year.
        case listed([Int: [Int]])
    }

    var first: Rule
    var days = 1
    /// The first day after it, where a number of days does not say it.
    var end: Rule?

    /// Nil in a year that has no such day.
    func start(in year: Int) -> Day? { first.day(in: year) }

    func end(from start: Day) -> Day {
        guard let end = end?.day(in: start.year) ?? end?.day(in: start.year + 1), end > start else {
            return start.adding(days: days)
        }
        return end
    }
}

extension Holiday.Rule {
    func day(in year: Int) -> Day? {
        switch self {
        case .fixed(let month, let day): return Day(year: year, month: month, day: day)
        case .observed(let month, let day):
            return Day(year: year, month: month, day: day).map { day in
                switch day.weekday {
                case .saturday: day.adding(days: -1)
                case .sunday: day.adding(days: 1)
                default: day
                }
            }
        case .notOn(let weekday, let month, let day):
            return Day(year: year, month: month, day: day).map {
                $0.weekday == weekday ? $0.adding(days: -1) : $0
            }
        case .weekday(let count, let weekday, let month, let plus):
            return Month(year: year, month: month).map {
                count > 0
                    ? $0.firstDay.next(weekday).adding(days: (count - 1) * 7 + plus)
                    : $0.dayAfter.previous(weekday).adding(days: (count + 1) * 7 + plus)
            }
        case .weekdayBefore(let weekday, let month, let day):
            return Day(year: year, month: month, day: day)?.previous(weekday)
        case .weekdayFrom(let weekday, let month, let day):
            return Day(year: year, month: month, day: day)?.next(weekday)
        case .easter(let plus): return Self.easterSunday(in: year)?.adding(days: plus)
        case .easternEaster(let plus): return Self.easternEaster(in: year)?.adding(days: plus)
        case .hebrew(let month, let day, let plus):
            // Years begin in autumn; from Nisan on they are those of the winter before.
            let hebrew = month < 7 || month > 9 ? year + 3760 : year + 3761
            let isAdar = month == 12 && HebrewCalendar.isLeap(hebrew)
            return HebrewCalendar.day(year: hebrew, month: isAdar ? 13 : month, day: day)
                .adding(days: plus - 1)
        case .islamic(let month, let day):
            return IslamicCalendar.day(in: year, month: month, day: day)
        case .chinese(let month, let day, let plus):
            return ChineseCalendar.day(year: year, month: month, day: day)?.adding(days: plus)
        case .chineseSun(let longitude): return ChineseCalendar.day(year: year, sun: longitude)
        case .indian(let month, let tithi, let hour, let plus):
            return IndianCalendar.day(in: year, month: month, tithi: tithi, hour: hour)?
                .adding(days: plus)
        case .indianSun(let sign, let hour, let plus):
            return IndianCalendar.day(in: year, sun: sign, hour: hour)?.adding(days: plus)
        case .indianMoon(let mansion, let sign):
            return IndianCalendar.day(in: year, mansion: mansion, sun: sign)
        case .taxes:
            guard var day = Day(year: year, month: 4, day: 15) else { return nil }
            let free = Self.observed(month: 4, day: 16).day(in: year)
            while day.weekday.isWeekend || day == free { day = day.adding(days: 1) }
            return day
        case .listed(let days):
            return days[year].flatMap { Day(year: year, month: $0[0], day: $0[1]) }
        }
    }

    /// The Gregorian computus of Meeus, Jones and Butcher.
    private static func easterSunday(in year: Int) -> Day? {
        let golden = year % 19
        let (century, rest) = (year / 100, year % 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let shift = (golden + 11 * epact + 22 * weekday) / 451
        let month = (epact + weekday - 7 * shift + 114) / 31
        let day = (epact + weekday - 7 * shift + 114) % 31 + 1
        return Day(year: year, month: month, day: day)
    }

    /// The Julian computus of Meeus, moved into the Gregorian calendar.
    private static func easternEaster(in year: Int) -> Day? {
        let moon = (19 * (year % 19) + 15) % 30
        let weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
        let count = moon + weekday + 114
        let shift = year / 100 - year / 400 - 2
        return Day(year: year, month: count / 31, day: count % 31 + 1)?.adding(days: shift)
    }
}

extension Day {
    /// The first such weekday on or after the day.
    func next(_ weekday: Weekday) -> Day {
        adding(days: (weekday.rawValue - self.weekday.rawValue + 7) % 7)
    }

    /// The last such weekday before the day.
    func previous(_ weekday: Weekday) -> Day {
        adding(days: -((self.weekday.rawValue - weekday.rawValue + 6) % 7 + 1))
    }
}

extension Day {
    /// So many days of Monday to Friday on.
    func adding(workdays count: Int) -> Day {
        var day = self
        for _ in 0..<min(abs(count), 10_000) {
            repeat { day = day.adding(days: count < 0 ? -1 : 1) } while day.weekday.isWeekend
        }
        return day
    }
}

extension Weekday {
    var isWeekend: Bool { self == .saturday || self == .sunday }
}
