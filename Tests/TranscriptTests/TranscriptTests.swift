import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// `AURA_RECORD=transcripts` writes what is printed now into the files instead of comparing; lines that
/// match stay as they are, wildcards included.
private let isRecording = ProcessInfo.processInfo.environment["AURA_RECORD"] == "transcripts"

@Suite("whole commands, as typed")
struct TranscriptTests {
    @Test("a transcript is what the program prints", arguments: try TranscriptFile.all())
    func transcript(_ file: TranscriptFile) async throws {
        let program = try AuraProgram(clock: file.clock)
        var recorded = file
        for (place, part) in file.parts.enumerated() {
            guard case .step(let step) = part else { continue }
            let input = step.input.map { $0 + "\n" }.joined()
            let outcome = try await program.shell(
                step.command, input: step.input.isEmpty ? .nothing : .text(input),
                environment: ["V": program.vaultHome])
            var seen = step
            seen.output = lines(outcome.output, program)
            seen.errors = lines(outcome.errors, program)
            seen.status = outcome.status
            let isSame =
                seen.status == step.status
                && TranscriptFile.Step.matches(seen.output[...], step.output[...])
                && TranscriptFile.Step.matches(seen.errors[...], step.errors[...])
            if isRecording {
                if !isSame { recorded.parts[place] = .step(seen) }
            } else if !isSame {
                Issue.record("\(file.name): expected\n\(step.text)but it was\n\(seen.text)")
            }
        }
        if isRecording {
            try AtomicFile.replace(
                "\(TranscriptFile.folder)/\(file.name)", Array(recorded.text.utf8), mode: 0o644)
        }
    }

    private func lines(_ text: String, _ program: AuraProgram) -> [String] {
        guard !text.isEmpty else { return [] }
        var text = text.replacing("\(program.folder.path)/home", with: "~")
            .replacing(program.folder.path, with: "{root}")
        if isRecording { text = text.replacing(#/[0-7][0-9A-HJKMNP-TV-Z]{25}/#, with: "{*}") }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A last line without its end is shown as one.
        if lines.last?.isEmpty == true {
            lines.removeLast()
        } else {
            lines[lines.count - 1] += "{no end}"
        }
        return lines
    }
}

extension TranscriptFile: CustomTestStringConvertible {
    var testDescription: String { name }
}

@Suite("the transcript format")
struct TranscriptFormatTests {
    @Test(
        "wildcards stand for any text within a line",
        arguments: [
            ("id 01AB end", "id {*} end", true), ("id end", "id {*}end", true),
            ("abc", "{*}", true), ("", "{*}", true), ("abc", "a{*}d", false),
            ("aXbXc", "a{*}b{*}c", true),
            ("abc", "abc", true), ("abcd", "abc", false),
        ])
    func wildcards(line: String, pattern: String, isMatch: Bool) {
        #expect(TranscriptFile.Step.matchesLine(line, pattern) == isMatch)
    }

    @Test("a line of two stars stands for any lines, none too")
    func lines() {
        let lines = ["a", "b", "c"]
        #expect(TranscriptFile.Step.matches(lines[...], ["a", "{**}"]))
        #expect(TranscriptFile.Step.matches(lines[...], ["{**}", "c"]))
        #expect(TranscriptFile.Step.matches(lines[...], ["a", "{**}", "b", "c"]))
        #expect(!TranscriptFile.Step.matches(lines[...], ["a", "{**}", "d"]))
    }

    @Test("what was read is written back the same")
    func roundTrip() throws {
        for file in try TranscriptFile.all() {
            let bytes = try Files.bytes(at: "\(TranscriptFile.folder)/\(file.name)")
            #expect(file.text == String(decoding: bytes, as: UTF8.self))
        }
    }
}
