/// Signs in the words of a sentence that tell what it is for.
struct Cues {
    /// The writer tells himself to do something.
    let isOrder: Bool
    /// It says so outright: "remind me", "don't forget".
    let isReminder: Bool
    let namesMeeting: Bool
    /// It begins with what to do ("ring the vet"); then what is named is whom to reach, not an
    /// appointment, unless the verb itself is to meet.
    let beginsWithErrand: Bool
    let isPast: Bool
    /// Something is told that happened or was done; "has grown" and "a seized screw" tell how things are.
    let tellsWhatHappened: Bool
    /// It tells not to do something, or that nothing need be done: its dates are nothing to be done on.
    let isForbidding: Bool
    let isIdea: Bool
    let isLasting: Bool

    init(_ text: String) {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
            .map { FoldedText.fold($0).replacing("’", with: "'") }
        let joined = " " + words.joined(separator: " ") + " "
        isReminder = Cues.reminderPhrases.contains { joined.contains(" \($0) ") }
        isPast = Cues.pastWords.contains { joined.contains(" \($0) ") }
        tellsWhatHappened = isPast || Cues.hasPastForm(words)
        let isSpared = !isReminder && Cues.sparingPhrases.contains { joined.contains(" \($0) ") }
        // "It was due on Friday, they sent it" asks for nothing any more.
        let mustDo =
            !isSpared && Cues.dutyPhrases.contains { joined.contains(" \($0) ") }
            && !(isPast && (joined.contains(" due ") || joined.contains(" deadline ")))
        let start = words.first == "please" ? Array(words.dropFirst()) : words
        isForbidding =
            !isReminder
            && (isSpared || start.starts(with: ["do", "not"])
                || ["don't", "dont", "never"].contains(start.first))
        let lower = FoldedText.fold(text)
        isIdea =
            lower.hasPrefix("idea:") || lower.hasPrefix("idea -")
            || Cues.ideaPhrases.contains { joined.contains(" \($0) ") }
        isLasting =
            Cues.lastingStarts.contains { joined.hasPrefix(" \($0) ") }
            || lower.hasPrefix("recipe") || lower.hasPrefix("how to")
            || Cues.isPurpose(words, text) || Cues.isRecipe(words)
        namesMeeting = words.contains { Cues.meetingWords.contains($0) }
        let verb = Cues.orderVerb(words)
        beginsWithErrand =
            verb.map { !["meet", "visit", "join", "attend", "schedule", "arrange"].contains($0) }
            ?? false
        isOrder = !isIdea && !isForbidding && (isReminder || mustDo || verb != nil)
    }

    /// "To free a seized screw, heat the head": how something is done. "To Anna, with love" is none.
    private static func isPurpose(_ words: [String], _ text: String) -> Bool {
        guard words.count > 5, words[0] == "to", words[1] != "do", text.contains(","),
            let second = text.split(separator: " ").dropFirst().first
        else { return false }
        return second.first?.isLowercase == true
    }

    /// Amounts, and what a cook does with them.
    private static func isRecipe(_ words: [String]) -> Bool {
        let amounts = zip(words, words.dropFirst()).count { one, unit in
            one.allSatisfy(\.isNumber) && amountUnits.contains(unit)
        }
        let spoons = words.count { spoonWords.contains($0) }
        let steps = words.count { cookingVerbs.contains($0) }
        return steps > 0 && amounts + spoons > 0 && amounts + spoons + steps > 2
    }

    /// A regular past form that is neither a perfect, nor a passive, nor stands before a noun.
    private static func hasPastForm(_ words: [String]) -> Bool {
        words.indices.contains { index in
            let word = words[index]
            guard word.utf8.count > 4, word.hasSuffix("ed"), !word.hasSuffix("eed") else {
                return false
            }
            let before = index > 0 ? words[index - 1] : ""
            return !beforeParticiples.contains(before)
        }
    }

    private static let beforeParticiples: Set<String> = [
        "have", "has", "is", "are", "be", "been", "being", "get", "gets", "got", "a", "an", "the",
        "not", "well", "as", "if", "when", "my", "our", "your", "his", "her", "its", "their",
        "haven't", "hasn't", "isn't", "aren't",
    ]
    private static let amountUnits: Set<String> = [
        "g", "gram", "grams", "kg", "ml", "dl", "l", "litre", "litres", "cup", "cups", "oz", "tsp",
        "tbsp", "pinch", "cloves",
    ]
    private static let spoonWords: Set<String> = [
        "teaspoon", "teaspoons", "tablespoon", "tablespoons", "spoon", "spoons", "tsp", "tbsp",
    ]
    private static let cookingVerbs: Set<String> = [
        "knead", "boil", "bake", "simmer", "fry", "roast", "whisk", "stir", "chop", "steam",
        "braise", "saute", "grate", "peel", "marinate", "proof", "prove", "season", "drain",
    ]

