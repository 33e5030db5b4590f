import AuraCore
import AuraSystem

/// Moves a note to another vault.
struct MoveCommand: Command {
    static let name = "move"
    static let aliases = ["mv"]
    static let summary = "Move a note to another vault"
    static let examples = [("aura move 'Tax letter' Family", "Moves the note to the Family vault.")]
    static let grammar = Grammar<Self>(
        .required("note", \.note, help: "Path, id or title."),
        .required("vault", \.vault, help: "Where it goes."))

    var note = ""
    var vault = ""
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let target = try services.vaultName(vault)
        let (workspace, found) = try await services.locate(note, invocation.console.say)
        guard found.path.prefix(while: { $0 != "/" }) != target else {
            invocation.console.say("aura: it is in \(target) already")
            return .done
        }
        let (newPath, complaint) = try services.move(found, from: workspace, to: target, .person)
        if let complaint {
            invocation.console.complain(
                "aura: its vault field stays as it is: \(ErrorReport(complaint).message)")
        }
        invocation.print(PathReport(path: newPath, former: found.path))
        invocation.tellOfUndo()
        return .done
    }
}

/// Puts notes into the trash.
struct RemoveCommand: Command {
    static let name = "rm"
    static let aliases = ["remove", "delete"]
    static let summary = "Put notes into the trash"
    static let examples = [
        ("aura rm Personal/2026-03-04_old-list.md", "Puts the note into the trash."),
        ("aura restore", "Lists what is in the trash."),
    ]
    static let grammar = Grammar<Self>(
        .rest("notes", \.notes, isRequired: true, help: "Paths, ids or titles."))

    var notes: [String] = []
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        // All are looked up before any is touched: a wrong word removes nothing.
        var found: [(workspace: Workspace, note: Services.FoundNote)] = []
        for name in notes {
            found.append(try await services.locate(name, invocation.console.say))
        }
        for (workspace, note) in found {
            let id = NoteText(bytes: note.bytes, path: note.path).note.id
            let item = try workspace.changes.remove(
                note.path, Journal.Entry(.remove, note: id, path: note.path))
            invocation.print(TrashReport(item: item, verb: "removed"))
        }
        invocation.tellOfUndo()
        return .done
    }
}

/// Takes notes out of the trash, or lists it; brings earlier versions back.
struct RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Bring notes back from the trash, or an earlier version"
    static let discussion = """
        Without --at, notes come back from the trash as they went there. With --at, one note gets the text that \
        it had at a time ('2026-03-04 14:00', 'yesterday 9am') or a version's number from 'aura history'; that \
        is a new change, and its versions since stay in the history.
        """
    static let examples = [
        ("aura restore", "Lists what is in the trash."),
        ("aura restore Personal/2026-03-04_old-list.md", "Brings the note back to where it lay."),
        ("aura restore 'Q1 planning' --at 2", "Makes the second version the newest."),
    ]
    static let grammar = Grammar<Self>(
        .rest(
            "notes", \.notes,
            help: "Paths or keys from the list; lists the trash when there are none."),
        .option(
            "at", \.moment, value: "time",
            help: "The text of then: a time, words, or a version's number."))

    var notes: [String] = []
    var moment: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if let moment {
            guard !notes.isEmpty else {
                throw UsageError.missingWord("notes", command: "aura restore")
            }
            return try await bringBack(moment, invocation)
        }
        var isComplete = true
        let items = try services.openWorkspaces().flatMap { workspace in
            try workspace.trash.items { name, error in
                isComplete = false
                invocation.console.say(
                    "aura: left out: trash/\(name): \(ErrorReport(error).message)")
            }.map { (workspace: workspace, item: $0) }
        }
        if notes.isEmpty {
            invocation.print(list: items.map { TrashReport(item: $0.item, verb: nil) })
            if items.isEmpty, isComplete { invocation.console.say("aura: the trash is empty") }
            return isComplete ? .done : .nothingFoundOrLeftUndone
        }
        var chosen: [(workspace: Workspace, item: Trash.Item)] = []
        for name in notes {
            guard
                let found = items.first(where: { _, item in
                    item.path == name || item.key == name.uppercased()
                        || Files.name(of: item.path) == name
                })
            else {
                throw VaultError.noSuchNote(
                    name: name,
                    nearest: EditDistance.nearest(to: name, in: items.map(\.item.path)))
            }
            chosen.append(found)
        }
        for (workspace, item) in chosen {
            let id = NoteText(bytes: try workspace.trash.contents(of: item), path: item.path).note
                .id
            let path = try workspace.changes.restore(
                item, Journal.Entry(.restore, note: id, path: item.path))
            invocation.print(PathReport(path: path, former: nil))
        }
        invocation.tellOfUndo()
        return .done
    }

    /// Writes an earlier version as the newest.
    private func bringBack(
        _ moment: String, _ invocation: Invocation
    ) async throws -> ExitStatus {
        let services = invocation.services
        let (workspace, note) = try await services.locatePast(
            notes.joined(separator: " "), invocation.console.say)
        let history = try History(of: note.subject, workspace.changes)
        let version = try services.version(moment, of: history)
        guard let bytes = version.bytes else { return .done }
        let path = note.subject.path
        var entry = Journal.Entry(.restore, note: note.subject.note, path: path)
        entry.reason =
            "version \(version.number)"
            + (version.from.map { " of \(ChangeReport.time($0, services.zone))" } ?? "")
        // What the person chose is not filled in again by a model.
        entry.personFields = EditCommand.differences(
            NoteText(bytes: note.bytes, path: path).note, NoteText(bytes: bytes, path: path).note)
        if let item = note.trashItem {
            let newPath = try workspace.changes.restore(item, as: bytes, entry)
            invocation.print(PathReport(path: newPath, former: nil))
        } else {
            let new = try workspace.changes.rewrite(path, expecting: note.bytes) { _ in
                NoteChanges.Rewriting(bytes: bytes, entry: entry)
            }
            if new == nil { invocation.console.say("aura: nothing to change") }
            invocation.print(PathReport(path: path, former: nil))
        }
        invocation.tellOfUndo()
        return .done
    }
}

/// Where a note lies now.
struct PathReport: Report {
    let path: String
    let former: String?

    var json: JSONValue { .record([("path", .string(path)), ("former_path", .optional(former))]) }

    func lines(_ style: Styling, width: Int) -> [String] {
        [SafeDisplay.visible(path, keepsLines: false)]
    }
}

private struct TrashReport: Report {
    let item: Trash.Item
    let verb: String?

    var json: JSONValue { .record([("path", .string(item.path)), ("key", .string(item.key))]) }

    func lines(_ style: Styling, width: Int) -> [String] {
        let path = SafeDisplay.visible(item.path, keepsLines: false)
        return [
            verb.map { "\($0) \(path) (key \(item.key))" } ?? "\(style.secondary(item.key)) \(path)"
        ]
    }
}
