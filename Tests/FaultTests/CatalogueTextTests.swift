import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A home with one note that another program wrote.
private struct Foreign {
    let program: AuraProgram
    let path = "Personal/a.md"

    init(_ text: String) async throws { try await self.init(Array(text.utf8)) }

    init(_ bytes: [UInt8]) async throws {
        program = try await .home(.plain)
        try program.write(bytes, to: path)
    }

    var bytes: [UInt8] { get throws { try program.bytes(of: path) } }

    /// A tag is added; gives the lines of the file as they are then, with their ends.
    func tagged() async throws -> [String] {
        try await program.done("edit", path, "--tag", "+extra")
        // Byte by byte: CR LF is one character.
        return try bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("catalogue, 45–57: texts and their front matter", .timeLimit(.minutes(10)))
struct CatalogueTextTests {
    @Test("row 45: line ends stay as they are, and an edit keeps the file's own")
    func lineEnds() async throws {
        let body = "one\r\ntwo\rthree\nfour"
        let foreign = try await Foreign("---\r\ntitle: T\r\ntags: [a]\r\n---\r\n" + body)
        let lines = try await foreign.tagged()
        #expect(lines.prefix(3) == ["---\r", "title: T\r", "tags: [a, extra]\r"])
        #expect(lines[3].hasPrefix("modified: ") && lines[3].utf8.last == 0x0D)
        #expect(lines.dropFirst(4).joined(separator: "\n") == "---\r\n" + body)
    }

    @Test("row 46: a byte order mark stays, and the front matter behind it is read")
    func byteOrderMark() async throws {
        let foreign = try await Foreign(
            [0xEF, 0xBB, 0xBF] + Array("---\ntitle: Marked\n---\nx\n".utf8))
        #expect(try await foreign.program.listed().map(\.title) == ["Marked"])
        _ = try await foreign.tagged()
        #expect(
            try foreign.bytes.starts(with: [0xEF, 0xBB, 0xBF] + Array("---\ntitle: Marked\n".utf8)))
    }

    @Test("row 47: bytes that are no text are shown as such and never repaired on the disk")
    func invalid() async throws {
        let body: [UInt8] = Array("heron ".utf8) + [0xFF, 0xC0, 0x20] + Array("weir\n".utf8)
        let foreign = try await Foreign(Array("---\ntitle: T\n---\n".utf8) + body)
        #expect(
            try await foreign.program.done("show", foreign.path).output.contains("heron \u{FFFD}"))
        #expect(try await foreign.program.done("search", "weir", "--json").lines.count == 1)
        _ = try await foreign.tagged()
        #expect(try Array(foreign.bytes.suffix(body.count)) == body)
    }

    @Test("row 48: a NUL ends nothing and is shown")
    func nul() async throws {
        let foreign = try await Foreign("---\ntitle: T\n---\nbefore\0after heron\n")
        #expect(try await foreign.program.done("search", "heron", "--json").lines.count == 1)
        let shown = try await foreign.program.done("show", foreign.path).output
        #expect(shown.contains("before\\u{00}after heron"))
        #expect(try await foreign.tagged().suffix(2) == ["before\0after heron", ""])
    }

    @Test("row 49: a last line without an end gets none")
    func noFinalNewline() async throws {
        let foreign = try await Foreign("---\ntitle: T\n---\nlast")
        #expect(try await foreign.tagged().last == "last")
    }

    @Test(
        "row 50: what is no front matter is left alone, and the doctor tells",
        arguments: [
            ("---\ntitle: T\nheron\n", true), ("+++\ntitle = 'T'\n+++\nheron\n", true),
            ("heron\n---\ntitle: T\n---\n", false), ("--- \ntitle: T\n--- \nheron\n", false),
        ])
    func noFrontMatter(text: String, isTold: Bool) async throws {
        let foreign = try await Foreign(text)
        #expect(try await foreign.program.done("search", "heron", "--json").lines.count == 1)
        #expect(try await foreign.program.done("show", foreign.path).output.contains("heron"))
        let doctor = try await foreign.program.done("doctor")
        #expect(doctor.output.contains("notes      \(foreign.path): ") == isTold)
        #expect(try foreign.bytes == Array(text.utf8))
    }

