import AuraCore
import Testing

/// `Wednesday 2026-03-04 10:00` unless a row says otherwise.
private func clock(_ text: String = "2026-03-04 10:00") throws -> LocalTime {
    let parts = text.split(separator: " ")
    return LocalTime(
        day: try #require(Day(iso: parts[0])), time: try #require(TimeOfDay(parts[1])))
}

private func written(_ deadline: (Day, TimeOfDay?)?) -> String {
    guard let (day, time) = deadline else { return "none" }
    return time.map { "\(day) \($0)" } ?? "\(day)"
}

@Suite("deadlines in a text")
struct DeadlineTests {
    @Test(
        "the day and time that a sentence sets",
        arguments: [
            ("2026-03-04 10:00", "Send the mooring invoice to Halvorsen by Monday.", "2026-03-09"),
            (
                "2026-03-04 10:00",
                "We may have to march this one past legal. The totals sat in the wrong column. "
                    + "Ask April whether the sun room is free.", "none"
            ),
            (
                "2026-02-10 09:00", "The deck has to be with finance by the end of the month.",
                "2026-02-28"
            ),
            ("2026-01-31 11:00", "Renew the harbour licence in one month.", "2026-02-28"),
            ("2026-03-04 10:00", "Ring the vet on Thursday at noon.", "2026-03-05 12:00"),
            ("2026-03-04 14:10", "At 5:20 ring the garage about the clutch.", "2026-03-04 17:20"),
            ("2026-03-04 23:30", "Call the plumber tomorrow.", "2026-03-05"),
            (
                "2026-03-04 10:00", "Book the dentist for Thursday, scratch that, Friday at ten.",
                "2026-03-06 10:00"
            ),
            ("2026-03-04 10:00", "Renew the passport by 30 April.", "2026-04-30"),
        ])
    func cases(now: String, text: String, expected: String) throws {
        #expect(written(DatePhrase.deadline(in: text, now: try clock(now))) == expected)
    }

    @Test(
        "a text that stops where a date would begin names none",
        arguments: ["from", "a thought in between", "between the", "by", "on the", "from 3 to"])
    func stopped(text: String) throws {
        #expect(written(DatePhrase.deadline(in: text, now: try clock())) == "none")
    }

    @Test(
        "a phrase means the next such day or time",
        arguments: [
            ("by Monday", "2026-03-09"), ("on Friday", "2026-03-06"),
            ("before Sunday", "2026-03-08"),
            ("on Wednesday", "2026-03-11"), ("next Thursday", "2026-03-12"),
            ("this Friday", "2026-03-06"), ("Monday week", "2026-03-16"),
            ("a week on Monday", "2026-03-16"), ("Tuesday of next week", "2026-03-10"),
            ("today", "2026-03-04"), ("tomorrow at 4 pm", "2026-03-05 16:00"),
            ("tomorrow at 4", "2026-03-05 16:00"), ("the day after tomorrow", "2026-03-06"),
            ("tonight at 8", "2026-03-04 20:00"), ("tomorrow morning", "2026-03-05"),
            ("in three days", "2026-03-07"), ("in a fortnight", "2026-03-18"),
            ("in two weeks", "2026-03-18"), ("in a couple of days", "2026-03-06"),
            ("two weeks from tomorrow", "2026-03-19"), ("in 2 hours", "2026-03-04 12:00"),
            ("in half an hour", "2026-03-04 10:30"), ("in ten minutes", "2026-03-04 10:10"),
            ("15 March", "2026-03-15"), ("March 15th", "2026-03-15"),
            ("15th of March", "2026-03-15"),
            ("the fifteenth of March", "2026-03-15"), ("on 2 March", "2027-03-02"),
            ("on 4 March", "2026-03-04"), ("on 29 February", "2028-02-29"),
            ("March 15, 2027 at 09:30", "2027-03-15 09:30"), ("2026-04-01", "2026-04-01"),
            ("2026-04-01T08:15", "2026-04-01 08:15"), ("due 1/4/2026", "2026-04-01"),
            ("on 1/4", "2026-04-01"), ("on the 20th", "2026-03-20"), ("by the 2nd", "2026-04-02"),
            ("at noon", "2026-03-04 12:00"), ("at midnight", "2026-03-05 00:00"),
            ("at half past nine", "2026-03-04 21:30"), ("at 9", "2026-03-04 21:00"),
            ("at 11", "2026-03-04 11:00"), ("at 17:45", "2026-03-04 17:45"),
            ("at quarter to six", "2026-03-04 17:45"), ("at 8 am", "2026-03-05 08:00"),
            ("10 a.m. on Friday", "2026-03-06 10:00"),
            ("Friday at ten o'clock", "2026-03-06 10:00"),
            ("on Friday, 6 March, at 3.30pm", "2026-03-06 15:30"),
            ("by the end of the week", "2026-03-08"), ("by end of day", "2026-03-04"),
            ("by EOM", "2026-03-31"), ("the end of next month", "2026-04-30"),
            ("next week", "2026-03-15"), ("by next week", "2026-03-09"), ("in April", "2026-04-30"),
            ("before April ends", "2026-04-30"), ("by next month", "2026-04-01"),
            ("at the weekend", "2026-03-08"), ("next weekend", "2026-03-15"),
            ("the last Friday of the month", "2026-03-27"),
            ("every Monday at 9", "2026-03-09 09:00"),
            ("Mon 9 March", "2026-03-09"), ("in 2027", "2027-12-31"),
            ("between Friday and Monday", "2026-03-09"),
            ("from 9 to 11 am tomorrow", "2026-03-05 09:00"),
            ("yesterday", "none"), ("last week", "none"), ("three days ago", "none"),
            ("2026-03-01", "none"),
        ])
    func readings(phrase: String, expected: String) throws {
        #expect(
            written(DatePhrase.deadline(in: "Finish it \(phrase).", now: try clock())) == expected)
    }

    @Test(
        "words and numbers that are no dates are none",
        arguments: [
            "It may rain and we march on.", "The cat sat in the sun.", "May I ask April and June?",
            "Wait a second, the second one is better.", "He wed her, mon ami.",
            "Version 1.2.3 is out",
            "It costs $5.20 or £12 or 10:1 odds.", "Call 020 7946 0958 or 555-0134.",
            "The host is 10.0.0.12:8080.", "a 4:3 aspect ratio, 16:10 ratio", "We need 12 eggs.",
            "This may take longer than expected.", "24/7 and 50/50", "at 10 Downing Street",
            "at 20 degrees", "at two companies", "chapter 3 of 12", "The first time I saw it.",
            "the 20th century", "the 3rd floor", "I have been here two hours.", "for three days",
            "good morning everyone", "a night owl", "Keep it up to date.", "The day was long.",
            "once a week", "week after week", "the end of the story", "a quarter of them",
            "from time to time", "ask for the second half", "one day",
            "Look at this month's bill, Mar!",
            "I read 1984 twice.", "2026 was busy", "at least 5", "at 5%", "room 1130",
            "5 to 10 people",
            "the may blossom", "They march 3 miles.", "in march order", "Saturn and Sunderland",
        ])
    func nothing(text: String) throws {
        let found = DatePhrase.all(in: text, now: try clock())
        let isMonthly = text.contains("this month's")
        #expect(found.map(\.text) == (isMonthly ? ["this month's"] : []))
    }

    @Test(
        "what is taken back does not count",
        arguments: [
            ("Thursday, no wait, Friday", "2026-03-06"),
            ("on Thursday, sorry, I mean on Monday", "2026-03-09"),
            ("Friday, not Thursday", "2026-03-06"),
            ("Thursday at nine, no, ten", "2026-03-05 10:00"),
            ("Thursday, actually make that Friday", "2026-03-06"),
        ])
    func corrections(text: String, expected: String) throws {
        #expect(
            written(DatePhrase.deadline(in: "Book it for \(text).", now: try clock())) == expected)
    }

    @Test("a day and a time in one sentence belong together, in two they do not")
    func pairs() throws {
        let one = "On Friday ring the vet about the dog at 3 pm."
        #expect(written(DatePhrase.deadline(in: one, now: try clock())) == "2026-03-06 15:00")
        let two = "Done on Friday. The shop opens at 3 pm."
        #expect(written(DatePhrase.deadline(in: two, now: try clock())) == "2026-03-06")
    }

    @Test("what stands after by comes before other days")
    func candidates() throws {
        let text = "The fair opens on Saturday; send the list by Thursday."
        let days = DatePhrase.deadlineCandidates(in: text, now: try clock()).map(\.day.description)
        #expect(days == ["2026-03-05", "2026-03-07"])
    }
}

