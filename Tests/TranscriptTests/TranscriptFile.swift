import AuraSystem
import AuraTestKit
import Foundation

/// A `*.transcript` file: what is typed, what must be printed, the exit code.
///
///     clock: Wednesday 2026-03-04 10:00, Europe/London     at most once, at the top
///     Text before a `$` line explains.
///
///     $ aura list | head -1         typed into a shell that starts in the home folder
///     < a line for standard input   any number; `<` alone is an empty line
///     an expected line of standard output
///     ! an expected line of standard error
///     = 1                           the exit code, which ends the step
///
/// `{*}` in an expected line stands for any text, a line `{**}` for any lines. In what is printed, the
/// home folder is written `~`, and the version of the program as `{version}`.
struct TranscriptFile: Sendable {
    struct Step: Sendable, Equatable {
        var command: String
        var input: [String] = []
        var output: [String] = []
        var errors: [String] = []
        var status: Int32 = 0
    }

    enum Part: Sendable {
        case text(String)
        case step(Step)
    }

    let name: String
    var parts: [Part] = []
    var clock: String?

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Transcripts").path

    static func all() throws -> [TranscriptFile] {
        try Files.entries(of: folder).map(\.name).filter { $0.hasSuffix(".transcript") }.sorted()
            .map { name in
                let bytes = try Files.bytes(at: "\(folder)/\(name)")
                return try TranscriptFile(
                    name: name, text: String(decoding: bytes, as: UTF8.self))
            }
    }

    init(name: String, text: String) throws {
        self.name = name
        var step: Step?
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines {
            if step == nil {
                if line.hasPrefix("$ ") {
                    step = Step(command: String(line.dropFirst(2)))
                } else {
                    if line.hasPrefix("clock: ") { clock = String(line.dropFirst(7)) }
                    parts.append(.text(String(line)))
                }
            } else if line.hasPrefix("= "), let code = Int32(line.dropFirst(2)), var done = step {
                done.status = code
                parts.append(.step(done))
                step = nil
            } else if line.hasPrefix("! ") {
                step?.errors.append(String(line.dropFirst(2)))
            } else if line == "<" || line.hasPrefix("< ") {
                step?.input.append(String(line.dropFirst(2)))
            } else {
                step?.output.append(String(line))
            }
        }
        if let step {
            throw CaseError(description: "\(name): no '= code' after '$ \(step.command)'")
        }
    }

    /// The file's text, for recording.
    var text: String {
        parts.map { part in
            switch part {
            case .text(let line): line + "\n"
            case .step(let step): step.text
            }
        }.joined()
    }
}

extension TranscriptFile.Step {
    var text: String {
        var lines = ["$ \(command)"]
        lines += input.map { $0.isEmpty ? "<" : "< \($0)" }
        lines += output
        lines += errors.map { "! \($0)" }
        lines.append("= \(status)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether the lines are those expected, wildcards filled in.
    static func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        if first == "{**}" {
            let rest = expected.dropFirst()
            return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], rest) }
        }
        guard let line = lines.first, matchesLine(line, first) else { return false }
        return matches(lines.dropFirst(), expected.dropFirst())
    }

    static func matchesLine(_ line: String, _ pattern: String) -> Bool {
        guard pattern.contains("{*}") else { return line == pattern }
        let pieces = pattern.components(separatedBy: "{*}")
        var rest = line[...]
        guard let head = pieces.first, rest.hasPrefix(head) else { return false }
        rest = rest.dropFirst(head.count)
        for (place, piece) in pieces.enumerated().dropFirst() {
            if place == pieces.count - 1 {
                return piece.isEmpty || (rest.hasSuffix(piece) && rest.count >= piece.count)
            }
            guard
                let found = rest.range(of: piece)
                    ?? (piece.isEmpty ? rest.startIndex..<rest.startIndex : nil)
            else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty
    }
}
