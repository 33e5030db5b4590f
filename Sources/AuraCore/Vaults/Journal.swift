internal import AuraSystem

/// What happened to the notes of a home, and why: one write-once file a change, never altered.
///
/// Files lie in a folder a month and are called `<entry id>-<operation>-<note id>.json`, so that a
/// note's entries are found by a folder listing. Ids sort by time. Removing the journal loses history
/// and no note.
package struct Journal: Sendable {
    private let folder: String
    private let newID: @Sendable () -> NoteID
    private let now: @Sendable () -> Instant

    package init(
        layout: VaultLayout, newID: @escaping @Sendable () -> NoteID,
        now: @escaping @Sendable () -> Instant
    ) {
        folder = layout.journal
        self.newID = newID
        self.now = now
    }

    package enum Operation: String, Sendable {
        case capture, edit, enrich, move, remove, restore, report
    }

    /// One change to one note.
    package struct Entry: Sendable, Equatable {
        package var operation: Operation
        /// Nil for a note without an id.
        package var note: NoteID?
        package var path: String
        /// Where it went: moves, removals, restorations.
        package var newPath: String?
        /// Fields a person set by hand; a model never changes them afterwards.
        package var personFields: [String]
        /// Fields a model or a rule filled in.
        package var madeFields: [String]
        /// Who filled them in: a model's name and the prompt's fingerprint, or `rules`.
        package var maker: String?
        /// The whole text before the change, for undoing it; nil when there was none or it was larger than 1 MB.
        package var before: String?

        package init(
            _ operation: Operation, note: NoteID?, path: String, newPath: String? = nil,
            personFields: [String] = [], madeFields: [String] = [], maker: String? = nil,
            before: [UInt8]? = nil
        ) {
            self.operation = operation
            self.note = note
            self.path = path
            self.newPath = newPath
            self.personFields = personFields
            self.madeFields = madeFields
            self.maker = maker
            self.before = before.flatMap {
                $0.count <= 1 << 20 ? String(validating: $0, as: UTF8.self) : nil
            }
        }
    }

    /// Writes the entry. It is on the disk when this returns.
    package func append(_ entry: Entry) throws {
        let moment = now()
        let month = moment.iso8601.prefix(7)
        var fields: [(String, JSONValue)] = [
            ("at", .string(moment.iso8601)), ("operation", .string(entry.operation.rawValue)),
            ("path", .string(entry.path)),
        ]
        if let note = entry.note { fields.append(("note", .string(note.text))) }
        if let path = entry.newPath { fields.append(("new_path", .string(path))) }
        if !entry.personFields.isEmpty {
            fields.append(("person_fields", .array(entry.personFields.map { .string($0) })))
        }
        if !entry.madeFields.isEmpty {
            fields.append(("made_fields", .array(entry.madeFields.map { .string($0) })))
        }
        if let maker = entry.maker { fields.append(("maker", .string(maker))) }
        if let before = entry.before { fields.append(("before", .string(before))) }
        let name = "\(newID())-\(entry.operation.rawValue)-\(entry.note?.text ?? "none").json"
        let folder = "\(folder)/\(month)"
        try Files.makeFolder(folder)
        try AtomicFile.create(
            "\(folder)/\(name)", Array((JSONValue.record(fields).serialized + "\n").utf8))
    }

    /// All entries of one note, oldest first. Reads every month's folder listing and that note's files.
    package func entries(of note: NoteID) -> [Entry] {
        names { $0.hasSuffix("-\(note.text).json") }.compactMap(read)
    }

    /// Where a note that once lay at `path` lies now, following moves and renames; nil when none is known.
    package func currentPath(ofFormer path: String) -> String? {
        var current = path
        var found = false
        for name in names({ $0.contains("-move-") || $0.contains("-enrich-") }) {
            guard let entry = read(name), entry.path == current, let next = entry.newPath,
                next != current
            else { continue }
            current = next
            found = true
        }
        return found ? current : nil
    }

    /// Paths of matching files, relative to the journal's folder, oldest first.
    private func names(_ isWanted: (String) -> Bool) -> [String] {
        guard let months = try? Files.entries(of: folder) else { return [] }
        return months.map(\.name).sorted().flatMap { month in
            ((try? Files.entries(of: "\(folder)/\(month)")) ?? []).map(\.name)
                .filter { $0.hasSuffix(".json") && isWanted($0) }.sorted().map { "\(month)/\($0)" }
        }
    }

    private func read(_ name: String) -> Entry? {
        guard let bytes = try? Files.bytes(at: "\(folder)/\(name)"),
            let json = JSONValue.read(bytes),
            let operation = json["operation"]?.text.flatMap(Operation.init(rawValue:)),
            let path = json["path"]?.text
        else { return nil }
        func words(_ key: String) -> [String] {
            json[key]?.elements?.compactMap(\.text) ?? []
        }
        return Entry(
            operation, note: json["note"]?.text.flatMap { NoteID($0) }, path: path,
            newPath: json["new_path"]?.text, personFields: words("person_fields"),
            madeFields: words("made_fields"), maker: json["maker"]?.text,
            before: json["before"]?.text.map { Array($0.utf8) })
    }
}
