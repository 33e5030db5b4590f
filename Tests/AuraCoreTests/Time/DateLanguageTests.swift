import AuraCore
import Testing

/// On Wednesday 2026-03-04 at 09:00.
private func read(_ text: String, _ codes: [DateLanguage.Code], zone: Zone? = nil) throws -> String
{
    let now = LocalTime(
        day: try #require(Day(iso: "2026-03-04")), time: try #require(TimeOfDay("09:00")))
    let customs = DateCustoms(languages: codes.map(DateLanguage.of), zone: zone)
    return DatePhrase.all(in: text, now: now, customs: customs).map { phrase in
        func moment(_ time: LocalTime?) -> String {
            guard let time else { return "" }
            let isFine = [.minute, .hour, .partOfDay].contains(phrase.grain)
            return isFine ? "\(time.day) \(time.time)" : "\(time.day)"
        }
        let bounds = "\(moment(phrase.opening))..\(moment(phrase.closing))"
        return phrase.recurrence.map { "\(bounds) \($0)" } ?? bounds
    }.joined(separator: "; ")
}

@Suite("languages of dates")
struct DateLanguageTests {
    @Test(
        "German dates",
        arguments: [
            ("morgen um halb drei", "2026-03-05 14:30..2026-03-05 14:31"),
            ("morgen früh", "2026-03-05 08:00..2026-03-05 12:00"),
            ("am 3. Mai", "2026-05-03..2026-05-04"),
            ("Bis zum 15. April 2027 abgeben.", "..2027-04-16"),
            ("nächsten Freitag um 15 Uhr 30", "2026-03-13 15:30..2026-03-13 15:31"),
            ("in drei Wochen", "2026-03-25..2026-03-26"),
            ("vor zwei Tagen", "2026-03-02..2026-03-03"),
            ("übermorgen", "2026-03-06..2026-03-07"),
            ("jeden Montag um neun", "2026-03-09 09:00..2026-03-09 10:00 FREQ=WEEKLY;BYDAY=MO"),
            ("Anfang April", "2026-04-01..2026-04-02"),
            ("Donnerstag in einer Woche", "2026-03-12..2026-03-13"),
            ("Pfingstmontag", "2026-05-25..2026-05-26"),
            ("Heiligabend", "2026-12-24..2026-12-25"),
            ("letzte Woche", "2026-02-23..2026-03-02"),
            ("von 9 bis 11 Uhr", "2026-03-04 09:00..2026-03-04 11:00"),
            ("Version 3.5 kostet 12,50 Euro", ""),
        ])
    func german(text: String, expected: String) throws {
        #expect(try read(text, [.de]) == expected)
    }

    @Test(
        "Spanish dates",
        arguments: [
            ("mañana a las tres y media", "2026-03-05 15:30..2026-03-05 15:31"),
            ("mañana por la mañana", "2026-03-05 08:00..2026-03-05 12:00"),
            ("el viernes a las 10", "2026-03-06 10:00..2026-03-06 11:00"),
            ("el 3 de mayo de 2026", "2026-05-03..2026-05-04"),
            ("la semana próxima", "2026-03-09..2026-03-16"),
            ("hace dos días", "2026-03-02..2026-03-03"),
            ("dentro de tres semanas", "2026-03-25..2026-03-26"),
            ("pasado mañana", "2026-03-06..2026-03-07"),
            ("todos los lunes", "2026-03-09..2026-03-10 FREQ=WEEKLY;BYDAY=MO"),
            ("a finales de abril", "2026-04-30..2026-05-01"),
            ("Viernes Santo", "2026-04-03..2026-04-04"),
            ("a las cinco menos cuarto", "2026-03-04 16:45..2026-03-04 16:46"),
            ("la versión 3.5 cuesta 12 euros", ""),
        ])
    func spanish(text: String, expected: String) throws {
        #expect(try read(text, [.es]) == expected)
    }

    @Test("the first language a person names reads first, the others what it leaves")
    func several() throws {
        #expect(
            try read("Lunch tomorrow, Zahnarzt am Freitag", [.en, .de])
                == "2026-03-05..2026-03-06; 2026-03-06..2026-03-07")
        // `once` is eleven in Spanish, `die` a German article, `am` no clock.
        #expect(try read("I am told once that the die is cast", [.en, .de, .es]) == "")
    }

    @Test("without its language a word is none")
    func english() throws {
        #expect(try read("nächsten Freitag um 15 Uhr, el viernes", [.en]) == "")
    }
}

