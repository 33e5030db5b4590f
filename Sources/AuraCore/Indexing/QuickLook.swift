/// A look at the files whose cost does not grow with their number.
///
/// A folder whose time is unchanged has the entries it had. One that changed is listed by names: a new
/// name, one that went, and one that another file has taken (its inode) are found without a `stat` of the
/// others. What is left is a file rewritten in its place; for those some files are looked at each time, in
/// turn, and every note before it is shown (`Indexer.check`).
///
/// Where folders themselves came or went only a thorough look will do.
struct QuickLook {
    struct Found {
        var plan: Plan
        /// All of them, where one differs from what is known.
        var folders: [NoteFolder]?
        /// Where going round has come to.
        var lookedAt: Int?
    }

    /// How long looking at files in turn may take.
    static let patience = Duration.milliseconds(4)
    /// So many are looked at in any case.
    static let fewest = 500

    private let store: Store
    private let source: any NoteSource
    private var files: [NoteFile] = []
    private var records: [Int: Store.FileRecord] = [:]

    init(_ store: Store, _ source: any NoteSource) {
        self.store = store
        self.source = source
    }

    /// Nil when a thorough look is needed.
    mutating func run() async throws -> Found? {
        let known = try await store.folders()
        guard !known.isEmpty else { return nil }
        var folders: [NoteFolder] = []
        for folder in known {
            guard let now = try? source.folder(folder.name) else { return nil }
            folders.append(now)
            if now != folder {
                guard try await look(into: folder.name, known) else { return nil }
            }
        }
        for record in try await store.distrustedFiles() { try look(at: record) }
        for name in try await store.leftOut() {
            if let record = try await store.file(named: name) {
                try look(at: record, evenIfUnchanged: true)
            } else if let file = try source.file(name) {
                files.append(file)
            }
        }
        let lookedAt = try await goRound()
        var seen: Set<String> = []
        files = files.filter { seen.insert($0.name).inserted }
        return Found(
            plan: Plan(files: files, records: Array(records.values)),
            folders: folders == known ? nil : folders, lookedAt: lookedAt)
    }

    /// False when folders differ.
    private mutating func look(into folder: String, _ known: [NoteFolder]) async throws -> Bool {
        guard let entries = try? source.entries(of: folder) else { return false }
        let depth = folder.isEmpty ? 0 : folder.utf8.count { $0 == 0x2F } + 1
        let inside = known.map(\.name).filter { name in
            !name.isEmpty && name.utf8.count { $0 == 0x2F } == depth
                && (folder.isEmpty || name.hasPrefix(folder + "/"))
        }
        guard Set(inside) == Set(entries.folders) else { return false }
        let marks = try await store.marks(in: folder)
        var met = 0
        for entry in entries.notes {
            let hash = FNV1a.hash(entry.name.utf8)
            if marks.contains(Store.mark(entry.inode, ofNameHash: hash)) {
                met += 1
            } else if let record = try await store.file(named: entry.name) {
                try look(at: record)
                met += 1
            } else if let file = try source.file(entry.name) {
                files.append(file)
            }
        }
        guard met < marks.count else { return true }
        var gone = try await store.inodes(in: folder)
        for entry in entries.notes { gone.removeValue(forKey: entry.name) }
        for name in gone.keys {
            if let record = try await store.file(named: name) { try look(at: record) }
        }
        return true
    }

    /// A file that is known: a candidate where it differs, gone where it is not there.
    private mutating func look(
        at record: Store.FileRecord, evenIfUnchanged: Bool = false
    ) throws {
        guard records[record.number] == nil else { return }
        let file = try source.file(record.file.name)
        if file == record.file, !evenIfUnchanged { return }
        var record = record
        // The plan takes what is equal for unchanged.
        if file == record.file { record.file.modified = -1 }
        records[record.number] = record
        if let file { files.append(file) }
    }

    private mutating func goRound() async throws -> Int? {
        let end = ContinuousClock.now + QuickLook.patience
        let start = try await store.lookedAt()
        var last = start
        var count = 0
        var isRound = false
        while count < QuickLook.fewest || ContinuousClock.now < end {
            let some = try await store.files(after: last, limit: 100)
            for record in some where record.file.modified != -1 { try look(at: record) }
            count += some.count
            if let number = some.last?.number { last = number }
            if isRound, last >= start { break }
            guard some.count < 100 else { continue }
            // From the beginning on, once.
            if isRound || start == 0 {
                last = 0
                break
            }
            last = 0
            isRound = true
        }
        return last == start ? nil : last
    }
}
