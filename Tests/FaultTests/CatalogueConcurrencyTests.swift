import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite("catalogue, 1–18: several at once, stopped, killed", .timeLimit(.minutes(10)))
struct CatalogueConcurrencyTests {
    @Test("row 1: captures at once are as many notes, each found")
    func captures() async throws {
        let program = try await AuraProgram.home()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...6 {
                group.addTask { try await program.done("capture", "heron thought \(number)") }
            }
            try await group.waitForAll()
        }
        let notes = try await program.listed()
        #expect(notes.count == 6 && Set(notes.map(\.id)).count == 6)
        #expect(try await program.done("search", "heron", "--json").lines.count == 6)
    }

    @Test("row 2: the same title in the same second makes two notes")
    func sameTitle() async throws {
        let program = try await AuraProgram.home(clock: "Wednesday 2026-03-04 10:00, Europe/London")
        async let first = program.done("capture", "--title", "Plan", "the first")
        async let second = program.done("capture", "--title", "Plan", "the second")
        let paths = try await [first, second].flatMap(\.lines)
        #expect(Set(paths).count == 2 && paths.contains("Personal/2026-03-04_plan.md"))
        let texts = try await [
            program.done("show", paths[0]).output, program.done("show", paths[1]).output,
        ]
        #expect(texts[0].contains("the first") && texts[1].contains("the second"))
    }

    @Test("row 3: who edits a note that somebody else changes keeps both texts")
    func changedWhileEdited() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "the heron text").lines[0]
        let editor = "\(program.folder.path)/bin/editor"
        let script = "#!/bin/sh\naura edit \(path) --tag +theirs >&2\necho mine >> \"$1\"\n"
        try AtomicFile.create(editor, Array(script.utf8), mode: 0o700)
        try await program.fails(
            "edit", path, with: 75, saying: "changed by another", environment: ["EDITOR": editor])
        let text = try await program.done("show", path).output
        #expect(text.contains("theirs") && !text.contains("mine"))
        // What was written is opened again.
        try await program.done("edit", path, environment: ["EDITOR": "grep -q mine"])
    }

    @Test(
        "row 4: what an editor saves during our write stays, and ours is made of it anew",
        .enabled(if: Strace.mayRun, Strace.reason))
    func savedMeanwhile() async throws {
        let words = ["edit", "Personal/a.md", "--tag", "+ours"]
        func home() async throws -> AuraProgram {
            let program = try await AuraProgram.home(.plain)
            try program.write(Array("old text\n".utf8), to: "Personal/a.md")
            return program
        }
        let points = try await Strace.points(of: words, in: home())
        let opening = try #require(points.firstIndex { $0.detail.contains("/Personal/.tmp-") })
        let flush = try #require(points[opening...].first { $0.call == "fsync" })

        // It stops when its new text is written and has no name yet, until it is told to go on.
        let program = try await home()
        let folder = "\(program.vaultHome)/Personal"
        let saving = Task {
            while try !Files.names(of: folder).contains(where: { $0.hasPrefix(".tmp-") }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            try Data("saved text\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/a.md"))
            while true {
                let trace = try program.folder.read("trace")
                if let number = Int32(trace.prefix { $0.isNumber }) { kill(number, SIGCONT) }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let run = try await Strace.run(
            words, in: program, calls: ["fsync"],
            inject: "fsync:signal=STOP:when=\(flush.number)")
        saving.cancel()
        #expect(run.outcome.status == 0, "\(run.outcome.errors)")
        let text = try program.text(of: "Personal/a.md")
        #expect(text.contains("saved text") && text.contains("ours"), "\(text)")
    }

    @Test(
        "row 5: killed at a step of writing, a note is whole or not there",
        .enabled(if: Strace.mayRun, Strace.reason))
    func killed() async throws {
        let words = ["capture", longThought]
        let points = try await Strace.points(of: words, in: try await .home())
        for place in [0, points.count / 3, points.count * 2 / 3, points.count - 1] {
            let program = try await AuraProgram.home()
            let run = try await Strace.run(words, in: program, fault: .kill, at: points[place])
            let notes = try await program.listed()
            #expect(notes.count <= 1 && (run.outcome.output.isEmpty || notes.count == 1))
            for note in notes {
                #expect(try await program.done("show", note.path).output.contains(longThought))
            }
        }
    }

    @Test("row 5: old temporary files of ours are swept, and no others")
    func swept() async throws {
        let program = try await AuraProgram.home()
        let old = Date(timeIntervalSinceNow: -7200)
        let names = [".tmp-0123456789abcdef", ".tmp-mine", ".tmp-fedcba9876543210"]
        for name in names {
            let path = "\(program.vaultHome)/.aura/\(name)"
            try AtomicFile.create(path, [])
            if name != names[2] {
                try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
            }
        }
        try await program.done("work")
        let left = try Files.names(of: "\(program.vaultHome)/.aura")
        #expect(!left.contains(names[0]) && left.contains(names[1]) && left.contains(names[2]))
    }

    @Test(
        "row 6: killed between note and index, the next command indexes it",
        .enabled(if: Strace.mayRun, Strace.reason))
    func killedWhileIndexing() async throws {
        let program = try await AuraProgram.home()
        try await program.done("capture", "the heron at the weir")
        for number in [1, 12] {
            let run = try await Strace.run(
                ["search", "heron"], in: program, calls: ["pwrite64"],
                inject: "pwrite64:signal=KILL:when=\(number)")
            #expect(run.wasHit)
        }
        #expect(try await program.done("search", "heron", "--json").lines.count == 1)
    }

    @Test(
        "row 7: a migration that was killed goes on, and no note is lost or doubled",
        .enabled(if: Strace.mayRun, Strace.reason), arguments: ["renameat2", "unlink"])
    func killedMigration(call: String) async throws {
        let program = try await AuraProgram.home(.plain)
        for number in 1...3 { try await program.done("capture", "heron thought \(number)") }
        let run = try await Strace.run(
            ["encrypt"], in: program, calls: [call], inject: "\(call):signal=KILL:when=3")
        #expect(run.wasHit)
        try await program.done("encrypt")
        let notes = try await program.listed()
        #expect(Set(notes.map(\.id)).count == 3 && notes.count == 3)
        #expect(program.notePaths().isEmpty)
    }

    @Test("row 8: the lock file of a process that is gone holds nobody up")
    func staleLock() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        try AtomicFile.replace("\(program.dataFolder())/write.lock", Array("999999\n".utf8))
        let outcome = try await program.done("edit", path, "--tag", "+x")
        #expect(outcome.time < .seconds(5))
    }

    @Test("row 9: a lock that is held is waited for, then told with its process")
    func heldLock() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        let outcome = try await program.holdingLock {
            try await program.fails(
                "edit", path, "--tag", "+x", with: 75, saying: "(process \(getpid()))")
        }
        #expect(outcome.time > .seconds(9) && outcome.time < .seconds(30))
        try await program.done("edit", path, "--tag", "+x")
    }

    @Test(
        "row 10: where locks are not supported nothing is changed, and it is said",
        .enabled(if: Strace.mayRun, Strace.reason))
    func noLocks() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        let run = try await Strace.run(
            ["edit", path, "--tag", "+x"], in: program, calls: ["flock"],
            inject: "flock:error=ENOLCK")
        #expect(run.wasHit && run.outcome.status == 74, "\(run.outcome.errors)")
        #expect(run.outcome.errors.contains("write.lock: No locks available"))
        #expect(try await !program.listed()[0].tags.contains("x"))
    }

    @Test(
        "row 11: Ctrl-C while a model writes ends with 130, and nothing is saved",
        .enabled(if: TestModels.mayRun(with: TestModels.chat), "\(TestModels.reason)"))
    func interruptedAnswer() async throws {
        let program = try await AuraProgram.home(
            models: .files(chat: TestModels.chat, embedding: nil))
        try await program.done("capture", "The hedge supplier changed in March.")
        let asking = try program.start("ask", "When did the hedge supplier change?")
        _ = try await program.busyServer()
        asking.signal(SIGINT)
        #expect(try await asking.outcome().status == 130)
        #expect(Aftermath(program: program).temporaries.isEmpty)
        #expect(try await program.listed().count == 1)
    }

    @Test("row 12: a second Ctrl-C ends at once")
    func interruptedTwice() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        var shortest = Duration.seconds(10)
        try await program.holdingLock {
            // A busy machine may be late; without the second it never ends before 0.4 s.
            for _ in 1...10 where shortest > .milliseconds(350) {
                let running = try program.start("edit", path, "--tag", "+x")
                try await program.waitUntilWaiting(running)
                let stopped = ContinuousClock.now
                running.signal(SIGINT)
                try await Task.sleep(for: .milliseconds(20))
                running.signal(SIGINT)
                #expect(try await running.outcome().status == 130)
                shortest = min(shortest, ContinuousClock.now - stopped)
            }
        }
        #expect(shortest < .milliseconds(350))
        #expect(Aftermath(program: program).temporaries.isEmpty)
        #expect(try await !program.listed()[0].tags.contains("x"))
    }

    @Test("row 13: TERM and a closed terminal end it with 143", arguments: [SIGTERM, SIGHUP])
    func terminated(signal: Int32) async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        try await program.holdingLock {
            let running = try program.start("edit", path, "--tag", "+x")
            try await program.waitUntilWaiting(running)
            running.signal(signal)
            #expect(try await running.outcome().status == 143)
        }
        #expect(try await !program.listed()[0].tags.contains("x"))
    }

    @Test("row 14: a reader that has seen enough is no error")
    func closedPipe() async throws {
        let program = try await AuraProgram.home()
        let text = Array(repeating: "the heron waits", count: 40_000).joined(separator: "\n")
        let path = try await program.done("capture", input: .text(text)).lines[0]
        let outcome = try await program.shell(
            "(aura show --raw \(path); echo ended $? >&2) | head -n 1")
        #expect(outcome.lines.count == 1)
        #expect(outcome.errors == "ended 0\n")
    }

    @Test("row 15: stopped and continued while it waits for a lock, it goes on")
    func suspended() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        let running = try await program.holdingLock {
            let running = try program.start("edit", path, "--tag", "+x")
            try await program.waitUntilWaiting(running)
            running.signal(SIGSTOP)
            return running
        }
        running.signal(SIGCONT)
        #expect(try await running.outcome().status == 0)
        #expect(try await program.listed()[0].tags.contains("x"))
    }

    @Test("row 16: a second background worker ends at once, and does no harm")
    func overlap() async throws {
        let program = try await AuraProgram.home()
        try await program.done("capture", "a heron")
        try Files.makeFolder(program.dataFolder())
        guard let lock = try FileLock.acquire("\(program.dataFolder())/worker.lock") else {
            Issue.record("the lock is held already")
            return
        }
        let outcome = try await program.done("work", environment: ["AURA_CAPTURE_ENRICH": "true"])
        _ = consume lock
        #expect(outcome.time < .seconds(5) && outcome.errors.isEmpty)
    }

    @Test(
        "row 17: a model that aborts costs its answer alone",
        .enabled(if: TestModels.mayRun(with: TestModels.chat), "\(TestModels.reason)"))
    func abortedModel() async throws {
        let program = try await AuraProgram.home(
            models: .files(chat: TestModels.chat, embedding: nil))
        let running = try program.start("capture", "--wait", "The pump hums again")
        kill(try await program.busyServer(), SIGABRT)
        let outcome = try await running.outcome()
        #expect([0, 69].contains(outcome.status), "\(outcome.errors)")
        #expect(try await program.listed().count == 1)
    }
}

extension AuraProgram {
    /// Returns once the program has opened the lock file that the test holds.
    func waitUntilWaiting(_ running: RunningProgram) async throws {
        let began = ContinuousClock.now
        let folder = "/proc/\(running.number)/fd"
        while ContinuousClock.now < began + .seconds(30) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            // It hides its memory, and this with it from all but root.
            if names.isEmpty, ContinuousClock.now > began + .seconds(1) { return }
            let files = names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            if files.contains(where: { $0.hasSuffix("/write.lock") }) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw SystemError(call: "wait", path: "write.lock", code: 110)
    }
}
