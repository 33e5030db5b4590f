/// A clock time to the minute, as notes carry it.
package struct TimeOfDay: Hashable, Comparable, Sendable {
    package let hour: Int
    package let minute: Int

    /// Nil outside 00:00…23:59.
    package init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// `09:00`, `9:00` or `16:45:30` (the seconds are dropped).
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == parts.count, numbers.count == 2 || numbers[2] < 60 else {
            return nil
        }
        self.init(hour: numbers[0], minute: numbers[1])
    }

    package var minutesSinceMidnight: Int { hour * 60 + minute }

    package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
        left.minutesSinceMidnight < right.minutesSinceMidnight
    }
}

extension TimeOfDay: CustomStringConvertible {
    /// `09:00`
    package var description: String { "\(padded(hour, to: 2)):\(padded(minute, to: 2))" }
}
