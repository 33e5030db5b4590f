import AuraCore

/// A transcript cleaned: text in, text out, nothing stored.
struct CleanCommand: Command {
    static let name = "clean"
    static let summary = "Clean a transcript: text in, result out"
    static let discussion = """
        Reads plain text, SRT, WebVTT or whisper JSON and prints the words that were said, without time \
        stamps and noise marks. Of English, fillers go, words begun twice, and what the speaker took back, and \
        sentences get their capitals and signs. With --polish the chat model looks over the result; what loses \
        a name, a number, a date or a denial, or adds a word, is not taken. Nothing is stored. With --batch, standard input holds one JSON \
        object a line: {"id":…, "text":…}.
        """
    static let examples = [
        ("aura clean < talk.vtt", "Prints the words of a WebVTT file."),
        ("aura clean 'um, on Tuesday, no, Wednesday'", "Prints: On Wednesday."),
    ]
    static let grammar = Grammar<Self>(
        .rest("words", \.words, help: "The text; standard input when there are none."),
        .flag("polish", \.polishes, help: "Let the chat model look over it."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var polishes = false
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let polish = polishes ? invocation.services.generator.map { SpeechPolish($0) } : nil
        if polishes, polish == nil {
            invocation.console.say(
                "aura: no chat model is set up: cleaned by rules only ('aura model list')")
        }
        if isBatch {
            return try await Batch.run(invocation) { line in
                [("text", .string(try await Self.cleaned(try line.text(), polish)))]
            }
        }
        let given = try Input.text(words, invocation, purpose: "a transcript")
        let text = try await Self.cleaned(given, polish)
        if globals.isJSON {
            invocation.console.writeLine(JSONValue.record([("text", .string(text))]).serialized)
        } else {
            invocation.console.writeLine(SafeDisplay.visible(text))
        }
        return .done
    }

    private static func cleaned(_ text: String, _ polish: SpeechPolish?) async throws -> String {
        let cleaned = try Transcript.parse(text, as: Transcript.detect(text) ?? .plain).cleaned()
        return try await polish?.polished(cleaned) ?? cleaned
    }
}
