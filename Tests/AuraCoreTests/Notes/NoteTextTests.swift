import AuraCore
import Testing

/// Reads a note from text; the path tells vault and fallback title.
private func read(_ text: String, path: String = "Corporate/2026-02-28_x.md") -> NoteText {
    NoteText(bytes: Array(text.utf8), path: path)
}

private func edited(
    _ text: String, path: String = "Corporate/x.md", _ change: (inout NoteEdit) -> Void
) throws -> String {
    var edit = NoteEdit()
    change(&edit)
    return String(decoding: try read(text, path: path).applying(edit), as: UTF8.self)
}

/// The lines that are in one text and not in the other: `-old`, `+new`.
private func changes(_ old: String, _ new: String) -> [String] {
    func lines(_ text: String) -> [String] {
        LineEnding.lines(of: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }
    let difference = lines(new).difference(from: lines(old))
    return difference.map { step in
        switch step {
        case .remove(_, let line, _): "-" + line
        case .insert(_, let line, _): "+" + line
        }
    }
}

private let later = Instant(iso8601: "2026-03-04T10:00:00Z")

@Suite struct FrontmatterCases {
    @Test("fm-01: a title with a colon is one title")
    func colonTitle() {
        let title = "Storage review: the index layer"
        let bytes = NoteText.compose(
            Note(title: title, vault: "Corporate", body: "Compaction runs nightly.\n"))
        #expect(String(decoding: bytes, as: UTF8.self).contains("title: \"\(title)\"\n"))
        #expect(NoteText(bytes: bytes, path: "Corporate/x.md").note.title == title)
        // As many people have it in files already: not YAML, but clear enough.
        let note = read("---\ntitle: \(title)\ntags: [a, b]\n---\nx\n")
        #expect(note.note.title == title)
        #expect(note.note.tags == ["a", "b"])
        #expect(note.warnings.count == 1)
    }

    @Test("fm-02: rules in the body are body, and a tag changes two lines")
    func rules() throws {
        let text =
            "---\ntitle: Three part memo\nvault: Corporate\ntype: note\ntags: [memo]\ncross_vault_refs: []\nstatus: indexed\nevergreen: false\ncreated: 2026-02-28T14:32:00Z\nmodified: 2026-02-28T14:32:00Z\n---\nPart one: mooring fees.\n\n---\n\nPart two: winter storage.\n\n---\n\nPart three: insurance.\n"
        #expect(read(text).note.body.contains("winter storage"))
        let new = try edited(text) {
            $0.tags = ["memo", "harbour"]
            $0.modified = later
        }
        #expect(
            changes(text, new).sorted() == [
                "+modified: 2026-03-04T10:00:00Z\n", "+tags: [memo, harbour]\n",
                "-modified: 2026-02-28T14:32:00Z\n", "-tags: [memo]\n",
            ])
        #expect(read(new).note.body == read(text).note.body)
    }

    @Test("fm-03: a clock time is a time, and is quoted when the note is rewritten")
    func clockTime() throws {
        let text =
            "---\ntitle: Clinic visit\nvault: Corporate\ntype: task\ntags: []\ncross_vault_refs: []\nstatus: indexed\nevergreen: false\naction:\n  kind: reminder\n  deadline: 2026-03-17\n  time: 16:45\n  is_time_specific: true\ncreated: 2026-02-28T14:32:00Z\nmodified: 2026-02-28T14:32:00Z\n---\nBring the referral letter.\n"
        let action = read(text).note.action
        #expect(action.kind == .reminder)
        #expect(action.deadline == Day(year: 2026, month: 3, day: 17))
        #expect(action.time == TimeOfDay(hour: 16, minute: 45))
        let new = try edited(text) { $0.tags = ["health"] }
        #expect(
            changes(text, new).sorted() == [
                "+  time: \"16:45\"\n", "+tags: [health]\n", "-  time: 16:45\n", "-tags: []\n",
            ])
    }

    @Test("fm-04: a byte order mark and CR LF stay, and are in no value")
    func windows() throws {
        let text =
            "\u{FEFF}---\r\ntitle: Depot visit\r\nvault: Corporate\r\ntype: note\r\ntags: [depot, fleet]\r\nstatus: indexed\r\ncreated: 2026-02-28T14:32:00Z\r\nmodified: 2026-02-28T14:32:00Z\r\n---\r\nForklift service is due.\r\n"
        let note = read(text).note
        #expect(note.tags == ["depot", "fleet"])
        #expect(note.title == "Depot visit")
        #expect(note.body == "Forklift service is due.\r\n")
        let new = try edited(text) {
            $0.tags = ["depot", "fleet", "yard"]
            $0.isEvergreen = true
        }
        #expect(
            changes(text, new).sorted() == [
                "+evergreen: true\r\n", "+tags: [depot, fleet, yard]\r\n",
                "-tags: [depot, fleet]\r\n",
            ])
        #expect(new.utf8.starts(with: [0xEF, 0xBB, 0xBF]))
    }

    @Test("fm-05: numbers and booleans among tags and titles are text")
    func numbers() throws {
        let text =
            "---\ntitle: \"1.10\"\nvault: Corporate\ntype: note\ntags: [2024, yes, 1.10, planning]\ncross_vault_refs: []\nstatus: indexed\nevergreen: false\ncreated: 2026-02-28T14:32:00Z\nmodified: 2026-02-28T14:32:00Z\n---\nRelease notes for the valve firmware.\n"
        let note = read(text).note
        #expect(note.tags == ["2024", "yes", "1.10", "planning"])
        #expect(note.title == "1.10")
        let new = try edited(text) { $0.tags = note.tags + ["firmware"] }
        #expect(
            changes(text, new).sorted() == [
                "+tags: [\"2024\", \"yes\", \"1.10\", planning, firmware]\n",
                "-tags: [2024, yes, 1.10, planning]\n",
            ])
    }

    @Test("fm-06: tags behind hash signs are found and kept")
    func hashes() throws {
        let text =
            "---\ntitle: Backup rota\nvault: Corporate\ntype: note\ntags: #backup #weekend\nstatus: indexed\ncreated: 2026-02-28T14:32:00Z\nmodified: 2026-02-28T14:32:00Z\n---\nSwap tapes on Saturday. See also #tapes in the body.\n"
        #expect(read(text).note.tags == ["backup", "weekend"])
        #expect(read(text).warnings == [.hashTags(line: 5)])
        let new = try edited(text) { $0.tags = ["backup", "weekend", "rota"] }
        #expect(
            changes(text, new).sorted() == [
                "+tags: [backup, weekend, rota]\n", "-tags: #backup #weekend\n",
            ])
    }

    @Test(
        "cm-04: strange titles stay whole and their files have safe names",
        arguments: [
            ("Why CI/CD? \"Fast: cheap\"", "2026-03-04_why-ci-cd-fast-cheap.md"),
            ("🌱🌱", "2026-03-04_2n1ra9.md"), ("...", "2026-03-04_2n1ra9.md"),
        ])
    func strangeTitles(title: String, name: String) throws {
        let bytes = NoteText.compose(Note(title: title, vault: "Corporate"))
        #expect(NoteText(bytes: bytes, path: "Corporate/\(name)").note.title == title)
        let day = try #require(Day(iso: "2026-03-04"))
        #expect(FileName.name(title: title, day: day, fallback: "2n1ra9") == name)
    }
}

