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

    @Test("a link or a pipe in a note's place is not read", .timeLimit(.minutes(1)))
    func notFollowed() throws {
        let home = try FlowHome()
        let root = home.home.layout.root
        try home.write("x\n", to: "Family/a.md")
        try home.folder.write("secret\n", to: "outside.md")
        symlink("\(home.folder.path)/outside.md", "\(root)/Family/link.md")
        mkfifo("\(root)/Family/pipe.md", 0o600)
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
        ])
    func unsafe(path: String) throws {
        let home = try FlowHome()
        #expect(!VaultLayout.isSafe(path))
        #expect(throws: VaultError.unsafePath(path: path)) { try home.files.contents(of: path) }
        #expect(throws: VaultError.unsafePath(path: path)) {
            try home.files.replace(path, old: [], new: [1])
        }
        #expect(throws: VaultError.unsafePath(path: path)) {
            try home.files.move(path, toFolder: "Family", names: ["x.md"])
        }
    }

    @Test("a new note takes the first free name, and no name twice")
    func create() throws {
        let home = try FlowHome()
        let names = ["a.md", "b.md"]
        #expect(try home.files.create(in: "Family", names: names, [1]) == "Family/a.md")
        #expect(try home.files.create(in: "Family", names: names, [2]) == "Family/b.md")
        #expect(throws: SystemError.self) { try home.files.create(in: "Family", names: names, [3]) }
        #expect(throws: SystemError.self) {
            try home.files.create(in: "Family", names: ["../x.md"], [3])
        }
        #expect(try Files.bytes(at: "\(home.home.layout.root)/Family/a.md") == [1])
        #expect(try Files.status(of: "\(home.home.layout.root)/Family/a.md")?.mode == 0o600)
    }

    @Test("a note is replaced only while it holds what was read")
    func replace() throws {
        let home = try FlowHome()
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

    @Test("a note is moved to a free name, never over another")
    func move() throws {
        let home = try FlowHome()
        try home.write("a", to: "Family/a.md")
        try home.write("b", to: "Personal/a.md")
        #expect(
            try home.files.move("Family/a.md", toFolder: "Personal", names: ["a.md", "a-2.md"])
                == "Personal/a-2.md")
        #expect(
            try home.text(of: "Personal/a.md") == "b" && home.text(of: "Personal/a-2.md") == "a")
        #expect(
            try home.files.move("Personal/a.md", toFolder: "Personal", names: ["a.md"])
                == "Personal/a.md")
        #expect(throws: SystemError.self) {
            try home.files.move("Personal/a.md", toFolder: "Personal", names: ["a-2.md"])
        }
        #expect(try home.text(of: "Personal/a-2.md") == "a")
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
    @Test("entries of a note come back in order and whole")
    func roundTrip() throws {
        let home = try FlowHome()
        let (note, other) = (home.newID(), home.newID())
        let entries = [
            Journal.Entry(.capture, note: note, path: "Family/a.md", personFields: ["title"]),
            Journal.Entry(
                .enrich, note: note, path: "Family/a.md", newPath: "Family/b.md",
                madeFields: ["tags"],
                maker: "model 123", before: Array("before\u{1B}\n".utf8)),
            Journal.Entry(.remove, note: note, path: "Family/b.md", newPath: "KEY"),
        ]
        for entry in entries { try home.journal.append(entry) }
        try home.journal.append(Journal.Entry(.edit, note: other, path: "Family/z.md"))
        try home.journal.append(Journal.Entry(.edit, note: nil, path: "Family/imported.md"))
        #expect(home.journal.entries(of: note) == entries)
        #expect(home.journal.entries(of: other).count == 1)
        #expect(home.journal.entries(of: home.newID()).isEmpty)
    }

    @Test("a path is followed through moves and renames, not through others'")
    func formerPaths() throws {
        let home = try FlowHome()
        func move(_ path: String, _ newPath: String, _ operation: Journal.Operation = .move) throws
        {
            try home.journal.append(
                Journal.Entry(operation, note: home.newID(), path: path, newPath: newPath))
        }
        try move("Family/a.md", "Family/b.md", .enrich)
        try move("Personal/x.md", "Personal/y.md")
        try move("Family/b.md", "Personal/b.md")
        #expect(home.journal.currentPath(ofFormer: "Family/a.md") == "Personal/b.md")
        #expect(home.journal.currentPath(ofFormer: "Family/b.md") == "Personal/b.md")
        #expect(home.journal.currentPath(ofFormer: "Family/c.md") == nil)
        // There and back again.
        try move("Personal/b.md", "Family/a.md")
        #expect(home.journal.currentPath(ofFormer: "Family/b.md") == "Family/a.md")
    }

    @Test("damaged and foreign files in it are passed over")
    func damaged() throws {
        let home = try FlowHome()
        let note = home.newID()
        try home.journal.append(Journal.Entry(.edit, note: note, path: "Family/a.md"))
        for (name, text) in [
            ("1-edit-\(note)", "{"), ("2-edit-\(note)", "{}"), ("3-edit-\(note)", ""),
        ] {
            try home.write(text, to: ".aura/journal/2026-03/\(name).json")
        }
        try home.write("x", to: ".aura/journal/notes.txt")
        #expect(home.journal.entries(of: note).count == 1)
    }

    @Test("a text of more than a megabyte, or none that is clean, is not kept in it")
    func large() {
        let entry = Journal.Entry(
            .edit, note: nil, path: "a", before: [UInt8](repeating: 0x61, count: 2 << 20))
        #expect(entry.before == nil)
        #expect(Journal.Entry(.edit, note: nil, path: "a", before: [0xFF]).before == nil)
    }
}

