/// Stretches from one day or time to another, and those that are open at one end.
extension DateGrammar {
    /// `before Monday`: the phrase covers the word too.
    func opened(at index: Int, side: DatePhrase.OpenSide, isInclusive: Bool) -> Found? {
        guard var inner = simple(at: index + 1, lead: Lead(isPreposition: true)),
            inner.spec.recurrence == nil
        else { return nil }
        // `before April ends`
        if let day = inner.spec.day,
            words.habits.endings.contains(token(inner.range.upperBound)?.text ?? "")
        {
            inner.spec.day = .edge(.end, of: day)
            inner.spec.openSide = side
            inner.spec.isInclusive = side == .before
            inner.range = index..<(inner.range.upperBound + 1)
            return inner
        }
        // `from 2 pm for two hours` has its end.
        if inner.spec.length.isEmpty, inner.spec.openSide == nil {
            inner.spec.openSide = side
            inner.spec.isInclusive = isInclusive
        }
        inner.range = index..<inner.range.upperBound
        return inner
    }

    /// `from A to B`, `between A and B`.
    func range(from index: Int, inner: Int, joins: (DateWord) -> Bool) -> Found? {
        if let days = numberedRange(at: inner) {
            return Found(spec: PhraseSpec(day: days.spec), range: index..<days.end)
        }
        let lead = Lead(isPreposition: true, isAt: true)
        guard let first = simple(at: inner, lead: lead) else { return nil }
        let joint = first.range.upperBound
        guard joins(word(joint)) || isSign(joint, "-") else {
            // `from 5 to 6 pm` was read as one.
            return isRange(first.spec)
                ? Found(spec: first.spec, range: index..<first.range.upperBound) : nil
        }
        guard let second = simple(at: joint + 1, lead: lead),
            let spec = joined(first.spec, second.spec)
        else { return nil }
        return Found(spec: spec, range: index..<second.range.upperBound)
    }

    private func isRange(_ spec: PhraseSpec) -> Bool {
        if case .range = spec.time { return true }
        if case .range = spec.day { return spec.time == nil }
        return false
    }

    /// `A - B`, `A to B` without a word before.
    func extended(_ first: Found) -> Found? {
        let joint = first.range.upperBound
        // `2015-03-28 17:00/2015-03-29 21:00`
        let isSlash = isSign(joint, "/") && isJoined(joint) && first.spec.time != nil
        guard isSlash || isSign(joint, "-") || word(joint) == .to || word(joint) == .until,
            let second = simple(at: joint + 1, lead: Lead(isPreposition: true, isAt: true)),
            let spec = joined(first.spec, second.spec)
        else { return nil }
        return Found(spec: spec, range: first.range.lowerBound..<second.range.upperBound)
    }

    /// `Thursday from 9 to 11`, `next week between Wednesday and Friday`: a range inside a day or a
    /// week that was named.
    func innerRange(at index: Int, spec: PhraseSpec) -> Found? {
        guard spec.time == nil, spec.part == nil, let day = spec.day, let nested else { return nil }
        let at = isSign(index, ",") ? index + 1 : index
        let found: Found?
        switch word(at) {
        case .from:
            found = nested.range(from: at, inner: at + 1, joins: { $0 == .to || $0 == .until })
        case .between:
            found = nested.range(from: at, inner: at + 1, joins: { $0 == .and || $0 == .to })
        default: found = nested.bareHours(at: at)
        }
        guard var found, found.spec.until.isEmpty else { return nil }
        if case .range = found.spec.time, found.spec.day == nil {
            found.spec.day = day
            return found
        }
        if case .range(.weekday(let first, nil), .weekday(let last, nil)) = found.spec.day,
            case .unit(.week, _) = day, found.spec.time == nil
        {
            found.spec.day = .range(.weekdayIn(first, day), .weekdayIn(last, day))
            return found
        }
        return nil
    }

    /// `8 to 9`, `12-4` after a day.
    private func bareHours(at index: Int) -> Found? {
        guard token(index)?.kind == .number, let first = hour(at: index),
            isSign(first.end, "-") || word(first.end) == .to || word(first.end) == .until,
            let second = clock(at: first.end + 1, isAfterAt: true, hasDay: true),
            token(first.end + 1)?.kind == .number
        else { return nil }
        return Found(
            spec: PhraseSpec(time: .range(.clock(first.spec), .clock(second.spec))),
            range: index..<second.end)
    }

