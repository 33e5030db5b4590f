import AuraCore

/// Takes the last changes back.
struct UndoCommand: Command {
    static let name = "undo"
    static let summary = "Take back the last changes"
    static let discussion = """
        Changes come back byte for byte, the latest first; those taken back already are passed over, so a \
        second 'aura undo' takes back the change before. An undo is a change too: --redo takes undos back. A \
        captured note goes to the trash. Moves between vaults with locks of their own, and changes from before a \
        vault was renamed, are passed over. Nothing is done when the note was changed by another program since.
        """
    static let examples = [
        ("aura undo", "Takes back the last change."),
        ("aura undo --list", "Shows what would be taken back, numbered."),
        ("aura undo 3", "Takes back the last three."),
        ("aura undo --note 'Q1 planning'", "Takes back the last change of one note."),
        ("aura undo --redo", "Makes the change that was taken back last again."),
    ]
    static let grammar = Grammar<Self>(
        .positional("count", \.count, help: "How many changes; one unless given."),
        .flag("list", \.isList, help: "Show what would be taken back, and change nothing."),
        .flag("redo", \.isRedo, help: "Take undos back instead of changes."),
        .option("note", \.note, value: "note", help: "Only changes of this note."))

    /// How many `--list` shows when no count is given.
    private static let listed = 20

    var count: Int?
    var isList = false
    var isRedo = false
    var note: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        if let count, count < 1 {
            throw InputError.badValue("'\(count)' is no number of changes", hint: "aura undo 2")
        }
        // Moves that were stopped half way are put right first.
        let library = try await services.library(console.say)
        var workspaces = library.shelves.map(\.workspace)
        var subject: History.Subject?
        if let note {
            let (workspace, found) = try await services.locatePast(note, console.say)
            workspaces = [workspace]
            subject = found.subject
        }
        let direction: Undo.Direction = isRedo ? .again : .back
        if isList {
            var changes: [PastChange] = []
            let limit = count ?? Self.listed
            for workspace in workspaces {
                changes += try services.undo(workspace).list(direction, of: subject, limit: limit)
            }
            changes.sort { $0.record.id > $1.record.id }
            invocation.print(
                list: changes.prefix(limit).enumerated().map { index, change in
                    ChangeReport(
                        change: change, zone: services.zone, number: index + 1,
                        isDetailed: console.isVerbose)
                })
            if changes.isEmpty { console.say("aura: nothing to undo") }
            return .done
        }
        let undone = try undo(count ?? 1, direction, of: subject, in: workspaces, services)
        invocation.print(list: undone.map { UndoneReport(undone: $0, zone: services.zone) })
        if undone.isEmpty {
            console.say("aura: nothing to \(isRedo ? "redo" : "undo")")
        } else if let count, undone.count < count {
            console.say("aura: there were only \(undone.count)")
        }
        if !undone.isEmpty, !isRedo { console.tell("aura: 'aura undo --redo' makes it again") }
        return .done
    }
}

extension UndoCommand {
    /// The latest changes of all open vaults, whichever they lie in.
    private func undo(
        _ count: Int, _ direction: Undo.Direction, of subject: History.Subject?,
        in workspaces: [Workspace], _ services: Services
    ) throws -> [Undo.Undone] {
        if workspaces.count == 1 {
            return try services.undo(workspaces[0]).undo(count, direction, of: subject)
        }
        var undone: [Undo.Undone] = []
        for _ in 0..<count {
            let next = try workspaces.compactMap { workspace in
                try services.undo(workspace).list(direction, of: subject, limit: 1).first
                    .map { (workspace: workspace, change: $0) }
            }.max { $0.change.record.id < $1.change.record.id }
            guard let workspace = next?.workspace else { break }
            undone += try services.undo(workspace).undo(1, direction, of: subject)
        }
        return undone
    }
}

private struct UndoneReport: Report {
    let undone: Undo.Undone
    let zone: Zone

    var json: JSONValue {
        .record([
            ("path", .string(undone.path)), ("in_trash", .bool(undone.isInTrash)),
            ("undone", ChangeReport.json(of: undone.change)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let change = undone.change
        let path = SafeDisplay.visible(undone.path, keepsLines: false)
        let verb = change.depth.isMultiple(of: 2) ? "undone" : "redone"
        return [
            "\(verb) \(change.entry.operation.rawValue) of \(ChangeReport.time(change.record.at, zone)): "
                + "\(path)\(undone.isInTrash ? " (to the trash)" : "")"
        ]
    }
}
