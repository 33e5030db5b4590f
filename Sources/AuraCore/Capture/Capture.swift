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
    private let dayFirst: Bool

    package init(
        files: NoteFiles, journal: Journal, now: @escaping @Sendable () -> Instant, zone: Zone,
        newID: @escaping @Sendable () -> NoteID, dayFirst: Bool
    ) {
        self.files = files
        self.journal = journal
        self.now = now
        self.zone = zone
        self.newID = newID
        self.dayFirst = dayFirst
    }

    /// What a person gave, still to become a note.
    package struct Draft: Sendable, Equatable {
        package var text: String
        package var vault: String
        package var title: String?
        package var kind: NoteKind?
        package var tags: [String]
        /// What was said before cleaning, kept beside the note; nil when nothing was changed.
        package var raw: [UInt8]?
        /// Absolute paths of files to copy.
        package var attachments: [String]

        package init(
            text: String, vault: String, title: String? = nil, kind: NoteKind? = nil,
            tags: [String] = [], raw: [UInt8]? = nil, attachments: [String] = []
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
    }

    /// The same, at another time.
    func at(_ moment: Instant) -> Capture {
        Capture(
            files: files, journal: journal, now: { moment }, zone: zone, newID: newID,
            dayFirst: dayFirst)
    }

    /// The note that `save` would write, with the fields that rules can fill in.
    package func note(for draft: Draft) -> Note {
        let moment = now()
        let reading = TextReading(of: draft.text, now: zone.local(moment), dayFirst: dayFirst)
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
            let link = "[\(Files.name(of: source))](attachments/\(name))"
            note.body += "\n\(isPicture ? "!" : "")\(link)\n"
        }
        if let raw = draft.raw {
            try Files.makeFolder(files.layout.raw)
            try AtomicFile.create("\(files.layout.raw)/\(id).txt", raw)
        }
        let day = zone.local(note.created ?? now()).day
        let names = FileName.candidates(title: note.title, day: day, id: id)
        let path = try files.create(in: folder, names: names, NoteText.compose(note))
        var person: [String] = []
        if draft.title != nil { person.append("title") }
        if draft.kind != nil { person.append("type") }
        if !draft.tags.isEmpty { person.append("tags") }
        do {
            try journal.append(
                Journal.Entry(.capture, note: id, path: path, personFields: person))
        } catch {
            // The note is safe and says everything itself; without its journal entry a model may
            // retitle it, which is better than telling the person that nothing was saved.
        }
        return Saved(path: path, note: note)
    }

    /// Copies a file into the vault's `attachments` folder and tells its name there.
    private func attach(_ source: String, to vault: String, id: NoteID) throws -> String {
        let bytes = try Files.bytesFollowingLinks(at: source)
        let folder = "\(files.layout.folder(of: vault))/attachments"
        try Files.makeFolder(folder)
        let original = Files.name(of: source)
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
        for name in ["\(base)\(ending)", "\(base)-\(id.text.suffix(6).lowercased())\(ending)"] {
            do throws(SystemError) {
                try AtomicFile.create("\(folder)/\(name)", bytes)
                return name
            } catch {
                guard error.isAlreadyThere else { throw error }
                if let there = try? Files.bytes(at: "\(folder)/\(name)"), there == bytes {
                    return name
                }
            }
        }
        throw VaultError.changedMeanwhile(path: "\(vault)/attachments/\(base)\(ending)")
    }
}

/// Text that came while the home was out of reach, waiting on the local disk.
///
/// One file a thought, `<id>.json`, under the data folder. Whatever runs next with the home in reach
/// brings them in.
package struct Inbox: Sendable {
    private let folder: String

    package init(dataFolder: String) { folder = "\(dataFolder)/inbox" }

    /// Keeps a draft and tells its file; it is on the disk when this returns. Attachments stay where
    /// they are and are copied when the note is made.
    @discardableResult
    package func keep(
        _ draft: Capture.Draft, home: String, id: NoteID, at moment: Instant
    ) throws -> String {
        try Files.makeFolder(folder)
        var fields: [(String, JSONValue)] = [
            ("home", .string(home)), ("created", .string(moment.iso8601)),
            ("text", .string(draft.text)),
            ("vault", .string(draft.vault)),
            ("tags", .array(draft.tags.map { .string($0) })),
            ("attachments", .array(draft.attachments.map { .string($0) })),
        ]
        if let title = draft.title { fields.append(("title", .string(title))) }
        if let kind = draft.kind { fields.append(("type", .string(kind.rawValue))) }
        if let raw = draft.raw {
            fields.append(("raw", .string(String(decoding: raw, as: UTF8.self))))
        }
        let path = "\(folder)/\(id).json"
        try AtomicFile.create(path, Array((JSONValue.record(fields).serialized + "\n").utf8))
        return path
    }

    /// How many thoughts wait for a home.
    package func count(home: String) -> Int { drafts(home: home).count }

    /// Makes notes of all that wait for this home, oldest first; tells their paths. One that fails
    /// stays for the next time.
    ///
    /// A thought keeps the time at which it was had, so that its "tomorrow" stays that day, and its
    /// id: who is killed between the note and the removal makes no second note the next time. Nothing
    /// is done while another process brings them in.
    package func bringIn(home: String, _ capture: Capture) -> [String] {
        guard !drafts(home: home).isEmpty,
            let lock = try? FileLock.acquire("\(folder)/lock")
        else { return [] }
        // Listed anew: another process may have brought some in before the lock was ours.
        let paths = drafts(home: home).compactMap { waiting -> String? in
            let capture = waiting.moment.map(capture.at) ?? capture
            let id = NoteID(String(waiting.key.dropLast(5)))
            guard let saved = try? capture.save(waiting.draft, id: id) else { return nil }
            try? Files.remove("\(folder)/\(waiting.key)")
            return saved.path
        }
        _ = consume lock
        return paths
    }

    private struct Waiting {
        let key: String
        let moment: Instant?
        let draft: Capture.Draft
    }

    private func drafts(home: String) -> [Waiting] {
        guard let entries = try? Files.entries(of: folder) else { return [] }
        return entries.map(\.name).filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            guard let bytes = try? Files.bytes(at: "\(folder)/\(name)"),
                let json = JSONValue.read(bytes),
                json["home"]?.text == home, let text = json["text"]?.text,
                let vault = json["vault"]?.text
            else { return nil }
            func words(_ key: String) -> [String] {
                json[key]?.elements?.compactMap(\.text) ?? []
            }
            return Waiting(
                key: name, moment: json["created"]?.text.flatMap { Instant(iso8601: $0) },
                draft: Capture.Draft(
                    text: text, vault: vault, title: json["title"]?.text,
                    kind: json["type"]?.text.flatMap(NoteKind.init(rawValue:)),
                    tags: words("tags"), raw: json["raw"]?.text.map { Array($0.utf8) },
                    attachments: words("attachments"))
            )
        }
    }
}
