import AuraTestKit
import Testing

@testable import AuraCore

/// Wednesday, 4 March 2026, ten in the morning.
private let now = LocalTime(
    day: Day(year: 2026, month: 3, day: 4)!, time: TimeOfDay(hour: 10, minute: 0)!)

private func classified(_ text: String, _ reply: String) -> Classification? {
    Classification(
        reply: reply, reading: TextReading(of: text, now: now, customs: DateCustoms()),
        maker: "test")
}

/// A reply with every field; each can be given as JSON.
private func reply(
    tags: String = #"["alpha","beta"]"#, action: String = "none", deadline: String = "null",
    time: String = "null", evergreen: String = "false", type: String = "note",
    title: String = "A good title"
) -> String {
    #"{"tags":\#(tags),"action_kind":"\#(action)","deadline":\#(deadline),"time":\#(time),"#
        + #""evergreen":\#(evergreen),"suggested_type":"\#(type)","suggested_title":"\#(title)"}"#
}

@Suite("what rules read in a text")
struct TextReadingTests {
    @Test(
        "a text is a task, a log, an idea or a note",
        arguments: [
            ("Renew the passport by 30 April.", NoteKind.task),
            ("Remember to water the figs", .task),
            ("Book the village hall for the seed swap.", .task),
            ("The permit has to be with the office by Friday.", .task),
            ("Idea: a tile pattern for the hallway with two greens.", .idea),
            ("What if the shed had a green roof?", .idea),
            ("Went to the market with Ana.", .log), ("Book club was fun.", .log),
            ("The new neighbour keeps bees.", .note),
            ("Recipe: barley, leek, a spoon of mustard.", .note),
        ])
    func kinds(text: String, kind: NoteKind) {
        #expect(TextReading(of: text, now: now, customs: DateCustoms()).classification.kind == kind)
    }

    @Test(
        "an order with a day is a reminder; a meeting with a day and a time is an event",
        arguments: [
            ("Renew the passport by 30 April.", "reminder 2026-04-30"),
            ("Ring the garage on Thursday at noon.", "reminder 2026-03-05 12:00"),
            ("Ring the vet on Thursday at noon.", "reminder 2026-03-05 12:00"),
            ("The deadline for the grant was 1 March, we missed it.", "none"),
            ("It was due by Friday, they sent it.", "none"),
            ("Do not call the bank on Monday.", "none"),
            ("Dentist appointment on Friday at 10:00.", "calendar 2026-03-06 10:00"),
            ("Schedule a meeting with Ingrid for Friday at 9:30.", "calendar 2026-03-06 09:30"),
            ("Remind me of the meeting on Friday at 9:30.", "reminder 2026-03-06 09:30"),
            ("Book the village hall.", "none"), ("The surveyor comes on Friday.", "none"),
            ("The meeting was on Monday at 10:00.", "none"),
        ])
    func actions(text: String, expected: String) {
        let action = TextReading(of: text, now: now, customs: DateCustoms()).classification.action
        let words = [
            action.kind.rawValue, action.deadline?.description, action.time?.description,
        ].compactMap { $0 }
        #expect(words.joined(separator: " ") == expected)
    }

    @Test("only the first 800 characters are read")
    func excerpt() {
        let long = String(repeating: "word ", count: 160) + "Renew the passport by 30 April."
        let reading = TextReading(of: long, now: now, customs: DateCustoms())
        #expect(reading.dates.isEmpty && !reading.isPlainOrder)
    }

    @Test(
        "a title is the beginning of the first sentence, eight words at most",
        arguments: [
            ("Renew the passport by 30 April.", "Renew the passport by 30 April"),
            ("# Heading\n\nText", "Heading"), ("", ""), ("🌱🌱", "🌱🌱"),
            (
                "one two three four five six seven eight nine ten",
                "one two three four five six seven eight"
            ),
            ("one two three four five six seven of nine ten", "one two three four five six seven"),
        ])
    func titles(text: String, title: String) {
        #expect(TextReading.title(of: text) == title)
    }

    @Test(
        "nothing in a text stops the reading",
        arguments: ["", " \n", "\u{0}", "....", "1/1/1/1", "by by by"])
    func strange(text: String) {
        let made = TextReading(of: text, now: now, customs: DateCustoms()).classification
        #expect(made.action == .none)
    }
}

@Suite("a model's reply and the rules together")
struct ClassificationTests {
    private let open = "The surveyor comes on Friday."
    private let friday = "\"2026-03-06\""

