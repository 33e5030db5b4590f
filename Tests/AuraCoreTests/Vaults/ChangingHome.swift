import AuraSystem
import AuraTestKit
import Synchronization

@testable import AuraCore

/// A home whose clock a test turns, with changes as commands make them.
final class ChangingHome: Sendable {
    let home: FlowHome
    let changes: NoteChanges
    let capture: Capture
    private let turning: TurningClock
    private let newID: @Sendable () -> NoteID

    static let start = Instant(iso8601: "2026-03-04T10:00:00Z")!

    init(_ sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        self.home = home
        let clock = TurningClock()
        let ids = CountingIDs()
        let newID: @Sendable () -> NoteID = { ids.next(at: clock.now) }
        self.newID = newID
        let journal = Journal(
            layout: home.home.layout, seal: home.seal, newID: newID, now: { clock.now })
        let trash = Trash(files: home.files, newID: newID)
        changes = NoteChanges(files: home.files, journal: journal, trash: trash, lock: home.lock)
        capture = Capture(
            files: home.files, journal: journal, now: { clock.now }, zone: .utc, newID: newID,
            customs: DateCustoms())
        turning = clock
    }

    /// Minutes after ten o'clock.
    func set(_ minutes: Int) { turning.set(Self.start.adding(seconds: Int64(minutes) * 60)) }

    static func minute(_ minutes: Int) -> Instant { start.adding(seconds: Int64(minutes) * 60) }

    var undo: Undo { Undo(changes: changes, zone: .utc) }

    /// Every note with its bytes.
    var notes: [String: [UInt8]] {
        get throws {
            var notes: [String: [UInt8]] = [:]
            for file in try home.files.listing() {
                if let note = try home.files.open(file.name) { notes[note.path] = note.bytes }
            }
            return notes
        }
    }

    /// Written as another program would.
    func put(_ bytes: [UInt8], at path: String) throws {
        _ = try home.files.create(
            in: Files.parent(of: path), names: [Files.name(of: path)], bytes)
    }

    /// The file's bytes, changed by another program.
    func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        try home.files.replace(path, old: home.bytes(of: path), new: bytes)
    }

    private func id(of path: String) throws -> NoteID? { try home.note(at: path).id }

    func edit(_ path: String, _ bytes: [UInt8], _ operation: Journal.Operation = .edit) throws {
        let entry = Journal.Entry(operation, note: try id(of: path), path: path)
        try changes.rewrite(path) { _ in NoteChanges.Rewriting(bytes: bytes, entry: entry) }
    }

    /// - Parameter bytes: what it holds from then on; nil for the same.
    @discardableResult
    func move(_ path: String, to newPath: String, _ bytes: [UInt8]? = nil) throws -> String {
        let old = try home.bytes(of: path)
        let name = Files.name(of: newPath)
        return try changes.move(
            path, old: old, new: bytes ?? old, toFolder: Files.parent(of: newPath),
            names: [name] + (2...9).map { "\(name.dropLast(3))-\($0).md" },
            Journal.Entry(.move, note: id(of: path), path: path))
    }

    @discardableResult
    func remove(_ path: String) throws -> Trash.Item {
        try changes.remove(path, Journal.Entry(.remove, note: id(of: path), path: path))
    }

    @discardableResult
    func restore(_ item: Trash.Item, as bytes: [UInt8]? = nil) throws -> String {
        let note = NoteText(bytes: try changes.trash.contents(of: item), path: item.path).note
        return try changes.restore(
            item, as: bytes, Journal.Entry(.restore, note: note.id, path: item.path))
    }

    @discardableResult
    func report(_ bytes: [UInt8]) throws -> String {
        let id = NoteText(bytes: bytes, path: "Family/x.md").note.id
        return try changes.create(
            in: "Family/_distilled", names: (1...99).map { "weekly-\($0).md" }, bytes,
            Journal.Entry(.report, note: id, path: ""))
    }

    /// A note with an id and that body.
    func text(_ body: String, title: String = "Boiler") -> [UInt8] {
        NoteText.compose(
            Note(
                id: newID(), title: title, vault: "Personal", kind: .note, status: .indexed,
                created: Self.start, modified: Self.start, body: body))
    }

    func history(_ path: String, id: NoteID? = nil) throws -> History {
        let note = try id ?? (home.files.contents(of: path) == nil ? nil : self.id(of: path))
        return try History(of: History.Subject(note: note, path: path), changes)
    }
}

private final class TurningClock: Sendable {
    private let moment = Mutex(ChangingHome.start)
    var now: Instant { moment.withLock { $0 } }
    func set(_ new: Instant) { moment.withLock { $0 = new } }
}
