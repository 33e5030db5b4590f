import AuraSystem
import AuraTestKit
import Testing

@testable import AuraCore

@Suite struct IndexerTests {
    private static let id = "01KJ0WZ8Q4T9M3C5V7X2B6N1RA"

    private func note(id: String? = nil, title: String, _ body: String) -> String {
        "---\n\(id.map { "id: \($0)\n" } ?? "")title: \(title)\n---\n\(body)\n"
    }

    @Test(
        "a refresh adds, changes and removes what differs, and nothing else",
        arguments: VaultHome.Sealing.both)
    func differences(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        for name in ["a", "b", "c"] {
            try home.write(note(title: name, "first"), to: "V/\(name).md")
        }
        #expect(try await home.refresh().added == ["V/a.md", "V/b.md", "V/c.md"])
        #expect(try await home.refresh().isEmpty)
        try home.write(note(title: "b", "second thoughts"), to: "V/b.md")
        try home.remove("V/c.md")
        try home.write(note(title: "d", "new"), to: "W/d.md")
        let report = try await home.refresh()
        #expect(report.added == ["W/d.md"])
        #expect(report.changed == ["V/b.md"])
        #expect(report.removed == ["V/c.md"])
        #expect(try await home.paths("thoughts") == ["V/b.md"])
        #expect(try await home.paths("first") == ["V/a.md"])
    }

    @Test(
        "a file with new times and the same bytes is not read as changed",
        arguments: VaultHome.Sealing.both)
    func touched(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        try home.write(note(title: "a", "first"), to: "V/a.md")
        try await home.refresh()
        try home.write(note(title: "a", "first"), to: "V/a.md")
        #expect(try await home.refresh().isEmpty)
        #expect(try await home.store.listing() != nil)
    }

    @Test("one note in composed and decomposed form is one note; two files are two")
    func unicodeForms() async throws {
        let home = try IndexedFolder()
        let (composed, decomposed) = ("V/caf\u{E9}.md", "V/cafe\u{301}.md")
        try home.write(note(title: "Café", "crema"), to: composed)
        try await home.refresh()
        let number = try await home.store.list()[0].number
        try home.remove(composed)
        try home.write(note(title: "Café", "crema"), to: decomposed)
        let report = try await home.refresh()
        #expect(report.added.isEmpty && report.removed.isEmpty)
        let record = try await home.store.list()[0]
        #expect(record.number == number)
        #expect(record.path.utf8.elementsEqual(decomposed.utf8))
        for name in [composed, decomposed, "café", "CAFE"] {
            #expect(try await home.store.note(named: name) == .one(record), "\(name)")
        }
        try home.write(note(title: "Other", "latte"), to: composed)
        try await home.refresh()
        #expect(try await home.store.count() == 2)
        for path in [composed, decomposed] {
            guard case .one(let found) = try await home.store.note(named: path) else {
                Issue.record("\(path) is ambiguous")
                continue
            }
            #expect(found.path.utf8.elementsEqual(path.utf8))
        }
    }

    @Test(
        "of two files with one id the second has none, until the first is gone",
        arguments: VaultHome.Sealing.both)
    func sameID(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        try home.write(note(id: Self.id, title: "One", "x"), to: "V/1.md")
        try home.write(note(id: Self.id, title: "Two", "x"), to: "V/2.md")
        try await home.refresh()
        let records = try await home.store.list(order: .byPath)
        // The first is the first by the file's name, which is a path in a plain home only.
        let first = try #require(records.firstIndex { $0.id?.text == Self.id })
        #expect(sealing == .age || first == 0)
        #expect(records.count == 2 && records[1 - first].id == nil)
        #expect(records[1 - first].warnings == ["its id \(Self.id) belongs to another note"])
        #expect(try await home.paths("x").count == 2)
        try home.remove(records[first].path)
        try await home.refresh()
        #expect(try await home.store.list().map { $0.id?.text } == [Self.id])
    }

    @Test("a moved file keeps its row and its passages")
    func moved() async throws {
        let home = try IndexedFolder()
        try home.write(note(id: Self.id, title: "One", "quartz"), to: "V/1.md")
        try await home.refresh()
        let before = try await home.store.list()[0]
        try Files.makeFolder("\(home.root)/W")
        try Files.move("\(home.root)/V/1.md", to: "\(home.root)/W/2.md")
        try await home.refresh()
        let after = try await home.store.list()[0]
        #expect(after.number == before.number && after.path == "W/2.md" && after.vault == "W")
        #expect(after.id == before.id)
        #expect(try await home.paths("quartz") == ["W/2.md"])
    }

