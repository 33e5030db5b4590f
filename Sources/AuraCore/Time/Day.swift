/// A day of the proleptic Gregorian calendar, without a time or a zone.
package struct Day: Hashable, Comparable, Sendable {
    package let year: Int
    /// 1 for January to 12.
    package let month: Int
    package let day: Int

    /// Nil when there is no such day: `2026-02-30`, month 13, a year outside 1…9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Day.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Days are counted from 1970-01-01 = 0. Results outside the years 1…9999 are clamped to them.
    ///
    /// The arithmetic is Howard Hinnant's `civil_from_days`, over eras of 400 years that begin in March.
    package init(daysSince1970 count: Int) {
        let shifted = min(max(count, -719_162), 2_932_896) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `YYYY-MM-DD` and nothing else.
    package init?(iso text: some StringProtocol) {
        var scanner = DigitScanner(text.utf8)
        guard let day = scanner.day(), scanner.isAtEnd else { return nil }
        self = day
    }

    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    package var weekday: Weekday {
        Weekday(rawValue: ((daysSince1970 + 3) % 7 + 7) % 7 + 1) ?? .monday
    }

    package func adding(days: Int) -> Day { Day(daysSince1970: daysSince1970 + days) }

    /// The same day so many months on; the last of that month where it is shorter
    /// (31 January plus one month is 28 or 29 February).
    package func adding(months: Int) -> Day {
        let count = year * 12 + month - 1 + months
        let newYear = min(max(count / 12, 1), 9999)
        let newMonth = ((count % 12) + 12) % 12 + 1
        let last = Day.length(ofMonth: newMonth, in: newYear)
        return Day(year: newYear, month: newMonth, day: min(day, last)) ?? self
    }

    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension Day: CustomStringConvertible {
    /// `2026-03-09`
    package var description: String {
        "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

/// Numbered as ISO 8601 does: Monday is 1.
package enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday

    /// The English name: `Monday`.
    package var name: String {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue - 1]
    }
}
