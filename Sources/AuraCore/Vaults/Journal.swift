internal import AuraSystem
internal import AuraZip

/// What happened to the notes of a home, and why: one write-once file a change. Only `forget` alters any: it
/// takes the text out of old ones.
///
/// An entry is written before its change, so that none is ever without one; an entry whose change was
/// then never made is recognised by the digests in it. Files lie in a folder a month. In a plain home they
/// are called `<entry id>-<operation>-<note id>.json`, in an encrypted one `<entry id>-<tag of the
/// note>-<tag of the path>.json.age`: a note's entries are found by a folder listing. Ids sort by time.
/// Removing the journal loses history and no note.
package struct Journal: Sendable {
    private let folder: String
    private let seal: FileSeal?
    private let newID: @Sendable () -> NoteID
    private let now: @Sendable () -> Instant

    package init(
        layout: VaultLayout, seal: FileSeal? = nil, newID: @escaping @Sendable () -> NoteID,
        now: @escaping @Sendable () -> Instant
    ) {
        folder = layout.journal
        self.seal = seal
        self.newID = newID
        self.now = now
    }

    package enum Operation: String, Sendable, CaseIterable {
        case capture, edit, enrich, move, remove, restore, report, undo
    }

    /// Who wanted a change.
    package enum Author: String, Sendable { case person, rule, model, sync }

    /// The maker of fields that no model filled in.
    package static let rulesMaker = "rules"

    /// One change to one note.
    package struct Entry: Sendable, Equatable {
        package var operation: Operation
        package var author = Author.person
        /// Nil for a note without an id.
        package var note: NoteID?
        package var path: String
        /// Where it went: moves, renames, restorations.
        package var newPath: String?
        /// Its key in the trash: removals.
        package var trashKey: String?
        /// In words, where there is something to say.
        package var reason: String?
        /// Fields a person set by hand; a model never changes them afterwards.
        package var personFields: [String] = []
        /// Fields a model or a rule filled in.
        package var madeFields: [String] = []
        /// Who filled them in: a model's name and the prompt's fingerprint, or `rules`.
        package var maker: String?
        /// The whole file before the change; nil when there was none.
        package var before: [UInt8]?
        /// Digest of the file before the change, where its bytes are no longer kept.
        package var forgotten: ContentDigest?
        /// Digest of the file after the change; nil when there is none.
        package var after: ContentDigest?
        /// The entry that this one takes back.
        package var undoes: NoteID?

        package init(_ operation: Operation, note: NoteID?, path: String) {
            self.operation = operation
            self.note = note
            self.path = path
        }
    }

    /// An entry as it lies in the journal.
    package struct Record: Sendable, Equatable {
        package let id: NoteID
        package let at: Instant
        package let entry: Entry
    }

    /// Writes the entry. It is on the disk when this returns.
    ///
    /// - Parameter inOrder: its id is to follow all that are there, also those of the same millisecond and
    ///   those written before the clock was put back. Call it under the vault lock then.
    @discardableResult
    package func append(_ entry: Entry, inOrder: Bool = false) throws -> NoteID {
        let moment = now()
        var id = newID()
        var month = String(moment.iso8601.prefix(7))
        if inOrder, let last = latest(), last.id >= id {
            id = last.id.successor
            month = max(month, last.month)
        }
        try write(Record(id: id, at: moment, entry: entry), month: month)
        return id
    }

    /// Writes an entry of another journal, as it is, under its own id. One that is there already stays.
    package func adopt(_ record: Record) throws {
        do {
            try write(record, month: String(record.at.iso8601.prefix(7)))
        } catch let error as SystemError where error.isAlreadyThere {
            // An id is random: the same name is the same entry.
        }
    }

    private func write(_ record: Record, month: String) throws {
        let entry = record.entry
        let bytes = Array((Journal.json(entry, at: record.at).serialized + "\n").utf8)
        let folder = "\(folder)/\(month)"
        try Files.makeFolder(folder)
        let name = Journal.fileName(of: record.id, entry, keys: try seal?.unlocked())
        try AtomicFile.create("\(folder)/\(name)", seal?.sealed(bytes) ?? bytes)
    }

    /// The last entry that is there.
    private func latest() -> (id: NoteID, month: String)? {
        for month in ((try? Files.names(of: folder)) ?? []).sorted(by: >) {
            let names = (try? Files.names(of: "\(folder)/\(month)")) ?? []
            if let id = names.compactMap({ NoteID($0.prefix(26)) }).max() { return (id, month) }
        }
        return nil
    }

    /// Takes entries out: they lie in another journal now.
    package func remove(_ ids: Set<NoteID>) throws {
        for name in try names({ NoteID($0.prefix(26)).map(ids.contains) ?? false }) {
            try Files.remove("\(folder)/\(name)")
        }
    }

    /// What the file of an entry is called in a home with these keys; in a plain one for nil.
    private static func fileName(of id: NoteID, _ entry: Entry, keys: HomeKeys?) -> String {
        let note = entry.note?.text ?? "none"
        guard let keys else { return "\(id)-\(entry.operation.rawValue)-\(note).json" }
        return "\(id)-\(keys.tag(of: note))-\(keys.tag(of: entry.path)).json\(FileSeal.ending)"
    }

    /// The same for an entry that was read; nil for bytes that are none.
    static func fileName(of id: NoteID, _ bytes: [UInt8], keys: HomeKeys?) -> String? {
        record(id, bytes).map { fileName(of: id, $0.entry, keys: keys) }
    }

    // MARK: Reading

    /// All entries of one note, oldest first. Lists every month and opens that note's files.
    package func records(of note: NoteID) throws -> [Record] {
        let ending = try seal.map { "-\(try $0.unlocked().tag(of: note.text))-" }
        return try names { name in
            ending.map(name.contains) ?? name.hasSuffix("-\(note.text).json")
        }.compactMap(read)
    }

    /// All entries about one path that belong to no note with an id, oldest first.
    package func records(ofUnnamedAt path: String) throws -> [Record] {
        let ending = try seal.map { seal in
            let keys = try seal.unlocked()
            return "-\(keys.tag(of: "none"))-\(keys.tag(of: path)).json\(FileSeal.ending)"
        }
        return try names { $0.hasSuffix(ending ?? "-none.json") }.compactMap(read)
            .filter { $0.entry.path == path }
    }

    /// All entries about notes without an id, oldest first.
    package func unnamedRecords() throws -> [Record] {
        let mark = try seal.map { "-\(try $0.unlocked().tag(of: "none"))-" }
        return try names { name in
            mark.map(name.contains) ?? name.hasSuffix("-none.json")
        }.compactMap(read)
    }

    /// Entries from the latest on, opened one by one as they are asked for.
    package func newestFirst() throws -> some Sequence<Record> {
        try names { _ in true }.reversed().lazy.compactMap(read)
    }

    package func record(_ id: NoteID) throws -> Record? {
        try names { $0.hasPrefix(id.text) }.compactMap(read).first
    }

    /// As `record`, for many: the names are listed once, by the first that is asked for.
    func recordsByID() -> (NoteID) throws -> Record? {
        var listed: [NoteID: String]?
        return { id in
            let known =
                try listed
                ?? Dictionary(
                    names { _ in true }.compactMap { name in
                        NoteID(Files.name(of: name).prefix(26)).map { ($0, name) }
                    }, uniquingKeysWith: { first, _ in first })
            listed = known
            return known[id].flatMap(read)
        }
    }

    /// Where a note that once lay at `path` lies now, following moves and renames; nil when none is known.
    package func currentPath(ofFormer path: String) throws -> String? {
        var current = path
        var found = false
        if let keys = try seal?.unlocked() {
            // Each path leads to the next; a name may have been used by one note after another.
            let all = try names { _ in true }
            var rest = all[...]
            while true {
                let ending = "-\(keys.tag(of: current)).json\(FileSeal.ending)"
                guard
                    let index = rest.firstIndex(where: { name in
                        name.hasSuffix(ending) && move(name, from: current) != nil
                    }), let next = move(rest[index], from: current)
                else { return found ? current : nil }
                current = next
                found = true
                rest = rest[(index + 1)...]
            }
        }
        for name in try names({ name in
            ["-move-", "-enrich-", "-undo-"].contains { name.contains($0) }
        }) {
            guard let next = move(name, from: current) else { continue }
            current = next
            found = true
        }
        return found ? current : nil
    }

    private func move(_ name: String, from path: String) -> String? {
        guard let entry = read(name)?.entry, entry.path == path,
            [.move, .enrich, .undo].contains(entry.operation), let next = entry.newPath,
            next != path
        else { return nil }
        return next
    }

    /// Paths of matching files, relative to the journal's folder, oldest first. The test is given the
    /// file's name.
    private func names(_ isWanted: (String) -> Bool) throws -> [String] {
        guard let months = try? Files.names(of: folder) else { return [] }
        let ending = seal == nil ? ".json" : ".json\(FileSeal.ending)"
        return months.sorted().flatMap { month in
            ((try? Files.names(of: "\(folder)/\(month)")) ?? [])
                .filter { $0.hasSuffix(ending) && isWanted($0) }.sorted().map { "\(month)/\($0)" }
        }
    }

    private func read(_ name: String) -> Record? {
        guard let id = NoteID(Files.name(of: name).prefix(26)),
            let stored = try? Files.bytes(at: "\(folder)/\(name)")
        else { return nil }
        guard let seal else { return Journal.record(id, stored) }
        guard let opened = try? seal.opened(stored, name: name) else { return nil }
        return Journal.record(id, opened.bytes)
    }

    // MARK: Forgetting

    /// Takes the text before the change out of entries older than that. Who changed what, and which fields
    /// are a person's, stays.
    ///
    /// - Parameter isKept: entries to leave whole.
    /// - Returns: how many were changed.
    @discardableResult
    package func forget(before limit: Instant, unless isKept: (Record) -> Bool) throws -> Int {
        var count = 0
        for name in try names({ NoteID($0.prefix(26)).map { $0.moment < limit } ?? false }) {
            guard let record = read(name), record.at < limit, let before = record.entry.before,
                !isKept(record)
            else { continue }
            var entry = record.entry
            entry.before = nil
            entry.forgotten = ContentDigest(of: before)
            let bytes = Array((Journal.json(entry, at: record.at).serialized + "\n").utf8)
            try AtomicFile.replace("\(folder)/\(name)", seal?.sealed(bytes) ?? bytes)
            count += 1
        }
        return count
    }

    /// Files that do not open, relative to the journal's folder, with the reason.
    package func damaged() throws -> [(name: String, reason: String)] {
        try names { _ in true }.compactMap { name in
            do {
                let stored = try Files.bytes(at: "\(folder)/\(name)")
                let bytes = try seal?.opened(stored, name: name).bytes ?? stored
                let id = NoteID(Files.name(of: name).prefix(26))
                return id.flatMap { Journal.record($0, bytes) } == nil
                    ? (name, "it is no journal entry") : nil
            } catch {
                return (name, error.explanation)
            }
        }
    }
}

