import AuraCore

/// Files notes of the inbox.
struct FileCommand: Command {
    static let name = "file"
    static let summary = "File notes of the inbox into the vaults they belong to"
    static let discussion = """
        Each note goes to the vault whose notes it is most like, by meaning where there are vectors, else by \
        the words it shares with them; what a vault is for counts as well. A note that no vault claims for \
        sure stays where it is. What a person moves elsewhere teaches the next one at once.
        """
    static let examples = [
        ("aura file", "Files what lies in the inbox."),
        ("aura file --dry-run 'Tax letter'", "Shows where a note would go, and why."),
    ]
    static let grammar = Grammar<Self>(
        .rest("notes", \.notes, help: "Paths, ids or titles; the whole inbox when there are none."),
        .flag("dry-run", \.isDryRun, help: "Show where each would go; move nothing."))

    var notes: [String] = []
    var isDryRun = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let library = try await services.library(invocation.console.say)
        var paths = notes
        if notes.isEmpty {
            var filter = NoteFilter()
            filter.vaults = [services.settings.inbox]
            paths = try await library.list(filter, order: .oldestFirst).map(\.path)
        }
        for shelf in library.shelves {
            try await services.embedMissing(shelf.workspace, shelf.store)
        }
        var isComplete = true
        for name in paths {
            try Task.checkCancellation()
            let (workspace, found) = try await services.locate(name, in: library)
            let report = try await FilingReport.filing(
                found, in: workspace, library, moves: !isDryRun, invocation)
            invocation.print(report)
            isComplete = isComplete && report.answer.vault != nil
        }
        if !isDryRun, !paths.isEmpty { invocation.tellOfUndo() }
        return isComplete ? .done : .nothingFoundOrLeftUndone
    }
}

/// Where a note was filed, and why there.
struct FilingReport: Report {
    let path: String
    let answer: Services.FilingAnswer

    /// Finds a note's vault, and moves it there where that is sure.
    static func filing(
        _ found: Services.FoundNote, in workspace: Workspace, _ library: Library, moves: Bool,
        _ invocation: Invocation
    ) async throws -> FilingReport {
        let services = invocation.services
        let note = NoteText(bytes: found.bytes, path: found.path).note
        let answer = try await services.filing(
            of: ModelNote(path: found.path, note: note), library)
        guard moves, let vault = answer.vault, vault != VaultLayout.vault(of: found.path) else {
            return FilingReport(path: found.path, answer: answer)
        }
        let moved = try services.move(found, from: workspace, to: vault, .rule)
        return FilingReport(path: moved.path, answer: answer)
    }

    var json: JSONValue { .record([("path", .string(path)), ("filing", filing)]) }

    var filing: JSONValue {
        .record([
            ("vault", .optional(answer.vault)),
            (
                "shares",
                .record(
                    answer.shares.map { ($0.vault, .number(($0.share * 1000).rounded() / 1000)) })
            ),
            (
                "like",
                .array(
                    answer.likeNotes.map {
                        .record([("path", .string($0.path)), ("title", .string($0.title))])
                    })
            ),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        [
            SafeDisplay.visible(path, keepsLines: false),
            "  " + SafeDisplay.visible(reason, keepsLines: false),
        ]
    }

    /// `Family 71 %: like "Grandmother's hip", "Twins' school"`.
    var reason: String {
        let claims = answer.shares.prefix(2).map {
            "\($0.vault) \(Int(($0.share * 100).rounded())) %"
        }
        guard answer.vault != nil, let first = claims.first else {
            return claims.isEmpty
                ? "left here: nothing it could be compared with"
                : "left here: \(claims.joined(separator: ", "))"
        }
        guard !answer.likeNotes.isEmpty else { return first }
        let titles = answer.likeNotes.map { "\"\($0.title)\"" }
        return "\(first): like \(titles.joined(separator: ", "))"
    }
}
