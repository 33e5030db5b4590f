import AuraCore

/// Measures searching on the person's own notes.
struct BenchCommand: Command {
    static let name = "bench"
    static let summary = "Measure how well and how fast your notes are found"
    static let discussion = """
        Makes a query out of each of some notes, picked by chance: a few rare words, words that stand next to \
        each other, words of the title, or one sentence without the words that say nothing. Each is searched \
        for by words, and by meaning and both where vectors are. What counts is whether the note that a query \
        is from comes first, among the first 10 or the first 20, and how long searching takes.

        The figures are kept beside the index, and the next run with the same seed says what got worse: a \
        recall that fell by more than 0.02, or a p95 that is more than 1.5 times as long. Only figures are \
        kept; no words of notes are printed, kept or sent anywhere. 'aura model bench' measures filing.
        """
    static let examples = [
        ("aura bench", "Makes queries from 200 notes and says how many find theirs."),
        ("aura bench --notes 1000 --seed 7 --json", "Takes other notes; prints one JSON object."),
    ]
    static let grammar = Grammar<Self>(
        .option(
            "notes", \.notes, value: "count",
            help: "Make queries from this many notes; usually 200."),
        .option("seed", \.seed, value: "number", help: "Pick other notes; usually 1."))

    var notes = Services.usualBenchNotes
    var seed = 1
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        let library = try await services.library(console.say)
        if !library.locked.isEmpty {
            console.say("aura: left out, being locked: \(library.locked.joined(separator: ", "))")
        }
        let last = services.lastSearchBench(library)
        defer { console.endProgress() }
        let bench = try await services.benchSearch(
            library, notes: max(1, notes), seed: seed, onProgress: console.progress)
        console.endProgress()
        guard let bench else {
            console.say("aura: no note has words enough to be searched for")
            return .done
        }
        let regressions = last.map { bench.regressions(since: $0) } ?? []
        for remark in bench.remarks { console.say("aura: \(remark)") }
        invocation.print(BenchReport(bench: bench, last: last, regressions: regressions))
        for regression in regressions { console.complain("aura: worse than last: \(regression)") }
        try services.keep(bench, library)
        return ExitStatus(lookingAt: library)
    }
}

private struct BenchReport: Report {
    let bench: SearchBench
    let last: SearchBench?
    let regressions: [String]

    var json: JSONValue {
        let members = (bench.json.members ?? []).map { ($0.key, $0.value) }
        return .record(
            members + [
                ("last", last?.json ?? .null),
                ("regressions", .array(regressions.map { .string($0) })),
            ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        var lines = [
            "\(counted(bench.queries, "query", "queries")) made from "
                + "\(counted(bench.notes, "note", "notes")), seed \(bench.seed)",
            style.secondary("mode       p50 ms   p95 ms  recall@1      @10      @20"),
        ]
        for (mode, figures) in bench.modes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append(
                mode.rawValue.padding(to: 9) + column(figures.median, 8)
                    + column(figures.slow, 9) + column(figures.first, 10, decimals: 3)
                    + column(figures.amongTen, 9, decimals: 3)
                    + column(figures.amongTwenty, 9, decimals: 3))
        }
        if let last {
            let isSame = last.seed == bench.seed && last.queries == bench.queries
            let words = isSame ? "compared with" : "not compared, with another sample:"
            lines.append(style.secondary("\(words) the run of \(last.madeAt)"))
        }
        return lines
    }

    private func counted(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }

    private func column(_ number: Double, _ width: Int, decimals: Int = 2) -> String {
        let scale = decimals == 3 ? 1000.0 : 100.0
        let whole = Int((number * scale).rounded())
        let fraction = String(whole % Int(scale))
        let text =
            "\(whole / Int(scale))."
            + String(repeating: "0", count: decimals - fraction.count) + fraction
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
