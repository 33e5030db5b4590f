import AuraCore

/// Dates in a text: text in, dates out, nothing stored.
struct WhenCommand: Command {
    static let name = "when"
    static let summary = "Find the dates in a text"
    static let discussion = """
        Reads words or standard input and prints each date phrase with what it means. Nothing is stored.
        With --batch, standard input holds one JSON object a line: {"id":…, "text":…} and optionally \
        "now" and "zone".
        """
    static let examples = [
        ("aura when 'lunch on Friday at half past twelve'", "Prints the day and time."),
        ("aura when --json 'by the end of the month'", "Prints one JSON object."),
    ]
    static let grammar = Grammar<Self>(
        takesDashedWords: true,
        .rest("words", \.words, help: "The text; standard input when there are none."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if isBatch {
            return try await Batch.run(invocation) { line in
                let local = try line.localTime(services)
                return [("dates", dates(in: try line.text(), now: local, services))]
            }
        }
        let text = try Input.text(words, invocation, purpose: "a text")
        let local = services.zone.local(services.now())
        let found = dates(in: text, now: local, services)
        if globals.isJSON {
            invocation.console.writeLine(JSONValue.record([("dates", found)]).serialized)
        } else {
            for date in found.elements ?? [] {
                let end = date["end"]?.text.map { " to \($0)" } ?? ""
                let words = date["text"]?.text ?? ""
                invocation.console.writeLine(
                    "\(date["start"]?.text ?? "")\(end)  \(SafeDisplay.visible(words, keepsLines: false))"
                )
            }
        }
        return .done
    }

    private func dates(in text: String, now: LocalTime, _ services: Services) -> JSONValue {
        let phrases = DatePhrase.all(
            in: text, now: now, direction: .future, dayFirst: services.settings.isDayFirst)
        return .array(phrases.map(\.json))
    }
}
