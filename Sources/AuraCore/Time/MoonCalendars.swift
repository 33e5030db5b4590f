/// The Hebrew calendar by its own arithmetic.
enum HebrewCalendar {
    /// Months as they are counted from Nisan: Nisan 1, Tishri 7, Adar 12, in a leap year Adar II 13.
    ///
    /// The day on whose evening that date begins is one earlier.
    static func day(year: Int, month: Int, day: Int) -> Day {
        var count = newYear(of: year) + day - 1
        if month >= 7 {
            for earlier in 7..<month { count += length(of: earlier, in: year) }
        } else {
            for earlier in 7...months(in: year) { count += length(of: earlier, in: year) }
            for earlier in 1..<month { count += length(of: earlier, in: year) }
        }
        return Day(daysSince1970: count)
    }

    static func isLeap(_ year: Int) -> Bool { (7 * year + 1) % 19 < 7 }

    private static func months(in year: Int) -> Int { isLeap(year) ? 13 : 12 }

    private static func length(of month: Int, in year: Int) -> Int {
        let days = newYear(of: year + 1) - newYear(of: year)
        switch month {
        case 2, 4, 6, 10, 13: return 29
        case 12: return isLeap(year) ? 30 : 29
        case 8: return days % 10 == 5 ? 30 : 29
        case 9: return days % 10 == 3 ? 29 : 30
        default: return 30
        }
    }

    /// Days from 1970-01-01 to 1 Tishri.
    private static func newYear(of year: Int) -> Int {
        let (before, this, after) = (elapsed(year - 1), elapsed(year), elapsed(year + 1))
        let delay = after - this == 356 ? 2 : this - before == 382 ? 1 : 0
        return this + delay - 2_092_590
    }

    /// Days of the months that have gone by, moved so that the year begins on no forbidden weekday.
    private static func elapsed(_ year: Int) -> Int {
        let months = (235 * year - 234) / 19
        let parts = 12_084 + 13_753 * months
        let days = 29 * months + parts / 25_920
        return 3 * (days + 1) % 7 < 3 ? days + 1 : days
    }
}

/// The Islamic calendar as the new moon of Mecca sets it.
///
/// A month begins the day after the first sunset that follows the new moon; where the crescent is
/// waited for, it may begin a day later.
enum IslamicCalendar {
    /// The first such day of a year of the common calendar; it may fall into one twice.
    static func day(in year: Int, month: Int, day: Int) -> Day? {
        guard let newYear = Day(year: year, month: 1, day: 1) else { return nil }
        let first = Sky.lastNewMoon(before: Double(newYear.daysSince1970)) - 2
        for number in first...first + 16 where isMonth(month, number) {
            let day = start(number).adding(days: day - 1)
            if day.year == year { return day }
        }
        return nil
    }

    /// Muharram 1421 began with the new moon of 4 April 2000.
    private static func isMonth(_ month: Int, _ number: Int) -> Bool {
        ((number - 3 - (month - 1)) % 12 + 12) % 12 == 0
    }

    private static func start(_ number: Int) -> Day {
        // Mecca is three hours ahead of UTC.
        let moment = Sky.newMoon(number) + 0.125
        let day = Int(moment.rounded(.down))
        let isBeforeSunset = moment - Double(day) < 0.75
        return Day(daysSince1970: day + (isBeforeSunset ? 1 : 2))
    }
}

/// The Chinese calendar, by the sun and the moon over Beijing.
enum ChineseCalendar {
    /// The day of a month that is not a leap month, in the year that begins in this common year.
    static func day(year: Int, month: Int, day: Int) -> Day? {
        guard let start = Day(year: year - 1, month: 12, day: 10),
            let next = Day(year: year, month: 12, day: 10)
        else { return nil }
        let winter = Sky.sun(reaches: 270, after: Double(start.daysSince1970))
        let nextWinter = Sky.sun(reaches: 270, after: Double(next.daysSince1970))
        let first = month11(winter)
        let isLeapYear = month11(nextWinter) - first == 13
        var hasLeap = false
        var count = 10
        for number in first..<first + 14 {
            if isLeapYear, !hasLeap, !hasMajorTerm(number) {
                hasLeap = true
                continue
            }
            count += 1
            if (count - 1) % 12 + 1 == month, count > 12 {
                return Day(daysSince1970: firstDay(number) + day - 1)
            }
        }
        return nil
    }