    /// Two phrases as the ends of one stretch; nil when they do not fit.
    private func joined(_ first: PhraseSpec, _ second: PhraseSpec) -> PhraseSpec? {
        guard first.recurrence == nil, second.recurrence == nil, first.until.isEmpty,
            second.until.isEmpty
        else { return nil }
        var spec = first
        spec.zone = second.zone ?? first.zone
        switch (first.time, second.time) {
        case (.now?, nil):
            guard first.day == nil, let end = second.day, second.part == nil else { return nil }
            spec.time = nil
            spec.day = .range(.relative(0), end)
        case (.clock(let clock)?, nil):
            // `from 4 to January 22`: a day of the same month.
            guard first.day == nil, !clock.hasMinutes, clock.half == .open || clock.half == .exact,
                case .date(let year, let month, let day, _)? = second.day, clock.hour < day
            else { return nil }
            spec.time = nil
            spec.day = .range(
                .date(year: year, month: month, day: clock.hour, weekday: nil),
                .date(year: year, month: month, day: day, weekday: nil))
        case (nil, nil):
            guard var start = first.day, let end = second.day, first.part == nil else { return nil }
            start = start.inYear(before: end)
            if case .weekdayIn(_, let week) = end, case .weekday(let weekday, nil) = start {
                spec.day = .range(.weekdayIn(weekday, week), end)
            } else {
                spec.day = .range(start, end)
            }
        case (let start?, let end?):
            guard !isMomentary(start), !isMomentary(end) else { return nil }
            if let last = second.day, last != first.day, first.day != nil || second.dayLeads {
                spec.until = [second]
                return spec
            }
            spec.day = first.day ?? second.day
            spec.part = first.part ?? second.part
            spec.time = .range(start, end)
        default: return nil
        }
        return spec
    }

    /// `13 to 15 July`, `July 13-15`, `3 and 12 of Sept`.
    func numberedRange(at index: Int) -> (spec: DaySpec, end: Int)? {
        if case .month(let month, _) = word(index) {
            guard let first = ordinalDay(at: word(index + 1) == .the ? index + 2 : index + 1),
                let second = secondDay(at: first.end)
            else { return nil }
            let year = year(at: isSign(second.end, ",") ? second.end + 1 : second.end)
            return dayRange(
                first.value, second.value, month, year?.value, end: year?.end ?? second.end)
        }
        let start = word(index) == .the ? index + 1 : index
        guard isStart(start), let first = ordinalDay(at: start),
            let second = secondDay(at: first.end)
        else { return nil }
        var at = second.end
        if word(at) == .of || word(at) == .in { at += 1 }
        if case .month(let month, _) = word(at) {
            let year = year(at: isSign(at + 1, ",") ? at + 2 : at + 1)
            return dayRange(first.value, second.value, month, year?.value, end: year?.end ?? at + 1)
        }
        if case .which(let shift) = word(at), case .unit(.month) = word(at + 1) {
            return (
                .range(
                    .nthUnit(first.value, .day, in: .unit(.month, shift: shift)),
                    .nthUnit(second.value, .day, in: .unit(.month, shift: shift))), at + 2
            )
        }
        return nil
    }

    func secondDay(at index: Int) -> (value: Int, end: Int, isMarked: Bool)? {
        guard isSign(index, "-") || [.to, .until, .and].contains(word(index)) else { return nil }
        let at = word(index + 1) == .the ? index + 2 : index + 1
        guard let day = ordinalDay(at: at), isDayEnd(day.end) else { return nil }
        return day
    }

    func dayRange(
        _ first: Int, _ second: Int, _ month: Int, _ year: Int?, end: Int
    ) -> (spec: DaySpec, end: Int)? {
        guard first < second, let start = date(year, month, first, end: end),
            let finish = date(year, month, second, end: end)
        else { return nil }
        return (.range(start.spec, finish.spec), end)
    }
}

extension DaySpec {
    /// `Jan-Feb 2017`, `Nov 18-Dec 19, 2015`: the year of the end is that of the start, or the one
    /// before it when the months pass the turn of the year.
    fileprivate func inYear(before end: DaySpec) -> DaySpec {
        let last: (year: Int, month: Int, day: Int)
        switch end {
        case .date(let year?, let month, let day, _): last = (year, month, day)
        case .month(let month, let year?): last = (year, month, 31)
        default: return self
        }
        switch self {
        case .date(nil, let month, let day, let weekday):
            let year = (month, day) <= (last.month, last.day) ? last.year : last.year - 1
            return .date(year: year, month: month, day: day, weekday: weekday)
        case .month(let month, nil):
            return .month(month, year: month <= last.month ? last.year : last.year - 1)
        default: return self
        }
    }
}
