import AuraCore

/// Dates in a text: text in, dates out, nothing stored.
struct WhenCommand: Command {
    static let name = "when"
    static let summary = "Find the dates in a text"
    static let discussion = """
        Reads words or standard input and prints each date phrase with what it means. Nothing is stored.
        What a text leaves open lies ahead ('on Friday' is the next one), with --past behind. With --batch, \
        standard input holds one JSON object a line: {"id":…, "text":…} and optionally "now", "zone", "past" \
        and "languages".
        """
    static let examples = [
        ("aura when 'lunch on Friday at half past twelve'", "Prints the day and time."),
        ("aura when --json 'by the end of the month'", "Prints one JSON object."),
    ]
    static let grammar = Grammar<Self>(
        takesDashedWords: true,
        .rest("words", \.words, help: "The text; standard input when there are none."),
        .flag("past", \.looksBack, help: "Look back for what the text leaves open."),
        .option(
            "languages", \.languages, value: "codes",
            help: "The languages to look for, as in the setting dates.languages."),
        .flag("batch", \.isBatch, help: "One JSON object a line in, one a line out."))

    var words: [String] = []
    var looksBack = false
    var languages: String?
    var isBatch = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        var customs = services.dateCustoms
        if let languages { customs.languages = try Self.languages(languages) }
        if isBatch {
            return try await Batch.run(invocation) { line in
                let (now, zone) = try line.clock(services)
                var customs = customs
                customs.zone = zone
                let codes = try line.texts("languages").joined(separator: " ")
                if !codes.isEmpty { customs.languages = try Self.languages(codes) }
                let direction = try line.flag("past").map { $0 ? Direction.past : .future }
                let found = DatePhrase.all(
                    in: try line.text(), now: zone.local(now),
                    direction: direction ?? self.direction, customs: customs)
                return [("dates", .array(found.map(\.json)))]
            }
        }
        let text = try Input.text(words, invocation, purpose: "a text")
        let found = DatePhrase.all(
            in: text, now: services.zone.local(services.now()), direction: direction,
            customs: customs)
        if globals.isJSON {
            let dates = JSONValue.array(found.map(\.json))
            invocation.console.writeLine(JSONValue.record([("dates", dates)]).serialized)
        } else {
            for date in found { invocation.console.writeLine(Self.line(date)) }
        }
        return .done
    }

    private typealias Direction = DatePhrase.Direction

    private var direction: Direction { looksBack ? .past : .future }

    private static func languages(_ codes: String) throws -> [DateLanguage] {
        let setting = Settings.named("dates.languages")
        guard case .text(let list)? = setting?.value(of: codes) else {
            throw InputError.badLine(
                "'\(codes)' are no languages: \(setting?.expectation ?? "")")
        }
        return list.split(separator: " ").compactMap {
            DateLanguage.Code(rawValue: String($0)).map(DateLanguage.of)
        }
    }

    /// `2026-03-06 to 2026-03-07  Friday`
    private static func line(_ date: DatePhrase) -> String {
        let json = date.json
        let bounds = [("", json["start"]), ("to ", json["end"])].compactMap { word, bound in
            bound?.text.map { word + $0 }
        }
        let rule = date.recurrence.map { "  \($0)" } ?? ""
        let words = SafeDisplay.visible(date.text, keepsLines: false)
        return "\(bounds.joined(separator: " "))\(rule)  \(words)"
    }
}