@Suite struct NoteReading {
    @Test(
        "tags are read in every form that people write",
        arguments: [
            ("tags: [a, B, \"c d\"]", ["a", "b", "c-d"]), ("tags:\n- a\n- b # why", ["a", "b"]),
            ("tags:\n  - a\n  - 'b'", ["a", "b"]), ("tags: a, b", ["a", "b"]),
            ("tags: work", ["work"]),
            ("tags: #backup #weekend", ["backup", "weekend"]), ("tags: '#a #b'", ["a", "b"]),
            ("tags: \"a, b\"", ["a", "b"]), ("tags: [\"#a\", '#b']", ["a", "b"]), ("tags:", []),
            ("tags: []", []), ("tags: null", []), ("tags: ~", []), ("tags: # later", []),
            ("tags: [2024, yes, 1.10, no, null]", ["2024", "yes", "1.10", "no", "null"]),
            ("tags: 2024", ["2024"]), ("tags: [a, A, a]", ["a"]),
            ("tags: [a, [b], {c: d}, *e]", ["a"]),
            ("tags: Bread Baking", ["bread-baking"]), ("tags: {a: b}", []),
        ])
    func tags(line: String, expected: [String]) {
        #expect(read("---\n\(line)\ntitle: x\n---\n").note.tags == expected)
    }

    @Test(
        "a missing title is the first heading, else the file's name",
        arguments: [
            ("# Real title #\ntext", "Real title"), ("text\n\n## Second\n", "Second"),
            ("Under\n=====\n", "Under"), ("```\n# no\n```\n# Yes\n", "Yes"), ("text", "x"),
            ("", "x"),
            ("---\ntitle:\n---\n# Head\r\n", "Head"), ("---\ntitle: ''\n---\n", "x"),
            ("#tag first\n", "x"), ("---\ntitle: [a]\n---\nb", "x"), ("- a\n---\n", "x"),
        ])
    func titles(text: String, expected: String) {
        #expect(read(text).note.title == expected)
    }

