/// The rules that turn tokens into a `PhraseSpec`: what a phrase may begin with, what may follow.
///
/// Every rule takes the index of a token and gives what it read and the index after it, or nil. A
/// rule never changes anything, so rules can be tried one after another. Each kind of date has a
/// file of its own: `ClockGrammar`, `DayGrammar`, `MonthGrammar` and so on.
struct DateGrammar {
    let tokens: [DateToken]
    let words: DateLanguage
    let dayFirst: Bool
    /// How many days are named inside each other here: `two days after the week of Monday`.
    private var depth = 0

    init(tokens: [DateToken], words: DateLanguage, dayFirst: Bool) {
        self.tokens = tokens
        self.words = words
        self.dayFirst = dayFirst
    }

    struct Found {
        var spec: PhraseSpec
        /// Token indices.
        var range: Range<Int>
    }

    /// What stood before a phrase and says more about it.
    struct Lead {
        /// A word like `on`, or a date before it in a list: `4/3` is a date here.
        var isPreposition = false
        /// `at`: a bare number is an hour.
        var isAt = false
    }

    /// Every phrase from left to right; phrases do not overlap.
    func phrases() -> [Found] {
        var found: [Found] = []
        var index = 0
        while index < tokens.count {
            if canBegin(index),
                let phrase = phrase(at: index, lead: lead(at: index, after: found.last))
            {
                found.append(phrase)
                index = max(phrase.range.upperBound, index + 1)
            } else {
                index += 1
            }
        }
        return found
    }

