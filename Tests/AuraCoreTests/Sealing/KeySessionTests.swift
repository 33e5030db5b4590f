import AuraCore
import AuraCrypto
import AuraSystem
import AuraTestKit
import Foundation
import Glibc
import Testing

private func text(_ secret: Secret?) -> String? {
    secret?.withBytes { bytes in
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
}

/// A run-time folder and a key name of its own; what was kept is forgotten when the value is released.
private final class Place {
    let folder: TemporaryFolder
    let name = "test-\(UUID().uuidString)"
    let holder: KeySession.Place?

    init(_ holder: KeySession.Place?) throws {
        self.holder = holder
        folder = try TemporaryFolder()
    }

    deinit {
        try? session(holder: nil).end()
        for process in agents { kill(process, SIGKILL) }
    }

    var runtimeFolder: String { "\(folder.path)/run" }
    var socket: String { "\(runtimeFolder)/keys.sock" }

    var environment: [String: String] {
        holder.map { [KeySession.holderVariable: $0.rawValue] } ?? [:]
    }

    func session(
        _ name: String? = nil, holder: KeySession.Place?, program: String? = BuiltProgram.path,
        now: @escaping @Sendable () -> Int64 = { Host.now.seconds }
    ) -> KeySession {
        KeySession(
            name: name ?? self.name, runtimeFolder: runtimeFolder, program: program,
            environment: holder.map { [KeySession.holderVariable: $0.rawValue] } ?? [:], now: now)
    }

    func session(
        _ name: String? = nil, program: String? = BuiltProgram.path,
        now: @escaping @Sendable () -> Int64 = { Host.now.seconds }
    ) -> KeySession {
        session(name, holder: holder, program: program, now: now)
    }

    /// As another process sees it.
    func shown() throws -> String {
        try SecretProgram.run("show", name, runtimeFolder, environment: environment)
    }

    /// The agents that serve this folder.
    var agents: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int32.init).filter { number in
            guard let words = try? Files.bytes(at: "/proc/\(number)/cmdline") else { return false }
            let line = String(decoding: words, as: UTF8.self)
            return line.contains("key-agent") && line.contains(runtimeFolder)
        }
    }

    /// Waits until the condition is true; false when it never is.
    func waits(until condition: () throws -> Bool) async rethrows -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if try condition() { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        // Among many tests a short sleep may outlast the patience.
        return try condition()
    }
}

private let places: [KeySession.Place] =
    SecretProgram.mayUseKeyring ? [.kernel, .agent] : [.agent]