    @Test(
        "dates and times are read with or without clock parts",
        arguments: [
            ("deadline: 2026-03-17", nil), ("deadline: 2026-03-17T00:00:00Z", nil),
            ("deadline: 2026-03-17 16:45", "16:45"), ("deadline: 2026-03-17T00:00:00", nil),
            ("deadline: \"2026-03-17\"\n  time: 9:05", "09:05"),
            ("deadline: '2026-03-17'\n  time: '16:45:30'", "16:45"),
            ("deadline: 2026-03-17\n  time: 1005", nil),
        ])
    func dates(lines: String, time: String?) {
        let note = read("---\naction:\n  kind: reminder\n  \(lines)\n---\n").note
        #expect(note.action.deadline?.description == "2026-03-17")
        #expect(note.action.time?.description == time)
    }

    @Test("unknown words for type, status and kind are read as the usual ones, with a warning")
    func unknownWords() {
        let text = read(
            "---\ntype: memo\nstatus: draft\naction: {kind: alarm}\nid: 12\ncreated: soon\n---\n")
        #expect(text.note.kind == .note)
        #expect(text.note.status == .indexed)
        #expect(text.note.action == .none)
        #expect(text.note.id == nil)
        #expect(text.warnings.count == 5)
        #expect(text.warnings.allSatisfy { !$0.message.isEmpty })
    }

    @Test(
        "the vault is the folder",
        arguments: [
            ("Corporate/x.md", "Trading", "Corporate"), ("x.md", "Trading", "Trading"),
            ("x.md", "../../etc", ""), ("Corporate/x.md", "../..", "Corporate"),
            ("x.md", ".aura", ""),
        ])
    func vaults(path: String, value: String, expected: String) {
        #expect(read("---\nvault: \(value)\n---\n", path: path).note.vault == expected)
    }

    @Test(
        "what is no front matter is body",
        arguments: [
            "---\ntitle: x\nno end\n", "+++\ntitle = 'x'\n+++\nbody\n",
            "---\n\nPart one\n\n---\nPart two\n",
            "--- x\na: b\n---\n", " ---\na: b\n---\n", "---\n- a\n---\n", "----\na: b\n----\n",
            "---", "",
            "---\nNotes, as told: here: there\n---\n",
        ])
    func bodyOnly(text: String) {
        #expect(read(text).note.body == text)
        #expect(read(text).bodyRange == 0..<text.utf8.count)
    }

    @Test(
        "delimiters may have blanks behind them and any line ending",
        arguments: [
            "---  \ntitle: T\n--- \t\nbody", "---\rtitle: T\r---\rbody",
            "---\r\ntitle: T\n---\r\nbody",
            "\u{FEFF}---\ntitle: T\n---\nbody", "---\ntitle: T\n...\nbody",
            "---\n# c\ntitle: T\n\n---\nbody",
        ])
    func delimiters(text: String) {
        #expect(read(text).note.title == "T")
        #expect(read(text).note.body == "body")
    }

    @Test("over the limits a header is not read, and the body is whole")
    func limits() {
        let many = "---\n" + (0..<600).map { "k\($0): v\n" }.joined() + "---\nbody\n"
        #expect(read(many).warnings == [.overLimit])
        #expect(read(many).note.body == "body\n")
        let long = "---\ntitle: \(String(repeating: "x", count: 1_000_000))\n---\nbody\n"
        #expect(read(long).warnings == [.overLimit])
        #expect(read(long).note.title == "x")
        #expect(read(long).note.body == long)
        let deep = "---\na: " + String(repeating: "[", count: 60_000) + "\n---\nbody\n"
        #expect(read(deep).note.body == "body\n")
        let title = "---\ntitle: \(String(repeating: "é", count: 20_000))\n---\nbody\n"
        #expect(read(title).note.title.utf8.count == 2000)
        #expect(read(title).warnings == [.longTitle(line: 2)])
    }

    @Test("aliases, tags and merge keys are inert")
    func inert() {
        let text = read(
            "---\nbase: &b {title: stolen}\n<<: *b\ntype: !!python/object/apply:os.system task\ntitle: *b\n---\nx\n"
        )
        #expect(text.note.title == "x")
        #expect(text.note.kind == .task)
        #expect(text.warnings == [.alias(key: "title", line: 5)])
    }

    @Test("of repeated keys the first counts, with a warning")
    func repeated() {
        let text = read("---\ntitle: a\ntags: [x]\ntitle: b\n---\n")
        #expect(text.note.title == "a")
        #expect(text.warnings == [.repeatedKey("title", line: 4)])
    }

