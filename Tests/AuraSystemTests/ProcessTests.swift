import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite("local sockets") struct SocketTests {
    @Test(
        "what is sent arrives, also when the path is too long for an address", arguments: [0, 120])
    func conversation(padding: Int) throws {
        let folder = try TemporaryFolder()
        let deep =
            padding == 0 ? folder.path : "\(folder.path)/\(String(repeating: "d", count: padding))"
        try Files.makeFolder(deep)
        let path = "\(deep)/model.sock"
        let listener = try UnixListener(at: path)
        let client = try UnixConnection.connect(to: path)
        let server = try #require(try listener.accept(within: .seconds(1)))
        #expect(server.peerUser == ThisProcess.user)
        #expect(server.peerProcess == ThisProcess.number)
        let end = ContinuousClock.now + .seconds(5)
        try client.send(Array("hello".utf8), by: end)
        #expect(try server.receive(5, by: end) == Array("hello".utf8))
        #expect(!server.isHungUp)
        client.hangUp()
        #expect(server.isHungUp)
        #expect(try server.receive(1, by: end) == nil)
        #expect(try Files.status(of: path)?.mode == 0o600)
    }

    @Test("nobody there, nobody comes, nobody answers: each is told apart, none waits for ever")
    func silence() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/s"
        #expect { try UnixConnection.connect(to: path) } throws: {
            ($0 as? SystemError)?.isNobodyListening == true
        }
        do {
            let listener = try UnixListener(at: path)
            #expect(try listener.accept(within: .milliseconds(10)) == nil)
            let client = try UnixConnection.connect(to: path)
            #expect { try client.receive(1, by: .now + .milliseconds(10)) } throws: {
                ($0 as? SystemError)?.isTimeout == true
            }
        }
        // The socket is still there and its program is gone.
        #expect { try UnixConnection.connect(to: path) } throws: {
            ($0 as? SystemError)?.isNobodyListening == true
        }
    }
}

@Suite("child processes") struct ChildProcessTests {
    @Test("output and code come back, and only the environment that was given is there")
    func run() throws {
        let recipe = ChildProcess.Recipe(
            "/bin/sh", ["-c", "echo \"$GIVEN-$HOME\"; exit 3"], environment: ["GIVEN": "x"])
        let outcome = try ChildProcess.run(recipe, within: .seconds(5))
        #expect(String(decoding: outcome.output, as: UTF8.self) == "x-\n")
        #expect(outcome.ending == .exited(3))
    }

    @Test("a program that takes too long is killed")
    func deadline() throws {
        let start = ContinuousClock.now
        #expect {
            try ChildProcess.run(.init("/bin/sleep", ["30"]), within: .milliseconds(50))
        } throws: {
            ($0 as? SystemError)?.isTimeout == true
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test("a detached child leads its own session, and a signal is told")
    func detached() throws {
        var recipe = ChildProcess.Recipe("/bin/sleep", ["30"])
        recipe.isDetached = true
        recipe.isLowPriority = true
        let child = try ChildProcess.start(recipe)
        #expect(getsid(child.number) == child.number)
        #expect(getpriority(__priority_which_t(0), UInt32(child.number)) >= 10)
        #expect(child.ending() == nil)
        child.kill()
        #expect(child.waitForEnd(atMost: .seconds(5)) == .signal(9))
    }

    @Test("a missing program is an error")
    func missing() {
        #expect(throws: SystemError.self) { try ChildProcess.start(.init("/no/such/program")) }
    }
}

@Test("the monitor wakes who waits for its value")
func monitor() throws {
    let monitor = Monitor(0)
    try WorkThread.start {
        WorkThread.pause(.milliseconds(10))
        monitor.withLock { $0 = 5 }
    }
    #expect(monitor.wait(atMost: .seconds(5)) { $0 > 0 ? $0 : nil } == 5)
    #expect(monitor.wait(atMost: .milliseconds(5)) { $0 > 9 ? $0 : nil } == nil)
}

@Test("memory figures make sense")
func memory() throws {
    let total = try #require(SystemMemory.total())
    let available = try #require(SystemMemory.available())
    #expect(available > 0 && available <= total)
}
