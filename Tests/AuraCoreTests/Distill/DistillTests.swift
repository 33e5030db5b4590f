import AuraTestKit
import Testing

@testable import AuraCore

@Suite("the weekly report")
struct DistillTests {
    private static let week = Week(containing: Day(iso: "2026-03-04")!)
    private static let path = "Family/_distilled/weekly_2026-03-02.md"

    private static let bodies = [
        "Family/a.md": "Delivery of the box hedges arrived short by twelve plants.",
        "Family/b.md": "We agreed to order from Lindqvist from spring on.",
        "Family/c.md": "Still waiting for the credit note from Rolf.",
    ]

    private static func note(
        _ title: String, _ body: String, created: String, type: String = "note"
    ) -> String {
        "---\ntitle: \(title)\ntype: \(type)\ntags: [garden]\nstatus: indexed\ncreated: \(created)\n---\n\(body)\n"
    }

    private func home(_ sealing: VaultHome.Sealing) throws -> (FlowHome, [String]) {
        let home = try FlowHome(sealing: sealing)
        for (number, (path, body)) in Self.bodies.sorted(by: { $0.key < $1.key }).enumerated() {
            try home.write(
                Self.note("T\(number)", body, created: "2026-03-0\(number + 2)T10:00:00Z"), to: path
            )
        }
        return (home, Self.bodies.keys.sorted())
    }

    private func run(
        _ home: FlowHome, _ paths: [String], _ generator: (any TextGenerator)? = nil,
        isForced: Bool = false
    ) async throws -> Distill.Outcome {
        try await home.distill(generator).week(
            Self.week, of: "Family", paths: paths, isForced: isForced, isDryRun: false)
    }

    private func reports(_ home: FlowHome) throws -> [String] {
        try home.paths.filter { $0.contains("_distilled") }
    }

    @Test(
        "fewer than three notes make no report, unless it is forced",
        arguments: VaultHome.Sealing.both)
    func tooFew(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        let two = Array(paths.prefix(2))
        #expect(try await run(home, two) == .tooFew(notes: 2))
        #expect(try reports(home).isEmpty)
        guard case .written(Self.path, _, "rules", nil) = try await run(home, two, isForced: true)
        else {
            Issue.record("no report")
            return
        }
        #expect(try await run(home, [], isForced: true) == .tooFew(notes: 0))
    }