    @Test("bytes that are not text are repaired for reading only")
    func invalidBytes() throws {
        let bytes: [UInt8] =
            Array("---\ntitle: caf".utf8) + [0xE9] + Array("\ntags: [a]\nx: ".utf8)
            + [0x00, 0xFF] + Array("\n---\nbody ".utf8) + [0xFF, 0x00] + Array(" end\nlast\n".utf8)
        let text = NoteText(bytes: bytes, path: "Corporate/x.md")
        #expect(text.note.title == "caf\u{FFFD}")
        #expect(text.note.body == "body \u{FFFD}\0 end\nlast\n")
        var edit = NoteEdit()
        edit.tags = ["a", "b"]
        let new = try text.applying(edit)
        let (old, now) = (LineEnding.lines(of: bytes[...]), LineEnding.lines(of: new[...]))
        #expect(zip(old, now).filter { $0 != $1 }.count == 1)
        edit = NoteEdit()
        edit.body = text.note.body.replacing("last", with: "first")
        #expect(try text.applying(edit) == bytes.dropLast(5) + Array("first\n".utf8))
    }

    @Test("a very large file takes linear time", .timeLimit(.minutes(1)))
    func large() throws {
        var bytes = Array("---\ntitle: Big\ntags: [a]\n---\n".utf8)
        bytes += [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let text = NoteText(bytes: bytes, path: "Corporate/x.md")
        #expect(text.note.title == "Big")
        var edit = NoteEdit()
        edit.tags = ["b"]
        #expect(try text.applying(edit).count == bytes.count)
    }
}

@Suite struct NoteWriting {
    @Test("a new note has exactly the documented form")
    func compose() throws {
        let moment = Instant(iso8601: "2026-02-28T14:32:00Z")
        let note = Note(
            id: NoteID("01KJ0WZ8Q4T9M3C5V7X2B6N1RA"), title: "Q1 Planning Meeting",
            vault: "Corporate",
            kind: .task, tags: ["planning", "q1", "roadmap"],
            crossVaultReferences: ["Projects/2026-02-20_roadmap-draft.md"],
            action: Action(
                kind: .reminder, deadline: Day(iso: "2026-03-15"), time: TimeOfDay("09:00")),
            created: moment, modified: moment, body: "body in Markdown\n")
        let text = """
            ---
            id: 01KJ0WZ8Q4T9M3C5V7X2B6N1RA
            title: Q1 Planning Meeting
            vault: Corporate
            type: task
            tags: [planning, q1, roadmap]
            cross_vault_refs: [Projects/2026-02-20_roadmap-draft.md]
            status: indexed
            evergreen: false
            action:
              kind: reminder
              deadline: 2026-03-15
              time: "09:00"
              is_time_specific: true
            created: 2026-02-28T14:32:00Z
            modified: 2026-02-28T14:32:00Z
            ---
            body in Markdown

            """
        #expect(String(decoding: NoteText.compose(note), as: UTF8.self) == text)
        #expect(read(text, path: "Corporate/x.md").note == note)
        #expect(read(text).warnings.isEmpty)
    }

    @Test(
        "changed tags keep their form",
        arguments: [
            ("tags: [a, b] # why", "tags: [a, b, new] # why"),
            ("tags: [ a,b ]", "tags: [ a,b, new ]"),
            ("tags:\n- a\n- b # c", "tags:\n- a\n- b # c\n- new"),
            ("tags:\n  - 'a'\n  # between\n  - b", "tags:\n  - 'a'\n  # between\n  - b\n  - new"),
            ("tags: a, b", "tags: a, b, new"), ("tags: \"a, b\"", "tags: \"a, b, new\""),
            ("tags: '#a, B'", "tags: 'a, B, new'"), ("tags:", "tags: [a, b, new]"),
            ("tags: # none yet", "tags: [a, b, new] # none yet"), ("tags: []", "tags: [a, b, new]"),
            ("tags: ~", "tags: [a, b, new]"), ("tags: a", "tags: [a, b, new]"),
            ("tags: #a #b", "tags: [a, b, new]"),
            ("tags: #a #b # note", "tags: [a, b, new] # note"),
            ("tags: [\n  a, # first\n  b\n]", "tags: [\n  a, # first\n  b, new\n]"),
            ("tags: [a, gone, B]", "tags: [a, B, new]"), ("tags: [gone]", "tags: [a, b, new]"),
            ("tags: [a, b, gone, gone2]", "tags: [a, b, new]"),
            ("tags:\n- gone\n- a\n- b", "tags:\n- a\n- b\n- new"),
            ("tags:\n- gone", "tags:\n- a\n- b\n- new"),
            ("tags: [1.10, a, yes, b]", "tags: [a, b, new]"),
            ("x: 1", "tags: [a, b, new]\nx: 1"),
        ])
    func tagForms(old: String, new: String) throws {
        let text = "---\ntitle: T\n\(old)\nother: [1]\n---\nbody"
        let expected = "---\ntitle: T\n\(new)\nother: [1]\n---\nbody"
        #expect(try edited(text) { $0.tags = ["a", "b", "new"] } == expected)
    }

