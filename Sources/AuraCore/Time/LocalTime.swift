/// What a clock on the wall shows: a day and a time, in a zone that is known from elsewhere.
package struct LocalTime: Hashable, Comparable, Sendable {
    package var day: Day
    package var time: TimeOfDay
    /// From 0 to 59.
    package var second: Int

    package init(day: Day, time: TimeOfDay, second: Int = 0) {
        self.day = day
        self.time = time
        self.second = second
    }

    /// Seconds are counted from 1970-01-01 00:00 on the same wall clock.
    package init(secondsSince1970 count: Int) {
        let days = count >= 0 ? count / 86_400 : (count - 86_399) / 86_400
        let rest = count - days * 86_400
        day = Day(daysSince1970: days)
        time = TimeOfDay(hour: rest / 3600, minute: rest / 60 % 60) ?? .midnight
        second = rest % 60
    }

    package var secondsSince1970: Int {
        day.daysSince1970 * 86_400 + time.minutesSinceMidnight * 60 + second
    }

    package func adding(minutes: Int) -> LocalTime {
        LocalTime(secondsSince1970: secondsSince1970 + minutes * 60)
    }

    package static func < (left: LocalTime, right: LocalTime) -> Bool {
        (left.day, left.time, left.second) < (right.day, right.time, right.second)
    }
}

extension LocalTime: CustomStringConvertible {
    /// `2026-03-04T14:10:00`
    package var description: String { "\(day)T\(time):\(padded(second, to: 2))" }
}

extension TimeOfDay {
    package static let midnight = TimeOfDay(minutesSinceMidnight: 0)
    package static let noon = TimeOfDay(minutesSinceMidnight: 720)

    /// Counts past either end of the day go round.
    package init(minutesSinceMidnight count: Int) {
        let wrapped = ((count % 1440) + 1440) % 1440
        self = TimeOfDay(hour: wrapped / 60, minute: wrapped % 60) ?? .midnight
    }
}
