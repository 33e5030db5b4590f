import AuraSystem
import AuraTestKit
import Foundation
import Glibc
import Testing

@testable import AuraCore

@Suite("notes as files")
struct NoteFilesTests {
    @Test("links, pipes, folders named like notes and what other programs leave are no notes")
    func listing() throws {
        let home = try FlowHome()
        let root = home.home.layout.root
        try home.write("x\n", to: "Family/a.md")
        try home.write("x\n", to: "Family/deep/er/b.MD")
        try home.write("x\n", to: "Family/c.markdown")
        for path in [
            "loose.md", "Family/x.txt", "Family/.hidden.md", "Family/.obsidian/d.md",
            "Family/e.md~", "Family/~$f.md",
            "Family/g.sync-conflict-20260304.md", "Family/attachments/h.md",
            "Family/folder.md/i.md",
            "node_modules/j.md", ".git/k.md",
        ] { try home.write("x\n", to: path) }
        try home.folder.write("outside\n", to: "outside.md")
        symlink("\(home.folder.path)/outside.md", "\(root)/Family/link.md")
        symlink("\(home.folder.path)", "\(root)/Linked")
        symlink("\(root)/Family", "\(root)/Family/loop")
        mkfifo("\(root)/Family/pipe.md", 0o600)
        #expect(try home.paths == ["Family/a.md", "Family/c.markdown", "Family/deep/er/b.MD"])
    }

    @Test(
        "a link or a pipe in a note's place is not read", .timeLimit(.minutes(1)),
        arguments: VaultHome.Sealing.both)
    func notFollowed(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("x\n", to: "Family/a.md")
        try home.folder.write("secret\n", to: "outside.md")
        try symlink("\(home.folder.path)/outside.md", home.place(of: "Family/link.md"))
        try mkfifo(home.place(of: "Family/pipe.md"), 0o600)
        for path in ["Family/link.md", "Family/pipe.md"] {
            let bytes = try? home.files.contents(of: path)
            #expect(bytes == nil || bytes == .some(nil), "\(path)")
        }
        #expect(try home.files.contents(of: "Family/none.md") == nil)
    }

    @Test(
        "a folder that cannot be read is told, and the rest is listed",
        .enabled(if: geteuid() != 0, "root reads all"))
    func unreadable() throws {
        let home = try FlowHome()
        try home.write("x\n", to: "Family/a.md")
        try home.write("x\n", to: "Family/closed/b.md")
        let folder = "\(home.home.layout.root)/Family/closed"
        chmod(folder, 0)
        defer { chmod(folder, 0o700) }
        #expect(try home.paths == ["Family/a.md"])
        #expect(try home.files.unreadableFolders() == ["Family/closed"])
    }