    @Test(
        "the last tag leaves an empty list",
        arguments: [
            "tags: [a]", "tags:\n- a\n- b", "tags: a, b", "tags: #a", "tags: [a, b] ",
        ])
    func noTags(line: String) throws {
        let new = try edited("---\ntitle: T\n\(line)\n---\nbody") { $0.tags = [] }
        #expect(read(new).note.tags.isEmpty)
        #expect(new.contains("tags: []"))
    }

    @Test("unknown keys, order, comments and quotes survive every edit")
    func survival() throws {
        let text = """
            ---
            # made by a plugin
            cssclass: 'wide'   # keep
            modified: '2026-01-01T00:00:00Z'
            aliases:
              - "One"

              - Two
            title: "Old"  # my title
            nested: {a: [1, 2], b: &x y}
            ref: *x
            text: |+
              kept

            status: 'indexed'
            \u{20}
            # end
            ---
            body without end
            """
        let new = try edited(text) {
            $0.title = "New: one"
            $0.tags = ["t"]
            $0.modified = later
            $0.isEvergreen = true
            $0.kind = .idea
            $0.vault = "Trading"
            $0.status = .pendingClassification
            $0.crossVaultReferences = ["Projects/a b.md"]
            $0.action = Action(kind: .calendar, deadline: Day(iso: "2026-03-09"))
        }
        #expect(
            changes(text, new).sorted() == [
                "+  deadline: 2026-03-09\n", "+  is_time_specific: false\n", "+  kind: calendar\n",
                "+action:\n", "+cross_vault_refs: [Projects/a b.md]\n", "+evergreen: true\n",
                "+modified: '2026-03-04T10:00:00Z'\n", "+status: 'pending_classification'\n",
                "+tags: [t]\n", "+title: \"New: one\"  # my title\n", "+type: idea\n",
                "+vault: Trading\n",
                "-modified: '2026-01-01T00:00:00Z'\n", "-status: 'indexed'\n",
                "-title: \"Old\"  # my title\n",
            ])
        #expect(
            new.contains("title: \"New: one\"  # my title\nvault: Trading\ntype: idea\ntags: [t]\n")
        )
        #expect(new.contains("status: 'pending_classification'\nevergreen: true\naction:\n  kind"))
    }

    @Test(
        "new keys go where aura would have written them",
        arguments: [
            ("title: T\ncreated: 2026-01-01", "title: T\nstatus: indexed\ncreated: 2026-01-01"),
            ("created: 2026-01-01\ntitle: T", "created: 2026-01-01\ntitle: T\nstatus: indexed"),
            ("foo: 1", "foo: 1\nstatus: indexed"), ("# only\n", "# only\n\nstatus: indexed"),
            ("action:\n  kind: none\n", "status: indexed\naction:\n  kind: none\n"),
        ])
    func places(old: String, new: String) throws {
        #expect(try edited("---\n\(old)\n---\n") { $0.status = .indexed } == "---\n\(new)\n---\n")
    }

    @Test(
        "an action changes part by part",
        arguments: [
            (
                "action:\n  kind: reminder\n  note: mine # x\n  deadline: 2026-03-17T00:00:00Z\n",
                "action:\n  kind: calendar\n  note: mine # x\n  deadline: 2026-03-18\n  time: \"08:30\"\n  is_time_specific: true\n"
            ),
            (
                "action: {kind: reminder, mine: 1, time: 7:00}\n",
                "action: {kind: calendar, deadline: 2026-03-18, mine: 1, time: \"08:30\", is_time_specific: true}\n"
            ),
            (
                "action:\n",
                "action:\n  kind: calendar\n  deadline: 2026-03-18\n  time: \"08:30\"\n  is_time_specific: true\n"
            ),
            (
                "action: none # yet\n",
                "action: # yet\n  kind: calendar\n  deadline: 2026-03-18\n  time: \"08:30\"\n  is_time_specific: true\n"
            ),
        ])
    func actions(old: String, new: String) throws {
        let text = try edited("---\ntitle: T\n\(old)---\n") {
            $0.action = Action(
                kind: .calendar, deadline: Day(iso: "2026-03-18"), time: TimeOfDay("08:30"))
        }
        #expect(text == "---\ntitle: T\n\(new)---\n")
    }

    @Test("no action takes deadline and time away")
    func noAction() throws {
        let text =
            "---\naction:\n  kind: reminder\n  deadline: 2026-03-17\n  time: 16:45\n  x: 1\n---\n"
        #expect(
            try edited(text) { $0.action = Action.none }
                == "---\naction:\n  kind: none\n  x: 1\n---\n")
        let none = "---\ntitle: T\n---\n"
        #expect(try edited(none) { $0.action = Action.none } == none)
    }

    @Test(
        "a note without front matter gains a block in its own style",
        arguments: [
            ("text\n", "---\ntags: [a]\n---\ntext\n"), ("", "---\ntags: [a]\n---\n"),
            ("\u{FEFF}one\r\ntwo", "\u{FEFF}---\r\ntags: [a]\r\n---\r\none\r\ntwo"),
            ("one\rtwo", "---\rtags: [a]\r---\rone\rtwo"),
            (
                "---\n\nrule first\n\n---\nrest",
                "---\ntags: [a]\n---\n---\n\nrule first\n\n---\nrest"
            ),
            ("---\n---\nempty", "---\ntags: [a]\n---\nempty"),
        ])
    func gains(old: String, new: String) throws {
        #expect(try edited(old) { $0.tags = ["a"] } == new)
    }

    @Test("an edit that changes nothing gives the same bytes")
    func nothing() throws {
        let text = "---\r\ntitle: 'T'\ntags: [\"a\" , b]\nevergreen: no\n---\nbody"
        #expect(try edited(text) { _ in } == text)
        let new = try edited(text) {
            $0.title = "T"
            $0.tags = ["b", "a"]
            $0.isEvergreen = false
        }
        #expect(new == text)
    }

    @Test(
        "a new body takes the file's line endings and leaves the header",
        arguments: [
            ("---\r\ntitle: T\r\n---\r\nold\r\n", "a\nb\n", "---\r\ntitle: T\r\n---\r\na\r\nb\r\n"),
            ("---\ntitle: T\ntitle: U\n---\nold", "new", "---\ntitle: T\ntitle: U\n---\nnew"),
            ("old\n", "new", "new"), ("\u{FEFF}old", "new", "\u{FEFF}new"),
        ])
    func bodies(old: String, body: String, new: String) throws {
        #expect(try edited(old) { $0.body = body } == new)
    }

    @Test("a body that would become front matter is refused")
    func sneakyBody() {
        #expect(throws: NoteEditError.wouldCorrupt(key: "body", path: "Corporate/x.md")) {
            try edited("old") { $0.body = "---\ntitle: x\n---\nrest" }
        }
    }

    @Test(
        "what cannot be changed safely is refused, and says why",
        arguments: [
            "---\ntitle: a\ntitle: b\n---\n", "---\ntitle: a: b\n---\n",
            "---\ntitle: a\n\tb: c\n---\n",
            "---\ntitle: open\n", "+++\na = 1\n+++\n", "---\na: &x 1\ntags: &y [b]\nc: *y\n---\n",
            "---\n{title: a, x: 1}\n---\n", "---\ntitle: a\n--- b\nc: d\n---\n",
            "---\naction:\n  kind: none\n  kind: reminder\n---\n", "---\ntags: {a: b}\n---\n",
        ])
    func refusals(text: String) {
        let error = #expect(throws: NoteEditError.self) { try edited(text) { $0.tags = ["new"] } }
        #expect(error?.message.isEmpty == false)
        #expect(error?.hint?.isEmpty == false)
    }

    @Test("blank titles and bad vaults are refused")
    func invalid() {
        #expect(throws: NoteEditError.self) { try edited("x") { $0.title = " \n" } }
        #expect(throws: NoteEditError.self) { try edited("x") { $0.vault = "../x" } }
    }
}

