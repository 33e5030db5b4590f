import AuraCore
import Testing

@Suite("a later note that says something changed") struct ReplacedNotesTests {
    private func passage(_ path: String, _ day: String, _ text: String) -> Evidence.Passage {
        Evidence.Passage(
            path: path, id: nil, title: "Rehearsal", vault: "Personal", kind: .note,
            day: Day(iso: day), text: text, similarity: 0.6)
    }

    @Test(
        "takes the place of an earlier one on the same matter, unless the question is about before",
        arguments: [
            ("On which day is choir rehearsal?", ["new.md"]),
            ("On which day was choir rehearsal before?", ["new.md", "old.md"]),
        ])
    func replaces(question: String, paths: [String]) {
        let passages = [
            passage("old.md", "2026-01-10", "Choir rehearsal is on Tuesdays at seven."),
            passage("new.md", "2026-02-25", "Choir rehearsal moves to Thursdays from March on."),
        ]
        #expect(
            Evidence(question: question).select(passages, limit: 3).map(\.path).sorted() == paths)
    }

    @Test("leaves notes on other matters alone")
    func otherMatters() {
        let passages = [
            passage("old.md", "2026-01-10", "Choir rehearsal is on Tuesdays at seven in the hall."),
            passage(
                "new.md", "2026-02-25",
                "The boiler man moved his visit to choir practice time in May."),
        ]
        let chosen = Evidence(question: "When is choir rehearsal?").select(passages, limit: 3)
        #expect(chosen.map(\.path).contains("old.md"))
    }
}