    @Test(
        "a path that leaves the home, or is hidden, is refused",
        arguments: [
            "/etc/passwd", "../x.md", "Family/../../x.md", "Family/./x.md", "Family//x.md", "x.md",
            "", "Family/",
            ".aura/vault.json", "Family/.x.md", "Family/a\nb.md", "Family/a\u{1B}b.md",
            "Family/\u{7F}.md",
            String(repeating: "d/", count: 40) + "x.md",
            "Family/" + String(repeating: "x", count: 300),
        ], VaultHome.Sealing.both)
    func unsafe(path: String, sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("x", to: "Family/x.md")
        #expect(!VaultLayout.isSafe(path))
        #expect(throws: VaultError.unsafePath(path: path)) { try home.files.contents(of: path) }
        #expect(throws: VaultError.unsafePath(path: path)) {
            try home.files.replace(path, old: [], new: [1])
        }
        #expect(throws: VaultError.unsafePath(path: path)) {
            try home.files.move(path, old: [], new: [], to: "Family/y.md")
        }
        #expect(throws: VaultError.unsafePath(path: path)) {
            try home.files.move("Family/x.md", old: [0x78], new: [0x78], to: path)
        }
        #expect(try home.paths == ["Family/x.md"] && home.text(of: "Family/x.md") == "x")
    }

    @Test(
        "a new note takes the first free name, and no name twice",
        arguments: VaultHome.Sealing.both)
    func create(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let names = ["a.md", "b.md"]
        #expect(try home.files.create(in: "Family", names: names, [1]) == "Family/a.md")
        #expect(try home.files.create(in: "Family", names: names, [2]) == "Family/b.md")
        #expect(throws: SystemError.self) { try home.files.create(in: "Family", names: names, [3]) }
        #expect(throws: SystemError.self) {
            try home.files.create(in: "Family", names: ["../x.md"], [3])
        }
        #expect(try home.bytes(of: "Family/a.md") == [1] && home.bytes(of: "Family/b.md") == [2])
        #expect(try home.paths == ["Family/a.md", "Family/b.md"])
        #expect(try Files.status(of: home.place(of: "Family/a.md"))?.mode == 0o600)
        // The same bytes under a name that they have are the same note.
        #expect(try home.files.create(in: "Family", names: names, [1]) == "Family/a.md")
    }

    @Test(
        "a note is replaced only while it holds what was read",
        arguments: VaultHome.Sealing.both)
    func replace(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("one", to: "Family/a.md")
        let (one, two) = (Array("one".utf8), Array("two".utf8))
        #expect(throws: VaultError.changedMeanwhile(path: "Family/a.md")) {
            try home.files.replace("Family/a.md", old: two, new: one)
        }
        #expect(throws: VaultError.changedMeanwhile(path: "Family/none.md")) {
            try home.files.replace("Family/none.md", old: one, new: two)
        }
        try home.files.replace("Family/a.md", old: one, new: two)
        #expect(try home.text(of: "Family/a.md") == "two")
        #expect(try home.paths == ["Family/a.md"])
    }

    @Test(
        "a note is moved to a free name, never over another",
        arguments: VaultHome.Sealing.both)
    func move(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let (a, b) = (Array("a".utf8), Array("b".utf8))
        try home.write("a", to: "Family/a.md")
        try home.write("b", to: "Personal/a.md")
        let names = ["a.md", "a-2.md"]
        #expect(
            try home.files.freePath(for: "Family/a.md", in: "Personal", names: names)
                == "Personal/a-2.md")
        #expect(
            try home.files.freePath(for: "Personal/a.md", in: "Personal", names: names)
                == "Personal/a.md")
        try home.files.move("Family/a.md", old: a, new: a, to: "Personal/a-2.md")
        #expect(
            try home.text(of: "Personal/a.md") == "b" && home.text(of: "Personal/a-2.md") == "a")
        try home.files.move("Personal/a.md", old: b, new: b, to: "Personal/a.md")
        #expect(throws: SystemError.self) {
            try home.files.move("Personal/a.md", old: b, new: b, to: "Personal/a-2.md")
        }
        #expect(throws: SystemError.self) {
            try home.files.freePath(for: "Family/x.md", in: "Personal", names: names)
        }
        #expect(throws: VaultError.changedMeanwhile(path: "Personal/a.md")) {
            try home.files.move("Personal/a.md", old: a, new: b, to: "Personal/c.md")
        }
        #expect(
            try home.text(of: "Personal/a.md") == "b" && home.text(of: "Personal/a-2.md") == "a")
        #expect(try home.paths == ["Personal/a-2.md", "Personal/a.md"])
    }
}

@Suite("a vault home")
struct VaultHomeTests {
    private func folder() throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        return (folder, "\(folder.path)/home")
    }

    private let id = NoteID(
        at: Instant(seconds: 1_700_000_000), random: [UInt8](repeating: 7, count: 10))
    private let now = Instant(seconds: 1_700_000_000)

    @Test("what was made can be opened, and made again without change")
    func make() throws {
        let (folder, root) = try folder()
        let home = try VaultHome.make(at: root, id: id, now: now)
        #expect(home.id == id.text && !home.isAdopted)
        #expect(try VaultHome.open(root) == home)
        let other = NoteID(at: now, random: [UInt8](repeating: 9, count: 10))
        #expect(try VaultHome.make(at: root, id: other, now: now) == home)
        #expect(try Files.status(of: root)?.mode == 0o700)
        _ = folder
    }

    @Test("nothing there, an empty folder and a folder with files are told apart")
    func open() throws {
        let (folder, root) = try folder()
        #expect(throws: VaultError.noHome(path: root)) { try VaultHome.open(root) }
        try Files.makeFolder(root)
        #expect(throws: VaultError.noHome(path: root)) { try VaultHome.open(root) }
        try folder.write("x", to: "home/Notes/a.md")
        #expect(throws: VaultError.notAHome(path: root)) { try VaultHome.open(root) }
        #expect(throws: VaultError.notAHome(path: root)) {
            try VaultHome.make(at: root, id: id, now: now)
        }
        let home = try VaultHome.make(at: root, id: id, now: now, adopting: true)
        #expect(try home.isAdopted && folder.read("home/Notes/a.md") == "x")
    }

    @Test(
        "a damaged or newer marker is told, and nothing is made in its place",
        arguments: [
            "", "{", "{}", #"{"id":"x","format":1}"#, #"{"id":"01KJ0WZ8Q4T9M3C5V7X2B6N1RA"}"#, "[]",
            "\u{0}",
        ])
    func damaged(text: String) throws {
        let (folder, root) = try folder()
        try folder.write(text, to: "home/.aura/vault.json")
        #expect { try VaultHome.open(root) } throws: {
            if case .damagedHome = $0 as? VaultError { true } else { false }
        }
        #expect(throws: VaultError.self) { try VaultHome.make(at: root, id: id, now: now) }
        #expect(try folder.read("home/.aura/vault.json") == text)
    }

    @Test("a home of a newer format is refused")
    func newer() throws {
        let (folder, root) = try folder()
        try folder.write(
            #"{"id":"01KJ0WZ8Q4T9M3C5V7X2B6N1RA","format":99}"#, to: "home/.aura/vault.json")
        #expect(throws: VaultError.newerHome(path: root, format: 99)) { try VaultHome.open(root) }
    }
}

