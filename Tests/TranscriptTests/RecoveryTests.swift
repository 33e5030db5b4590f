import AuraCore
import AuraCrypto
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// What is left when a machine is lost, and what a locked home answers.
@Suite("recovery of an encrypted home")
struct RecoveryTests {
    private static let picture = (0..<200_000).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }

    /// A home with notes, an attachment, a move, an edit and something in the trash.
    private static func home(hasPassphrase: Bool = false) async throws -> SealedHome {
        let home = try await SealedHome.make(hasPassphrase: hasPassphrase)
        try home.program.folder.write(picture, to: "outside/picture.png")
        try await home.succeed([
            "capture", "--vault", "Family", "--attach",
            "\(home.program.folder.path)/outside/picture.png", "The first picture",
        ])
        let plan = try await home.succeed(["capture", "--title", "Plan", "A plan"]).lines[0]
        try await home.succeed(["edit", plan, "--tag", "+roof"])
        try await home.succeed(["move", plan, "Projects"])
        try await home.succeed(["capture", "--title", "Gone", "Thrown away"])
        try await home.succeed(["rm", "Gone"])
        return home
    }

    private static func code(of home: SealedHome) async throws -> String {
        let outcome = try await home.succeed(["key", "recovery"])
        #expect(outcome.lines.count == 1)
        return outcome.lines[0]
    }

    /// Another machine, with a copy of the home's folder.
    private static func machine(with home: SealedHome) throws -> SealedHome {
        let other = SealedHome(program: try AuraProgram(sealing: .encrypted))
        try Files.makeFolder(Files.parent(of: other.program.vaultHome))
        try FileManager.default.copyItem(
            atPath: home.program.vaultHome, toPath: other.program.vaultHome)
        return other
    }

    @Test(
        "a copy of the home and the recovery code give everything back on a new machine",
        arguments: [false, true])
    func newMachine(hasPassphrase: Bool) async throws {
        let home = try await Self.home(hasPassphrase: hasPassphrase)
        let code = try await Self.code(of: home)
        let other = try Self.machine(with: home)
        let without = try await other.run("list")
        #expect(without.status == 77 && without.output.isEmpty)
        #expect(without.errors.contains("aura key restore"))

        try other.keep(code, as: "code")
        try await other.succeed("key restore --code-fd 3", "3< '\(other.secretFile("code"))'")
        for words in [
            ["list", "--json"], ["search", "plan", "--json"], ["restore"], ["tags"],
            ["show", "--raw", "Plan"], ["history", "Plan", "--json"], ["undo", "--list"],
            ["log", "--json"],
        ] {
            let (here, there) = (try await home.run(words), try await other.run(words))
            #expect(there.status == 0 && !there.output.isEmpty, "\(words): \(there.errors)")
            #expect(here.output == there.output, "\(words)")
        }
        let attached = try await other.succeed(["show", "Family/attachments/picture.png"])
        #expect(attached.outputBytes == Self.picture)
        try await other.succeed(["restore", try await gone(other)])
        #expect(try await other.succeed(["show", "--raw", "Gone"]).output.contains("Thrown away"))
        #expect(try await other.run("doctor").status == 0)
        // The key of this machine has no passphrase until it is given one.
        try await other.succeed(["capture", "On the new machine"])
        #expect(try await other.succeed(["search", "machine", "--json"]).lines.count == 1)
    }

    private func gone(_ home: SealedHome) async throws -> String {
        try #require(try await home.succeed(["restore", "--json"]).lines.first).split(
            separator: "\"")[3].description
    }

    @Test("a wrong or mistyped code is refused and leaves nothing behind")
    func wrongCode() async throws {
        let home = try await Self.home()
        let code = try await Self.code(of: home)
        let stranger = try await Self.code(of: SealedHome.make())
        let other = try Self.machine(with: home)
        let before = other.files()
        var mistyped = Array(code)
        mistyped.swapAt(20, 21)
        if mistyped == Array(code) { mistyped[20] = mistyped[20] == "Q" ? "P" : "Q" }
        for (name, wrong, status) in [
            ("stranger", stranger, 77), ("mistyped", String(mistyped), 65), ("words", "hello", 65),
            ("empty", "", 65),
        ] as [(String, String, Int32)] {
            try other.keep(wrong, as: name)
            let outcome = try await other.shell(
                "key restore --code-fd 3", "3< '\(other.secretFile(name))'")
            #expect(outcome.status == status, "\(name): \(outcome.errors)")
            #expect(outcome.output.isEmpty)
            #expect((1...2).contains(outcome.errors.split(separator: "\n").count))
            #expect(wrong.isEmpty || !outcome.errors.contains(wrong))
        }
        #expect(other.files() == before)
        #expect(try await other.run("list").status == 77)
    }

    // MARK: Without aura

    private static let age: String? = ["/usr/bin/age", "/usr/local/bin/age"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let mayRun =
        age != nil || ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1"

    @Test(
        "age itself opens every note with the code, to the very bytes that aura shows",
        .enabled(if: mayRun, "there is no age program; 'scripts/setup --test' installs it"))
    func opensWithAge() async throws {
        let home = try await Self.home()
        try home.keep(try await Self.code(of: home), as: "code")
        let folder = "\(home.program.vaultHome)/notes"
        var opened: Set<String> = []
        for name in try Files.names(of: folder) {
            let outcome = try await home.program.shell(
                "age -d -i '\(home.secretFile("code"))' '\(folder)/\(name)'")
            #expect(outcome.status == 0, "\(outcome.errors)")
            opened.insert(outcome.output)
        }
        #expect(opened == Set(try await home.notes().values))
        #expect(opened.count == 2)
    }

    @Test(
        "what age seals to the shown recipient, the recovery code opens",
        .enabled(if: mayRun, "there is no age program; 'scripts/setup --test' installs it"))
    func sealedByAge() async throws {
        let home = try await Self.home()
        let code = try await Self.code(of: home)
        let outcome = try await home.program.shell(
            "age -r \"$(aura key show-recipient | head -n 1)\"", input: .text("from age\n"),
            environment: SealedHome.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let identities = try AgeIdentity.list(inFile: Secret(Array(code.utf8)))
        let opened = try AgeFile.open(outcome.outputBytes, with: identities)
        #expect(String(decoding: opened, as: UTF8.self) == "from age\n")
    }

    // MARK: Locked

    @Test(
        "with no environment, no terminal and no key, a capture is kept and found after unlocking")
    func captureFromCron() async throws {
        let home = try await Self.home(hasPassphrase: true)
        try await home.lock()
        let root = home.program.folder.path
        let outcome = try await home.program.shell(
            """
            exec env -i HOME='\(root)/home' XDG_DATA_HOME='\(root)/data' TMPDIR='\(root)/tmp' \
            XDG_CONFIG_HOME='\(root)/config' '\(BuiltProgram.path)' capture The cron job ran <&-
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        #expect(home.places(of: ["cron job"]).isEmpty)
        try await home.unlock()
        let found = try await home.succeed(["search", "cron", "--json"])
        #expect(found.lines.count == 1 && found.output.contains(outcome.lines[0]))
    }

    private static let locked = [
        ["list"], ["tags"], ["search", "plan"], ["show", "Plan"], ["show", "Projects/plan.md"],
        ["show", "Family/attachments/picture.png"], ["edit", "Plan"],
        ["edit", "Plan", "--tag", "+x"], ["move", "Plan", "Family"], ["rm", "Plan"], ["restore"],
        ["restore", "Gone"], ["restore", "Plan", "--at", "1"], ["history", "Plan"], ["log"],
        ["undo"], ["undo", "--list"], ["ask", "--no-ai", "What is the plan?"],
        ["distill", "weekly", "--no-ai", "--force"], ["reindex"], ["status"], ["enrich"],
        ["enrich", "Plan"], ["key", "recovery"], ["key", "change-passphrase"],
        ["vaults", "lock", "Family"], ["vaults", "unlock", "Family"], ["unlock"],
    ]

    @Test(
        "locked, every command that needs the key says so at once, in one line and a hint, and asks nobody"
    )
    func lockedCommands() async throws {
        let home = try await Self.home(hasPassphrase: true)
        try await home.lock()
        let before = home.files().filter { !$0.key.hasSuffix(".lock") }
        for words in Self.locked {
            for isJSON in [false, true] {
                var outcome = try await home.run(
                    words + (isJSON ? ["--json"] : []), input: .heldOpen)
                // A machine with much to do gets a second try.
                if outcome.time > .seconds(1) {
                    outcome = try await home.run(
                        words + (isJSON ? ["--json"] : []), input: .heldOpen)
                }
                #expect(outcome.status == 77, "\(words): \(outcome.errors)")
                #expect(outcome.time < .seconds(1), "\(words): \(outcome.time)")
                #expect(outcome.output.isEmpty, "\(words): \(outcome.output)")
                if isJSON {
                    let error = JSONValue.read(outcome.errorBytes.dropLast())?["error"]
                    #expect(error?["code"]?.integer == 77, "\(words): \(outcome.errors)")
                    #expect(error?["hint"]?.text?.isEmpty == false, "\(words): \(outcome.errors)")
                } else {
                    let lines = outcome.errors.split(separator: "\n")
                    #expect(lines.count == 2, "\(words): \(outcome.errors)")
                    #expect(lines.first?.hasPrefix("aura: ") == true)
                    #expect(lines.last?.hasPrefix("      ") == true)
                }
            }
        }
        #expect(home.files().filter { !$0.key.hasSuffix(".lock") } == before)
    }
}
