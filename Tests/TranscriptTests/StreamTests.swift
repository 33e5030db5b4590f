import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Glibc
import Testing

/// What goes where: results, messages, colours, JSON; and what ends a run early.
@Suite("streams and endings")
struct StreamTests {
    private static func home() async throws -> AuraProgram {
        let program = try AuraProgram(clock: "Wednesday 2026-03-04 10:00, Europe/London")
        try await program.makeHome()
        let head = "---\ntitle: Plum tree\ntags: [garden]\ncreated: 2026-03-02T10:00:00Z\n---\n"
        try program.write(
            Array((head + "The plum tree flowers first.\n").utf8), to: "Family/plum.md")
        return program
    }

    // MARK: JSON

    @Test(
        "with --json every line of standard output is a JSON value",
        arguments: [
            ["list"], ["tags"], ["search", "plum"], ["search", "--explain", "plum"],
            ["search", "nothing"], ["search", "--notes-only-ids", "plum"],
            ["similar", "Family/plum.md"], ["bench"],
            ["show", "Family/plum.md"], ["vaults"], ["config"], ["config", "search.limit"],
            ["status"], ["doctor"], ["privacy"], ["when", "tomorrow at noon"],
            ["clean", "um, hello"],
            ["ask", "--no-ai", "When does the plum tree flower?"], ["ask", "--no-ai", "Who?"],
            ["capture", "Buy salt tomorrow"], ["capture", "--dry-run", "Buy salt tomorrow"],
            ["capture", "--wait", "Buy salt tomorrow"], ["edit", "Family/plum.md", "--tag", "+x"],
            ["move", "Family/plum.md", "Personal"], ["rm", "Family/plum.md"], ["restore"],
            ["enrich"], ["enrich", "Family/plum.md"], ["distill", "weekly", "--force", "--no-ai"],
            ["distill", "weekly", "--dry-run", "--force", "--no-ai"], ["reindex"], ["init"],
        ])
    func json(words: [String]) async throws {
        let program = try await Self.home()
        let outcome = try await program.run(words + ["--json"])
        #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
        let lines = outcome.outputBytes.split(separator: 0x0A)
        for line in lines {
            #expect(
                JSONValue.read(Array(line))?.members != nil,
                "\(words): \(String(decoding: line, as: UTF8.self))")
        }
        let silent = [
            ["search", "nothing"], ["enrich"], ["enrich", "Family/plum.md"], ["restore"],
            ["privacy"], ["similar", "Family/plum.md"],
        ]
        #expect(
            !lines.isEmpty || silent.contains(words), "\(words) printed nothing: \(outcome.errors)")
        #expect(outcome.outputBytes.isEmpty || outcome.outputBytes.last == 0x0A)
        #expect(!outcome.outputBytes.contains(0x1B))
    }

    @Test(
        "with --json an error is one object on standard error, with the exit code in it",
        arguments: [
            (["show", "nothing"], 66), (["list", "--limti"], 64),
            (["list", "--vault", "Nowhere"], 66),
            (["when", "--zone", "Nowhere"], 64), (["capture"], 65), (["rm", "nothing"], 66),
            (["config", "serch.limit"], 64),
        ] as [([String], Int32)])
    func jsonErrors(words: [String], code: Int32) async throws {
        let program = try await Self.home()
        let outcome = try await program.run(words + ["--json"])
        #expect(outcome.status == code)
        #expect(outcome.output.isEmpty)
        let error = try #require(
            JSONValue.read(outcome.errorBytes.dropLast())?["error"], "\(outcome.errors)")
        #expect(error["code"]?.integer == Int(code))
        #expect(error["message"]?.text?.isEmpty == false)
    }

    @Test("in JSON, control characters of a note are escaped and come back whole")
    func jsonEscapes() async throws {
        let program = try await Self.home()
        let body = "a\u{1B}[2J b\u{9B}31m c\u{202E}d\u{7}\n"
        try program.write(Array(body.utf8), to: "Family/bad.md")
        let outcome = try await program.run("show", "--json", "Family/bad.md")
        #expect(outcome.json?["body"]?.text == body)
        for scalar in outcome.output.unicodeScalars where scalar != "\n" {
            #expect(
                scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                    && scalar.value != 0x202E)
        }
    }

    // MARK: colour and width

    @Test(
        "colour is for terminals that want it",
        arguments: [
            (["TERM": "xterm-256color"], [], true), (["NO_COLOR": "1"], [], false),
            (["NO_COLOR": ""], [], true), (["TERM": "dumb"], [], false), (["TERM": nil], [], false),
            ([:], ["--no-color"], false), ([:], ["--json"], false),
            (["AURA_DISPLAY_COLOUR": "never"], [], false),
            (["NO_COLOR": "1", "AURA_DISPLAY_COLOUR": "always"], [], true),
        ] as [([String: String?], [String], Bool)])
    func colour(environment: [String: String?], options: [String], isColoured: Bool) async throws {
        let program = try await Self.home()
        let words = ["list"] + options
        let shown = try await program.run(
            words, environment: environment, terminal: .init(keepsErrorsApart: true))
        #expect(shown.outputBytes.contains(0x1B) == isColoured, "\(shown.output)")
        let isAlways = environment["AURA_DISPLAY_COLOUR"] == "always"
        let piped = try await program.run(words, environment: environment)
        #expect(piped.outputBytes.contains(0x1B) == isAlways, "\(piped.output)")
    }

    @Test("lists keep to the width of the terminal", arguments: [40, 60, 80, 120])
    func width(columns: Int) async throws {
        let program = try await Self.home()
        let title = String(repeating: "long words ", count: 30)
        try program.write(
            Array("---\ntitle: \(title)\ncreated: 2026-03-01\n---\nx\n".utf8), to: "Family/long.md")
        try program.write(
            Array("---\ntitle: \(String(repeating: "在庫管理", count: 40))\n---\nx\n".utf8),
            to: "Family/wide.md")
        let shown = try await program.run(
            ["list", "--no-color"], terminal: .init(columns: columns, keepsErrorsApart: true))
        let widths = shown.lines.map { SafeDisplay.width($0) }
        #expect(widths.count == 3)
        // Below 53 columns the title keeps its least room.
        #expect(widths.allSatisfy { $0 <= max(columns, 53) }, "\(widths)")
    }

    @Test("a terminal of no width and a resized pipe change nothing: 80 columns are taken")
    func noWidth() async throws {
        let program = try await Self.home()
        let piped = try await program.run("list")
        let zero = try await program.run(
            ["list", "--no-color"], terminal: .init(columns: 0, keepsErrorsApart: true))
        #expect(piped.output == zero.output)
    }

    @Test("progress is drawn on a terminal alone, and taken away again")
    func progress() async throws {
        let program = try await Self.home()
        let piped = try await program.run("reindex")
        #expect(piped.errors.isEmpty)
        let shown = try await program.run(["reindex"], terminal: .init())
        #expect(shown.output.contains("\r\u{1B}[2K"))
        let quiet = try await program.run(["reindex", "-q"], terminal: .init())
        #expect(!quiet.output.contains("\u{1B}[2K"))
    }

    // MARK: endings

    @Test(
        "a reader that has gone ends the program quietly",
        arguments: ["head -c 1", "true", "head -1"])
    func closedPipe(reader: String) async throws {
        let program = try await Self.home()
        let outcome = try await program.shell("{ aura help vaults add; echo $? >&2; } | \(reader)")
        #expect(outcome.errors == "0\n")
        let listed = try await program.shell("aura list | \(reader)")
        #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed.errors)")
    }

    @Test(
        "Ctrl-C and TERM end a capture that waits for its text",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func stopped(signal: Int32, code: Int32) async throws {
        let program = try await Self.home()
        let running = try program.start("capture", "--vault", "Family", input: .heldOpen)
        let outcome = try await running.outcome(signal: (signal, after: .milliseconds(400)))
        #expect(outcome.status == code)
        // Half a second by itself; the rest is for a machine that is busy with other tests.
        #expect(try #require(outcome.timeAfterSignal) < .seconds(1))
        #expect(program.notePaths() == ["Family/plum.md"])
    }

    @Test("what another aura holds is told as busy, with 75")
    func busy() async throws {
        let program = try await Self.home()
        let vault = try #require(
            JSONValue.read(try Files.bytes(at: "\(program.vaultHome)/.aura/vault.json"))?["id"]?
                .text)
        let lock = "\(program.folder.path)/data/aura/\(vault)/write.lock"
        try await program.done("list")
        guard let held = try FileLock.acquire(lock) else {
            Issue.record("the lock is held already")
            return
        }
        let outcome = try await program.run("edit", "Family/plum.md", "--tag", "+x")
        _ = consume held
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("another aura is at work"))
        #expect(try !program.text(of: "Family/plum.md").contains("+x"))
    }

    @Test("a home that may not be touched ends with 77")
    func denied() async throws {
        let program = try await Self.home()
        if geteuid() == 0 {
            #expect(chown(program.vaultHome, 12_345, 12_345) == 0)
        } else {
            #expect(chmod("\(program.vaultHome)/.aura", 0) == 0)
        }
        let outcome = try await program.run("list")
        if geteuid() != 0 { chmod("\(program.vaultHome)/.aura", 0o700) }
        #expect(outcome.status == 77, "\(outcome.errors)")
    }

    // MARK: names and texts that would do something

    @Test(
        "control characters reach no stream",
        arguments: [
            ["list"], ["show", "Family/bad.md"], ["search", "screen"], ["tags"], ["doctor"],
            ["reindex"],
            ["ask", "--no-ai", "What is on the screen?"], ["edit", "Family/bad.md", "--tag", "+x"],
            ["move", "Family/bad.md", "Personal"], ["rm", "Family/bad.md"],
            ["enrich", "Family/bad.md"],
            ["show", "--raw", "Family/bad.md"], ["capture", "--wait", "clear \u{1B}[2J this"],
            ["show", "no\u{1B}[2Jsuch"], ["no\u{9B}such"], ["list", "--vault", "x\u{1B}]0;t\u{7}"],
            ["config", "no\u{1B}such"], ["vaults", "add", "x\u{1B}[2J"],
            ["distill", "weekly", "--dry-run", "--force"],
        ])
    func controlCharacters(words: [String]) async throws {
        let program = try await Self.home()
        let text = """
            ---
            title: "Bad \\e]0;owned\\a title\\x9B"
            tags: ["a\\e[2Jb"]
            created: 2026-03-02T10:00:00Z
            status: pending_classification
            ---
            Clear \u{1B}[2J the \u{1B}]52;c;ZXZpbA==\u{7} screen\rover \u{9B}31m and \u{202E}back

            """
        try program.write(Array(text.utf8), to: "Family/bad.md")
        try program.write(Array("see\n".utf8), to: "Family/na\u{1B}[31mme.md")
        try program.write(Array("see\n".utf8), to: "Fa\u{1B}mily/x.md")
        // At a terminal nothing goes out raw, and there are no colours to be told apart from it.
        let shown = try await program.run(
            words, environment: ["NO_COLOR": "1"], terminal: .init(keepsErrorsApart: true))
        let piped = words.contains("--raw") ? shown : try await program.run(words)
        let progress = "\r\u{1B}[2K"
        for bytes in [shown.outputBytes, shown.errorBytes, piped.outputBytes, piped.errorBytes] {
            let text = String(decoding: bytes, as: UTF8.self).replacing(progress, with: "")
            let bad = text.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
                    || $0.value == 0x202E
            }
            #expect(bad.isEmpty, "\(words): \(text.debugDescription)")
        }
    }

    @Test("--raw gives the bytes of the file to a pipe")
    func raw() async throws {
        let program = try await Self.home()
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("a\u{1B}b\r\n".utf8) + [0xFF, 0x00, 0x0A]
        try program.write(bytes, to: "Family/raw.md")
        let outcome = try await program.run("show", "--raw", "Family/raw.md")
        #expect(outcome.outputBytes == bytes)
    }

    // MARK: the home

    @Test("a home that is gone keeps a thought in the inbox, and brings it in when it is back")
    func missingHome() async throws {
        let program = try await Self.home()
        let away = "\(program.folder.path)/away"
        try Files.move(program.vaultHome, to: away)
        let kept = try await program.run("capture", "--vault", "Family", "The disk is out.")
        #expect(kept.status == 0, "\(kept.errors)")
        // It has no path yet; its id is what finds it later.
        let id = try #require(kept.lines.first)
        #expect(kept.lines.count == 1 && id.count == 26)
        #expect(kept.errors.contains("inbox"))
        #expect(try Files.status(of: program.vaultHome) == nil)
        let listed = try await program.run("list")
        #expect(listed.status == 66 && listed.errors.contains("is not there"), "\(listed.errors)")
        try Files.move(away, to: program.vaultHome)
        let back = try await program.run("list")
        #expect(back.output.contains("The disk is out"), "\(back.output)\(back.errors)")
        #expect(program.notePaths().count == 2)
    }

    @Test("an editor changes a note, and one that fails changes nothing and keeps the draft")
    func editor() async throws {
        let program = try await Self.home()
        let changed = try await program.run(
            "edit", "Family/plum.md", environment: ["EDITOR": "sed -i s/first/last/"])
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(try program.text(of: "Family/plum.md").contains("flowers last"))
        let before = try program.text(of: "Family/plum.md")
        let failed = try await program.run(
            "edit", "Family/plum.md", environment: ["EDITOR": "false"])
        #expect(failed.status == 69, "\(failed.errors)")
        #expect(try program.text(of: "Family/plum.md") == before)
        let same = try await program.run("edit", "Family/plum.md", environment: ["EDITOR": "true"])
        #expect(same.status == 0 && same.errors.contains("nothing was changed"))
    }

    @Test("attachments are copied beside the note and linked from it")
    func attachments() async throws {
        let program = try await Self.home()
        try program.folder.write("kettle", to: "home/My Photo.PNG")
        let outcome = try await program.run(
            "capture", "--vault", "Family", "--attach", "My Photo.PNG", "The kettle", "--json")
        let path = try #require(outcome.json?["path"]?.text, "\(outcome.errors)")
        #expect(try program.text(of: path).contains("![My Photo.PNG](attachments/my-photo.PNG)"))
        #expect(try program.text(of: "Family/attachments/my-photo.PNG") == "kettle")
        let missing = try await program.run("capture", "--attach", "nothing.png", "x")
        #expect(missing.status == 64 && missing.errors.contains("nothing.png"))
    }

    @Test("a batch answers each line in order, and a bad line never stops the rest")
    func batch() async throws {
        let program = try await Self.home()
        let lines = [
            #"{"id":1,"text":"plum"}"#, "nonsense", #"{"id":"three"}"#,
            #"{"id":4,"text":"nothing"}"#,
            #"{"id":5,"text":"plum","vault":"Nowhere"}"#, "",
        ]
        let outcome = try await program.run(
            "search", "--batch", input: .text(lines.joined(separator: "\n")))
        #expect(outcome.status == 1)
        let answers = outcome.jsonLines
        #expect(
            answers.map { $0["id"] } == [
                .integer(1), nil, .string("three"), .integer(4), .integer(5),
            ])
        #expect(answers[0]["hits"]?.elements?.first?["path"]?.text == "Family/plum.md")
        #expect(answers[3]["hits"]?.elements?.isEmpty == true)
        #expect([1, 2, 4].allSatisfy { answers[$0]["error"]?["code"] != nil })
        let kept = try await program.run(
            "capture", "--batch",
            input: .text(
                #"{"id":"a","text":"Ring the vet on Thursday at noon.","vault":"Family","now":"2026-03-04T10:00:00Z"}"#
            ))
        let made = try #require(kept.jsonLines.first, "\(kept.errors)")
        #expect(made["fields"]?["action"]?["deadline"]?.text == "2026-03-05")
        #expect(made["path"]?.text.map(program.notePaths().contains) == true)
    }

    @Test("thousands of lines are answered in order, each with its time")
    func longBatch() async throws {
        let program = try await Self.home()
        let count = 4000
        let lines = (0..<count).map { #"{"id":\#($0),"text":"plum \#($0)","limit":1}"# }
        try program.folder.write(lines.joined(separator: "\n"), to: "home/lines")
        let outcome = try await program.shell(
            "aura search --batch --mode keyword < lines", deadline: .seconds(120))
        let answers = outcome.jsonLines
        #expect(answers.count == count)
        #expect(answers.enumerated().allSatisfy { $1["id"]?.integer == $0 })
        #expect(answers.allSatisfy { $0["hits"]?.elements?.count == 1 })
        #expect(answers.allSatisfy { ($0["milliseconds"]?.double ?? 0) > 0 })
    }

    @Test("a line of a batch is answered before the next one comes")
    func answeredAtOnce() async throws {
        let program = try await Self.home()
        // The second line is made of the first one's answer.
        let outcome = try await program.shell(
            """
            mkfifo in out; aura search --batch < in > out &
            exec 3> in 4< out
            echo '{"id":1,"text":"plum"}' >&3; read -r first <&4
            echo '{"id":2,"text":"plum","mode":"keyword","explain":true}' >&3; read -r second <&4
            echo '{"id":3,"text":"plum","explain":"yes"}' >&3; read -r third <&4
            exec 3>&-; wait; printf '%s\\n' "$first" "$second" "$third"
            """)
        let answers = outcome.jsonLines
        #expect(answers.map { $0["id"]?.integer } == [1, 2, 3], "\(outcome.errors)")
        let hits = answers.map { $0["hits"]?.elements?.first }
        #expect(hits[0]?["explain"] == nil && hits[1]?["explain"] != nil)
        #expect(answers[2]["error"]?["code"]?.integer == 65)
    }
}
