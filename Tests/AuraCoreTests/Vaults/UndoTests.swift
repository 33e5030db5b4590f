import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// Texts that a careless rewrite would change.
private let oddTexts: [(name: String, bytes: [UInt8])] = [
    ("plain", Array("A line.\nAnother.\n".utf8)),
    ("CRLF", Array("---\r\ntitle: Boiler\r\n---\r\nA line.\r\n".utf8)),
    ("BOM", [0xEF, 0xBB, 0xBF] + Array("---\ntitle: Boiler\n---\nA line.\n".utf8)),
    ("invalid UTF-8", [0x41, 0xFF, 0xFE, 0x0A, 0xC3]),
    ("NUL and no end of line", [0x41, 0x00, 0x42]),
    ("broken front matter", Array("---\ntitle: [\n---\nA line.\n".utf8)),
    ("empty", []),
]

private let cases = [VaultHome.Sealing.plain, .age].flatMap { sealing in
    oddTexts.indices.map { (sealing, $0) }
}

@Suite("undo")
struct UndoTests {
    private static let path = "Personal/a.md"

    @Test(
        "brings every byte back after each kind of change, and redo makes it again",
        arguments: cases)
    func bytes(sealing: VaultHome.Sealing, index: Int) throws {
        let text = oddTexts[index].bytes
        let other = Array("Something else.\n".utf8)
        let kinds: [(String, (ChangingHome) throws -> Void)] = [
            ("edit", { try $0.edit(Self.path, other) }),
            ("enrich", { try $0.edit(Self.path, other, .enrich) }),
            ("move", { _ = try $0.move(Self.path, to: "Family/a.md") }),
            ("retitle", { _ = try $0.move(Self.path, to: "Personal/b.md", other) }),
            ("remove", { _ = try $0.remove(Self.path) }),
            ("restore --at", { try $0.edit(Self.path, other, .restore) }),
            ("report", { _ = try $0.report(other) }),
            (
                "capture",
                { _ = try $0.capture.save(Capture.Draft(text: "x\n", vault: "Family")) }
            ),
        ]
        for (name, change) in kinds {
            let home = try ChangingHome(sealing)
            try home.put(text, at: Self.path)
            try change(home)
            let changed = try home.notes
            #expect(changed != [Self.path: text], "\(name)")
            #expect(try home.undo.undo().count == 1)
            #expect(try home.notes == [Self.path: text], "\(name)")
            #expect(try home.undo.undo(1, .again).count == 1)
            #expect(try home.notes == changed, "\(name)")
            #expect(try home.undo.undo().count == 1)
            #expect(try home.notes == [Self.path: text], "\(name)")
        }
    }

    @Test("of a restoration puts the note back into the trash as it lay there", arguments: cases)
    func restorations(sealing: VaultHome.Sealing, index: Int) throws {
        let text = oddTexts[index].bytes
        for bytes in [nil, Array("Something else.\n".utf8)] {
            let home = try ChangingHome(sealing)
            try home.put(text, at: Self.path)
            let item = try home.remove(Self.path)
            try home.restore(item, as: bytes)
            #expect(try home.notes == [Self.path: bytes ?? text])
            #expect(try home.undo.undo().map(\.isInTrash) == [true])
            #expect(try home.notes.isEmpty)
            #expect(try home.changes.trash.items() == [item])
            #expect(try home.changes.trash.contents(of: item) == text)
            _ = try home.undo.undo(1, .again)
            #expect(try home.notes == [Self.path: bytes ?? text])
            _ = try home.undo.undo(2)
            #expect(try home.notes == [Self.path: text])
        }
    }

    @Test(
        "twice takes two changes back, and none is taken back twice",
        arguments: [VaultHome.Sealing.plain, .age])
    func twice(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let texts = ["1\n", "2\n", "3\n"].map { Array($0.utf8) }
        try home.put(texts[0], at: Self.path)
        try home.edit(Self.path, texts[1])
        try home.edit(Self.path, texts[2])
        for wanted in [texts[1], texts[0]] {
            _ = try home.undo.undo()
            #expect(try home.notes == [Self.path: wanted])
        }
        #expect(try home.undo.undo().isEmpty)
        // A redo makes the change that was taken back last again; undo then takes that back.
        _ = try home.undo.undo(1, .again)
        #expect(try home.notes == [Self.path: texts[1]])
        #expect(try home.undo.list(limit: 9).count == 1)
        #expect(try home.undo.list(.again, limit: 9).count == 1)
        _ = try home.undo.undo(5)
        #expect(try home.notes == [Self.path: texts[0]])
        #expect(try home.undo.undo(5, .again).count == 2)
        #expect(try home.notes == [Self.path: texts[2]])
    }

