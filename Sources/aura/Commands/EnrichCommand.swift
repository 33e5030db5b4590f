import AuraCore

/// Classifies what is pending.
struct EnrichCommand: Command {
    static let name = "enrich"
    static let summary = "Classify pending notes now"
    static let discussion = """
        Capture starts this in the background by itself. Here it runs in the foreground, with progress, \
        over the notes named or all that are pending.
        """
    static let examples = [("aura enrich", "Classifies everything that is pending.")]
    static let grammar = Grammar<Self>(
        .rest(
            "notes", \.notes, help: "Paths, ids or titles; all pending notes when there are none."))

    var notes: [String] = []
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        let library = try await services.library(thorough: true, console.say)
        var paths: [String] = []
        if notes.isEmpty {
            var pending = NoteFilter()
            pending.isPending = true
            paths = try await library.list(pending, order: .oldestFirst).map(\.path)
        } else {
            for name in notes {
                paths.append(try await services.locate(name, in: library).note.path)
            }
        }
        if services.generator == nil, !paths.isEmpty {
            console.say(
                "aura: no chat model is set up: fields are filled in by rules ('aura model list')")
        }
        var isComplete = true
        for (index, path) in paths.enumerated() {
            try Task.checkCancellation()
            console.progress(
                "\(index + 1) of \(paths.count): \(SafeDisplay.visible(path, keepsLines: false))")
            let workspace = library.workspace(forVault: VaultLayout.vault(of: path))
            guard let worker = services.worker(for: workspace, urgency: .interactive) else {
                continue
            }
            switch try await worker.enrich(path) {
            case .done(let path, let note, _):
                console.endProgress()
                invocation.print(CaptureReport(path: path, note: note, shows: .all))
                invocation.tellOfUndo()
            case .stillPending(let path, _, let reason):
                console.endProgress()
                console.complain("aura: \(path): \(reason); it stays pending")
                isComplete = false
            case .nothingToDo(let path):
                console.endProgress()
                console.say("aura: \(path): nothing to do")
            }
        }
        for shelf in try await services.library(thorough: true, console.say).shelves {
            try await services.embedMissing(shelf.workspace, shelf.store)
        }
        return isComplete ? .done : .nothingFoundOrLeftUndone
    }
}
