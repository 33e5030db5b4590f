import AuraCore
import AuraCrypto
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// Commands that change a whole home, as a person runs them.
@Suite("commands that change a whole home") struct HomeChangeTests {
    private func home() async throws -> AuraProgram {
        let program = try AuraProgram(sealing: .encrypted)
        for text in ["a thought about wombats", "another one"] {
            let outcome = try await program.run("capture", text)
            guard outcome.status == 0 else {
                throw UnexpectedOutcome(words: ["capture"], outcome: outcome)
            }
        }
        return program
    }

    private func count(_ program: AuraProgram) async throws -> Int {
        let outcome = try await program.run("list", "--json")
        guard outcome.status == 0 else {
            throw UnexpectedOutcome(words: ["list"], outcome: outcome)
        }
        return outcome.lines.count
    }

    @Test("off a terminal a home is decrypted only with --yes")
    func confirmation() async throws {
        let program = try await home()
        #expect(try await program.run("decrypt").status == 64)
        #expect(try VaultHome.open(program.vaultHome).sealing == .age)
        let outcome = try await program.run("decrypt", "--yes")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("the keys stay in"))
        #expect(try await count(program) == 2)
        // The keys are the old ones, so that older backups and this home open alike.
        let before = try await program.run("status")
        #expect(before.status == 0)
        #expect(try await program.run("encrypt").status == 0)
        #expect(try await count(program) == 2)
    }

    @Test("one change of a home at a time: another gets 75")
    func oneAtATime() async throws {
        let program = try await home()
        let id = try VaultHome.open(program.vaultHome).id
        let lock = try FileLock.acquire("\(program.folder.path)/data/aura/\(id)/migration.lock")
        if lock == nil { Issue.record("the lock is not free") }
        for words in [["decrypt", "--yes"], ["encrypt"], ["key", "rotate"]] {
            #expect(try await program.run(words).status == 75, "\(words)")
        }
        #expect(try await program.run("capture", "a third").status == 0)
        _ = consume lock
        #expect(try await count(program) == 3)
    }

    @Test(
        "a second machine with a key of its own opens a copy of the home until its key is removed")
    func secondMachine() async throws {
        let program = try await home()
        let identity = AgeIdentity.make()
        let recipient = identity.recipient.text
        #expect(try await program.run("key", "add-recipient", "age1nonsense").status == 64)
        #expect(try await program.run("key", "add-recipient", recipient).status == 0)
        #expect(try await program.run("key", "add-recipient", recipient).status == 64)
        #expect(try await program.run("key", "show-recipient").lines.last == recipient)
        let code = identity.secretText.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        func second() async throws -> (AuraProgram, AuraProgram.Outcome) {
            let other = try AuraProgram(sealing: .encrypted)
            try AtomicFile.create("\(other.folder.path)/code", code)
            _ = try await other.shell("cp -a '\(program.folder.path)/home/.' .")
            return (other, try await other.shell("aura key restore --code-fd 3 3< ../code"))
        }
        let (other, restored) = try await second()
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try await count(other) == 2)
        #expect(try await other.run("search", "wombats").output.contains("wombats"))

        let own = try #require(try await program.run("key", "show-recipient").lines.first)
        #expect(try await program.run("key", "remove-recipient", own).status == 64)
        let removed = try await program.run("key", "remove-recipient", recipient)
        #expect(removed.status == 0)
        #expect(removed.errors.contains("can keep what they could read"))
        #expect(try await program.run("key", "remove-recipient", recipient).status == 64)
        let left = try await program.run("key", "show-recipient").lines
        #expect(left.count == 1 && left[0] != own && left[0] != recipient)
        #expect(try await count(program) == 2)
        #expect(try await second().1.status == 77)
    }

    @Test("a key with a passphrase is rotated with it, and keeps it")
    func passphrase() async throws {
        let program = try AuraProgram(sealing: .plain)
        try AtomicFile.create("\(program.folder.path)/pass", Array("four plain old words\n".utf8))
        try AtomicFile.create("\(program.folder.path)/wrong", Array("five\n".utf8))
        #expect(try await program.run("capture", "a thought about wombats").status == 0)
        let with = "--passphrase-fd 3 3< ../pass"
        #expect(try await program.shell("aura encrypt \(with)").status == 0)
        #expect(try await count(program) == 1)
        let code = try await program.run("key", "recovery").lines
        #expect(try await program.run("key", "rotate").status == 77)
        #expect(
            try await program.shell("aura key rotate --passphrase-fd 3 3< ../wrong").status == 77)
        #expect(try await program.shell("aura key rotate \(with)").status == 0)
        // The session goes on with the new key.
        #expect(try await count(program) == 1)
        let newCode = try await program.run("key", "recovery").lines
        #expect(newCode.count == 1 && newCode != code)
        #expect(try await program.run("lock").status == 0)
        #expect(try await program.run("list").status == 77)
        #expect(try await program.shell("aura unlock \(with)").status == 0)
        #expect(try await count(program) == 1)
    }

    @Test("readable files in an encrypted home are named by doctor and taken in by encrypt")
    func leftovers() async throws {
        let program = try await home()
        try program.write(Array("# late\n".utf8), to: "Personal/late.md")
        let doctor = try await program.run("doctor")
        #expect(doctor.status == 1 && doctor.output.contains("Personal/late.md"))
        #expect(try await program.run("encrypt").status == 0)
        #expect(try await count(program) == 3)
        #expect(program.notePaths().isEmpty)
        #expect(!(try await program.run("doctor").output.contains("late.md")))
    }
}