    /// The day on which the sun has come so far: 15 at Qingming.
    static func day(year: Int, sun longitude: Double) -> Day? {
        Day(year: year, month: 1, day: 1).map {
            let time = Sky.sun(reaches: longitude, after: Double($0.daysSince1970))
            return Day(daysSince1970: local(time))
        }
    }

    /// The month in which winter begins.
    private static func month11(_ winter: Double) -> Int {
        let number = Sky.lastNewMoon(before: winter) + 1
        return firstDay(number) <= local(winter) ? number : number - 1
    }

    /// Whether the sun comes to a multiple of 30 degrees within the month.
    private static func hasMajorTerm(_ number: Int) -> Bool {
        func sign(_ day: Int) -> Int { Int(Sky.sun(at: Double(day) - 8.0 / 24) / 30) }
        return sign(firstDay(number)) != sign(firstDay(number + 1))
    }

    private static func firstDay(_ number: Int) -> Int { local(Sky.newMoon(number)) }

    private static func local(_ time: Double) -> Int { Int((time + 8.0 / 24).rounded(.down)) }
}

/// The lunar days and the months of the Indian calendars, seen from central India.
enum IndianCalendar {
    /// The day on which a lunar day holds at the hour.
    ///
    /// - Parameters:
    ///   - month: Chaitra is 1; months end with the new moon.
    ///   - tithi: from 1 to 30, the full moon at the end of 15.
    ///   - hour: of India's clock: 6 at sunrise, 12 at noon, 18 at sunset, 24 at midnight.
    static func day(in year: Int, month: Int, tithi: Int, hour: Double) -> Day? {
        guard let newYear = Day(year: year, month: 1, day: 1) else { return nil }
        let first = Sky.lastNewMoon(before: Double(newYear.daysSince1970)) - 1
        for number in first...first + 14 {
            let (sign, next) = (
                self.sign(at: Sky.newMoon(number)), self.sign(at: Sky.newMoon(number + 1))
            )
            // A month in which the sun does not change its sign is a leap month.
            guard sign != next, (sign + 1) % 12 + 1 == month else { continue }
            let start = Int(Sky.newMoon(number) + Double(tithi - 1) * Sky.monthLength / 30) - 2
            for count in start...start + 5 {
                let holds = Int(Sky.phase(at: time(count, hour)) / 12) + 1
                if holds == tithi {
                    let day = Day(daysSince1970: count)
                    if day.year == year { return day }
                    break
                }
                // A lunar day shorter than a day may miss the hour.
                if holds > tithi, holds < tithi + 3, count > start {
                    let day = Day(daysSince1970: count)
                    if day.year == year { return day }
                    break
                }
            }
        }
        return nil
    }

    /// The day on which the sun enters a sign, 0 for Mesha; after the hour it counts for the next.
    static func day(in year: Int, sun sign: Int, hour: Double) -> Day? {
        guard let newYear = Day(year: year, month: 1, day: 1) else { return nil }
        let start = Double(newYear.daysSince1970)
        let longitude = Sky.wrapped(Double(sign) * 30 + Sky.indianZero(at: start))
        let moment = Sky.sun(reaches: longitude, after: start) + offset
        let day = Int(moment.rounded(.down))
        return Day(daysSince1970: moment - Double(day) > hour / 24 ? day + 1 : day)
    }

    /// The day on whose evening the moon stands in one of the 27 mansions while the sun is in a sign.
    static func day(in year: Int, mansion: Int, sun sign: Int) -> Day? {
        guard let start = day(in: year, sun: sign, hour: 24)?.daysSince1970 else { return nil }
        return (start...start + 31).first { count in
            let time = time(count, 20)
            let moon = Sky.wrapped(Sky.moon(at: time) - Sky.indianZero(at: time))
            return Int(moon / (360.0 / 27)) == mansion - 1
        }.map { Day(daysSince1970: $0) }
    }

    private static let offset = 5.5 / 24

    private static func time(_ day: Int, _ hour: Double) -> Double {
        Double(day) + hour / 24 - offset
    }

    private static func sign(at time: Double) -> Int {
        Int(Sky.wrapped(Sky.sun(at: time) - Sky.indianZero(at: time)) / 30)
    }
}
