/// Days and longer stretches: `Monday`, `15 March`, `next week`, `in three days`, `the end of the
/// month`.
extension DateGrammar {
    typealias DayFound = (spec: DaySpec, end: Int, isPast: Bool)

    /// - Parameter hasLead: whether a word like `on` or another part of a date came before.
    func day(at index: Int, hasLead: Bool) -> DayFound? {
        guard let token = token(index) else { return nil }
        if token.kind == .number { return numbered(at: index, hasLead: hasLead) }
        if let holiday = holiday(at: index) { return holiday }
        switch token.word {
        case .quarterMark, .halfMark: return marked(at: index)
        case .closest: return closest(1, at: index + 1)
        case .season: return season(at: index, hasLead: hasLead)
        case .whole:
            guard case .unit(let unit) = word(index + 1), unit == .week || unit == .month else {
                return nil
            }
            return (.unit(unit, shift: 0), index + 2, false)
        case .later, .earlier, .early, .late: return part(ofPeriodAt: index)
        case .day(let days): return (.relative(days), index + 1, days < 0)
        case .tonight: return (.relative(0), index, false)
        case .weekday(let weekday, let isShort):
            guard !isShort || isShortWeekday(at: index, hasLead: hasLead) else { return nil }
            return weekdayEnd(weekday, at: index + 1)
        case .month: return named(at: index, hasLead: hasLead)
        case .number: return numbered(at: index, hasLead: hasLead)
        case .ordinal, .second:
            return ordinalPhrase(at: index, hasLead: hasLead, hasArticle: false)
        case .the: return afterArticle(at: index + 1, hasLead: hasLead)
        case .a, .half, .amount: return amountPhrase(at: index, isAfterIn: false)
        case .which(let shift): return shifted(at: index + 1, by: shift, from: index)
        case .past:
            if case .weekday(let weekday, _) = word(index + 1) {
                return (.weekdayBack(weekday), index + 2, true)
            }
            return shifted(at: index + 1, by: -1, from: index)
        case .coming, .following: return shifted(at: index + 1, by: 1, from: index)
        case .in, .within: return afterIn(at: index)
        case .edge(let edge): return edgePhrase(edge, at: index + 1, hasLead: hasLead)
        case .endOf(let unit):
            return (.edge(.end, of: .unit(unit, shift: 0)), index + 1, false)
        case .weekend where hasLead: return (.weekend(shift: 0), index + 1, false)
        case .unit(let unit): return unitPhrase(unit, at: index)
        case .rest: return restPhrase(at: index)
        default: return nil
        }
    }

    // MARK: Words and their neighbours

    func afterArticle(at index: Int, hasLead: Bool) -> DayFound? {
        if let decade = decade(at: index, hasLead: true) { return decade }
        switch word(index) {
        case .which, .past, .coming, .following, .edge, .endOf, .unit, .rest, .season, .closest:
            return nested?.day(at: index, hasLead: hasLead)
        case .day: return words.habits.hasArticles ? nested?.day(at: index, hasLead: true) : nil
        case .weekday:
            guard words.habits.hasArticles || isBesideDay(index + 1) else { return nil }
            return nested?.day(at: index, hasLead: true)
        case .weekend: return (.weekend(shift: 0), index + 1, false)
        case .ordinal, .second, .number:
            return runLast(at: index)
                ?? ordinalPhrase(at: index, hasLead: hasLead, hasArticle: true)
        default: break
        }
        guard token(index)?.kind == .number else { return nil }
        return runLast(at: index)
            ?? ordinalPhrase(at: index, hasLead: hasLead, hasArticle: true)
            ?? dayMonth(at: index, hasLead: true)
            ?? bareDay(at: index, isAfterDay: hasLead)
    }