    @Test("a second run changes nothing, and asks no model", arguments: VaultHome.Sealing.both)
    func upToDate(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        _ = try await run(home, paths)
        let before = try home.text(of: Self.path)
        #expect(
            try await run(home, paths.reversed(), ScriptedGenerator([]))
                == .upToDate(path: Self.path))
        #expect(try home.text(of: Self.path) == before && reports(home) == [Self.path])
    }

    @Test(
        "a note of the week that changed, came or went replaces the report",
        arguments: VaultHome.Sealing.both)
    func changedNote(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        _ = try await run(home, paths)
        let id = try home.note(at: Self.path).id
        let body = "We agreed to order from Svensson from spring on."
        try home.write(Self.note("T1", body, created: "2026-03-03T10:00:00Z"), to: "Family/b.md")
        guard case .written(Self.path, let text, _, nil) = try await run(home, paths) else {
            Issue.record("no report")
            return
        }
        #expect(text.contains("Svensson") && !text.contains("Lindqvist"))
        #expect(try home.note(at: Self.path).id == id && reports(home) == [Self.path])
        let entries = try home.journal.records(of: #require(id)).map(\.entry)
        #expect(
            entries.map(\.operation) == [.report, .report]
                && entries[1].before.map { String(decoding: $0, as: UTF8.self) }?
                    .contains("Lindqvist") == true
        )
        #expect(
            try await run(home, Array(paths.prefix(2)), isForced: true)
                != .upToDate(path: Self.path))
    }

    @Test(
        "a report that a person edited stays; the new one goes beside it, once",
        arguments: VaultHome.Sealing.both)
    func edited(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        _ = try await run(home, paths)
        let mine = try home.text(of: Self.path).replacing(
            "## Open Threads", with: "Mine.\n\n## Open Threads")
        try home.write(mine, to: Self.path)
        // Nothing changed but the report: nothing is to be written.
        #expect(try await run(home, paths) == .upToDate(path: Self.path))
        try home.write(
            Self.note("T1", "We chose Svensson.", created: "2026-03-03T10:00:00Z"),
            to: "Family/b.md")
        let beside = "Family/_distilled/weekly_2026-03-02-2.md"
        guard case .written(beside, _, _, Self.path) = try await run(home, paths) else {
            Issue.record("no report beside")
            return
        }
        #expect(try home.text(of: Self.path) == mine)
        #expect(try await run(home, paths) == .upToDate(path: beside))
        #expect(try reports(home) == [beside, Self.path])
        // The one beside is ours and follows the notes.
        try home.write(
            Self.note("T1", "We chose Brandt.", created: "2026-03-03T10:00:00Z"), to: "Family/b.md")
        guard case .written(beside, let text, _, Self.path) = try await run(home, paths) else {
            Issue.record("the report beside was not replaced")
            return
        }
        #expect(text.contains("Brandt"))
        #expect(try reports(home) == [beside, Self.path] && home.text(of: Self.path) == mine)
    }

    @Test(
        "a file of that name which is no report of ours is left alone",
        arguments: VaultHome.Sealing.both)
    func foreign(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        try home.write("my own words\n", to: Self.path)
        guard case .written(let path, _, _, Self.path) = try await run(home, paths) else {
            Issue.record("no report beside")
            return
        }
        #expect(try path != Self.path && home.text(of: Self.path) == "my own words\n")
        #expect(try await run(home, paths) == .upToDate(path: path))
    }

    @Test(
        "reports, notes of other weeks and notes without a date are no sources",
        arguments: VaultHome.Sealing.both)
    func sources(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        try home.write(
            Self.note("Old", "Before.", created: "2026-03-01T23:59:59Z"), to: "Family/old.md")
        try home.write(
            Self.note("Next", "After.", created: "2026-03-09T00:00:00Z"), to: "Family/next.md")
        try home.write("no front matter\n", to: "Family/undated.md")
        try home.write(
            Self.note("R", "Report.", created: "2026-03-04T10:00:00Z", type: "distilled_weekly"),
            to: "Family/r.md")
        try home.write(
            Self.note("D", "Report.", created: "2026-03-04T10:00:00Z"), to: "Family/_distilled/x.md"
        )
        let all =
            paths
            + ["old", "next", "undated", "r", "_distilled/x", "missing"].map { "Family/\($0).md" }
        guard case .written(_, let text, _, _) = try await run(home, all) else {
            Issue.record("no report")
            return
        }
        #expect(text.contains("3 notes: 3 notes"))
        #expect(Self.links(text) == ["../a.md", "../b.md", "../c.md"])
    }

    @Test("a week is labelled by its Thursday's year", arguments: VaultHome.Sealing.both)
    func labels(sealing: VaultHome.Sealing) async throws {
        let home = try FlowHome(
            clock: "Sunday 2027-01-03 20:00, Europe/London", sealing: sealing)
        for day in ["2026-12-29", "2027-01-02"] {
            try home.write(
                Self.note(day, "Salted the slip.", created: "\(day)T10:00:00Z"),
                to: "Family/\(day).md")
        }
        let paths = try home.paths
        let outcome = try await home.distill().week(
            Week(containing: Day(iso: "2027-01-03")!), of: "Family", paths: paths, isForced: true,
            isDryRun: false)
        guard case .written("Family/_distilled/weekly_2026-12-28.md", let text, _, _) = outcome
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect(text.contains("2026-W53") && text.contains("2026-12-28 to 2027-01-03"))
        #expect(!text.contains("2027-W53") && !text.contains("2026-W01"))
        let next = try await home.distill().week(
            Week(containing: Day(iso: "2027-01-04")!), of: "Family", paths: paths, isForced: true,
            isDryRun: false)
        #expect(next == .tooFew(notes: 0))
    }

    @Test("a dry run writes nothing", arguments: VaultHome.Sealing.both)
    func dryRun(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        let outcome = try await home.distill().week(
            Self.week, of: "Family", paths: paths, isForced: false, isDryRun: true)
        guard case .wouldWrite(Self.path, let text, "rules") = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try text.contains("## Key Decisions") && reports(home).isEmpty)
    }

    // MARK: what is in it

    private static let reply = """
        Glance: The week was about hedges: a short delivery led to a new supplier.
        Decisions:
        - [2] From spring on the order goes to Lindqvist.
        - [1] The town hall burned down.
        - [3] From spring on we order from Lindqvist.
        Threads:
        - [3] The credit note from Rolf is still waiting.
        - [9] Rolf pays 500 euros.
        Insight: The short delivery of plants came before the order from Lindqvist. [1] [2]
        """

    @Test(
        "of a model's reply only what the notes carry is kept, with the notes that carry it",
        arguments: VaultHome.Sealing.both)
    func checkedReply(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        let generator = ScriptedGenerator([Self.reply])
        guard case .written(_, let text, let maker, _) = try await run(home, paths, generator)
        else {
            Issue.record("no report")
            return
        }
        #expect(maker.hasPrefix("scripted "))
        #expect(text.contains("- From spring on the order goes to Lindqvist. [2]"))
        #expect(!text.contains("town hall") && !text.contains("500"))
        // Cited as 3, carried by 2.
        #expect(!text.contains("Lindqvist. [3]"))
        #expect(text.contains("The credit note from Rolf is still waiting. [3]"))
        Self.checkCitations(text)
    }

    @Test(
        "a reply without the four parts is not used",
        arguments: [
            "", "The week was fine.", "Glance: x", "Glance: The week.\nDecisions:\nThreads:\n",
            "<think>Glance: x",
        ], VaultHome.Sealing.both)
    func unusable(reply: String, sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        guard
            case .written(_, let text, "rules", _) = try await run(
                home, paths, ScriptedGenerator([reply]))
        else {
            Issue.record("not by rules")
            return
        }
        Self.checkCitations(text)
    }

    @Test(
        "by rules: decisions, open threads and tasks, each line with its note",
        arguments: VaultHome.Sealing.both)
    func byRules(sealing: VaultHome.Sealing) async throws {
        let (home, paths) = try home(sealing)
        try home.write(
            Self.note(
                "Measure the terrace", "Measure it.", created: "2026-03-05T10:00:00Z", type: "task"),
            to: "Family/d.md")
        guard case .written(_, let text, "rules", _) = try await run(home, paths + ["Family/d.md"])
        else {
            Issue.record("no report")
            return
        }
        #expect(text.contains("- We agreed to order from Lindqvist from spring on. [2]"))
        #expect(text.contains("- Still waiting for the credit note from Rolf. [3]"))
        #expect(text.contains("- Measure the terrace [4]"))
        #expect(text.contains("4 notes: 1 task, 3 notes. Tags: garden (4)."))
        for heading in [
            "Week at a Glance", "Key Decisions", "Open Threads", "Hidden Insight", "Sources",
        ] {
            #expect(text.contains("## \(heading)\n"))
        }
        Self.checkCitations(text)
    }

    /// Each bullet cites, and each number cited is one of the sources.
    private static func checkCitations(_ text: String) {
        let sources = Set(text.matches(of: #/(?m)^(\d+)\. \[/#).map { String($0.output.1) })
        for line in text.split(separator: "\n") where line.hasPrefix("- ") {
            let cited = line.matches(of: #/\[(\d+)\]/#).map { String($0.output.1) }
            #expect(!cited.isEmpty && sources.isSuperset(of: cited), "\(line)")
        }
        for link in links(text) {
            #expect(bodies.keys.contains("Family/\(link.dropFirst(3))") || link == "../d.md")
        }
    }

    private static func links(_ text: String) -> [String] {
        text.matches(of: #/\]\((\.\.[^)]*)\)/#).map { String($0.output.1) }
    }
}
