/// A week of one vault, boiled down: four parts, each line with the notes it rests on.
package struct WeekDigest: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package var text: String
        /// Numbers of notes, from 1.
        package var notes: [Int]
    }

    package var glance: String
    package var decisions: [Line]
    package var threads: [Line]
    package var insight: Line?
    /// The model's name and the prompt's fingerprint, or `rules`.
    package var maker: String

    /// A note of the week as its report sees it.
    package struct Source: Sendable, Equatable {
        package var number: Int
        package var path: String
        package var note: Note
        package var day: Day

        package init(number: Int, path: String, note: Note, day: Day) {
            self.number = number
            self.path = path
            self.note = note
            self.day = day
        }
    }
}

/// Without a model: sentences of the notes, chosen by the words in them.
extension WeekDigest {
    private static let decisionWords = [
        "decided", "agreed", "chose", "chosen", "settled", "approved", "we will", "going with",
        "signed", "confirmed", "cancelled", "moved to", "moves to", "switched",
    ]
    private static let openWords = [
        "need to", "still", "waiting", "open question", "unclear", "to do", "must", "have to",
        "follow up", "not yet", "pending",
    ]

    init(byRulesFrom sources: [Source]) {
        var decisions: [Line] = []
        var threads: [Line] = []
        for source in sources {
            for sentence in Sentences.split(source.note.body) {
                let folded = " " + FoldedText.fold(sentence) + " "
                if WeekDigest.decisionWords.contains(where: { folded.contains(" \($0) ") }) {
                    decisions.append(Line(text: sentence, notes: [source.number]))
                } else if source.note.kind != .task,
                    sentence.hasSuffix("?")
                        || WeekDigest.openWords.contains(where: { folded.contains(" \($0) ") })
                {
                    threads.append(Line(text: sentence, notes: [source.number]))
                }
            }
        }
        self.init(
            glance: WeekDigest.computedGlance(sources), decisions: Array(decisions.prefix(5)),
            threads: Array(threads.prefix(5)), insight: WeekDigest.sharedWord(sources),
            maker: Journal.rulesMaker)
        addOpenTasks(sources)
    }

    /// "Five notes, most of them on Tuesday, mainly about garden and hedges."
    static func computedGlance(_ sources: [Source]) -> String {
        let byDay = Dictionary(grouping: sources, by: \.day).mapValues(\.count)
        let busiest = byDay.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
            .first?.key
        let tags = WeekDigest.topTags(sources).prefix(3).map(\.tag)
        var text = "\(sources.count) notes"
        if let busiest, byDay.count > 1 { text += ", most on \(busiest.weekday.name)" }
        if !tags.isEmpty { text += ", mainly about \(tags.joined(separator: ", "))" }
        return text + "."
    }

    /// Whether a line is about something still open. Tasks are left to `addOpenTasks`, which takes
    /// title and date from the note instead of a model's words.
    private static func isOpen(_ line: Line, _ sources: [Source]) -> Bool {
        let cited = sources.filter { line.notes.contains($0.number) }
        guard !cited.allSatisfy({ $0.note.kind == .task }) else { return false }
        return ([line.text] + cited.map(\.note.body)).contains { text in
            let folded = " " + FoldedText.fold(text) + " "
            return text.contains("?") || openWords.contains { folded.contains(" \($0) ") }
        }
    }

    static func topTags(_ sources: [Source]) -> [(tag: String, count: Int)] {
        var counts: [String: Int] = [:]
        for tag in sources.flatMap(\.note.tags) { counts[tag, default: 0] += 1 }
        return counts.map { (tag: $0.key, count: $0.value) }
            .sorted { $0.count != $1.count ? $0.count > $1.count : $0.tag < $1.tag }
    }

    /// The rarest word that ties two or more notes together.
    private static func sharedWord(_ sources: [Source]) -> Line? {
        var places: [String: Set<Int>] = [:]
        for source in sources {
            for stem in ContentWords("\(source.note.title). \(source.note.body)").anchors
            where stem.contains(where: \.isLetter) {
                places[stem, default: []].insert(source.number)
            }
        }
        let shared = places.filter {
            $0.value.count >= 2 && $0.value.count <= max(2, sources.count / 2)
        }
        .sorted {
            $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key
        }
        guard let (stem, numbers) = shared.first else { return nil }
        let word =
            sources.lazy.compactMap { source in
                source.note.body.split { !$0.isLetter }.first {
                    ContentWords(String($0)).stems.contains(stem)
                }
            }.first.map(String.init) ?? stem
        return Line(
            text: "\(word) comes up in \(numbers.count) notes of this week.",
            notes: numbers.sorted())
    }

