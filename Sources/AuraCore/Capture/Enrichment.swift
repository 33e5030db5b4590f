internal import AuraSystem

/// Fills in the fields of a captured note: asks a model where there is one, else keeps to the rules.
package struct Enrichment: Sendable {
    private let changes: NoteChanges
    private let generator: (any TextGenerator)?
    private let now: @Sendable () -> Instant
    private let zone: Zone
    private let customs: DateCustoms
    private let polishes: Bool

    /// A reply that was no use is asked for again at most so often; then the rules' fields stand.
    static let maximumAttempts = 3

    /// - Parameter polishes: whether the model also looks over the text of cleaned transcripts.
    package init(
        changes: NoteChanges, generator: (any TextGenerator)?,
        now: @escaping @Sendable () -> Instant, zone: Zone, customs: DateCustoms,
        polishes: Bool = false
    ) {
        self.polishes = polishes
        self.changes = changes
        self.generator = generator
        self.now = now
        self.zone = zone
        self.customs = customs
    }

    package enum Outcome: Sendable, Equatable {
        /// Classified; the note lies at the path now.
        case done(path: String, Note, maker: String)
        /// The model's reply was no use; the note keeps the rules' fields and stays pending.
        case stillPending(path: String, Note, reason: String)
        /// Not pending, gone, or not to be rewritten.
        case nothingToDo(path: String)
    }

    /// Classifies one note.
    /// - Throws: `ModelError` when there is a model and it gave no reply: the note stays pending;
    ///   `VaultError`, `SystemError`, `CancellationError`.
    package func enrich(_ path: String, _ sampling: Sampling) async throws -> Outcome {
        guard let bytes = try changes.files.contents(of: path) else {
            return .nothingToDo(path: path)
        }
        var text = NoteText(bytes: bytes, path: path)
        guard text.note.status == .pendingClassification else { return .nothingToDo(path: path) }
        if polishes, let generator {
            text = try await polished(text, at: path, SpeechPolish(generator), sampling) ?? text
        }
        let note = text.note
        let entries = try note.id.map { try changes.journal.records(of: $0).map(\.entry) } ?? []
        let local = zone.local(note.created ?? now())
        let reading = TextReading(of: note.body, now: local, customs: customs)
        let classification: Classification
        if let generator {
            let (read, maker) = try await Classification.asking(
                generator, about: note, reading, today: local.day, sampling)
            if let read {
                classification = read
            } else {
                let failures = entries.count { $0.maker == "\(maker) unusable" } + 1
                var entry = Journal.Entry(.enrich, note: note.id, path: path)
                entry.author = .model
                entry.maker = "\(maker) unusable"
                try changes.journal.append(entry)
                guard failures >= Enrichment.maximumAttempts else {
                    return .stillPending(
                        path: path, note, reason: "the model's reply was no complete answer")
                }
                classification = reading.classification
            }
        } else {
            classification = reading.classification
        }
        try Task.checkCancellation()
        return try write(
            classification, over: text, at: path, keeping: Set(entries.flatMap(\.personFields)))
    }

    /// Puts the polished words in the place of those that the rules left; nil when nothing changed.
    ///
    /// Only a body that is still exactly what the rules made of the words as they came is touched.
    private func polished(
        _ text: NoteText, at path: String, _ polish: SpeechPolish, _ sampling: Sampling
    ) async throws -> NoteText? {
        guard let id = text.note.id, let raw = try changes.files.raw(of: id) else { return nil }
        let spoken = String(decoding: raw, as: UTF8.self)
        let rules = try? Transcript.parse(spoken, as: Transcript.detect(spoken) ?? .plain).cleaned()
        guard let rules, !rules.isEmpty, text.note.body == rules + "\n" else { return nil }
        let made = try await polish.polished(rules, sampling)
        guard made != rules else { return nil }
        var edit = NoteEdit()
        edit.body = made + "\n"
        let new: [UInt8]
        do {
            new = try text.applying(edit)
        } catch {
            return nil
        }
        var entry = Journal.Entry(.enrich, note: id, path: path)
        entry.author = .model
        entry.madeFields = ["body"]
        entry.maker = polish.maker
        try changes.rewrite(path, expecting: text.bytes) { _ in
            NoteChanges.Rewriting(bytes: new, entry: entry)
        }
        return NoteText(bytes: new, path: path)
    }

    /// Writes the fields that no person set, then lets the file name follow the title, once.
    private func write(
        _ made: Classification, over text: NoteText, at path: String, keeping person: Set<String>
    ) throws -> Outcome {
        let old = text.note
        var edit = NoteEdit()
        var fields: [String] = []
        edit.status = .indexed
        if !person.contains("title"), !made.title.isEmpty, made.title != old.title {
            edit.title = made.title
            fields.append("title")
        }
        if !person.contains("tags"), !made.tags.isEmpty, made.tags != old.tags {
            edit.tags = made.tags
            fields.append("tags")
        }
        let kind = person.contains("type") ? old.kind : made.kind
        if kind != old.kind {
            edit.kind = kind
            fields.append("type")
        }
        if !person.contains("evergreen"), made.isEvergreen != old.isEvergreen {
            edit.isEvergreen = made.isEvergreen
            fields.append("evergreen")
        }
        let action = made.action.allowed(for: kind)
        if person.isDisjoint(with: ["deadline", "time", "action"]), action != old.action {
            edit.action = action
            fields.append("action")
        }
        let new: [UInt8]
        do {
            new = try text.applying(edit)
        } catch {
            // Front matter that cannot be rewritten safely is left to its owner.
            return .nothingToDo(path: path)
        }
        var entry = Journal.Entry(.enrich, note: old.id, path: path)
        entry.author = made.maker == Journal.rulesMaker ? .rule : .model
        entry.madeFields = fields
        entry.maker = made.maker
        let newPath: String
        if let title = edit.title, let id = old.id {
            let day = zone.local(old.created ?? now()).day
            newPath = try changes.move(
                path, old: text.bytes, new: new, toFolder: Files.parent(of: path),
                names: FileName.candidates(title: title, day: day, id: id), entry)
        } else {
            try changes.rewrite(path, expecting: text.bytes) { _ in
                NoteChanges.Rewriting(bytes: new, entry: entry)
            }
            newPath = path
        }
        return .done(path: newPath, NoteText(bytes: new, path: newPath).note, maker: made.maker)
    }
}
