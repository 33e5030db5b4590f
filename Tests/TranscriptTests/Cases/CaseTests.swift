import AuraTestKit
import Testing

/// Carries out a case and checks each of its statements.
typealias CaseRun = @Sendable (Case, Statements) async throws -> Void

/// The cases under `Tests/Fixtures/cases`, one test each: a line added there is a test added here.
@Suite("cases")
struct CaseTests {
    /// Cases that belong to what is not built yet, by id, or whole areas by name.
    static let later: [String: String] = [
        "memory": "learning facts is a later part",
        "calendar": "iCalendar export is a later part",
        "sync": "GitHub sync is a later part",
        "export": "exports are a later part",
    ]

    static let runs: [String: CaseRun] = [
        FrontmatterCases.runs, CommandCases.runs, DateCases.runs, TranscriptCases.runs,
        ClassificationCases.runs, AskCases.runs, SearchCases.runs, DistillationCases.runs,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    @Test("every case has a run, or a reason why not yet")
    func nothingIsForgotten() throws {
        var known: Set<String> = []
        for area in try Case.areas() {
            for item in try Case.load(area) {
                known.insert(item.id)
                #expect(item.area == area)
                if Self.later[item.id] != nil || Self.later[area] != nil { continue }
                #expect(Self.runs[item.id] != nil, "no run for \(item.id) (\(area))")
            }
        }
        for id in Self.runs.keys where !known.contains(id) {
            Issue.record("there is a run for \(id), and no such case")
        }
    }

    @Test("front matter", arguments: try Case.load("frontmatter"))
    func frontmatter(_ item: Case) async throws { try await carryOut(item) }

    @Test("command line", arguments: try Case.load("cli"))
    func commandLine(_ item: Case) async throws { try await carryOut(item) }

    @Test("dates", arguments: try Case.load("dates"))
    func dates(_ item: Case) async throws { try await carryOut(item) }

    @Test("transcripts", arguments: try Case.load("transcripts"))
    func transcripts(_ item: Case) async throws { try await carryOut(item) }

    @Test("classification", arguments: try Case.load("classification"))
    func classification(_ item: Case) async throws { try await carryOut(item) }

    @Test("search", arguments: try Case.load("search"))
    func search(_ item: Case) async throws { try await carryOut(item) }

    @Test("distillation", arguments: try Case.load("distillation"))
    func distillation(_ item: Case) async throws { try await carryOut(item) }

    @Test("asking, in the notes' own words", arguments: try Case.load("ask"))
    func asking(_ item: Case) async throws { try await carryOut(item) }

    @Test(
        "asking the default model",
        .enabled(if: TestModels.mayRun(with: TestModels.goodChat), "\(TestModels.reason)"),
        arguments: try Case.load("ask"))
    func askingTheModel(_ item: Case) async throws {
        let run = try #require(AskCases.modelRuns[item.id], "no run for \(item.id)")
        let statements = Statements(item)
        try await ModelTurn.shared.alone { try await run(item, statements) }
        statements.finish()
    }

    private func carryOut(_ item: Case) async throws {
        if let reason = Self.later[item.id] ?? Self.later[item.area] {
            print("\(item.id) later: \(reason)")
            return
        }
        guard let run = Self.runs[item.id] else { return }
        let statements = Statements(item)
        try await run(item, statements)
        statements.finish()
    }
}
