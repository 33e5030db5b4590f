import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite(
    "a model that does not work",
    .enabled(if: TestModels.mayRun(with: TestModels.chat), "\(TestModels.reason)"), .serialized)
struct ModelFaultTests {
    /// What may lie where the model file should.
    enum Broken: String, CaseIterable, Sendable {
        case missing, truncated, tiny, folder, pipe

        func make(at path: String) throws {
            switch self {
            case .missing: break
            case .truncated:
                let whole = try FileDescriptor.open(TestModels.chat, for: .read)
                try AtomicFile.create(path, whole.read(upTo: 1 << 20))
            case .tiny:
                try AtomicFile.create(path, [UInt8]("GGUF".utf8) + .init(repeating: 7, count: 33))
            case .folder: try Files.makeFolder(path)
            case .pipe:
                guard mkfifo(path, 0o600) == 0 else { throw SystemError.last("mkfifo", path) }
            }
        }
    }

    static let note = """
        ---
        id: 01KJ0WZ8Q4T9M3C5V7X2B6N1RB
        title: Hedge supplier
        vault: Personal
        type: note
        tags: [garden]
        status: indexed
        created: 2026-03-04T10:00:00Z
        modified: 2026-03-04T10:00:00Z
        ---
        We changed the hedge supplier in March because the old hedge supplier delivered late.

        """
    static let question = "When did we change the hedge supplier?"

    private func program(chat: String?) throws -> AuraProgram {
        let program = try emptyHome(models: .files(chat: chat, embedding: nil))
        try program.write(Array(Self.note.utf8), to: "Personal/2026-03-04_hedge-supplier.md")
        return program
    }

    @Test("it is told with a next step, and everything else goes on", arguments: Broken.allCases)
    func broken(_ broken: Broken) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/chat.gguf"
        try broken.make(at: path)
        let program = try program(chat: path)
        for words in [["ask", Self.question], ["capture", "--wait", "The pump hums again"]] {
            let outcome = try await program.run(words, deadline: .seconds(30))
            #expect(!outcome.wasKilled)
            #expect(outcome.status == 69, "\(words[0]): \(outcome.output)\(outcome.errors)")
            #expect(outcome.time < .seconds(10))
            #expect(outcome.errors.contains("aura model") || outcome.errors.contains("aura doctor"))
        }
        #expect(program.notePaths().count == 2)
        #expect(try await program.run("capture", "The valve drips").status == 0)
        #expect(try await program.run("search", "pump").lines.count >= 1)
        #expect(try await program.run("ask", "--no-ai", Self.question).status == 0)
        #expect(program.processes.isEmpty || program.processes.allSatisfy { $0.isServer })
    }

    @Test("a worker that is killed in the middle of an answer costs that answer alone")
    func killedWorker() async throws {
        let program = try program(chat: TestModels.chat)
        let asking = try program.start("ask", Self.question)
        let server = try await program.busyServer()
        kill(server, SIGKILL)
        let killed = ContinuousClock.now
        let outcome = try await asking.outcome(deadline: .seconds(60))
        #expect(!outcome.wasKilled)
        #expect(outcome.status == 69, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("aura doctor"))
        #expect(ContinuousClock.now - killed < .seconds(5))
        // The next one starts a server anew.
        let next = try await program.run("ask", Self.question, deadline: .seconds(120))
        #expect([0, 1].contains(next.status), "\(next.errors)")
    }

    @Test(
        "Ctrl-C ends an answer within half a second, with 130 and no torn file",
        arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let program = try program(chat: TestModels.chat)
        let asking = try program.start("ask", Self.question)
        _ = try await program.busyServer()
        let stopped = ContinuousClock.now
        asking.signal(signal)
        let outcome = try await asking.outcome(deadline: .seconds(60))
        let time = ContinuousClock.now - stopped
        print("ask stopped \(time) after signal \(signal)")
        #expect(outcome.status == 128 + signal)
        // The reading of the answer here looks up every tenth of a second; a busy machine is slower.
        #expect(time < .milliseconds(ProcessInfo.processInfo.environment["CI"] == nil ? 800 : 2000))
        #expect(Aftermath(program: program).temporaries.isEmpty)
        #expect(try await program.run("list").lines.count == 1)
    }

    @Test("two programs at once share one server, which ends by itself and leaves nothing")
    func oneServer() async throws {
        let program = try program(chat: TestModels.chat)
        let warm: [String: String?] = ["AURA_MODEL_WARM_SECONDS": "1"]
        let first = try program.start("ask", Self.question, environment: warm)
        let second = try program.start("ask", Self.question, environment: warm)
        _ = try await program.busyServer()
        #expect(program.processes.filter { $0.isServer }.count == 1)
        for one in [first, second] {
            let outcome = try await one.outcome(deadline: .seconds(120))
            #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
        }
        let end = ContinuousClock.now + .seconds(20)
        while !program.processes.isEmpty, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(program.processes.isEmpty, "\(program.processes)")
        #expect(try Files.status(of: "\(program.folder.path)/run/aura/model.sock") == nil)
    }
}

@Suite("processes")
struct ChildProcessTests {
    @Test(
        "a command leaves no process behind but the worker, and that ends when nothing is pending")
    func worker() async throws {
        let program = try emptyHome()
        #expect(try await program.run("capture", "a thought").status == 0)
        #expect(program.processes.isEmpty)
        let enriching: [String: String?] = [
            "AURA_CAPTURE_ENRICH": "true", "AURA_ENRICH_ON_BATTERY": "true",
            "AURA_ENRICH_QUIET_SECONDS": "0",
        ]
        for number in 1...4 {
            let outcome = try await program.run(
                "capture", "thought \(number)", environment: enriching)
            #expect(outcome.status == 0)
        }
        let end = ContinuousClock.now + .seconds(20)
        while !program.processes.isEmpty, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(program.processes.isEmpty, "\(program.processes)")
        for path in program.notePaths() {
            #expect(try program.text(of: path).contains("status: indexed"), "\(path)")
        }
    }
}

/// A process that was started with this program's folder.
struct RelatedProcess: CustomStringConvertible {
    let number: Int32
    let words: String

    var isServer: Bool { words.contains("model-worker") }
    var description: String { "\(number): \(words)" }
}

extension AuraProgram {
    var processes: [RelatedProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int32.init).filter { $0 != getpid() }.compactMap { number in
            guard let bytes = try? Files.bytes(at: "/proc/\(number)/cmdline") else { return nil }
            let words = String(decoding: bytes, as: UTF8.self).replacing("\0", with: " ")
            return words.contains(folder.path) ? RelatedProcess(number: number, words: words) : nil
        }
    }

    /// The model server, as soon as it has the model in memory: it is at work on an answer then.
    func busyServer() async throws -> Int32 {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            for process in processes where process.isServer {
                let maps = (try? Files.bytes(at: "/proc/\(process.number)/maps")) ?? []
                if String(decoding: maps, as: UTF8.self).contains(".gguf") { return process.number }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw SystemError(call: "wait", path: "model server", code: 110)
    }
}
