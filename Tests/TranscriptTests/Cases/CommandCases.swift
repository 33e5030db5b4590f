import AuraCore
import AuraSystem
import AuraTestKit
import Testing

enum CommandCases {
    static let runs: [String: CaseRun] = [
        "cm-01": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let lines = [["list"], ["search", "heather"], ["list", "--tasks"], ["help"]]
            var plain: [AuraProgram.Outcome] = []
            var isClean = true
            var areSame = true
            func colourless(_ text: String) -> String {
                text.replacing(#/\x1B\[[0-9;]*[A-Za-z]/#, with: "").replacing("\r", with: "")
            }
            for words in lines {
                let piped = try await program.run(words)
                plain.append(piped)
                let quiet = [["NO_COLOR": "1"], ["TERM": "dumb"]]
                for environment in quiet {
                    let shown = try await program.run(
                        words, environment: environment, terminal: .init(keepsErrorsApart: true))
                    isClean =
                        isClean && !shown.outputBytes.contains(0x1B)
                        && !shown.errorBytes.contains(0x1B)
                }
                isClean =
                    isClean && !piped.outputBytes.contains(0x1B) && !piped.errorBytes.contains(0x1B)
                let shown = try await program.run(words, terminal: .init(keepsErrorsApart: true))
                areSame = areSame && colourless(shown.output) == piped.output
            }
            let failed = try await program.run("search", "--vault", "Nowhere", "heather")
            isClean = isClean && !failed.errorBytes.contains(0x1B)
            check.holds(0, isClean)
            check.holds(1, areSame)
            check.holds(
                2,
                plain.allSatisfy { $0.status == 0 } && plain[0].output.contains("Colours")
                    && plain[0].errors.isEmpty && plain[1].output.contains("heather")
                    && plain[2].output.isEmpty && plain[2].errors.contains("no notes")
                    && plain[3].output.contains("Usage:") && plain[3].errors.isEmpty
                    && failed.output.isEmpty && failed.errors.contains("Nowhere")
                    && failed.status == 66,
                plain.map { $0.output + $0.errors }.joined() + failed.errors)
            check.later(2, "files of reminders are a later part; 'list --tasks' stands for them")
        },
        "cm-02": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            async let slow = program.run(
                "capture", "--vault", "Corporate", "--json",
                input: .delayed(Array("The slow kettle boils.\n".utf8), .seconds(8)))
            var areQuick = true
            let lines = [
                ["capture", "--vault", "Personal", "The quick pan fries."], ["list"],
                ["search", "pan"], ["help"],
            ]
            for words in lines {
                let outcome = try await program.run(words, input: .heldOpen, deadline: .seconds(20))
                areQuick = areQuick && outcome.status == 0 && outcome.time < .seconds(5)
            }
            check.holds(0, areQuick)
            let quick = program.notePaths().filter { $0.hasPrefix("Personal/") }
            let body = try quick.first.map { try program.note(at: $0).body }
            check.holds(1, quick.count == 1 && body == "The quick pan fries.\n", "\(quick)")
            let outcome = try await slow
            let path = try #require(outcome.json?["path"]?.text, "\(outcome.errors)")
            let slowBody = try program.note(at: path).body
            check.holds(2, slowBody == "The slow kettle boils.\n", slowBody)
        },
        "cm-03": { item, check in
            // The programs at once, by rules; then the flows with the stand-in's one title.
            let program = try await AuraProgram.prepared(for: item)
            let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                for number in 1...20 {
                    group.addTask {
                        try await program.run(
                            "capture", "--vault", "Corporate", "Counter reading \(number)"
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let home = try FlowHome()
            let generator = RepeatingGenerator(
                #"{"suggested_title":"Counter reading","tags":["meter","counter"],"action_kind":"none","deadline":null,"time":null}"#
            )
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...20 {
                    group.addTask {
                        let saved = try home.capture.save(
                            Capture.Draft(text: "Counter reading \(number)", vault: "Corporate"))
                        let outcome = try await home.enrichment(generator).enrich(
                            saved.path, Sampling())
                        if case .done = outcome { return true }
                        return false
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let expected = Set((1...20).map { "Counter reading \($0)\n" })
            let bodies = try program.notePaths().map { try program.note(at: $0).body }
            let paths = try home.paths
            let notes = try paths.map { try home.note(at: $0) }
            check.holds(
                0,
                statuses.allSatisfy { $0 == 0 } && bodies.count == 20 && Set(bodies) == expected
                    && done.allSatisfy { $0 } && paths.count == 20
                    && Set(notes.map(\.body)) == expected,
                "\(statuses) \(bodies.count) \(paths)")
            check.holds(
                1,
                try paths.allSatisfy { path in
                    let text = NoteText(
                        bytes: try Files.bytes(at: "\(home.home.layout.root)/\(path)"), path: path)
                    return text.warnings.isEmpty && text.note.title == "Counter reading"
                        && text.note.status == .indexed && text.note.id != nil
                }, "\(notes)")
            let options = ["--vault-dir", home.home.layout.root, "-n", "100", "Counter reading"]
            let found = try await program.run(["search", "--json"] + options)
            check.holds(
                2, found.jsonLines.count == 20, "\(found.jsonLines.count) \(found.errors)")
        },
        "cm-04": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let titles = ["Why CI/CD? \"Fast: cheap\"", "🌱🌱", "..."]
            var paths: [String] = []
            for (number, title) in titles.enumerated() {
                let outcome = try await program.run(
                    "capture", "--vault", "Corporate", "--title", title, "Text number \(number)")
                #expect(outcome.status == 0, "\(outcome.errors)")
                paths.append(outcome.lines.first ?? "")
            }
            let names = paths.map { $0.split(separator: "/").map(String.init) }
            check.holds(
                0,
                program.notePaths() == paths.sorted() && Set(paths).count == 3
                    && names.allSatisfy { parts in
                        parts.count == 2 && parts[1].hasSuffix(".md") && parts[1] != ".md"
                            && !parts[1].hasPrefix(".")
                    }, "\(paths)")
            let kept = try paths.map { try program.note(at: $0).title }
            check.holds(1, kept == titles, "\(kept)")
            var opened: [Bool] = []
            for (number, (title, path)) in zip(titles, paths).enumerated() {
                let byTitle = try await program.run("show", title)
                let byPath = try await program.run("show", path)
                opened.append(
                    [byTitle, byPath].contains {
                        $0.status == 0 && $0.output.contains("Text number \(number)")
                    })
            }
            check.holds(2, opened.allSatisfy { $0 }, "\(opened)")
        },
        "cm-05": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            // The form of the name on disk is what the case is about: e, then U+0301.
            let decomposed = "Corporate/cafe\u{301}.md"
            let written = item.files[0]
            if Array(written.path.utf8) != Array(decomposed.utf8) {
                try Files.remove("\(program.vaultHome)/\(written.path)")
                try program.write(written.bytes, to: decomposed)
            }
            let opened = try await program.run("show", "caf\u{E9}")
            check.holds(
                0, opened.status == 0 && opened.output.contains("Mondays: Wenzel."),
                opened.output + opened.errors)
            try await program.done("edit", "caf\u{E9}", "--tag", "+week")
            try await program.done("reindex")
            let listed = try await program.listed("--tag", "rota")
            let again = try await program.listed()
            let files = program.notePaths()
            check.holds(
                1, files.count == 1 && listed.count == 1 && again.count == 1,
                "\(files) \(listed) \(again)")
            check.holds(2, files.first.map { Array($0.utf8) } == Array(decomposed.utf8), "\(files)")
        },
    ]
}
