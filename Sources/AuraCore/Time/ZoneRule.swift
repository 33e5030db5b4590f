/// When clocks change every year, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Equatable, Sendable {
    /// Seconds east of UTC outside summer time.
    let standardOffset: Int
    private let summer: Summer?

    private struct Summer: Equatable {
        let offset: Int
        let start: Change
        let end: Change
    }

    private struct Change: Equatable {
        enum Day: Equatable {
            /// Weekday 0 is Sunday; week 5 is the last of the month.
            case weekday(month: Int, week: Int, weekday: Int)
            /// 1…365, 29 February never counted.
            case julian(Int)
            /// 0…365, 29 February counted.
            case ordinal(Int)
        }
        let day: Day
        /// Seconds after midnight of the wall clock before the change; may leave the day.
        let time: Int

        /// Seconds since 1970 on the wall clock before the change.
        func wallTime(in year: Int) -> Int {
            guard let newYear = AuraCore.Day(year: min(max(year, 1), 9999), month: 1, day: 1) else {
                return 0
            }
            let first = newYear.daysSince1970
            let count: Int
            switch day {
            case .ordinal(let number): count = first + number
            case .julian(let number):
                let isLeap = AuraCore.Day.length(ofMonth: 2, in: newYear.year) == 29
                count = first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
            case .weekday(let month, let week, let weekday):
                let start = newYear.adding(months: month - 1)
                let length = AuraCore.Day.length(ofMonth: month, in: start.year)
                var dayOfMonth = (weekday - start.weekday.rawValue % 7 + 7) % 7 + (week - 1) * 7
                if dayOfMonth >= length { dayOfMonth -= 7 }
                count = start.daysSince1970 + dayOfMonth
            }
            return count * 86_400 + time
        }
    }

    /// Nil when the text is no such rule. A summer name without dates follows the rule of the United
    /// States, as everywhere.
    init?(posix text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        guard scanner.name(), let offset = scanner.offset(hours: 24) else { return nil }
        standardOffset = -offset
        if scanner.rest.isEmpty {
            summer = nil
            return
        }
        guard scanner.name() else { return nil }
        var summerOffset = standardOffset + 3600
        if let first = scanner.rest.first, first != 0x2C {
            guard let read = scanner.offset(hours: 24) else { return nil }
            summerOffset = -read
        }
        if scanner.rest.isEmpty {
            summer = Summer(
                offset: summerOffset,
                start: Change(day: .weekday(month: 3, week: 2, weekday: 0), time: 7200),
                end: Change(day: .weekday(month: 11, week: 1, weekday: 0), time: 7200))
            return
        }
        guard let start = scanner.change(), let end = scanner.change(), scanner.rest.isEmpty else {
            return nil
        }
        summer = Summer(offset: summerOffset, start: start, end: end)
    }

    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standardOffset }
        let clamped = Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
        let year = LocalTime(secondsSince1970: clamped + standardOffset).day.year
        let start = summer.start.wallTime(in: year) - standardOffset
        let end = summer.end.wallTime(in: year) - summer.offset
        let isSummer =
            start < end
            ? clamped >= start && clamped < end : clamped >= start || clamped < end
        return isSummer ? summer.offset : standardOffset
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func takes(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        /// Three letters or more, or anything short between angle brackets.
        mutating func name() -> Bool {
            if takes(0x3C) {
                let name = rest.prefix { $0 != 0x3E }
                guard name.count < rest.count, (3...16).contains(name.count) else { return false }
                rest = rest.dropFirst(name.count + 1)
                return true
            }
            let name = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
            rest = rest.dropFirst(name.count)
            return (3...16).contains(name.count)
        }

        mutating func number(upTo limit: Int) -> Int? {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count <= 4 else { return nil }
            rest = rest.dropFirst(digits.count)
            let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return value <= limit ? value : nil
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func offset(hours limit: Int) -> Int? {
            let sign = takes(0x2D) ? -1 : 1
            if sign == 1 { _ = takes(0x2B) }
            guard let hours = number(upTo: limit) else { return nil }
            var total = hours * 3600
            for unit in [60, 1] where takes(0x3A) {
                guard let part = number(upTo: 59) else { return nil }
                total += part * unit
            }
            return sign * total
        }

        mutating func change() -> Change? {
            guard takes(0x2C) else { return nil }
            let day: Change.Day
            if takes(0x4D) {
                guard let month = number(upTo: 12), month > 0, takes(0x2E),
                    let week = number(upTo: 5), week > 0, takes(0x2E), let weekday = number(upTo: 6)
                else { return nil }
                day = .weekday(month: month, week: week, weekday: weekday)
            } else if takes(0x4A) {
                guard let number = number(upTo: 365), number > 0 else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(upTo: 365) else { return nil }
                day = .ordinal(number)
            }
            guard takes(0x2F) else { return Change(day: day, time: 7200) }
            guard let time = offset(hours: 167) else { return nil }
            return Change(day: day, time: time)
        }
    }
}
