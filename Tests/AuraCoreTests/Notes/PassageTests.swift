import AuraCore
import Testing

@Suite struct PassageTests {
    private func split(_ body: String) -> [Passage] { Passage.split(note: Note(body: body)) }

    @Test("a short note is one passage, exactly as it is written")
    func short() {
        let body = "\n\n  First *line*\n\n- item\n\n[r]: /x\n\n"
        let passages = split(body)
        #expect(passages.map(\.text) == ["  First *line*\n\n- item\n\n[r]: /x"])
        #expect(passages.first?.startLine == 3)
        #expect(passages.first?.headingPath == [])
    }

    @Test("a passage never crosses a heading, and knows those above it")
    func headings() {
        let passages = split(
            "intro\n# A\none\n## B\ntwo\n### C\n# D\nthree\n\nE\n---\nfour\n> # no\n")
        #expect(
            passages.map(\.text) == [
                "intro", "# A\none", "## B\ntwo", "### C", "# D\nthree", "E\n---\nfour\n> # no",
            ])
        #expect(
            passages.map(\.headingPath) == [
                [], ["A"], ["A", "B"], ["A", "B", "C"], ["D"], ["D", "E"],
            ])
        #expect(passages.map(\.startLine) == [1, 2, 4, 6, 7, 10])
        #expect(passages.map(\.ordinal) == Array(0..<6))
    }

    @Test(
        "long text is cut at ends of sentences, and nothing is lost",
        arguments: ["\n", "\r\n", " "])
    func sentences(gap: String) {
        let body = (1...200).map { "This is sentence number \($0) of a long one, é.\(gap)" }
            .joined()
        let passages = split(body)
        #expect(passages.count > 5)
        #expect(passages.allSatisfy { $0.text.hasSuffix("é.") })
        #expect(passages.allSatisfy { TokenCount.estimate($0.text.utf8) <= 256 })
        check(passages, of: body)
    }

    @Test("code stays whole where it fits, and is cut between lines where it does not")
    func code() {
        let prose = String(repeating: "Some words here. ", count: 50)
        let block = "```swift\n" + String(repeating: "let a = b\n", count: 30) + "```\n"
        let passages = split(prose + "\n\n" + block)
        #expect(passages.count == 2)
        #expect(passages.last?.text == String(block.dropLast()))
        let long = "```\n" + String(repeating: "    let name = other.value\n", count: 500) + "```\n"
        let pieces = split("# Code\n" + long)
        #expect(pieces.count > 5)
        #expect(pieces.dropFirst().allSatisfy { $0.text.hasPrefix("    let") || $0.text == "```" })
        check(pieces, of: "# Code\n" + long)
    }

    @Test("lists, quotes and tables are grouped, not scattered")
    func groups() {
        let list = (1...300).map { "- item \($0) with a few words\n" }.joined()
        let passages = split(list)
        #expect(passages.count < 20)
        #expect(passages.allSatisfy { $0.text.hasPrefix("- item") })
        check(passages, of: list)
    }

    @Test(
        "one endless word, and one without blanks, are cut between characters",
        arguments: [
            String(repeating: "x", count: 20_000), String(repeating: "日本語", count: 2000),
            String(repeating: "é", count: 9000), String(repeating: "🌱", count: 3000),
        ])
    func endless(body: String) {
        let passages = split(body)
        #expect(passages.count > 1)
        #expect(passages.map(\.text).joined() == body)
    }

    @Test("nothing to read gives no passages", arguments: ["", "\n \n", "\t"])
    func empty(body: String) {
        #expect(split(body).isEmpty)
    }

    @Test("a huge body is split up to the limit, and says so", .timeLimit(.minutes(1)))
    func huge() {
        let body = String(repeating: "Word after word. ", count: 6000)
        let (passages, isCut) = Passage.split(body: body, limit: 50_001)
        #expect(isCut)
        #expect(passages.last?.byteRange.upperBound == 50_001)
        #expect(!Passage.split(body: body).isCut)
        #expect(Passage.split(body: "aé🌱b", limit: 5).passages.map(\.text) == ["aé"])
    }

    /// Ranges are the text, in order, and hold every visible byte.
    private func check(_ passages: [Passage], of body: String) {
        let bytes = Array(body.utf8)
        var end = 0
        for passage in passages {
            #expect(Array(bytes[passage.byteRange]) == Array(passage.text.utf8))
            #expect(passage.byteRange.lowerBound >= end)
            #expect(bytes[end..<passage.byteRange.lowerBound].allSatisfy { $0 <= 0x20 })
            let line =
                1
                + LineEnding.lines(of: bytes[..<passage.byteRange.lowerBound]).filter {
                    $0.last == 0x0A || $0.last == 0x0D
                }.count
            #expect(passage.startLine == line)
            end = passage.byteRange.upperBound
        }
        #expect(bytes[end...].allSatisfy { $0 <= 0x20 })
    }
}

