import AuraCore
import AuraTestKit
import AuraYAML
import Testing

extension AuraProgram {
    /// Runs and insists on success.
    @discardableResult
    func done(
        _ words: String..., input: Input = .nothing,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await run(words, input: input)
        #expect(
            outcome.status == 0, "aura \(words.joined(separator: " ")): \(outcome.errors)",
            sourceLocation: sourceLocation)
        return outcome
    }

    /// A home with the files of the case in it, at the case's clock.
    static func prepared(for item: Case, models: Models = .none) async throws -> AuraProgram {
        let program = try AuraProgram(clock: item.clock, models: models)
        try await program.makeHome()
        try program.write(item.files)
        return program
    }

    /// Pipes the case's text into a capture and reads the note that came of it.
    func captured(_ item: Case) async throws -> (path: String, note: Note, outcome: Outcome) {
        let outcome = try await run(
            "capture", "--vault", "Corporate", "--json", input: .bytes(try #require(item.stdin)))
        let path = try #require(
            outcome.json?["path"]?.text, "\(item.id): \(outcome.output)\(outcome.errors)")
        return (path, try note(at: path), outcome)
    }

    func note(at path: String) throws -> Note {
        NoteText(bytes: try bytes(of: path), path: path).note
    }

    /// The lines of the front matter, without the marks around it.
    func frontMatter(of path: String) throws -> [String] {
        let lines = try text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropFirst().prefix { $0 != "---" && $0 != "---\r" }.map(String.init)
    }

    /// Paths of what a search lists, best first.
    func found(
        _ query: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let outcome = try await run(["search", "--json"] + query)
        #expect(
            outcome.status == 0, "search \(query): \(outcome.errors)",
            sourceLocation: sourceLocation)
        return outcome.jsonLines.compactMap { $0["path"]?.text }
    }

    /// Paths of what is listed.
    func listed(_ options: String...) async throws -> [String] {
        try await run(["list", "--json", "-n", "0"] + options).jsonLines.compactMap {
            $0["path"]?.text
        }
    }
}

extension AuraProgram.Outcome {
    var json: JSONValue? { JSONValue.read(outputBytes) }

    var jsonLines: [JSONValue] {
        outputBytes.split(separator: 0x0A).compactMap { JSONValue.read(Array($0)) }
    }
}

/// What a YAML parser of somebody else makes of front matter.
func yaml(_ lines: [String]) throws -> YAMLDocument {
    try YAMLDocument(Array((lines.joined(separator: "\n") + "\n").utf8))
}