@Suite("the key between commands", .timeLimit(.minutes(10))) struct KeySessionTests {
    @Test(
        "a key that one process keeps is there for the next, until it is ended", arguments: places)
    func keeping(holder: KeySession.Place) throws {
        let place = try Place(holder)
        #expect(try place.shown() == "nothing")
        let before = Host.now.seconds
        let said = try SecretProgram.run(
            "keep", place.name, place.runtimeFolder, BuiltProgram.path, "3600",
            input: "the seed", environment: place.environment)
        #expect(said == holder.rawValue)
        let found = try #require(place.session().secret())
        #expect(text(found.secret) == "the seed")
        #expect((before + 3600...Host.now.seconds + 3600).contains(try #require(found.until)))
        #expect(try place.shown() == "'the seed' until \(found.until ?? 0)")
        // Another name is another key.
        #expect(place.session("other").secret() == nil)
        try place.session().end()
        #expect(place.session().secret() == nil)
        #expect(try place.shown() == "nothing")
        try place.session().end()
    }

    @Test(
        "without a time a key stays, and the last one kept under a name counts", arguments: places)
    func replacing(holder: KeySession.Place) throws {
        let place = try Place(holder)
        try place.session().keep(Secret("first".utf8), for: .seconds(60))
        let bytes = (0...255).map { UInt8($0) }
        try place.session().keep(Secret(bytes), for: nil)
        let found = try #require(place.session().secret())
        #expect(found.secret.isSame(as: Secret(bytes)))
        #expect(found.until == nil)
    }

    @Test("a key is forgotten by its holder when its time is over", arguments: places)
    func expiry(holder: KeySession.Place) async throws {
        let place = try Place(holder)
        try place.session().keep(Secret("seed".utf8), for: .seconds(1))
        // A clock that stands still refuses nothing: only the holder can forget.
        let session = place.session(now: { 0 })
        #expect(session.secret() != nil)
        #expect(await place.waits { session.secret() == nil })
        #expect(await place.waits { place.agents.isEmpty })
        #expect(try Files.status(of: place.socket) == nil)
    }

    @Test("a key over its time is refused, also when its holder still has it", arguments: places)
    func overAge(holder: KeySession.Place) throws {
        let place = try Place(holder)
        try place.session(now: { 1_000_000 }).keep(Secret("seed".utf8), for: .seconds(60))
        #expect(place.session(now: { 1_000_059 }).secret()?.until == 1_000_060)
        #expect(place.session(now: { 1_000_060 }).secret() == nil)
    }

    @Test("the agent ends when its last key is dropped, and takes its socket along")
    func agentEnds() async throws {
        let place = try Place(.agent)
        try place.session("one").keep(Secret("1".utf8), for: nil)
        try place.session("two").keep(Secret("2".utf8), for: .seconds(600))
        #expect(place.agents.count == 1)
        #expect(try Files.status(of: place.socket)?.mode == 0o600)
        try place.session("one").end()
        #expect(text(place.session("two").secret()?.secret) == "2")
        try place.session("two").end()
        #expect(await place.waits { place.agents.isEmpty })
        #expect(try Files.status(of: place.socket) == nil)
        // The next key starts the next one.
        try place.session("one").keep(Secret("3".utf8), for: nil)
        #expect(text(place.session("one").secret()?.secret) == "3")
        try place.session("one").end()
    }

    @Test("many processes that keep a key at once start one agent, and no key is lost")
    func oneAgent() async throws {
        let place = try Place(.agent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                let session = place.session("key-\(number)")
                group.addTask { try session.keep(Secret("\(number)".utf8), for: nil) }
            }
            try await group.waitForAll()
        }
        #expect(await place.waits { place.agents.count == 1 })
        for number in 0..<6 {
            #expect(text(place.session("key-\(number)").secret()?.secret) == "\(number)")
            try place.session("key-\(number)").end()
        }
    }

    @Test("an agent that was killed has taken the key along; nothing hangs")
    func killed() async throws {
        let place = try Place(.agent)
        try place.session().keep(Secret("seed".utf8), for: nil)
        for process in place.agents { kill(process, SIGKILL) }
        #expect(await place.waits { place.session().secret() == nil })
        try place.session().end()
        try place.session().keep(Secret("new".utf8), for: nil)
        #expect(try place.shown() == "'new' until the restart")
    }

    @Test("an agent that answers nothing is an error in time, and no key")
    func silent() throws {
        let place = try Place(.agent)
        try Files.makePrivateFolder(place.runtimeFolder)
        let listener = try UnixListener(at: place.socket)
        let start = ContinuousClock.now
        #expect(place.session().secret() == nil)
        #expect(ContinuousClock.now - start < .seconds(8))
        #expect(throws: KeySessionError.self) { try place.session().end() }
        withExtendedLifetime(listener) {}
    }

    @Test(
        "a socket or a folder that others could use is refused, with its folder named",
        arguments: ["socket", "folder"])
    func open(what: String) throws {
        let place = try Place(.agent)
        try place.session().keep(Secret("seed".utf8), for: nil)
        let path = what == "socket" ? place.socket : place.runtimeFolder
        let mode = try #require(try Files.status(of: path)?.mode)
        chmod(path, mode_t(mode | 0o006))
        let refusal = KeySessionError.unsafeFolder(path: place.runtimeFolder)
        #expect(throws: refusal) { try place.session().keep(Secret("new".utf8), for: nil) }
        #expect(throws: refusal) { try place.session().end() }
        #expect(place.session().secret() == nil)
        chmod(path, mode_t(mode))
        #expect(text(place.session().secret()?.secret) == "seed")
    }

    @Test(
        "a socket or a folder of another user is refused",
        .enabled(if: geteuid() == 0, "only root can make one"), arguments: ["socket", "folder"])
    func foreign(what: String) throws {
        let place = try Place(.agent)
        try place.session().keep(Secret("seed".utf8), for: nil)
        let path = what == "socket" ? place.socket : place.runtimeFolder
        chown(path, 65534, 65534)
        #expect(throws: KeySessionError.unsafeFolder(path: place.runtimeFolder)) {
            try place.session().keep(Secret("new".utf8), for: nil)
        }
        #expect(place.session().secret() == nil)
        chown(path, 0, 0)
        #expect(text(place.session().secret()?.secret) == "seed")
    }

    @Test("what is no request is refused, and the agent serves on")
    func nonsense() throws {
        let place = try Place(.agent)
        try place.session().keep(Secret("seed".utf8), for: nil)
        let end = ContinuousClock.now + .seconds(5)
        func request(_ version: UInt8, _ verb: UInt8, name: [UInt8], valueCount: Int) -> [UInt8] {
            [version, verb, UInt8(name.count), UInt8(valueCount >> 8), UInt8(valueCount & 255)]
                + [UInt8](repeating: 0, count: 8) + name
        }
        let long = [UInt8](repeating: 65, count: 201)
        for bytes in [
            request(2, 2, name: [65], valueCount: 0), request(1, 9, name: [65], valueCount: 0),
            request(1, 1, name: [65], valueCount: 4097), request(1, 2, name: long, valueCount: 0),
            request(1, 1, name: [], valueCount: 0),
        ] {
            let connection = try UnixConnection.connect(to: place.socket)
            try connection.send(bytes, by: end)
            #expect(try connection.receive(3, by: end) == [2, 0, 0])
        }
        // A name that nothing is kept under.
        let connection = try UnixConnection.connect(to: place.socket)
        try connection.send(request(1, 2, name: [65], valueCount: 0), by: end)
        #expect(try connection.receive(3, by: end) == [1, 0, 0])
        #expect(text(place.session().secret()?.secret) == "seed")
    }

    @Test("dropping all is one request, for who locks everything")
    func dropAll() async throws {
        let place = try Place(.agent)
        try place.session("one").keep(Secret("1".utf8), for: nil)
        try place.session("two").keep(Secret("2".utf8), for: nil)
        try KeySession.endAllInAgent(runtimeFolder: place.runtimeFolder)
        #expect(place.session("one").secret() == nil && place.session("two").secret() == nil)
        #expect(await place.waits { place.agents.isEmpty })
    }

    @Test(
        "a key that moves to another holder leaves nothing in the first",
        .enabled(if: SecretProgram.mayUseKeyring, "the kernel's keyring is forbidden here"))
    func moving() throws {
        let place = try Place(nil)
        #expect(try place.session(holder: .kernel).keep(Secret("1".utf8), for: nil) == .kernel)
        #expect(try place.session(holder: .agent).keep(Secret("2".utf8), for: nil) == .agent)
        #expect(place.session(holder: .kernel).secret() == nil)
        #expect(text(place.session(holder: nil).secret()?.secret) == "2")
        #expect(try place.session(holder: nil).keep(Secret("3".utf8), for: nil) == .kernel)
        #expect(place.session(holder: .agent).secret() == nil)
        #expect(text(place.session(holder: nil).secret()?.secret) == "3")
        // Ending reaches both, whatever is wanted.
        try place.session(holder: .agent).end()
        #expect(place.session(holder: nil).secret() == nil)
    }

    @Test("without a program no agent is started, and a holder that there is not is an error")
    func noHolder() throws {
        let place = try Place(.agent)
        #expect(throws: KeySessionError.noHolder(reason: "there is no program to start")) {
            try place.session(program: nil).keep(Secret("1".utf8), for: nil)
        }
        let session = KeySession(
            name: place.name, runtimeFolder: place.runtimeFolder, program: nil,
            environment: ["AURA_KEY_HOLDER": "pocket"])
        #expect(throws: KeySessionError.unknownHolder) {
            try session.keep(Secret("1".utf8), for: nil)
        }
        #expect(session.secret() == nil)
    }

    @Test("words that are not understood end the agent with 64")
    func usage() throws {
        for words in [
            [], ["--socket-folder"], ["--socket-folder", "relative"], ["--other", "/x"],
        ] {
            let child = try ChildProcess.start(.init(BuiltProgram.path, ["key-agent"] + words))
            #expect(child.waitForEnd(atMost: .seconds(10)) == .exited(64))
        }
    }

    @Test("no other program of the user may look into the agent, and it leaves no core file")
    func hygiene() async throws {
        let place = try Place(.agent)
        // Root looks into everything, so the agent runs as somebody else there.
        let user: UInt32 = geteuid() == 0 ? 65534 : geteuid()
        try Files.makePrivateFolder(place.runtimeFolder)
        chown(place.runtimeFolder, user, user)
        chmod(place.folder.path, 0o711)
        func start(_ words: [String]) throws -> ChildProcess {
            let others = geteuid() == 0 ? ["--reuid=\(user)", "--clear-groups"] : []
            return try ChildProcess.start(.init("/usr/bin/setpriv", others + words))
        }
        let agent = try start([
            BuiltProgram.path, "key-agent", "--socket-folder", place.runtimeFolder,
        ])
        let other = try start(["/bin/sleep", "60"])
        defer {
            for child in [agent, other] {
                child.kill()
                _ = child.waitForEnd(atMost: .seconds(5))
            }
        }
        #expect(await place.waits { (try? Files.status(of: place.socket)) != nil })
        func owner(_ child: ChildProcess) -> UInt32? {
            (try? Files.status(of: "/proc/\(child.number)/maps"))?.owner
        }
        #expect(await place.waits { owner(other) == user })
        #expect(owner(agent) == 0)
        let limits = try String(contentsOfFile: "/proc/\(agent.number)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.contains("core file") })
        #expect(core.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
    }
}
