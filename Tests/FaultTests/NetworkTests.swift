import AuraTestKit
import Foundation
import Testing

@Suite("the network", .enabled(if: Strace.mayRun, Strace.reason))
struct NetworkTests {
    @Test("no command opens a socket to anywhere but this machine's own model server")
    func quiet() async throws {
        let hasModels = TestModels.mayRun(with: TestModels.chat, TestModels.embedding)
        let program = try emptyHome(
            models: hasModels
                ? .files(chat: TestModels.chat, embedding: TestModels.embedding) : .none)
        try program.write(
            Array("# Bread\n\nFlour and salt.\n".utf8), to: "Personal/2026-03-04_bread.md")
        let commands = [
            ["capture", "The hedge supplier changed in March"], ["capture", "--wait", "Buy bread"],
            ["list"], ["show", "Personal/2026-03-04_bread.md"], ["search", "hedge"], ["status"],
            ["doctor"],
            ["ask", "When did the hedge supplier change?"], ["when", "next friday"],
        ]
        for words in commands {
            let run = try await Strace.run(
                words, in: program, calls: ["socket", "connect", "sendto", "sendmsg"],
                environment: ["AURA_MODEL_WARM_SECONDS": "1"], deadline: .seconds(120))
            #expect([0, 1].contains(run.outcome.status), "\(words): \(run.outcome.errors)")
            for line in run.trace.split(separator: "\n") {
                #expect(!line.contains("AF_INET"), "\(words): \(line)")
                #expect(!line.contains("AF_NETLINK"), "\(words): \(line)")
            }
            let opened = run.trace.split(separator: "\n").count { $0.contains("socket(AF_UNIX") }
            print("network: \(words[0]): \(opened) local sockets, none other")
        }
    }
}