// MARK: - As JSON

extension Journal {
    private static func json(_ entry: Entry, at moment: Instant) -> JSONValue {
        var fields: [(String, JSONValue)] = [
            ("at", .string(moment.iso8601)), ("operation", .string(entry.operation.rawValue)),
            ("author", .string(entry.author.rawValue)), ("path", .string(entry.path)),
        ]
        func add(_ key: String, _ text: String?) {
            if let text { fields.append((key, .string(text))) }
        }
        func add(_ key: String, _ texts: [String]) {
            if !texts.isEmpty { fields.append((key, .array(texts.map { .string($0) }))) }
        }
        add("note", entry.note?.text)
        add("new_path", entry.newPath)
        add("trash_key", entry.trashKey)
        add("reason", entry.reason)
        add("person_fields", entry.personFields)
        add("made_fields", entry.madeFields)
        add("maker", entry.maker)
        add("before_digest", entry.forgotten?.text)
        add("after", entry.after?.text)
        add("undoes", entry.undoes?.text)
        if let before = entry.before {
            add("before_zlib", Base64.text(Zip.compress(before)))
        }
        return .record(fields)
    }

    private static func record(_ id: NoteID, _ bytes: [UInt8]) -> Record? {
        guard let json = JSONValue.read(bytes),
            let operation = json["operation"]?.text.flatMap(Operation.init(rawValue:)),
            let path = json["path"]?.text
        else { return nil }
        func words(_ key: String) -> [String] {
            json[key]?.elements?.compactMap(\.text) ?? []
        }
        var entry = Entry(operation, note: json["note"]?.text.flatMap { NoteID($0) }, path: path)
        entry.author = json["author"]?.text.flatMap(Author.init(rawValue:)) ?? .person
        entry.newPath = json["new_path"]?.text
        entry.trashKey = json["trash_key"]?.text
        entry.reason = json["reason"]?.text
        entry.personFields = words("person_fields")
        entry.madeFields = words("made_fields")
        entry.maker = json["maker"]?.text
        entry.forgotten = json["before_digest"]?.text.map(ContentDigest.init(text:))
        entry.after = json["after"]?.text.map(ContentDigest.init(text:))
        entry.undoes = json["undoes"]?.text.flatMap { NoteID($0) }
        if let packed = json["before_zlib"]?.text.flatMap({ Base64.bytes($0) }) {
            entry.before = try? Zip.decompress(packed, maximumLength: NoteFiles.maximumBytes)
        }
        let at = json["at"]?.text.flatMap { Instant(iso8601: $0) } ?? id.moment
        return Record(id: id, at: at, entry: entry)
    }
}