@Suite("the journal")
struct JournalTests {
    private func entry(
        _ operation: Journal.Operation, _ note: NoteID?, _ path: String,
        _ fill: (inout Journal.Entry) -> Void = { _ in }
    ) -> Journal.Entry {
        var entry = Journal.Entry(operation, note: note, path: path)
        fill(&entry)
        return entry
    }

    @Test("entries of a note come back in order and whole", arguments: VaultHome.Sealing.both)
    func roundTrip(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let (note, other) = (home.newID(), home.newID())
        let entries = [
            entry(.capture, note, "Family/a.md") {
                $0.personFields = ["title"]
                $0.after = ContentDigest(of: [1])
            },
            entry(.enrich, note, "Family/a.md") {
                $0.author = .model
                $0.newPath = "Family/b.md"
                $0.madeFields = ["tags"]
                $0.maker = "model 123"
                $0.before = Array("before\u{1B}\n".utf8)
            },
            entry(.edit, note, "Family/b.md") {
                $0.author = .sync
                $0.reason = "two devices: \"both\" kept"
                $0.undoes = other
            },
            entry(.remove, note, "Family/b.md") { $0.trashKey = "KEY" },
        ]
        let ids = try entries.map { try home.journal.append($0) }
        try home.journal.append(entry(.edit, other, "Family/z.md"))
        try home.journal.append(entry(.edit, nil, "Family/imported.md"))
        try home.journal.append(entry(.edit, nil, "Family/imported too.md"))
        let records = try home.journal.records(of: note)
        #expect(records.map(\.entry) == entries && records.map(\.id) == ids)
        #expect(records.allSatisfy { $0.at == home.now() })
        #expect(try home.journal.records(of: other).count == 1)
        #expect(try home.journal.records(of: home.newID()).isEmpty)
        #expect(
            try home.journal.records(ofUnnamedAt: "Family/imported.md").map(\.entry)
                == [entry(.edit, nil, "Family/imported.md")])
        #expect(try home.journal.records(ofUnnamedAt: "Family/a.md").isEmpty)
        #expect(try home.journal.record(ids[1]) == records[1])
        #expect(try home.journal.record(other) == nil)
        #expect(
            try home.journal.newestFirst().map(\.entry.path)
                == ["Family/imported too.md", "Family/imported.md", "Family/z.md"]
                + entries.reversed().map(\.path))
    }

    @Test(
        "a path is followed through moves and renames, not through others'",
        arguments: VaultHome.Sealing.both)
    func formerPaths(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        func move(_ path: String, _ newPath: String, _ operation: Journal.Operation = .move) throws
        {
            try home.journal.append(entry(operation, home.newID(), path) { $0.newPath = newPath })
        }
        try move("Family/a.md", "Family/b.md", .enrich)
        try move("Personal/x.md", "Personal/y.md")
        try move("Family/b.md", "Personal/b.md")
        #expect(try home.journal.currentPath(ofFormer: "Family/a.md") == "Personal/b.md")
        #expect(try home.journal.currentPath(ofFormer: "Family/b.md") == "Personal/b.md")
        #expect(try home.journal.currentPath(ofFormer: "Family/c.md") == nil)
        // There and back again.
        try move("Personal/b.md", "Family/a.md")
        #expect(try home.journal.currentPath(ofFormer: "Family/b.md") == "Family/a.md")
    }

    @Test("damaged and foreign files in it are passed over", arguments: VaultHome.Sealing.both)
    func damaged(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let note = home.newID()
        try home.journal.append(entry(.edit, note, "Family/a.md"))
        let month = "\(home.home.layout.journal)/2026-03"
        let name = try #require(try Files.names(of: month).first)
        // Named like entries of that note.
        var damaged = ["", "{", "{}", "[]"].map { Array($0.utf8) }
        if let seal = home.seal { damaged += try damaged.map { try seal.sealed($0) } }
        for bytes in damaged {
            try AtomicFile.create("\(month)/\(home.newID())\(name.dropFirst(26))", bytes)
        }
        try home.write("x", to: ".aura/journal/notes.txt")
        #expect(try home.journal.records(of: note).count == 1)
        #expect(try home.journal.newestFirst().map(\.entry.path) == ["Family/a.md"])
        #expect(try home.journal.damaged().count == damaged.count)
    }

    @Test(
        "a file of any size and any bytes is kept in it whole",
        arguments: [
            [], [0xFF], Array("e\u{301}\u{0}\r\n".utf8), [UInt8](repeating: 0x61, count: 2 << 20),
        ], VaultHome.Sealing.both)
    func before(bytes: [UInt8], sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let note = home.newID()
        try home.journal.append(entry(.edit, note, "Family/a.md") { $0.before = bytes })
        #expect(try home.journal.records(of: note).map(\.entry.before) == [bytes])
    }
}

