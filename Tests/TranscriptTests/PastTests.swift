import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A command that changes notes, and what goes before it.
struct UndoneCommand: CustomTestStringConvertible, Sendable {
    let name: String
    /// `{note}` is the path of a classified note, `{pending}` that of one that is not.
    let words: [String]
    var before: [[String]] = []
    var environment: [String: String] = [:]

    var testDescription: String { name }

    static let all = [
        UndoneCommand(name: "edit by option", words: ["edit", "{note}", "--tag", "+winter"]),
        UndoneCommand(
            name: "edit of a deadline", words: ["edit", "{note}", "--deadline", "next friday"]),
        UndoneCommand(
            name: "edit in the editor", words: ["edit", "{note}"],
            environment: ["EDITOR": "sed -i s/winter/spring/"]),
        UndoneCommand(
            name: "edit in the editor of a note with CRLF", words: ["edit", "{note}"],
            before: [["edit", "{note}"]], environment: ["EDITOR": "sed -i s/$/\\r/"]),
        UndoneCommand(name: "move", words: ["move", "{note}", "Projects"]),
        UndoneCommand(name: "retitle", words: ["edit", "{note}", "--title", "Furnace"]),
        UndoneCommand(name: "rm", words: ["rm", "{note}"]),
        UndoneCommand(name: "restore", words: ["restore", "{note}"], before: [["rm", "{note}"]]),
        UndoneCommand(name: "restore --at", words: ["restore", "{note}", "--at", "1"]),
        UndoneCommand(
            name: "restore --at from the trash", words: ["restore", "{note}", "--at", "1"],
            before: [["rm", "{note}"]]),
        UndoneCommand(name: "enrich", words: ["enrich", "{pending}"]),
        UndoneCommand(name: "capture", words: ["capture", "Buy salt tomorrow"]),
        UndoneCommand(name: "distill weekly", words: ["distill", "weekly", "--force", "--no-ai"]),
    ]
}

private struct WrongStatus: Error {
    let words: [String]
    let status: Int32
    let errors: String
}

@Suite("time travel with the built program")
struct PastTests {
    private static func clock(_ minute: Int) -> String {
        "Wednesday 2026-03-04 10:\(padded(minute, to: 2)), Europe/London"
    }

    /// A home with a classified note and a pending one, their paths, and a clock that goes on.
    private struct Home {
        let program: AuraProgram
        let note: String
        let pending: String

        init(_ sealing: AuraProgram.Sealing) async throws {
            program = try AuraProgram(clock: PastTests.clock(0), sealing: sealing)
            let made = try await Home.run(
                program, 0, [["capture", "-q", "--tag", "heating", "Bleed the boiler before winter"]])
            note = try #require(made.last?.lines.last)
            try await Home.run(program, 1, [["edit", note, "--title", "Boiler"], ["enrich"]])
            let second = try await Home.run(program, 2, [["capture", "-q", "Ask about the tiles"]])
            pending = try #require(second.last?.lines.last)
        }

        @discardableResult
        static func run(
            _ program: AuraProgram, _ minute: Int, _ all: [[String]],
            environment: [String: String] = [:], status: Int32 = 0
        ) async throws -> [AuraProgram.Outcome] {
            let program = try program.at(clock: PastTests.clock(minute))
            var outcomes: [AuraProgram.Outcome] = []
            for words in all {
                let outcome = try await program.run(words, environment: environment)
                guard outcome.status == status else {
                    throw WrongStatus(words: words, status: outcome.status, errors: outcome.errors)
                }
                outcomes.append(outcome)
            }
            return outcomes
        }

        @discardableResult
        func run(
            _ minute: Int, _ words: [String], environment: [String: String] = [:],
            status: Int32 = 0
        ) async throws -> AuraProgram.Outcome {
            let words = words.map { $0 == "{note}" ? note : $0 == "{pending}" ? pending : $0 }
            return try await Home.run(
                program, minute, [words], environment: environment, status: status)[0]
        }

        /// Every note with its bytes.
        func notes() async throws -> [String: [UInt8]] {
            let list = try await run(50, ["list", "--json", "--limit", "0"])
            var notes: [String: [UInt8]] = [:]
            for line in list.lines {
                let path = try #require(JSONValue.read(Array(line.utf8))?["path"]?.text)
                notes[path] = try await run(50, ["show", "--raw", path]).outputBytes
            }
            return notes
        }
    }