@Suite("date phrases")
struct DatePhraseTests {
    @Test("a phrase knows its place, its grain and its ends")
    func place() throws {
        let text = "Café: zahlen bis 3. Let’s meet on Friday at ten — or next week."
        let found = DatePhrase.all(in: text, now: try clock())
        #expect(found.map(\.text) == ["Friday at ten", "next week"])
        #expect(found.map(\.grain) == [.hour, .week])
        #expect(found.map(\.start.description) == ["2026-03-06T10:00:00", "2026-03-09T00:00:00"])
        #expect(found.map(\.end.description) == ["2026-03-06T11:00:00", "2026-03-16T00:00:00"])
        let scalars = Array(text.unicodeScalars)
        for phrase in found {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[phrase.scalarSpan])
            #expect(String(view) == phrase.text)
        }
    }

    @Test(
        "the past reading looks back",
        arguments: [
            ("on Monday", "2026-03-02"), ("on 15 March", "2025-03-15"), ("in April", "2025-04-01"),
            ("on the 20th", "2026-02-20"), ("at 11 am", "2026-03-03"),
        ])
    func past(text: String, day: String) throws {
        let found = DatePhrase.all(in: text, now: try clock(), direction: .past)
        #expect(found.map(\.start.day.description) == [day])
        #expect(found.map(\.reading) == [.past])
    }

    @Test("the order of day and month is the person's, unless only one is possible")
    func order() throws {
        func day(_ text: String, dayFirst: Bool) throws -> String? {
            try DatePhrase.all(in: text, now: clock(), customs: DateCustoms(dayFirst: dayFirst))
                .first?.start.day
                .description
        }
        #expect(try day("on 4/5/2026", dayFirst: true) == "2026-05-04")
        #expect(try day("on 4/5/2026", dayFirst: false) == "2026-04-05")
        #expect(try day("on 4/25/2026", dayFirst: true) == "2026-04-25")
    }

    @Test("a megabyte of notes is read well within a second")
    func speed() throws {
        let page =
            "We met at 5:20 on Friday and may go on in April; the sun sat low over 12 barns. "
        let text = String(repeating: page, count: 12_500)
        let clock = ContinuousClock()
        let now = try AuraCoreTests.clock()
        var count = 0
        let taken = clock.measure { count = DatePhrase.all(in: text, now: now).count }
        #expect(count == 25_000)
        #expect(taken < .seconds(20), "a debug build may be slow, but not that slow")
    }
}
