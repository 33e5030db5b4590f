import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Synchronization
import Testing

/// A folder and a worker of its own; the server is ended with it.
private final class Place: Sendable {
    let folder: TemporaryFolder
    let setup: ModelWorker.Setup

    init(warm: Duration = .seconds(20), change: (inout ModelWorker.Setup) -> Void = { _ in }) throws
    {
        folder = try TemporaryFolder()
        var setup = ModelWorker.Setup(
            folder: WorkerFolder("\(folder.path)/run"), program: BuiltProgram.path)
        setup.chatModel = TestModels.chat
        setup.embeddingModel = TestModels.embedding
        setup.context = 2048
        setup.warm = warm
        change(&setup)
        self.setup = setup
    }

    /// Runs the body and ends the server afterwards, whatever happened.
    @discardableResult
    func with<Result>(_ body: (ModelWorker) async throws -> Result) async throws -> Result {
        let worker = ModelWorker(setup)
        do {
            let result = try await body(worker)
            await worker.stopServer()
            return result
        } catch {
            await worker.stopServer()
            throw error
        }
    }
}

private func prompt(
    _ text: String, _ decoding: Prompt.Decoding = .free, most: Int = 32, shared: Int = 0,
    system: String = "Be brief."
) -> Prompt {
    Prompt(
        name: "test", messages: [.init(.system, system), .init(.user, text)], decoding: decoding,
        maximumTokens: most, fingerprint: "", sharedMessages: shared)
}

private let form = Form([
    .fixed("{\"tags\":[\""), .free(.tags(minimum: 2, maximum: 4), end: "\"]"), .fixed(",\"kind\":"),
    .choice(["\"reminder\"", "\"calendar\"", "\"none\""]), .fixed(",\"deadline\":"),
    .choice(["null", "\"2026-03-12\"", "\"2026-03-20\""]), .fixed(",\"title\":\""),
    .free(.line(minimum: 3, maximum: 40), end: "\""), .fixed("}"),
])

private let hasModels = TestModels.mayRun(with: TestModels.chat, TestModels.embedding)

@Suite(
    "the model worker", .serialized, .enabled(if: hasModels, "\(TestModels.reason)"),
    .timeLimit(.minutes(3)))