    @Test(
        "is an entry like others, by a person, that names what it took back",
        arguments: [VaultHome.Sealing.plain, .age])
    func entry(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        try home.put(Array("1\n".utf8), at: Self.path)
        var entry = Journal.Entry(.enrich, note: nil, path: Self.path)
        entry.author = .model
        entry.madeFields = ["title", "tags"]
        try home.changes.rewrite(Self.path) { [entry] _ in
            NoteChanges.Rewriting(bytes: Array("2\n".utf8), entry: entry)
        }
        let made = try #require(try home.changes.journal.newestFirst().first { _ in true })
        _ = try home.undo.undo()
        let undo = try #require(try home.changes.journal.newestFirst().first { _ in true })
        #expect(undo.entry.operation == .undo)
        #expect(undo.entry.author == .person)
        #expect(undo.entry.undoes == made.id)
        #expect(undo.entry.before == Array("2\n".utf8))
        // A model does not fill in again what a person did not want.
        #expect(undo.entry.personFields == ["title", "tags"])
        let versions = try home.history(Self.path).versions
        #expect(versions.map { $0.change?.entry.operation } == [nil, .enrich, .undo])
    }

    @Test(
        "passes over a change that was written down and never made",
        arguments: [VaultHome.Sealing.plain, .age])
    func neverMade(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let texts = ["1\n", "2\n"].map { Array($0.utf8) }
        try home.put(texts[0], at: Self.path)
        try home.edit(Self.path, texts[1])
        var entry = Journal.Entry(.edit, note: nil, path: Self.path)
        entry.before = texts[1]
        entry.after = ContentDigest(of: Array("3\n".utf8))
        try home.changes.journal.append(entry)
        #expect(try home.undo.list(limit: 9).count == 1)
        _ = try home.undo.undo()
        #expect(try home.notes == [Self.path: texts[0]])
    }

    @Test(
        "changes nothing when one of the notes is no longer as the change left it",
        arguments: [VaultHome.Sealing.plain, .age])
    func changedSince(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let texts = ["1\n", "2\n", "3\n"].map { Array($0.utf8) }
        try home.put(texts[0], at: Self.path)
        try home.put(texts[0], at: "Personal/b.md")
        try home.edit(Self.path, texts[1])
        home.set(5)
        try home.edit("Personal/b.md", texts[1])
        try home.overwrite(Self.path, texts[2])
        let count = Array(try home.changes.journal.newestFirst()).count
        let error = HistoryError.changedSince(
            path: Self.path, change: "edit of 2026-03-04 10:00", newer: nil)
        #expect(throws: error) { try home.undo.undo(2) }
        #expect(try home.notes == [Self.path: texts[2], "Personal/b.md": texts[1]])
        #expect(Array(try home.changes.journal.newestFirst()).count == count)
        #expect(try home.undo.undo().map(\.path) == ["Personal/b.md"])
        // Moved away by another program.
        try home.edit("Personal/b.md", texts[1])
        try home.home.files.move(
            "Personal/b.md", old: texts[1], new: texts[1], to: "Personal/c.md")
        #expect(throws: HistoryError.self) { try home.undo.undo() }
        // Taken out of the trash by another program.
        let item = try home.remove("Personal/c.md")
        try FileManager.default.removeItem(atPath: home.home.home.layout.trash)
        #expect(throws: HistoryError.notInTrash(path: item.path)) { try home.undo.undo() }
    }

