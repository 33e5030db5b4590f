import AuraCore
import AuraSystem
import AuraTestKit
import Testing

enum DistillationCases {
    /// What the run says it wrote, by vault.
    private static func weekly(_ program: AuraProgram, _ options: String...) async throws
        -> [JSONValue]
    {
        let outcome = try await program.run(["distill", "weekly", "--force", "--json"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.jsonLines
    }

    static let runs: [String: CaseRun] = [
        "di-01": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let first = try await weekly(program)
            let path = try #require(first.first?["path"]?.text)
            let report = try program.text(of: path)
            let isCovering = report.contains("d1.md") && report.contains("d2.md")
            check.holds(
                0,
                first.count == 1 && isCovering
                    && (report.contains("2026-W53")
                        || (report.contains("2026-12-28") && report.contains("2027-01-03"))),
                report)
            let next = try program.at(clock: "Monday 2027-01-04 08:00, Europe/London")
            let outcome = try await next.run("distill", "weekly", "--force", "--vault", "Corporate")
            let other = outcome.output + outcome.errors
            let others = program.notePaths().filter { $0.contains("_distilled") && $0 != path }
            let covers = try others.contains { path in
                let text = try program.text(of: path)
                return text.contains("d1.md") || text.contains("d2.md")
            }
            check.holds(1, outcome.status == 0 && other.contains("2027-W01") && !covers, other)
            let everything = report + other + "\(first)" + program.notePaths().joined()
            check.holds(
                2, !everything.contains("2027-W53") && !everything.contains("2026-W01"), everything)
        },
        "di-02": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            for _ in 1...3 { _ = try await weekly(program) }
            let weekly1 = program.notePaths().filter { $0.contains("weekly_") }
            try program.write(
                Array(
                    String(decoding: item.files[0].bytes, as: UTF8.self)
                        .replacing("title: Hull", with: "title: Paint")
                        .replacing("2026-06-10T10", with: "2026-06-14T10")
                        .replacing("Scraped the hull.", with: "Painted the hull.").utf8),
                to: "Corporate/b.md")
            _ = try await weekly(program)
            let reports = program.notePaths().filter { $0.contains("_distilled") }
            check.holds(
                0, weekly1 == reports && reports == ["Corporate/_distilled/weekly_2026-06-08.md"],
                "\(reports)")
            check.later(0, "monthly reports are a later part; the weekly one was checked")
            let report = try program.text(of: try #require(reports.first))
            check.holds(
                1, report.contains("Painted the hull") || report.contains("b.md"), report)
            let sources = report.matches(of: #/\]\(([^)]*)\)/#).map { String($0.output.1) }
            check.holds(
                2, sources == ["../a.md", "../b.md"] && report.contains("2 notes"), report)
        },
        "di-03": { item, check in
            let program = try AuraProgram()
            // What cron leaves: HOME and PATH, the root folder, no input, output to a file.
            let bare: [String: String?] = [
                "XDG_CONFIG_HOME": nil, "XDG_DATA_HOME": nil, "XDG_RUNTIME_DIR": nil, "TMPDIR": nil,
                "LANG": nil, "TERM": nil, "AURA_MODELS": nil, "AURA_CAPTURE_ENRICH": nil,
                "PATH": "/usr/bin:/bin",
            ]
            var more = bare
            more["AURA_CAPTURE_ENRICH"] = "false"
            for text in ["Counted the lanterns.", "Salted the slip.", "Scraped the hull."] {
                let outcome = try await program.run(
                    "capture", "--vault", "Corporate", text, environment: more)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
            let log = "\(program.folder.path)/log"
            let outcome = try await program.shell(
                "exec '\(BuiltProgram.path)' distill weekly >'\(log)' 2>&1 <&-", environment: bare,
                folder: "/")
            let said = String(decoding: try Files.bytes(at: log), as: UTF8.self)
            let reports = program.notePaths().filter { $0.contains("_distilled/weekly_") }
            check.holds(0, outcome.status == 0 && reports.count == 1, "\(reports) \(said)")
            // Without HOME the password database is asked, so the place of the home is given here: the
            // test must not write to the vaults of whoever runs it.
            var homeless = bare
            homeless["HOME"] = .some(nil)
            let missing = "\(program.folder.path)/no-home"
            let without = try await program.run(
                "distill", "weekly", "--vault-dir", missing, input: .closed, environment: homeless,
                folder: "/", deadline: .seconds(10))
            let first = without.errors.split(separator: "\n").first ?? ""
            check.holds(
                1, without.status == 66 && first.contains(missing) && without.time < .seconds(5),
                "\(without.status) \(without.errors)")
            let lines = said.split(separator: "\n")
            check.holds(
                2,
                !said.contains("\u{1B}") && !said.contains("\r") && lines.count >= 3
                    && lines.first?.contains("begins") == true
                    && lines.last?.contains("done") == true
                    && said.contains("wrote Corporate/_distilled/weekly_"), said)
        },
    ]
}