@Suite struct NoteLinkTests {
    @Test(
        "links to notes are found outside code",
        arguments: [
            ("See [[Q1 plan]].", [NoteLink(target: "Q1 plan")]),
            (
                "[[Folder/name#Part two|words]]",
                [NoteLink(target: "Folder/name", heading: "Part two", alias: "words")]
            ),
            (
                "![[a]] [[#here]]",
                [NoteLink(target: "a", isEmbedded: true), NoteLink(target: "", heading: "here")]
            ),
            ("`[[no]]` [[yes]]\n\n```\n[[no]]\n```\n\n    [[no]]\n", [NoteLink(target: "yes")]),
            (
                "[x](Projects/a%20b.md#top) [y](http://h/x.md) [z](a.png)",
                [NoteLink(target: "Projects/a b.md", heading: "top", alias: "x")]
            ),
            ("[[open\n]] [[]] [[ | ]] [a] [[b]", []),
            ("| [[a\\|b]] | c |\n|---|---|\n", [NoteLink(target: "a", alias: "b")]),
            (
                "[[a]]\n\n[b](b.md)\n\n[[c]]",
                [
                    NoteLink(target: "a"), NoteLink(target: "b.md", alias: "b"),
                    NoteLink(target: "c"),
                ]
            ),
            (
                "- [[in list]]\n> [[in quote]]",
                [NoteLink(target: "in list"), NoteLink(target: "in quote")]
            ),
        ])
    func links(body: String, expected: [NoteLink]) {
        #expect(NoteLink.all(in: body) == expected)
    }
}

@Suite struct TagTests {
    @Test("cl-03: tags are cleaned and each is kept once")
    func cleaning() {
        #expect(
            Tag.list(["Bread Baking", "#DIY", "diy", "bread-baking", "", "  reading "])
                == ["bread-baking", "diy", "reading"])
    }

    @Test(
        "one way to write each tag",
        arguments: [
            ("Work/Rota", "work/rota"), ("##a", "a"), ("snake_case", "snake_case"), ("C++", "c++"),
            ("İstanbul", "i\u{307}stanbul"), ("a,b", "a-b"), ("ÉTÉ", "été"), ("🌱", "🌱"),
            ("1.10", "1.10"),
            ("a\u{0}b\u{202E}c", "a-b-c"), ("日本", "日本"), ("C#", "c#"),
        ])
    func forms(raw: String, tag: String) {
        #expect(Tag.normalised(raw) == tag)
    }

    @Test(
        "what says nothing is no tag",
        arguments: ["", " ", "#", "##", "---", "[]", "\u{200B}", ",", "~", "\"\""])
    func none(raw: String) {
        #expect(Tag.normalised(raw) == nil)
    }

    @Test("a tag is never longer than its limit")
    func long() {
        #expect(Tag.normalised(String(repeating: "é", count: 500))?.utf8.count == 100)
        #expect(
            Tag.normalised("a" + String(repeating: "\u{301}", count: 100_000)).map {
                $0.utf8.count <= 100
            } == true)
    }

    @Test("hashtags in prose")
    func hashtags() {
        #expect(
            Tag.hashtags(in: "#Tapes, see #1 and a#b (#in-text) ## x #work/rota. http://h/#no #ünï")
                == ["tapes", "in-text", "work/rota", "ünï"])
    }
}

@Suite struct FileNameTests {
    private let day = Day(year: 2026, month: 2, day: 28)!