    func unitPhrase(_ unit: DateUnit, at index: Int) -> DayFound? {
        let next = index + 1
        if unit == .year, let year = year(at: next) ?? tiedYear(at: next) {
            return (.year(year.value), year.end, false)
        }
        if unit == .week, let number = token(next), number.kind == .number, number.isFree,
            (1...53).contains(number.value)
        {
            let joint = word(next + 1) == .of || word(next + 1) == .in ? next + 2 : next + 1
            let year = year(at: joint)
            return (.weekNumber(number.value, year: year?.value), year?.end ?? next + 1, false)
        }
        if words.habits.whichFollows, let which = trailingWhich(at: next), unit.isOfCalendar {
            return (.unit(unit, shift: which.shift), which.end, which.shift < 0)
        }
        switch (unit, word(next)) {
        case (.month, .of):
            guard case .month = word(next + 1) else { return nil }
            return named(at: next + 1, hasLead: true)
        case (.day, .after):
            guard case .day(1) = word(next + 1) else { return nil }
            return (.relative(2), next + 2, false)
        case (.day, .before):
            guard case .day(-1) = word(next + 1) else { return nil }
            return (.relative(-2), next + 2, true)
        case (_, .after) where word(next + 1) == .which(1) && unit.isOfCalendar:
            return (.unit(unit, shift: 2), next + 2, false)
        case (_, .before) where word(next + 1) == .which(-1) && unit.isOfCalendar:
            return (.unit(unit, shift: -2), next + 2, true)
        case (.week, .starting), (.week, .edge(.start)):
            let at = word(next + 1) == .on ? next + 2 : next + 1
            guard let day = nested?.day(at: at, hasLead: true) else { return nil }
            return (.nthUnit(0, .week, in: day.spec), day.end, day.isPast)
        case (.week, .of):
            guard let day = nested?.day(at: next + 1, hasLead: true) else { return nil }
            return (.nthUnit(0, .week, in: day.spec), day.end, day.isPast)
        default: return nil
        }
    }

    func restPhrase(at index: Int) -> DayFound? {
        guard word(index + 1) == .of || word(index + 1) == .the else { return nil }
        var at = word(index + 1) == .of ? index + 2 : index + 1
        if word(at) == .the || word(at) == .which(0) { at += 1 }
        guard case .unit(let unit) = word(at), unit.isOfCalendar, unit != .day else { return nil }
        return (.restOf(unit), at + 1, false)
    }

    /// `end of the month`, `start of next week`, `mid March`, `the end of 2026`.
    func edgePhrase(_ edge: DateEdge, at index: Int, hasLead: Bool = false) -> DayFound? {
        var at = index
        let isTight = edge == .middle && (isSign(at, "-") || word(at) != .of)
        if isSign(at, "-") { at += 1 }
        if word(at) == .of {
            at += 1
        } else if !isTight, !words.habits.edgeIsDirect {
            // `end of month`, and `end March`, but no `end this`.
            guard case .month = word(at), hasLead else { return nil }
        }
        if word(at) == .the { at += 1 }
        if case .unit(let unit) = word(at), unit.isOfCalendar, word(at + 1) != .of {
            if isTight { return nil }
            return (.edge(edge, of: .unit(unit, shift: 0)), at + 1, false)
        }
        if case .month(let month, _) = word(at) {
            let year = year(at: at + 1)
            return (.edge(edge, of: .month(month, year: year?.value)), year?.end ?? at + 1, false)
        }
        if let year = year(at: at) { return (.edge(edge, of: .year(year.value)), year.end, false) }
        switch word(at) {
        case .which, .day, .weekday, .coming, .following, .past:
            guard let day = nested?.day(at: at, hasLead: true) else { return nil }
            return (.edge(edge, of: day.spec), day.end, day.isPast)
        default: return nil
        }
    }

