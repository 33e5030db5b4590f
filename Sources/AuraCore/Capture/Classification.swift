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

/// What code alone reads out of a note's text, before and beside any model.
package struct Reading: Hashable, Sendable {
    /// Days on or after today that the text may mean, in order, each once.
    package let dates: [Day]
    /// Clock times in it, in order, each once.
    package let times: [TimeOfDay]
    /// The time that was said together with a day.
    package let timeOfDate: [Day: TimeOfDay]
    /// What the rules make of it.
    package let classification: Classification
    /// The text orders something from its writer and names the day: no model is needed, and none may
    /// object.
    package let isPlainOrder: Bool

    /// - Parameters:
    ///   - text: the body; only its first 800 characters are looked at.
    ///   - now: the local time of capture.
    package init(of text: String, now: LocalTime, dayFirst: Bool) {
        let excerpt = String(text.prefix(800))
        var dates: [Day] = []
        var times: [TimeOfDay] = []
        var timeOfDate: [Day: TimeOfDay] = [:]
        var best: Action = .none
        var ordersSomething = false
        var appointment: Action?
        for sentence in Sentences.split(excerpt) {
            let cues = Cues(sentence)
            let found = DatePhrase.deadlineCandidates(in: sentence, now: now, dayFirst: dayFirst)
            for candidate in found {
                if !dates.contains(candidate.day) { dates.append(candidate.day) }
                if let time = candidate.time {
                    if !times.contains(time) { times.append(time) }
                    if timeOfDate[candidate.day] == nil { timeOfDate[candidate.day] = time }
                }
            }
            let first = found.first
            if cues.isOrder {
                ordersSomething = true
                if let first, best == .none {
                    let isMeeting = cues.namesMeeting && !cues.isReminder && first.time != nil
                    best = Action(
                        kind: isMeeting ? .calendar : .reminder, deadline: first.day,
                        time: first.time)
                }
            } else if let first, first.time != nil, cues.namesMeeting, !cues.isPast {
                appointment = appointment
                    ?? Action(kind: .calendar, deadline: first.day, time: first.time)
            }
        }
        self.dates = dates
        self.times = times
        self.timeOfDate = timeOfDate
        isPlainOrder = best != .none
        let action = best != .none ? best : appointment ?? .none
        let whole = Cues(excerpt)
        let kind: NoteKind =
            if action != .none || ordersSomething { .task } else if whole.isIdea { .idea }
            else if whole.isPast { .log } else { .note }
        classification = Classification(
            title: Reading.title(of: excerpt), tags: Reading.tags(of: excerpt), kind: kind,
            action: action.allowed(for: kind),
            isEvergreen: kind == .note && action == .none && whole.isLasting, maker: "rules")
    }

    /// The first words of the first sentence: at most eight, and at most 70 characters.
    static func title(of text: String) -> String {
        guard let sentence = Sentences.split(text).first else { return "" }
        var words = sentence.split(separator: " ").prefix(8).map(String.init)
        if sentence.split(separator: " ").count > 8 {
            while words.count > 3, let last = words.last,
                StopWords.english.contains(FoldedText.fold(last))
            { words.removeLast() }
        }
        var title = words.joined(separator: " ")
        while let last = title.last, ".,;:!?-–—".contains(last) { title.removeLast() }
        return title.count > 70 ? String(title.prefix(70)) : title
    }

    /// Two to four words that say what it is about: the most frequent ones that are no stop words, names and
    /// longer words first among equals. Empty when the text has none.
    static func tags(of text: String) -> [String] {
        var counts: [String: (count: Int, order: Int, isName: Bool)] = [:]
        var order = 0
        var startsSentence = true
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" && $0 != "-" && $0 != "." && $0 != "?" && $0 != "!" }) {
            let bare = word.drop { "'’-.?!".contains($0) }
            var trimmed = bare
            while let last = trimmed.last, "'’-.?!".contains(last) { trimmed.removeLast() }
            defer { startsSentence = word.last.map { ".?!".contains($0) } ?? false }
            let folded = FoldedText.fold(trimmed).filter { $0 != "'" && $0 != "’" }
            guard folded.count >= 3, folded.contains(where: \.isLetter), !folded.contains("."),
                !StopWords.english.contains(folded), !Cues.timeWords.contains(folded),
                !Cues.orderVerbs.contains(folded), let tag = Tag.normalised(folded)
            else { continue }
            let isName = trimmed.first?.isUppercase == true && !startsSentence
            counts[tag, default: (0, order, false)].count += 1
            if isName { counts[tag]?.isName = true }
            order += 1
        }
        let best = counts.sorted { left, right in
            let (a, b) = (left.value, right.value)
            if a.count != b.count { return a.count > b.count }
            if a.isName != b.isName { return a.isName }
            let (long, other) = (min(left.key.count, 7), min(right.key.count, 7))
            return long != other ? long > other : a.order < b.order
        }.prefix(3)
        return best.sorted { $0.value.order < $1.value.order }.map(\.key)
    }
}

/// Signs in the words of a sentence that tell what it is for.
struct Cues {
    /// The writer tells himself to do something.
    let isOrder: Bool
    /// It says so outright: "remind me", "don't forget".
    let isReminder: Bool
    let namesMeeting: Bool
    let isPast: Bool
    let isIdea: Bool
    let isLasting: Bool