@Suite("what dates say besides a day")
struct DateSensesTests {
    @Test(
        "what repeats has a calendar rule and the first day of it",
        arguments: [
            ("every Monday at nine", "2026-03-09 09:00..2026-03-09 10:00 FREQ=WEEKLY;BYDAY=MO"),
            ("every other Tuesday", "2026-03-10..2026-03-11 FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
            ("every weekday", "2026-03-04..2026-03-05 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            (
                "every weekday at 8 am",
                "2026-03-05 08:00..2026-03-05 09:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
            ),
            ("every Monday and Thursday", "2026-03-05..2026-03-06 FREQ=WEEKLY;BYDAY=MO,TH"),
            ("every first Monday of the month", "2026-04-06..2026-04-07 FREQ=MONTHLY;BYDAY=1MO"),
            ("every 15th of the month", "2026-03-15..2026-03-16 FREQ=MONTHLY;BYMONTHDAY=15"),
            ("every 3 months", "2026-03-04..2026-03-05 FREQ=MONTHLY;INTERVAL=3"),
            ("daily", "2026-03-04..2026-03-05 FREQ=DAILY"),
            ("every 4 July", "2026-07-04..2026-07-05 FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4"),
        ])
    func recurrence(text: String, expected: String) throws {
        #expect(try read(text, [.en]) == expected)
    }

    @Test(
        "a stretch that is open has one end, and what is named is in it only if the word says so",
        arguments: [
            ("after Monday", "2026-03-10.."), ("from Monday on", "2026-03-09.."),
            ("since Monday", "2026-03-02.."), ("before Monday", "..2026-03-09"),
            ("until Monday", "..2026-03-10"), ("after 2027", "2028-01-01.."),
            ("before 2027", "..2027-01-01"), ("before April ends", "..2026-05-01"),
            ("before 11 am", "..2026-03-04 11:00"), ("after five days", "2026-03-09.."),
        ])
    func open(text: String, expected: String) throws {
        #expect(try read(text, [.en]) == expected)
    }

    @Test(
        "stretches",
        arguments: [
            ("June 9–11", "2026-06-09..2026-06-12"), ("Jan-Feb 2017", "2017-01-01..2017-03-01"),
            ("Nov 18-Dec 19, 2015", "2015-11-18..2015-12-20"),
            ("from November 20 to February 5, 2028", "2027-11-20..2028-02-06"),
            ("10/1-11/2/2017", "2017-01-10..2017-02-12"),
            ("from 3 to 5 pm", "2026-03-04 15:00..2026-03-04 17:00"),
            ("11:30-1:30", "2026-03-04 11:30..2026-03-04 13:30"),
            ("Thursday from 9 to 11", "2026-03-05 09:00..2026-03-05 11:00"),
            ("the next three days", "2026-03-05..2026-03-08"),
            ("mid April", "2026-04-10..2026-04-20"),
        ])
    func stretches(text: String, expected: String) throws {
        #expect(try read(text, [.en]) == expected)
    }

    @Test(
        "a weekday beside its date",
        arguments: [
            ("this Friday (Jun-15)", "2026-06-15..2026-06-16"),
            ("next Friday 5/12", "2026-12-05..2026-12-06"),
            ("the second Sunday", "2026-03-08..2026-03-09"),
            ("the 20th of the previous month", "2026-02-20..2026-02-21"),
        ])
    func weekdays(text: String, expected: String) throws {
        #expect(try read(text, [.en]) == expected)
    }

    @Test("a day of the month on a weekday that passed this month is not one months away")
    func gone() throws {
        let now = LocalTime(day: try #require(Day(iso: "2017-09-27")), time: .midnight)
        let found = DatePhrase.all(in: "Saturday the 23rd", now: now)
        #expect(found.map { "\($0.firstDay)" } == ["2017-09-23"])
    }

    /// Days as public calendars of 2026 give them.
    @Test(
        "holidays that move",
        arguments: [
            ("Easter", "2026-04-05"), ("Good Friday", "2026-04-03"),
            ("Ash Wednesday", "2026-02-18"),
            ("Whit Monday", "2026-05-25"), ("Rosh Hashanah", "2026-09-11"),
            ("Passover", "2026-04-01"), ("Hanukkah", "2026-12-04"), ("Eid al-Fitr", "2026-03-20"),
            ("Diwali", "2026-11-08"), ("Chinese New Year", "2026-02-17"),
            ("Thanksgiving", "2026-11-26"), ("Labor Day", "2026-09-07"),
            ("Memorial Day", "2026-05-25"), ("the Friday before Easter", "2026-04-03"),
        ])
    func holidays(text: String, day: String) throws {
        // With the year: some of them lie behind.
        let found = try read(text.hasPrefix("the ") ? text : "\(text) 2026", [.en])
        #expect(found.hasPrefix(day), "\(text): \(found)")
    }

    @Test("a zone that is named is brought into that of the reader")
    func zones() throws {
        let berlin = try #require(Zone.named("Europe/Berlin"))
        #expect(
            try read("tomorrow at 5pm EST", [.en], zone: berlin)
                == "2026-03-05 23:00..2026-03-06 00:00")
        #expect(
            try read("2026-07-01T10:00Z", [.en], zone: berlin)
                == "2026-07-01 12:00..2026-07-01 12:01")
    }

    /// In Berlin the clock goes from 02:00 to 03:00 on 29 March 2026 and back on 25 October.
    @Test("hours pass on the clock, days on the calendar")
    func clockChange() throws {
        let berlin = try #require(Zone.named("Europe/Berlin"))
        let now = LocalTime(
            day: try #require(Day(iso: "2026-03-28")), time: try #require(TimeOfDay("20:00")))
        func read(_ text: String) -> [String] {
            DatePhrase.all(in: text, now: now, customs: DateCustoms(zone: berlin))
                .map { "\($0.start.day) \($0.start.time)" }
        }
        #expect(read("in 12 hours") == ["2026-03-29 09:00"])
        #expect(read("in one day and an hour") == ["2026-03-29 21:00"])
        // A time that the clock skips is the one it shows instead.
        #expect(read("tomorrow at 02:30") == ["2026-03-29 03:30"])
    }

    @Test(
        "numbers that only look like dates are none",
        arguments: [
            "The code of this object is 133-03-03-2020.", "bought at 6.45, sold at 7.10",
            "call 0171 555 0304", "router 192.168.1.4", "got 8/15.", "mix 1/2-3/4 cup",
            "release 2.10.3", "we will be only 3 next week's worth",
        ])
    func numbers(text: String) throws {
        let found = try read(text, [.en])
        #expect(found == (text.contains("week") ? "2026-03-09..2026-03-16" : ""))
    }
}