    /// What follows `this`, `next`, `last`.
    func shifted(at start: Int, by shift: Int, from index: Int) -> DayFound? {
        var at = start
        let isComing = word(index) == .coming
        if word(at) == .calendar { at += 1 }
        if shift == 0, let date = numericDate(at: at, hasLead: true) { return date }
        if word(at) == .working, word(at + 1) == .unit(.week) {
            return (.workingWeek(shift: shift), at + 2, shift < 0)
        }
        // `this coming Monday`, `this past week`
        switch word(at) {
        case .coming where shift == 0: return shifted(at: at + 1, by: 1, from: at)
        case .past where shift == 0: return shifted(at: at + 1, by: -1, from: at)
        default: break
        }
        if case .season(let number, _) = word(at) {
            return (.season(number, year: nil, shift: shift), at + 1, shift < 0)
        }
        if let holiday = holiday(at: at), case .holiday(let day, nil, _) = holiday.spec {
            return (.holiday(day, year: nil, shift: shift), holiday.end, shift < 0)
        }
        if shift != 0, let run = run(at: at, isBack: shift < 0) { return run }
        switch word(at) {
        case .unit(let unit):
            guard unit.isOfCalendar || unit == .fortnight else { return nil }
            at += 1
            // `next week on Monday` is merged elsewhere; `this day` and `last day` are too vague.
            if shift < 0, word(at) == .of || word(at) == .in {
                return nthPhrase(-1, at: start)
            }
            if unit == .day, shift != 1 { return nil }
            if unit == .fortnight, shift != 0 {
                return (.run(1, .fortnight, isBack: shift < 0), at, shift < 0)
            }
            if unit == .season { return (.seasonShifted(shift), at, shift < 0) }
            return (.unit(unit, shift: shift), at, shift < 0)
        case .weekday(let weekday, _):
            if shift < 0, word(at + 1) == .of || word(at + 1) == .in {
                if let nth = nthPhrase(-1, at: at) { return nth }
            }
            let spec = DaySpec.weekday(weekday, shift: isComing ? nil : shift)
            return (spec, at + 1, shift < 0)
        case .weekend:
            if shift < 0, word(at + 1) == .of || word(at + 1) == .in {
                return nthPhrase(-1, at: at)
            }
            return (.weekend(shift: isComing ? 0 : shift), at + 1, shift < 0)
        case .month(let month, let standsAlone):
            let isLower = token(at)?.isCapitalised == false && !standsAlone
            guard !isLower || endsClause(at + 1) || word(at + 1) != .none else { return nil }
            guard !isComing else { return (.month(month, year: nil), at + 1, false) }
            return (.monthShifted(month, by: shift), at + 1, shift < 0)
        default: return nil
        }
    }

    /// `next three days`, `last 2 weeks`, `past few months`.
    func run(at index: Int, isBack: Bool) -> DayFound? {
        guard let amounts = amounts(at: index), amounts.amounts.count == 1,
            token(index).map({ $0.word != .a }) == true
        else { return nil }
        let amount = amounts.amounts[0]
        guard amount.count >= 1, amount.count == amount.count.rounded() else { return nil }
        guard !amount.unit.isOfClock else { return nil }
        return (.run(Int(amount.count), amount.unit, isBack: isBack), amounts.end, isBack)
    }

    /// `in three days`, `in March`, `in 2027`, `within two weeks`.
    func afterIn(at index: Int) -> DayFound? {
        let at = word(index + 1) == .about ? index + 2 : index + 1
        let isWithin = word(index) == .within
        if isWithin, let within = withinRun(at: at) { return within }
        if let amount = amountPhrase(at: at, isAfterIn: true) {
            guard isWithin, case .moved(let amounts, let from, false) = amount.spec,
                from == nil || from == .relative(0)
            else { return amount }
            return (.within(amounts), amount.end, false)
        }
        switch word(at) {
        case .month: return named(at: at, hasLead: true)
        case .season: return season(at: at, hasLead: true)
        case .which, .past, .coming, .following: return nested?.day(at: at, hasLead: true)
        case .the:
            switch word(at + 1) {
            case .which, .past, .coming, .following, .season, .edge, .ordinal:
                return nested?.day(at: at, hasLead: true)
            case .number: return runLast(at: at + 1)
            default: return token(at + 1)?.kind == .number ? runLast(at: at + 1) : nil
            }
        case .early, .late:
            return part(ofPeriodAt: at)
        case .edge(.middle): return edgePhrase(.middle, at: at + 1)
        default: break
        }
        if let decade = decade(at: at, hasLead: true) { return decade }
        if let month = yearMonth(at: at) { return month }
        if let year = year(at: at), token(at)?.kind == .number,
            let found = yearFirst(year.value, at: year.end, from: at)
        {
            return found
        }
        guard let year = year(at: at), !isWithin,
            endsClause(year.end) || word(year.end) != .none || token(year.end)?.kind == .word
        else { return nil }
        return (.year(year.value), year.end, false)
    }

