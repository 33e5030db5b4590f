import AuraCore
import AuraSystem
import AuraTestKit
import Testing

/// Dictated notes as a person handles them: what was said, and looking it over.
@Suite("dictated notes")
struct SpeechTests {
    private static let spoken = "um, call call Viktor on Tuesday, no, Wednesday"
    private static let clean = "Call Viktor on Wednesday."

    /// An editor that runs this with the text's path as `$1`.
    private func editor(_ script: String, _ program: AuraProgram) throws -> [String: String] {
        let path = "\(program.folder.path)/bin/editor"
        try AtomicFile.replace(path, Array("#!/bin/sh\n\(script)\n".utf8), mode: 0o700)
        return ["EDITOR": path]
    }

    @Test(
        "what was said is kept, and shown as it came",
        arguments: [
            AuraProgram.Sealing.plain, .encrypted,
        ])
    func spoken(sealing: AuraProgram.Sealing) async throws {
        let program = try AuraProgram(sealing: sealing)
        let kept = try await program.run("capture", "--transcript", input: .text(Self.spoken))
        let path = try #require(kept.lines.first, "\(kept.errors)")
        let shown = try await program.run("show", path)
        #expect(shown.output.contains(Self.clean) && !shown.output.contains("Tuesday"))
        let said = try await program.run("show", "--as-spoken", path)
        #expect(said.status == 0 && said.output == Self.spoken + "\n", "\(said.errors)")
        let bytes = try await program.run("show", "--as-spoken", "--raw", path)
        #expect(bytes.outputBytes == Array(Self.spoken.utf8))
        let json = try await program.run("show", "--as-spoken", path, "--json")
        #expect(json.json?["spoken"]?.text == Self.spoken)
        let file = try await program.run("show", "--raw", path)
        #expect(file.output.contains("---\n") && file.output.contains(Self.clean))
    }

    @Test("a note that was not cleaned says so, and what was said has no versions")
    func notSpoken() async throws {
        let program = try AuraProgram()
        let path = try #require(
            try await program.run("capture", "A plain thought of mine.").lines.first)
        let outcome = try await program.run("show", "--as-spoken", path)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("nothing was cleaned"))
        let both = try await program.run("show", "--as-spoken", path, "--diff")
        #expect(both.status == 64, "\(both.errors)")
    }

    @Test("a transcript that is looked over is saved as the editor left it, with what was said")
    func reviewed() async throws {
        let program = try AuraProgram()
        let outcome = try await program.run(
            "capture", "--transcript", "--review", input: .text(Self.spoken),
            environment: try editor(
                "cp \"$1\" \"$0.seen\"; echo 'Call Viktor on Wednesday at nine.' > \"$1\"", program)
        )
        let path = try #require(outcome.lines.first, "\(outcome.errors)")
        #expect(try written("seen", program) == Self.clean)
        #expect(try program.text(of: path).hasSuffix("Call Viktor on Wednesday at nine.\n"))
        let said = try await program.run("show", "--as-spoken", path)
        #expect(said.output == Self.spoken + "\n", "\(said.errors)")
        #expect(try drafts(program).isEmpty)
    }

    @Test(
        "an editor that fails, is killed, empties the text or kills aura loses no word",
        arguments: [
            "echo more >> \"$1\"; exit 3", "kill -9 $$", ": > \"$1\"", "kill -9 $PPID; sleep 1",
        ])
    func failing(script: String) async throws {
        let program = try AuraProgram()
        let outcome = try await program.run(
            "capture", "--transcript", "--review", input: .text(Self.spoken),
            environment: try editor(
                "ls '\(program.vaultHome)/.aura/drafts' > \"$0.kept\"; \(script)", program))
        #expect(outcome.status != 0)
        #expect(program.notePaths().isEmpty)
        // It was on the disk before the editor opened.
        #expect(try written("kept", program).contains(".json"))
        let again = try await program.run(
            "capture", "--editor", environment: try editor("echo 'and more' >> \"$1\"", program))
        let path = try #require(again.lines.first, "\(again.errors)")
        #expect(try program.text(of: path).contains(Self.clean))
        let said = try await program.run("show", "--as-spoken", path)
        #expect(said.output == Self.spoken + "\n", "\(said.errors)")
        #expect(try drafts(program).isEmpty)
    }

    @Test("where nobody can look it over the words are kept all the same")
    func nobody() async throws {
        let program = try AuraProgram()
        let outcome = try await program.run(
            "capture", "--transcript", "--review", "--no-input", input: .text(Self.spoken))
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(try drafts(program).count == 1)
        #expect(outcome.errors.contains("kept draft"))
    }

    @Test("looking over goes with no other way of writing", arguments: ["--editor", "--dry-run"])
    func conflicts(option: String) async throws {
        let program = try AuraProgram()
        let outcome = try await program.run(
            "capture", "--review", option, input: .text(Self.spoken))
        #expect(outcome.status == 64 && outcome.errors.contains("--review"))
    }

    /// What an editor wrote beside itself.
    private func written(_ ending: String, _ program: AuraProgram) throws -> String {
        String(
            decoding: try Files.bytes(at: "\(program.folder.path)/bin/editor.\(ending)"),
            as: UTF8.self)
    }

    private func drafts(_ program: AuraProgram) throws -> [String] {
        ((try? Files.names(of: "\(program.vaultHome)/.aura/drafts")) ?? [])
            .filter { !$0.hasPrefix(".") }
    }
}