@Suite struct HostileText {
    static let strings: [String] = {
        let words = [
            "yes", "no", "on", "off", "true", "false", "Yes", "NO", "y", "N", "null", "Null", "~",
            "nil",
            "1", "0", "-1", "+1", "1.5", "1.10", "1e3", "1E-3", "0x1F", "0o17", "0123", "0b11",
            "1_000",
            "12:30", "12:30:45", "190:20:30.15", "2024", "2024-01-02", "2024-01-02T03:04:05Z",
            "2001-12-14 21:59:43.10 -5", ".5", "5.", ".inf", "-.inf", ".nan", ".NaN", "+.INF", "=",
            "<<",
            "a: b", "a:b", "a:", ":a", ": a", "a #b", "a#b", "#a", "# a", "- a", "-a", "-", "--",
            "---",
            "...", "--- a", "? a", "?", "?a", "[a]", "[", "]", "{a}", "{", "}", "a, b", ",a", ",",
            "&a",
            "*a", "!a", "!!str a", "|", "|a", ">", ">a", "'", "''", "'a'", "it's", "\"", "\"a\"",
            "a\"b",
            "%a", "%YAML 1.2", "@a", "`a`", "`", "\\", "\\n", "a\\b", "C:\\x", "\"\\\"", "'\"",
            "' #",
            " a", "a ", " ", "  ", "\ta", "a\t", "a\tb", "a\u{A0}", "\u{A0}", "\u{2003}a", "é",
            "É: è",
            "日本語", "日本: 語", "🌱🌱", "👩‍👩‍👧", "🇩🇪", "a\u{301}", "\u{301}a", "'\u{301}", "\"\u{301}",
            "\u{202E}abc", "\u{200B}", "a\u{200B}b", "\u{FEFF}", "\u{FEFF}a", "a\u{FEFF}",
            "\u{FFFD}",
            "\u{FFFE}", "\u{FFFF}", "\u{7F}", "\u{80}", "\u{85}a", "a\u{9F}", "\0", "a\0b",
            "\u{1B}[31m",
            "\u{7}", "\u{E000}", "\u{10FFFF}", "\u{1F600}", "a\u{2028}b", "a\u{2029}b", "title: x",
            "title", "http://x.y/z?a=b#c", "mailto:a@b", "a=b", "a&b", "a*b", "a|b", "a>b", "a%b",
            "50%",
            "!", "a!", "a?", "(a)", "a;b", "$a", "^a", "/a/b", "a/b", "../..", "~/x", "CON",
            "<b>x</b>",
            "{{a}}", "{% a %}", "${a}", "$(rm)", "a\\", "\\u0041", "\\x41", "key: [a, {b: c}]",
            "- - a",
            "1 2", "1,2", "1:2:3", "0", "00", "-0", "0.", "e3", "1e", "0x", "0b2", "09", "1__0",
            "infinity",
            "NaN", "inf", "nan", "None", "none", "T", "F", "Y", "NULL", "TRUE", "False", "ON",
            "OFF",
            "2024-1-2", "20240102", "2024-13-45", "10:20", "1:60", "99:99", "a b", "a  b", "a - b",
            "a : b", "a ? b", "é#x", "x #", "#", "##", "a ,b", "a]b", "a}b",
            "Why CI/CD? \"Fast: cheap\"",
            "Storage review: the index layer",
            "word " + String(repeating: "long ", count: 60) + "end",
        ]
        return words
    }()

