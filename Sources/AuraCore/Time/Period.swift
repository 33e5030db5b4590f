/// A run of whole days with a name: a week, a month, a quarter.
package protocol Period: Hashable, Comparable, Sendable {
    var firstDay: Day { get }
    /// The day after the last, so that periods meet without a gap.
    var dayAfter: Day { get }
    var next: Self { get }
    var previous: Self { get }
    /// What files and headings call it: `2026-W53`, `2026-03`, `2026-Q1`.
    var label: String { get }
}

extension Period {
    /// Half open, from the first day to the day after the last.
    package var interval: Range<Day> { firstDay..<dayAfter }
    package var lastDay: Day { dayAfter.adding(days: -1) }
    package func contains(_ day: Day) -> Bool { day >= firstDay && day < dayAfter }

    /// Every day in order.
    package func days() -> [Day] {
        (firstDay.daysSince1970..<dayAfter.daysSince1970).map { Day(daysSince1970: $0) }
    }

    package static func < (left: Self, right: Self) -> Bool { left.firstDay < right.firstDay }
    package var description: String { label }
}

/// A week as ISO 8601 counts them: Monday to Sunday, week 1 holds the year's first Thursday.
package struct Week: Period, CustomStringConvertible {
    package let monday: Day

    package init(containing day: Day) {
        monday = day.adding(days: 1 - day.weekday.rawValue)
    }

    /// Reads a label: `2026-W09`. Nil for a week the year does not have.
    package init?(label: some StringProtocol) {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 3,
            parts[1].first == "W", let year = Int(parts[0]), let number = Int(parts[1].dropFirst()),
            number >= 1, let january4 = Day(year: year, month: 1, day: 4)
        else { return nil }
        self.init(containing: january4.adding(days: (number - 1) * 7))
        guard self.year == year, self.number == number else { return nil }
    }

    package var sunday: Day { monday.adding(days: 6) }
    package var firstDay: Day { monday }
    package var dayAfter: Day { monday.adding(days: 7) }
    package var next: Week { Week(containing: dayAfter) }
    package var previous: Week { Week(containing: monday.adding(days: -1)) }

    /// The year the week is counted in, which is the year of its Thursday.
    package var year: Int { monday.adding(days: 3).year }

    /// From 1 to 53.
    package var number: Int {
        let thursday = monday.adding(days: 3)
        guard let newYear = Day(year: thursday.year, month: 1, day: 1) else { return 1 }
        return (thursday.daysSince1970 - newYear.daysSince1970) / 7 + 1
    }

    package var label: String { "\(padded(year, to: 4))-W\(padded(number, to: 2))" }
}

/// A calendar month.
package struct Month: Period, CustomStringConvertible {
    package let firstDay: Day

    package init(containing day: Day) { firstDay = day.adding(days: 1 - day.day) }

    /// Nil for month 13 or a year outside 1…9999.
    package init?(year: Int, month: Int) {
        guard let day = Day(year: year, month: month, day: 1) else { return nil }
        firstDay = day
    }

    /// Reads a label: `2026-03`.
    package init?(label: some StringProtocol) {
        guard label.utf8.count == 7, let day = Day(iso: "\(label)-01") else { return nil }
        firstDay = day
    }

    package var year: Int { firstDay.year }
    /// From 1 to 12.
    package var month: Int { firstDay.month }
    package var length: Int { Day.length(ofMonth: month, in: year) }
    package var dayAfter: Day { firstDay.adding(days: length) }
    package var next: Month { Month(containing: firstDay.adding(months: 1)) }
    package var previous: Month { Month(containing: firstDay.adding(days: -1)) }
    package var label: String { "\(padded(year, to: 4))-\(padded(month, to: 2))" }
    /// The English name without the year: `March`.
    package var name: String { Month.names[month - 1] }

    package static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
}

/// A quarter of a calendar year.
package struct Quarter: Period, CustomStringConvertible {
    package let firstDay: Day

    package init(containing day: Day) {
        firstDay = Month(containing: day).firstDay.adding(months: -((day.month - 1) % 3))
    }

    /// Nil for quarters other than 1 to 4 and years outside 1…9999.
    package init?(year: Int, number: Int) {
        guard (1...4).contains(number),
            let day = Day(year: year, month: number * 3 - 2, day: 1)
        else { return nil }
        firstDay = day
    }

    package var year: Int { firstDay.year }
    /// From 1 to 4.
    package var number: Int { (firstDay.month + 2) / 3 }
    package var dayAfter: Day {
        Month(containing: firstDay.adding(months: 2)).dayAfter
    }
    package var next: Quarter { Quarter(containing: dayAfter) }
    package var previous: Quarter { Quarter(containing: firstDay.adding(days: -1)) }
    package var label: String { "\(padded(year, to: 4))-Q\(number)" }
}