    @Test("row 51: of two equal keys the first is read, and the front matter is not rewritten")
    func repeatedKey() async throws {
        let text = "---\ntitle: One\ntitle: Two\n---\nx\n"
        let foreign = try await Foreign(text)
        #expect(try await foreign.program.listed().map(\.title) == ["One"])
        try await foreign.program.fails(
            "edit", foreign.path, "--title", "Three", with: 65, saying: "'title' twice")
        #expect(try foreign.bytes == Array(text.utf8))
        #expect(
            try await foreign.program.run("show", foreign.path).errors.contains("the first counts"))
    }

    @Test("row 52: aliases that multiply cost nothing, and a header over the limits is text")
    func laughs() async throws {
        let letters = "abcdefghi"
        let levels = zip(letters.dropFirst(), letters).map { next, last in
            "\(next): &\(next) [\(Array(repeating: "*\(last)", count: 9).joined(separator: ","))]\n"
        }
        let laughs = try await Foreign(
            "---\na: &a [x]\n\(levels.joined())title: Laughs\n---\nheron\n")
        let outcome = try await laughs.program.done("list", "--json")
        #expect(outcome.output.contains("\"title\":\"Laughs\""))
        #expect(outcome.time < .seconds(5))
        let large = "---\ntitle: Large\nx: \(String(repeating: "y", count: 70_000))\n---\nheron\n"
        let over = try await Foreign(large)
        #expect(try await over.program.listed()[0].warnings.count == 1)
        #expect(try over.bytes == Array(large.utf8))
    }

    @Test(
        "row 53: words that YAML takes for something else are quoted, and come back as words",
        arguments: ["no", "on", "1e3", "0123", "12:30", "~", "null", "2026-01-01", "0x1F", "y"])
    func quoted(word: String) async throws {
        let program = try await AuraProgram.home(.plain)
        let path = try await program.done("capture", "--title", word, "body").lines[0]
        #expect(try program.text(of: path).contains("\ntitle: \"\(word)\"\n"))
        #expect(try await program.shown(path)["title"] as? String == word)
    }

    @Test(
        "row 54: YAML tags make nothing",
        arguments: ["!!python/object:os.system", "!ruby/object:X", "!x"])
    func tags(tag: String) async throws {
        let foreign = try await Foreign("---\ntitle: \(tag) Words\nother: \(tag) [1]\n---\nx\n")
        #expect(try await foreign.program.listed().map(\.title) == ["Words"])
        let lines = try await foreign.tagged()
        #expect(lines.contains("title: \(tag) Words") && lines.contains("other: \(tag) [1]"))
    }

    @Test(
        "row 55: front matter that cannot be changed line by line is told and kept",
        arguments: ["title: T\n\tsub: x", "? [a, b]\n: value\ntitle: T"])
    func unusual(fields: String) async throws {
        let text = "---\n\(fields)\n---\nheron\n"
        let foreign = try await Foreign(text)
        #expect(try await foreign.program.listed()[0].warnings.isEmpty == false)
        try await foreign.program.fails("edit", foreign.path, "--tag", "+x", with: 65)
        #expect(try foreign.bytes == Array(text.utf8))
    }

    @Test("row 56: keys, comments and order of other programs stay")
    func unknownKeys() async throws {
        let head = "# mine\ncssclass: wide   # for Obsidian\ntags: [a]\naliases:\n  - 'b'\ntitle: T"
        let foreign = try await Foreign("---\n\(head)\n---\nx\n")
        let lines = try await foreign.tagged()
        let kept = lines.filter { !$0.hasPrefix("modified:") }.joined(separator: "\n")
        #expect(kept == "---\n\(head.replacing("[a]", with: "[a, extra]"))\n---\nx\n")
    }

    @Test("row 57: a note cannot take another's id, path or vault, nor an endless title")
    func hostile() async throws {
        let program = try await AuraProgram.home(.plain)
        let id = "01KJ0WZ8Q4T9M3C5V7X2B6N1RA"
        try program.write(Array("---\nid: \(id)\ntitle: First\n---\nx\n".utf8), to: "Personal/a.md")
        try await program.done("list")
        let hostile = """
            ---
            id: \(id)
            path: ../../x.md
            vault: ../keys
            created: 99999-99-99T99:99:99Z
            title: \(String(repeating: "t", count: 60_000))
            ---
            x

            """
        try program.write(Array(hostile.utf8), to: "Personal/b.md")
        let notes = try await program.listed().sorted { $0.path < $1.path }
        #expect(notes.map(\.path) == ["Personal/a.md", "Personal/b.md"])
        #expect(notes.map(\.id) == [id, nil] && notes[1].vault == "Personal")
        #expect(notes[1].title.utf8.count <= 2000 && notes[1].created == nil)
        #expect(try await program.done("show", id).output.contains("First"))
        try await program.done("edit", "Personal/b.md", "--tag", "+x")
        #expect(try Files.names(of: program.folder.path).contains("x.md") == false)
    }
}

