/// What code alone reads out of a note's text, before and beside any model.
package struct TextReading: Hashable, Sendable {
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
    /// It tells its writer to do something, with a day or without.
    package let ordersSomething: Bool
    package let tellsWhatHappened: Bool
    /// By its form it is a how-to, a recipe or a principle.
    package let isLasting: Bool

    /// - Parameters:
    ///   - text: the body; only its first 800 characters are looked at.
    ///   - now: the local time of capture.
    package init(of text: String, now: LocalTime, customs: DateCustoms) {
        let excerpt = String(text.prefix(800))
        var dates: [Day] = []
        var times: [TimeOfDay] = []
        var timeOfDate: [Day: TimeOfDay] = [:]
        var best: Action = .none
        var ordersSomething = false
        var appointment: Action?
        for sentence in Sentences.split(excerpt) {
            let cues = Cues(sentence)
            // What was, and what is not to be done, has no date to act on.
            let isAboutNothingToDo =
                cues.isForbidding || (cues.isPast && !cues.isOrder && !cues.namesMeeting)
            let found =
                isAboutNothingToDo
                ? [] : DatePhrase.deadlineCandidates(in: sentence, now: now, customs: customs)
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
                    let isMeeting =
                        cues.namesMeeting && !cues.isReminder && !cues.beginsWithErrand
                        && first.time != nil
                    best = Action(
                        kind: isMeeting ? .calendar : .reminder, deadline: first.day,
                        time: first.time)
                }
            } else if let first, first.time != nil, cues.namesMeeting, !cues.isPast {
                appointment =
                    appointment
                    ?? Action(kind: .calendar, deadline: first.day, time: first.time)
            }
        }
        self.dates = dates
        self.times = times
        self.timeOfDate = timeOfDate
        isPlainOrder = best != .none
        let action = best != .none ? best : appointment ?? .none
        let whole = Cues(excerpt)
        // A recipe gives orders to whoever cooks.
        let isTask = action != .none || (ordersSomething && !whole.isLasting)
        self.ordersSomething = isTask
        tellsWhatHappened = whole.tellsWhatHappened
        isLasting = !isTask && whole.isLasting
        let kind: NoteKind =
            if isTask { .task } else if whole.isIdea {
                .idea
            } else if whole.tellsWhatHappened, !whole.isLasting { .log } else { .note }
        classification = Classification(
            title: TextReading.title(of: excerpt), tags: TextReading.tags(of: excerpt), kind: kind,
            action: action.allowed(for: kind),
            isEvergreen: kind == .note && action == .none && whole.isLasting,
            maker: Journal.rulesMaker)
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
        for word in text.split(whereSeparator: {
            !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" && $0 != "-" && $0 != "."
                && $0 != "?" && $0 != "!"
        }) {
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
