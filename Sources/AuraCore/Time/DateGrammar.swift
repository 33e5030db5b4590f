/// The rules that turn tokens into a `PhraseSpec`: what a phrase may begin with, what may follow.
///
/// Every rule takes the index of a token and gives what it read and the index after it, or nil. A
/// rule never changes anything, so rules can be tried one after another. The rules for times of the
/// day are in `ClockGrammar.swift`, those for days in `DayGrammar.swift`.
struct DateGrammar {
    let tokens: [DateToken]
    let words: DateWords
    let dayFirst: Bool
    /// How many days are named inside each other here: `two days after the week of Monday`.
    private var depth = 0

    init(tokens: [DateToken], words: DateWords, dayFirst: Bool) {
        self.tokens = tokens
        self.words = words
        self.dayFirst = dayFirst
    }

    struct Found {
        var spec: PhraseSpec
        /// Token indices.
        var range: Range<Int>
    }

    /// Every phrase from left to right; phrases do not overlap.
    func phrases() -> [Found] {
        var found: [Found] = []
        var index = 0
        while index < tokens.count {
            let isCorrected = found.last.map { takesBack($0.range.upperBound..<index) } ?? false
            if canBegin(index), let phrase = phrase(at: index, isCorrected: isCorrected) {
                found.append(phrase)
                index = max(phrase.range.upperBound, index + 1)
            } else {
                index += 1
            }
        }
        return found
    }

    /// The grammar for a day inside another; nil when there are too many already, so that a text of
    /// nothing but `two days after two days after …` stays cheap.
    var nested: DateGrammar? {
        guard depth < 3 else { return nil }
        var nested = self
        nested.depth += 1
        return nested
    }

    // MARK: Looking at tokens

    func word(_ index: Int) -> DateWord {
        index >= 0 && index < tokens.count ? tokens[index].word : .none
    }

    private func isWord(_ index: Int, _ text: String) -> Bool { token(index)?.text == text }

    func isSign(_ index: Int, _ sign: Unicode.Scalar) -> Bool {
        index >= 0 && index < tokens.count && tokens[index].isSign(UInt8(ascii: sign))
    }

    func token(_ index: Int) -> DateToken? {
        index >= 0 && index < tokens.count ? tokens[index] : nil
    }

    /// The token right after the one before it, without a blank.
    func isJoined(_ index: Int) -> Bool {
        index > 0 && index < tokens.count && !tokens[index].hasSpaceBefore
    }

    /// The text ends here, or a sign that closes a clause stands here.
    func endsClause(_ index: Int) -> Bool {
        guard let token = token(index) else { return true }
        guard token.kind == .sign else { return false }
        switch UInt8(truncatingIfNeeded: token.value) {
        case 0x2E, 0x2C, 0x3B, 0x3A, 0x21, 0x3F, 0x29, 0x22, 0x27, 0x0A, 0x5D, 0x2D: return true
        default: return false
        }
    }

    /// A full stop, a question or exclamation mark or an empty line; not the point of `a.m.`.
    func endsSentence(_ index: Int) -> Bool {
        guard let token = token(index), token.kind == .sign else { return false }
        switch UInt8(truncatingIfNeeded: token.value) {
        case 0x21, 0x3F, 0x0A: return true
        case 0x2E: return self.token(index + 1)?.hasSpaceBefore ?? true
        default: return false
        }
    }

    /// The phrase may be the whole text: then even words like `sat` can be meant as dates.
    func isWholeText(_ range: Range<Int>) -> Bool {
        range.lowerBound == 0
            && (range.upperBound == tokens.count
                || range.upperBound == tokens.count - 1 && endsClause(range.upperBound))
    }

    /// Whether the words between two phrases say that the second takes the place of the first.
    func takesBack(_ between: Range<Int>) -> Bool {
        guard (1...10).contains(between.count) else { return false }
        var hasKey = false
        for token in tokens[between] {
            guard token.kind != .number else { return false }
            guard token.kind == .word else { continue }
            guard words.corrections.contains(token.text) else { return false }
            hasKey = hasKey || words.correctionKeys.contains(token.text)
        }
        return hasKey
    }

