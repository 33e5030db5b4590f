/// The versions that a note went through, oldest first.
///
/// Made from the journal, which keeps the whole file before each change, and the file as it is now. Follows a
/// note by its id; one without an id by its path, through the moves and renames that aura made.
package struct History: Sendable {
    package struct Version: Sendable, Equatable {
        /// From 1, oldest first.
        package let number: Int
        /// From when on it held; nil for what was there before the journal began.
        package let from: Instant?
        package let path: String
        /// Nil where the text is kept no longer, or was changed by another program and nobody saw it.
        package let bytes: [UInt8]?
        /// It lay in the trash.
        package let isInTrash: Bool
        /// Another program changed the file after this change, and this is what it made of it.
        package let isChangedOutside: Bool
        /// What made it; nil for what was there before the journal began.
        package let change: PastChange?
    }

    package let versions: [Version]

    /// The note that is asked about.
    package struct Subject: Sendable, Equatable {
        package let note: NoteID?
        /// Where it is, or was before it was removed.
        package let path: String

        package init(note: NoteID?, path: String) {
            self.note = note
            self.path = path
        }
    }

    /// - Throws: `SealError`, `SystemError`.
    package init(of subject: Subject, _ changes: NoteChanges) throws {
        let path = subject.path
        let made = Array(
            try History.changes(of: subject, changes).filter(\.isMade).reversed())
        let last = made.last?.entry
        var present = try changes.files.contents(of: path)
        if present == nil, case .inTrash(let key)? = last?.stateAfter, try changes.trash.has(key) {
            present = try changes.trash.contents(of: Trash.Item(key: key, path: path))
        }
        // From the latest back: what came out of the trash unchanged is what went in.
        var held: [[UInt8]?] = []
        var next = present
        for change in made.reversed() {
            if next == nil, case .removed? = change.entry.step, change.entry.after == nil {
                next = change.entry.before
            }
            held.append(next)
            let isUnchanged =
                if case .returned? = change.entry.step { change.entry.digestBefore == nil } else {
                    false
                }
            if !isUnchanged { next = change.entry.before }
        }
        held.reverse()
        var versions: [Version] = []
        func add(
            _ change: PastChange?, _ path: String, _ bytes: [UInt8]?, isInTrash: Bool = false
        ) {
            var isOutside = false
            if let bytes, let entry = change?.entry, let after = entry.after ?? entry.digestBefore {
                isOutside = ContentDigest(of: bytes) != after
            }
            versions.append(
                Version(
                    number: versions.count + 1, from: change?.record.at, path: path, bytes: bytes,
                    isInTrash: isInTrash, isChangedOutside: isOutside, change: change))
        }
        if let first = made.first?.entry {
            switch first.step {
            case .rewritten(let path, _), .removed(let path, _): add(nil, path, first.before)
            default: break
            }
        } else if let present {
            add(nil, path, present)
        }
        for (change, bytes) in zip(made, held) {
            switch change.entry.step {
            case .created(let path), .rewritten(_, let path), .returned(_, let path):
                add(change, path, bytes)
            case .removed(let path, _): add(change, path, bytes, isInTrash: true)
            case nil: break
            }
        }
        self.versions = versions
    }

    /// What was done to a note, or to all, latest first; also what was written down and then never made.
    package static func changes(
        of subject: Subject?, limit: Int = .max, _ changes: NoteChanges
    ) throws -> [PastChange] {
        var reading = ChangeReading(changes)
        var found: [PastChange] = []
        func take(_ records: some Sequence<Journal.Record>) throws {
            for record in records {
                if found.count >= limit { return }
                if let change = try reading.read(record) { found.append(change) }
            }
        }
        if let subject {
            try take(records(of: subject, changes.journal))
        } else {
            try take(changes.journal.newestFirst())
        }
        return found
    }

    /// The entries about a note, latest first.
    static func records(of subject: Subject, _ journal: Journal) throws -> [Journal.Record] {
        if let note = subject.note { return try journal.records(of: note).reversed() }
        var current = subject.path
        return try journal.unnamedRecords().reversed().filter { record in
            guard (record.entry.newPath ?? record.entry.path) == current else { return false }
            current = record.entry.path
            return true
        }
    }

    // MARK: Asking

    /// The version that held at the moment.
    /// - Throws: `HistoryError.beforeFirst`, `.noText`.
    package func version(at moment: Instant) throws -> Version {
        guard
            let version = versions.last(where: { $0.from.map { $0 <= moment } ?? true })
        else { throw HistoryError.beforeFirst(path: versions.first?.path ?? "") }
        return try whole(version)
    }

    /// - Throws: `HistoryError.noSuchVersion`, `.noText`.
    package func version(number: Int) throws -> Version {
        guard versions.indices.contains(number - 1) else {
            throw HistoryError.noSuchVersion(
                path: versions.last?.path ?? "", number: number, count: versions.count)
        }
        return try whole(versions[number - 1])
    }

    private func whole(_ version: Version) throws -> Version {
        guard version.bytes != nil else {
            throw HistoryError.noText(path: version.path, number: version.number)
        }
        return version
    }
}

/// Versions that there are none of.
package enum HistoryError: Error, Equatable {
    case beforeFirst(path: String)
    case noSuchVersion(path: String, number: Int, count: Int)
    /// The version is known and its text is not.
    case noText(path: String, number: Int)
    /// An undo whose text before is kept no longer.
    case forgotten(path: String)
    /// The note is not as the change left it. `newer` is what came after, in words.
    case changedSince(path: String, change: String, newer: String?)
    /// What was removed is no longer in the trash.
    case notInTrash(path: String)
}

extension HistoryError: Explained {
    package var message: String {
        switch self {
        case .beforeFirst(let path): "\(path) did not exist then"
        case .noSuchVersion(let path, let number, let count):
            "\(path) has no version \(number): there are \(count)"
        case .noText(let path, let number): "the text of version \(number) of \(path) is not kept"
        case .forgotten(let path):
            "the text that \(path) had before is kept no longer (setting history.days)"
        case .changedSince(let path, let change, let newer):
            "\(path) is no longer as the \(change) left it"
                + (newer.map { ": the \($0) came after" } ?? ": another program changed it since")
        case .notInTrash(let path): "\(path) is no longer in the trash"
        }
    }

    package var hint: String? {
        switch self {
        case .beforeFirst(let path), .noSuchVersion(let path, _, _), .noText(let path, _):
            "'aura history \(path)' lists its versions"
        case .forgotten: nil
        case .changedSince(let path, _, _):
            "nothing was changed; 'aura history \(path)' lists its versions, and "
                + "'aura restore \(path) --at NUMBER' brings one back"
        case .notInTrash(let path):
            "nothing was changed; 'aura restore \(path) --at NUMBER' brings its text back"
        }
    }
}