@Suite("the trash")
struct TrashTests {
    private func put(_ path: String, _ home: FlowHome) throws -> Trash.Item {
        try home.trash.put(path, key: home.trash.newKey())
    }

    private func restore(_ item: Trash.Item, _ home: FlowHome) throws -> String {
        let path = try home.trash.freePath(for: item)
        try home.trash.restore(item, to: path)
        return path
    }

    @Test("what was put there comes back where it lay", arguments: VaultHome.Sealing.both)
    func restore(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("one", to: "Family/a.md")
        let item = try put("Family/a.md", home)
        #expect(try home.paths.isEmpty && home.trash.items() == [item])
        #expect(try home.trash.contents(of: item) == Array("one".utf8))
        #expect(try restore(item, home) == "Family/a.md")
        #expect(try home.text(of: "Family/a.md") == "one" && home.trash.items().isEmpty)
    }

    @Test(
        "a note whose name was taken since comes back beside it", arguments: VaultHome.Sealing.both)
    func taken(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("one", to: "Family/a.md")
        let item = try put("Family/a.md", home)
        try home.write("two", to: "Family/a.md")
        #expect(throws: SystemError.self) { try home.trash.restore(item, to: "Family/a.md") }
        let path = try restore(item, home)
        #expect(
            try path != "Family/a.md" && home.text(of: path) == "one"
                && home.text(of: "Family/a.md") == "two")
        #expect(try home.trash.items().isEmpty && home.paths.count == 2)
    }

    @Test(
        "the latest is first, and one name may be there twice", arguments: VaultHome.Sealing.both)
    func order(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        for text in ["one", "two"] {
            try home.write(text, to: "Family/a.md")
            _ = try put("Family/a.md", home)
        }
        let items = try home.trash.items()
        #expect(items.map(\.path) == ["Family/a.md", "Family/a.md"])
        #expect(
            try items.map { try home.trash.contents(of: $0) } == [
                Array("two".utf8), Array("one".utf8),
            ])
    }

    @Test(
        "a note that is not there leaves the trash as it was to look at",
        arguments: VaultHome.Sealing.both)
    func missing(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        #expect(throws: SystemError.self) { try put("Family/none.md", home) }
        #expect(throws: VaultError.self) { try put("../none.md", home) }
        #expect(try home.trash.items().isEmpty)
    }

    @Test(
        "a record in the trash that leads out of the home is not followed",
        arguments: VaultHome.Sealing.both)
    func hostileRecord(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("one", to: "Family/a.md")
        let item = try put("Family/a.md", home)
        if let seal = home.seal {
            try AtomicFile.replace(
                "\(home.home.layout.trash)/\(item.key).md.age",
                seal.sealed(Array("one".utf8), label: "../../escaped.md"))
        } else {
            try home.write(
                #"{"path":"../../escaped.md"}"#, to: ".aura/trash/\(item.key)/item.json")
        }
        #expect(try home.trash.items().map(\.path) == ["../../escaped.md"])
        for item in try home.trash.items() {
            #expect(throws: VaultError.unsafePath(path: item.path)) {
                try home.trash.freePath(for: item)
            }
            #expect(throws: VaultError.unsafePath(path: item.path)) {
                try home.trash.restore(item, to: item.path)
            }
        }
        #expect(try Files.status(of: "\(home.folder.path)/../escaped.md") == nil)
        #expect(try Files.status(of: "\(home.folder.path)/escaped.md") == nil)
    }
}