    private func canBegin(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.kind == .number { return true }
        return token.kind == .word && token.word != .none
    }

    // MARK: A phrase

    /// - Parameter isCorrected: whether the phrase takes the place of one before it, so that a bare
    ///   number is enough: `at nine, no, ten`.
    func phrase(at index: Int, isCorrected: Bool) -> Found? {
        switch word(index) {
        case .between:
            return range(from: index, inner: index + 1, joins: { $0 == .and || $0 == .to })
        case .from:
            if let range = range(
                from: index, inner: index + 1, joins: { $0 == .to || $0 == .until })
            {
                return range
            }
            return opened(at: index, side: .after)
        case .since, .after, .starting: return opened(at: index, side: .after)
        case .edge(.start) where isWord(index, "beginning") && word(index + 1) != .of:
            return opened(at: index, side: .after)
        case .before, .until: return opened(at: index, side: .before)
        case .by:
            guard var inner = simple(at: index + 1, isAfterPreposition: true) else { return nil }
            inner.spec.isByWord = true
            return inner
        case .every: return recurring(at: index)
        case .repeats, .weekdays: return recurring(at: index)
        case .on:
            if case .weekdays = word(index + 1) { return recurring(at: index + 1) }
            return simple(at: index + 1, isAfterPreposition: true)
        case .at:
            return simple(at: index + 1, isAfterPreposition: true, isAfterAt: true)
        default:
            guard
                let first = simple(
                    at: index, isAfterPreposition: isCorrected, isAfterAt: isCorrected)
            else { return nil }
            return extended(first) ?? first
        }
    }

    /// `before Monday`: the phrase covers the word too.
    private func opened(at index: Int, side: DatePhrase.OpenSide) -> Found? {
        guard var inner = simple(at: index + 1, isAfterPreposition: true),
            inner.spec.recurrence == nil
        else { return nil }
        inner.spec.openSide = side
        inner.range = index..<inner.range.upperBound
        return inner
    }

    /// `from A to B`, `between A and B`.
    private func range(
        from index: Int, inner: Int, joins: (DateWord) -> Bool
    ) -> Found? {
        if let days = numberedRange(at: inner) {
            return Found(spec: PhraseSpec(day: days.spec), range: index..<days.end)
        }
        guard let first = simple(at: inner, isAfterPreposition: true, isAfterAt: true),
            joins(word(first.range.upperBound)) || isSign(first.range.upperBound, "-"),
            let second = simple(
                at: first.range.upperBound + 1, isAfterPreposition: true, isAfterAt: true),
            let spec = joined(first.spec, second.spec)
        else { return nil }
        return Found(spec: spec, range: index..<second.range.upperBound)
    }

    /// `A - B`, `A to B` without a word before.
    private func extended(_ first: Found) -> Found? {
        let joint = first.range.upperBound
        guard isSign(joint, "-") || word(joint) == .to || word(joint) == .until,
            let second = simple(at: joint + 1, isAfterPreposition: true, isAfterAt: true),
            let spec = joined(first.spec, second.spec)
        else { return nil }
        return Found(spec: spec, range: first.range.lowerBound..<second.range.upperBound)
    }

    /// Two phrases as the ends of one stretch; nil when they do not fit.
    private func joined(_ first: PhraseSpec, _ second: PhraseSpec) -> PhraseSpec? {
        guard first.recurrence == nil, second.recurrence == nil else { return nil }
        var spec = first
        switch (first.time, second.time) {
        case (.now?, nil):
            guard first.day == nil, let end = second.day, second.part == nil else { return nil }
            spec.time = nil
            spec.day = .range(.relative(0), end)
        case (nil, nil):
            guard let start = first.day, let end = second.day, first.part == nil else { return nil }
            spec.day = .range(start, end)
        case (let start?, let end?):
            guard second.day == nil || first.day == nil || second.day == first.day else {
                return nil
            }
            spec.day = first.day ?? second.day
            spec.part = first.part ?? second.part
            spec.time = .range(start, end)
        default: return nil
        }
        return spec
    }

