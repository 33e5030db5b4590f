internal import AuraSystem
internal import Synchronization

/// Times the ways of filing a note with a real model: what the hidden `aura model bench` prints.
package enum ModelBench {
    package enum Way: String, CaseIterable, Sendable {
        /// The grammar is asked about the whole vocabulary for every token, and nothing is kept between notes.
        case wholeGrammar = "whole-anew"
        /// As well, and the beginning that notes share is kept.
        case wholeGrammarKept = "whole"
        case checkedGrammar = "checked"
        case form = "form"
    }

    /// One way over some notes. The first note reads what the others share and is in neither median.
    package struct Row: Sendable {
        package var way: Way
        package var firstSeconds: Double
        package var medianSeconds: Double
        /// Of this process: steadier than wall time on a machine that is busy, when one thread computes.
        package var medianProcessorSeconds: Double
        package var tokensPerNote: Double
        package var replies: [String]
    }

    /// Files the first `notes` of a dozen notes in one way, in this process.
    /// - Throws: `ModelError`.
    package static func row(_ way: Way, model: String, threads: Int, notes: Int) throws -> Row {
        let runner = LlamaRunner()
        let models = WorkerMessage.Models(
            chat: model, embedding: nil, threads: threads, context: 2048)
        _ = try runner.contextLength(models: models)
        var times: [Double] = []
        var processor: [Double] = []
        var replies: [String] = []
        var tokens = 0
        for note in Self.notes.prefix(max(2, notes)) {
            var job = LlamaRunner.Job(deadline: .seconds(900))
            switch way {
            case .wholeGrammar: job.comparison = .nothingKept
            case .wholeGrammarKept: job.comparison = .wholeVocabulary
            case .checkedGrammar, .form: break
            }
            let text = Collected()
            let prompt = prompt(for: note, isForm: way == .form)
            let start = (ContinuousClock.now, ThisProcess.processorSeconds)
            let statistics = try runner.generate(prompt, models: models, job: job) { text.add($0) }
            times.append((ContinuousClock.now - start.0).seconds)
            processor.append(ThisProcess.processorSeconds - start.1)
            tokens += statistics.generatedTokens
            replies.append(text.text)
        }
        return Row(
            way: way, firstSeconds: times[0], medianSeconds: median(times.dropFirst()),
            medianProcessorSeconds: median(processor.dropFirst()),
            tokensPerNote: Double(tokens) / Double(times.count), replies: replies)
    }

    /// Seconds for each token of a long reply: by a worker, as it says itself, and for the whole of the call.
    package static func worker(_ worker: ModelWorker, tokens: Int) async throws -> (
        server: Double, call: Double
    ) {
        let prompt = Prompt(
            name: "bench",
            messages: [.init(.user, "Tell the story of the lighthouse keeper in great detail.")],
            maximumTokens: tokens, fingerprint: "")
        _ = try await worker.reply(to: prompt)
        let before = worker.statistics
        let start = ContinuousClock.now
        _ = try await worker.reply(to: prompt)
        let whole = (ContinuousClock.now - start).seconds
        let after = worker.statistics
        let count = Double(max(1, after.generatedTokens - before.generatedTokens))
        let prompting = after.promptSeconds - before.promptSeconds
        return (
            (after.generationSeconds - before.generationSeconds) / count,
            (whole - prompting) / count
        )
    }

    private static func median(_ values: ArraySlice<Double>) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private static func prompt(for note: (text: String, date: String?), isForm: Bool) -> Prompt {
        var messages: [Prompt.Message] = [.init(.system, system)]
        for (text, answer) in examples {
            messages += [.init(.user, "Note: \(text)"), .init(.assistant, answer)]
        }
        let shared = messages.count
        messages.append(.init(.user, "Note: \(note.text)"))
        return Prompt(
            name: "bench", messages: messages,
            decoding: isForm ? .form(form(date: note.date), fallback: grammar) : .grammar(grammar),
            maximumTokens: 160, fingerprint: "", sharedMessages: shared)
    }

    private static func form(date: String?) -> Form {
        Form([
            .fixed("{\"tags\":[\""), .free(.tags(minimum: 2, maximum: 5), end: "\"]"),
            .fixed(",\"action_kind\":"),
            .choice(["\"reminder\"", "\"calendar\"", "\"none\""]), .fixed(",\"deadline\":"),
            .choice(date.map { ["null", "\"\($0)\""] } ?? ["null"]),
            .fixed(",\"time\":null,\"is_time_specific\":false,\"evergreen\":"),
            .choice(["true", "false"]),
            .fixed(",\"suggested_type\":"),
            .choice(["\"task\"", "\"note\"", "\"idea\"", "\"log\"", "null"]),
            .fixed(",\"suggested_title\":\""), .free(.line(minimum: 3, maximum: 60), end: "\""),
            .fixed("}"),
        ])
    }

    private static let grammar = #"""
        root  ::= "{\"tags\":" tags ",\"action_kind\":" kind ",\"deadline\":" date ",\"time\":" time ",\"is_time_specific\":" bool ",\"evergreen\":" bool ",\"suggested_type\":" type ",\"suggested_title\":" title "}"
        tags  ::= "[" tag ("," tag){1,4} "]"
        tag   ::= "\"" [a-z] [a-z0-9-]{1,19} "\""
        kind  ::= "\"reminder\"" | "\"calendar\"" | "\"none\""
        date  ::= "null" | "\"20" [0-9] [0-9] "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01]) "\""
        time  ::= "null" | "\"" ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] "\""
        bool  ::= "true" | "false"
        type  ::= "\"task\"" | "\"note\"" | "\"idea\"" | "\"log\"" | "null"
        title ::= "\"" [A-Z0-9] [^"\\\x00-\x1F]{2,59} "\""
        """#

    private static let system: String = {
        var text = """
            You file personal notes. Today is Wednesday 2026-03-11. Read the note and answer with one JSON object:
            tags: 2 to 5 short lowercase topic words taken from the note
            action_kind: "reminder" if the note says something must be done, "calendar" if it is an appointment at a set time, else "none"
            deadline: date YYYY-MM-DD the note asks for, else null
            time: HH:MM 24-hour clock if the note gives a clock time for an appointment, else null
            is_time_specific: true only when a clock time is given
            evergreen: true if it is lasting wisdom, a how-to or a quote that stays useful for years, else false
            suggested_type: "task" for things to do, "idea" for plans and inventions, "log" for what happened or was felt, "note" for knowledge, else null
            suggested_title: a short title
            Dates:
            """
        let names = ["Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday"]
        for offset in 0..<14 {
            let remark = offset == 0 ? " (today)" : offset == 1 ? " (tomorrow)" : ""
            text += "\n\(names[offset % 7])\(remark) = 2026-03-\(11 + offset)"
        }
        return text
    }()

    private static let examples: [(String, String)] = [
        (
            "buy stamps on Saturday",
            #"{"tags":["stamps","errand"],"action_kind":"reminder","deadline":"2026-03-14","time":null,"is_time_specific":false,"evergreen":false,"suggested_type":"task","suggested_title":"Buy stamps"}"#
        ),
        (
            "coffee with Omar tomorrow at 4 pm",
            #"{"tags":["coffee","omar"],"action_kind":"calendar","deadline":"2026-03-12","time":"16:00","is_time_specific":true,"evergreen":false,"suggested_type":"task","suggested_title":"Coffee with Omar"}"#
        ),
        (
            "watched the lunar eclipse from the roof last night, cold but worth it",
            #"{"tags":["eclipse","astronomy","roof"],"action_kind":"none","deadline":null,"time":null,"is_time_specific":false,"evergreen":false,"suggested_type":"log","suggested_title":"Lunar eclipse from the roof"}"#
        ),
        (
            "when angry write the email, then wait ten minutes before sending it",
            #"{"tags":["email","anger","advice"],"action_kind":"none","deadline":null,"time":null,"is_time_specific":false,"evergreen":true,"suggested_type":"note","suggested_title":"Wait before sending angry email"}"#
        ),
        (
            "a lamp that dims by itself when the phone is put down",
            #"{"tags":["lamp","phone","invention"],"action_kind":"none","deadline":null,"time":null,"is_time_specific":false,"evergreen":false,"suggested_type":"idea","suggested_title":"Lamp that dims with the phone"}"#
        ),
        (
            "hand in the library books by 20 March",
            #"{"tags":["library","books"],"action_kind":"reminder","deadline":"2026-03-20","time":null,"is_time_specific":false,"evergreen":false,"suggested_type":"task","suggested_title":"Hand in library books"}"#
        ),
        (
            "to peel garlic fast shake the cloves in a closed jar",
            #"{"tags":["garlic","kitchen","how-to"],"action_kind":"none","deadline":null,"time":null,"is_time_specific":false,"evergreen":true,"suggested_type":"note","suggested_title":"Peel garlic in a closed jar"}"#
        ),
    ]

    private static let notes: [(text: String, date: String?)] = [
        ("the heat pump man says the filter wants a clean every six months", nil),
        ("renew the parking permit by Friday or they will tow the car", "2026-03-13"),
        ("felt slow on the long run today, shoes are worn through", nil),
        ("an app that tells me which houseplant to water by its photo", nil),
        ("send Priya the budget draft before Monday", "2026-03-16"),
        ("candle wax comes off the table with ice and a wooden spatula", nil),
        ("book the dentist for next week, Tuesday would be best", "2026-03-17"),
        ("market opened lower, sold half of the copper position", nil),
        ("people remember how you made them feel, not what you said", nil),
        ("pick up the parcel from the neighbour tomorrow", "2026-03-12"),
        ("tried the new bakery by the station, rye bread is excellent", nil),
        ("plan a weekend trip to the lakes with the kids in early summer", nil),
    ]
}

/// Text that comes in pieces from another thread's closure.
private final class Collected: Sendable {
    private let pieces = Mutex("")
    var text: String { pieces.withLock { $0 } }
    func add(_ piece: String) { pieces.withLock { $0 += piece } }
}
