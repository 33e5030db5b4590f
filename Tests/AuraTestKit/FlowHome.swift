import AuraCore
import AuraSystem
import Synchronization

/// A vault home in a temporary folder, with flows that work at a fixed time.
package final class FlowHome: Sendable {
    package let folder: TemporaryFolder
    package let home: VaultHome
    package let files: NoteFiles
    package let journal: Journal
    package let trash: Trash
    package let lock: VaultLock
    package let changes: NoteChanges
    /// Nil for a plain home.
    package let seal: FileSeal?
    package let zone: Zone
    package let newID: @Sendable () -> NoteID
    private let moment: Mutex<Instant>

    /// - Parameter clock: as the cases write it.
    package init(
        clock: String = "Wednesday 2026-03-04 10:00, Europe/London",
        sealing: VaultHome.Sealing = .plain
    ) throws {
        let clock = try CaseClock(clock)
        guard let zone = Zone.named(clock.zone), let now = Services.instant(clock.local, zone)
        else {
            throw CaseError(description: "'\(clock.local), \(clock.zone)' is no clock")
        }
        self.zone = zone
        moment = Mutex(now)
        folder = try TemporaryFolder()
        let count = CountingIDs()
        newID = { count.next(at: now) }
        home = try VaultHome.make(
            at: "\(folder.path)/vaults", id: newID(), now: now, sealing: sealing)
        let keys = sealing == .age ? HomeKeys.make() : nil
        seal = keys.map { FileSeal(recipients: [$0.identities[0].recipient], keys: $0) }
        files = NoteFiles(layout: home.layout, seal: seal)
        journal = Journal(layout: home.layout, seal: seal, newID: newID, now: { now })
        trash = Trash(files: files, newID: newID)
        lock = VaultLock(dataFolder: folder.path)
        changes = NoteChanges(files: files, journal: journal, trash: trash, lock: lock)
    }

    package var now: @Sendable () -> Instant { { self.moment.withLock { $0 } } }

    package var capture: Capture {
        Capture(
            files: files, journal: journal, now: now, zone: zone, newID: newID,
            customs: DateCustoms())
    }

    package func enrichment(
        _ generator: (any TextGenerator)?, polishes: Bool = false
    ) -> Enrichment {
        Enrichment(
            changes: changes, generator: generator, now: now, zone: zone, customs: DateCustoms(),
            polishes: polishes)
    }

    package func distill(_ generator: (any TextGenerator)? = nil) -> Distill {
        Distill(
            changes: changes, generator: generator, now: now, zone: zone, newID: newID)
    }

    /// Writes a file as another program would; a note of an encrypted home as one that has the keys.
    package func write(_ text: String, to path: String) throws {
        guard let seal, VaultLayout.isSafe(path) else {
            return try folder.write(text, to: "vaults/\(path)")
        }
        try folder.write(
            seal.sealed(Array(text.utf8), label: path), to: "vaults/\(files.name(of: path))")
    }

    /// Where the note at a logical path lies, absolute.
    package func place(of path: String) throws -> String {
        "\(home.layout.root)/\(try files.name(of: path))"
    }

    package func text(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }

    /// What is in the file at a logical path, or below `.aura`; whether it is sealed or not.
    package func bytes(of path: String) throws -> [UInt8] {
        guard VaultLayout.isSafe(path) else {
            let stored = try Files.bytes(at: "\(home.layout.root)/\(path)")
            return try seal?.opened(stored, name: path).bytes ?? stored
        }
        guard let bytes = try files.contents(of: path) else {
            throw SystemError(call: "open", path: path, code: 2)
        }
        return bytes
    }

    package func note(at path: String) throws -> Note {
        NoteText(bytes: try bytes(of: path), path: path).note
    }

    /// Logical paths of all notes, sorted.
    package var paths: [String] {
        get throws { try files.listing().compactMap { try files.open($0.name)?.path }.sorted() }
    }
}

extension VaultHome.Sealing {
    /// For rules that hold whatever the files look like.
    package static let both: [VaultHome.Sealing] = [.plain, .age]
}

/// Ids in a row: same order, same test, same ids.
package final class CountingIDs: Sendable {
    private let count = Atomic<UInt64>(0)

    package init() {}

    package func next(at moment: Instant) -> NoteID {
        let number = count.add(1, ordering: .relaxed).newValue
        let random =
            [0, 0] + stride(from: 56, through: 0, by: -8).map { UInt8(number >> UInt64($0) & 255) }
        return NoteID(at: moment, random: random)
    }
}

extension Inbox {
    /// Makes notes of all that wait, and tells their paths.
    package func bringIn(home: String, _ capture: Capture) -> [String] {
        var paths: [String] = []
        bringIn(home: home) { draft, id, moment in
            paths.append(try (moment.map(capture.at) ?? capture).save(draft, id: id).path)
        }
        return paths
    }
}
