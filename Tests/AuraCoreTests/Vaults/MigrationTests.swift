import AuraCore
import AuraSystem
import AuraTestKit
import Synchronization
import Testing

/// A plain home with keys at hand, and what programs do to it while it is migrated.
private final class MigratingHome: Sendable {
    let home: FlowHome
    let seal: FileSeal
    let looks = Atomic<Int>(0)

    init(_ sealing: VaultHome.Sealing = .plain) throws {
        home = try FlowHome(sealing: sealing)
        let keys = HomeKeys.make()
        seal = home.seal ?? FileSeal(recipients: [keys.identities[0].recipient], keys: keys)
    }

    var layout: VaultLayout { home.home.layout }
    var plain: NoteFiles { NoteFiles(layout: layout) }
    var sealed: NoteFiles { NoteFiles(layout: layout, seal: seal) }

    func migration(
        _ direction: Migration.Direction, phase: Migration.Phase = .copy,
        onLook: @escaping (Int) throws -> Void = { _ in },
        onCommit: @escaping () throws -> Void = {},
        onProgress: @escaping (Migration.Phase, Int, Int) -> Void = { _, _, _ in }
    ) throws -> Migration {
        try Migration(
            layout: layout, seal: seal, lock: home.lock,
            state: try Migration.State.read(layout)
                ?? Migration.State(direction: direction, phase: phase, started: home.now()),
            Migration.Surroundings(
                bringIn: {
                    let look = self.looks.add(1, ordering: .relaxed).newValue
                    do { try onLook(look) } catch { Issue.record(error) }
                },
                completeKeys: onCommit, onProgress: onProgress))
    }

    func migrate(
        _ direction: Migration.Direction, phase: Migration.Phase = .copy,
        onLook: @escaping (Int) throws -> Void = { _ in }
    ) throws -> Migration.Report {
        var migration = try migration(direction, phase: phase, onLook: onLook)
        return try migration.run()
    }

    func write(_ text: String, to path: String) throws {
        try home.folder.write(text, to: "vaults/\(path)")
    }

    func notes(_ files: NoteFiles) throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try files.listing().compactMap { file in
                try files.open(file.name).map {
                    ($0.path, String(decoding: $0.bytes, as: UTF8.self))
                }
            })
    }
}

private struct Stopped: Error {}

