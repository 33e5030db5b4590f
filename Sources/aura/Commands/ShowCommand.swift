import AuraCore
import AuraSystem

/// Prints a note.
struct ShowCommand: Command {
    static let name = "show"
    static let aliases = ["cat", "open"]
    static let summary = "Print a note"
    static let discussion = """
        A note is named by its path, its file name, its id or the beginning of it, or its title. Control \
        characters are shown, not obeyed; --raw prints the file's bytes as they are, to a pipe or a file. \
        The path of an attachment sends its bytes to a pipe or a file.

        --as-spoken prints the words that a note was made from, as they came, before they were cleaned; with --raw \
        their bytes. It ends with 1 where nothing was cleaned.

        --at shows the note as it was at a time: '2026-03-04 14:00', in words ('yesterday 9am'; a day alone \
        means its end), or a version's number from 'aura history'. --diff shows what the last change did, with \
        --at what has changed since.
        """
    static let examples = [
        ("aura show 'Q1 planning'", "Prints the note with that title."),
        ("aura show --raw Corporate/plan.md > plan.md", "Copies the file."),
        ("aura show --as-spoken 'Call with the supplier'", "Prints what was said."),
        ("aura show 'Q1 planning' --at 'yesterday 9am'", "Prints the note as it was then."),
        ("aura show 'Q1 planning' --diff", "Shows what the last change did."),
    ]
    static let grammar = Grammar<Self>(
        .rest("note", \.words, isRequired: true, help: "Path, id or title."),
        .flag("raw", \.isRaw, help: "The file's bytes, unchanged."),
        .flag("as-spoken", \.isAsSpoken, help: "The words as they came, before cleaning."),
        .option(
            "at", \.moment, value: "time",
            help: "As it was then: a time, words, or a version's number."),
        .flag("diff", \.isDiff, help: "What changed, as a unified diff."))

    var words: [String] = []
    var isRaw = false
    var isAsSpoken = false
    var moment: String?
    var isDiff = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let name = words.joined(separator: " ")
        if isAsSpoken, moment != nil || isDiff {
            throw UsageError.conflict(
                "--as-spoken does not go together with --at or --diff",
                hint: "what was said has one version only")
        }
        if VaultLayout.isAttachment(name), VaultLayout.isSafe(name) {
            let vault = VaultLayout.vault(of: name)
            return try showAttachment(name, services.workspace(forVault: vault), invocation)
        }
        if moment != nil || isDiff {
            let (workspace, note) = try await services.locatePast(name, invocation.console.say)
            return try showPast(note, workspace, invocation)
        }
        let (workspace, found) = try await services.locate(name, invocation.console.say)
        if isAsSpoken { return try showSpoken(found, workspace, invocation) }
        show(found.bytes, path: found.path, invocation)
        if isRaw, invocation.console.errorIsTerminal,
            let id = NoteText(bytes: found.bytes, path: found.path).note.id,
            workspace.files.hasRaw(of: id)
        {
            invocation.console.say("aura: --as-spoken prints the words that it was made from")
        }
        return .done
    }

    /// What the note was made from.
    private func showSpoken(
        _ found: Services.FoundNote, _ workspace: Workspace, _ invocation: Invocation
    ) throws -> ExitStatus {
        let note = NoteText(bytes: found.bytes, path: found.path).note
        guard let id = note.id, let bytes = try workspace.files.raw(of: id) else {
            invocation.console.complain(
                "aura: \(SafeDisplay.visible(found.path, keepsLines: false)) is as it was given: nothing was cleaned"
            )
            return .nothingFoundOrLeftUndone
        }
        if isRaw, !globals.isJSON {
            show(bytes, path: found.path, invocation)
        } else {
            invocation.print(
                SpokenReport(path: found.path, id: id, text: String(decoding: bytes, as: UTF8.self))
            )
        }
        return .done
    }

    private func show(_ bytes: [UInt8], path: String, _ invocation: Invocation) {
        if isRaw {
            if invocation.console.outputIsTerminal {
                invocation.console.write(
                    SafeDisplay.visible(String(decoding: bytes, as: UTF8.self)))
            } else {
                invocation.console.writeRaw(bytes)
            }
            return
        }
        let text = NoteText(bytes: bytes, path: path)
        for warning in text.warnings {
            invocation.console.say("aura: \(path): \(warning.message)")
        }
        invocation.print(NoteReport(path: path, note: text.note))
    }

    /// The note as it was, or what changed.
    private func showPast(
        _ note: Services.PastNote, _ workspace: Workspace, _ invocation: Invocation
    ) throws -> ExitStatus {
        let services = invocation.services
        let history = try History(of: note.subject, workspace.changes)
        let version = try moment.map { try services.version($0, of: history) }
        guard isDiff else {
            guard let version, let bytes = version.bytes else { return .done }
            invocation.console.say("aura: \(words(for: version, of: history, services.zone))")
            show(bytes, path: version.path, invocation)
            return .done
        }
        let texts = history.versions.filter { $0.bytes != nil }
        let old = version ?? texts.last { $0.bytes != note.bytes }
        guard let old, let bytes = old.bytes else {
            invocation.console.say("aura: there is no earlier text")
            return .done
        }
        let report = DiffReport(
            old: words(for: old, of: history, services.zone), oldPath: old.path,
            newPath: note.subject.path, diff: LineDiff(from: bytes, to: note.bytes))
        if report.diff.isEmpty { invocation.console.say("aura: the text is the same") }
        invocation.print(report)
        return .done
    }

    /// `version 2 of 5, from 2026-03-04 10:00`
    private func words(
        for version: History.Version, of history: History, _ zone: Zone
    ) -> String {
        "version \(version.number) of \(history.versions.count)"
            + (version.from.map { ", from \(ChangeReport.time($0, zone))" } ?? "")
            + (version.isInTrash ? ", in the trash" : "")
    }

    /// The bytes of an attachment, to a pipe or a file.
    private func showAttachment(
        _ path: String, _ workspace: Workspace, _ invocation: Invocation
    ) throws -> ExitStatus {
        guard !invocation.console.outputIsTerminal else {
            throw InputError.badValue(
                "an attachment is not shown at a terminal",
                hint: "send it to a file: aura show '\(path)' > FILE")
        }
        guard
            try workspace.files.readAttachment(path, { invocation.console.writeRaw($0) })
        else { throw VaultError.noSuchNote(name: path, nearest: nil) }
        return .done
    }
}

