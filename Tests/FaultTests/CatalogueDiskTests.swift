import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite("catalogue, 19–29: disks", .timeLimit(.minutes(10)))
struct CatalogueDiskTests {
    @Test(
        "row 19: no space while a note is written: nothing is changed, and the text waits or comes back",
        .enabled(if: Mounts.mayUse, Mounts.reason))
    func fullDisk() async throws {
        let program = try AuraProgram(sealing: .encrypted)
        let outcome = try await program.inMounts(
            """
            small "$HOMES" 200k; small "$DATA" 600k
            aura init >&2; aura capture 'the first heron'; fill "$HOMES"
            tell waits aura capture 'the second heron'
            fill "$DATA"
            tell given-back aura capture 'the third heron'
            find "$HOMES" "$DATA" -name '.tmp-*'
            rm "$HOMES/fill" "$DATA/fill"
            aura list --json
            """)
        let lines = outcome.lines
        #expect(lines.dropFirst().prefix(2) == ["waits 74", "given-back 74"], "\(outcome.errors)")
        #expect(!outcome.output.contains("/.tmp-"))
        #expect(outcome.errors.contains("\nthe third heron\n"))
        let titles = try AuraProgram.listed(in: outcome).map(\.title)
        #expect(Set(titles) == ["the first heron", "the second heron"], "\(outcome.errors)")
    }

    @Test(
        "row 20: no space for the index: notes are kept, and what was indexed is found, with a warning",
        .enabled(if: Mounts.mayUse, Mounts.reason))
    func fullIndexDisk() async throws {
        let program = try AuraProgram(sealing: .encrypted)
        let outcome = try await program.inMounts(
            """
            small "$DATA" 600k
            aura init >&2; aura capture 'the first heron'; aura list >&2; fill "$DATA"
            tell capture aura capture 'the second heron'
            tell list aura list --json
            rm "$DATA/fill"; aura search second --json
            """)
        let lines = outcome.lines
        #expect(lines.dropFirst(2).first == "capture 0", "\(outcome.errors)")
        #expect(lines.dropFirst(3).first?.contains("the first heron") == true)
        #expect(lines.dropFirst(4).first == "list 0")
        #expect(lines.last?.contains("the second heron") == true)
        #expect(outcome.errors.contains("the index is older than the notes"))
    }

    @Test(
        "row 22: over quota or past a size limit the text waits or comes back",
        .enabled(if: Strace.mayRun, Strace.reason))
    func quota() async throws {
        let program = try await AuraProgram.home()
        let run = try await Strace.run(
            ["capture", longThought], in: program, calls: ["write"],
            inject: "write:error=EDQUOT:when=1")
        #expect(run.wasHit && run.outcome.status == 74, "\(run.outcome.errors)")
        #expect(run.outcome.errors.contains("Disk quota exceeded"))
        #expect(try await program.listed().count == 1)
        let limited = try await program.shell("ulimit -f 1; aura capture '\(longThought)'")
        #expect(limited.status == 74 && limited.errors.contains(longThought))
        #expect(Aftermath(program: program).temporaries.isEmpty)
    }