@Suite("catalogue, 58–64: time, place and script", .timeLimit(.minutes(10)))
struct CatalogueTimeTests {
    @Test("row 58: a clock that jumps changes no 'created' and makes no id twice")
    func jumps() async throws {
        let program = try await AuraProgram.home()
        var paths: [String] = []
        for time in ["2106-02-08T00:00:00Z", "1970-01-01T00:00:00Z", "2026-03-04T10:00:00Z"] {
            paths += try await program.done("--now", time, "capture", "the same heron").lines
            try await program.done(
                "--now", "1999-01-01T00:00:00Z", "edit", paths.last ?? "", "--tag", "+x")
        }
        #expect(
            paths.map { $0.dropFirst(9).prefix(10) } == ["2106-02-08", "1970-01-01", "2026-03-04"])
        let notes = try await program.listed()
        #expect(Set(notes.map(\.id)).count == 3)
        #expect(
            Set(notes.compactMap(\.created)) == [
                "2106-02-08T00:00:00Z", "1970-01-01T00:00:00Z", "2026-03-04T10:00:00Z",
            ])
    }

    /// A skipped time moves forward by the gap; of a time that is twice the first counts: `Zone`.
    @Test(
        "row 59: a time that is skipped or comes twice is read by the stated rule, and a day is the local one",
        arguments: [
            ("2026-03-29 01:30", "Europe/London", "2026-03-29T01:30:00Z", "2026-03-29"),
            ("2026-10-25 01:30", "Europe/London", "2026-10-25T00:30:00Z", "2026-10-25"),
            ("2026-03-04T23:30:00Z", "Asia/Tokyo", "2026-03-04T23:30:00Z", "2026-03-05"),
            ("2026-03-05T02:30:00Z", "America/New_York", "2026-03-05T02:30:00Z", "2026-03-04"),
        ])
    func zones(now: String, zone: String, created: String, day: String) async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("--now", now, "--zone", zone, "capture", "a heron").lines[
            0]
        #expect(path == "Personal/\(day)_a-heron.md")
        #expect(try await program.listed()[0].created == created)
    }

    @Test(
        "row 60: a zone that is not there is told, and UTC is taken",
        arguments: ["Nope/Zone", ":/nope", "::"])
    func unknownZone(name: String) async throws {
        let program = try await AuraProgram.home()
        let outcome = try await program.done(
            "--now", "2026-03-04T23:30:00Z", "capture", "a heron", environment: ["TZ": name])
        #expect(outcome.output == "Personal/2026-03-04_a-heron.md\n")
        #expect(outcome.errors.contains("times are in UTC"))
    }

    @Test(
        "row 61: leap days, week 53 and years of two digits",
        arguments: [
            ("2027-01-01", "29 February", "2028-02-29"), ("2026-12-30", "week 53", "2026-12-28"),
            ("2026-03-04", "5/3/27", "2027-03-05"),
        ])
    func calendar(today: String, words: String, start: String) async throws {
        let program = try AuraProgram()
        let outcome = try await program.done(
            "--now", today, "--zone", "Europe/London", "when", words, "--json")
        #expect(outcome.output.contains("\"start\":\"\(start)\""), "\(outcome.output)")
    }

    @Test(
        "row 62: the language of the system changes no output, no folding and no digit",
        arguments: ["C", "POSIX", "tr_TR.UTF-8", "ar_EG.UTF-8", "fa_IR", "nope"])
    func locales(name: String) async throws {
        let environment: [String: String?] = ["LANG": name, "LC_ALL": name]
        let program = try await AuraProgram.home(.plain)
        let path = try await program.done(
            "--now", "2026-03-04T10:00:00Z", "capture", "--title", "Iıİi café ISTANBUL",
            "due 2026-03-09",
            environment: environment
        ).lines[0]
        #expect(try program.text(of: path).contains("title: Iıİi café ISTANBUL\n"))
        #expect(try program.text(of: path).contains("created: 2026-03-04T10:00:00Z\n"))
        let hits = try await program.done("search", "istanbul CAFÉ", environment: environment)
        #expect(hits.output.contains("café ISTANBUL"))
    }

    @Test(
        "row 63: marks that turn or hide text are shown in titles and paths, and stay on the disk")
    func bidirectional() async throws {
        let title = "invoice\u{202E}txt.exe\u{2066}\u{200B}end"
        let text = "---\ntitle: \(title)\n---\nx\n"
        let program = try await AuraProgram.home(.plain)
        try program.write(Array(text.utf8), to: "Personal/a\u{202E}b.md")
        for words in [["list"], ["search", "invoice"], ["show", "Personal/a\u{202E}b.md"]] {
            let output = try await program.run(words).output
            #expect(output.contains("invoice\\u{202E}txt.exe\\u{2066}"), "\(words)")
            #expect(!output.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
        }
        #expect(try program.text(of: "Personal/a\u{202E}b.md") == text)
    }

    @Test("row 64: a flood of marks on one letter is cut and takes no time")
    func marks() async throws {
        let flood = "a" + String(repeating: "\u{301}", count: 20_000)
        let program = try await AuraProgram.home(.plain)
        try program.write(
            Array("---\ntitle: \(flood)\n---\nheron \(flood)\(flood)\n".utf8), to: "Personal/a.md")
        let outcome = try await program.done("search", "heron")
        #expect(outcome.output.utf8.count < 4000 && outcome.output.contains("Personal/a.md"))
        let list = try await program.done("list")
        #expect(list.output.utf8.count < 1000)
        #expect(outcome.time + list.time < .seconds(10))
    }
}
