import AuraCore
import AuraSystem

/// Changes a note: in the editor, or its fields by options.
struct EditCommand: Command {
    static let name = "edit"
    static let summary = "Change a note in the editor, or its fields by options"
    static let discussion = """
        Without options the whole file opens in the editor. With options only those fields change; every \
        other line of the file stays as it is, byte for byte.
        """
    static let examples = [
        ("aura edit 'Clinic visit' --tag +health --tag -draft", "Adds one tag and takes one away."),
        ("aura edit 01KJ0W --deadline 'friday' --time 09:00", "Sets when it is due."),
        ("aura edit Corporate/plan.md", "Opens the file in the editor."),
    ]
    static let grammar = Grammar<Self>(
        .rest("note", \.words, isRequired: true, help: "Path, id or title."),
        .options(
            "tag", short: "t", \.tags, value: "±tag", help: "+tag adds, -tag takes away, tag adds."),
        .option("title", \.title, value: "title", help: "Its title."),
        .option("type", \.kind, value: "type", help: "What it is."),
        .option(
            "deadline", \.deadline, value: "date", help: "When it is due: a date, words, or none."),
        .option("time", \.time, value: "HH:MM", help: "The clock time, or none."),
        .option(
            "evergreen", \.evergreen, value: "yes|no", help: "Whether it stays useful for years."))

    var words: [String] = []
    var tags: [String] = []
    var title: String?
    var kind: NoteKind?
    var deadline: String?
    var time: String?
    var evergreen: Bool?
    var globals = GlobalOptions()

