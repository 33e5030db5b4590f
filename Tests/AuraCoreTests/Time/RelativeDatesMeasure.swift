import AuraCore
import AuraSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder with `duckling.jsonl` and its neighbours; the measuring runs only when it is named.
private let folder = ProcessInfo.processInfo.environment["AURA_RELDATES"]

/// Prints how much of a collection of dated phrases is read as its authors read it.
///
/// This is a measurement, not a test: the collections disagree with each other (`this weekend`,
/// exclusive ends, hours of the evening), so no line of them decides a rule.
@Suite("relative dates, measured", .enabled(if: folder != nil))
struct RelativeDatesMeasure {
    private func rows(_ name: String) throws -> [JSONValue] {
        let bytes = try Files.bytesFollowingLinks(at: "\(folder ?? "")/\(name).jsonl")
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            try JSONValue(parsing: $0)
        }
    }

    private func clock(_ text: String?) throws -> LocalTime {
        // Rows that name a time of the day only have no day of their own.
        let moment = try #require(Instant(iso8601: text ?? "2016-11-07T00:00:00"))
        return Zone.utc.local(moment)
    }

    /// `2016-11-07`, `2016-11-07 16:12:00` or with a `T`.
    private func seconds(_ text: String) -> Int? {
        Instant(iso8601: text).map { Int($0.seconds) }
    }

    private func report(_ name: String, _ right: Int, _ total: Int, _ wrong: [String]) {
        print("== \(name): \(right) of \(total)")
        for line in wrong { print("  \(name)| \(line)") }
    }

    @Test func duckling() throws {
        var right = 0
        var wrong: [String] = []
        let rows = try rows("duckling")
        for row in rows {
            let text = row["text"]?.text ?? ""
            let now = try clock(row["ref"]?.text)
            let found = DatePhrase.all(in: text, now: now, customs: DateCustoms(dayFirst: false))
            let start = row["start"]?.text.flatMap(seconds)
            let end = row["end"]?.text.flatMap(seconds)
            let isDayGrain = !["hour", "minute", "second"].contains(row["grain"]?.text ?? "")
            let unit = isDayGrain ? 86_400 : 60
            let isRight =
                found.count == 1 && start != nil
                && found[0].start.secondsSince1970 / unit == (start ?? 0) / unit
                && (end == nil || abs(found[0].end.secondsSince1970 / 60 - (end ?? 0) / 60) <= 1)
                && found[0].openSide?.rawValue == row["open"]?.text
            if isRight {
                right += 1
            } else {
                let got = found.map { "\($0.text) \($0.start)–\($0.end)" }.joined(separator: "; ")
                wrong.append(
                    "\(text) | \(row["start"]?.text ?? "") \(row["end"]?.text ?? "") | \(got)")
            }
        }
        report("duckling", right, rows.count, wrong)
    }

    @Test func negatives() throws {
        let rows = try rows("negatives")
        var wrong: [String] = []
        for row in rows {
            let text = row["text"]?.text ?? ""
            let found = DatePhrase.all(in: text, now: try clock(row["ref"]?.text), customs: DateCustoms(dayFirst: false))
            if !found.isEmpty { wrong.append("\(text) | \(found.map(\.text))") }
        }
        report("negatives", rows.count - wrong.count, rows.count, wrong)
    }

    @Test func phrases() throws {
        // Lengths of time (`for three hours`) are no dates.
        let rows = try rows("recognizers-phrases").filter { $0["kind"]?.text != "duration" }
        var right = 0
        var wrong: [String] = []
        for row in rows {
            let text = row["text"]?.text ?? ""
            let found = DatePhrase.all(in: text, now: try clock(row["ref"]?.text), customs: DateCustoms(dayFirst: false))
            let future = row["future"]?.members ?? []
            let isRight =
                found.count == 1
                && future.allSatisfy { fits(found[0], key: $0.key, $0.value.text ?? "") }
            if isRight {
                right += 1
            } else {
                let got = found.map { "\($0.text) \($0.start)–\($0.end)" }.joined(separator: "; ")
                wrong.append(
                    "\(text) | \(row["span"]?.text ?? "") \(row["future"]?.serialized ?? "") | \(got)"
                )
            }
        }
        report("phrases", right, rows.count, wrong)
    }

    private func fits(_ phrase: DatePhrase, key: String, _ value: String) -> Bool {
        switch key {
        case "date": return phrase.start.day.description == value
        case "dateTime", "startDateTime":
            return seconds(value).map { $0 / 60 == phrase.start.secondsSince1970 / 60 } ?? false
        case "startDate": return phrase.start.day.description == value.prefix(10)
        case "endDate":
            return phrase.end.day.description == value.prefix(10)
                || phrase.end.adding(minutes: -1).day.description == value.prefix(10)
        case "endDateTime":
            return seconds(value).map { abs($0 / 60 - phrase.end.secondsSince1970 / 60) <= 1 }
                ?? false
        case "time", "startTime": return "\(phrase.start.time)" == value.prefix(5)
        case "endTime":
            return "\(phrase.end.time)" == value.prefix(5)
                || "\(phrase.end.adding(minutes: -1).time)" == value.prefix(5)
        case "set": return phrase.recurrence != nil
        default: return true
        }
    }

    @Test func sentences() throws {
        let rows = try rows("recognizers-sentences")
        var right = 0
        var wrong: [String] = []
        for row in rows {
            let text = row["text"]?.text ?? ""
            let found = DatePhrase.all(in: text, now: try clock(row["ref"]?.text), customs: DateCustoms(dayFirst: false))
            // Lengths of time (`for three hours`) are no dates.
            let expected = (row["results"]?.elements ?? []).filter {
                $0["kind"]?.text != "duration"
            }
            let isRight =
                found.count == expected.count
                && zip(found, expected).allSatisfy { phrase, result in
                    (result["values"]?.elements ?? []).contains { fits(phrase, value: $0, result) }
                }
            if isRight {
                right += 1
            } else {
                let got = found.map { "\($0.text) \($0.start)–\($0.end)" }.joined(separator: "; ")
                wrong.append(
                    "\(text) | \(expected.map { ($0["span"]?.text ?? "") + ($0["values"]?.serialized ?? "") }) | \(got)"
                )
            }
        }
        report("sentences", right, rows.count, wrong)
    }

    private func fits(_ phrase: DatePhrase, value: JSONValue, _ result: JSONValue) -> Bool {
        let kind = result["kind"]?.text ?? ""
        if kind == "set" { return phrase.recurrence != nil }
        func key(_ name: String) -> String {
            kind.hasPrefix("datetime")
                ? "\(name)DateTime" : kind.hasPrefix("date") ? "\(name)Date" : "\(name)Time"
        }
        if let moment = value["value"]?.text {
            return fits(
                phrase, key: kind == "date" ? "date" : kind == "datetime" ? "dateTime" : "time",
                moment)
        }
        if value["start"]?.text == nil, let end = value["end"]?.text {
            return phrase.openSide == .before && fits(phrase, key: key("start"), end)
        }
        let start = value["start"]?.text ?? ""
        guard let end = value["end"]?.text else {
            return phrase.openSide == .after
                && (fits(phrase, key: key("start"), start) || fits(phrase, key: key("end"), start))
        }
        return fits(phrase, key: key("start"), start) && fits(phrase, key: key("end"), end)
    }
}
