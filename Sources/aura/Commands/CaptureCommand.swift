import AuraCore
import AuraSystem

/// A thought into a note.
struct CaptureCommand: Command {
    enum Form: String, ArgumentChoice { case text, transcript }

    static let name = "capture"
    static let aliases = ["add", "c"]
    static let summary = "Keep a thought: it is safe on disk when this returns"
    static let discussion = """
        Takes the words given, else standard input, and writes a note. The path is printed as soon as the \
        note is on the disk; tags, title, kind and deadline are filled in afterwards in the background, or \
        before returning with --wait.
        A pipe that begins as WebVTT, SRT or whisper JSON is taken as a transcript: time stamps go, words \
        stay, fillers and what the speaker took back go, and what came in is kept beside the note ('aura show \
        --as-spoken' prints it). --as text keeps it as it is. --review opens the cleaned text in the editor \
        before it becomes the note; its words are safe before the editor opens, and stay a draft until then.
        With --vault auto the note goes to the vault whose notes it is most like, with the reason; what no \
        vault claims for sure stays in the Inbox vault, for 'aura file' or 'aura move'.
        With --batch, standard input holds one JSON object a line: {"id":…, "text":…} and any option as a key.
        """
    static let examples = [
        ("aura capture 'Renew the passport by 30 April'", "Makes a task with a deadline."),
        ("aura capture --vault Family < letter.txt", "Keeps a text in the Family vault."),
        (
            "aura capture --transcript --wait < memo.srt",
            "Keeps what was said, and waits for its tags."
        ),
        ("aura capture --transcript --review < memo.srt", "Lets you look it over first."),
    ]
    static let mayBeginAgain = false
    static let grammar = Grammar<Self>(
        takesDashedWords: true,
        .rest("words", \.words, help: "The thought; standard input when there are none."),
        .option(
            "vault", \.vault, value: "name",
            help: "The vault to keep it in; auto finds it by the notes that are there."),
        .option("type", \.kind, value: "type", help: "What it is."),
        .option("title", \.title, value: "title", help: "Its title."),
        .options("tag", short: "t", \.tags, value: "tag", help: "A tag; may be given again."),
        .options(
            "attach", \.attachments, value: "file",
            help: "A file to copy beside it; may be given again."),
        .flag("transcript", \.isTranscript, help: "The text was dictated: clean it."),
        .option(
            "as", \.form, value: "form", help: "Take the text as this, whatever it looks like."),
        .flag("review", \.isReview, help: "Look it over in the editor before it is saved."),
        .flag("editor", short: "e", \.usesEditor, help: "Write it in the editor."),
        .flag("wait", short: "w", \.waits, help: "Classify before returning."),
        .flag("dry-run", \.isDryRun, help: "Show what would be kept; write nothing."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var vault: String?
    var kind: NoteKind?
    var title: String?
    var tags: [String] = []
    var attachments: [String] = []
    var isTranscript = false
    var form: Form?
    var isReview = false
    var usesEditor = false
    var waits = false
    var isDryRun = false
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if isTranscript, form == .text {
            throw UsageError.conflict("--transcript and --as text do not go together", hint: nil)
        }
        if isReview, usesEditor || isBatch || isDryRun {
            throw UsageError.conflict(
                "--review does not go together with --editor, --batch or --dry-run",
                hint: "--editor is for writing a thought, --review for looking one over")
        }
        if isBatch {
            return try await runBatch(invocation)
        }
        if usesEditor { return try await runEditor(invocation) }
        let draft = try self.draft(invocation)
        if isReview { return try await runReview(draft, invocation) }
        if isDryRun {
            let note = services.capture(for: nil).note(for: draft)
            let made = try await classified(note, services)
            invocation.print(CaptureReport(path: nil, note: made, shows: .all))
            return .done
        }
        return try await keep(draft, at: place(for: draft.vault, invocation), invocation)
    }

    /// Writes the thought in the editor first. Its text is never lost: what could not be saved is a kept
    /// draft, and opened the next time.
    private func runEditor(_ invocation: Invocation) async throws -> ExitStatus {
        let vault = try invocation.services.vaultForCapture(self.vault).vault
        let place = try place(for: vault, invocation)
        let drafts = try place.drafts
        let kept = (try? drafts.kept())?.first { $0.note == nil }
        if kept != nil { invocation.console.say("aura: your unsaved draft is opened again") }
        let start = kept.map { String(decoding: $0.bytes, as: UTF8.self) }
        let edited = try Input.edited(
            start ?? words.joined(separator: " "), of: nil, base: nil, drafts, invocation)
        let text = edited.text
        var draft: Capture.Draft
        do {
            draft = try self.draft(invocation, edited: text)
        } catch {
            // Nothing was written, or nothing of use.
            drafts.finish(edited.draft)
            throw error
        }
        if let raw = kept?.raw { draft.raw = raw }
        let status: ExitStatus
        do {
            status = try await keep(draft, at: place, invocation)
        } catch {
            try drafts.keep(edited.draft)
            throw error
        }
        drafts.finish(edited.draft)
        if let kept { try drafts.drop(kept) }
        return status
    }

    /// Opens a text that came in before it becomes a note. Until it has, the words are a kept draft,
    /// whatever becomes of the editor.
    private func runReview(
        _ given: Capture.Draft, _ invocation: Invocation
    ) async throws -> ExitStatus {
        let console = invocation.console
        let place = try place(for: given.vault, invocation)
        let drafts: Drafts
        do {
            drafts = try place.drafts
        } catch {
            throw CaptureFailure(
                cause: error, keptIn: invocation.services.rescue(given), text: given.text)
        }
        let edited: Input.Edited
        do {
            edited = try Input.reviewed(given.text, raw: given.raw, drafts, invocation)
        } catch {
            console.complain("aura: the words are a kept draft: 'aura capture --editor' opens it")
            throw error
        }
        let id = edited.draft.id
        var draft = given
        if edited.text.allSatisfy(\.isWhitespace) {
            guard console.mayAsk else {
                drafts.finish(edited.draft)
                console.complain(
                    "aura: the words are a kept draft: 'aura capture --editor' opens it")
                throw InputError.empty(purpose: "a thought")
            }
            let answer = console.readLine(
                prompt: "aura: nothing is left of the text. Keep it as it was? [Y/n] ")
            if ["n", "no"].contains(answer?.lowercased()) {
                drafts.finish(edited.draft)
                try drafts.drop(id)
                return .done
            }
        } else if edited.text != given.text {
            draft.raw = given.raw ?? Array(given.text.utf8)
            draft.text = edited.text
        }
        let status: ExitStatus
        do {
            status = try await keep(draft, at: place, id: id, invocation)
        } catch {
            try drafts.keep(edited.draft)
            throw error
        }
        drafts.finish(edited.draft)
        try drafts.drop(id)
        return status
    }

    /// - Parameter known: the id that the note is to have; nil for a new one.
    private func keep(
        _ draft: Capture.Draft, at place: Services.CapturePlace, id known: NoteID? = nil,
        _ invocation: Invocation
    ) async throws -> ExitStatus {
        let services = invocation.services
        var draft = draft
        draft.attachments = try checkedAttachments()
        let id = known ?? services.newID()
        guard var (saved, workspace) = try save(draft, id: id, at: place, services) else {
            // It has no path yet; the id finds it once it is filed.
            invocation.print(WaitingReport(id: id))
            return .done
        }
        if try services.vaultForCapture(vault).isToBeFiled {
            (saved, workspace) = await filed(saved, workspace, invocation)
        }
        if waits {
            if !globals.isJSON {
                invocation.print(CaptureReport(path: saved.path, note: saved.note, shows: .path))
            }
            let (path, note, complete) = try await enrich(saved, workspace, invocation)
            invocation.print(CaptureReport(path: path, note: note, shows: .fields))
            return complete ? .done : .nothingFoundOrLeftUndone
        }
        invocation.print(CaptureReport(path: saved.path, note: saved.note, shows: .path))
        invocation.console.flush()
        services.startWorker()
        return .done
    }

    /// The note is safe by now: whatever goes wrong here leaves it in the inbox.
    private func filed(
        _ saved: Capture.Saved, _ workspace: Workspace, _ invocation: Invocation
    ) async -> (Capture.Saved, Workspace) {
        let services = invocation.services
        do {
            let library = try await services.library(invocation.console.say)
            let (home, found) = try await services.locate(saved.path, in: library)
            let report = try await FilingReport.filing(
                found, in: home, library, moves: true, invocation)
            invocation.console.say("aura: \(report.reason)")
            guard report.path != saved.path else { return (saved, workspace) }
            let there = try services.workspace(forVault: VaultLayout.vault(of: report.path))
            var note = saved.note
            note.vault = VaultLayout.vault(of: report.path)
            return (Capture.Saved(path: report.path, note: note), there)
        } catch {
            invocation.console.complain(
                "aura: it stays in \(services.settings.inbox): \(ErrorReport(error).message)")
            return (saved, workspace)
        }
    }

    /// The home is looked for, or made, only when there is something to keep.
    private func place(
        for vault: String, _ invocation: Invocation
    ) throws -> Services.CapturePlace {
        let place = try invocation.services.placeForCapture(vault: vault)
        if let notice = place.notice { invocation.console.say("aura: \(notice)") }
        return place
    }

    // MARK: gathering the text

    private func draft(
        _ invocation: Invocation, isPiped: Bool = false, edited: String? = nil
    ) throws -> Capture.Draft {
        let services = invocation.services
        let vault = try services.vaultForCapture(self.vault).vault
        let hasWords = !words.isEmpty && words != ["-"]
        var raw: [UInt8]?
        var text: String
        if let edited {
            text = edited
        } else if hasWords {
            text = words.joined(separator: " ")
        } else if !attachments.isEmpty, invocation.console.inputIsTerminal {
            text = ""
        } else {
            let bytes = try Input.piped(invocation, purpose: "a thought")
            text = try Input.decoded(bytes)
            if String(validating: bytes, as: UTF8.self) == nil {
                raw = bytes
                invocation.console.complain(
                    "aura: the text was not clean UTF-8; broken characters are shown as \u{FFFD}, and the "
                        + "input is kept as it came under .aura/raw")
            }
        }
        let original = text
        text = try cleaned(text, isPiped: isPiped || (!hasWords && !usesEditor), invocation)
        if text != original { raw = raw ?? Array(original.utf8) }
        if text.allSatisfy(\.isWhitespace) {
            guard !attachments.isEmpty else {
                throw original.allSatisfy(\.isWhitespace)
                    ? InputError.empty(purpose: "a thought") : InputError.noSpeech
            }
            text = attachments.map { Files.name(of: $0) }.joined(separator: ", ")
        }
        return Capture.Draft(
            text: text, vault: vault, title: title, kind: kind, tags: Tag.list(tags), raw: raw)
    }

    /// The words of a transcript; any other text as it is.
    private func cleaned(
        _ text: String, isPiped: Bool, _ invocation: Invocation
    ) throws -> String {
        if form == .text { return text }
        let wanted = isTranscript || form == .transcript
        let detected = wanted || isPiped ? Transcript.detect(text) : nil
        if let detected, detected != .plain, !wanted {
            invocation.console.say(
                "aura: taken as a transcript (\(detected.rawValue)); --as text keeps it as it is")
        }
        guard wanted || detected != nil || (isPiped && Transcript.hasWhisperMarks(text)) else {
            return text
        }
        return try Transcript.parse(text, as: detected ?? .plain).cleaned()
    }

    private func checkedAttachments() throws -> [Capture.Draft.Attachment] {
        try attachments.map { path in
            let absolute = Host.absolutePath(path)
            guard let status = try Files.status(of: absolute, followingLinks: true) else {
                throw InputError.badValue("there is no file \(path)", hint: "check the path")
            }
            guard status.kind == .regular else {
                throw InputError.badValue("\(path) is no file", hint: "only files can be attached")
            }
            return Capture.Draft.Attachment(path: absolute)
        }
    }

    // MARK: keeping it

    /// Writes the note; nil when the text was put into the inbox because the home is away.
    /// - Throws: `CaptureFailure`, which knows where the text is now.
    private func save(
        _ draft: Capture.Draft, id: NoteID, at place: Services.CapturePlace, _ services: Services
    ) throws -> (Capture.Saved, Workspace)? {
        do {
            switch place {
            case .home(let workspace, _):
                return (try services.capture(for: workspace).save(draft, id: id), workspace)
            case .unusable(let error): throw error
            case .inbox(let inbox, _, _):
                try inbox.keep(draft, home: services.homePath, id: id, at: services.now())
                return nil
            }
        } catch {
            throw CaptureFailure(
                cause: error, keptIn: services.rescue(draft), text: draft.text)
        }
    }

    // MARK: fields

    private func classified(_ note: Note, _ services: Services) async throws -> Note {
        var note = note
        guard let generator = services.generator else { return note }
        let local = services.zone.local(note.created ?? services.now())
        let reading = TextReading(of: note.body, now: local, customs: services.dateCustoms)
        let asked = try await Classification.asking(
            generator, about: note, reading, today: local.day, Sampling())
        if let made = asked.made {
            if title == nil { note.title = made.title }
            if tags.isEmpty { note.tags = made.tags }
            if kind == nil { note.kind = made.kind }
            note.isEvergreen = made.isEvergreen
            note.action = made.action.allowed(for: note.kind)
        }
        return note
    }

    private func enrich(
        _ saved: Capture.Saved, _ workspace: Workspace, _ invocation: Invocation
    ) async throws -> (path: String, note: Note, isComplete: Bool) {
        let services = invocation.services
        let console = invocation.console
        if services.generator == nil {
            console.say(
                "aura: no chat model is set up: fields are filled in by rules ('aura model list')")
        }
        console.progress("classifying…")
        defer { console.endProgress() }
        let worker = services.worker(for: workspace, urgency: .interactive)
        switch try await worker?.enrich(saved.path) {
        case .done(let path, let note, _): return (path, note, true)
        case .stillPending(let path, let note, let reason):
            console.complain("aura: \(reason); the note keeps its text and stays pending")
            return (path, note, true)
        case .nothingToDo(let path): return (path, saved.note, true)
        case nil: return (saved.path, saved.note, false)
        }
    }

    /// Keeps the text in a file of its own when not even the settings can be read.
    func rescue(_ environment: [String: String], _ console: Console) {
        guard !globals.wantsHelp, !usesEditor, !isDryRun else { return }
        let hasWords = !words.isEmpty && words != ["-"]
        let bytes =
            hasWords
            ? Array(words.joined(separator: " ").utf8)
            : console.inputIsTerminal
                ? [] : (try? TerminalDevice.readAllInput(limit: Input.maximumBytes)) ?? []
        guard bytes.contains(where: { $0 > 0x20 }) else { return }
        do {
            let places = try Places(
                environment: environment, user: Host.userID,
                passwordHome: Host.homeInPasswordDatabase)
            let folder = "\(places.dataFolder)/rescued"
            try Files.makeFolder(folder)
            let name = "\(Host.now.seconds)-\(Host.processID).txt"
            let path = try Services.keepRescued(bytes, places, folder: folder, name: name)
            console.complain("aura: the text is kept in \(path)")
        } catch {
            console.complain(
                "aura: the text could not be kept:\n\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    // MARK: batch

    private func runBatch(
        _ invocation: Invocation
    ) async throws -> ExitStatus {
        var places: [String: Services.CapturePlace] = [:]
        let status = try await Batch.run(invocation) { line in
            var command = self
            command.words = [try line.text()]
            command.isBatch = false
            let object = line.object
            if let vault = object["vault"]?.text { command.vault = vault }
            if let title = object["title"]?.text { command.title = title }
            command.tags += try line.texts("tag", "tags")
            command.attachments += try line.texts("attach")
            command.kind = try line.kinds().first ?? command.kind
            if object["transcript"]?.bool == true { command.isTranscript = true }
            let (now, zone) = try line.clock(invocation.services)
            let services = invocation.services.at(now, zone)
            let there = Invocation(
                services: services, console: invocation.console, globals: globals)
            var draft = try command.draft(there, isPiped: true)
            if isDryRun {
                let note = try await command.classified(
                    services.capture(for: nil).note(for: draft), services)
                return [("fields", CaptureReport.fields(of: note))]
            }
            draft.attachments = try command.checkedAttachments()
            let place = try places[draft.vault] ?? self.place(for: draft.vault, invocation)
            places[draft.vault] = place
            let id = services.newID()
            guard let (saved, workspace) = try command.save(draft, id: id, at: place, services)
            else { return [("path", .null), ("note", .string(id.text))] }
            var (path, note) = (saved.path, saved.note)
            if waits, let worker = services.worker(for: workspace, urgency: .interactive),
                case .done(let newPath, let newNote, _) = try await worker.enrich(saved.path)
            {
                (path, note) = (newPath, newNote)
            }
            return [
                ("path", .string(path)), ("note", .optional(note.id)),
                ("fields", CaptureReport.fields(of: note)),
            ]
        }
        if !isDryRun, !waits { invocation.services.startWorker() }
        return status
    }
}

/// A thought that did not become a note, and where its text is now.
struct CaptureFailure: Error, Explained, StatusGiving {
    let cause: any Error
    /// The text's file in the inbox; nil when that could not be written either.
    let keptIn: String?
    let text: String

    var message: String { ErrorReport(cause).message }
    var hint: String? {
        if let keptIn {
            "no note was written; your text is kept in \(keptIn) and becomes one as soon as the home can be written"
        } else {
            "nothing was written, and the inbox cannot be written either; your text is:"
        }
    }
    var status: ExitStatus { ErrorReport(cause).status }
    /// What the person would lose otherwise.
    var textToGiveBack: String? { keptIn == nil ? text : nil }
}

/// A thought that waits in the inbox.
private struct WaitingReport: Report {
    let id: NoteID

    var json: JSONValue { .record([("id", .string(id.text)), ("path", .null)]) }
    func lines(_ style: Styling, width: Int) -> [String] { [id.text] }
}

/// A note that was just kept.
struct CaptureReport: Report {
    enum Part { case path, fields, all }

    let path: String?
    let note: Note
    let shows: Part

    var json: JSONValue {
        .record([
            ("id", .optional(note.id)), ("path", .optional(path)),
            ("fields", CaptureReport.fields(of: note)),
        ])
    }

    static func fields(of note: Note) -> JSONValue {
        .record([
            ("title", .string(note.title)), ("vault", .string(note.vault)),
            ("type", .string(note.kind.rawValue)), ("tags", .array(note.tags.map { .string($0) })),
            ("status", .string(note.status.rawValue)), ("evergreen", .bool(note.isEvergreen)),
            ("action", note.action.json),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        var lines: [String] = []
        if shows != .fields, let path { lines.append(SafeDisplay.visible(path, keepsLines: false)) }
        if shows != .path { lines += NoteLines.fields(note, path: path, style) }
        return lines
    }
}

extension NoteKind: ArgumentValue {
    init?(argument: String) {
        guard let kind = NoteKind(rawValue: argument.lowercased()), !kind.isReport else {
            return nil
        }
        self = kind
    }
    static var expectation: String { "one of \(choices.joined(separator: ", "))" }
    static var choices: [String] { ["task", "note", "log", "idea"] }
}

extension Action {
    var json: JSONValue {
        .record([
            ("kind", .string(kind.rawValue)), ("deadline", .optional(deadline)),
            ("time", .optional(time)), ("is_time_specific", .bool(isTimeSpecific)),
        ])
    }

    /// `reminder for Monday 2026-03-09 09:00`
    var words: String {
        guard let deadline, kind != .none else { return "none" }
        return
            "\(kind.rawValue) for \(deadline.weekday.name) \(deadline)\(time.map { " \($0)" } ?? "")"
    }
}
