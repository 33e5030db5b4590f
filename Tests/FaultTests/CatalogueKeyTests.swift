import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A home under a passphrase, locked, with one note in it.
private struct LockedHome {
    let program: AuraProgram
    /// The agent holds the key, so that tests do not meet in the kernel's keyring.
    static let environment: [String: String?] = ["AURA_KEY_HOLDER": "agent"]

    static func make() async throws -> LockedHome {
        let home = LockedHome(program: try AuraProgram(sealing: .encrypted))
        try home.program.folder.write("correct horse battery\n", to: "secrets/passphrase")
        let outcome = try await home.shell(
            """
            aura init --passphrase-fd 3 3< "$S/passphrase" && aura capture 'the sealed heron' \
            && aura key recovery > "$S/code" && aura lock
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return home
    }

    /// `$S` is where secrets lie that no search looks at.
    func shell(_ line: String) async throws -> AuraProgram.Outcome {
        try await program.shell(
            "S='\(program.folder.path)/secrets'; \(line)", environment: Self.environment)
    }

    var identity: String { get throws { "\(try program.keyFolder())/identity.age" } }

    /// Key files with their bytes.
    func keys() throws -> [String: [UInt8]] {
        let folder = try program.keyFolder()
        return try Dictionary(
            uniqueKeysWithValues: Files.names(of: folder).map {
                ($0, try Files.bytes(at: "\(folder)/\($0)"))
            })
    }
}

@Suite("catalogue, 120–124: keys", .timeLimit(.minutes(10)))
struct CatalogueKeyTests {
    @Test("row 120: the key of another home is refused, and nothing is written")
    func otherKey() async throws {
        let (home, other) = (try await LockedHome.make(), try await LockedHome.make())
        let keys = try home.keys()
        let code = "\(other.program.folder.path)/secrets/code"
        let outcome = try await home.shell("aura key restore --code-fd 3 3< '\(code)'")
        #expect(outcome.status == 77 && outcome.errors.contains("sealed to another key"))
        #expect(try home.keys() == keys)
    }

    @Test("row 121: without the passphrase the recovery code opens the home, and nothing else does")
    func lostPassphrase() async throws {
        let home = try await LockedHome.make()
        let wrong = try await home.shell("echo wrong | aura unlock --passphrase-fd 0")
        #expect(wrong.status == 77 && wrong.errors.contains("aura key restore"))
        let noCode = try await home.shell("echo AGE-SECRET-KEY-1QQQ | aura key restore --code-fd 0")
        #expect(noCode.status == 65, "\(noCode.errors)")
        #expect(try await home.shell("aura list").status == 77)
        let restored = try await home.shell(
            "aura key restore --code-fd 3 3< \"$S/code\" && aura list")
        #expect(restored.status == 0 && restored.output.contains("the sealed heron"))
    }

    @Test("row 122: a key that others may read is not used, and one in the home is told")
    func looseKey() async throws {
        let program = try await AuraProgram.home()
        let key = "\(try program.keyFolder())/identity.txt"
        #expect(chmod(key, 0o644) == 0)
        try await program.fails("list", with: 77, saying: "chmod 600 \(key)")
        #expect(chmod(key, 0o600) == 0)
        try await program.done("list")
        try program.write(try Files.bytes(at: key), to: "my-key.txt")
        let doctor = try await program.fails("doctor", with: 1)
        #expect(doctor.output.contains("a readable key lies in the home"))
    }

    @Test("row 123: a work factor of 2^30 is refused at once")
    func workFactor() async throws {
        let home = try await LockedHome.make()
        let text = String(decoding: try Files.bytes(at: home.identity), as: Unicode.ASCII.self)
        let end = try #require(text.range(of: " 17\n"))
        var bytes = try Files.bytes(at: home.identity)
        let place = text.distance(from: text.startIndex, to: end.lowerBound)
        bytes.replaceSubrange(place..<place + 3, with: Array(" 30".utf8))
        try AtomicFile.replace(home.identity, bytes)
        let outcome = try await home.shell("aura unlock --passphrase-fd 3 3< \"$S/passphrase\"")
        #expect(outcome.status == 65 && outcome.errors.contains("2^30"), "\(outcome.errors)")
        #expect(outcome.time < .seconds(5))
    }

    @Test(
        "row 124: for a damaged key file the recovery code is offered, and works",
        arguments: [0, 60, 300])
    func damagedKey(length: Int) async throws {
        let home = try await LockedHome.make()
        var bytes = try Files.bytes(at: home.identity)
        if length < 300 { bytes.removeLast(bytes.count - length) } else { bytes[length] ^= 1 }
        try AtomicFile.replace(home.identity, bytes)
        let outcome = try await home.shell("aura unlock --passphrase-fd 3 3< \"$S/passphrase\"")
        #expect(
            outcome.status == 65 && outcome.errors.contains("'aura key restore'"),
            "\(outcome.errors)")
        let restored = try await home.shell(
            "aura key restore --code-fd 3 3< \"$S/code\" && aura list")
        #expect(
            restored.status == 0 && restored.output.contains("the sealed heron"),
            "\(restored.errors)")
    }
}

@Suite("catalogue, 129–137: surroundings", .timeLimit(.minutes(10)))
struct CatalogueSurroundingsTests {
    @Test(
        "row 129: from cron nothing is asked, text is UTF-8, and a locked home keeps what is captured"
    )
    func cron() async throws {
        let home = try await LockedHome.make()
        let program = home.program
        let cron: [String: String?] = [
            "HOME": nil, "LANG": nil, "TERM": nil, "TMPDIR": nil, "XDG_RUNTIME_DIR": nil,
            "PATH": "/usr/bin:/bin", "AURA_VAULT_DIR": program.vaultHome,
        ].merging(LockedHome.environment) { $1 }
        for words in [["capture", "-q", "Grüße vom Héron"], ["list"], ["unlock"]] {
            let outcome = try await program.run(
                words, input: .closed, environment: cron, folder: "/", deadline: .seconds(20))
            #expect(
                !outcome.wasKilled && outcome.status == (words[0] == "capture" ? 0 : 77), "\(words)"
            )
            #expect(outcome.errors.isEmpty == (words[0] == "capture"), "\(outcome.errors)")
        }
        var open = cron
        let file = "\(program.folder.path)/secrets/passphrase"
        #expect(chmod(file, 0o600) == 0)
        open["AURA_UNLOCK_FILE"] = file
        let outcome = try await program.run(
            ["list"], input: .closed, environment: open, folder: "/")
        #expect(
            outcome.status == 0 && outcome.output.contains("Grüße vom Héron"), "\(outcome.errors)")
        // Without HOME it is in the password database.
        let entry = try #require(getpwuid(getuid()))
        let name = "aura-test-\(UUID())"
        var nowhere = cron
        nowhere["AURA_VAULT_DIR"] = "~/\(name)"
        let told = try await program.run(["list"], environment: nowhere)
        #expect(told.errors.contains("\(String(cString: entry.pointee.pw_dir))/\(name)"))
    }

    @Test(
        "row 132: root makes nothing in somebody else's home",
        .enabled(
            if: geteuid() == 0 || ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1",
            "only root can be taken for somebody else"))
    func root() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        let before = program.contents()
        #expect(chown(program.vaultHome, 65_534, 65_534) == 0)
        for words in [
            ["capture", "another"], ["list"], ["edit", path, "--tag", "+x"], ["reindex"],
        ] {
            let outcome = try await program.run(words)
            #expect(outcome.status == 77 && outcome.errors.contains("belongs to another user"))
        }
        #expect(program.contents() == before)
    }

    @Test("row 133: relative XDG folders are passed over")
    func relativeFolders() async throws {
        let program = try AuraProgram(sealing: .encrypted)
        let relative: [String: String?] = [
            "XDG_DATA_HOME": "data-here", "XDG_CONFIG_HOME": "config-here",
            "XDG_RUNTIME_DIR": "run-here",
            "TMPDIR": "tmp-here",
        ]
        try await program.done("capture", "a heron", environment: relative)
        try await program.done("config", "editor", "vi", environment: relative)
        let home = "\(program.folder.path)/home"
        #expect(Set(try Files.names(of: home)) == ["Documents", ".local", ".config"])
        #expect(try Files.status(of: "\(home)/.local/share/aura/keys") != nil)
        #expect(try Files.status(of: "\(home)/.config/aura/config.yaml") != nil)
    }

    @Test("row 134: a home of a newer format is neither read nor written, and its version is told")
    func newerHome() async throws {
        let program = try await AuraProgram.home()
        let path = try await program.done("capture", "a heron").lines[0]
        let marker = try program.text(of: ".aura/vault.json")
        try program.write(
            Array(marker.replacing(#/"format": ?[0-9]+/#, with: "\"format\":99").utf8),
            to: ".aura/vault.json")
        let before = program.contents()
        for words in [
            ["list"], ["edit", path, "--tag", "+x"], ["rm", path], ["reindex"], ["init"],
        ] {
            let outcome = try await program.run(words)
            #expect(
                outcome.status == 65 && outcome.errors.contains("format 99"),
                "\(words): \(outcome.errors)")
        }
        // A thought is kept for later.
        try await program.fails("capture", "another heron", with: 65, saying: "your text is kept")
        #expect(program.contents() == before)
        try program.write(Array(marker.utf8), to: ".aura/vault.json")
        #expect(try await program.listed().count == 2)
    }

    @Test("row 134: an index of a newer version is not written, and its version is told")
    func newerIndex() async throws {
        let program = try await AuraProgram.home(.plain)
        try await program.done("capture", "a heron")
        try await program.done("list")
        var bytes = try Files.bytes(at: program.index())
        // `user_version`, by the file format of SQLite.
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try AtomicFile.replace(program.index(), bytes)
        try await program.done("capture", "another heron")
        try await program.fails("list", with: 65, saying: "version 99")
        try await program.fails("search", "heron", with: 65, saying: "'aura reindex'")
        #expect(try Files.bytes(at: program.index()) == bytes)
        try await program.done("reindex")
        #expect(try await program.listed().count == 2)
    }

    @Test(
        "row 135: an index whose making was killed at any step is made by the next command",
        .enabled(if: Strace.mayRun, Strace.reason))
    func killedUpgrade() async throws {
        for number in [1, 4, 9] {
            let program = try await AuraProgram.home()
            try await program.done("capture", "a heron")
            let run = try await Strace.run(
                ["list"], in: program, calls: ["pwrite64"],
                inject: "pwrite64:signal=KILL:when=\(number)")
            #expect(run.wasHit)
            #expect(try await program.listed().count == 1)
        }
    }

    @Test(
        "row 136: mistakes in the settings are told with their line; unknown keys stop nothing",
        arguments: [
            ("editor vi\nnope: 1\n", 78, ":2:"), ("a: [\n", 78, ":2:"),
            ("\u{FEFF}nope: 1\neditor: vi\n", 0, ":1: there is no setting called 'nope'"),
            ("editor: vi\neditor: ed\n", 0, ":2: 'editor' is there twice"),
            ("serch:\n  limit: 4\n", 0, ":1: there is no setting called 'serch'"),
            ("search:\n  limit: many\n", 78, ":2:"),
        ])
    func settings(text: String, status: Int32, message: String) async throws {
        let program = try await AuraProgram.home()
        try program.folder.write(text, to: "config/aura/config.yaml")
        let outcome = try await program.run("list")
        #expect(
            outcome.status == status && outcome.errors.contains("config.yaml\(message)"),
            "\(outcome.errors)")
        #expect(try program.folder.read("config/aura/config.yaml") == text)
    }

    @Test("row 137: no input, an empty one and one that is no text make no note")
    func noText() async throws {
        let program = try await AuraProgram.home()
        let noise = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
        for (input, text) in [
            (AuraProgram.Input.closed, "standard input is closed"), (.nothing, "is missing"),
            (.text(" \n\t\n"), "is missing"), (.bytes(noise), "--attach"),
            (.bytes(Array("text with\0a NUL".utf8)), "--attach"),
        ] {
            try await program.fails("capture", with: 65, saying: text, input: input)
        }
        #expect(try await program.listed().isEmpty)
        try program.folder.write(noise, to: "home/noise.bin")
        try await program.done("capture", "--attach", "noise.bin", "some noise")
        #expect(try await program.listed().count == 1)
    }
}
