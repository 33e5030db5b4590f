import AuraCore
import AuraCrypto
import AuraSystem
import AuraTestKit
import Foundation
import Synchronization
import Testing

/// A command on an encrypted home that a fault may meet.
struct SealedCommand: CustomTestStringConvertible, Sendable {
    let name: String
    var words: [String]
    /// Commands that go before it, without a fault.
    var before: [[String]] = []
    /// A script that edits.
    var editor: String?
    /// How the text is known that it adds to what was there.
    var newText: String?
    /// Nil for all points of it, on each run.
    var pointsAtMost: Int? = 15
    /// It makes a key with a passphrase.
    var needsPassphrase = false

    var testDescription: String { name }

    static let path = "Personal/2026-03-04_the-boiler-quokkaplume.md"
    static let clock = "Wednesday 2026-03-04 10:00, Europe/London"
    /// Distinct words of what there is, and of what the commands bring.
    static let canaries = [
        "quokkaplume", "kestrelloom", "dunlinfern", "wombatgleam", "ospreydraft", "merlindusk",
    ]
    static let kept = ["The boiler quokkaplume " + tail("old"), "A bystander kestrelloom"]

    /// Long enough that a part of it would be seen as a part.
    private static func tail(_ word: String) -> String {
        (1...300).map { "\(word)\($0)" }.joined(separator: " ") + " and the end"
    }

    static let all = [
        SealedCommand(
            name: "capture", words: ["capture", "A wombatgleam " + tail("new")],
            newText: "wombatgleam", pointsAtMost: nil),
        SealedCommand(
            name: "edit --tag", words: ["edit", path, "--tag", "+dunlinfern"], pointsAtMost: nil),
        SealedCommand(
            name: "edit in the editor", words: ["edit", path],
            editor: "echo 'and an ospreydraft' >> \"$1\" && : > \"$0.done\"",
            newText: "ospreydraft", pointsAtMost: nil
        ),
        SealedCommand(name: "move", words: ["move", path, "Projects"]),
        SealedCommand(name: "rm", words: ["rm", path]),
        SealedCommand(name: "restore", words: ["restore", path], before: [["rm", path]]),
        SealedCommand(name: "reindex", words: ["reindex"], before: [["list"]]),
        SealedCommand(
            name: "vaults lock", words: ["vaults", "lock", "Personal", "--passphrase-fd", "3"],
            before: [
                ["edit", path, "--tag", "+dunlinfern"],
                ["capture", "--transcript", "um, the quokkaplume, uh, sang"],
                ["capture", "--title", "Gone quokkaplume", "thrown away"],
                ["rm", "Personal/2026-03-04_gone-quokkaplume.md"],
                ["capture", "--vault", "Projects", "--title", "Far quokkaplume", "moved"],
                ["move", "Projects/2026-03-04_far-quokkaplume.md", "Personal"],
            ], needsPassphrase: true),
    ]

    func home() async throws -> SealedHome {
        let home = try await SealedHome.make(clock: Self.clock)
        if needsPassphrase { try home.keep("a passphrase of a wall", as: "passphrase") }
        try await home.succeed(
            ["capture", "--title", "The boiler quokkaplume", Self.kept[0]])
        try await home.succeed(["capture", "--vault", "Family", Self.kept[1]])
        for words in before { try await home.succeed(words) }
        return home
    }

    func environment(in home: SealedHome) throws -> [String: String?] {
        try SealedHome.environment.with(editor.map { try home.editor($0) } ?? [:])
    }

    /// All points of it, or as many as are looked at, spread over the run.
    func points() async throws -> [FaultPoint] {
        let home = try await home()
        let points = try await Strace.points(
            of: words, in: home.program, environment: environment(in: home),
            redirection: needsPassphrase ? home.redirection : "")
        guard let most = pointsAtMost, !Strace.isDeep else { return points }
        // Where files move, what is written to the index can wait for the long run.
        let chosen = needsPassphrase ? points.filter { $0.call != "pwrite64" } : points
        let count = min(most, chosen.count)
        return (0..<count).map { chosen[$0 * chosen.count / count] }
    }
}

@Suite(
    "an encrypted home that a fault meets", .enabled(if: Strace.mayRun, Strace.reason))
struct SealedFaultTests {
    @Test(
        "killed at any call, a command loses no note, tears nothing and betrays nothing",
        arguments: SealedCommand.all)
    func killed(_ command: SealedCommand) async throws {
        try await go(through: command, .kill)
    }

    @Test(
        "refused by the disk at any call, a command leaves the old or the new and says so",
        arguments: SealedCommand.all.filter { !["reindex", "vaults lock"].contains($0.name) },
        ["EIO", "ENOSPC"])
    func refused(_ command: SealedCommand, _ error: String) async throws {
        try await go(through: command, .error(error))
    }

