import AuraSystem
import AuraTestKit
import Testing

@testable import AuraCore

@Suite("enrichment")
struct EnrichmentTests {
    private static let reply =
        #"{"tags":["garden","plum"],"action_kind":"none","deadline":null,"time":null,"evergreen":true,"#
        + #""suggested_type":"idea","suggested_title":"Plum tree by the shed"}"#

    private static let text = "The plum tree by the shed flowers first."

    private func saved(_ home: FlowHome, _ change: (inout Capture.Draft) -> Void = { _ in }) throws
        -> Capture.Saved
    {
        var draft = Capture.Draft(text: Self.text, vault: "Family")
        change(&draft)
        return try home.capture.save(draft)
    }

    @Test(
        "the model's fields are written, the name follows the title, the old path leads to it",
        arguments: VaultHome.Sealing.both)
    func done(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let generator = ScriptedGenerator([Self.reply])
        let outcome = try await home.enrichment(generator).enrich(saved.path, Sampling())
        guard case .done(let path, let note, let maker) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(path == "Family/2026-03-04_plum-tree-by-the-shed.md")
        #expect(try home.paths == [path] && home.note(at: path) == note)
        #expect(note.title == "Plum tree by the shed")
        // The list in the file keeps what it had in its place.
        #expect(Set(note.tags) == ["garden", "plum"])
        #expect(note.kind == .idea && note.isEvergreen && note.status == .indexed)
        #expect(note.body == saved.note.body && note.id == saved.note.id)
        #expect(try home.journal.currentPath(ofFormer: saved.path) == path)
        let id = try #require(note.id)
        let entry = try #require(try home.journal.records(of: id).last).entry
        #expect(entry.operation == .enrich && entry.maker == maker)
        #expect(Set(entry.madeFields) == ["title", "tags", "type", "evergreen"])
        #expect(maker.hasPrefix("scripted ") && maker.hasSuffix(generator.prompts[0].fingerprint))
        #expect(entry.before == NoteText.compose(saved.note))
    }

    @Test("what a person gave stays, whatever the model says", arguments: VaultHome.Sealing.both)
    func givenFields(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home) { ($0.title, $0.kind, $0.tags) = ("Mine", .log, ["mine"]) }
        _ = try await home.enrichment(ScriptedGenerator([Self.reply])).enrich(
            saved.path, Sampling())
        let note = try home.note(at: saved.path)
        #expect(note.title == "Mine" && note.kind == .log && note.tags == ["mine"])
        #expect(note.status == .indexed)
    }

    @Test("what a person set later, by the journal, stays too", arguments: VaultHome.Sealing.both)
    func editedFields(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try home.capture.save(
            Capture.Draft(text: "Renew the passport by 30 April.", vault: "Family"))
        let old = try home.bytes(of: saved.path)
        var edit = NoteEdit()
        edit.action = Action(kind: .reminder, deadline: Day(iso: "2026-05-01"))
        edit.isEvergreen = false
        let new = try NoteText(bytes: old, path: saved.path).applying(edit)
        try home.files.replace(saved.path, old: old, new: new)
        var entry = Journal.Entry(.edit, note: saved.note.id, path: saved.path)
        entry.personFields = ["deadline", "evergreen"]
        try home.journal.append(entry)
        let outcome = try await home.enrichment(ScriptedGenerator([Self.reply])).enrich(
            saved.path, Sampling())
        guard case .done(_, let note, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(note.action.deadline?.description == "2026-05-01" && !note.isEvergreen)
        #expect(note.title == "Plum tree by the shed")
    }

    @Test(
        "a file that somebody changes while the model thinks is never overwritten",
        arguments: VaultHome.Sealing.both)
    func changedMeanwhile(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let theirs = "somebody else was here\n"
        let generator = SteppingGenerator([Self.reply]) {
            try home.write(theirs, to: saved.path)
        }
        await #expect(throws: VaultError.changedMeanwhile(path: saved.path)) {
            try await home.enrichment(generator).enrich(saved.path, Sampling())
        }
        #expect(try home.paths == [saved.path] && home.text(of: saved.path) == theirs)
        #expect(try home.journal.records(of: #require(saved.note.id)).count == 1)
    }

    @Test("a file that is gone by then stays gone", arguments: VaultHome.Sealing.both)
    func goneMeanwhile(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let generator = SteppingGenerator([Self.reply]) {
            try Files.remove(home.place(of: saved.path))
        }
        await #expect(throws: (any Error).self) {
            try await home.enrichment(generator).enrich(saved.path, Sampling())
        }
        #expect(try home.paths.isEmpty)
    }

    @Test(
        "a reply that is no use leaves the note pending, and after three the rules' fields stand",
        arguments: VaultHome.Sealing.both)
    func unusable(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let before = try home.text(of: saved.path)
        let generator = RepeatingGenerator("I would rather not.")
        for _ in 1...2 {
            let outcome = try await home.enrichment(generator).enrich(saved.path, Sampling())
            guard case .stillPending(let path, _, _) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try path == saved.path && home.text(of: path) == before)
        }
        let outcome = try await home.enrichment(generator).enrich(saved.path, Sampling())
        guard case .done(let path, let note, let maker) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(maker == "rules" && note.status == .indexed && note.title == saved.note.title)
        #expect(path == saved.path && generator.calls == 3)
    }

    @Test("a model that fails leaves the note as it was", arguments: VaultHome.Sealing.both)
    func failing(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let before = try home.text(of: saved.path)
        await #expect(throws: UnexpectedCall.self) {
            try await home.enrichment(ScriptedGenerator([])).enrich(saved.path, Sampling())
        }
        #expect(try home.text(of: saved.path) == before)
    }

    @Test("without a model the rules fill in", arguments: VaultHome.Sealing.both)
    func rules(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let outcome = try await home.enrichment(nil).enrich(saved.path, Sampling())
        guard case .done(_, let note, let maker) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(maker == "rules" && note.status == .indexed && note.tags == saved.note.tags)
    }

    @Test(
        "a note that is not pending, gone or not to be rewritten is left alone",
        arguments: VaultHome.Sealing.both)
    func nothingToDo(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("---\ntitle: Done\nstatus: indexed\n---\nx\n", to: "Family/done.md")
        try home.write(
            "---\ntitle: One\ntitle: Two\nstatus: pending_classification\n---\nx\n",
            to: "Family/twice.md")
        for path in ["Family/done.md", "Family/none.md"] {
            let outcome = try await home.enrichment(ScriptedGenerator([])).enrich(path, Sampling())
            #expect(outcome == .nothingToDo(path: path))
        }
        let before = try home.text(of: "Family/twice.md")
        let outcome = try await home.enrichment(ScriptedGenerator([Self.reply])).enrich(
            "Family/twice.md", Sampling())
        #expect(outcome == .nothingToDo(path: "Family/twice.md"))
        #expect(try home.text(of: "Family/twice.md") == before)
    }

    @Test(
        "a title that leads to a name that is taken goes beside it",
        arguments: VaultHome.Sealing.both)
    func nameTaken(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        try home.write("mine\n", to: "Family/2026-03-04_plum-tree-by-the-shed.md")
        let saved = try saved(home) { $0.text = "Something else." }
        let outcome = try await home.enrichment(ScriptedGenerator([Self.reply])).enrich(
            saved.path, Sampling())
        guard case .done(let path, _, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(path != "Family/2026-03-04_plum-tree-by-the-shed.md")
        #expect(try home.text(of: "Family/2026-03-04_plum-tree-by-the-shed.md") == "mine\n")
        #expect(try home.paths.count == 2)
    }
}
