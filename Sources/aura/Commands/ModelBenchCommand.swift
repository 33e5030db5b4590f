import AuraCore

/// Times the ways of filing a note with a real model.
struct ModelBenchCommand: Command {
    static let name = "model bench"
    static let summary = "Time the ways of filing a note with a model"
    static let isHidden = true
    static let examples = [
        ("aura model bench", "Times every way with the chat model."),
        ("aura model bench --way form --threads 1", "Times forms on one thread."),
    ]
    static let grammar = Grammar<Self>(
        .option(
            "way", \.way, value: "way", help: "One way: whole-anew, whole, checked, form or worker."
        ),
        .option("threads", \.threads, value: "count", help: "Threads that compute."),
        .option(
            "notes", \.notes, value: "count", help: "File this many of the dozen notes in each way."
        )
    )

    var globals = GlobalOptions()
    var way = ""
    var threads = 2
    var notes = 12

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        guard let worker = invocation.services.worker, let model = worker.setup.chatModel else {
            throw ModelError.missing(role: "chat", path: nil)
        }
        if way == "worker" {
            let seconds = try await ModelBench.worker(worker, tokens: 128)
            let milliseconds = [seconds.server, seconds.call].map { Int($0 * 100_000) }
            invocation.console.writeLine(
                "worker: \(Double(milliseconds[0]) / 100) ms a token, \(Double(milliseconds[1]) / 100) ms with the call"
            )
            return .done
        }
        for way in ModelBench.Way.allCases where self.way.isEmpty || way.rawValue == self.way {
            let row = try ModelBench.row(way, model: model, threads: threads, notes: notes)
            let seconds = [
                row.firstSeconds, row.medianSeconds, row.medianProcessorSeconds, row.tokensPerNote,
            ]
            .map { "\(Double(Int($0 * 1000)) / 1000)" }
            invocation.console.writeLine(
                "\(way.rawValue): first \(seconds[0]) s, then \(seconds[1]) s a note (\(seconds[2]) s of processor), "
                    + "\(seconds[3]) tokens chosen")
            if globals.isVerbose {
                for reply in row.replies { invocation.console.writeLine("  \(reply)") }
            }
        }
        return .done
    }
}