    init(_ text: String) {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
            .map { FoldedText.fold($0).replacing("’", with: "'") }
        let joined = " " + words.joined(separator: " ") + " "
        isReminder = Cues.reminderPhrases.contains { joined.contains(" \($0) ") }
        let mustDo = Cues.dutyPhrases.contains { joined.contains(" \($0) ") }
        isPast = Cues.pastWords.contains { joined.contains(" \($0) ") }
        let lower = FoldedText.fold(text)
        isIdea = lower.hasPrefix("idea:") || lower.hasPrefix("idea -")
            || Cues.ideaPhrases.contains { joined.contains(" \($0) ") }
        isLasting = Cues.lastingStarts.contains { joined.hasPrefix(" \($0) ") }
            || lower.hasPrefix("recipe") || lower.hasPrefix("how to")
        namesMeeting = words.contains { Cues.meetingWords.contains($0) }
        isOrder = !isIdea && (isReminder || mustDo || Cues.beginsWithOrder(words))
    }

    /// "Call the plumber", "please send …", "at 5:20 ring the garage", "tomorrow: buy salt".
    private static func beginsWithOrder(_ words: [String]) -> Bool {
        var position = 0
        while position < min(words.count, 6), leadingWords.contains(words[position])
            || timeWords.contains(words[position]) || words[position].allSatisfy(\.isNumber)
        {
            position += 1
        }
        guard position < words.count, orderVerbs.contains(words[position]) else { return false }
        // "Book club was fun": a verb only if no verb of the past follows at once.
        let next = position + 1 < words.count ? words[position + 1] : ""
        return !["was", "were", "is", "are", "has", "had", "club", "went"].contains(next)
    }

    static let reminderPhrases = [
        "remind me", "reminder", "remember to", "don't forget", "dont forget", "do not forget",
        "note to self", "make sure to", "make sure i", "to do", "todo",
    ]
    static let dutyPhrases = [
        "need to", "needs to be", "have to", "has to be", "has to go", "must be", "i must", "we must", "i should",
        "we should", "got to", "gotta", "is due", "are due", "due by", "due on", "deadline is", "deadline",
    ]
    static let leadingWords: Set<String> = [
        "please", "and", "then", "also", "ok", "okay", "so", "at", "on", "by", "next", "this", "the", "in",
        "first", "before", "after", "am", "pm", "st", "nd", "rd", "th", "o'clock", "half", "past", "quarter",
        "urgent", "important", "task", "noon", "a", "an",
    ]
    static let orderVerbs: Set<String> = Set(
        """
        add answer apply arrange ask bake bleed book bring buy call cancel change charge check choose clean
        clear close collect complete confirm contact cook cut decide deliver discuss download draft drop
        email empty file fill find finish fix follow forward get give hand hang install invite invoice
        join mail make measure meet mend message move mow order organise organize pack paint pay phone
        pick plan plant post prepare print prune put read rebook register remind remove renew repair
        replace reply report request rescheduled reschedule reserve return review ring salt schedule
        sell send service set share ship sign sort start stop submit switch take talk tell test text
        thank tidy transfer try turn update upload visit wash water wrap write
        """.split(whereSeparator: \.isWhitespace).map(String.init))
    static let meetingWords: Set<String> = [
        "meeting", "appointment", "lunch", "dinner", "breakfast", "coffee", "dentist", "doctor",
        "interview", "flight", "train", "concert", "party", "rehearsal", "lesson", "class", "standup",
        "call", "workshop", "seminar", "webinar", "conference", "exam", "wedding", "funeral", "viewing",
        "haircut", "physio", "vet", "match", "game", "drinks", "brunch", "session", "review", "demo",
    ]
    static let pastWords = [
        "was", "were", "went", "met", "walked", "saw", "had", "did", "felt", "took", "made", "came", "got",
        "told", "said", "slept", "ran", "ate", "watched", "yesterday", "last night", "bought", "sold",
        "finished", "closed", "slipped", "rose", "fell", "counted", "played", "visited", "spent",
    ]
    static let ideaPhrases = [
        "what if", "idea for", "an idea", "could build", "could make", "maybe we could", "would be great if",
        "would be nice if", "imagine if", "concept for", "imagine a",
    ]
    static let lastingStarts = [
        "always", "never", "to make", "to stop", "to keep", "to get", "to clean", "to remove", "to peel", "when you",
        "if you", "a good", "the best way", "rule of thumb", "lesson", "principle", "quote",
        "whoever", "people who", "people will", "don't", "tip",
    ]
    static let timeWords: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today",
        "tomorrow", "tonight", "yesterday", "morning", "afternoon", "evening", "night", "week",
        "weekend", "month", "year", "day", "days", "weeks", "months", "january", "february", "march",
        "april", "june", "july", "august", "september", "october", "november", "december", "noon",
        "midnight", "hour", "hours", "minutes",
    ]
}

extension Classification {
    /// A model's reply brought together with what code read.
    ///
    /// Nil when the reply is no complete object: then nothing of it is used.
    package init?(reply: String, reading: Reading, maker: String) {
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
        } else if action.kind == .none, rules.action.kind == .calendar {
            // A meeting with a day and a time in the text is one, even where the model saw none.
            action = rules.action
            kind = .task
        }
        if action.kind == .calendar, action.time == nil { action.kind = .reminder }
        let finalKind = kind ?? rules.kind
        let evergreen = object["evergreen"]?.bool ?? false
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