@Suite("a home that changes its kind") struct MigrationTests {
    @Test("there and back, every file has its bytes and its time")
    func thereAndBack() throws {
        let home = try MigratingHome()
        try home.write("# one\n", to: "Personal/one.md")
        try home.write("# two\n", to: "Projects/deep/two.md")
        try home.write("picture", to: "Personal/attachments/a.png")
        try home.write("backup", to: "Personal/one.md~")
        try home.write("said", to: ".aura/raw/01KJ0WZ8Q4T9M3C5V7X2B6N1RB.txt")
        try home.home.journal.append(Journal.Entry(.edit, note: nil, path: "Personal/one.md"))
        try home.write("# gone\n", to: "Personal/gone.md")
        _ = try home.home.trash.put("Personal/gone.md", key: "01KJ0WZ8Q4T9M3C5V7X2B6N1RC")
        func tree() throws -> [String: String] {
            var found: [String: String] = [:]
            var folders = [home.layout.root]
            while let folder = folders.popLast() {
                for (name, status) in try Files.entries(of: folder) {
                    let path = "\(folder)/\(name)"
                    if status.kind == .folder { folders.append(path); continue }
                    if name == "vault.json" { continue }
                    let text = String(decoding: try Files.bytes(at: path), as: UTF8.self)
                    found[path] = "\(text) \(name == "item.json" ? 0 : status.modified)"
                }
            }
            return found
        }
        let before = try tree()
        let there = try home.migrate(.encrypt)
        #expect((there.notes, there.files) == (2, 5))
        #expect(there.remarks.isEmpty && there.conflicts.isEmpty && there.takenIn.isEmpty)
        #expect(
            try home.notes(home.sealed) == [
                "Personal/one.md": "# one\n", "Projects/deep/two.md": "# two\n",
            ])
        #expect(try home.notes(home.plain).isEmpty)
        #expect(try tree().keys.allSatisfy { $0.hasSuffix(".age") })
        let back = try home.migrate(.decrypt)
        #expect((back.notes, back.files) == (2, 5))
        #expect(try tree() == before)
    }

    @Test(
        "while it is copied, each listing sees its own kind alone",
        arguments: [Migration.Direction.encrypt, .decrypt])
    func listings(_ direction: Migration.Direction) throws {
        let home = try MigratingHome(direction.formerSealing)
        try home.home.write("# one\n", to: "Personal/one.md")
        try home.home.write("# two\n", to: "notes/two.md")
        var seen: [[String]] = []
        _ = try home.migrate(direction) { _ in
            let isPlain = try VaultHome.open(home.layout.root).sealing == .plain
            seen.append(try home.notes(isPlain ? home.plain : home.sealed).keys.sorted())
        }
        #expect(seen.count >= 3)
        #expect(seen.allSatisfy { $0 == ["Personal/one.md", "notes/two.md"] })
    }

    @Test("a note that is changed, made, moved or removed while it is compared ends as it is then")
    func changedMeanwhile() throws {
        let home = try MigratingHome()
        for name in ["edited", "moved", "removed", "same"] {
            try home.write("# \(name)\n", to: "Personal/\(name).md")
        }
        let root = home.layout.root
        let report = try home.migrate(.encrypt) { look in
            guard look == 2 else { return }
            try home.write("# edited twice\n", to: "Personal/edited.md")
            try home.write("# new\n", to: "Family/new.md")
            try Files.makeFolder("\(root)/Projects")
            try Files.move("\(root)/Personal/moved.md", to: "\(root)/Projects/moved.md")
            try Files.remove("\(root)/Personal/removed.md")
        }
        #expect(report.conflicts.isEmpty)
        #expect(
            try home.notes(home.sealed) == [
                "Personal/edited.md": "# edited twice\n", "Family/new.md": "# new\n",
                "Projects/moved.md": "# moved\n", "Personal/same.md": "# same\n",
            ])
    }

    @Test(
        "after the commit, a plain note is taken in; where both changed, the newer has the name and both stay"
    )
    func changedAfterCommit() throws {
        let home = try MigratingHome()
        for name in ["plain", "both", "sealed"] {
            try home.write("# \(name)\n", to: "Personal/\(name).md")
        }
        var isCommitted = false
        let report = try home.migrate(.encrypt) { look in
            guard !isCommitted, try VaultHome.open(home.layout.root).sealing == .age else { return }
            isCommitted = true
            try home.write("# plain, later\n", to: "Personal/plain.md")
            try home.write("# captured\n", to: "Family/captured.md")
            for name in ["both", "sealed"] {
                let old = Array("# \(name)\n".utf8)
                try home.sealed.replace(
                    "Personal/\(name).md", old: old, new: Array("# \(name), sealed\n".utf8))
            }
            try home.write("# both, plain\n", to: "Personal/both.md")
            let file = try FileDescriptor.open("\(home.layout.root)/Personal/both.md", for: .append)
            try file.setModified(4_000_000_000_000_000_000)
        }
        #expect(isCommitted)
        let notes = try home.notes(home.sealed)
        #expect(notes["Personal/plain.md"] == "# plain, later\n")
        #expect(notes["Family/captured.md"] == "# captured\n")
        #expect(notes["Personal/sealed.md"] == "# sealed, sealed\n")
        #expect(notes["Personal/both.md"] == "# both, plain\n")
        let beside = try #require(report.conflicts.first)
        #expect(report.conflicts.count == 1 && notes[beside] == "# both, sealed\n")
        #expect(notes.count == 5)
        #expect(try home.notes(home.plain).isEmpty)
    }

    @Test("a note that the new home moved or removed does not come back with its original")
    func movedAfterCommit() throws {
        let home = try MigratingHome()
        for name in ["moved", "removed"] {
            try home.write("# \(name)\n", to: "Personal/\(name).md")
        }
        var isCommitted = false
        _ = try home.migrate(.encrypt) { look in
            guard !isCommitted, try VaultHome.open(home.layout.root).sealing == .age else { return }
            isCommitted = true
            let bytes = Array("# moved\n".utf8)
            try home.sealed.move("Personal/moved.md", old: bytes, new: bytes, to: "Family/moved.md")
            try Files.remove("\(home.layout.root)/\(home.sealed.name(of: "Personal/removed.md"))")
        }
        #expect(isCommitted)
        #expect(try home.notes(home.sealed) == ["Family/moved.md": "# moved\n"])
    }

    @Test("stopped between the two steps of the commit, it looks again before the second")
    func stoppedInCommit() throws {
        let home = try MigratingHome()
        try home.write("# one\n", to: "Personal/one.md")
        var stopped = try home.migration(.encrypt, onCommit: { throw Stopped() })
        #expect(throws: Stopped.self) { try stopped.run() }
        #expect(try Migration.State.read(home.layout)?.phase == .commit)
        #expect(throws: MigrationError.cannotGoBack(what: "encrypt")) { try stopped.abort() }
        try Files.move(
            "\(home.layout.root)/Personal/one.md", to: "\(home.layout.root)/Personal/two.md")
        _ = try home.migrate(.encrypt)
        #expect(try home.notes(home.sealed) == ["Personal/two.md": "# one\n"])
        #expect(try Migration.State.read(home.layout) == nil)
    }

    @Test("what another program put into an encrypted home is taken in by another run")
    func leftovers() throws {
        let home = try MigratingHome(.age)
        try home.home.write("# one\n", to: "Personal/one.md")
        try home.write("# late\n", to: "Personal/late.md")
        let report = try home.migrate(.encrypt, phase: .remove)
        #expect(report.takenIn == ["Personal/late.md"])
        #expect(
            try home.notes(home.sealed).keys.sorted() == ["Personal/late.md", "Personal/one.md"])
        #expect(try home.notes(home.plain).isEmpty)
    }

    @Test("a plain file that is in the way of a decrypted note stays, and the note goes beside it")
    func inTheWay() throws {
        let home = try MigratingHome(.age)
        try home.home.write("# sealed\n", to: "Personal/one.md")
        try home.write("# there before\n", to: "Personal/one.md")
        let report = try home.migrate(.decrypt)
        let notes = try home.notes(home.plain)
        let beside = try #require(report.conflicts.first)
        #expect(notes == ["Personal/one.md": "# there before\n", beside: "# sealed\n"])
    }

    @Test("two paths that differ only in how an accent is written are two notes afterwards")
    func accents() throws {
        let home = try MigratingHome()
        try home.write("# composed\n", to: "Personal/caf\u{E9}.md")
        try home.write("# decomposed\n", to: "Personal/cafe\u{301}.md")
        let report = try home.migrate(.encrypt)
        #expect(report.conflicts.count == 1)
        #expect(try home.notes(home.sealed).values.sorted() == ["# composed\n", "# decomposed\n"])
        #expect(try home.notes(home.plain).isEmpty)
    }

    @Test("a damaged file stays where it is and is named")
    func damaged() throws {
        let home = try MigratingHome(.age)
        try home.home.write("# one\n", to: "Personal/one.md")
        try home.home.write(String(repeating: "x", count: 300), to: "Personal/bad.md")
        let place = try home.home.place(of: "Personal/bad.md")
        var bytes = try Files.bytes(at: place)
        bytes[bytes.count - 20] ^= 1
        try AtomicFile.replace(place, bytes)
        let report = try home.migrate(.decrypt)
        #expect(report.remarks.map(\.path) == ["Personal/bad.md"])
        #expect(try Files.bytes(at: place) == bytes)
        #expect(try home.notes(home.plain) == ["Personal/one.md": "# one\n"])
    }

    @Test("hidden folders, links and loose files of an adopted home stay and are named")
    func adopted() throws {
        let home = try MigratingHome()
        try home.write("{}", to: ".obsidian/app.json")
        try home.write("x", to: "Personal/.trash/old.md")
        try home.write("# loose\n", to: "README.md")
        try home.write("# mine\n", to: "attachments/mine.md")
        let report = try home.migrate(.encrypt)
        #expect(report.remarks.map(\.path) == [".obsidian", "Personal/.trash", "README.md"])
        #expect(report.remarks.map(\.isForeign) == [true, true, true])
        #expect(try home.home.folder.read("vaults/.obsidian/app.json") == "{}")
        #expect(try home.notes(home.sealed) == ["attachments/mine.md": "# mine\n"])
    }

    @Test("the log tells neither paths nor digests")
    func log() throws {
        let home = try MigratingHome()
        try home.write("# one\n", to: "Personal/one.md")
        var log = ""
        _ = try home.migrate(.encrypt) { look in
            guard look == 2 else { return }
            log = try home.home.folder.read("vaults/.aura/migration/log")
        }
        #expect(!log.isEmpty)
        #expect(
            !log.contains("one")
                && !log.contains(ContentDigest(of: Array("# one\n".utf8)).text.prefix(8)))
    }

    @Test(
        "a change that was waiting for the lock over the commit is refused, not written in the old form"
    )
    func lateChange() throws {
        let home = try MigratingHome()
        let lock = VaultLock(dataFolder: home.home.folder.path) {
            throw VaultError.migratedMeanwhile(path: "home")
        }
        #expect(throws: VaultError.migratedMeanwhile(path: "home")) {
            try lock.holding { Issue.record("it was done") }
        }
    }
}

