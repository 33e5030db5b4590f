import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite("several at once in an encrypted home")
struct SealedConcurrencyTests {
    @Test("20 captures at once make 20 notes", arguments: [false, true])
    func captures(whileLocked isLocked: Bool) async throws {
        let home = try await SealedHome.make(hasPassphrase: isLocked)
        if isLocked { try await home.lock() }
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            for number in 1...20 {
                // Half of them say the same, so that they want the same name in the same second.
                let text = number % 2 == 0 ? "the same heron" : "heron number \(number)"
                group.addTask { try await home.run("capture", text) }
            }
            var told: Set<String> = []
            for try await outcome in group {
                #expect(outcome.status == 0, "\(outcome.errors)")
                told.formUnion(outcome.lines)
            }
            #expect(told.count == 20)
        }
        if isLocked { try await home.unlock() }
        let notes = try await home.notes()
        #expect(notes.count == 20)
        #expect(notes.values.filter { $0.contains("the same heron") }.count == 10)
        let ids = notes.values.compactMap {
            $0.split(separator: "\n").first { $0.hasPrefix("id: ") }
        }
        #expect(Set(ids).count == 20)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("captures while the index is built anew, again and again, are all listed")
    func captureDuringReindex() async throws {
        let home = try await SealedHome.make()
        for number in 1...10 { try await home.succeed(["capture", "plover before \(number)"]) }
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            group.addTask {
                try await home.program.shell(
                    "for i in $(seq 6); do aura reindex >&2 || exit; done",
                    environment: SealedHome.environment)
            }
            for writer in 1...2 {
                group.addTask {
                    try await home.program.shell(
                        "for i in $(seq 10); do aura capture plover \(writer) $i || exit; done",
                        environment: SealedHome.environment)
                }
            }
            group.addTask {
                try await home.program.shell(
                    "for i in $(seq 6); do aura search plover >&2 || exit; done",
                    environment: SealedHome.environment)
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.errors)") }
        }
        #expect(try await home.paths().count == 30)
        let found = try await home.succeed(["search", "plover", "--json", "--limit", "100"])
        #expect(found.lines.count == 30)
    }

    @Test("captures into a vault that is just being locked are behind its wall, each once")
    func captureDuringVaultLock() async throws {
        let home = try await SealedHome.make()
        try home.keep("a passphrase of a wall", as: "passphrase")
        for number in 1...5 { try await home.succeed(["capture", "before-\(number)-"]) }
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            for writer in 1...3 {
                group.addTask {
                    try await home.program.shell(
                        "for i in $(seq 8); do aura capture heron-\(writer)-$i- || exit; done",
                        environment: SealedHome.environment)
                }
            }
            group.addTask {
                try await home.shell("vaults lock Personal --passphrase-fd 3", home.redirection)
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.errors)") }
        }
        #expect(try await home.paths().isEmpty)
        try await home.succeed("vaults unlock Personal --passphrase-fd 3", home.redirection)
        let notes = try await home.notes()
        #expect(notes.count == 29)
        for writer in 1...3 {
            for number in 1...8 {
                let text = "heron-\(writer)-\(number)-"
                #expect(notes.values.filter { $0.contains(text) }.count == 1, "\(text)")
            }
        }
    }

    @Test("edits of one note at once follow one another, and its history has them all")
    func edits() async throws {
        let home = try await SealedHome.make()
        let path = try await home.succeed(["capture", "a note for many"]).lines[0]
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            for number in 1...8 {
                group.addTask { try await home.run("edit", path, "--tag", "+t\(number)") }
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.errors)") }
        }
        let text = try await home.succeed(["show", "--raw", path]).output
        for number in 1...8 { #expect(text.contains("t\(number)"), "\(text)") }
        #expect(try await home.succeed(["history", path, "--json"]).lines.count == 9)
        #expect(try await home.run("doctor").status == 0)
    }
}