@Suite("the trash")
struct TrashTests {
    @Test("what was put there comes back where it lay")
    func restore() throws {
        let home = try FlowHome()
        try home.write("one", to: "Family/a.md")
        let item = try home.trash.put("Family/a.md")
        #expect(try home.paths.isEmpty && home.trash.items() == [item])
        #expect(try home.trash.contents(of: item) == Array("one".utf8))
        #expect(try home.trash.restore(item) == "Family/a.md")
        #expect(try home.text(of: "Family/a.md") == "one" && home.trash.items().isEmpty)
    }

    @Test("a note whose name was taken since comes back beside it")
    func taken() throws {
        let home = try FlowHome()
        try home.write("one", to: "Family/a.md")
        let item = try home.trash.put("Family/a.md")
        try home.write("two", to: "Family/a.md")
        let path = try home.trash.restore(item)
        #expect(
            try path != "Family/a.md" && home.text(of: path) == "one"
                && home.text(of: "Family/a.md") == "two")
    }

    @Test("the latest is first, and one name may be there twice")
    func order() throws {
        let home = try FlowHome()
        for text in ["one", "two"] {
            try home.write(text, to: "Family/a.md")
            _ = try home.trash.put("Family/a.md")
        }
        let items = home.trash.items()
        #expect(
            try items.map { try home.trash.contents(of: $0) } == [
                Array("two".utf8), Array("one".utf8),
            ])
    }

    @Test("a note that is not there leaves the trash as it was to look at")
    func missing() throws {
        let home = try FlowHome()
        #expect(throws: SystemError.self) { try home.trash.put("Family/none.md") }
        #expect(throws: VaultError.self) { try home.trash.put("../none.md") }
        #expect(home.trash.items().isEmpty)
    }

    @Test("a record in the trash that leads out of the home is not followed")
    func hostileRecord() throws {
        let home = try FlowHome()
        try home.write("one", to: "Family/a.md")
        let item = try home.trash.put("Family/a.md")
        try home.write(#"{"path":"../../escaped.md"}"#, to: ".aura/trash/\(item.key)/item.json")
        for item in home.trash.items() { _ = try? home.trash.restore(item) }
        #expect(try Files.status(of: "\(home.folder.path)/../escaped.md") == nil)
        #expect(try Files.status(of: "\(home.folder.path)/escaped.md") == nil)
    }
}

@Suite("services over a home")
struct ServicesTests {
    private func services(_ folder: TemporaryFolder) throws -> Services {
        try Services.live(
            environment: [
                "HOME": "\(folder.path)/home", "AURA_CAPTURE_ENRICH": "false",
                "AURA_MODELS": "\(folder.path)/none",
            ], vaultFolder: "\(folder.path)/vaults", now: "2026-03-04 10:00", zone: "Europe/London")
    }

    @Test("the first capture makes a home; once there was one, a missing one is never made anew")
    func placeForCapture() throws {
        let folder = try TemporaryFolder()
        let services = try services(folder)
        guard case .home(_, let notice?) = try services.placeForCapture() else {
            Issue.record("no home was made")
            return
        }
        #expect(notice.contains("made a vault home"))
        guard case .home(let workspace, nil) = try services.placeForCapture() else {
            Issue.record("the home is not found")
            return
        }
        try Files.move("\(folder.path)/vaults", to: "\(folder.path)/away")
        guard case .inbox = try services.placeForCapture() else {
            Issue.record("a home was made in the place of a missing one")
            return
        }
        #expect(throws: VaultError.homeMissing(path: "\(folder.path)/vaults")) {
            try services.workspace()
        }
        // A mount point without its disk is an empty folder.
        try Files.makeFolder("\(folder.path)/vaults")
        guard case .inbox = try services.placeForCapture() else {
            Issue.record("an empty mount point was taken for a new home")
            return
        }
        #expect(try Files.entries(of: "\(folder.path)/vaults").isEmpty)
        _ = workspace
    }

    @Test("what waited comes in with the next command, when the home is back")
    func broughtIn() async throws {
        let folder = try TemporaryFolder()
        let services = try services(folder)
        _ = try services.placeForCapture()
        try Files.move("\(folder.path)/vaults", to: "\(folder.path)/away")
        try services.inbox.keep(
            Capture.Draft(text: "The disk is out.", vault: "Family"), home: services.homePath,
            id: services.newID(), at: services.now())
        try Files.move("\(folder.path)/away", to: "\(folder.path)/vaults")
        let workspace = try services.workspace()
        let store = try await services.freshStore(workspace) { _ in }
        #expect(try await store.list().map(\.title) == ["The disk is out"])
        #expect(services.inbox.count(home: services.homePath) == 0)
    }

    @Test("a vault is known by its name in any case, its short name, or its folder")
    func vaultNames() throws {
        let folder = try TemporaryFolder()
        let services = try services(folder)
        _ = try services.placeForCapture()
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
