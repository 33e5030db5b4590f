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
        """
    static let examples = [
        ("aura show 'Q1 planning'", "Prints the note with that title."),
        ("aura show --raw Corporate/plan.md > plan.md", "Copies the file."),
    ]
    static let grammar = Grammar<Self>(
        .rest("note", \.words, isRequired: true, help: "Path, id or title."),
        .flag("raw", \.isRaw, help: "The file's bytes, unchanged."))

    var words: [String] = []
    var isRaw = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let name = words.joined(separator: " ")
        if VaultLayout.isAttachment(name), VaultLayout.isSafe(name) {
            let vault = VaultLayout.vault(of: name)
            return try showAttachment(name, services.workspace(forVault: vault), invocation)
        }
        let (_, found) = try await services.locate(name, invocation.console.say)
        if isRaw {
            if invocation.console.outputIsTerminal {
                invocation.console.write(
                    SafeDisplay.visible(String(decoding: found.bytes, as: UTF8.self)))
            } else {
                invocation.console.writeRaw(found.bytes)
            }
            return .done
        }
        let text = NoteText(bytes: found.bytes, path: found.path)
        for warning in text.warnings {
            invocation.console.say("aura: \(found.path): \(warning.message)")
        }
        invocation.print(NoteReport(path: found.path, note: text.note))
        return .done
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