    /// Days and times side by side: `Friday at ten`, `5 pm tomorrow`, `Monday, 3 March`.
    func simple(
        at start: Int, isAfterPreposition: Bool, isAfterAt: Bool = false
    ) -> Found? {
        var spec = PhraseSpec()
        var end = start
        while end < tokens.count {
            let begins = end == start
            let (next, isAt) = begins ? (end, isAfterAt) : afterGlue(end)
            let hasLead = isAfterPreposition || next > end
            if spec.time == nil, let time = time(at: next, isAfterAt: isAt, spec: spec) {
                spec.time = time.spec
                end = time.end
            } else if spec.part == nil, !isMomentary(spec.time),
                let part = part(at: next, spec: spec)
            {
                spec.part = part.spec
                spec.partEdge = part.edge
                if spec.day == nil, let days = part.day {
                    spec.day = .relative(days)
                    spec.isPast = days < 0
                }
                end = part.end
            } else if let day = day(
                at: next, hasLead: hasLead && (begins || spec.day == nil) || isWeekday(spec.day)),
                let merged = merged(spec.day, day.spec, isDirect: next == end)
            {
                spec.day = merged
                spec.isPast = spec.isPast || day.isPast
                end = day.end
            } else {
                break
            }
        }
        guard end > start, spec.day != nil || spec.time != nil || spec.part != nil else {
            return nil
        }
        return completed(spec, range: start..<end)
    }

    /// What may follow a day or a time: `before 5 pm`, `for two hours`, `every Sunday`.
    private func completed(_ simple: PhraseSpec, range: Range<Int>) -> Found {
        var spec = simple
        var end = range.upperBound
        if spec.time == nil, spec.part == nil, spec.day != nil, let time = openTime(at: end) {
            spec.time = time.spec
            spec.openSide = time.side
            end = time.end
        }
        if isWord(end, "for"), !isMomentary(spec.time), spec.part == nil,
            let length = amounts(at: end + 1)
        {
            spec.length = length.amounts
            end = length.end
        }
        if word(end) == .every, spec.day == nil, let rest = recurring(at: end),
            rest.spec.time == nil
        {
            spec.recurrence = rest.spec.recurrence
            spec.day = rest.spec.day
            end = rest.range.upperBound
        }
        return Found(spec: spec, range: range.lowerBound..<end)
    }

    /// `tomorrow before 5pm`
    private func openTime(at index: Int) -> (spec: TimeSpec, side: DatePhrase.OpenSide, end: Int)? {
        let side: DatePhrase.OpenSide
        switch word(index) {
        case .before, .until: side = .before
        case .after, .since: side = .after
        default: return nil
        }
        guard let clock = clock(at: index + 1, isAfterAt: true, hasDay: true) else { return nil }
        return (.clock(clock.spec), side, clock.end)
    }

    private func isWeekday(_ day: DaySpec?) -> Bool {
        if case .weekday(_, nil) = day { true } else { false }
    }

    private func isMomentary(_ time: TimeSpec?) -> Bool {
        switch time {
        case .now, .shifted: true
        default: false
        }
    }

    /// Steps over what may stand between a day and a time: `,`, `on`, `at`, `@`.
    private func afterGlue(_ index: Int) -> (next: Int, isAt: Bool) {
        var next = index
        if isSign(next, ",") { next += 1 }
        switch word(next) {
        case .at: return (next + 1, true)
        case .on: return (next + 1, false)
        default: return isSign(next, "@") ? (next + 1, true) : (next, false)
        }
    }

