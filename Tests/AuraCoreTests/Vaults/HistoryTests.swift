import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

@Suite("versions of a note")
struct HistoryTests {
    private static let path = "Personal/a.md"

    /// Edited at 1, moved at 2, edited at 3; the texts in order.
    private static func changed(_ home: ChangingHome) throws -> (id: NoteID, texts: [[UInt8]]) {
        let first = home.text("one\n")
        let id = try #require(NoteText(bytes: first, path: path).note.id)
        let texts = ["one", "two", "two", "three"].map { word in
            Array(String(decoding: first, as: UTF8.self).replacing("one", with: word).utf8)
        }
        try home.put(first, at: path)
        home.set(1)
        try home.edit(path, texts[1])
        home.set(2)
        try home.move(path, to: "Family/b.md")
        home.set(3)
        try home.edit("Family/b.md", texts[3], .enrich)
        return (id, texts)
    }

    @Test(
        "are each entry's text before, in order, then the file as it is",
        arguments: [VaultHome.Sealing.plain, .age])
    func versions(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let (_, texts) = try Self.changed(home)
        let versions = try home.history("Family/b.md").versions
        #expect(versions.map(\.number) == [1, 2, 3, 4])
        #expect(versions.map(\.bytes) == texts)
        #expect(versions.map(\.path) == [Self.path, Self.path, "Family/b.md", "Family/b.md"])
        #expect(versions.map(\.from) == [nil] + [1, 2, 3].map { ChangingHome.minute($0) })
        #expect(versions.map { $0.change?.entry.operation } == [nil, .edit, .move, .enrich])
        #expect(!versions.contains { $0.isChangedOutside || $0.isInTrash })
    }

    @Test(
        "one holds from its change to the next, and there is none before the first",
        arguments: [VaultHome.Sealing.plain, .age])
    func moments(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        home.set(10)
        let saved = try home.capture.save(Capture.Draft(text: "first\n", vault: "Personal"))
        home.set(20)
        let second = home.text("second\n")
        try home.edit(saved.path, second)
        let history = try home.history(saved.path, id: saved.note.id)
        #expect(try history.version(at: ChangingHome.minute(10)).number == 1)
        #expect(try history.version(at: ChangingHome.minute(19)).number == 1)
        #expect(try history.version(at: ChangingHome.minute(20)).bytes == second)
        #expect(try history.version(at: ChangingHome.minute(9_000)).number == 2)
        #expect(throws: HistoryError.beforeFirst(path: saved.path)) {
            try history.version(at: ChangingHome.minute(9))
        }
        #expect(throws: HistoryError.noSuchVersion(path: saved.path, number: 3, count: 2)) {
            try history.version(number: 3)
        }
        #expect(throws: HistoryError.self) { try history.version(number: 0) }
    }

    @Test(
        "a change that was written down and never made is none",
        arguments: [VaultHome.Sealing.plain, .age])
    func neverMade(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let (id, texts) = try Self.changed(home)
        home.set(4)
        // As a process leaves it that is killed between the entry and the file.
        for newPath in [nil, "Family/c.md"] {
            var entry = Journal.Entry(.edit, note: id, path: "Family/b.md")
            entry.before = texts[3]
            entry.after = ContentDigest(of: Array("four\n".utf8))
            entry.newPath = newPath
            try home.changes.journal.append(entry)
        }
        var removal = Journal.Entry(.remove, note: id, path: "Family/b.md")
        removal.before = texts[3]
        removal.trashKey = home.changes.trash.newKey()
        try home.changes.journal.append(removal)
        #expect(try home.history("Family/b.md").versions.map(\.bytes) == texts)
        // And it stays none after further changes.
        home.set(5)
        try home.edit("Family/b.md", texts[0])
        #expect(try home.history("Family/b.md").versions.map(\.bytes) == texts + [texts[0]])
        let subject = History.Subject(note: id, path: "Family/b.md")
        let all = try History.changes(of: subject, home.changes)
        #expect(all.map(\.isMade) == [true, false, false, false, true, true, true])
    }

    @Test(
        "what another program made of the file is told",
        arguments: [VaultHome.Sealing.plain, .age])
    func outside(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let (id, texts) = try Self.changed(home)
        let foreign = home.text("foreign\n")
        try home.overwrite("Family/b.md", foreign)
        let versions = try home.history("Family/b.md", id: id).versions
        #expect(versions.map(\.bytes) == texts.dropLast() + [foreign])
        #expect(versions.map(\.isChangedOutside) == [false, false, false, true])
    }

    @Test(
        "a note without an id is followed by its path through moves",
        arguments: [VaultHome.Sealing.plain, .age])
    func unnamed(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let texts = ["one\n", "two\n", "other\n"].map { Array($0.utf8) }
        try home.put(texts[0], at: Self.path)
        home.set(1)
        try home.edit(Self.path, texts[1])
        home.set(2)
        try home.move(Self.path, to: "Family/b.md")
        // Another note takes the name; its history is another one.
        try home.put(texts[2], at: Self.path)
        home.set(3)
        try home.edit(Self.path, texts[0])
        let versions = try home.history("Family/b.md").versions
        #expect(versions.map(\.bytes) == [texts[0], texts[1], texts[1]])
        #expect(versions.map(\.path) == [Self.path, Self.path, "Family/b.md"])
    }

    @Test(
        "a removed note has a history, in the trash and when that was emptied",
        arguments: [VaultHome.Sealing.plain, .age])
    func removed(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let (id, texts) = try Self.changed(home)
        home.set(4)
        let item = try home.remove("Family/b.md")
        let wanted = texts + [texts[3]]
        var versions = try home.history("Family/b.md", id: id).versions
        #expect(versions.map(\.bytes) == wanted)
        #expect(versions.map(\.isInTrash) == [false, false, false, false, true])
        home.set(5)
        let back = try home.restore(item, as: texts[0])
        #expect(back == "Family/b.md")
        versions = try home.history(back).versions
        #expect(versions.map(\.bytes) == wanted + [texts[0]])
        home.set(6)
        try home.remove(back)
        try FileManager.default.removeItem(atPath: home.home.home.layout.trash)
        versions = try home.history(back, id: id).versions
        #expect(versions.map(\.bytes) == wanted + [texts[0], texts[0]])
    }

    @Test("entries of one moment, and after the clock was put back, stay in order")
    func order() throws {
        let home = try ChangingHome(.plain)
        let random = try FlowHome()
        // Ids of one millisecond whose random part goes down.
        let numbers = Array((0..<9).reversed())
        let ids = Sequenced(
            numbers.map { number in
                NoteID(
                    at: ChangingHome.minute(number / 3),
                    random: [UInt8(number)] + [UInt8](repeating: 255, count: 9))
            })
        let journal = Journal(
            layout: random.home.layout, newID: { ids.next() }, now: { ChangingHome.start })
        let note = try #require(NoteText(bytes: home.text("x"), path: "a.md").note.id)
        for number in 0..<9 {
            var entry = Journal.Entry(.edit, note: note, path: "Family/\(number).md")
            entry.after = ContentDigest(text: "x")
            try journal.append(entry, inOrder: true)
        }
        #expect(
            try journal.records(of: note).map(\.entry.path) == (0..<9).map { "Family/\($0).md" })
    }
}