    @Test("each string is read back exactly, in every place and style")
    func readBack() throws {
        #expect(HostileText.strings.count >= 200)
        for string in HostileText.strings where !string.allSatisfy(\.isWhitespace) {
            let title = string.unicodeScalars.map { scalar in
                [0x85, 0x2028, 0x2029].contains(scalar.value) ? " " : String(scalar)
            }.joined()
            let bytes = NoteText.compose(Note(title: title, vault: "Personal"))
            #expect(Array(NoteText(bytes: bytes, path: "p").note.title.utf8) == Array(title.utf8))
            for old in [
                "old", "'old'", "\"old\"", "|\n  old", ">-\n  old\n  b", "", "# none", "[a]",
            ] {
                let text = "---\nfirst: 1\ntitle: \(old)\nlast: 1\n---\nbody"
                let new = try edited(text) { $0.title = title }
                #expect(Array(read(new).note.title.utf8) == Array(title.utf8), "\(old) \(string)")
            }
            let references = try edited("x") { $0.crossVaultReferences = [string, "plain"] }
            #expect(read(references).note.crossVaultReferences == [string, "plain"])
        }
    }

    @Test("marks that end a plain scalar for some reader are quoted in lists")
    func flowMarks() {
        #expect(YAMLText.flowList(["a?", "a:b", "a, b", "a"]) == "[\"a?\", \"a:b\", \"a, b\", a]")
        #expect(YAMLText.scalar("Why? a:b, c [d]") == "Why? a:b, c [d]")
    }

    @Test("tags made of them read back as they were written")
    func tags() throws {
        for string in HostileText.strings {
            guard let tag = Tag.normalised(string) else { continue }
            #expect(Tag.normalised(tag) == tag)
            for old in ["tags: [old]", "tags:\n- old", "tags: old, x", "tags:"] {
                let new = try edited("---\n\(old)\n---\n") { $0.tags = ["old", tag] }
                #expect(Set(read(new).note.tags) == ["old", tag], "\(old) \(string)")
            }
        }
    }

