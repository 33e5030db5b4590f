/// The fields of a note that can be found out from its text.
///
/// The model proposes, this type decides: dates and times can only be those found in the text, an
/// action needs a task and a deadline, and a plain order to oneself with a date in it is a reminder
/// whatever the model thinks.
package struct Classification: Hashable, Sendable {
    package var title: String
    package var tags: [String]
    package var kind: NoteKind
    package var action: Action
    package var isEvergreen: Bool
    /// `rules`, or the model's name and the prompt's fingerprint.
    package var maker: String

    package init(
        title: String, tags: [String], kind: NoteKind, action: Action, isEvergreen: Bool,
        maker: String
    ) {
        self.title = title
        self.tags = tags
        self.kind = kind
        self.action = action
        self.isEvergreen = isEvergreen
        self.maker = maker
    }
}

extension Classification {
    /// A model's reply brought together with what code read.
    ///
    /// Nil when the reply is no complete object: then nothing of it is used.
    package init?(reply: String, reading: TextReading, maker: String) {
        guard let object = LooseJSON.object(in: ModelReply.cleaned(reply)) else { return nil }
        let rules = reading.classification
        let proposed = Tag.list(object["tags"]?.elements?.compactMap(\.text) ?? [])
        var tags = Array(proposed.prefix(5))
        if tags.count < 2 {
            tags = Array(Tag.list(tags + rules.tags).prefix(3))
        }
        let title = Classification.cleanTitle(object["suggested_title"]?.text ?? "")
        var kind = object["suggested_type"]?.text.flatMap(NoteKind.init(rawValue:))
        if kind?.isReport == true { kind = nil }
        let day = object["deadline"]?.text.flatMap { Day(iso: $0.prefix(10)) }
            .flatMap { reading.dates.contains($0) ? $0 : nil }
        let proposedKind = object["action_kind"]?.text.flatMap(Action.Kind.init(rawValue:))
        let saidTime = object["time"]?.text.flatMap { TimeOfDay($0) }
            .flatMap { reading.times.contains($0) ? $0 : nil }
        var action = Action(
            kind: proposedKind ?? .none, deadline: day,
            time: day.flatMap { reading.timeOfDate[$0] } ?? saidTime)
        if reading.isPlainOrder {
            action = rules.action
            kind = .task
        } else if rules.action.kind == .calendar, action.kind != .calendar {
            // A meeting with a day and a time in the text is one, even where the model saw none.
            action = rules.action
            kind = .task
        } else if reading.ordersSomething {
            kind = .task
        } else if reading.isLasting {
            kind = .note
        } else if kind == .log, !reading.tellsWhatHappened {
            // Small models call log whatever is neither a task nor a plan.
            kind = .note
        }
        if action.kind == .calendar, action.time == nil { action.kind = .reminder }
        let finalKind = kind ?? rules.kind
        let evergreen = reading.isLasting || object["evergreen"]?.bool == true
        self.init(
            title: title.isEmpty ? rules.title : title, tags: tags, kind: finalKind,
            action: action.allowed(for: finalKind),
            isEvergreen: evergreen && finalKind != .task, maker: maker)
    }

    /// One line without quotes around it or a full stop behind it, at most 80 characters.
    static func cleanTitle(_ title: String) -> String {
        var words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while let last = words.last, ".,;: ".contains(last) { words.removeLast() }
        if words.count > 2, words.hasPrefix("\""), words.hasSuffix("\"") {
            words = String(words.dropFirst().dropLast())
        }
        return String(words.prefix(80))
    }
}

extension Classification {
    /// Asks a model about a note. Nil when its reply was no use; who was asked is told either way.
    /// - Throws: `ModelError`, `CancellationError`.
    package static func asking(
        _ generator: any TextGenerator, about note: Note, _ reading: TextReading, today: Day,
        _ sampling: Sampling
    ) async throws -> (made: Classification?, maker: String) {
        let prompt = Prompts.classify(
            note: note.body, vault: note.vault, today: today, dates: reading.dates,
            times: reading.times)
        let maker = "\(generator.modelName) \(prompt.fingerprint)"
        let reply = try await generator.reply(to: prompt, sampling)
        return (Classification(reply: reply, reading: reading, maker: maker), maker)
    }
}