@Suite("services over a home")
struct ServicesTests {
    private func services(
        _ folder: TemporaryFolder, _ sealing: VaultHome.Sealing = .plain
    ) throws -> Services {
        try Services.live(
            environment: [
                "HOME": "\(folder.path)/home", "AURA_CAPTURE_ENRICH": "false",
                "AURA_MODELS": "\(folder.path)/none", "AURA_VAULT_PLAIN": "\(sealing == .plain)",
                "XDG_RUNTIME_DIR": "\(folder.path)/run",
            ], vaultFolder: "\(folder.path)/vaults", now: "2026-03-04 10:00", zone: "Europe/London")
    }

    @Test(
        "the first capture makes a home; once there was one, a missing one is never made anew",
        arguments: VaultHome.Sealing.both)
    func placeForCapture(sealing: VaultHome.Sealing) throws {
        let folder = try TemporaryFolder()
        let services = try services(folder, sealing)
        guard case .home(_, let notice?) = try services.placeForCapture(vault: "Personal") else {
            Issue.record("no home was made")
            return
        }
        #expect(notice.contains("made a vault home"))
        guard case .home(let workspace, nil) = try services.placeForCapture(vault: "Personal")
        else {
            Issue.record("the home is not found")
            return
        }
        #expect(workspace.home.sealing == sealing && (workspace.seal != nil) == (sealing == .age))
        try Files.move("\(folder.path)/vaults", to: "\(folder.path)/away")
        guard case .inbox = try services.placeForCapture(vault: "Personal") else {
            Issue.record("a home was made in the place of a missing one")
            return
        }
        #expect(throws: VaultError.homeMissing(path: "\(folder.path)/vaults")) {
            try services.workspace()
        }
        // A mount point without its disk is an empty folder.
        try Files.makeFolder("\(folder.path)/vaults")
        guard case .inbox = try services.placeForCapture(vault: "Personal") else {
            Issue.record("an empty mount point was taken for a new home")
            return
        }
        #expect(try Files.entries(of: "\(folder.path)/vaults").isEmpty)
    }

    @Test(
        "what waited comes in with the next command, when the home is back",
        arguments: VaultHome.Sealing.both)
    func broughtIn(sealing: VaultHome.Sealing) async throws {
        let folder = try TemporaryFolder()
        let services = try services(folder, sealing)
        _ = try services.placeForCapture(vault: "Personal")
        try Files.move("\(folder.path)/vaults", to: "\(folder.path)/away")
        guard case .inbox(let inbox, _, _) = try services.placeForCapture(vault: "Personal") else {
            Issue.record("a home that is away has no inbox")
            return
        }
        try inbox.keep(
            Capture.Draft(text: "The disk is out.", vault: "Family"), home: services.homePath,
            id: services.newID(), at: services.now())
        #expect(inbox.count(home: services.homePath) == 1)
        try Files.move("\(folder.path)/away", to: "\(folder.path)/vaults")
        let workspace = try services.workspace()
        let store = try await services.freshStore(workspace) { _ in }
        #expect(try await store.list().map(\.title) == ["The disk is out"])
        #expect(inbox.count(home: services.homePath) == 0)
    }

    @Test("a vault is known by its name in any case, its short name, or its folder")
    func vaultNames() throws {
        let folder = try TemporaryFolder()
        let services = try services(folder)
        _ = try services.placeForCapture(vault: "Personal")
        try folder.write("x", to: "vaults/Boat Log/a.md")
        #expect(
            try services.vaultName("corporate") == "Corporate"
                && services.vaultName("CORP") == "Corporate")
        #expect(try services.vaultName("boat log") == "Boat Log")
        #expect(throws: VaultError.unknownVault(name: "Corprate", nearest: "Corporate")) {
            try services.vaultName("Corprate")
        }
    }
}
