internal import AuraSystem

/// Taking changes back, byte for byte, the latest first.
///
/// Each undo is a change of its own with an entry of its own, so that it can be undone as well: that is a
/// redo. No text is lost by one: what a note held goes into the entry, what was made goes to the trash, and
/// where another note has taken the old name both are kept.
package struct Undo: Sendable {
    private let changes: NoteChanges
    private let zone: Zone
    private let mayHold: @Sendable (String) throws -> Bool
    private var files: NoteFiles { changes.files }
    private var trash: Trash { changes.trash }

    /// - Parameter mayHold: whether a vault is one of those that these files keep. Changes with a path in
    ///   another are passed over: that vault has a lock of its own, or was renamed since.
    package init(
        changes: NoteChanges, zone: Zone,
        mayHold: @escaping @Sendable (String) throws -> Bool = { _ in true }
    ) {
        self.changes = changes
        self.zone = zone
        self.mayHold = mayHold
    }

    package enum Direction: Sendable {
        /// Changes that stand.
        case back
        /// Undos that stand.
        case again
    }

    /// A change that was taken back.
    package struct Undone: Sendable, Equatable {
        package let change: PastChange
        /// Where the note is now, or where it was before it went to the trash.
        package let path: String
        package let isInTrash: Bool
    }

    /// What `undo` would take back, in that order.
    /// - Parameter subject: nil for all notes.
    package func list(
        _ direction: Direction = .back, of subject: History.Subject? = nil, limit: Int
    ) throws -> [PastChange] {
        try plan(direction, of: subject, limit: limit).map(\.change)
    }

    /// Takes back the last changes; fewer where there are not so many.
    ///
    /// Whether all can be taken back is looked at before any is.
    /// - Throws: `HistoryError.changedSince`, `.forgotten`, `.notInTrash`, and then nothing was changed;
    ///   `VaultError`, `SealError`, `SystemError`.
    package func undo(
        _ count: Int = 1, _ direction: Direction = .back, of subject: History.Subject? = nil
    ) throws -> [Undone] {
        try changes.lock.holding {
            let plan = try plan(direction, of: subject, limit: count)
            var outlook = Outlook(files: files, trash: trash)
            for step in plan { try look(at: step, &outlook) }
            return try plan.map { try takeBack($0) }
        }
    }

    // MARK: Planning

    private struct Step {
        let change: PastChange
        /// A later change of the same note that stands and is not to be taken back.
        let newer: PastChange?

        var entry: Journal.Entry { change.entry }
    }

    private func plan(
        _ direction: Direction, of subject: History.Subject?, limit: Int
    ) throws -> [Step] {
        var steps: [Step] = []
        var newer: [String: PastChange] = [:]
        var reading = ChangeReading(changes)
        func take(_ records: some Sequence<Journal.Record>) throws {
            for record in records {
                if steps.count >= limit { return }
                guard let change = try reading.read(record), change.isStanding else { continue }
                let paths = [change.entry.path, change.entry.newPath].compactMap(\.self)
                guard try paths.allSatisfy({ try mayHold(VaultLayout.vault(of: $0)) }) else {
                    continue
                }
                let key = change.entry.note?.text ?? change.entry.path
                if change.depth.isMultiple(of: 2) == (direction == .back) {
                    steps.append(Step(change: change, newer: newer[key]))
                } else if newer[key] == nil {
                    newer[key] = change
                }
            }
        }
        if let subject {
            try take(History.records(of: subject, changes.journal))
        } else {
            try take(changes.journal.newestFirst())
        }
        return steps
    }

    /// The home as it will be after the steps looked at so far.
    private struct Outlook {
        let files: NoteFiles
        let trash: Trash
        var notes: [String: ContentDigest?] = [:]
        var removed: [String: Bool] = [:]

        func digest(of path: String) throws -> ContentDigest? {
            if let known = notes[path] { return known }
            return try files.contents(of: path).map { ContentDigest(of: $0) }
        }

        func has(_ key: String) throws -> Bool { try removed[key] ?? trash.has(key) }
    }

    /// - Throws: when the step cannot be taken back as things will be then.
    private func look(at step: Step, _ outlook: inout Outlook) throws {
        let entry = step.entry
        switch entry.step {
        case nil: return
        case .created:
            outlook.notes[try place(of: step, outlook)] = .some(nil)
        case .rewritten(let from, _):
            guard entry.before != nil else { throw HistoryError.forgotten(path: entry.path) }
            outlook.notes[try place(of: step, outlook)] = .some(nil)
            // Where the name is taken the note goes beside it, and steps before this one will not fit.
            if try outlook.digest(of: from) == nil { outlook.notes[from] = entry.digestBefore }
        case .removed(let path, let key):
            guard try outlook.has(key) else { throw HistoryError.notInTrash(path: path) }
            guard entry.after == nil || entry.before != nil else {
                throw HistoryError.forgotten(path: path)
            }
            outlook.removed[key] = false
            if try outlook.digest(of: path) == nil { outlook.notes[path] = entry.digestBefore }
        case .returned(let key, let path):
            guard entry.before != nil || entry.forgotten == nil else {
                throw HistoryError.forgotten(path: path)
            }
            outlook.notes[try place(of: step, outlook)] = .some(nil)
            outlook.removed[key] = true
        }
    }

    /// Where the note lies as the change left it, or as far as it came when it was stopped.
    private func place(of step: Step, _ outlook: Outlook) throws -> String {
        let entry = step.entry
        let path = entry.newPath ?? entry.path
        let found = try outlook.digest(of: path)
        if found != nil, found == entry.after { return path }
        if case .returned? = entry.step, let found, found == entry.digestBefore { return path }
        if case .rewritten? = entry.step, path != entry.path, let after = entry.after,
            try outlook.digest(of: entry.path) == after
        {
            return entry.path
        }
        throw HistoryError.changedSince(
            path: path, change: words(for: step.change), newer: step.newer.map(words(for:)))
    }

    /// `edit of 2026-03-04 10:00`
    private func words(for change: PastChange) -> String {
        let local = zone.local(change.record.at)
        return "\(change.entry.operation.rawValue) of \(local.day) \(local.time)"
    }

    // MARK: Taking back

    private func takeBack(_ step: Step) throws -> Undone {
        let (change, entry) = (step.change, step.entry)
        var undo = Journal.Entry(.undo, note: entry.note, path: entry.path)
        undo.undoes = change.record.id
        // What a person did not want is not filled in again.
        undo.personFields = entry.madeFields
        switch entry.step {
        case nil: return Undone(change: change, path: entry.path, isInTrash: false)
        case .created: return try putAway(step, key: trash.newKey(), undo)
        case .returned(let key, _):
            // The key it had, so that the removal before can be taken back as well.
            return try putAway(step, key: try trash.has(key) ? trash.newKey() : key, undo)
        case .removed(_, let key):
            let item = Trash.Item(key: key, path: entry.path)
            let path = try trash.freePath(for: item)
            let old = try trash.contents(of: item)
            let new = entry.after == nil ? old : entry.before ?? old
            undo.newPath = path
            undo.trashKey = key
            undo.after = ContentDigest(of: new)
            if new != old { undo.before = old }
            try changes.journal.append(undo, inOrder: true)
            try trash.restore(item, to: path)
            if new != old { try files.replace(path, old: old, new: new) }
            return Undone(change: change, path: path, isInTrash: false)
        case .rewritten(let from, _):
            let (path, old) = try contents(of: step)
            guard let new = entry.before else { throw HistoryError.forgotten(path: path) }
            let mark = change.record.id.text.suffix(6).lowercased()
            let name = Files.name(of: from)
            let stem = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
            let newPath = try files.freePath(
                for: path, in: Files.parent(of: from),
                names: [name] + ["", "-2", "-3"].map { "\(stem)-restored-\(mark)\($0).md" })
            undo.path = path
            undo.newPath = newPath == path ? nil : newPath
            undo.before = old
            undo.after = entry.digestBefore
            try changes.journal.append(undo, inOrder: true)
            try files.move(path, old: old, new: new, to: newPath)
            return Undone(change: change, path: newPath, isInTrash: false)
        }
    }

    /// Into the trash, with the bytes that lay there before where it came from there.
    private func putAway(_ step: Step, key: String, _ undo: Journal.Entry) throws -> Undone {
        let (path, old) = try contents(of: step)
        let new = step.entry.before ?? old
        var undo = undo
        undo.path = path
        undo.trashKey = key
        undo.before = old
        if new != old { undo.after = ContentDigest(of: new) }
        try changes.journal.append(undo, inOrder: true)
        if new != old { try files.replace(path, old: old, new: new) }
        _ = try trash.put(path, key: key)
        return Undone(change: step.change, path: path, isInTrash: true)
    }

    private func contents(of step: Step) throws -> (path: String, bytes: [UInt8]) {
        let path = try place(of: step, Outlook(files: files, trash: trash))
        guard let bytes = try files.contents(of: path) else {
            throw VaultError.changedMeanwhile(path: path)
        }
        return (path, bytes)
    }
}
