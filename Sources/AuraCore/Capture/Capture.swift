internal import AuraSystem

/// Making a note out of a thought: safe on disk first, everything else later.
///
/// Takes no lock, opens no database, loads no model. When `save` returns, the note's bytes and its
/// folder entry are on the disk.
package struct Capture: Sendable {
    private let files: NoteFiles
    private let journal: Journal
    private let now: @Sendable () -> Instant
    private let zone: Zone
    private let newID: @Sendable () -> NoteID
    private let customs: DateCustoms

    package init(
        files: NoteFiles, journal: Journal, now: @escaping @Sendable () -> Instant, zone: Zone,
        newID: @escaping @Sendable () -> NoteID, customs: DateCustoms
    ) {
        self.files = files
        self.journal = journal
        self.now = now
        self.zone = zone
        self.newID = newID
        self.customs = customs
    }

    /// What a person gave, still to become a note.
    package struct Draft: Sendable, Equatable {
        /// A file to keep beside the note.
        package struct Attachment: Sendable, Equatable {
            /// Absolute.
            package var path: String
            /// As the person knows it.
            package var name: String
            /// The file at the path is sealed to this home already: it waited in the inbox.
            package var isSealed: Bool

            package init(path: String, name: String? = nil, isSealed: Bool = false) {
                self.path = path
                self.name = name ?? Files.name(of: path)
                self.isSealed = isSealed
            }
        }

        package var text: String
        package var vault: String
        package var title: String?
        package var kind: NoteKind?
        package var tags: [String]
        /// What was said before cleaning, kept beside the note; nil when nothing was changed.
        package var raw: [UInt8]?
        /// Files to copy.
        package var attachments: [Attachment]

        package init(
            text: String, vault: String, title: String? = nil, kind: NoteKind? = nil,
            tags: [String] = [], raw: [UInt8]? = nil, attachments: [Attachment] = []
        ) {
            self.text = text
            self.vault = vault
            self.title = title
            self.kind = kind
            self.tags = tags
            self.raw = raw
            self.attachments = attachments
        }
    }

    package struct Saved: Sendable, Equatable {
        package let path: String
        package let note: Note

        package init(path: String, note: Note) {
            self.path = path
            self.note = note
        }
    }

    /// The same, at another time.
    package func at(_ moment: Instant) -> Capture {
        Capture(
            files: files, journal: journal, now: { moment }, zone: zone, newID: newID,
            customs: customs)
    }

    /// The note that `save` would write, with the fields that rules can fill in.
    package func note(for draft: Draft) -> Note {
        let moment = now()
        let reading = TextReading(of: draft.text, now: zone.local(moment), customs: customs)
        let rules = reading.classification
        let kind = draft.kind ?? rules.kind
        return Note(
            id: newID(), title: draft.title ?? (rules.title.isEmpty ? "Untitled" : rules.title),
            vault: draft.vault, kind: kind,
            tags: draft.tags.isEmpty ? rules.tags : Tag.list(draft.tags),
            status: .pendingClassification, isEvergreen: rules.isEvergreen && kind == .note,
            action: rules.action.allowed(for: kind), created: moment, modified: moment,
            body: draft.text.utf8.last == 0x0A ? draft.text : draft.text + "\n")
    }

    /// Writes the note, what it came from and what is attached, then the journal.
    ///
    /// - Parameter known: the id that the note is to have; nil for a new one. Saving the same draft
    ///   twice with one id, at one time, makes one note.
    /// - Throws: `SystemError`, `VaultError`; then there is no note.
    package func save(_ draft: Draft, id known: NoteID? = nil) throws -> Saved {
        var note = note(for: draft)
        if let known { note.id = known }
        let id = note.id ?? newID()
        let folder = draft.vault
        for source in draft.attachments {
            let name = try attach(source, to: folder, id: id)
            let isPicture = ["png", "jpg", "jpeg", "gif", "webp", "svg"].contains {
                name.lowercased().hasSuffix(".\($0)")
            }
            let link = "[\(source.name)](attachments/\(name))"
            note.body += "\n\(isPicture ? "!" : "")\(link)\n"
        }
        if let raw = draft.raw {
            try files.keepRaw(raw, of: id)
        }
        let day = zone.local(note.created ?? now()).day
        let names = FileName.candidates(title: note.title, day: day, id: id)
        let bytes = NoteText.compose(note)
        let path = try files.create(in: folder, names: names, bytes)
        var person: [String] = []
        if draft.title != nil { person.append("title") }
        if draft.kind != nil { person.append("type") }
        if !draft.tags.isEmpty { person.append("tags") }
        do {
            var entry = Journal.Entry(.capture, note: id, path: path)
            entry.personFields = person
            entry.after = ContentDigest(of: bytes)
            try journal.append(entry)
        } catch {
            // The note is safe and says everything itself; without its journal entry a model may
            // retitle it, which is better than telling the person that nothing was saved.
        }
        return Saved(path: path, note: note)
    }

    /// Copies a file into the vault's `attachments` folder and tells its name there.
    private func attach(_ source: Draft.Attachment, to vault: String, id: NoteID) throws -> String {
        let original = source.name
        let dot = original.lastIndex(of: ".")
        let ending =
            dot.map {
                String(original[$0...]).filter {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".")
                }
            } ?? ""
        let base = FileName.slug(
            dot.map { String(original[..<$0]) } ?? original, fallback: "attachment",
            maximumBytes: 80)
        let names = ["\(base)\(ending)", "\(base)-\(id.text.suffix(6).lowercased())\(ending)"]
        return try files.attach(
            source.path, isSealed: source.isSealed, in: "\(vault)/attachments", names: names)
    }
}