    private var changesFields: Bool {
        !tags.isEmpty || title != nil || kind != nil || deadline != nil || time != nil
            || evergreen != nil
    }

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let (workspace, found) = try await services.locate(
            words.joined(separator: " "), invocation.console.say)
        let text = NoteText(bytes: found.bytes, path: found.path)
        if !changesFields {
            return try openEditor(found, text, workspace, invocation)
        }
        // What is changed is the text as it is under the lock, so that edits at the same time follow
        // one another.
        let new = try workspace.changes.rewrite(found.path) { bytes in
            let text = NoteText(bytes: bytes, path: found.path)
            let (edit, fields) = try self.edit(of: text.note, services)
            guard !fields.isEmpty else { return nil }
            var entry = Journal.Entry(.edit, note: text.note.id, path: found.path)
            entry.personFields = fields
            return NoteChanges.Rewriting(bytes: try text.applying(edit), entry: entry)
        }
        guard let new else {
            invocation.console.say("aura: nothing to change")
            return .done
        }
        invocation.print(
            CaptureReport(
                path: found.path, note: NoteText(bytes: new, path: found.path).note, shows: .all))
        invocation.tellOfUndo()
        return .done
    }

    /// The edit, and the names of the fields it changes.
    private func edit(of note: Note, _ services: Services) throws -> (NoteEdit, [String]) {
        var edit = NoteEdit()
        var fields: [String] = []
        if let title, title != note.title {
            guard !title.allSatisfy(\.isWhitespace) else {
                throw InputError.badValue("a title cannot be empty", hint: "give some words")
            }
            edit.title = title
            fields.append("title")
        }
        if !tags.isEmpty {
            let wanted = try changedTags(note.tags)
            if wanted != note.tags {
                edit.tags = wanted
                fields.append("tags")
            }
        }
        if let kind, kind != note.kind {
            edit.kind = kind
            fields.append("type")
        }
        if let evergreen, evergreen != note.isEvergreen {
            edit.isEvergreen = evergreen
            fields.append("evergreen")
        }
        if deadline != nil || time != nil {
            let action = try changedAction(note, services)
            if action != note.action {
                edit.action = action
                fields += ["deadline", "time"]
                // An action belongs to a task; who sets a deadline means one.
                if action.kind != .none, (edit.kind ?? note.kind) != .task {
                    if kind != nil {
                        throw UsageError.conflict(
                            "only a task has a deadline",
                            hint: "leave --type out, or say --type task")
                    }
                    edit.kind = .task
                    fields.append("type")
                }
            }
        } else if let kind, kind != .task, note.action != .none {
            edit.action = Action.none
            fields.append("deadline")
        }
        if !fields.isEmpty { edit.modified = services.now() }
        return (edit, fields)
    }

    private func changedTags(_ old: [String]) throws -> [String] {
        var result = old
        for change in tags {
            let name =
                change.hasPrefix("+") || change.hasPrefix("-") ? String(change.dropFirst()) : change
            guard let tag = Tag.normalised(name) else {
                throw InputError.badValue(
                    "'\(change)' is no tag", hint: "use letters and digits: +health")
            }
            let place = result.firstIndex { Tag.normalised($0) == tag }
            if change.hasPrefix("-") {
                if let place { result.remove(at: place) }
            } else if place == nil {
                result.append(tag)
            }
        }
        return result
    }

    private func changedAction(_ note: Note, _ services: Services) throws -> Action {
        if deadline?.lowercased() == "none" { return .none }
        var action = note.action
        if let deadline {
            action.deadline = try services.day(deadline)
            if action.kind == .none { action.kind = .reminder }
        }
        if let time {
            if time.lowercased() == "none" {
                action.time = nil
            } else {
                guard let value = TimeOfDay(time) else {
                    throw InputError.badValue(
                        "'\(time)' is no clock time", hint: "write it as 09:30")
                }
                action.time = value
            }
        }
        guard action.deadline != nil else {
            throw InputError.badValue("a time needs a deadline", hint: "add --deadline DATE")
        }
        return action
    }

    private func openEditor(
        _ found: Services.FoundNote, _ text: NoteText, _ workspace: Workspace,
        _ invocation: Invocation
    ) throws -> ExitStatus {
        guard let original = String(validating: found.bytes, as: UTF8.self) else {
            throw InputError.badValue(
                "\(found.path) is not clean UTF-8", hint: "edit the file itself with your editor")
        }
        let drafts = workspace.drafts
        let kept = try drafts.kept().first { $0.note == found.path }
        var start = original
        if let kept {
            start = String(decoding: kept.bytes, as: UTF8.self)
            let isSame = kept.base == ContentDigest(of: found.bytes)
            invocation.console.say(
                "aura: your unsaved draft of \(found.path) is opened again"
                    + (isSame
                        ? ""
                        : "; the note has changed since: 'aura show' prints it, and what you save takes its place")
            )
        }
        let edited = try Input.edited(
            start, of: found.path, base: found.bytes, drafts, invocation)
        guard edited.text != original else {
            invocation.console.say("aura: nothing was changed")
            drafts.finish(edited.draft)
            if let kept { try drafts.drop(kept) }
            return .done
        }
        let new = Array(edited.text.utf8)
        let after = NoteText(bytes: new, path: found.path).note
        do {
            var entry = Journal.Entry(.edit, note: text.note.id, path: found.path)
            entry.personFields = Self.differences(text.note, after)
            try workspace.changes.rewrite(found.path, expecting: found.bytes) { _ in
                NoteChanges.Rewriting(bytes: new, entry: entry)
            }
        } catch {
            try drafts.keep(edited.draft)
            if let kept { try drafts.drop(kept) }
            invocation.console.complain(
                "aura: your text is kept: 'aura edit \(found.path)' opens it again")
            throw error
        }
        drafts.finish(edited.draft)
        if let kept { try drafts.drop(kept) }
        invocation.print(CaptureReport(path: found.path, note: after, shows: .all))
        invocation.tellOfUndo()
        return .done
    }

    /// The names of the fields in which two notes differ.
    static func differences(_ old: Note, _ new: Note) -> [String] {
        var fields: [String] = []
        if old.title != new.title { fields.append("title") }
        if old.tags != new.tags { fields.append("tags") }
        if old.kind != new.kind { fields.append("type") }
        if old.action != new.action { fields += ["deadline", "time"] }
        if old.isEvergreen != new.isEvergreen { fields.append("evergreen") }
        return fields
    }
}