@Suite("a home that changes its keys") struct RotationTests {
    @Test(
        "every file opens with the new identity alone, with its label, its time and all recipients")
    func rotation() throws {
        let home = try FlowHome(sealing: .age)
        let old = try #require(home.seal).unlocked()
        let other = AgeIdentity.make()
        let fresh = AgeIdentity.make()
        try home.write("# one\n", to: "Personal/one.md")
        try home.write("", to: "Personal/empty.md")
        try home.journal.append(Journal.Entry(.edit, note: nil, path: "Personal/one.md"))
        let status = try #require(try Files.status(of: home.place(of: "Personal/one.md")))
        let state = Rotation.State(
            command: "key rotate", started: home.now(),
            recipients: [fresh.recipient, other.recipient], former: old.identities[0].recipient,
            successor: fresh.recipient)
        func rotate() throws -> Rotation.Report {
            var rotation = Rotation(
                layout: home.home.layout, otherFolders: [],
                keys: old.with(identities: [fresh] + old.identities), lock: home.lock,
                state: state, onProgress: { _, _ in })
            return try rotation.sealAll()
        }
        let report = try rotate()
        #expect((report.sealed, report.files) == (3, 3))
        // What is done is known by its header.
        #expect(try rotate().sealed == 0)
        for identity in [fresh, other] {
            let seal = FileSeal(
                recipients: state.recipients, keys: old.with(identities: [identity]))
            let files = NoteFiles(layout: home.home.layout, seal: seal)
            #expect(try files.contents(of: "Personal/one.md") == Array("# one\n".utf8))
            #expect(try files.contents(of: "Personal/empty.md") == [])
            let journal = Journal(
                layout: home.home.layout, seal: seal, newID: home.newID, now: home.now)
            #expect(try Array(journal.newestFirst()).count == 1)
        }
        #expect(throws: SealError.self) { try home.files.contents(of: "Personal/one.md") }
        #expect(
            try Files.status(of: home.place(of: "Personal/one.md"))?.modified == status.modified)
    }
}