struct ModelWorkerTests {
    @Test("a reply, a grammar, a form, counts and vectors come from one server that nobody started")
    func everything() async throws {
        let place = try Place()
        try await place.with { worker in
            #expect(await worker.status() == nil)
            let free = try await worker.reply(to: prompt("Say hello."))
            #expect(!free.isEmpty)
            let yes = try await worker.reply(
                to: prompt("Is water wet?", .grammar("root ::= \"yes\" | \"no\"")))
            #expect(["yes", "no"].contains(yes))
            let filled = try await worker.reply(
                to: prompt("Note: pay rent by Friday", .form(form, fallback: "")))
            let pattern =
                #/\{"tags":\["[a-z][a-z0-9-]+(","[a-z][a-z0-9-]+){1,3}"\],"kind":"(reminder|calendar|none)","deadline":(null|"2026-03-12"|"2026-03-20"),"title":"[^"\\]{3,40}"\}/#
            #expect(try pattern.wholeMatch(in: filled) != nil, "\(filled)")
            let counts = try await worker.tokenCounts(of: ["", "one", "one two three"])
            #expect(counts[0] == 0 && counts[1] >= 1 && counts[2] > counts[1])
            #expect(try await worker.contextLength() == 2048)
            let vectors = try await worker.embedder.vectors(for: [
                "The cat sleeps by the window.", "", "A kitten naps at the window.",
            ])
            #expect(worker.embedder.dimensions == 384)
            #expect(vectors.map(\.values.count) == [384, 0, 384])
            #expect(vectors[0].similarity(to: vectors[2]) > 0.6)
            let status = try #require(await worker.status())
            #expect(status.chat == TestModels.chat && status.embedding == TestModels.embedding)
            #expect(await worker.embedder.isWarm())
            let statistics = worker.statistics
            #expect(
                statistics.replies == 3 && statistics.generatedTokens > 3
                    && statistics.loadSeconds > 0)
        }
    }

    @Test("the beginning that prompts share is read once, by either urgency, also after a restart")
    func sharedBeginning() async throws {
        let place = try Place(change: { setup in setup.stateFolder = "\(setup.folder.path)-states" }
        )
        let system = String(
            repeating: "You file short notes of a person and answer in one word. ", count: 20)
        func ask(_ text: String, _ urgency: Sampling.Urgency, _ worker: ModelWorker) async throws
            -> (text: String, reused: Int)
        {
            let before = worker.statistics.reusedTokens
            let reply = try await worker.reply(
                to: prompt(text, most: 6, shared: 1, system: system), Sampling(urgency: urgency))
            return (reply, worker.statistics.reusedTokens - before)
        }
        let first = try await place.with { worker in
            let first = try await ask("one", .interactive, worker)
            #expect(first.reused == 0)
            #expect(try await ask("two", .interactive, worker).reused > 200)
            #expect(try await ask("three", .background, worker).reused > 200)
            return first
        }
        try await place.with { worker in
            let again = try await ask("one", .interactive, worker)
            #expect(again.reused > 200)
            #expect(again.text == first.text)
        }
        // A damaged state is not used.
        let states = "\(place.setup.folder.path)-states"
        let name = try #require(try Files.entries(of: states).first?.name)
        var bytes = try Files.bytes(at: "\(states)/\(name)")
        bytes[bytes.count / 2] ^= 1
        try AtomicFile.replace("\(states)/\(name)", bytes)
        try await place.with { worker in
            let again = try await ask("one", .interactive, worker)
            #expect(again.reused == 0)
            #expect(again.text == first.text)
        }
    }

    @Test(
        "a server killed in the middle of an answer is an error at once, and the next question starts another"
    )
    func killed() async throws {
        let place = try Place()
        try await place.with { worker in
            let process = try #require(try await self.processOfRunningServer(worker))
            let long = prompt("Count from one to a thousand in words.", most: 1500)
            let started = Mutex<ContinuousClock.Instant?>(nil)
            await #expect {
                for try await _ in worker.generate(long, Sampling())
                where started.withLock({ $0 == nil }) {
                    started.withLock { $0 = .now }
                    kill(pid_t(process), SIGABRT)
                }
            } throws: { error in
                (error as? ModelError) == .workerDied(detail: "signal 6")
            }
            let time = try #require(started.withLock { $0 })
            #expect(ContinuousClock.now - time < .seconds(1))
            let again = try await worker.reply(to: prompt("Say hello.", most: 4))
            #expect(!again.isEmpty)
            #expect(try await self.processOfRunningServer(worker) != process)
        }
    }

    @Test("many programs that start the server at once get one")
    func oneServer() async throws {
        let place = try Place()
        try await place.with { worker in
            let processes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let own = ModelWorker(place.setup)
                        _ = try await own.embedder.vectors(for: ["hello"])
                        return await own.status(within: .seconds(2))?.process ?? 0
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(processes.count == 1 && processes.first != 0)
            let second = try ChildProcess.start(
                .init(
                    BuiltProgram.path, ["model-worker", "--socket-folder", place.setup.folder.path])
            )
            #expect(second.waitForEnd(atMost: .seconds(5)) == .exited(0))
            _ = worker
        }
    }

    @Test("a caller who stops listening stops the model")
    func cancellation() async throws {
        let place = try Place()
        try await place.with { worker in
            for try await _ in worker.generate(
                prompt("Tell a very long story.", most: 1800), Sampling())
            { break }
            // The conversation is free again at once, long before 1800 tokens were written.
            let start = ContinuousClock.now
            _ = try await worker.reply(to: prompt("Say hello.", most: 2))
            #expect(ContinuousClock.now - start < .seconds(3))
            // Inside a long prompt too.
            let long = prompt(String(repeating: "many words to read ", count: 450), most: 400)
            let task = Task { try await worker.reply(to: long) }
            try await Task.sleep(for: .milliseconds(100))
            let cut = ContinuousClock.now
            task.cancel()
            _ = try? await task.value
            _ = try await worker.reply(to: prompt("Say hello.", most: 2))
            #expect(ContinuousClock.now - cut < .seconds(3))
        }
    }

    @Test("a person's question goes before background work, which then ends as if nothing had been")
    func preemption() async throws {
        let place = try Place()
        try await place.with { worker in
            let background = prompt("Write a long text about the sea.", most: 240)
            let alone = try await worker.reply(to: background, Sampling(urgency: .background))
            let finished = Mutex(false)
            let task = Task {
                let text = try await worker.reply(to: background, Sampling(urgency: .background))
                finished.withLock { $0 = true }
                return text
            }
            try await Task.sleep(for: .milliseconds(300))
            // Loading the embedding model is part of this wait, on a machine that other tests keep busy.
            let vector = await worker.embedder.vector(for: "a query", within: .seconds(30))
            #expect(vector?.values.count == 384)
            _ = try await worker.reply(to: prompt("Say hello.", most: 8))
            #expect(!finished.withLock { $0 })
            #expect(try await task.value == alone)
        }
    }

    @Test("the server ends when nobody asks, and takes its socket along")
    func idle() async throws {
        let place = try Place(warm: .milliseconds(300))
        try await place.with { worker in
            _ = try await worker.embedder.vectors(for: ["hello"])
            #expect(await worker.status() != nil)
            try await Task.sleep(for: .milliseconds(1500))
            #expect(await worker.status() == nil)
            #expect(try Files.status(of: "\(place.setup.folder.path)/model.sock") == nil)
            #expect(try await worker.embedder.vectors(for: ["hello"]).count == 1)
        }
    }

    @Test("a deadline is kept")
    func deadline() async throws {
        let place = try Place()
        try await place.with { worker in
            _ = try await worker.contextLength()
            let start = ContinuousClock.now
            await #expect {
                try await worker.reply(
                    to: prompt("Tell a very long story.", most: 1800),
                    Sampling(deadline: .milliseconds(400)))
            } throws: { error in
                if case .deadlineExceeded = error as? ModelError { true } else { false }
            }
            #expect(ContinuousClock.now - start < .seconds(2))
        }
    }

    @Test(
        "what cannot be used is named with its file: nothing there, cut off, a few bytes, a folder, a pipe, no memory"
    )
    func unusable() async throws {
        let place = try Place()
        try await place.with { worker in
            let folder = place.folder.path
            let whole = try Files.bytes(at: TestModels.embedding)
            try AtomicFile.create("\(folder)/cut.gguf", Array(whole.prefix(whole.count / 2)))
            try AtomicFile.create("\(folder)/few.gguf", Array(whole.prefix(37)))
            try AtomicFile.create("\(folder)/empty.gguf", [])
            try AtomicFile.create("\(folder)/other.gguf", [UInt8](repeating: 0x20, count: 4096))
            try Files.makeFolder("\(folder)/folder.gguf")
            mkfifo("\(folder)/pipe.gguf", 0o600)
            for name in ["cut", "few", "empty", "other", "folder", "pipe"] {
                var setup = place.setup
                setup.chatModel = "\(folder)/\(name).gguf"
                setup.embeddingModel = setup.chatModel
                let own = ModelWorker(setup)
                await #expect("\(name)") { try await own.reply(to: prompt("hello")) } throws: {
                    error in
                    if case .unusable(setup.chatModel!, _) = error as? ModelError {
                        true
                    } else {
                        false
                    }
                }
                await #expect("\(name)") {
                    try await own.embedder.vectors(for: ["hello"])
                } throws: { error in
                    if case .unusable = error as? ModelError { true } else { false }
                }
            }
            var setup = place.setup
            setup.chatModel = "\(folder)/none.gguf"
            let missing = ModelWorker(setup)
            await #expect(throws: ModelError.missing(role: "chat", path: setup.chatModel)) {
                try await missing.reply(to: prompt("hello"))
            }
            // The server that was asked all this is still well.
            #expect(try await !worker.reply(to: prompt("Say hello.", most: 4)).isEmpty)
        }
        let small = try Place(change: { $0.memoryLimit = 64 << 20 })
        try await small.with { worker in
            await #expect { try await worker.reply(to: prompt("hello")) } throws: { error in
                if case .notEnoughMemory = error as? ModelError { true } else { false }
            }
        }
    }

    @Test(
        "a model that embeds holds no conversation, and says so; a prompt that is too long is told with its size"
    )
    func wrongUse() async throws {
        let place = try Place(change: { $0.context = 512 })
        try await place.with { worker in
            var setup = place.setup
            setup.chatModel = TestModels.embedding
            await #expect {
                try await ModelWorker(setup).reply(to: prompt("hello"))
            } throws: { error in
                if case .unusable(_, let reason) = error as? ModelError {
                    reason.contains("template")
                } else {
                    false
                }
            }
            await #expect {
                try await worker.reply(to: prompt(String(repeating: "many words ", count: 600)))
            } throws: { error in
                if case .promptTooLong(let tokens, 512) = error as? ModelError {
                    tokens > 512
                } else {
                    false
                }
            }
            await #expect {
                try await worker.reply(to: prompt("hello", .grammar("root ::= (")))
            } throws: { error in
                if case .refused(let reason) = error as? ModelError {
                    reason.contains("grammar")
                } else {
                    false
                }
            }
            await #expect {
                try await worker.reply(
                    to: prompt("hello", .grammar("root ::= \"a\"{200} \".\""), most: 10))
            } throws: { error in
                if case .refused = error as? ModelError { true } else { false }
            }
        }
    }

    @Test("a model file that was replaced is read again")
    func replacedFile() async throws {
        let place = try Place()
        try await place.with { _ in
            var setup = place.setup
            let path = "\(place.folder.path)/embedding.gguf"
            try FileManager.default.linkItem(atPath: TestModels.embedding, toPath: path)
            setup.embeddingModel = path
            let worker = ModelWorker(setup)
            #expect(try await worker.embedder.vectors(for: ["hello"]).count == 1)
            try AtomicFile.replace(path, Array("GGUF".utf8) + [UInt8](repeating: 0, count: 100))
            await #expect { try await worker.embedder.vectors(for: ["hello"]) } throws: { error in
                if case .unusable = error as? ModelError { true } else { false }
            }
        }
    }

    @Test("a folder that others may use is not trusted")
    func openFolder() async throws {
        let place = try Place()
        try Files.makeFolder(place.setup.folder.path)
        chmod(place.setup.folder.path, 0o777)
        await #expect { try await ModelWorker(place.setup).reply(to: prompt("hello")) } throws: {
            error in
            if case .workerUnreachable = error as? ModelError { true } else { false }
        }
    }

    @Test("a server of another version is replaced, and what is no server is not waited for")
    func strangers() async throws {
        let place = try Place(change: { $0.program = "/bin/false" })
        let start = ContinuousClock.now
        await #expect(throws: ModelError.workerUnreachable(detail: "it ended with code 1")) {
            try await ModelWorker(place.setup).reply(to: prompt("hello"))
        }
        #expect(ContinuousClock.now - start < .seconds(2))

        try Files.makeFolder(place.setup.folder.path)
        let listener = try UnixListener(at: "\(place.setup.folder.path)/model.sock")
        try WorkThread.start {
            for _ in 0..<2 {
                guard let connection = try? listener.accept(within: .seconds(5)) else { return }
                _ = try? WorkerMessage.receive(
                    WorkerMessage.Request.self, from: connection, by: .now + .seconds(1))
                try? connection.send([0xFF, 0xFF, 0xFF, 0xFF], by: .now + .seconds(1))
            }
        }
        await #expect { try await ModelWorker(place.setup).reply(to: prompt("hello")) } throws: {
            error in
            if case .workerUnreachable = error as? ModelError { true } else { false }
        }
    }

    private func processOfRunningServer(_ worker: ModelWorker) async throws -> Int? {
        _ = try await worker.contextLength()
        _ = try await worker.embedder.vectors(for: ["warm"])
        return await worker.status(within: .seconds(2))?.process
    }
}
