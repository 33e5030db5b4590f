import AuraCore

/// Writes the weekly reports.
struct DistillWeeklyCommand: Command {
    static let name = "distill weekly"
    static let summary = "Write the report of a week for each vault"
    static let discussion = """
        Reads the notes of a week, Monday to Sunday, and writes one report a vault to its _distilled folder: \
        Week at a Glance with counted figures, Key Decisions, Open Threads, Hidden Insight, each line with \
        the notes it rests on. A vault with fewer than 3 notes is skipped. Running it again changes nothing \
        unless notes of the week changed; a report that you edited is left alone and the new one goes \
        beside it. Needs no terminal: fit for cron.
        """
    static let examples = [
        ("aura distill weekly", "Reports on the present week."),
        ("aura distill weekly --for 2026-02-25 --vault Corporate", "Reports on that day's week."),
    ]
    static let grammar = Grammar<Self>(
        .option("for", \.day, value: "date", help: "A day of the week; today when left out."),
        .option("vault", \.vault, value: "name", help: "Only this vault."),
        .flag("force", \.isForced, help: "Write below the minimum, and although nothing changed."),
        .flag("no-ai", \.isWithoutModel, help: "Write by rules, no chat model."),
        .flag("dry-run", \.isDryRun, help: "Print the report; write nothing."))

    var day: String?
    var vault: String?
    var isForced = false
    var isWithoutModel = false
    var isDryRun = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        let day = try self.day.map { try services.day($0, direction: .past) } ?? services.today
        let week = Week(containing: day)
        let only = try vault.map { try services.vaultName($0) }
        let library = try await services.library(
            vaults: only.map { [$0] } ?? [], thorough: true, console.say)
        // A log for whoever reads cron's mail: begin, what was done, outcome.
        if !console.errorIsTerminal {
            console.say("aura: \(services.now().iso8601) distill weekly \(week.label) begins")
        }
        var filter = NoteFilter()
        filter.from = week.monday
        filter.through = week.sunday
        if let only { filter.vaults = [only] }
        filter.excludedKinds = [.weeklyReport, .monthlyReport]
        let notes = try await library.list(filter)
        var paths = Dictionary(grouping: notes, by: \.vault).mapValues { $0.map(\.path) }
        if let only, paths[only] == nil { paths[only] = [] }
        let generator = isWithoutModel ? nil : services.generator
        if generator == nil, !isWithoutModel {
            console.say(
                "aura: no chat model is set up: the report is written by rules ('aura model list')")
        }
        for name in paths.keys.sorted() {
            try Task.checkCancellation()
            console.progress("distilling \(name), week \(week.label)…")
            let distill = services.distill(library.workspace(forVault: name), generator)
            let outcome = try await distill.week(
                week, of: name, paths: paths[name] ?? [], isForced: isForced, isDryRun: isDryRun)
            console.endProgress()
            invocation.print(
                WeekOutcomeReport(
                    vault: name, week: week, outcome: outcome, isVerbose: globals.isVerbose))
        }
        if paths.isEmpty { console.say("aura: no notes in week \(week.label)") }
        if !console.errorIsTerminal {
            console.say("aura: \(services.now().iso8601) distill weekly \(week.label) done")
        }
        return .done
    }
}

private struct WeekOutcomeReport: Report {
    let vault: String
    let week: Week
    let outcome: Distill.Outcome
    let isVerbose: Bool

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("vault", .string(vault)), ("week", .string(week.label)),
            ("monday", .string(week.monday.description)),
        ]
        switch outcome {
        case .tooFew(let notes):
            members += [("outcome", "too_few"), ("notes", .integer(notes))]
        case .upToDate(let path):
            members += [("outcome", "up_to_date"), ("path", .string(path))]
        case .written(let path, let text, let maker, let beside):
            members += [
                ("outcome", "written"), ("path", .string(path)), ("beside", .optional(beside)),
                ("maker", .string(maker)), ("text", .string(text)),
            ]
        case .wouldWrite(let path, let text, let maker):
            members += [
                ("outcome", "dry_run"), ("path", .string(path)), ("maker", .string(maker)),
                ("text", .string(text)),
            ]
        }
        return .record(members)
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let head = "\(vault), week \(week.label)"
        switch outcome {
        case .tooFew(let notes):
            return ["\(head): skipped, \(notes) notes (a report takes \(Distill.minimumNotes))"]
        case .upToDate(let path): return ["\(head): up to date, \(path)"]
        case .written(let path, _, let maker, let beside):
            let kept = beside.map { " beside \($0), which you edited" } ?? ""
            return ["\(head): wrote \(path)\(kept) (\(maker))"]
        case .wouldWrite(let path, let text, _):
            return ["\(head): would write \(path)", "", SafeDisplay.visible(text)]
        }
    }
}