    @Test(
        "undo restores byte for byte after each kind of change, and redo makes it again",
        arguments: UndoneCommand.all, [AuraProgram.Sealing.plain, .encrypted])
    func undo(_ command: UndoneCommand, sealing: AuraProgram.Sealing) async throws {
        let home = try await Home(sealing)
        for (index, words) in command.before.enumerated() {
            try await home.run(10 + index, words, environment: command.environment)
        }
        let before = try await home.notes()
        try await home.run(20, command.words, environment: command.environment)
        let after = try await home.notes()
        #expect(after != before)
        try await home.run(21, ["undo"])
        #expect(try await home.notes() == before)
        try await home.run(22, ["undo", "--redo"])
        #expect(try await home.notes() == after)
        try await home.run(23, ["undo"])
        #expect(try await home.notes() == before)
    }

    @Test(
        "undo restores notes that no careful writer made, byte for byte",
        arguments: [
            ("CRLF", Array("---\r\ntitle: Boiler\r\n---\r\nA line.\r\n".utf8)),
            ("BOM", [0xEF, 0xBB, 0xBF] + Array("---\ntitle: Boiler\n---\nA line.\n".utf8)),
            ("invalid UTF-8", Array("---\ntitle: Boiler\n---\n".utf8) + [0x41, 0xFF, 0x0A, 0xC3]),
        ] as [(String, [UInt8])])
    func oddNotes(name: String, bytes: [UInt8]) async throws {
        let home = try await Home(.plain)
        for words in [
            ["edit", "Family/odd.md", "--tag", "+x"], ["move", "Family/odd.md", "Projects"],
            ["rm", "Family/odd.md"],
        ] {
            try home.program.write(bytes, to: "Family/odd.md")
            let before = try await home.notes()
            try await home.run(20, words)
            #expect(try await home.notes() != before)
            try await home.run(21, ["undo"])
            #expect(try home.program.bytes(of: "Family/odd.md") == bytes, "\(words)")
            #expect(try await home.notes() == before)
            try FileManager.default.removeItem(atPath: "\(home.program.vaultHome)/Family/odd.md")
            try FileManager.default.removeItem(atPath: "\(home.program.vaultHome)/.aura/journal")
        }
    }

    @Test("a note that another program changed since is not touched, and the code is 75")
    func changedSince() async throws {
        let home = try await Home(.plain)
        try await home.run(20, ["edit", "{note}", "--tag", "+winter"])
        try home.program.write(Array("Mine\n".utf8), to: home.note)
        let before = home.program.contents()
        let outcome = try await home.run(21, ["undo"], status: 75)
        #expect(outcome.errors.contains("no longer as the edit of 2026-03-04 10:20 left it"))
        #expect(outcome.errors.contains("restore"))
        #expect(home.program.contents() == before)
    }

