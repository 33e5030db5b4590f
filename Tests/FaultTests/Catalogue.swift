import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// Rows of the failure catalogue about things that are not there yet, with what is missing.
let notYet: [Int: String] = [
    18: "two devices: there is no sync",
    21: "there is no export",
    28: "a manifest with generations comes with sync",
    29: "deletions by sync: there is no sync",
    30: "names from a remote: there is no sync",
    79: "the model library is linked, not opened at run time: another one does not start at all",
    83: "there is no graph",
    125: "there is no export",
    126: "there is no export",
    127: "there is no import of archives",
    128: "there is no import",
    130: "there is no schedule",
    131: "launchd: there is no schedule",
]

@Suite("the failure catalogue")
struct CatalogueTests {
    @Test("every row has a test or a reason")
    func complete() throws {
        let folder = Files.parent(of: #filePath)
        var tested: Set<Int> = []
        for name in try Files.names(of: folder) where name.hasPrefix("Catalogue") {
            let text = String(decoding: try Files.bytes(at: "\(folder)/\(name)"), as: UTF8.self)
            tested.formUnion(text.matches(of: #/"row ([0-9]+): /#).compactMap { Int($0.1) })
        }
        let rows = Set(1...64).union(76...83).union(120...137)
        #expect(tested.isDisjoint(with: notYet.keys))
        #expect(tested.union(notYet.keys) == rows)
    }
}

/// A note as `list --json` tells it.
struct Listed: Decodable {
    let path: String
    let id: String?
    let title: String
    let vault: String
    let tags: [String]
    let created: String?
    let warnings: [String]
}

extension AuraProgram {
    /// An empty home.
    static func home(
        _ sealing: Sealing = .encrypted, clock: String? = nil, models: Models = .none
    ) async throws -> AuraProgram {
        let program = try AuraProgram(clock: clock, models: models, sealing: sealing)
        try await program.done("init")
        return program
    }

    /// Runs what must work.
    @discardableResult
    func done(
        _ words: String..., input: Input = .nothing, environment: [String: String?] = [:]
    ) async throws -> Outcome {
        let outcome = try await run(words, input: input, environment: environment)
        guard outcome.status == 0 else { throw UnexpectedOutcome(words: words, outcome: outcome) }
        return outcome
    }

    /// Runs what must fail.
    @discardableResult
    func fails(
        _ words: String..., with status: Int32, saying text: String = "", input: Input = .nothing,
        environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await run(words, input: input, environment: environment)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(
            text.isEmpty || outcome.errors.contains(text), "\(outcome.errors)",
            sourceLocation: sourceLocation)
        return outcome
    }

    func listed() async throws -> [Listed] {
        try Self.listed(in: await done("list", "--json", "--limit", "0"))
    }

    static func listed(in outcome: Outcome) throws -> [Listed] {
        try outcome.lines.filter { $0.hasPrefix("{") }
            .map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
    }

    /// What `show --json` says of a note, by key.
    func shown(_ path: String) async throws -> [String: Any] {
        let outcome = try await done("show", path, "--json")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(json as? [String: Any])
    }

    /// Where the index and the locks of the home lie.
    func dataFolder() throws -> String {
        let marker = try Files.bytes(at: "\(vaultHome)/.aura/vault.json")
        let json = try JSONSerialization.jsonObject(with: Data(marker)) as? [String: Any]
        return "\(folder.path)/data/aura/\(try #require(json?["id"] as? String))"
    }

    func index() throws -> String {
        let folder = try dataFolder()
        let name = try Files.names(of: folder).first { $0.hasSuffix(".db") }
        return "\(folder)/\(try #require(name))"
    }

    /// The key files of the home.
    func keyFolder() throws -> String {
        let folder = "\(self.folder.path)/data/aura/keys"
        return "\(folder)/\(try #require(try Files.names(of: folder).first))"
    }

    /// The files of an encrypted home's notes.
    func sealedNotes() throws -> [String] {
        try Files.names(of: "\(vaultHome)/notes").sorted().map { "\(vaultHome)/notes/\($0)" }
    }

    /// Holds the lock that changes of notes wait for.
    func holdingLock<Result>(_ body: () async throws -> Result) async throws -> Result {
        try Files.makeFolder(dataFolder())
        let path = "\(try dataFolder())/write.lock"
        guard let lock = try FileLock.acquire(path) else {
            throw SystemError(call: "flock", path: path, code: EWOULDBLOCK)
        }
        let result = try await body()
        _ = consume lock
        return result
    }

    /// Runs the program under strace with a fault in calls on one file alone.
    func run(
        _ words: [String], with fault: String, of path: String
    ) async throws -> Outcome {
        let call = fault.prefix { $0 != ":" }
        let line =
            ["exec", "strace", "-f", "-qq", "-o", "\(folder.path)/trace", "-P", path]
            + ["-e", "trace=\(call)", "-e", "inject=\(fault)", "aura"] + words
        let outcome = try await shell(line.map { "'\($0)'" }.joined(separator: " "))
        let trace = String(decoding: try Files.bytes(at: "\(folder.path)/trace"), as: UTF8.self)
        #expect(trace.contains("(INJECTED)"))
        return outcome
    }
}

/// File systems mounted for one script alone.
enum Mounts {
    static let reason: Comment = "mounting is not allowed here"
    static let mayUse: Bool =
        ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1" || works

    private static let works: Bool = {
        let recipe = ChildProcess.Recipe(
            "/bin/sh", ["-c", "unshare -m mount -t tmpfs none /mnt"],
            environment: ProcessInfo.processInfo.environment)
        return (try? ChildProcess.run(recipe, within: .seconds(10)))?.ending == .exited(0)
    }()
}

extension AuraProgram {
    /// Runs a script that may mount what it likes; `full FOLDER SIZE` gives it a small disk of its own in the
    /// place of a folder, and `fill FOLDER` leaves no room on it.
    func inMounts(_ script: String) async throws -> Outcome {
        let path = "\(folder.path)/tmp/script"
        let functions = """
            set -e
            small() { mkdir -p "$1"; mount -t tmpfs -o size=$2,mode=700 none "$1"; }
            fill() { dd if=/dev/zero of="$1/fill" bs=4k 2>/dev/null || true; }
            tell() { name=$1; shift; if "$@"; then echo "$name 0"; else echo "$name $?"; fi; }
            HOMES="$HOME/Documents/AuraVault"; DATA="$XDG_DATA_HOME/aura"

            """
        try AtomicFile.replace(path, Array((functions + script).utf8))
        return try await shell("exec unshare -m sh '\(path)'")
    }
}
