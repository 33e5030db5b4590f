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
}