    /// Two days that are one: a weekday with its date, a weekday with its week.
    private func merged(_ first: DaySpec?, _ second: DaySpec, isDirect: Bool) -> DaySpec? {
        guard let first else { return second }
        switch (first, second) {
        case (.weekday(let weekday, nil), .date(let year, let month, let day, nil)),
            (.date(let year, let month, let day, nil), .weekday(let weekday, nil)):
            return .date(year: year, month: month, day: day, weekday: weekday)
        case (.weekday(let weekday, nil), .dayOfMonth(let day, nil)),
            (.dayOfMonth(let day, nil), .weekday(let weekday, nil)):
            return .dayOfMonth(day, weekday: weekday)
        case (.weekday(let weekday, nil), .unit(.week, _)): return .weekdayIn(weekday, second)
        case (.unit(.week, _), .weekday(let weekday, nil)): return .weekdayIn(weekday, first)
        case (.relative(let days), .date), (.relative(let days), .weekday(_, nil)):
            return days == 0 || days == 1 ? (isDirect ? nil : first) : nil
        default: return nil
        }
    }

    // MARK: What repeats

    private func recurring(at index: Int) -> Found? {
        var at = index
        var interval = 1
        var spec = PhraseSpec()
        switch word(index) {
        case .repeats(let unit):
            guard let rule = rule(unit, interval: 1) else { return nil }
            spec.recurrence = rule
            spec.day = .relative(unit == .day ? 0 : 1)
            at += 1
        case .weekdays(let weekday):
            spec.recurrence = rule(weekday, interval: 1)
            spec.day = .weekday(weekday, shift: nil)
            at += 1
        default:
            at += 1
            if word(at) == .other || word(at) == .second {
                interval = 2
                at += 1
            } else if let count = cardinal(at: at), count.value >= 1, count.value <= 99 {
                interval = count.value
                at = count.end
            }
            switch word(at) {
            case .weekday(let weekday, _):
                spec.recurrence = rule(weekday, interval: interval)
                spec.day = .weekday(weekday, shift: nil)
            case .unit(let unit):
                guard let rule = rule(unit, interval: interval) else { return nil }
                spec.recurrence = rule
                spec.day = .relative(0)
            case .part(let part):
                spec.recurrence = rule(.day, interval: interval)
                spec.day = .relative(0)
                spec.part = part
            case .weekend:
                spec.recurrence = "FREQ=WEEKLY;BYDAY=SA,SU"
                spec.day = .weekend(shift: 0)
            default: return nil
            }
            at += 1
        }
        let (next, isAt) = afterGlue(at)
        if let time = time(at: next, isAfterAt: isAt, spec: spec) {
            spec.time = time.spec
            at = time.end
        } else if spec.part == nil, let part = part(at: next, spec: spec) {
            spec.part = part.spec
            spec.partEdge = part.edge
            at = part.end
        }
        return Found(spec: spec, range: index..<at)
    }

    /// As iCalendar writes it.
    private func rule(_ unit: DateUnit, interval: Int) -> String? {
        let (frequency, factor): (String, Int)
        switch unit {
        case .day: (frequency, factor) = ("DAILY", 1)
        case .week: (frequency, factor) = ("WEEKLY", 1)
        case .fortnight: (frequency, factor) = ("WEEKLY", 2)
        case .month: (frequency, factor) = ("MONTHLY", 1)
        case .quarter: (frequency, factor) = ("MONTHLY", 3)
        case .year: (frequency, factor) = ("YEARLY", 1)
        default: return nil
        }
        let count = interval * factor
        return "FREQ=\(frequency)" + (count > 1 ? ";INTERVAL=\(count)" : "")
    }

    private func rule(_ weekday: Weekday, interval: Int) -> String {
        "FREQ=WEEKLY" + (interval > 1 ? ";INTERVAL=\(interval)" : "")
            + ";BYDAY=\(weekday.name.uppercased().prefix(2))"
    }
}
