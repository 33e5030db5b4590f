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

    /// The prompt that files a note, held to its form or to the grammar of the same language.
    private static func prompt(for note: (text: String, date: Day?), isForm: Bool) -> Prompt {
        var prompt = Prompts.classify(
            note: note.text, vault: "Personal", today: day("2026-03-11"),
            dates: note.date.map { [$0] } ?? [],
            times: [])
        if !isForm, case .form(_, let grammar) = prompt.decoding {
            prompt.decoding = .grammar(grammar)
        }
        return prompt
    }

    private static func day(_ text: String) -> Day {
        guard let day = Day(iso: text) else { preconditionFailure("\(text) is no day") }
        return day
    }

    private static let notes: [(text: String, date: Day?)] = [
        ("the heat pump man says the filter wants a clean every six months", nil),
        ("renew the parking permit by Friday or they will tow the car", day("2026-03-13")),
        ("felt slow on the long run today, shoes are worn through", nil),
        ("an app that tells me which houseplant to water by its photo", nil),
        ("send Priya the budget draft before Monday", day("2026-03-16")),
        ("candle wax comes off the table with ice and a wooden spatula", nil),
        ("book the dentist for next week, Tuesday would be best", day("2026-03-17")),
        ("market opened lower, sold half of the copper position", nil),
        ("people remember how you made them feel, not what you said", nil),
        ("pick up the parcel from the neighbour tomorrow", day("2026-03-12")),
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
