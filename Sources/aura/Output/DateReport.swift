import AuraCore

extension DatePhrase {
    /// `{start, end, grain, span, reading}`; `end` is the first moment after it. A side that is open
    /// is null: `after Monday` starts on Tuesday and has no end.
    var json: JSONValue {
        let isFine = grain == .minute || grain == .hour || grain == .partOfDay
        func moment(_ time: LocalTime?) -> JSONValue {
            time.map { .string(isFine ? "\($0)" : "\($0.day)") } ?? .null
        }
        var members: [(String, JSONValue)] = [
            ("start", moment(opening)), ("end", moment(closing)),
            ("grain", .string(grain.rawValue)),
            ("span", .array([.integer(scalarSpan.lowerBound), .integer(scalarSpan.upperBound)])),
            ("reading", .string(reading.rawValue)), ("text", .string(text)),
        ]
        if let recurrence { members.append(("recurrence", .string(recurrence))) }
        return .record(members)
    }
}