    @Test(
        "row 23: on a read-only disk what reads works, and what writes says why it does not",
        .enabled(if: Mounts.mayUse, Mounts.reason))
    func readOnly() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "the first heron").lines[0]
        try await program.done("list")
        try await program.done("capture", "the second heron")
        let outcome = try await program.inMounts(
            """
            mount --bind '\(program.folder.path)' '\(program.folder.path)'
            mount -o remount,ro,bind '\(program.folder.path)'
            tell list aura list --json
            tell show aura show \(path)
            tell capture aura capture 'the third heron'
            tell edit aura edit \(path) --tag +x
            """)
        let lines = outcome.lines
        for end in ["list 0", "show 0", "capture 74", "edit 74"] {
            #expect(lines.contains(end), "\(lines) \(outcome.errors)")
        }
        #expect(try AuraProgram.listed(in: outcome).map(\.title) == ["the first heron"])
        #expect(outcome.errors.contains("Read-only file system"))
        #expect(outcome.errors.contains("the third heron"))
    }

    @Test(
        "row 24: one note that may not be read is told, and the others are listed",
        .enabled(if: Strace.mayRun, Strace.reason))
    func denied() async throws {
        let program = try await AuraProgram.home()
        for number in 1...3 { try await program.done("capture", "heron \(number)") }
        let file = try #require(try program.sealedNotes().first)
        let outcome = try await program.run(
            ["list", "--json"], with: "openat:error=EACCES", of: file)
        #expect(outcome.status == 1)
        #expect(try AuraProgram.listed(in: outcome).count == 2)
        #expect(outcome.errors.contains("\(Files.name(of: file)): Permission denied"))
        #expect(try await program.listed().count == 3)
    }

    @Test(
        "row 25: a note that the disk does not give is told, kept and never emptied",
        .enabled(if: Strace.mayRun, Strace.reason))
    func unreadable() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "the heron").lines[0]
        try await program.done("list")
        let file = try #require(try program.sealedNotes().first)
        let bytes = try Files.bytes(at: file)
        for words in [["show", path], ["edit", path, "--tag", "+x"], ["move", path, "Family"]] {
            let outcome = try await program.run(words, with: "read:error=EIO", of: file)
            #expect(outcome.status == 74 && outcome.errors.contains("Input/output error"))
        }
        #expect(try Files.bytes(at: file) == bytes)
        #expect(try await program.listed().map(\.path) == [path])
    }

    @Test(
        "row 26: what the disk does not confirm is not written",
        .enabled(if: Strace.mayRun, Strace.reason))
    func unconfirmed() async throws {
        let program = try await AuraProgram.home()
        let run = try await Strace.run(
            ["capture", longThought], in: program, calls: ["fsync"],
            inject: "fsync:error=EIO:when=1+")
        #expect(run.wasHit && run.outcome.status == 74 && run.outcome.output.isEmpty)
        #expect(run.outcome.errors.contains(longThought))
        #expect(try await program.listed().isEmpty)
    }

    @Test("row 27: a home that is gone is never an empty home", arguments: [false, true])
    func missingHome(leavesMountPoint: Bool) async throws {
        let program = try await AuraProgram.home()
        try await program.done("capture", "the first heron")
        try await program.done("list")
        try Files.move(program.vaultHome, to: "\(program.vaultHome).away")
        if leavesMountPoint { try Files.makeFolder(program.vaultHome) }
        try await program.fails("list", with: 66, saying: "the vault home is not there")
        try await program.fails("reindex", with: 66)
        try await program.done("capture", "the second heron")
        if leavesMountPoint { #expect(try Files.names(of: program.vaultHome).isEmpty) }
        try Files.removeFolder(program.vaultHome)
        try Files.move("\(program.vaultHome).away", to: program.vaultHome)
        #expect(try await program.listed().count == 2)
    }
}

@Suite("catalogue, 31–44: names, kinds and sizes of files", .timeLimit(.minutes(10)))
struct CatalogueFileTests {
    @Test("row 31: both forms of an accent name the same note; where both exist both are kept")
    func normalForms() async throws {
        let (composed, apart) = ("Family/Caf\u{E9}.md", "Family/Cafe\u{301}.md")
        let program = try await AuraProgram.home(.plain)
        try program.write(Array("apart\n".utf8), to: apart)
        #expect(try await program.done("show", composed).output.hasSuffix("\napart\n"))
        #expect(try await program.listed().count == 1)
        try program.write(Array("composed\n".utf8), to: composed)
        #expect(try await program.listed().count == 2)
        #expect(try await program.done("show", composed).output.hasSuffix("\ncomposed\n"))
        #expect(try await program.done("show", apart).output.hasSuffix("\napart\n"))
    }

    @Test(
        "row 32: a title of 300 letters is whole in the note and cut in the name",
        arguments: ["x", "é", "字"])
    func longTitle(letter: String) async throws {
        let title = String(repeating: letter, count: 300)
        let program = try await AuraProgram.home(.plain)
        let path = try await program.done("capture", "--title", title, "body").lines[0]
        #expect(Files.name(of: path).utf8.count <= 120 && !path.contains("\u{FFFD}"))
        #expect(try program.text(of: path).contains("title: \(title)\n"))
    }