    @Test("two conditions make an action: a task, and a deadline")
    func twoConditions() {
        let both = classified(open, reply(action: "reminder", deadline: friday, type: "task"))
        #expect(both?.action == Action(kind: .reminder, deadline: Day(iso: "2026-03-06")))
        for reply in [
            reply(action: "reminder", deadline: friday, type: "note"),
            reply(action: "reminder", deadline: friday, type: "log"),
            reply(action: "reminder", deadline: "null", type: "task"),
            reply(action: "none", deadline: friday, type: "task"),
            reply(action: "party", deadline: friday, type: "task"),
        ] {
            #expect(classified(open, reply)?.action == Action.none, "\(reply)")
        }
    }

    @Test(
        "a date that is not in the text is none",
        arguments: [
            "\"2026-03-07\"", "\"2025-03-06\"", "\"tomorrow\"", "\"\"", "5", "\"2026-02-30\"",
        ])
    func inventedDates(deadline: String) {
        let made = classified(open, reply(action: "reminder", deadline: deadline, type: "task"))
        #expect(made?.action == Action.none && made?.kind == .task)
    }

    @Test("a time that is not in the text is none, and one that is stands with its day")
    func times() {
        let invented = classified(
            open, reply(action: "reminder", deadline: friday, time: "\"09:00\"", type: "task"))
        #expect(invented?.action.time == nil && invented?.action.deadline != nil)
        let said = classified(
            "The surveyor comes on Friday at 14:30.",
            reply(action: "reminder", deadline: friday, type: "task"))
        #expect(said?.action.time == TimeOfDay("14:30"))
    }

    @Test("an event without a time is a reminder")
    func timeless() {
        let made = classified(open, reply(action: "calendar", deadline: friday, type: "task"))
        #expect(made?.action.kind == .reminder)
    }

    @Test("a plain order is a task with its day, whatever the model thinks")
    func plainOrders() {
        for reply in [
            reply(), reply(type: "idea"), reply(action: "calendar", deadline: friday, type: "log"),
            reply(evergreen: "true"),
        ] {
            let made = classified("Renew the passport by 30 April.", reply)
            #expect(made?.kind == .task && made?.isEvergreen == false)
            #expect(made?.action == Action(kind: .reminder, deadline: Day(iso: "2026-04-30")))
        }
    }

    @Test("a meeting with a day and a time is an event where the model saw none")
    func meetings() {
        let made = classified("Dentist appointment on Friday at 10:00.", reply())
        #expect(made?.kind == .task)
        #expect(
            made?.action
                == Action(
                    kind: .calendar, deadline: Day(iso: "2026-03-06"), time: TimeOfDay("10:00")))
    }

    @Test(
        "tags are made one way, each once, five at most; fewer than two are filled up by the rules",
        arguments: [
            (
                ##"["Bread Baking","#DIY","diy","bread-baking",""," reading "]"##,
                ["bread-baking", "diy", "reading"]
            ),
            (#"["a","b","c","d","e","f"]"#, ["a", "b", "c", "d", "e"]),
            (#"["only"]"#, ["only", "surveyor", "comes"]), ("[]", ["surveyor", "comes"]),
            ("null", ["surveyor", "comes"]), (#"[1,null,{"a":1},"x","y"]"#, ["x", "y"]),
        ])
    func tags(tags: String, expected: [String]) {
        #expect(classified(open, reply(tags: tags))?.tags == expected)
    }

    @Test(
        "a title is one line without quotes or a full stop; without one the text's beginning stands",
        arguments: [
            ("A  good\\n title.", "A good title"), ("\\\"Quoted title\\\"", "Quoted title"),
            ("", "The surveyor comes on Friday"), (" . ", "The surveyor comes on Friday"),
        ])
    func titles(title: String, expected: String) {
        #expect(classified(open, reply(title: title))?.title == expected)
    }

    @Test("a title is no longer than 80 characters")
    func longTitle() {
        #expect(
            classified(open, reply(title: String(repeating: "x", count: 500)))?.title.count == 80)
    }

    @Test(
        "a report is no type that a model may give", arguments: ["distilled_weekly", "novel", ""])
    func types(type: String) {
        #expect(classified(open, reply(type: type))?.kind == .note)
    }

    @Test(
        "what is no complete object is not used at all",
        arguments: [
            "", "I cannot do that.", "[1,2]", "{\"tags\":[\"a\"",
            "{\"suggested_title\":\"x\",\"tags\":[\"events\"\n\n\n",
            "<think>{\"tags\":[\"a\",\"b\"]}", "```\n```",
        ])
    func unusable(reply: String) {
        #expect(classified(open, reply) == nil)
    }

    @Test("prose and fences around the object, and thinking before it, are passed over")
    func wrapped() {
        let plain = classified(open, reply())
        for wrapped in [
            "```json\n\(reply())\n```", "<think>{\"tags\":[\"wrong\"]}</think>\n\(reply())",
            "Here it is:\n\(reply())",
        ] {
            #expect(classified(open, wrapped) == plain)
        }
    }
}
