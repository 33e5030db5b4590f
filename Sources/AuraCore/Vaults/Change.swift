/// A journal entry as a step from one state of a note to the next, with what became of it.
package struct Change: Sendable, Equatable {
    package let record: Journal.Record
    /// False for one that was written down and then never made: the process was killed between.
    package let isMade: Bool
    /// The entry that took this one back.
    package let undoneBy: NoteID?
    /// How many undos stand between this and a change of another kind: 0 for an edit, 1 for its undo, 2
    /// where that was undone again.
    package let depth: Int

    package var entry: Journal.Entry { record.entry }
    /// Made, and nobody has taken it back since.
    package var isStanding: Bool { isMade && undoneBy == nil }
}

/// Where a note is and what it holds, as far as an entry tells.
package enum NoteState: Sendable, Equatable {
    case nowhere
    case at(path: String, ContentDigest)
    case inTrash(key: String)
}

extension Journal.Entry {
    /// What was done to files; nil where it was only tried, as a model's useless reply.
    package enum Step: Sendable, Equatable {
        case created(path: String)
        case rewritten(from: String, to: String)
        /// To the trash.
        case removed(path: String, key: String)
        /// Out of the trash.
        case returned(key: String, to: String)
    }

    package var step: Step? {
        if let trashKey {
            return newPath.map { .returned(key: trashKey, to: $0) }
                ?? .removed(path: path, key: trashKey)
        }
        guard after != nil else { return nil }
        return digestBefore == nil
            ? .created(path: path) : .rewritten(from: path, to: newPath ?? path)
    }

    var digestBefore: ContentDigest? { before.map { ContentDigest(of: $0) } ?? forgotten }

    /// What the note was before the step.
    var stateBefore: NoteState {
        switch step {
        case nil, .created: .nowhere
        case .rewritten(let path, _), .removed(let path, _):
            digestBefore.map { .at(path: path, $0) } ?? .nowhere
        case .returned(let key, _): .inTrash(key: key)
        }
    }

    /// What the step made of it.
    var stateAfter: NoteState {
        switch step {
        case nil: .nowhere
        case .created(let path), .rewritten(_, let path), .returned(_, let path):
            after.map { .at(path: path, $0) } ?? .nowhere
        case .removed(_, let key): .inTrash(key: key)
        }
    }
}

/// Reads entries from the latest on and tells what became of each.
///
/// Whether a change was made is seen by what came next: the next entry's state before, or the file.
struct ChangeReading {
    private let files: NoteFiles
    private let trash: Trash
    /// Keys of notes to the state that the next entry found.
    private var found: [String: NoteState] = [:]
    private var undone: [NoteID: NoteID] = [:]
    private var depths: [NoteID: Int] = [:]
    private let older: (NoteID) throws -> Journal.Record?

    init(_ changes: NoteChanges) {
        files = changes.files
        trash = changes.trash
        older = changes.journal.recordsByID()
    }

    /// Nil for entries that changed nothing. Give it every entry, latest first.
    mutating func read(_ record: Journal.Record) throws -> Change? {
        let entry = record.entry
        guard entry.step != nil else { return nil }
        let (before, after) = (entry.stateBefore, entry.stateAfter)
        let next =
            try found[key(entry.note, entry.newPath ?? entry.path)]
            ?? found[key(entry.note, entry.path)] ?? present(entry)
        // A capture is written down after its note was made.
        let isMade = entry.operation == .capture || next == after || next != before
        found[key(entry.note, entry.path)] = before
        if isMade, let undoes = entry.undoes { undone[undoes] = record.id }
        return Change(
            record: record, isMade: isMade, undoneBy: undone[record.id],
            depth: try depth(of: record))
    }

    private mutating func depth(of record: Journal.Record) throws -> Int {
        if let known = depths[record.id] { return known }
        // Entries that take each other back, as a foreign hand may write them, end here.
        depths[record.id] = 0
        var depth = 0
        if let undoes = record.entry.undoes {
            // An entry that is gone was something else than an undo, most likely.
            depth = try older(undoes).map { try self.depth(of: $0) + 1 } ?? 1
        }
        depths[record.id] = depth
        return depth
    }

    private func key(_ note: NoteID?, _ path: String) -> String { note?.text ?? "/\(path)" }

    /// What is there now of the note that the entry is about.
    private func present(_ entry: Journal.Entry) throws -> NoteState {
        var paths = [entry.newPath ?? entry.path]
        if entry.path != paths[0] { paths.append(entry.path) }
        for path in paths {
            guard let bytes = try? files.contents(of: path) else { continue }
            guard entry.note == nil || NoteText(bytes: bytes, path: path).note.id == entry.note
            else { continue }
            return .at(path: path, ContentDigest(of: bytes))
        }
        if let key = entry.trashKey, try trash.has(key) { return .inTrash(key: key) }
        return .nowhere
    }
}