private final class Sequenced: @unchecked Sendable {
    // Used by one thread.
    private var ids: [NoteID]
    init(_ ids: [NoteID]) { self.ids = ids }
    func next() -> NoteID { ids.removeFirst() }
}

@Suite("texts that are kept no longer")
struct ForgettingTests {
    @Test(
        "leave who changed what, and which fields are a person's",
        arguments: [VaultHome.Sealing.plain, .age])
    func forgotten(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        let first = home.text("one\n")
        let id = try #require(NoteText(bytes: first, path: "a.md").note.id)
        try home.put(first, at: "Personal/a.md")
        let other = Array(
            String(decoding: first, as: UTF8.self).replacing("one", with: "two").utf8)
        var entry = Journal.Entry(.edit, note: id, path: "Personal/a.md")
        entry.personFields = ["title"]
        try home.changes.rewrite("Personal/a.md") { [entry] _ in
            NoteChanges.Rewriting(bytes: other, entry: entry)
        }
        home.set(60)
        try home.move("Personal/a.md", to: "Family/b.md", first)
        let before = try home.changes.journal.records(of: id)
        #expect(try home.changes.forgetTexts(before: ChangingHome.minute(30)) == 1)
        #expect(try home.changes.forgetTexts(before: ChangingHome.minute(30)) == 0)
        let after = try home.changes.journal.records(of: id)
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after[1] == before[1])
        var wanted = before[0].entry
        wanted.before = nil
        wanted.forgotten = ContentDigest(of: first)
        #expect(after[0].entry == wanted)
        // The version is known, and its text is not.
        let history = try home.history("Family/b.md")
        #expect(history.versions.map(\.bytes) == [nil, other, first])
        #expect(throws: HistoryError.noText(path: "Personal/a.md", number: 1)) {
            try history.version(number: 1)
        }
        #expect(throws: HistoryError.forgotten(path: "Personal/a.md")) { try home.undo.undo(2) }
        #expect(try home.notes == ["Family/b.md": first])
        #expect(try home.undo.undo(1).count == 1)
        #expect(try home.notes == ["Personal/a.md": other])
    }

    @Test(
        "are never the only text of a removed note",
        arguments: [VaultHome.Sealing.plain, .age])
    func removed(sealing: VaultHome.Sealing) throws {
        let home = try ChangingHome(sealing)
        for name in ["kept", "emptied", "back"] {
            try home.put(home.text("\(name)\n"), at: "Personal/\(name).md")
        }
        let ids = try ["kept", "emptied", "back"].map { name in
            try #require(try home.home.note(at: "Personal/\(name).md").id)
        }
        try home.remove("Personal/kept.md")
        let emptied = try home.remove("Personal/emptied.md")
        try home.restore(home.remove("Personal/back.md"))
        let trash = home.home.home.layout.trash
        let place = sealing == .plain ? emptied.key : "\(emptied.key).md.age"
        try FileManager.default.removeItem(atPath: "\(trash)/\(place)")
        try home.changes.forgetTexts(before: ChangingHome.minute(1))
        let texts = try ids.map { id in
            try home.changes.journal.records(of: id).first?.entry.before != nil
        }
        #expect(texts == [false, true, false])
    }
}
