internal import AuraSystem

/// Changing notes so that each change can be undone: the journal's entry first, then the files, under the
/// vault lock.
///
/// When the entry cannot be written nothing is changed.
package struct NoteChanges: Sendable {
    package let files: NoteFiles
    package let journal: Journal
    package let trash: Trash
    package let lock: VaultLock

    package init(files: NoteFiles, journal: Journal, trash: Trash, lock: VaultLock) {
        self.files = files
        self.journal = journal
        self.trash = trash
        self.lock = lock
    }

    /// New bytes for a note, and what the journal is to say of them.
    package struct Rewriting: Sendable {
        package var bytes: [UInt8]
        package var entry: Journal.Entry

        /// - Parameter entry: without `before` and `after`, which are filled in.
        package init(bytes: [UInt8], entry: Journal.Entry) {
            self.bytes = bytes
            self.entry = entry
        }
    }

    /// Rewrites a note with what the closure makes of its bytes as they are under the lock.
    ///
    /// - Parameters:
    ///   - expected: what the file must still hold; nil for whatever is there.
    ///   - make: nil for no change.
    /// - Returns: the new bytes; nil when nothing was to be changed.
    /// - Throws: `VaultError.changedMeanwhile` when the note is gone or not as expected.
    @discardableResult
    package func rewrite(
        _ path: String, expecting expected: [UInt8]? = nil,
        _ make: ([UInt8]) throws -> Rewriting?
    ) throws -> [UInt8]? {
        try lock.holding {
            // An editor takes no lock and may save between the look and the write.
            for attempt in 1... {
                guard let old = try files.contents(of: path), expected == nil || expected == old
                else { throw VaultError.changedMeanwhile(path: path) }
                guard var change = try make(old), change.bytes != old else { return nil }
                change.entry.before = old
                change.entry.after = ContentDigest(of: change.bytes)
                try journal.append(change.entry, inOrder: true)
                do {
                    try files.replace(path, old: old, new: change.bytes)
                    return change.bytes
                } catch VaultError.changedMeanwhile where expected == nil && attempt < 5 {
                    continue
                }
            }
            throw VaultError.changedMeanwhile(path: path)
        }
    }

    /// Moves a note to the first free name in a folder, with new bytes.
    /// - Parameter entry: without paths, `before` and `after`, which are filled in.
    /// - Returns: where it is now.
    /// - Throws: `VaultError.changedMeanwhile`.
    package func move(
        _ path: String, old: [UInt8], new: [UInt8], toFolder folder: String,
        names: some Sequence<String>, _ entry: Journal.Entry
    ) throws -> String {
        try lock.holding {
            guard try files.contents(of: path) == old else {
                throw VaultError.changedMeanwhile(path: path)
            }
            var entry = entry
            entry.path = path
            entry.before = old
            entry.after = ContentDigest(of: new)
            // A capture takes no lock and may take the name between the look and the move.
            for attempt in 1... {
                let newPath = try files.freePath(for: path, in: folder, names: names)
                entry.newPath = newPath == path ? nil : newPath
                try journal.append(entry, inOrder: true)
                do {
                    try files.move(path, old: old, new: new, to: newPath)
                    return newPath
                } catch let error as SystemError where error.isAlreadyThere && attempt < 5 {
                    continue
                }
            }
            throw VaultError.changedMeanwhile(path: path)
        }
    }

    /// Puts a note into the trash.
    package func remove(_ path: String, _ entry: Journal.Entry) throws -> Trash.Item {
        try lock.holding {
            guard let old = try files.contents(of: path) else {
                throw VaultError.changedMeanwhile(path: path)
            }
            let key = trash.newKey()
            var entry = entry
            entry.path = path
            entry.before = old
            entry.trashKey = key
            try journal.append(entry, inOrder: true)
            return try trash.put(path, key: key)
        }
    }

    /// Takes a note out of the trash; tells where it is.
    /// - Parameter bytes: what it is to hold from now on; nil for what it holds.
    package func restore(
        _ item: Trash.Item, as bytes: [UInt8]? = nil, _ entry: Journal.Entry
    ) throws -> String {
        try lock.holding {
            let path = try trash.freePath(for: item)
            let old = try trash.contents(of: item)
            var entry = entry
            entry.path = item.path
            entry.newPath = path
            entry.trashKey = item.key
            entry.after = ContentDigest(of: bytes ?? old)
            if let bytes, bytes != old { entry.before = old }
            try journal.append(entry, inOrder: true)
            try trash.restore(item, to: path)
            if let bytes { try files.replace(path, old: old, new: bytes) }
            return path
        }
    }

    /// Writes a note that aura makes by itself, a report, under the first free name.
    package func create(
        in folder: String, names: some Sequence<String>, _ bytes: [UInt8], _ entry: Journal.Entry
    ) throws -> String {
        try lock.holding {
            var entry = entry
            entry.path = try files.freePath(for: "", in: folder, names: names)
            entry.after = ContentDigest(of: bytes)
            try journal.append(entry, inOrder: true)
            return try files.create(in: folder, names: [Files.name(of: entry.path)], bytes)
        }
    }
}

extension NoteChanges {
    /// Takes the texts before changes older than that out of the journal, but for those of removed notes
    /// that are neither in the trash nor were brought back: they are nowhere else.
    /// - Returns: how many entries were changed.
    @discardableResult
    package func forgetTexts(before limit: Instant) throws -> Int {
        var returned: Set<String> = []
        for record in try journal.newestFirst() {
            if case .returned(let key, _)? = record.entry.step { returned.insert(key) }
        }
        return try journal.forget(before: limit) { record in
            guard case .removed(_, let key)? = record.entry.step else { return false }
            return !returned.contains(key) && (try? trash.has(key)) != true
        }
    }
}