    /// Tasks are not left to a model's memory: each of the week is among the open threads.
    mutating func addOpenTasks(_ sources: [Source]) {
        for source in sources where source.note.kind == .task {
            guard !threads.contains(where: { $0.notes.contains(source.number) }) else { continue }
            var text = source.note.title
            if let day = source.note.action.deadline {
                text += " (due \(day)"
                if let time = source.note.action.time { text += " \(time)" }
                text += ")"
            }
            threads.append(Line(text: text, notes: [source.number]))
        }
        threads.sort { ($0.notes.first ?? 0) < ($1.notes.first ?? 0) }
    }
}

/// With a model: its reply, of which only what the notes carry is kept.
extension WeekDigest {
    /// Nil when the reply has not the four parts.
    init?(reply: String, sources: [Source], maker: String) {
        enum Part { case glance, decisions, threads, insight }
        var part: Part?
        var glance = ""
        var decisions: [Line] = []
        var threads: [Line] = []
        var insight: Line?
        let checker = LineChecker(sources)
        for raw in ModelReply.cleaned(reply).split(whereSeparator: \.isNewline) {
            var line = String(raw).trimmingBlanks()
            for (name, value) in [
                ("Glance:", Part.glance), ("Decisions:", .decisions), ("Threads:", .threads),
                ("Insight:", .insight),
            ]
            where line.hasPrefix(name) {
                part = value
                line = String(line.dropFirst(name.count)).trimmingBlanks()
            }
            guard !line.isEmpty else { continue }
            switch part {
            case .glance: glance += glance.isEmpty ? line : " \(line)"
            case .decisions: if let checked = checker.check(line) { decisions.append(checked) }
            case .threads: if let checked = checker.check(line) { threads.append(checked) }
            case .insight: if insight == nil { insight = checker.check(line) }
            case nil: break
            }
        }
        guard part == .insight, !glance.isEmpty else { return nil }
        func unique(_ lines: [Line]) -> [Line] {
            var seen: Set<String> = []
            return lines.filter { seen.insert(FoldedText.fold($0.text)).inserted }
        }
        let settled = unique(decisions)
        self.init(
            glance: checker.holds(glance) ? glance : WeekDigest.computedGlance(sources),
            decisions: settled,
            threads: unique(threads).filter {
                !settled.contains($0) && WeekDigest.isOpen($0, sources)
            },
            insight: insight ?? WeekDigest.sharedWord(sources), maker: maker)
        addOpenTasks(sources)
    }

    /// Keeps lines that some note carries, and corrects which.
    private struct LineChecker {
        let words: [(number: Int, words: ContentWords)]

        init(_ sources: [Source]) {
            words = sources.map {
                (
                    $0.number,
                    ContentWords("\($0.note.title). \($0.note.body). \($0.day.weekday.name)")
                )
            }
        }

        /// No name or number in it that no note has.
        func holds(_ text: String) -> Bool {
            let known = words.reduce(into: Set<String>()) { $0.formUnion($1.words.stems) }
            return ContentWords(text).anchors.isSubset(of: known)
        }

        /// The line without its marks and with the notes that carry it; nil when none does.
        func check(_ line: String) -> Line? {
            var text = line.hasPrefix("- ") ? String(line.dropFirst(2)) : line
            var cited: [Int] = []
            for number in words.map(\.number) where text.contains("[\(number)]") {
                cited.append(number)
            }
            text = Ask.withoutMarks(text)
            let said = ContentWords(text)
            guard !said.isEmpty, holds(text) else { return nil }
            let ranked = words.map { ($0.number, said.coverage(by: $0.words)) }
                .sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }
            let carrying = ranked.filter { $0.1 >= 0.5 }.map(\.0)
            let kept = cited.filter { carrying.contains($0) }
            if !kept.isEmpty { return Line(text: text, notes: kept) }
            // A sentence over several notes: what was cited must carry most of it together.
            let together = cited.reduce(into: Set<String>()) { stems, number in
                if let found = words.first(where: { $0.number == number }) {
                    stems.formUnion(found.words.stems)
                }
            }
            if cited.count > 1,
                Double(said.stems.intersection(together).count) >= 0.5 * Double(said.stems.count)
            {
                return Line(text: text, notes: cited)
            }
            return carrying.first.map { Line(text: text, notes: [$0]) }
        }
    }
}
