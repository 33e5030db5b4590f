import AuraTestKit
import Testing

@testable import AuraCore

@Suite("polished text")
struct SpeechGuardTests {
    private static let text =
        "so we meet Viktor on Thursday at four and he does not need the drawings I think"

    @Test(
        "a polished text that loses or adds what matters is not taken",
        arguments: [
            (
                "So we meet him on Thursday at four, and he does not need the drawings.",
                .losesName("viktor")
            ),
            (
                "So we meet Viktor on Thursday, and he does not need the drawings, I think.",
                .losesNumber("4")
            ),
            (
                "So we meet Viktor on Thursday at 4, 5, and he does not need the drawings, I think.",
                .addsNumber("5")
            ),
            (
                "So we meet Viktor at four and he does not need the drawings, I think.",
                .losesDay("thursday")
            ),
            (
                "So we meet Viktor on Thursday in May at four. He does not need the drawings.",
                .addsDay("may")
            ),
            (
                "So we meet Viktor on Thursday at four, and he does need the drawings, I think.",
                .changesDenials(from: 1, to: 0)
            ),
            (
                "So we don't meet Viktor on Thursday at four, and he does not need the drawings.",
                .changesDenials(from: 1, to: 2)
            ),
            (
                "So we meet Viktor on Thursday at four, and he does not need the blueprints.",
                .addsWord("blueprints")
            ),
            ("Viktor: Thursday at four, not.", .changesLength(from: 17, to: 5)),
            (
                "So we meet Viktor on Thursday at four and he does not need it I think so or so we do or it is.",
                .changesLength(from: 17, to: 24)
            ),
            (
                "So it is Viktor on Thursday at four and he does not do the same then.",
                .losesWords(4, of: 5)
            ),
            ("", .isEmpty),
        ] as [(String, SpeechGuard.Objection)])
    func objections(polished: String, objection: SpeechGuard.Objection) {
        #expect(SpeechGuard.objection(to: polished, from: Self.text) == objection)
    }

    @Test(
        "signs, capitals, other forms of a word and digits for number words are no loss",
        arguments: [
            "So we meet Viktor on Thursday at four. And he does not need the drawings, I think.",
            "We're meeting Viktor on Thursday at 4, and he doesn't need the drawing, I think.",
        ])
    func accepted(polished: String) {
        #expect(SpeechGuard.objection(to: polished, from: Self.text) == nil)
    }

    @Test("what the guard refuses, and what is too short, stays as the rules left it")
    func pieces() async throws {
        let text =
            "we meet Viktor on Thursday at four\n\nYes, please.\n\nhe does not need the old drawings"
        let generator = ScriptedGenerator([
            "We meet Viktor on Friday at four.", "He does not need the old drawings.",
        ])
        let polished = try await SpeechPolish(generator).polished(text)
        #expect(
            polished
                == "we meet Viktor on Thursday at four\n\nYes, please.\n\nHe does not need the old drawings."
        )
        #expect(generator.prompts.count == 2)
    }

    @Test("a long text goes to the model in whole sentences")
    func long() async throws {
        let sentence = "The joiner needs the drawings of the shelves in the hall."
        let text = Array(repeating: sentence, count: 30).joined(separator: " ")
        let generator = RepeatingGenerator("nothing of use")
        #expect(try await SpeechPolish(generator).polished(text) == text)
        #expect(generator.calls == 3)
    }

    // MARK: In the queue

    private static let spoken = "um so we we meet Viktor on Thursday at four"
    private static let rules = "So we meet Viktor on Thursday at four."
    private static let fields =
        #"{"tags":["joiner","shelves"],"action_kind":"none","deadline":null,"time":null,"#
        + #""evergreen":false,"suggested_type":"note","suggested_title":"Meeting Viktor"}"#

    private func saved(_ home: FlowHome, text: String = rules) throws -> Capture.Saved {
        try home.capture.save(
            Capture.Draft(text: text, vault: "Family", raw: Array(Self.spoken.utf8)))
    }

    @Test(
        "a transcript is polished when it is classified, and can be had again as it was",
        arguments: VaultHome.Sealing.both)
    func enriched(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(sealing: sealing)
        let saved = try saved(home)
        let generator = ScriptedGenerator(["So, we meet Viktor on Thursday at four.", Self.fields])
        let outcome = try await home.enrichment(generator, polishes: true).enrich(
            saved.path, Sampling())
        guard case .done(_, let note, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(note.body == "So, we meet Viktor on Thursday at four.\n")
        let id = try #require(saved.note.id)
        #expect(try home.files.raw(of: id) == Array(Self.spoken.utf8))
        let entries = try home.journal.records(of: id).map(\.entry)
        let polishing = try #require(entries.first { $0.madeFields == ["body"] })
        #expect(polishing.author == .model)
        #expect(polishing.before == NoteText.compose(saved.note))
    }

    @Test("without the setting, and where a person changed the text, no model sees it for that")
    func untouched() async throws {
        let home = try FlowHome()
        for (polishes, text) in [(false, Self.rules), (true, "We meet Viktor on Friday.")] {
            let saved = try saved(home, text: text)
            let generator = ScriptedGenerator([Self.fields])
            let outcome = try await home.enrichment(generator, polishes: polishes).enrich(
                saved.path, Sampling())
            guard case .done(_, let note, _) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(note.body == text + "\n")
            #expect(generator.prompts.map(\.name) == ["classify"])
        }
    }
}
