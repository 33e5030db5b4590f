import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A vault with a lock of its own, as a person uses it.
@Suite("a vault that is locked by itself")
struct WallTests {
    /// Two notes behind the wall of Family, one outside; the wall is locked.
    private static func home() async throws -> SealedHome {
        let home = try await SealedHome.make(hasPassphrase: true)
        try home.keep("behind the wall", as: "wall")
        try await home.succeed(["capture", "--title", "Open", "the heron stands"])
        let leek = try await home.succeed([
            "capture", "--vault", "Family", "--title", "Leek", "soup of leeks",
        ]).lines[0]
        try await home.succeed(["edit", leek, "--tag", "+secretive"])
        try await home.succeed(["capture", "--vault", "Family", "--title", "Gone", "old leeks"])
        try await home.succeed(["rm", "Gone"])
        try await wall(home, "lock")
        return home
    }

    @discardableResult
    private static func wall(
        _ home: SealedHome, _ verb: String, _ vault: String = "Family", options: String = ""
    ) async throws -> AuraProgram.Outcome {
        try await home.succeed(
            "vaults \(verb) \(vault) \(options) --passphrase-fd 3",
            "3< '\(home.secretFile("wall"))'")
    }

    @Test("while it is locked no command betrays it, and the others go on")
    func locked() async throws {
        let home = try await Self.home()
        for words in [
            ["list", "--json"], ["tags", "--json"], ["search", "leeks", "--json"],
            ["log", "--json", "--limit", "0"], ["undo", "--list", "--json"], ["restore", "--json"],
            ["ask", "--no-ai", "What is in the soup of leeks?"], ["status"], ["doctor"],
        ] {
            let outcome = try await home.run(words)
            let said = (outcome.output + outcome.errors).lowercased()
                .replacing("soup of leeks", with: "")
            for word in ["leek", "secretive", "gone"] {
                #expect(!said.contains(word), "\(words): \(said)")
            }
        }
        #expect(try await home.succeed(["search", "heron", "--json"]).lines.count == 1)
        for words in [
            ["list", "--vault", "Family"], ["search", "soup", "--vault", "Family"],
            ["move", "Open", "Family"],
        ] {
            let outcome = try await home.run(words)
            #expect(outcome.status == 77 && outcome.output.isEmpty, "\(words): \(outcome.output)")
            #expect(outcome.errors.contains("aura vaults unlock Family"), "\(words)")
        }
    }

    @Test("a thought for it waits, sealed, and is filed when it is opened; so are undo and history")
    func waiting() async throws {
        let home = try await Self.home()
        let waiting = try await home.succeed(["capture", "--vault", "Family", "a cake of plums"])
        #expect(waiting.lines.count == 1)
        #expect(try await home.succeed(["search", "plums", "--json"]).lines.isEmpty)
        let wrong = try await home.shell(
            "vaults unlock Family --passphrase-fd 3", home.redirection)
        #expect(wrong.status == 77 && wrong.errors.contains("passphrase is wrong"))
        try await Self.wall(home, "unlock")
        #expect(try await home.succeed(["search", "plums", "--json"]).lines.count == 1)
        #expect(try await home.succeed(["history", "Leek", "--json"]).lines.count == 2)
        // The latest change lies behind the wall: it is the one that is taken back.
        try await home.succeed(["undo"])
        #expect(try await home.succeed(["search", "plums", "--json"]).lines.isEmpty)
    }

    @Test("notes move in and out with all their history")
    func moving() async throws {
        let home = try await Self.home()
        try await Self.wall(home, "unlock")
        try await home.succeed(["move", "Open", "Family"])
        try await home.succeed(["move", "Leek", "Personal"])
        try await Self.wall(home, "lock")
        let outside = try await home.succeed(["list", "--json"]).output
        #expect(outside.contains("Leek") && !outside.contains("Open"))
        #expect(try await home.succeed(["history", "Leek", "--json"]).lines.count == 3)
        #expect(try await home.run("history", "Open").status == 66)
    }

    @Test("it keeps its wall under another name, and loses it only for good")
    func renaming() async throws {
        let home = try await Self.home()
        #expect(try await home.run("vaults", "rename", "Family", "Kin").status == 77)
        try await Self.wall(home, "unlock")
        try await home.succeed(["vaults", "rename", "Family", "Kin"])
        try await Self.wall(home, "lock", "Kin")
        #expect(try await home.succeed(["list", "--json"]).lines.count == 1)
        try await Self.wall(home, "unlock", "Kin", options: "--remove-wall")
        let paths = try await home.succeed(["list", "--json"]).output
        #expect(paths.contains("Kin/") && !paths.contains("Family/"))
        let again = try await home.run("vaults", "unlock", "Kin", input: .nothing)
        #expect(again.status == 77 || again.status == 66)
    }

