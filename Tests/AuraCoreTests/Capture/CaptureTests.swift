import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

@Suite("capture")
struct CaptureTests {
    @Test(
        "a note has what was given, what rules read, and the text as it came",
        arguments: VaultHome.Sealing.both)
    func fields(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try home.capture.save(
            Capture.Draft(
                text: "Renew the passport by 30 April.", vault: "Corporate", tags: ["#Travel"]))
        #expect(saved.path == "Corporate/2026-03-04_renew-the-passport-by-30-april.md")
        let note = try home.note(at: saved.path)
        #expect(note == saved.note)
        #expect(
            note.tags == ["travel"] && note.kind == .task && note.status == .pendingClassification)
        #expect(note.body == "Renew the passport by 30 April.\n")
        #expect(note.created == home.now() && note.modified == home.now() && note.id != nil)
    }

    @Test(
        "a type that was given keeps the rules from making an action",
        arguments: VaultHome.Sealing.both)
    func givenType(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let note = home.capture.note(
            for: Capture.Draft(
                text: "Renew the passport by 30 April.", vault: "Corporate", kind: .log))
        #expect(note.kind == .log && note.action == .none)
    }

    @Test(
        "the same title gives another name, never another's file", arguments: VaultHome.Sealing.both
    )
    func sameTitle(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        for number in 1...5 {
            _ = try home.capture.save(
                Capture.Draft(text: "Text \(number)", vault: "Corporate", title: "Same"))
        }
        let bodies = try home.paths.map { try home.note(at: $0).body }
        #expect(Set(bodies) == Set((1...5).map { "Text \($0)\n" }))
    }

    @Test(
        "a title of no letters takes a name all the same",
        arguments: ["🌱🌱", "...", "..", "/", "-"])
    func nameless(title: String) throws {
        let home = try FlowHome()
        let saved = try home.capture.save(
            Capture.Draft(text: "x", vault: "Corporate", title: title))
        let name = Files.name(of: saved.path)
        #expect(name.hasPrefix("2026-03-04_") && name.hasSuffix(".md") && name.count > 15)
        #expect(try home.note(at: saved.path).title == title)
    }

    @Test("the journal knows which fields a person gave", arguments: VaultHome.Sealing.both)
    func journal(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try home.capture.save(
            Capture.Draft(text: "x", vault: "Corporate", title: "T", kind: .idea, tags: ["a"]))
        let entries = try home.journal.records(of: #require(saved.note.id)).map(\.entry)
        #expect(entries.map(\.operation) == [.capture])
        #expect(
            entries[0].personFields == ["title", "type", "tags"] && entries[0].path == saved.path)
    }

    @Test(
        "what was said before cleaning is kept beside the notes", arguments: VaultHome.Sealing.both)
    func raw(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try home.capture.save(
            Capture.Draft(text: "hello", vault: "Corporate", raw: Array("um, hello".utf8)))
        let id = try #require(saved.note.id)
        let ending = sealing == .plain ? "" : ".age"
        #expect(try home.text(of: ".aura/raw/\(id).txt\(ending)") == "um, hello")
    }

    @Test(
        "attachments of one name do not replace each other, and the same file is kept once",
        arguments: VaultHome.Sealing.both)
    func attachments(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        func attach(_ bytes: String) throws -> Note {
            try home.folder.write(bytes, to: "in/Tide Table.pdf")
            return try home.capture.save(
                Capture.Draft(
                    text: "x", vault: "Family",
                    attachments: [.init(path: "\(home.folder.path)/in/Tide Table.pdf")])
            ).note
        }
        let (first, same, other) = (try attach("one"), try attach("one"), try attach("two"))
        #expect(first.body.contains("[Tide Table.pdf](attachments/tide-table.pdf)"))
        #expect(same.body.contains("(attachments/tide-table.pdf)"))
        #expect(!other.body.contains("(attachments/tide-table.pdf)"))
        let folder = Files.parent(of: try home.place(of: "Family/attachments/tide-table.pdf"))
        #expect(try Files.names(of: folder).count == 2)
        let link = try #require(other.body.firstMatch(of: /\(attachments\/(.+)\)/)).output.1
        #expect(try home.text(of: "Family/attachments/tide-table.pdf") == "one")
        #expect(try home.text(of: "Family/attachments/\(link)") == "two")
    }

    @Test("a missing attachment leaves no note", arguments: VaultHome.Sealing.both)
    func missingAttachment(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        #expect(throws: (any Error).self) {
            try home.capture.save(
                Capture.Draft(
                    text: "x", vault: "Family",
                    attachments: [.init(path: "\(home.folder.path)/none")])
            )
        }
        #expect(try home.paths.isEmpty)
    }
}

@Suite("the inbox")
struct InboxTests {
    private func inbox(_ home: FlowHome) -> Inbox {
        Inbox(folder: "\(home.folder.path)/inbox", seal: home.seal)
    }

    @Test(
        "what waits becomes notes in order, once, with all that was given",
        arguments: VaultHome.Sealing.both)
    func bringIn(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let inbox = inbox(home)
        let root = home.home.layout.root
        let draft = Capture.Draft(
            text: "First.", vault: "Family", title: "One", kind: .idea, tags: ["a"], raw: [0x61])
        let id = home.newID()
        try inbox.keep(draft, home: root, id: id, at: home.now())
        try inbox.keep(
            Capture.Draft(text: "Second.", vault: "Family"), home: root, id: home.newID(),
            at: home.now())
        #expect(inbox.count(home: root) == 2)
        let paths = inbox.bringIn(home: root, home.capture)
        #expect(paths.count == 2 && inbox.count(home: root) == 0)
        let note = try home.note(at: paths[0])
        #expect(
            note.title == "One" && note.kind == .idea && note.tags == ["a"]
                && note.body == "First.\n" && note.id == id)
        #expect(try home.note(at: paths[1]).body == "Second.\n")
        let ending = sealing == .plain ? "" : ".age"
        #expect(try home.text(of: ".aura/raw/\(id).txt\(ending)") == "a")
        #expect(inbox.bringIn(home: root, home.capture).isEmpty)
        #expect(try home.paths == paths.sorted())
    }

    @Test("what waits for one home does not go to another")
    func otherHome() throws {
        let home = try FlowHome()
        let inbox = inbox(home)
        try inbox.keep(
            Capture.Draft(text: "Elsewhere.", vault: "Family"), home: "/other", id: home.newID(),
            at: home.now())
        #expect(inbox.bringIn(home: home.home.layout.root, home.capture).isEmpty)
        #expect(
            inbox.count(home: home.home.layout.root) == 0 && inbox.count(home: "/other") == 1)
    }

    @Test(
        "a damaged file in the inbox stops nothing and stays", arguments: VaultHome.Sealing.both)
    func damaged(sealing: VaultHome.Sealing) throws {
        let home = try FlowHome(sealing: sealing)
        let inbox = inbox(home)
        let root = home.home.layout.root
        let name = "inbox/0.json\(sealing == .plain ? "" : ".age")"
        try home.folder.write("{\"home\"", to: name)
        try inbox.keep(
            Capture.Draft(text: "Second.", vault: "Family"), home: root, id: home.newID(),
            at: home.now())
        #expect(inbox.bringIn(home: root, home.capture).count == 1)
        #expect(try home.folder.read(name) == "{\"home\"")
    }
}