    private func go(through command: SealedCommand, _ fault: Fault) async throws {
        let points = try await command.points()
        #expect(points.count >= 8)
        var hit: [FaultPoint] = []
        for point in points {
            let home = try await command.home()
            let run = try await Strace.run(
                command.words, in: home.program, fault: fault, at: point,
                environment: command.environment(in: home),
                redirection: command.needsPassphrase ? home.redirection : "")
            guard run.wasHit else { continue }
            hit.append(point)
            let place = "\(command.name), \(fault) at \(point)"
            if fault != .kill {
                #expect([0, 1, 69, 74, 75].contains(run.outcome.status), "\(place)")
                #expect(
                    run.outcome.status == 0 || !run.outcome.errors.isEmpty || point.call == "write",
                    "\(place): nothing was said")
            }
            let places = home.places(of: SealedCommand.canaries)
            // A killed aura leaves its draft in memory-backed storage until the next one comes.
            let betrayed = places.filter { command.editor == nil || !$0.contains(" in run/") }
            #expect(betrayed.isEmpty, "\(place)")
            try await check(home, command, run.outcome, place)
        }
        // How often the index writes depends on how young its files are; the other points are there each time.
        let sure = points.count { $0.call != "pwrite64" }
        #expect(hit.count >= max(sure - 2, points.count / 2))
        report("encrypted \(command.name)", fault, hit)
        PointCount.add(command.name, fault, hit)
    }

    /// Every text is in exactly one listed note, every file opens, and nothing is readable.
    private func check(
        _ home: SealedHome, _ command: SealedCommand, _ outcome: AuraProgram.Outcome,
        _ place: String
    ) async throws {
        // What a stopped change needs to go on is asked of the person again: that must work.
        if command.needsPassphrase {
            let again = try await home.shell(command.words.joined(separator: " "), home.redirection)
            #expect(again.status == 0, "\(place): \(again.errors)")
            let left = try wordsBeforeWall(home)
            #expect(left.isEmpty, "\(place): the home's key still opens \(left)")
            let open = try await home.shell(
                "vaults unlock Personal --passphrase-fd 3", home.redirection)
            #expect(open.status == 0, "\(place): \(open.errors)")
        }
        var notes = try await home.notes()
        let trash = try await home.succeed(["restore"]).lines
        if command.needsPassphrase {
            #expect(trash.count == 1, "\(place): \(trash)")
        } else if !trash.isEmpty {
            #expect(
                !notes.keys.contains(SealedCommand.path), "\(place): removed and there as well")
            #expect(["rm", "restore"].contains(command.name), "\(place)")
            try await home.succeed(["restore", SealedCommand.path])
            notes = try await home.notes()
        }
        for text in SealedCommand.kept {
            #expect(notes.values.filter { $0.contains(text) }.count == 1, "\(place): \(notes)")
        }
        for (path, note) in notes {
            #expect(note.hasPrefix("---\n"), "\(place): \(path)")
        }
        if let text = command.newText {
            let isThere = notes.values.filter { $0.contains(text) }.count
            #expect(isThere <= 1, "\(place)")
            // A path that was told is a promise.
            if outcome.status == 0 || !outcome.output.isEmpty {
                #expect(isThere == 1, "\(place): told and not there")
            }
            if command.editor != nil, isThere == 0 {
                try await expectDraft(home, command, text, place)
            } else if isThere == 0, outcome.status < 128 {
                // The disk refused it: then the person has it back, or the next command brings it in.
                #expect(outcome.errors.contains(text), "\(place): the text is gone")
            }
        }
        // The next commands work, and find no file that does not open.
        try await home.succeed(["capture", "after the fault"])
        let search = try await home.succeed(["search", "--json", "bystander"])
        #expect(search.lines.count == 1, "\(place)")
        let doctor = try await home.run("doctor")
        #expect(doctor.status == 0, "\(place): \(doctor.output)")
        let betrayed = home.places(of: SealedCommand.canaries)
        #expect(betrayed.isEmpty, "\(place)")
        let readable = home.readableFiles().filter { !Files.name(of: $0).hasPrefix(".tmp-") }
        #expect(readable.isEmpty, "\(place)")
    }

    /// Files that the home's own key opens although they tell of a vault behind a wall.
    private func wordsBeforeWall(_ home: SealedHome) throws -> [String] {
        let files = home.files()
        let identity = try #require(files.first { $0.key.hasSuffix("/identity.txt") }).value
        let identities = try AgeIdentity.list(inFile: Secret(identity))
        return home.sealedFiles().filter { path, bytes in
            guard !path.contains("/walls/"),
                let opened = try? AgeFile.openLabelled(bytes, with: identities)
            else { return false }
            let text = "\(opened.label ?? "") \(String(decoding: opened.bytes, as: UTF8.self))"
            return text.contains("quokkaplume")
        }.keys.sorted()
    }

    /// An edit that was saved in the editor and not in the note is offered again.
    private func expectDraft(
        _ home: SealedHome, _ command: SealedCommand, _ text: String, _ place: String
    ) async throws {
        let editors = (try? Files.names(of: "\(home.program.folder.path)/editors")) ?? []
        guard editors.contains(where: { $0.hasSuffix(".done") }) else { return }
        let seen = "\(home.program.folder.path)/seen"
        let outcome = try await home.run(
            command.words, environment: home.editor("cp \"$1\" '\(seen)'"))
        #expect(outcome.status == 0, "\(place): \(outcome.errors)")
        #expect(outcome.errors.contains("unsaved draft"), "\(place): the edit is gone")
        #expect(try home.program.folder.read("seen").contains(text), "\(place)")
    }

    @Test("a move behind a wall that was killed at any call is finished by doing it again")
    func moveAcross() async throws {
        let words = ["move", SealedCommand.path, "Family"]
        func home() async throws -> SealedHome {
            let home = try await SealedHome.make(clock: SealedCommand.clock)
            try home.keep("a passphrase of a wall", as: "passphrase")
            try await home.succeed(
                ["capture", "--title", "The boiler quokkaplume", SealedCommand.kept[0]])
            for verb in ["lock", "unlock"] {
                try await home.succeed(
                    "vaults \(verb) Family --passphrase-fd 3", home.redirection)
            }
            return home
        }
        let all = try await Strace.points(
            of: words, in: home().program, environment: SealedHome.environment)
        let points = all.filter { ["renameat2", "unlink"].contains($0.call) }
        #expect(points.count >= 3)
        var hit: [FaultPoint] = []
        for point in Strace.isDeep ? all : points {
            let home = try await home()
            let run = try await Strace.run(
                words, in: home.program, fault: .kill, at: point,
                environment: SealedHome.environment)
            guard run.wasHit else { continue }
            hit.append(point)
            #expect(!(try await home.paths()).isEmpty, "\(point)")
            if try await home.run("show", "--raw", SealedCommand.path).status == 0 {
                try await home.succeed(words)
            }
            let notes = try await home.notes()
            #expect(notes.count == 1, "\(point): \(notes.keys)")
            #expect(notes.first?.key.hasPrefix("Family/") == true, "\(point)")
            #expect(notes.first?.value.contains(SealedCommand.kept[0]) == true, "\(point)")
            try await home.succeed(["vaults", "lock", "Family"])
            #expect(try wordsBeforeWall(home).isEmpty, "\(point)")
        }
        report("encrypted move behind a wall", .kill, hit)
        PointCount.add("move behind a wall", .kill, hit)
    }

    @Test("killed at any call, a capture into a locked home is filed once or was never told")
    func lockedCapture() async throws {
        let home = try await SealedHome.make(hasPassphrase: true)
        try await home.succeed(["capture", "the first"])
        try await home.lock()
        func words(_ number: Int) -> [String] { ["capture", "The merlindusk number-\(number)-"] }
        let points = try await Strace.points(
            of: words(0), in: home.program, environment: SealedHome.environment)
        #expect(points.count >= 8)
        var told: Set<Int> = [0]
        var hit: [FaultPoint] = []
        for (number, point) in zip(1..., points) {
            let run = try await Strace.run(
                words(number), in: home.program, fault: .kill, at: point,
                environment: SealedHome.environment)
            if run.wasHit { hit.append(point) }
            if !run.outcome.output.isEmpty { told.insert(number) }
            #expect(home.places(of: ["merlindusk"]).isEmpty, "\(point)")
            #expect(home.readableFiles().isEmpty, "\(point)")
        }
        try await home.unlock()
        let notes = try await home.notes()
        for number in 0...points.count {
            let count = notes.values.filter { $0.contains("number-\(number)-") }.count
            #expect(count <= 1)
            #expect(count == 1 || !told.contains(number))
        }
        #expect(notes.count >= told.count + 1)
        #expect(try await home.run("doctor").status == 0)
        #expect(
            try await home.succeed(["search", "--json", "merlindusk"]).lines.count >= told.count)
        report("encrypted capture while locked", .kill, hit)
        PointCount.add("capture while locked", .kill, hit)
    }
}

/// Adds up the points of encrypted homes over the tests of a run.
private enum PointCount {
    private static let seen = Mutex<Set<String>>([])

    static func add(_ command: String, _ fault: Fault, _ points: [FaultPoint]) {
        let (kills, all) = seen.withLock { seen in
            for point in points { seen.insert("\(fault)|\(command)|\(point.call)|\(point.number)") }
            return (seen.filter { $0.hasPrefix("\(Fault.kill)|") }.count, seen.count)
        }
        print("encrypted homes so far: \(kills) points killed, \(all) with errors")
    }
}