    /// Monday, and what ties it to a week: `Monday week`, `Monday of next week`, `Monday after next`.
    func weekdayEnd(_ weekday: Weekday, at index: Int) -> DayFound {
        var end = index
        // The point of an abbreviation, but not of a sentence.
        if isSign(end, "."), isJoined(end), word(end - 1) == .weekday(weekday, isShort: true),
            end + 1 < tokens.count
        {
            end += 1
        }
        if case .unit(.week) = word(end), !endsClause(end - 1) {
            return (
                .moved(
                    [DaySpec.Amount(count: 1, unit: .week)], from: .weekday(weekday, shift: nil),
                    isBack: false), end + 1, false
            )
        }
        if word(end) == .after, word(end + 1) == .which(1) {
            return (
                .moved(
                    [DaySpec.Amount(count: 1, unit: .week)], from: .weekday(weekday, shift: nil),
                    isBack: false), end + 2, false
            )
        }
        if words.habits.whichFollows, let which = trailingWhich(at: end) {
            let spec = DaySpec.weekday(weekday, shift: which.isComing ? nil : which.shift)
            return (spec, which.end, which.shift < 0)
        }
        if word(end) == .before || word(end) == .after, isBesideDay(end),
            let day = nested?.day(at: end + 1, hasLead: true)
        {
            let isBack = word(end) == .before
            return (.nthWeekdayFrom(1, weekday, day.spec, isBack: isBack), day.end, day.isPast)
        }
        let week = word(end) == .of || word(end) == .from || word(end) == .in ? end + 1 : end
        switch word(week) {
        case .which, .following, .past, .coming:
            if case .unit(.week) = word(week + 1), let found = nested?.day(at: week, hasLead: true)
            {
                return (.weekdayIn(weekday, found.spec), found.end, found.isPast)
            }
        default: break
        }
        return (.weekday(weekday, shift: nil), end, false)
    }

    /// `sat`, `sun`, `wed` are days only where something says so.
    func isShortWeekday(at index: Int, hasLead: Bool) -> Bool {
        if hasLead || isWholeText(index..<(index + 1)) { return true }
        var next = index + 1
        if isSign(next, "."), isJoined(next) { next += 1 }
        if isSign(next, ",") { next += 1 }
        let isCapitalised = tokens[index].isCapitalised
        if isSign(next, "-"), case .weekday = word(next + 1) { return isCapitalised }
        if isSign(index - 1, "-"), case .weekday = word(index - 2) { return isCapitalised }
        if word(next) == .the, ordinalDay(at: next + 1)?.isMarked == true { return true }
        switch word(next) {
        case .month, .part: return true
        case .at: return isCapitalised && clock(at: next + 1, isAfterAt: true, hasDay: true) != nil
        default: break
        }
        guard token(next)?.kind == .number else { return false }
        return dayMonth(at: next, hasLead: true) != nil
            || numericDate(at: next, hasLead: true) != nil
            || isCapitalised && clock(at: next, isAfterAt: false, hasDay: true) != nil
            || ordinalDay(at: next)?.isMarked == true
    }

    /// `Q3`, `Q3 2026`, `H1 of 2027`. `H2` alone is a heading more often than half a year.
    /// - Parameter before: the year, when it came before.
    func marked(at index: Int, year before: Int? = nil) -> DayFound? {
        guard word(index) == .quarterMark || word(index) == .halfMark,
            let number = token(index + 1), number.kind == .number, isJoined(index + 1),
            (1...4).contains(number.value),
            before != nil || !isJoined(index) || tokens[index - 1].kind == .sign
        else { return nil }
        let at = index + 2
        let joint = isSign(at, "-") || isSign(at, "/") || word(at) == .of ? at + 1 : at
        let after = before == nil ? year(at: joint) : nil
        let year = before ?? after?.value
        let end = after?.end ?? at
        if word(index) == .quarterMark { return (.quarter(number.value, year: year), end, false) }
        guard number.value <= 2, year != nil else { return nil }
        return (.halfYear(number.value, year: year), end, false)
    }