    private func lead(at index: Int, after last: Found?) -> Lead {
        guard let last else { return Lead() }
        let between = last.range.upperBound..<index
        // `at nine, no, ten`: a bare number is enough.
        if takesBack(between) { return Lead(isPreposition: true, isAt: true) }
        // `on 11/20, 11/22 or 11/25`
        let isList =
            (1...2).contains(between.count)
            && between.allSatisfy { isSign($0, ",") || word($0) == .and || word($0) == .or }
        if isList, case .date = last.spec.day { return Lead(isPreposition: true) }
        return Lead()
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
            guard words.habits.corrections.contains(token.text) else { return false }
            hasKey = hasKey || words.habits.correctionKeys.contains(token.text)
        }
        return hasKey
    }

    /// A phrase of a later language needs a name or a unit that no earlier language knows, so that
    /// `am 3.` and `once` in an English text stay what they are.
    func tells(_ range: Range<Int>, besides earlier: ArraySlice<DateLanguage>) -> Bool {
        guard !earlier.isEmpty else { return true }
        return tokens[range].contains { token in
            token.kind == .word && token.word.isTelling
                && !earlier.contains { $0.entry(for: token.text) != nil }
        }
    }

    private func canBegin(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.kind == .number { return true }
        return token.kind == .word && token.word != .none
    }

    // MARK: A phrase

    func phrase(at index: Int, lead: Lead) -> Found? {
        switch word(index) {
        case .between:
            return range(from: index, inner: index + 1, joins: { $0 == .and || $0 == .to })
        case .from:
            if let range = range(
                from: index, inner: index + 1, joins: { $0 == .to || $0 == .until })
            {
                return range
            }
            return opened(at: index, side: .after, isInclusive: true)
        case .since:
            var found = opened(at: index, side: .after, isInclusive: true)
            found?.spec.looksBack = true
            return found
        case .starting: return opened(at: index, side: .after, isInclusive: true)
        case .after:
            return afterAmount(at: index) ?? opened(at: index, side: .after, isInclusive: false)
        case .edge(.start)
        where !words.habits.edgeIsDirect && word(index + 1) != .of && !isSign(index + 1, "-"):
            if let found = opened(at: index, side: .after, isInclusive: true) { return found }
        case .before:
            if words.habits.beforeIsAgo, let ago = ago(at: index) { return ago }
            return opened(at: index, side: .before, isInclusive: false)
        case .until: return opened(at: index, side: .before, isInclusive: true)
        case .by:
            guard var inner = simple(at: index + 1, lead: Lead(isPreposition: true)) else {
                return nil
            }
            inner.spec.isByWord = true
            return inner
        case .every, .repeats, .weekdays: return recurring(at: index)
        case .on:
            if case .weekdays = word(index + 1) { return recurring(at: index + 1) }
            return simple(at: index + 1, lead: Lead(isPreposition: true))
        case .at: return simple(at: index + 1, lead: Lead(isPreposition: true, isAt: true))
        case .for:
            if let length = lengthFirst(at: index) { return length }
            let isAt = hour(at: index + 1).map { $0.spec.hasMinutes } ?? false
            return simple(at: index + 1, lead: Lead(isPreposition: true, isAt: isAt))
        case .about: return simple(at: index + 1, lead: Lead(isAt: true))
        case .soon:
            var spec = PhraseSpec(time: .now)
            spec.openSide = lead.isAt ? nil : .after
            spec.isInclusive = true
            return Found(spec: spec, range: index..<(index + 1))
        case .agoLead: return ago(at: index)
        default: break
        }
        guard let first = simple(at: index, lead: lead) else { return nil }
        return extended(first) ?? first
    }

    /// `hace tres días`
    private func ago(at index: Int) -> Found? {
        guard let amounts = amounts(at: index + 1) else { return nil }
        return Found(
            spec: moved(amounts.amounts, isBack: true), range: index..<amounts.end)
    }

    /// So long from now; to the minute where an amount is shorter than a day.
    func moved(_ amounts: [DaySpec.Amount], isBack: Bool) -> PhraseSpec {
        var spec = PhraseSpec(isPast: isBack)
        if amounts.contains(where: { $0.unit.isOfClock }) {
            spec.time = .shifted(amounts, isBack: isBack)
        } else {
            spec.day = .moved(amounts, from: nil, isBack: isBack)
        }
        return spec
    }

    /// Days and times side by side: `Friday at ten`, `5 pm tomorrow`, `Monday, 3 March`.
    func simple(at start: Int, lead: Lead) -> Found? {
        var spec = PhraseSpec()
        var end = start
        if case .weekdayPart(let weekday, let part) = word(start) {
            spec.day = .weekday(weekday, shift: nil)
            spec.part = part
            end += 1
        } else if let found = partOf(at: start) {
            spec = found.spec
            end = found.range.upperBound
        } else if !lead.isAt, let hour = leadingHour(at: start, lead: lead) {
            spec.time = .clock(hour.spec)
            end = hour.end
        }
        while end < tokens.count {
            let begins = end == start
            let (next, isAt) = begins ? (end, lead.isAt) : afterGlue(end, spec: spec)
            let hasLead = lead.isPreposition || next > end
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
                at: next,
                hasLead: hasLead && (begins || spec.day == nil) || isNamedDay(spec.day)),
                let merged = merged(spec.day, day.spec, isDirect: next == end || isSign(end, "("))
            {
                if spec.time == nil { spec.dayLeads = true }
                spec.day = merged
                spec.isPast = spec.isPast || day.isPast
                end = day.end
            } else if let inner = innerRange(at: end, spec: spec) {
                spec.day = inner.spec.day
                spec.time = inner.spec.time
                end = inner.range.upperBound
            } else {
                break
            }
        }
        guard end > start, spec.day != nil || spec.time != nil || spec.part != nil else {
            return nil
        }
        if let zone = zone(at: end), spec.time != nil, !isMomentary(spec.time) {
            spec.zone = zone.name
            end = zone.end
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
            spec.isInclusive = time.isInclusive
            end = time.end
        }
        if word(end) == .for, !isMomentary(spec.time), spec.part == nil,
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
    private func openTime(
        at index: Int
    ) -> (spec: TimeSpec, side: DatePhrase.OpenSide, isInclusive: Bool, end: Int)? {
        let side: DatePhrase.OpenSide
        switch word(index) {
        case .before, .until: side = .before
        case .after, .since: side = .after
        default: return nil
        }
        guard let clock = clock(at: index + 1, isAfterAt: true, hasDay: true) else { return nil }
        let isInclusive = word(index) == .until || word(index) == .since
        return (.clock(clock.spec), side, isInclusive, clock.end)
    }

    /// A day that tells that a short weekday or a number beside it is one, too.
    private func isNamedDay(_ day: DaySpec?) -> Bool {
        switch day {
        case .weekday, .date(_, _, _, nil): true
        default: false
        }
    }

    func isMomentary(_ time: TimeSpec?) -> Bool {
        switch time {
        case .now, .shifted, .run: true
        default: false
        }
    }

    /// Steps over what may stand between a day and a time: `,`, `on`, `at`, `@`, `around`.
    func afterGlue(_ index: Int, spec: PhraseSpec) -> (next: Int, isAt: Bool) {
        var next = index
        if isSign(next, ",") { next += 1 }
        switch word(next) {
        case .at: return (word(next + 1) == .about ? next + 2 : next + 1, true)
        case .about: return (next + 1, true)
        case .on: return (next + 1, false)
        case .for
        where spec.day != nil && clock(at: next + 1, isAfterAt: false, hasDay: true) != nil:
            return (next + 1, false)
        default:
            // `this Friday (Jun-15)`
            if isSign(next, "("), case .weekday = spec.day { return (next + 1, false) }
            return isSign(next, "@") ? (next + 1, true) : (next, false)
        }
    }

    /// Two days that are one: a weekday with its date, a weekday with its week.
    private func merged(_ first: DaySpec?, _ second: DaySpec, isDirect: Bool) -> DaySpec? {
        guard let first else { return second }
        switch (first, second) {
        case (.weekday(let weekday, nil), .date(let year, let month, let day, nil)),
            (.date(let year, let month, let day, nil), .weekday(let weekday, nil)):
            return .date(year: year, month: month, day: day, weekday: weekday)
        case (.weekday(_, _?), .date): return isDirect ? second : nil
        case (.weekday(let weekday, nil), .dayOfMonth(let day, nil)),
            (.dayOfMonth(let day, nil), .weekday(let weekday, nil)):
            return .dayOfMonth(day, weekday: weekday)
        case (.weekday(let weekday, nil), .unit(.week, _)): return .weekdayIn(weekday, second)
        case (.unit(.week, _), .weekday(let weekday, nil)): return .weekdayIn(weekday, first)
        case (.weekday(let weekday, nil), .moved), (.moved, .weekday(let weekday, nil)):
            let moved = if case .moved = first { first } else { second }
            return .weekdayNear(weekday, moved)
        case (.relative(let days), .date), (.relative(let days), .weekday(_, nil)):
            return days == 0 || days == 1 ? (isDirect ? nil : first) : nil
        case (.month(let month, nil), .moved(let amounts, nil, false))
        where amounts.allSatisfy { $0.unit == .year && $0.count >= 1 }:
            return .monthShifted(month, by: Int(amounts[0].count))
        case (.month(let month, nil), .unit(.year, let shift)):
            return .monthOfYear(month, shift: shift)
        default: return nil
        }
    }
}

extension DateUnit {
    /// Shorter than a day.
    var isOfClock: Bool {
        switch self {
        case .second, .minute, .hour: true
        default: false
        }
    }

    /// A stretch that a calendar has, so that there is a last and a next one.
    var isOfCalendar: Bool {
        switch self {
        case .day, .week, .month, .quarter, .year, .decade, .weekend, .season: true
        default: false
        }
    }
}