    @Test("random edits of random notes change what they say and nothing else")
    func random() throws {
        var generator = SeededGenerator(seed: 20_260_304)
        for _ in 0..<400 {
            let ending = ["\n", "\r\n", "\r"].randomElement(using: &generator)!
            var lines = [
                "title: T", "tags: [a, b]", "custom: 'x'  # c", "list:\n  - 1\n  - 2", "# comment",
                "status: indexed", "evergreen: false", "vault: Personal", "type: note", "",
                "text: >\n  folded\n  text", "action:\n  kind: none", "created: 2026-01-01",
                "cross_vault_refs:\n- a.md", "modified: 2026-01-01",
            ].shuffled(using: &generator)
            lines.removeLast(Int.random(in: 0..<8, using: &generator))
            let text = (["---"] + lines + ["---", "body", ""]).joined(separator: "\n")
                .replacing("\n", with: ending)
            var edit = NoteEdit()
            if Bool.random(using: &generator) {
                edit.title = HostileText.strings.randomElement(using: &generator)
            }
            if edit.title?.allSatisfy(\.isWhitespace) == true { edit.title = "x" }
            if Bool.random(using: &generator) { edit.tags = ["b", "c"] }
            if Bool.random(using: &generator) { edit.status = .pendingClassification }
            if Bool.random(using: &generator) { edit.isEvergreen = true }
            if Bool.random(using: &generator) { edit.modified = later }
            if Bool.random(using: &generator) { edit.crossVaultReferences = ["b.md", "a.md"] }
            if Bool.random(using: &generator) {
                edit.action = Action(kind: .reminder, deadline: Day(iso: "2026-05-06"))
            }
            let old = read(text)
            let bytes = try old.applying(edit)
            let new = NoteText(bytes: bytes, path: "Corporate/x.md")
            #expect(new.note.body == old.note.body)
            #expect(Set(new.note.tags) == Set(edit.tags ?? old.note.tags))
            #expect(try new.applying(edit) == bytes)
            let newText = String(decoding: bytes, as: UTF8.self)
            for line in changes(text, newText) where line.hasPrefix("-") {
                let known = [
                    "title", "tags", "status", "ever", "modified", "cross", "- a.md", "action",
                    "  kind",
                ]
                #expect(known.contains { line.dropFirst().hasPrefix($0) }, "\(line)")
            }
        }
    }
}

@Suite struct TokenSoup {
    private let tokens = [
        "---", "...", "\n", "\n", "\n", "\r\n", "\r", "title", "tags", "action", "time", "deadline",
        ":",
        ": ", ":", "- ", "-", "  ", " ", "\t", "[", "]", "{", "}", ",", ", ", "#", " #", "'", "\"",
        "|",
        ">", "|+", "&a ", "*a", "!!str ", "!", "?", "? ", "%", "@", "a", "b", "16:45", "2026-03-17",
        "é",
        "🌱", "\0", "\u{85}", "\u{2028}", "\u{FEFF}", "~", "null", "tags:", "title: x\n",
        "tags: [a]\n",
        "action:\n  time: 9:00\n", "tags:\n- a\n", "x: |\n  y\n\n", "tags: #a #b\n", "<<: *a\n",
    ]

    @Test("whatever stands in a file, it is read, and changed rightly or not at all")
    func soup() throws {
        var generator = SeededGenerator(seed: 42)
        var changed = 0
        for round in 0..<6000 {
            let count = Int.random(in: 0...14, using: &generator)
            var text = (0..<count).map { _ in tokens.randomElement(using: &generator)! }.joined()
            if round % 3 > 0 { text = "---\n" + text + "\n---\nbody\n" }
            var bytes = Array(text.utf8)
            if round % 7 == 0, !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let old = NoteText(bytes: bytes, path: "Corporate/x.md")
            var edit = NoteEdit()
            edit.tags = ["b", "no"]
            edit.title = "A: b"
            if round % 2 == 0 {
                edit.action = Action(kind: .reminder, deadline: Day(iso: "2026-03-18"))
            }
            guard let result = try? old.applying(edit) else { continue }
            changed += 1
            let new = NoteText(bytes: result, path: "Corporate/x.md")
            #expect(Set(new.note.tags) == ["b", "no"])
            #expect(new.note.title == "A: b")
            #expect(result[new.bodyRange].elementsEqual(bytes[old.bodyRange]))
            #expect(try new.applying(edit) == result)
        }
        #expect(changed > 1500)
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