    /// `1990s`, `the 90s`, `the 70's`.
    func decade(at index: Int, hasLead: Bool) -> DayFound? {
        guard let number = token(index), number.kind == .number, number.value % 10 == 0,
            number.digitCount == 4 || number.digitCount == 2 && hasLead
        else { return nil }
        let at = isSign(index + 1, "'") ? index + 2 : index + 1
        guard token(at)?.text == "s", isJoined(at) || number.digitCount == 4 else { return nil }
        let isShort = number.digitCount == 2
        let year = isShort ? 1900 + number.value : number.value
        guard (1000...2990).contains(year), !isShort || number.value >= 20 else { return nil }
        return (.decade(year), at + 1, false)
    }

    /// `this season` is elsewhere; here `summer 2027`, `in winter`, `the summer of 2027`.
    private func season(at index: Int, hasLead: Bool) -> DayFound? {
        guard case .season(let number, let standsAlone) = word(index) else { return nil }
        if let year = year(at: index + 1) ?? tiedYear(at: index + 1) {
            return (.season(number, year: year.value, shift: nil), year.end, false)
        }
        if words.habits.whichFollows, let which = trailingWhich(at: index + 1) {
            return (.season(number, year: nil, shift: which.shift), which.end, which.shift < 0)
        }
        guard standsAlone || word(index - 1) == .the,
            hasLead || word(index - 1) == .in || word(index - 2) == .in
        else { return nil }
        return (.season(number, year: nil, shift: nil), index + 1, false)
    }

    /// `late March`, `later this week`, `early next year`, `earlier this month`.
    private func part(ofPeriodAt index: Int) -> DayFound? {
        let at = isSign(index + 1, "-") || word(index + 1) == .in ? index + 2 : index + 1
        let isEarly = word(index) == .early || word(index) == .earlier
        if word(index) == .later || word(index) == .earlier {
            guard word(at) == .which(0), case .unit(let unit) = word(at + 1), unit.isOfCalendar,
                unit != .day
            else { return nil }
            return (isEarly ? .soFar(unit) : .restOf(unit), at + 2, isEarly)
        }
        let edge = isEarly ? DateEdge.start : .end
        if case .month = word(at) {
            guard let month = named(at: at, hasLead: true), case .month = month.spec else {
                return named(at: at, hasLead: true)
            }
            return (.half(edge, of: month.spec), month.end, false)
        }
        switch word(at) {
        case .which, .coming:
            guard let period = nested?.day(at: at, hasLead: true) else { return nil }
            switch period.spec {
            case .unit(.week, _), .unit(.month, _), .unit(.quarter, _), .unit(.year, _),
                .monthShifted:
                return (.half(edge, of: period.spec), period.end, period.isPast)
            default: return nil
            }
        default:
            guard let year = year(at: at) else { return nil }
            return (.half(edge, of: .year(year.value)), year.end, false)
        }
    }

    /// `within the next three months` begins today.
    private func withinRun(at index: Int) -> DayFound? {
        var at = word(index) == .the ? index + 1 : index
        guard word(at) == .which(1) || word(at) == .coming else { return nil }
        at += 1
        guard let amounts = amounts(at: at), token(at)?.word != .a,
            !amounts.amounts.contains(where: { $0.unit.isOfClock })
        else { return nil }
        return (.within(amounts.amounts), amounts.end, false)
    }

    /// `próxima`, `pasado` after what they choose.
    private func trailingWhich(at index: Int) -> (shift: Int, isComing: Bool, end: Int)? {
        switch word(index) {
        case .which(let shift) where shift != 0: (shift, false, index + 1)
        case .past: (-1, false, index + 1)
        case .coming: (1, true, index + 1)
        default: nil
        }
    }

    /// What stands after `before` or `after` is a day by itself, so that a weekday can lie beside it:
    /// `the Friday before Easter`. Two weekdays do not: `Monday after Friday`.
    private func isBesideDay(_ index: Int) -> Bool {
        guard word(index) == .before || word(index) == .after,
            let day = nested?.day(at: index + 1, hasLead: true)
        else { return false }
        switch day.spec {
        case .holiday, .holidayIn, .date: return true
        default: return false
        }
    }
}
