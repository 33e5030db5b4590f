import AuraCore

/// A transcript cleaned: text in, text out, nothing stored.
struct CleanCommand: Command {
    static let name = "clean"
    static let summary = "Clean a transcript: text in, result out"
    static let discussion = """
        Reads plain text, SRT, WebVTT or whisper JSON and prints the words that were said, without time \
        stamps, fillers and noise marks. Nothing is stored. With --batch, standard input holds one JSON \
        object a line: {"id":…, "text":…}.
        """
    static let examples = [("aura clean < talk.vtt", "Prints the words of a WebVTT file.")]
    static let grammar = Grammar<Self>(
        .rest("words", \.words, help: "The text; standard input when there are none."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        if isBatch {
            return try await Batch.run(invocation) { line in
                [("text", .string(try Self.cleaned(try line.text())))]
            }
        }
        let text = try Self.cleaned(Input.text(words, invocation, purpose: "a transcript"))
        if globals.isJSON {
            invocation.console.writeLine(JSONValue.record([("text", .string(text))]).serialized)
        } else {
            invocation.console.writeLine(SafeDisplay.visible(text))
        }
        return .done
    }

    private static func cleaned(_ text: String) throws -> String {
        try Transcript.parse(text, as: Transcript.detect(text) ?? .plain).cleaned()
    }
}
