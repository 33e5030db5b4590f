import AuraCore

/// Takes the last changes back.
struct UndoCommand: Command {
    static let name = "undo"
    static let summary = "Take back the last changes"
    static let discussion = """
        Changes come back byte for byte, the latest first; those taken back already are passed over, so a \
        second 'aura undo' takes back the change before. An undo is a change too: --redo takes undos back. A \
        captured note goes to the trash. Nothing is done when the note was changed by another program since.
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
        let workspace = try services.workspace()
        // Moves that were stopped half way are put right first.
        _ = try await services.freshStore(workspace, console.say)
        var subject: History.Subject?
        if let note {
            subject = try await services.pastNote(note, workspace, console.say).subject
        }
        let undo = services.undo(workspace)
        let direction: Undo.Direction = isRedo ? .again : .back
        if isList {
            let changes = try undo.list(direction, of: subject, limit: count ?? Self.listed)
            invocation.print(
                list: changes.enumerated().map { index, change in
                    ChangeReport(
                        change: change, zone: services.zone, number: index + 1,
                        isDetailed: console.isVerbose)
                })
            if changes.isEmpty { console.say("aura: nothing to undo") }
            return .done
        }
        let undone = try undo.undo(count ?? 1, direction, of: subject)
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