    @Test("row 33: emoji stay in the title, and a list keeps to its width")
    func emoji() async throws {
        let title = "👩‍👩‍👧‍👦 🇬🇧 plan 👍🏽"
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "--title", title, "body").lines[0]
        #expect(path.hasSuffix("_plan.md"))
        #expect(try await program.listed().map(\.title) == [title])
        #expect(try await program.done("list").lines[0].contains(title))
    }

    @Test(
        "row 34: a title that is no name gives a safe name",
        arguments: [
            "..", ".", "!?", "-rf", ":x", " CON", "con", "NUL.txt", "end.", "a/b", "../../x",
        ])
    func unsafeTitle(title: String) async throws {
        let program = try await AuraProgram.home(
            .plain, clock: "Wednesday 2026-03-04 10:00, Europe/London")
        let path = try await program.done("capture", "--title=\(title)", "body").lines[0]
        #expect(
            path.wholeMatch(of: /Personal\/2026-03-04_[a-z0-9][a-z0-9-]*\.md/) != nil, "\(path)")
        #expect(program.notePaths() == [path])
    }

    @Test("row 35: links are neither read nor written through, and are told")
    func links() async throws {
        let program = try await AuraProgram.home(.plain)
        try program.write(Array("# Inside\n".utf8), to: "Personal/inside.md")
        try program.folder.write("an outside heron\n", to: "outside/x.md")
        let outside = "\(program.folder.path)/outside"
        for (name, target) in [
            ("Linked", outside), ("Personal/folder", outside), ("Personal/x.md", "\(outside)/x.md"),
            ("Personal/self.md", "self.md"), ("Personal/passwd.md", "/etc/passwd"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(program.vaultHome)/\(name)", withDestinationPath: target)
        }
        #expect(try await program.listed().map(\.path) == ["Personal/inside.md"])
        for path in ["Linked/x.md", "Personal/folder/x.md", "Personal/x.md", "Personal/self.md"] {
            for words in [["show", path], ["edit", path, "--tag", "+x"], ["rm", path]] {
                let outcome = try await program.run(words)
                #expect(outcome.status != 0 && !outcome.output.contains("outside"), "\(words)")
            }
        }
        #expect(try await program.run("capture", "--vault", "Linked", "a thought").status != 0)
        #expect(try program.folder.read("outside/x.md") == "an outside heron\n")
        #expect(try Files.names(of: outside) == ["x.md"])
        let doctor = try await program.run("doctor")
        #expect(doctor.output.contains("Linked is a link and is passed over"))
        #expect(doctor.output.contains("Personal/passwd.md is a link and is passed over"))
    }

    @Test("row 36: pipes and sockets are not waited for, and a hard link is left whole")
    func kinds() async throws {
        let program = try await AuraProgram.home(.plain)
        try program.write(Array("text\n".utf8), to: "Personal/a.md")
        let folder = "\(program.vaultHome)/Personal"
        #expect(mkfifo("\(folder)/pipe.md", 0o600) == 0)
        #expect(mknod("\(folder)/socket.md", S_IFSOCK | 0o600, 0) == 0)
        #expect(link("\(folder)/a.md", "\(folder)/b.md") == 0)
        #expect(Set(try await program.listed().map(\.title)) == ["a", "b"])
        for name in ["pipe.md", "socket.md"] {
            try await program.fails("show", "Personal/\(name)", with: 74)
        }
        try await program.done("edit", "Personal/a.md", "--tag", "+x")
        #expect(try program.text(of: "Personal/b.md") == "text\n")
    }

    @Test("row 37: a folder called like a note is passed over and told")
    func folderName() async throws {
        let program = try await AuraProgram.home(.plain)
        try program.write(Array("inside\n".utf8), to: "Personal/folder.md/a.md")
        #expect(try await program.listed().isEmpty)
        let doctor = try await program.done("doctor")
        #expect(doctor.output.contains("Personal/folder.md is a folder called like a note"))
    }

    @Test("row 38: a folder that became a link since it was indexed leads nowhere")
    func swapped() async throws {
        let program = try await AuraProgram.home(.plain)
        try program.write(Array("inside\n".utf8), to: "Personal/a.md")
        try program.folder.write("an outside heron\n", to: "outside/a.md")
        try await program.done("list")
        try Files.move("\(program.vaultHome)/Personal", to: "\(program.folder.path)/away")
        try FileManager.default.createSymbolicLink(
            atPath: "\(program.vaultHome)/Personal",
            withDestinationPath: "\(program.folder.path)/outside")
        try await program.fails("show", "Personal/a.md", with: 65, saying: "behind a link")
        try await program.fails("edit", "Personal/a.md", "--tag", "+x", with: 65)
        // A thought for that vault is kept, and not out there.
        try await program.fails("capture", "a thought", with: 65, saying: "your text is kept")
        #expect(try Files.names(of: "\(program.folder.path)/outside") == ["a.md"])
        #expect(try program.folder.read("outside/a.md") == "an outside heron\n")
    }

    /// Unoptimised code is more than ten times slower.
    #if DEBUG
        static let isSlow = true
    #else
        static let isSlow = false
    #endif

    @Test("row 39: a huge note is stored, indexed and found")
    func huge() async throws {
        let line = "The heron stood at the weir and waited for the tide.\n"
        let count = (Self.isSlow ? 1 << 20 : 100_000_000) / line.utf8.count
        let text = String(repeating: line, count: count) + "kingfisher\n"
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "--as", "text", input: .text(text)).lines[0]
        let hits = try await program.done("search", "kingfisher", "--json").lines
        #expect(hits.count == 1)
        #expect(try await program.done("show", "--raw", path).output.hasSuffix(text))
    }

    @Test(
        "row 40: one endless line and deep nesting take linear time",
        arguments: ["line", "quotes", "brackets", "stars", "list"])
    func deep(_ what: String) async throws {
        let count = Self.isSlow ? 20_000 : 8_000_000
        let text: String =
            switch what {
            case "line": String(repeating: "heron ", count: count)
            case "quotes": String(repeating: ">", count: 10_000) + " heron"
            case "brackets":
                String(repeating: "[", count: 10_000) + "heron"
                    + String(repeating: "]", count: 10_000)
            case "stars": String(repeating: "*a _heron ", count: 10_000)
            default:
                (0..<1000).map { String(repeating: " ", count: 2 * $0) + "- heron" }.joined(
                    separator: "\n")
            }
        let program = try await AuraProgram.home(.plain)
        try program.write(Array(text.utf8), to: "Personal/deep.md")
        let found = try await program.run("search", "heron", "--json", deadline: .seconds(60))
        #expect(found.status == 0 && found.lines.count == 1, "\(found.errors)")
    }

    @Test("row 41: a folder of very many notes needs no open file or process for each")
    func many() async throws {
        let program = try await AuraProgram.home(.plain)
        let count = Self.isSlow ? 500 : 50_000
        for number in 1...count {
            // Not flushed one by one: the test would take minutes.
            let path = "\(program.vaultHome)/Personal/\(number).md"
            if number == 1 { try Files.makeFolder(Files.parent(of: path)) }
            try Data("heron \(number)\n".utf8).write(to: URL(fileURLWithPath: path))
        }
        let outcome = try await program.shell(
            "ulimit -n 40 -u 4000; aura search 'heron' -n 5 --json")
        #expect(outcome.status == 0 && outcome.lines.count == 5, "\(outcome.errors)")
        #expect(try await program.done("status", "--json").output.contains("\"notes\":\(count)"))
    }

    @Test("row 42: 32 open files are enough for every kind of work")
    func fewFiles() async throws {
        let program = try await AuraProgram.home()
        let outcome = try await program.shell(
            """
            ulimit -n 32 && path=$(aura capture 'the heron') && aura edit $path --tag +x >&2 \
            && aura search heron --json && aura rm $path >&2 && aura restore >&2 && aura doctor >&2
            """)
        #expect(outcome.status == 0 && outcome.lines.count == 1, "\(outcome.errors)")
    }

    @Test("row 43: nobody else may read what aura makes, whatever the umask; looser homes are told")
    func modes() async throws {
        let program = try AuraProgram(sealing: .encrypted)
        try FileManager.default.removeItem(atPath: "\(program.folder.path)/config")
        let outcome = try await program.shell(
            "umask 000; aura init && aura capture heron && aura search heron && aura config editor vi"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        for place in ["home/Documents", "data/aura", "config"] {
            let root = "\(program.folder.path)/\(place)"
            let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }
            #expect(names?.isEmpty == false)
            for name in names ?? [] {
                let mode = try Files.status(of: "\(root)/\(name)")?.mode
                #expect((mode ?? 0) & 0o077 == 0, "\(place)/\(name)")
            }
        }
        #expect(chmod(program.vaultHome, 0o777) == 0)
        #expect(try await program.run("doctor").output.contains("chmod 700 \(program.vaultHome)"))
    }

    @Test("row 44: what other programs leave is no note")
    func leftovers() async throws {
        let program = try await AuraProgram.home(.plain)
        let names = [
            "a.sync-conflict-20260304-101010-ABCDEFG.md", "a.md~", ".DS_Store", ".a.md.swp",
            ".obsidian/workspace.md", ".placeholder.md.icloud", "~$a.md", ".trash/b.md",
            "node_modules/x.md",
        ]
        for name in names { try program.write(Array("heron\n".utf8), to: "Personal/\(name)") }
        #expect(try await program.listed().isEmpty)
        let doctor = try await program.done("doctor")
        #expect(doctor.output.contains("0 notes"))
    }
}