    /// "Call the plumber", "please send …", "at 5:20 ring the garage", "tomorrow: buy salt".
    private static func orderVerb(_ words: [String]) -> String? {
        var position = 0
        while position < min(words.count, 6),
            leadingWords.contains(words[position])
                || timeWords.contains(words[position]) || words[position].allSatisfy(\.isNumber)
        {
            position += 1
        }
        guard position < words.count, orderVerbs.contains(words[position]),
            position == 0 || !["a", "an", "the", "this"].contains(words[position - 1])
        else { return nil }
        // "Book club was fun": a verb only if no verb of the past follows at once.
        let next = position + 1 < words.count ? words[position + 1] : ""
        let isNoun =
            ["was", "were", "is", "are", "has", "had", "club", "went", "can", "will", "may"]
            .contains(next) || isStatement(words[position], next)
        return isNoun ? nil : words[position]
    }

    /// "Water boils", "Review shows": a noun with its verb in the third person.
    private static func isStatement(_ word: String, _ next: String) -> Bool {
        nouns.contains(word) && next.hasSuffix("s") && !next.hasSuffix("ss")
            && !["this", "his", "its", "us", "invoices", "plants"].contains(next)
    }

    /// Verbs that are as often nouns.
    private static let nouns: Set<String> = [
        "water", "plan", "review", "report", "test", "change", "service", "stop", "start", "paint",
        "salt", "share", "draft", "text",
    ]

    static let reminderPhrases = [
        "remind me", "reminder", "remember to", "don't forget", "dont forget", "do not forget",
        "note to self", "make sure to", "make sure i", "to do", "todo", "let me forget",
        "mustn't forget", "must not forget", "can't forget", "wake me", "alert me", "notify me",
        "set an alarm", "set alarm", "set the alarm", "set my alarm",
    ]
    /// What need not be done after all.
    static let sparingPhrases = [
        "no need to", "no need for", "don't have to", "dont have to", "do not have to",
        "doesn't have to", "does not have to", "don't need to", "do not need to", "need not",
        "needn't", "not necessary", "no longer need", "no longer needs", "no longer have to",
    ]
    static let dutyPhrases = [
        "need to", "needs to be", "have to", "has to be", "has to go", "must be", "i must",
        "we must", "i should",
        "we should", "got to", "gotta", "is due", "are due", "due by", "due on", "deadline is",
        "deadline",
    ]
    static let leadingWords: Set<String> = [
        "please", "and", "then", "also", "ok", "okay", "so", "at", "on", "by", "next", "this",
        "the", "in",
        "first", "before", "after", "am", "pm", "st", "nd", "rd", "th", "o'clock", "half", "past",
        "quarter",
        "urgent", "important", "task", "noon", "a", "an",
    ]
    static let orderVerbs: Set<String> = Set(
        """
        add answer apply arrange ask bake bleed book bring buy call cancel change charge check choose clean compare
        clear close collect complete confirm contact cook cut decide deliver discuss download draft drop
        email empty file fill find finish fix follow forward get give hand hang install attend invite invoice
        join mail make measure meet mend message move mow order organise organize pack paint pay phone
        pick plan plant post prepare print prune put read rebook register remind remove renew repair
        replace reply report request rescheduled reschedule reserve return review ring salt schedule
        sell send service set share ship sign sort start stop submit switch take talk tell test text
        thank tidy transfer try turn update upload visit wash water wrap write
        """.split(whereSeparator: \.isWhitespace).map(String.init))
    static let meetingWords: Set<String> = [
        "meeting", "appointment", "lunch", "dinner", "breakfast", "coffee", "dentist", "doctor",
        "interview", "flight", "train", "concert", "party", "rehearsal", "lesson", "class",
        "standup",
        "call", "workshop", "seminar", "webinar", "conference", "exam", "wedding", "funeral",
        "viewing",
        "haircut", "physio", "vet", "match", "game", "drinks", "brunch", "session", "review",
        "demo",
    ]
    static let pastWords = [
        "was", "were", "went", "met", "walked", "saw", "had", "did", "felt", "took", "made", "came",
        "got",
        "told", "said", "missed", "paid", "sent", "slept", "ran", "ate", "watched", "yesterday",
        "last night", "bought",
        "sold",
        "finished", "closed", "slipped", "rose", "fell", "counted", "played", "visited", "spent",
    ]
    static let ideaPhrases = [
        "what if", "idea for", "an idea", "could build", "could make", "maybe we could",
        "would be great if",
        "would be nice if", "imagine if", "concept for", "imagine a",
    ]
    static let lastingStarts = [
        "always", "never", "to make", "to stop", "to keep", "to get", "to clean", "to remove",
        "to peel", "when you",
        "if you", "a good", "the best way", "rule of thumb", "lesson", "principle", "quote",
        "whoever", "people who", "people will", "don't", "tip",
    ]
    static let timeWords: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today",
        "tomorrow", "tonight", "yesterday", "morning", "afternoon", "evening", "night", "week",
        "weekend", "month", "year", "day", "days", "weeks", "months", "january", "february",
        "march",
        "april", "june", "july", "august", "september", "october", "november", "december", "noon",
        "midnight", "hour", "hours", "minutes",
    ]
}
