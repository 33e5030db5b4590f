internal import AuraCrypto
internal import AuraSystem

/// Writing the report of a week.
package struct Distill: Sendable {
    private let changes: NoteChanges
    private let generator: (any TextGenerator)?
    private let now: @Sendable () -> Instant
    private let zone: Zone
    private let newID: @Sendable () -> NoteID

    /// Fewer notes make no report.
    package static let minimumNotes = 3
    /// More notes than this are not put into the prompt; all are counted and listed.
    static let maximumPromptNotes = 24
    /// Share of the context for the notes; the rest is for instructions and the reply.
    static let noteShare = 0.55

    package init(
        changes: NoteChanges, generator: (any TextGenerator)?,
        now: @escaping @Sendable () -> Instant, zone: Zone, newID: @escaping @Sendable () -> NoteID
    ) {
        self.changes = changes
        self.generator = generator
        self.now = now
        self.zone = zone
        self.newID = newID
    }

    package enum Outcome: Sendable, Equatable {
        /// Fewer than the minimum.
        case tooFew(notes: Int)
        /// The report is there and its notes have not changed.
        case upToDate(path: String)
        /// `beside` is the report a person edited, which was left alone.
        case written(path: String, text: String, maker: String, beside: String?)
        /// `--dry-run`.
        case wouldWrite(path: String, text: String, maker: String)
    }

    /// - Parameters:
    ///   - paths: the notes created in that week in that vault; reports among them are left out here.
    ///   - isForced: write below the minimum, and although nothing changed.
    /// - Throws: `ModelError` when a model was given and gave no reply, `VaultError`, `SystemError`.
    package func week(
        _ week: Week, of vault: String, paths: [String], isForced: Bool, isDryRun: Bool
    ) async throws -> Outcome {
        var read: [(path: String, note: Note, day: Day, order: Instant)] = []
        var hashes: [String] = []
        for path in paths.sorted() {
            guard let bytes = try changes.files.contents(of: path) else { continue }
            let note = NoteText(bytes: bytes, path: path).note
            guard !note.kind.isReport, !path.contains("/_distilled/"),
                let created = try note.created ?? changes.files.modified(path)
            else { continue }
            let day = zone.local(created).day
            guard week.contains(day) else { continue }
            read.append((path, note, day, created))
            hashes.append("\(path)\0\(Digest.of(bytes).hexadecimal)")
        }
        read.sort { ($0.order, $0.path) < ($1.order, $1.path) }
        let sources = read.enumerated().map { index, item in
            WeekDigest.Source(number: index + 1, path: item.path, note: item.note, day: item.day)
        }
        guard !sources.isEmpty, sources.count >= Distill.minimumNotes || isForced else {
            return .tooFew(notes: sources.count)
        }
        let inputs = WeekReport.digest(of: hashes.joined(separator: "\n"))
        let folder = "\(vault)/_distilled"
        let names = ["weekly_\(week.monday).md"] + (2...99).map { "weekly_\(week.monday)-\($0).md" }
        let existing = try reports(
            names.map { "\(folder)/\($0)" }, title: WeekReport.title(week, vault))
        if !isForced, let current = existing.first(where: { $0.seal?.inputs == inputs }) {
            return .upToDate(path: current.path)
        }
        let digest = try await digest(of: sources)
        try Task.checkCancellation()
        let report = WeekReport(week: week, vault: vault, digest: digest, sources: sources)
        // The latest report that no person edited is replaced; one that somebody did stays as it is.
        let old = existing.last { $0.seal?.isUntouched == true }
        let moment = now()
        let note = Note(
            id: old?.text.note.id ?? newID(), title: report.title, vault: vault,
            kind: .weeklyReport, tags: WeekReport.tags, status: .indexed,
            created: old?.text.note.created ?? moment, modified: moment,
            body: report.body(inputs: inputs))
        let bytes = NoteText.compose(note)
        if isDryRun {
            return .wouldWrite(
                path: old?.path ?? "\(folder)/\(names[existing.count])", text: note.body,
                maker: digest.maker)
        }
        var entry = Journal.Entry(.report, note: note.id, path: old?.path ?? "")
        entry.author = digest.maker == Journal.rulesMaker ? .rule : .model
        entry.maker = digest.maker
        let written: String
        if let old {
            try changes.rewrite(old.path, expecting: old.text.bytes) { _ in
                NoteChanges.Rewriting(bytes: bytes, entry: entry)
            }
            written = old.path
        } else {
            written = try changes.create(in: folder, names: names, bytes, entry)
        }
        let first = "\(folder)/\(names[0])"
        return .written(
            path: written, text: note.body, maker: digest.maker,
            beside: written == first ? nil : first)
    }

    private struct Existing {
        let path: String
        let text: NoteText
        let seal: (inputs: String, isUntouched: Bool)?
    }

    /// The reports of the week that are there, in order, up to the first name that is free.
    private func reports(_ paths: [String], title: String) throws -> [Existing] {
        var found: [Existing] = []
        for path in paths {
            guard let bytes = try changes.files.contents(of: path) else { break }
            let text = NoteText(bytes: bytes, path: path)
            found.append(
                Existing(path: path, text: text, seal: WeekReport.seal(of: text.note, title: title))
            )
        }
        return found
    }

    private func digest(of sources: [WeekDigest.Source]) async throws -> WeekDigest {
        guard let generator else { return WeekDigest(byRulesFrom: sources) }
        let chosen = Array(sources.prefix(Distill.maximumPromptNotes))
        let room = Int(Double(try await generator.contextLength()) * Distill.noteShare)
        let counts = try await generator.tokenCounts(of: chosen.map(\.note.body))
        // Short notes whole; long ones share what is left.
        let share = max(40, room / max(1, chosen.count) - 30)
        let numbered = zip(chosen, counts).map { source, count in
            let body = source.note.body.trimmingBlanks()
            return Prompts.NumberedNote(
                number: source.number, weekday: source.day.weekday.name,
                kind: source.note.kind.rawValue, title: source.note.title,
                text: count <= share
                    ? body : String(body.prefix(body.count * share / max(1, count))) + " …")
        }
        let prompt = Prompts.distillWeek(notes: numbered)
        let reply = try await generator.reply(
            to: prompt, Sampling(urgency: .interactive, deadline: .seconds(300)))
        return WeekDigest(
            reply: reply, sources: sources, maker: "\(generator.modelName) \(prompt.fingerprint)")
            ?? WeekDigest(byRulesFrom: sources)
    }
}