    @Test(
        "titles become names that every system takes",
        arguments: [
            ("Q1 Planning Meeting", "q1-planning-meeting"),
            ("Why CI/CD? \"Fast: cheap\"", "why-ci-cd-fast-cheap"),
            ("Crème brûlée à l'été", "creme-brulee-a-lete"), ("cafe\u{301} rota", "cafe-rota"),
            ("Straße Øre Łódź", "strasse-ore-lodz"),
            ("Ǿ ẫ Œuvre Þing", "o-a-oeuvre-thing"), ("İstanbul ılık", "istanbul-ilik"),
            ("don’t", "dont"),
            ("Планы на год", "планы-на-год"), ("日本語のメモ", "日本語のメモ"), ("हिन्दी नोट", "हिन्दी-नोट"),
            ("ＦＵＬＬ１", "full1"),
            ("a🌱b", "a-b"), ("👨‍👩‍👧 family", "family"), ("..", "id6"), ("", "id6"), ("- -", "id6"),
            ("🌱🌱", "id6"),
            ("CON", "con-id6"), ("com1", "com1-id6"), ("Console", "console"), (".hidden", "hidden"),
            ("-rf /", "rf"),
            ("a\0b\u{202E}c\nd", "a-bc-d"), ("trailing...", "trailing"),
            ("../../etc/passwd", "etc-passwd"),
            ("1.10", "1-10"), ("a_b", "a-b"), ("٣ أشياء", "٣-أشياء"),
        ])
    func slugs(title: String, slug: String) {
        #expect(FileName.slug(title, fallback: "id6") == slug)
        #expect(FileName.name(title: title, day: day, fallback: "id6") == "2026-02-28_\(slug).md")
    }

    @Test(
        "long titles are cut between words, else between characters",
        arguments: [
            String(repeating: "word ", count: 100), String(repeating: "x", count: 300),
            String(repeating: "日", count: 300),
            String(repeating: "é", count: 1_000_000),
            "अ" + String(repeating: "\u{93F}", count: 5000),
            String(repeating: "ए\u{902}", count: 300),
        ])
    func long(title: String) {
        let name = FileName.name(title: title, day: day, fallback: "id6")
        #expect(name.utf8.count <= 120)
        #expect(name.utf8.count > 90)
        #expect(!name.contains("-.md"))
        #expect(!name.contains("\u{FFFD}"))
    }

    @Test("further names carry the id")
    func candidates() throws {
        let id = try #require(NoteID("01KJ0WZ8Q4T9M3C5V7X2B6N1RA"))
        #expect(
            FileName.candidates(title: "Counter reading", day: day, id: id) == [
                "2026-02-28_counter-reading.md", "2026-02-28_counter-reading-b6n1ra.md",
                "2026-02-28_counter-reading-01kj0wz8q4t9m3c5v7x2b6n1ra.md",
            ])
        #expect(FileName.candidates(title: "🌱", day: day, id: id).first == "2026-02-28_b6n1ra.md")
        #expect(
            FileName.candidates(title: String(repeating: "long ", count: 90), day: day, id: id)
                .allSatisfy { $0.utf8.count <= 120 })
    }

    @Test("random titles give safe names")
    func random() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(
                        in: 0...(Bool.random(using: &generator) ? 0x7F : 0x1FFFF), using: &generator
                    ))
            }
            let title = String(String.UnicodeScalarView(scalars))
            let slug = FileName.slug(title, fallback: "id6")
            #expect(!slug.isEmpty)
            #expect(
                !slug.hasPrefix("-") && !slug.hasPrefix(".") && !slug.hasSuffix("-")
                    && !slug.hasSuffix("."))
            #expect(!slug.unicodeScalars.contains { "/\\:*?\"<>| \0".unicodeScalars.contains($0) })
            #expect(slug.utf8.count <= 106)
        }
    }

    @Test(
        "vault names are folders on every system",
        arguments: [
            ("Personal", true), ("Side projects", true), ("日本", true), ("", false),
            (".aura", false), ("_x", false),
            ("a/b", false), ("a\\b", false), ("..", false), ("a.", false), ("a ", false),
            ("CON", false), ("nul.txt", false),
            ("a:b", false), ("a\u{202E}b", false), ("a\nb", false),
            (String(repeating: "x", count: 41), false),
            (String(repeating: "x", count: 40), true), ("-x", false),
        ])
    func vaultNames(name: String, isValid: Bool) {
        #expect(VaultName.isValid(name) == isValid)
    }
}
