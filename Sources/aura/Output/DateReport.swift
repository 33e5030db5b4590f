import AuraCore

extension DatePhrase {
    /// `{start, end, grain, span, reading}`; `end` is the first moment after it.
    var json: JSONValue {
        let isFine = grain == .minute || grain == .hour || grain == .partOfDay
        func moment(_ time: LocalTime) -> JSONValue {
            .string(isFine ? "\(time)" : "\(time.day)")
        }
        var members: [(String, JSONValue)] = [
            ("start", openSide == .before ? .null : moment(start)),
            ("end", openSide == .after ? .null : moment(end)), ("grain", .string(grain.rawValue)),
            ("span", .array([.integer(scalarSpan.lowerBound), .integer(scalarSpan.upperBound)])),
            ("reading", .string(reading.rawValue)), ("text", .string(text)),
        ]
        if let recurrence { members.append(("recurrence", .string(recurrence))) }
        return .record(members)
    }
}
