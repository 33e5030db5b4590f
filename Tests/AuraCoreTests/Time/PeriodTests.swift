import AuraCore
import Testing

@Suite("periods")
struct PeriodTests {
    private func day(_ text: String) throws -> Day { try #require(Day(iso: text)) }

    @Test(
        "a week runs from Monday to Sunday and is counted in the year of its Thursday",
        arguments: [
            ("2026-03-04", "2026-W10", "2026-03-02"), ("2027-01-03", "2026-W53", "2026-12-28"),
            ("2024-12-30", "2025-W01", "2024-12-30"), ("2021-01-01", "2020-W53", "2020-12-28"),
        ])
    func weeks(date: String, label: String, monday: String) throws {
        let week = Week(containing: try day(date))
        #expect(week.label == label)
        #expect(week.monday.description == monday)
        #expect(week.sunday == week.monday.adding(days: 6))
        #expect(week.days().count == 7)
        #expect(Week(label: label) == week)
        #expect(week.next.previous == week)
    }

    @Test(
        "a week the year does not have has no label",
        arguments: ["2025-W53", "2026-W00", "2026-10", "2026-W1"])
    func noWeek(label: String) {
        #expect(Week(label: label) == nil)
    }

    @Test("months and quarters meet without a gap")
    func monthsAndQuarters() throws {
        let month = Month(containing: try day("2024-02-29"))
        #expect(month.label == "2024-02")
        #expect(month.lastDay.description == "2024-02-29")
        #expect(month.next.firstDay == month.dayAfter)
        #expect(month.previous.label == "2024-01")
        #expect(Month(label: "2026-12")?.next.label == "2027-01")
        #expect(Month(label: "2026-13") == nil)
        let quarter = Quarter(containing: try day("2026-11-30"))
        #expect(quarter.label == "2026-Q4")
        #expect(quarter.interval == (try day("2026-10-01"))..<(try day("2027-01-01")))
        #expect(quarter.next.label == "2027-Q1")
        #expect(Quarter(year: 2026, number: 2)?.days().count == 91)
    }
}