    @Test("'aura lock' closes it, too, and a damaged record of it is read from its copy")
    func lockedWithAll() async throws {
        let home = try await Self.home()
        try await Self.wall(home, "unlock")
        try await home.lock()
        try await home.unlock()
        #expect(try await home.succeed(["list", "--json"]).lines.count == 1)
        let folder = "\(home.program.vaultHome)/.aura/walls"
        let record = try #require(
            try Files.names(of: folder).first { $0.hasSuffix(".json.age") })
        var bytes = try Files.bytes(at: "\(folder)/\(record)")
        bytes[bytes.count - 1] ^= 1
        try AtomicFile.replace("\(folder)/\(record)", bytes)
        #expect(try await home.succeed(["list", "--json"]).lines.count == 1)
        #expect(try await home.run("list", "--vault", "Family").status == 77)
    }

    @Test("on a new machine it takes the recovery code and the wall's passphrase")
    func newMachine() async throws {
        let home = try await Self.home()
        let code = try await home.succeed(["key", "recovery"]).lines[0]
        let other = SealedHome(program: try AuraProgram(sealing: .encrypted))
        try Files.makeFolder(Files.parent(of: other.program.vaultHome))
        try FileManager.default.copyItem(
            atPath: home.program.vaultHome, toPath: other.program.vaultHome)
        try other.keep(code, as: "code")
        try other.keep("behind the wall", as: "wall")
        try await other.succeed("key restore --code-fd 3", "3< '\(other.secretFile("code"))'")
        #expect(try await other.succeed(["list", "--json"]).lines.count == 1)
        try await Self.wall(other, "unlock")
        #expect(
            try await other.succeed(["show", "--raw", "Leek"]).output.contains("soup of leeks"))
    }

    @Test("what lay behind the wall under an older name comes back with the rest")
    func olderNames() async throws {
        let home = try await Self.home()
        try await Self.wall(home, "unlock")
        try await home.succeed(["vaults", "rename", "Family", "Kin"])
        // Thrown away before the vault was renamed.
        let removed = try await home.succeed(["restore", "--json"]).output
        #expect(removed.contains("Kin/"))
        try await Self.wall(home, "unlock", "Kin", options: "--remove-wall")
        let key = try #require(removed.split(separator: "\"key\":\"").last?.prefix(26))
        try await home.succeed(["restore", String(key)])
        #expect(try await home.succeed(["show", "--raw", "Gone"]).output.contains("old leeks"))
        #expect(try await home.succeed(["history", "Leek", "--json"]).lines.count == 2)
    }

    @Test("undo passes over what went through a wall, and takes nothing out of it")
    func undoing() async throws {
        let home = try await Self.home()
        try await Self.wall(home, "unlock")
        try await home.succeed(["edit", "Open", "--tag", "+wader"])
        try await home.succeed(["move", "Leek", "Personal"])
        try await Self.wall(home, "lock")
        let undone = try await home.succeed(["undo"]).output
        #expect(undone.contains("edit") && !undone.contains("eek"), "\(undone)")
        #expect(try await home.succeed(["list", "--json"]).output.contains("Personal/"))
        #expect(try await !home.succeed(["list", "--json"]).output.contains("Family/"))
    }

    @Test("attachments go with their note, and none stays readable outside")
    func attachments() async throws {
        let home = try await Self.home()
        try home.program.folder.write("ask the otter", to: "outside/otter.txt")
        let file = "\(home.program.folder.path)/outside/otter.txt"
        try await home.succeed(["capture", "--title", "Otter", "--attach", file, "with a file"])
        try await Self.wall(home, "unlock")
        try await home.succeed(["move", "Otter", "Family"])
        let moved = try await home.succeed(["show", "Family/attachments/otter.txt"])
        #expect(moved.output == "ask the otter")
        #expect(try await home.run("show", "Personal/attachments/otter.txt").status == 66)
        try await home.succeed(["move", "Otter", "Projects"])
        try await Self.wall(home, "lock")
        let back = try await home.succeed(["show", "Projects/attachments/otter.txt"])
        #expect(back.output == "ask the otter")
    }

    @Test("its own recovery code gives it another passphrase")
    func recovery() async throws {
        let home = try await Self.home()
        try await Self.wall(home, "unlock")
        let code = try await home.succeed(["key", "recovery", "--vault", "Family"]).lines[0]
        try home.keep(code, as: "code")
        try home.keep("another wall", as: "another")
        try await home.succeed(
            "key restore --vault Family --code-fd 3 --new-passphrase-fd 4",
            "3< '\(home.secretFile("code"))' 4< '\(home.secretFile("another"))'")
        try await home.succeed(["vaults", "lock", "Family"])
        let old = try await home.shell(
            "vaults unlock Family --passphrase-fd 3", "3< '\(home.secretFile("wall"))'")
        #expect(old.status == 77)
        try await home.succeed(
            "vaults unlock Family --passphrase-fd 3", "3< '\(home.secretFile("another"))'")
        #expect(try await home.succeed(["show", "--raw", "Leek"]).output.contains("soup of leeks"))
    }
}