/// A whole note.
struct NoteReport: Report {
    let path: String
    let note: Note

    var json: JSONValue {
        .record([
            ("path", .string(path)), ("id", .optional(note.id)), ("title", .string(note.title)),
            ("vault", .string(note.vault)), ("type", .string(note.kind.rawValue)),
            ("tags", .array(note.tags.map { .string($0) })),
            ("cross_vault_refs", .array(note.crossVaultReferences.map { .string($0) })),
            ("status", .string(note.status.rawValue)), ("evergreen", .bool(note.isEvergreen)),
            ("action", note.action.json), ("created", .optional(note.created)),
            ("modified", .optional(note.modified)), ("body", .string(note.body)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        NoteLines.fields(note, path: path, style) + [""]
            + [
                SafeDisplay.visible(
                    note.body.hasSuffix("\n") ? String(note.body.dropLast()) : note.body)
            ]
    }
}

/// The words that a note was made from.
private struct SpokenReport: Report {
    let path: String
    let id: NoteID
    let text: String

    var json: JSONValue {
        .record([("path", .string(path)), ("id", .string(id.text)), ("spoken", .string(text))])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        [SafeDisplay.visible(text.hasSuffix("\n") ? String(text.dropLast()) : text)]
    }
}

/// What changed in a note, as `diff -u` shows it.
private struct DiffReport: Report {
    /// Which version the old text is.
    let old: String
    let oldPath: String
    let newPath: String
    let diff: LineDiff

    var json: JSONValue {
        let text = diff.unified.map { String(decoding: $0.patch, as: UTF8.self) + "\n" }.joined()
        return .record([
            ("old", .string(old)), ("old_path", .string(oldPath)), ("path", .string(newPath)),
            ("diff", .string(text)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        guard !diff.isEmpty else { return [] }
        func safe(_ text: String) -> String { SafeDisplay.visible(text, keepsLines: false) }
        var lines = [
            style.bold(safe("--- \(oldPath) (\(old))")), style.bold(safe("+++ \(newPath) (now)")),
        ]
        for line in diff.unified {
            let text = safe(String(decoding: line.patch, as: UTF8.self))
            switch line.kind {
            case .place, .remark: lines.append(style.secondary(text))
            case .same: lines.append(text)
            case .removed: lines.append(style.danger(text))
            case .added: lines.append(style.colour(text, hex: "#3FB950"))
            }
        }
        return lines
    }
}