    @Test("a note that was moved in an encrypted home is one note, at its new path")
    func movedSealed() async throws {
        let home = try IndexedFolder(.age)
        let text = note(id: Self.id, title: "One", "quartz")
        try home.write(text, to: "V/1.md")
        try await home.refresh()
        let bytes = Array(text.utf8)
        try home.source.move("V/1.md", old: bytes, new: bytes, to: "W/2.md")
        try await home.refresh()
        let records = try await home.store.list()
        #expect(records.map(\.path) == ["W/2.md"] && records.map { $0.id?.text } == [Self.id])
        #expect(try await home.paths("quartz") == ["W/2.md"])
    }

    @Test(
        "a file that cannot be read is told and tried again; the others are indexed",
        arguments: VaultHome.Sealing.both)
    func skipped(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        try home.write("refuse this", to: "V/bad.md")
        try home.write(note(title: "Good", "granite"), to: "V/good.md")
        let report = try await home.refresh()
        #expect(try report.skipped.map(\.path) == [home.source.name(of: "V/bad.md")])
        #expect(report.added == ["V/good.md"])
        #expect(try await home.refresh().skipped.count == 1)
        try home.write("accepted granite", to: "V/bad.md")
        #expect(try await home.refresh().added == ["V/bad.md"])
        #expect(try await home.paths("granite").count == 2)
    }

    @Test("notes in a folder that cannot be listed are kept")
    func unreachable() async throws {
        let home = try IndexedFolder()
        try home.write(note(title: "One", "basalt"), to: "V/1.md")
        try home.write(note(title: "Two", "basalt"), to: "W/2.md")
        try await home.refresh()
        try home.remove("V/1.md")
        try home.remove("W/2.md")
        var indexer = home.indexer
        indexer.unreachableFolders = { ["W"] }
        #expect(try await indexer.refresh().removed == ["V/1.md"])
        #expect(try await home.paths("basalt") == ["W/2.md"])
    }

    @Test(
        "a file as young as the clock's step is looked at again", arguments: VaultHome.Sealing.both)
    func young(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        try home.write(note(title: "One", "marble"), to: "V/1.md")
        let modified = try home.source.listing()[0].modified
        var indexer = home.indexer
        indexer.now = {
            Instant(seconds: modified / 1_000_000_000, nanoseconds: Int32(modified % 1_000_000_000))
        }
        _ = try await indexer.refresh()
        #expect(try await home.store.listing() == nil)
        #expect(try await home.store.files()[0].file.modified == -1)
        try await home.refresh()
        #expect(try await home.store.listing() != nil)
    }

    @Test(
        "the day is the note's own, else its name's, else the file's, in the person's zone",
        arguments: VaultHome.Sealing.both)
    func days(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        try home.write("---\ncreated: 2026-02-28T23:30:00Z\n---\nx", to: "V/a.md")
        try home.write("x", to: "V/2025-01-02_b.md")
        var indexer = home.indexer
        indexer.zone = try #require(Zone.named("Asia/Tokyo"))
        _ = try await indexer.refresh()
        let days = try await home.store.list(order: .byPath).map(\.day.description)
        #expect(days == ["2025-01-02", "2026-03-01"])
    }

    @Test("more notes than one step takes become one index")
    func steps() async throws {
        let home = try IndexedFolder()
        let source = GeneratedSource(count: 2 * Indexer.notesPerStep + 1)
        var indexer = home.indexer
        indexer.source = source
        #expect(try await indexer.refresh().added.count == source.count)
        #expect(try await home.store.count() == source.count)
        #expect(try await indexer.refresh().isEmpty)
        #expect(try await home.paths("unique1234word") == ["V/1234.md"])
    }

    @Test("rebuilding gives the same index", arguments: VaultHome.Sealing.both)
    func rebuild(sealing: VaultHome.Sealing) async throws {
        let home = try IndexedFolder(sealing)
        try home.write(note(title: "One", "gneiss"), to: "V/1.md")
        try await home.refresh()
        #expect(try await home.indexer.rebuild().added == ["V/1.md"])
        #expect(try await home.paths("gneiss") == ["V/1.md"])
    }
}

struct GeneratedSource: NoteSource {
    var count: Int

    func survey() throws -> NoteSurvey {
        NoteSurvey(
            files: (0..<count).map {
                NoteFile(name: "V/\($0).md", size: 9, modified: 1, inode: UInt64($0))
            })
    }

    func folder(_ name: String) throws -> NoteFolder? { nil }
    func entries(of folder: String) throws -> NoteFolderEntries { NoteFolderEntries() }
    func file(_ name: String) throws -> NoteFile? { nil }

    func open(_ name: String) throws -> OpenedNote? {
        OpenedNote(
            path: name, bytes: Array("body of unique\(name.filter(\.isNumber))word\n".utf8))
    }
}