/// What else a person may do to a home.
@Suite("an encrypted home in other hands")
struct HomeAccidentTests {
    @Test(
        "a home without its marker loses no thought, becomes no plain one, and is made whole again")
    func marker() async throws {
        let home = try await SealedHome.make()
        try await home.succeed(["capture", "before"])
        let marker = "\(home.program.vaultHome)/.aura/vault.json"
        try Files.remove(marker)
        let kept = try await home.run("capture", "meanwhile the yak")
        #expect(
            kept.status == 65 && kept.errors.contains("vault.json is missing"), "\(kept.errors)")
        #expect(home.places(of: ["meanwhile"]).isEmpty)
        let refused = try await home.run("list")
        #expect(refused.status == 65 && refused.errors.contains("aura init"), "\(refused.errors)")
        try await home.succeed(["init"])
        #expect(try await home.succeed(["list", "--json"]).lines.count == 2)
        #expect(home.readableFiles().isEmpty)
    }

    @Test("sealed files of an unknown home are not mixed with readable ones")
    func adopting() async throws {
        let home = try await SealedHome.make()
        try await home.succeed(["capture", "before"])
        let other = try AuraProgram(sealing: .plain)
        try Files.makeFolder(Files.parent(of: other.vaultHome))
        try FileManager.default.copyItem(
            atPath: home.program.vaultHome, toPath: other.vaultHome)
        try Files.remove("\(other.vaultHome)/.aura/vault.json")
        let adopted = try await other.run("init", "--plain", "--adopt", other.vaultHome)
        #expect(adopted.status == 65, "\(adopted.errors)")
        #expect(try Files.status(of: "\(other.vaultHome)/.aura/vault.json") == nil)
    }

    @Test("keys are not changed from a copy while the home itself needs them")
    func copies() async throws {
        let home = try await SealedHome.make()
        try await home.succeed(["capture", "before"])
        let copy = "\(home.program.folder.path)/home/copy"
        try FileManager.default.copyItem(atPath: home.program.vaultHome, toPath: copy)
        let refused = try await home.run("key", "rotate", "--vault-dir", copy)
        #expect(refused.status == 64 && refused.errors.contains(home.program.vaultHome))
        #expect(try await home.succeed(["list", "--json"]).lines.count == 1)
    }

    @Test("a passphrase is the same in every Unicode form, wherever it is read from")
    func forms() async throws {
        let home = try await SealedHome.make()
        try home.keep("caf\u{E9} au lait", as: "composed")
        try home.keep("cafe\u{301} au lait", as: "decomposed")
        try await home.succeed(
            "key change-passphrase --new-passphrase-fd 3", "3< '\(home.secretFile("composed"))'")
        let file = home.secretFile("decomposed")
        #expect(try await home.run("list", environment: ["AURA_UNLOCK_FILE": file]).status == 0)
        try await home.succeed("unlock --passphrase-fd 3", "3< '\(file)'")
    }

    @Test("no editor is started where nobody can edit")
    func editor() async throws {
        let home = try await SealedHome.make()
        try await home.succeed(["capture", "--title", "Before", "before"])
        for words in [["edit", "Before"], ["capture", "--editor"]] {
            let outcome = try await home.run(
                words, environment: ["EDITOR": nil, "VISUAL": nil])
            #expect(outcome.status == 64 && !outcome.wasKilled, "\(outcome.errors)")
        }
    }
}
