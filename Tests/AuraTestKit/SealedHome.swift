import AuraSystem
import Foundation

/// An encrypted home of its own, with secrets that lie apart from all that is searched for them.
///
/// Its keys are held by the agent, so that tests do not meet in the kernel's keyring.
package struct SealedHome: Sendable {
    package let program: AuraProgram
    package let passphrase: String?

    package init(program: AuraProgram, passphrase: String? = nil) {
        self.program = program
        self.passphrase = passphrase
    }

    package static let environment: [String: String?] = ["AURA_KEY_HOLDER": "agent"]
    /// Hands the passphrase's file to a command of the shell.
    package static let passphraseWords = ["--passphrase-fd", "3"]
    package var redirection: String { "3< '\(secretFile("passphrase"))'" }

    /// - Parameter hasPassphrase: without one the home is always open.
    package static func make(hasPassphrase: Bool = false, clock: String? = nil) async throws
        -> SealedHome
    {
        let home = SealedHome(
            program: try AuraProgram(clock: clock, sealing: .encrypted),
            passphrase: hasPassphrase ? "passphrase-\(UUID())" : nil)
        if let passphrase = home.passphrase { try home.keep(passphrase, as: "passphrase") }
        try await home.succeed(
            "init" + (hasPassphrase ? " \(passphraseWords.joined(separator: " "))" : ""),
            home.passphrase == nil ? "" : home.redirection)
        return home
    }

    package func secretFile(_ name: String) -> String { "\(program.folder.path)/secrets/\(name)" }

    /// Puts a secret where a command may read it and no search looks.
    package func keep(_ secret: String, as name: String) throws {
        try program.folder.write(Array((secret + "\n").utf8), to: "secrets/\(name)")
    }

    // MARK: running

    package func run(
        _ words: [String], input: AuraProgram.Input = .nothing,
        environment more: [String: String?] = [:]
    ) async throws -> AuraProgram.Outcome {
        try await program.run(words, input: input, environment: Self.environment.with(more))
    }

    package func run(
        _ words: String..., input: AuraProgram.Input = .nothing,
        environment more: [String: String?] = [:]
    ) async throws -> AuraProgram.Outcome {
        try await run(words, input: input, environment: more)
    }

    /// Runs `aura` in a shell: for what needs an open descriptor.
    package func shell(
        _ line: String, _ redirection: String = "", input: AuraProgram.Input = .nothing,
        environment more: [String: String?] = [:]
    ) async throws -> AuraProgram.Outcome {
        try await program.shell(
            "sh '\(program.folder.path)/bin/aura' \(line) \(redirection)", input: input,
            environment: Self.environment.with(more))
    }

    @discardableResult
    package func succeed(
        _ words: [String], input: AuraProgram.Input = .nothing,
        environment more: [String: String?] = [:]
    ) async throws -> AuraProgram.Outcome {
        let outcome = try await run(words, input: input, environment: more)
        guard outcome.status == 0 else { throw RunFailure(words: words, outcome: outcome) }
        return outcome
    }

    @discardableResult
    package func succeed(_ line: String, _ redirection: String) async throws -> AuraProgram.Outcome
    {
        let outcome = try await shell(line, redirection)
        guard outcome.status == 0 else { throw RunFailure(words: [line], outcome: outcome) }
        return outcome
    }

    package func lock() async throws { try await succeed(["lock"]) }

    package func unlock() async throws {
        try await succeed("unlock \(Self.passphraseWords.joined(separator: " "))", redirection)
    }

    /// A program to edit with: a script that is given the file as `$1`.
    package func editor(_ script: String) throws -> [String: String?] {
        let path = "\(program.folder.path)/editors/\(UUID())"
        try Files.makeFolder(Files.parent(of: path))
        try AtomicFile.create(path, Array("#!/bin/sh\n\(script)\n".utf8), mode: 0o700)
        // Read, not executed: another test's child may still hold the new file open for writing.
        return ["EDITOR": "sh \(path)"]
    }

    // MARK: looking

    /// What is listed, path by path, as it is read back.
    package func notes() async throws -> [String: String] {
        var notes: [String: String] = [:]
        for path in try await paths() {
            notes[path] = try await succeed(["show", "--raw", path]).output
        }
        return notes
    }

    package func paths() async throws -> [String] {
        try await succeed(["list", "--json", "--limit", "0"]).lines.compactMap { line in
            let json = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            return (json as? [String: Any])?["path"] as? String
        }
    }

    /// All that aura may have written, by its path below the test's folder.
    package func files() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for place in ["home", "data", "config", "run", "tmp"] {
            let root = "\(program.folder.path)/\(place)"
            for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
                let status = try? Files.status(of: "\(root)/\(name)")
                // Sockets and folders have a name only.
                files["\(place)/\(name)"] =
                    status?.kind == .regular ? (try? Files.bytes(at: "\(root)/\(name)")) ?? [] : []
            }
        }
        return files
    }

    /// Sealed files of the home and of its keys, by path below the test's folder.
    package func sealedFiles() -> [String: [UInt8]] {
        files().filter { path, bytes in path.hasSuffix(".age") && !bytes.isEmpty }
    }

    /// Where a word can be read although all is encrypted: in a file's bytes or in its name, as it is, in
    /// other cases, or in base 64.
    package func places(of words: [String]) -> [String] {
        let files = files()
        return words.flatMap { word in
            let forms = Self.forms(of: word)
            return files.filter { path, bytes in
                let name = Data(path.utf8)
                let data = Data(bytes)
                return forms.contains { data.range(of: $0) != nil || name.range(of: $0) != nil }
            }.keys.sorted().map { "\(word) in \($0)" }
        }
    }

    private static func forms(of word: String) -> [Data] {
        let plain = [word, word.lowercased(), word.uppercased(), word.capitalized]
        let coded = (0..<3).map { shift in
            // The middle of the code is the same whatever stands around the word.
            let text = (Data(repeating: 0x20, count: shift) + Data(word.utf8)).base64EncodedString()
            return String(text.dropFirst(4).prefix((word.utf8.count + shift) / 3 * 4 - 4))
        }
        return Set(plain + coded).map { Data($0.utf8) }
    }

    /// Files that are neither sealed, nor a locked database, nor known to hold nothing of a note.
    package func readableFiles() -> [String] {
        files().filter { path, bytes in
            let name = Files.name(of: path)
            let isPublic =
                ["vault.json", "recipients.txt", "recovery-shown", "config.yaml"].contains(name)
                || path.hasPrefix("data/aura/homes/") || name == "identity.txt"
            if bytes.isEmpty || isPublic { return false }
            if name.hasSuffix(".lock") || name == "lock" { return bytes.count > 16 }
            if bytes.starts(with: Array("age-encryption.org/v1\n".utf8)) { return false }
            // A page of it looks like chance: a plain one begins with its name.
            if path.hasPrefix("data/aura/"), name.hasPrefix("index-") {
                return bytes.starts(with: Array("SQLite format 3".utf8))
            }
            return true
        }.keys.sorted()
    }
}

extension [String: String?] {
    package func with(_ more: [String: String?]) -> [String: String?] { merging(more) { $1 } }
}
