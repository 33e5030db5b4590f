/// A moment in time, to the nanosecond, counted from 1970-01-01T00:00:00Z without leap seconds.
package struct Instant: Hashable, Comparable, Sendable {
    package var seconds: Int64
    /// From 0 to 999,999,999, always counted forward from `seconds`.
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// Milliseconds since 1970, rounded down; what a `NoteID` carries.
    package var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds) / 1_000_000 }

    package func adding(seconds more: Int64) -> Instant {
        Instant(seconds: seconds + more, nanoseconds: nanoseconds)
    }

    /// Reads RFC 3339 and its looser relatives found in front matter: `2026-02-28T14:32:00Z`,
    /// with a blank for `T`, fractions of a second, an offset (`+01:00`, `+0100`, `+01`), seconds
    /// left out, or a day alone (its midnight). Without an offset the time is taken as UTC.
    /// Anything else is nil.
    package init?(iso8601 text: some StringProtocol) {
        var scanner = DigitScanner(text.utf8)
        guard let day = scanner.day() else { return nil }
        var total = Int64(day.daysSince1970) * 86_400
        var nanoseconds: Int32 = 0
        if !scanner.isAtEnd {
            guard scanner.takes(any: "Tt ") else { return nil }
            guard let hour = scanner.number(digits: 2), hour < 24, scanner.takes(any: ":"),
                let minute = scanner.number(digits: 2), minute < 60
            else { return nil }
            var second = 0
            if scanner.takes(any: ":") {
                guard let read = scanner.number(digits: 2), read <= 60 else { return nil }
                second = min(read, 59)
                if scanner.takes(any: ".,") {
                    guard let fraction = scanner.fraction() else { return nil }
                    nanoseconds = fraction
                }
            }
            total += Int64(hour * 3600 + minute * 60 + second)
            _ = scanner.takes(any: " ")
            guard let offset = scanner.offset() else { return nil }
            total -= Int64(offset)
        }
        guard scanner.isAtEnd else { return nil }
        self.init(seconds: total, nanoseconds: nanoseconds)
    }

    /// `2026-02-28T14:32:00Z`: UTC, whole seconds, the form written into notes.
    package var iso8601: String {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let rest = Int(seconds - Int64(days) * 86_400)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, to: 2) }
        return "\(Day(daysSince1970: days))T\(time.joined(separator: ":"))Z"
    }
}

extension Instant: CustomStringConvertible {
    package var description: String { iso8601 }
}

/// `7` → `07`. Only for numbers that are not negative.
package func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Reads fixed-width digits out of ASCII; the small part that `Day`, `TimeOfDay` and `Instant` share.
struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(Array(bytes)) }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func takes(any choices: StaticString) -> Bool {
        guard let first = rest.first, "\(choices)".utf8.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for byte in rest.prefix(digits) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        rest = rest.dropFirst(digits)
        return value
    }

    mutating func day() -> Day? {
        guard let year = number(digits: 4), takes(any: "-"), let month = number(digits: 2),
            takes(any: "-"), let day = number(digits: 2)
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// Digits after the point, as nanoseconds; digits past the ninth are dropped.
    mutating func fraction() -> Int32? {
        var value: Int32 = 0
        var count = 0
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            if count < 9 { value = value * 10 + Int32(byte - 0x30) }
            count += 1
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
        for _ in min(count, 9)..<9 { value *= 10 }
        return value
    }

    /// Seconds east of UTC; nothing at all counts as UTC.
    mutating func offset() -> Int? {
        if isAtEnd || takes(any: "Zz") { return 0 }
        let sign: Int
        if takes(any: "+") { sign = 1 } else if takes(any: "-") { sign = -1 } else { return nil }
        guard let hour = number(digits: 2), hour < 24 else { return nil }
        _ = takes(any: ":")
        let minute = isAtEnd ? 0 : number(digits: 2)
        guard let minute, minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }
}