    @Test(
        "keeps both where another note has taken the old name",
        arguments: [VaultHome.Sealing.plain, .age])
    func takenName(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let texts = ["1\n", "2\n", "3\n"].map { Array($0.utf8) }
        try home.put(texts[0], at: Self.path)
        try home.move(Self.path, to: "Family/a.md")
        try home.put(texts[1], at: Self.path)
        let moved = try #require(try home.undo.undo().first?.path)
        #expect(moved != Self.path)
        #expect(try home.notes == [Self.path: texts[1], moved: texts[0]])
        try home.remove(Self.path)
        try home.put(texts[2], at: Self.path)
        let back = try #require(try home.undo.undo().first?.path)
        #expect(try home.notes == [Self.path: texts[2], moved: texts[0], back: texts[1]])
    }

    @Test("can be of one note alone", arguments: [VaultHome.Sealing.plain, .age])
    func oneNote(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let (a, b) = (home.text("a\n"), home.text("b\n"))
        try home.put(a, at: "Personal/a.md")
        try home.put(b, at: "Personal/b.md")
        let id = try #require(try home.home.note(at: "Personal/a.md").id)
        try home.move("Personal/a.md", to: "Family/a.md")
        try home.move("Personal/b.md", to: "Family/b.md")
        let subject = History.Subject(note: id, path: "Family/a.md")
        #expect(try home.undo.undo(9, of: subject).map(\.path) == ["Personal/a.md"])
        #expect(try home.notes == ["Personal/a.md": a, "Family/b.md": b])
    }

    @Test(
        "of as many changes as were made, whatever they were, gives the first state; redo the last",
        arguments: [VaultHome.Sealing.plain, .age], 0..<8)
    func property(sealing: VaultHome.Sealing, seed: Int) throws {
        var random = SeededChance(seed: UInt64(seed))
        let home = try ChangingHome(sealing)
        for (index, text) in oddTexts.enumerated() {
            try home.put(text.bytes, at: "Personal/odd-\(index).md")
        }
        for index in 0..<4 {
            try home.put(home.text("note \(index)\n"), at: "Family/note-\(index).md")
        }
        let first = try home.notes
        var made: [String] = []
        while made.count < 30 {
            if let name = try Self.change(home, &random) { made.append(name) }
        }
        let last = try home.notes
        #expect(Array(try home.changes.journal.newestFirst()).count == 30, "\(made)")
        #expect(try home.undo.undo(30).count == 30)
        #expect(try home.notes == first, "\(made)")
        #expect(try home.undo.undo(30, .again).count == 30)
        #expect(try home.notes == last, "\(made)")
        for count in [1, 9, 20] { #expect(try home.undo.undo(count).count == count) }
        #expect(try home.notes == first, "\(made)")
    }

    /// One change by chance; nil when it would change nothing.
    private static func change(
        _ home: ChangingHome, _ random: inout SeededChance
    ) throws -> String? {
        let notes = try home.notes
        let path = notes.keys.sorted().randomElement(using: &random)
        let text = oddTexts.randomElement(using: &random)?.bytes ?? []
        let longer = text + Array("\(random.next())\n".utf8)
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            guard let path, notes[path] != text else { return nil }
            try home.edit(path, text)
            return "edit \(path)"
        case 1:
            guard let path else { return nil }
            // Fields change and the id stays, as an edit by options does it.
            try home.edit(path, (notes[path] ?? []) + Array("more\n".utf8), .enrich)
            return "append \(path)"
        case 2, 3:
            guard let path else { return nil }
            let folder = ["Personal", "Family", "Projects"].randomElement(using: &random) ?? ""
            let name = "\(["x", "y", "z"].randomElement(using: &random) ?? "").md"
            guard "\(folder)/\(name)" != path else { return nil }
            let new = try home.move(
                path, to: "\(folder)/\(name)", Bool.random(using: &random) ? longer : nil)
            return "move \(path) \(new)"
        case 4:
            guard let path else { return nil }
            try home.remove(path)
            return "remove \(path)"
        case 5, 6:
            guard let item = try home.changes.trash.items().randomElement(using: &random) else {
                return nil
            }
            let path = try home.restore(item, as: Bool.random(using: &random) ? longer : nil)
            return "restore \(path)"
        case 7:
            return "report \(try home.report(longer))"
        default:
            let saved = try home.capture.save(
                Capture.Draft(text: "Thought \(random.next())\n", vault: "Family"))
            return "capture \(saved.path)"
        }
    }
}