    @Test(
        "a version is named by its number, a time, or a time in words",
        arguments: [
            ("1", 1), ("2026-03-04 10:00", 1), ("2026-03-04T10:30:00Z", 3), ("today at 10:01", 2),
            ("12 minutes ago", 2), ("2026-03-04", 3), ("yesterday 9am", nil), ("9", nil),
        ] as [(String, Int?)])
    func moments(words: String, version: Int?) async throws {
        let home = try AuraProgram(clock: Self.clock(0), sealing: .plain)
        let path = try await Home.run(home, 0, [["capture", "-q", "--title", "A", "one"]])[0].lines
        let note = try #require(path.last)
        try await Home.run(home, 1, [["edit", note, "--title", "B"]])
        try await Home.run(home, 13, [["edit", note, "--title", "C"]])
        let shown = try await home.at(clock: Self.clock(14)).run("show", note, "--at", words)
        guard let version else {
            #expect(shown.status == 66)
            return
        }
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.errors.contains("version \(version) of 3"))
        #expect(shown.lines.first?.contains(["A", "B", "C"][version - 1]) == true)
        // Half understood is not understood.
        let bad = try await home.run("show", note, "--at", "some time last summer or so")
        #expect(bad.status == 64)
    }

    @Test(
        "restore --at writes an earlier version as the newest, and says why in the log",
        arguments: [AuraProgram.Sealing.plain, .encrypted])
    func restoreAt(sealing: AuraProgram.Sealing) async throws {
        let home = try await Home(sealing)
        let first = try await home.run(10, ["show", "{note}", "--raw", "--at", "1"]).outputBytes
        try await home.run(11, ["restore", "{note}", "--at", "1"])
        #expect(try await home.notes()[home.note] == first)
        let log = try await home.run(12, ["log", "{note}", "--json", "--limit", "1"])
        let entry = try #require(JSONValue.read(Array(log.output.utf8)))
        #expect(entry["operation"]?.text == "restore")
        #expect(entry["reason"]?.text == "version 1 of 2026-03-04 10:00")
        // From the trash, too, with the history it had.
        try await home.run(13, ["rm", "{note}"])
        let versions = try await home.run(14, ["history", "{note}", "--json"]).lines.count
        try await home.run(15, ["restore", "{note}", "--at", "2"])
        #expect(try await home.notes()[home.note] != nil)
        let all = try await home.run(16, ["history", "{note}", "--json"]).lines
        #expect(all.count == versions + 1)
        for line in all { #expect(JSONValue.read(Array(line.utf8))?["version"]?.integer != nil) }
    }

    @Test("show --diff shows the last change, in colour where wanted, control characters visible")
    func diff() async throws {
        let home = try await Home(.plain)
        try home.program.write(Array("one\ntwo\u{1B}[2J\n".utf8), to: "Family/a.md")
        let words = ["edit", "Family/a.md"]
        try await home.run(20, words, environment: ["EDITOR": "sed -i s/two/three/"])
        let plain = try await home.run(21, ["show", "Family/a.md", "--diff"])
        #expect(
            Array(plain.lines.dropFirst(2)) == [
                "@@ -1,2 +1,2 @@", " one", "-two\\u{1B}[2J", "+three\\u{1B}[2J",
            ])
        let coloured = try await home.program.run(
            "show", "Family/a.md", "--diff", terminal: AuraProgram.Terminal())
        #expect(coloured.output.contains("m+three\\u{1B}[2J\u{1B}[0m"))
        let raw = try await home.run(22, ["show", "Family/a.md", "--diff", "--json"])
        #expect(JSONValue.read(Array(raw.output.utf8))?["diff"]?.text?.contains("+three") == true)
    }

    @Test(
        "texts older than history.days go, once a day; who changed what stays",
        arguments: [AuraProgram.Sealing.plain, .encrypted])
    func forgetting(sealing: AuraProgram.Sealing) async throws {
        let home = try await Home(sealing)
        func versions() async throws -> [JSONValue] {
            try await home.run(40, ["history", "{note}", "--json"]).lines.compactMap {
                JSONValue.read(Array($0.utf8))
            }
        }
        let before = try await versions()
        let later = try home.program.at(clock: "Thursday 2026-06-04 10:00, Europe/London")
        func reindex(_ days: String) async throws {
            let outcome = try await later.run(
                "reindex", environment: ["AURA_HISTORY_DAYS": days])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try await reindex("0")
        #expect(try await versions() == before)
        try await reindex("100")
        #expect(try await versions() == before)
        // A day is looked at once: the next is tomorrow.
        try await reindex("30")
        #expect(try await versions() == before)
        let tomorrow = try home.program.at(clock: "Friday 2026-06-05 10:00, Europe/London")
        _ = try await tomorrow.run("reindex", environment: ["AURA_HISTORY_DAYS": "30"])
        let after = try await versions()
        #expect(after.map { $0["change"] } == before.map { $0["change"] })
        #expect(after.dropLast().allSatisfy { $0["bytes"]?.integer == nil })
        #expect(after.last == before.last)
        try await home.run(41, ["undo", "--note", "{note}"], status: 66)
    }

    @Test("undo --list numbers what would be taken back; nothing to undo is no error")
    func list() async throws {
        let home = try await Home(.plain)
        let list = try await home.run(20, ["undo", "--list", "--json"])
        let items = list.lines.compactMap { JSONValue.read(Array($0.utf8)) }
        #expect(items.map { $0["number"]?.integer } == Array(1...items.count))
        #expect(
            items.map { $0["operation"]?.text } == ["capture", "enrich", "edit", "capture"])
        let undone = try await home.run(21, ["undo", "9", "--json"])
        #expect(undone.lines.count == items.count)
        #expect(try await home.notes().isEmpty)
        let none = try await home.run(22, ["undo"])
        #expect(none.output.isEmpty)
        #expect(none.errors.contains("nothing to undo"))
    }
}
