internal import AuraCrypto

/// Every prompt of aura, one function each. The words are in `Text/`, the blanks are parameters.
package enum Prompts {
    /// Asks for the fields of a note. The reply is a JSON object; action, deadline and time can only
    /// be what was found in the text.
    ///
    /// - Parameters:
    ///   - note: at most the first 800 characters are read.
    ///   - dates: the days that the note may mean, each once, in order of preference.
    ///   - times: the clock times in it.
    package static func classify(
        note: String, vault: String, today: Day, dates: [Day], times: [TimeOfDay]
    ) -> Prompt {
        let excerpt = oneLine(String(note.prefix(800)))
        let dateWords = dates.map { "\($0) (\($0.weekday.name))" }
        // The first option of each choice is guessed and read ahead: the likeliest stands first.
        let none = ["\"none\""]
        let actions = ["\"reminder\"", "\"calendar\""]
        let kinds = dates.isEmpty ? none : (times.isEmpty ? actions : actions.reversed()) + none
        let dateChoices = dates.map { "\"\($0)\"" } + ["null"]
        let timeChoices = (dates.isEmpty ? [] : times.map { "\"\($0)\"" }) + ["null"]
        let types = ["\"task\"", "\"note\"", "\"idea\"", "\"log\""]
        let form = Form([
            .fixed("{\"tags\":[\""), .free(.tags(minimum: 2, maximum: 5), end: "\"]"),
            .fixed(",\"action_kind\":"), .choice(kinds), .fixed(",\"deadline\":"),
            .choice(dateChoices), .fixed(",\"time\":"), .choice(timeChoices),
            .fixed(",\"evergreen\":"), .choice(["false", "true"]), .fixed(",\"suggested_type\":"),
            .choice(dates.isEmpty ? types.reversed() : types),
            .fixed(",\"suggested_title\":\""), .free(.line(minimum: 3, maximum: 70), end: "\""),
            .fixed("}"),
        ])
        let page = PromptPage(PackageResources.classify_md, grammar: PackageResources.classify_gbnf)
        let grammar = page.grammar([
            "kinds": alternatives(kinds), "dates": alternatives(dateChoices),
            "times": alternatives(timeChoices),
        ])
        let messages = page.messages([
            "today": "\(today.weekday.name) \(today)", "vault": vault,
            "dates": dateWords.isEmpty ? "none" : dateWords.joined(separator: ", "),
            "times": times.isEmpty ? "none" : times.map(\.description).joined(separator: ", "),
            "note": excerpt,
        ])
        return Prompt(
            name: "classify", messages: messages, decoding: .form(form, fallback: grammar),
            maximumTokens: 160, fingerprint: page.fingerprint, sharedMessages: messages.count - 1)
    }

    /// A note as a question's prompt shows it.
    package struct QuotedNote: Sendable, Hashable {
        package var day: String
        package var title: String
        package var text: String

        package init(day: String, title: String, text: String) {
            self.day = day
            self.title = title
            self.text = text
        }
    }

    /// Asks a question over a few passages, oldest first.
    package static func answer(question: String, notes: [QuotedNote]) -> Prompt {
        let page = PromptPage(PackageResources.answer_md)
        let quoted = notes.map { note in
            "<note date=\"\(note.day)\" title=\"\(attribute(note.title))\">\n\(fenced(note.text))\n</note>"
        }
        let messages = page.messages([
            "notes": quoted.joined(separator: "\n"), "question": oneLine(question),
        ])
        return Prompt(
            name: "answer", messages: messages, maximumTokens: 160,
            stops: ["\n\n", "\nQuestion:", "<note"],
            fingerprint: page.fingerprint, sharedMessages: messages.count - 1)
    }

    /// A note as a weekly report's prompt shows it.
    package struct NumberedNote: Sendable, Hashable {
        package var number: Int
        package var weekday: String
        package var kind: String
        package var title: String
        package var text: String

        package init(number: Int, weekday: String, kind: String, title: String, text: String) {
            self.number = number
            self.weekday = weekday
            self.kind = kind
            self.title = title
            self.text = text
        }
    }

    /// Asks for the four parts of a weekly report. Only numbers of notes that were given can be cited.
    package static func distillWeek(notes: [NumberedNote]) -> Prompt {
        let page = PromptPage(
            PackageResources.distill_week_md, grammar: PackageResources.distill_week_gbnf)
        let quoted = notes.map { note in
            "<note number=\"\(note.number)\" day=\"\(note.weekday)\" type=\"\(note.kind)\" "
                + "title=\"\(attribute(note.title))\">\n\(fenced(note.text))\n</note>"
        }
        let messages = page.messages(["notes": quoted.joined(separator: "\n")])
        let grammar = page.grammar(["numbers": alternatives(notes.map { "\($0.number)" })])
        return Prompt(
            name: "distill-week", messages: messages, decoding: .grammar(grammar),
            maximumTokens: 420, fingerprint: page.fingerprint, sharedMessages: messages.count - 1)
    }

    /// Asks for a piece of dictated text without its hesitations. Nothing says that the reply keeps to
    /// the text: `SpeechGuard` does.
    package static func polish(_ text: String) -> Prompt {
        let page = PromptPage(PackageResources.polish_md)
        let messages = page.messages(["text": oneLine(fenced(text, tag: "text"))])
        return Prompt(
            name: "polish", messages: messages,
            // A token has two bytes at the very least, on average.
            maximumTokens: text.utf8.count / 2 + 40, stops: ["</text", "<text"],
            fingerprint: page.fingerprint, sharedMessages: messages.count - 1)
    }

    /// `["null", "\"a\""]` → `"null" | "\"a\""` in GBNF.
    private static func alternatives(_ texts: [String]) -> String {
        texts.map { text in
            let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
            return "\"\(escaped)\""
        }.joined(separator: " | ")
    }

    /// Note text cannot close its own fence or open another.
    private static func fenced(_ text: String, tag: String = "note") -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open]
            rest = rest[open...]
            let head = rest.prefix(7).lowercased()
            result += head.hasPrefix("<\(tag)") || head.hasPrefix("</\(tag)") ? "(" : "<"
            rest = rest.dropFirst()
        }
        return result + rest
    }

    private static func attribute(_ text: String) -> String {
        oneLine(text).map { $0 == "\"" ? "'" : $0 == "<" ? "(" : $0 == ">" ? ")" : "\($0)" }
            .joined()
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// A file of `Text/`: messages under headings of their role, blanks as `{{name}}`.
struct PromptPage {
    private let parts: [(role: Prompt.Message.Role, text: String)]
    private let grammarText: String
    let fingerprint: String

    init(_ bytes: [UInt8], grammar: [UInt8] = []) {
        var parts: [(role: Prompt.Message.Role, lines: [Substring])] = []
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## "),
                let role = Prompt.Message.Role(rawValue: String(line.dropFirst(3)))
            {
                parts.append((role, []))
            } else if !parts.isEmpty {
                parts[parts.count - 1].lines.append(line)
            }
        }
        self.parts = parts.map { part in
            var lines = part.lines[...]
            while lines.last?.isEmpty == true { lines.removeLast() }
            return (part.role, lines.joined(separator: "\n"))
        }
        grammarText = String(decoding: grammar, as: UTF8.self)
        fingerprint = String(Digest.of(bytes + [0] + grammar).hexadecimal.prefix(12))
    }

    func messages(_ blanks: [String: String]) -> [Prompt.Message] {
        parts.map { Prompt.Message($0.role, PromptPage.fill($0.text, blanks)) }
    }

    func grammar(_ blanks: [String: String]) -> String { PromptPage.fill(grammarText, blanks) }

    /// One pass: what is filled in is not looked at again. An unknown blank is a mistake of ours.
    private static func fill(_ template: String, _ blanks: [String: String]) -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}")
        {
            let name = String(rest[open.upperBound..<close.lowerBound])
            guard let value = blanks[name] else { preconditionFailure("no value for {{\(name)}}") }
            result += rest[..<open.lowerBound] + value
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}

extension Substring {
    /// The first place where `text` stands; the standard library has it only with regular expressions.
    fileprivate func range(of text: String) -> Range<Index>? {
        guard let first = text.first else { return nil }
        var start = startIndex
        while let candidate = self[start...].firstIndex(of: first) {
            if self[candidate...].hasPrefix(text) {
                return candidate..<index(candidate, offsetBy: text.count)
            }
            start = index(after: candidate)
        }
        return nil
    }
}
