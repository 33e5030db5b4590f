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
            return shifted(at: index + 1, by: -1, from: index)
        case .coming, .following: return shifted(at: index + 1, by: 1, from: index)
        case .in, .within: return afterIn(at: index)
        case .edge(let edge): return edgePhrase(edge, at: index + 1)
        case .endOf(let unit):
            return (.edge(.end, of: .unit(unit, shift: 0)), index + 1, false)
        case .weekend where hasLead: return (.weekend(shift: 0), index + 1, false)
        case .unit(let unit): return unitPhrase(unit, at: index)
        case .rest: return restPhrase(at: index)
        default: return nil
        }
    }

    // MARK: Words and their neighbours

    private func afterArticle(at index: Int, hasLead: Bool) -> DayFound? {
        if let decade = decade(at: index, hasLead: true) { return decade }
        switch word(index) {
        case .which, .past, .coming, .following, .edge, .endOf, .unit, .rest:
            return nested?.day(at: index, hasLead: hasLead)
        case .weekend: return (.weekend(shift: 0), index + 1, false)
        case .ordinal, .second:
            return ordinalPhrase(at: index, hasLead: hasLead, hasArticle: true)
        default: break
        }
        guard token(index)?.kind == .number else { return nil }
        return ordinalPhrase(at: index, hasLead: hasLead, hasArticle: true)
            ?? dayMonth(at: index, hasLead: true)
    }

    private func unitPhrase(_ unit: DateUnit, at index: Int) -> DayFound? {
        let next = index + 1
        if unit == .year, let year = year(at: next) {
            return (.year(year.value), year.end, false)
        }
        if unit == .week, let number = token(next), number.kind == .number, number.isFree,
            (1...53).contains(number.value)
        {
            let joint = word(next + 1) == .of || word(next + 1) == .in ? next + 2 : next + 1
            let year = year(at: joint)
            return (.weekNumber(number.value, year: year?.value), year?.end ?? next + 1, false)
        }
        switch (unit, word(next)) {
        case (.day, .after):
            guard case .day(1) = word(next + 1) else { return nil }
            return (.relative(2), next + 2, false)
        case (.day, .before):
            guard case .day(-1) = word(next + 1) else { return nil }
            return (.relative(-2), next + 2, true)
        case (_, .after) where word(next + 1) == .which(1) && isCalendar(unit):
            return (.unit(unit, shift: 2), next + 2, false)
        case (_, .before) where word(next + 1) == .which(-1) && isCalendar(unit):
            return (.unit(unit, shift: -2), next + 2, true)
        case (.week, .of):
            guard let day = nested?.day(at: next + 1, hasLead: true) else { return nil }
            return (.nthUnit(0, .week, in: day.spec), day.end, day.isPast)
        default: return nil
        }
    }

    private func isCalendar(_ unit: DateUnit) -> Bool {
        switch unit {
        case .day, .week, .month, .quarter, .year: true
        default: false
        }
    }

    private func restPhrase(at index: Int) -> DayFound? {
        guard word(index + 1) == .of else { return nil }
        var at = index + 2
        if word(at) == .the || word(at) == .which(0) { at += 1 }
        guard case .unit(let unit) = word(at), isCalendar(unit), unit != .day else { return nil }
        return (.restOf(unit), at + 1, false)
    }

    /// `end of the month`, `start of next week`, `mid March`, `the end of 2026`.
    private func edgePhrase(_ edge: DateEdge, at index: Int) -> DayFound? {
        var at = index
        let isTight = edge == .middle && (isSign(at, "-") || word(at) != .of)
        if isSign(at, "-") { at += 1 }
        if word(at) == .of { at += 1 } else if !isTight { return nil }
        if word(at) == .the { at += 1 }
        if case .unit(let unit) = word(at), isCalendar(unit), word(at + 1) != .of {
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
    private func shifted(at start: Int, by shift: Int, from index: Int) -> DayFound? {
        var at = start
        let isComing = word(index) == .coming
        // `this coming Monday`, `this past week`
        switch word(at) {
        case .coming where shift == 0: return shifted(at: at + 1, by: 1, from: at)
        case .past where shift == 0: return shifted(at: at + 1, by: -1, from: at)
        default: break
        }
        if let holiday = holiday(at: at), case .holiday(let day, nil, _) = holiday.spec {
            return (.holiday(day, year: nil, shift: shift), holiday.end, shift < 0)
        }
        if shift != 0, let run = run(at: at, isBack: shift < 0) { return run }
        switch word(at) {
        case .unit(let unit):
            guard isCalendar(unit) else { return nil }
            at += 1
            // `next week on Monday` is merged elsewhere; `this day` and `last day` are too vague.
            if unit == .day, shift != 1 { return nil }
            if shift < 0, word(at) == .of || word(at) == .in {
                return nthPhrase(-1, at: start)
            }
            return (.unit(unit, shift: shift), at, shift < 0)
        case .weekday(let weekday, _):
            if shift < 0, word(at + 1) == .of || word(at + 1) == .in {
                if let nth = nthPhrase(-1, at: at) { return nth }
            }
            let spec = DaySpec.weekday(weekday, shift: isComing ? nil : shift)
            return (spec, at + 1, shift < 0)
        case .weekend:
            if shift < 0, word(at + 1) == .of || word(at + 1) == .in { return nil }
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
    private func run(at index: Int, isBack: Bool) -> DayFound? {
        guard let amounts = amounts(at: index), amounts.amounts.count == 1,
            token(index).map({ $0.word != .a }) == true
        else { return nil }
        let amount = amounts.amounts[0]
        guard amount.count >= 1, amount.count == amount.count.rounded() else { return nil }
        switch amount.unit {
        case .second, .minute, .hour: return nil
        default: return (.run(Int(amount.count), amount.unit, isBack: isBack), amounts.end, isBack)
        }
    }

    /// `in three days`, `in March`, `in 2027`, `within two weeks`.
    private func afterIn(at index: Int) -> DayFound? {
        let at = index + 1
        let isWithin = word(index) == .within
        if let amount = amountPhrase(at: at, isAfterIn: true) {
            guard isWithin, case .moved(let amounts, nil, false) = amount.spec else {
                return amount
            }
            return (.within(amounts), amount.end, false)
        }
        switch word(at) {
        case .month: return named(at: at, hasLead: true)
        case .which, .past, .coming, .following: return nested?.day(at: at, hasLead: true)
        case .the:
            switch word(at + 1) {
            case .which, .past, .coming, .following: return nested?.day(at: at + 1, hasLead: true)
            default: return nil
            }
        case .early, .late:
            guard case .month = word(at + 1) else { return nil }
            return named(at: at + 1, hasLead: true)
        case .edge(.middle): return edgePhrase(.middle, at: at + 1)
        default: break
        }
        if let decade = decade(at: at, hasLead: true) { return decade }
        guard let year = year(at: at), !isWithin,
            endsClause(year.end) || word(year.end) != .none || token(year.end)?.kind == .word
        else { return nil }
        return (.year(year.value), year.end, false)
    }

    /// Monday, and what ties it to a week: `Monday week`, `Monday of next week`, `Monday after next`.
    private func weekdayEnd(_ weekday: Weekday, at index: Int) -> DayFound {
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
    private func isShortWeekday(at index: Int, hasLead: Bool) -> Bool {
        if hasLead || isWholeText(index..<(index + 1)) { return true }
        var next = index + 1
        if isSign(next, "."), isJoined(next) { next += 1 }
        if isSign(next, ",") { next += 1 }
        let isCapitalised = tokens[index].isCapitalised
        if isSign(next, "-"), case .weekday = word(next + 1) { return isCapitalised }
        if isSign(index - 1, "-"), case .weekday = word(index - 2) { return isCapitalised }
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

    // MARK: Names and marks

    /// `Christmas`, `Easter Monday 2027`, `Mother's Day of 2026`.
    private func holiday(at index: Int) -> DayFound? {
        func plain(_ text: String) -> String { text.filter { $0 != "'" && $0 != "\u{2019}" } }
        guard let first = token(index), first.kind == .word else { return nil }
        var name = plain(first.text)
        let longest = words.longestHoliday(from: name)
        guard longest > 0 else { return nil }
        var found = words.holiday(named: name).map { ($0, index + 1) }
        var at = index + 1
        for _ in 1..<max(longest, 1) {
            if isSign(at, ".") || isSign(at, "-") { at += 1 }
            guard let next = token(at), next.kind == .word else { break }
            name += " " + plain(next.text)
            at += 1
            if let holiday = words.holiday(named: name) { found = (holiday, at) }
        }
        guard let (holiday, end) = found else { return nil }
        let year = year(at: end) ?? tiedYear(at: end)
        return (.holiday(holiday, year: year?.value, shift: nil), year?.end ?? end, false)
    }

    /// `Q3`, `Q3 2026`, `H1 of 2027`. `H2` alone is a heading more often than half a year.
    /// - Parameter before: the year, when it came before.
    private func marked(at index: Int, year before: Int? = nil) -> DayFound? {
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
        return (.half(number.value, year: year), end, false)
    }

    /// `1990s`, `the 90s`, `the 70's`.
    private func decade(at index: Int, hasLead: Bool) -> DayFound? {
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

    // MARK: Month and day

    private static let lowerCaseVerbs: Set<String> = ["may", "march", "mar", "dec", "jan"]

    /// Begins with the name of a month: `March 15th`, `March 2026`, `March`.
    private func named(at index: Int, hasLead: Bool) -> DayFound? {
        guard case .month(let month, let standsAlone) = word(index), let name = token(index) else {
            return nil
        }
        if let range = numberedRange(at: index) { return (range.spec, range.end, false) }
        // `31 February`: a day that the month does not have is not the month without it.
        if let before = token(index - 1), before.kind == .number,
            (29...31).contains(before.value), before.value > Day.length(ofMonth: month, in: 2024)
        {
            return nil
        }
        let isVerb = !name.isCapitalised && DateGrammar.lowerCaseVerbs.contains(name.text)
        var at = index + 1
        if isSign(at, "."), isJoined(at) { at += 1 }
        if isSign(at, "-") || isSign(at, "/"), isJoined(at), isJoined(at + 1) { at += 1 }
        if word(at) == .the { at += 1 }
        if let day = ordinalDay(at: at), isDayEnd(day.end) {
            let comma = isSign(day.end, ",") ? day.end + 1 : day.end
            let year = year(at: comma) ?? tiedYear(at: day.end) ?? shortYear(at: day.end)
            if year != nil || day.isMarked || hasLead || !isVerb || isWholeText(index..<day.end) {
                return date(year?.value, month, day.value, end: year?.end ?? day.end)
            }
        }
        let comma = isSign(at, ",") ? at + 1 : at
        if let year = year(at: comma), comma == at || !isVerb {
            return (.month(month, year: year.value), year.end, false)
        }
        if word(index + 1) == .after, word(index + 2) == .which(1) {
            return (.monthShifted(month, by: 2), index + 3, false)
        }
        guard standsAlone || isMonthAlone(at: index, isVerb: isVerb) else { return nil }
        return (.month(month, year: nil), index + 1, false)
    }

    /// Whether a month whose name is also something else is meant as a month.
    private func isMonthAlone(at index: Int, isVerb: Bool) -> Bool {
        if isWholeText(index..<(index + 1)) { return true }
        let isFollowed = endsClause(index + 1) || word(index + 1) != .none
        switch word(index - 1) {
        case .in, .since, .until: return !isVerb || isFollowed
        case .late, .early: return true
        case .by:
            // `by April` is a deadline, but a letter is written by April.
            let before = token(index - 2)?.text ?? ""
            return !isVerb && !before.hasSuffix("ed") && !before.hasSuffix("en") && before != "made"
        default: return false
        }
    }

    private func date(_ year: Int?, _ month: Int, _ day: Int, end: Int) -> DayFound? {
        guard (1...12).contains(month), day >= 1,
            day <= Day.length(ofMonth: month, in: year ?? 2024)
        else { return nil }
        return (.date(year: year, month: month, day: day, weekday: nil), end, false)
    }

    /// A number that is a day of the month is not followed by a clock's colon, `am` or a unit.
    private func isDayEnd(_ index: Int) -> Bool {
        if isSign(index, ":"), isJoined(index) { return false }
        if isSign(index, "%") { return false }
        if meridiem(at: index) != nil, token(index)?.text != "a" { return false }
        if case .unit = word(index) { return false }
        return true
    }

    /// `15 March`, `15th of March 2026`, `14april`, `15-Mar-2026`.
    func dayMonth(at index: Int, hasLead: Bool) -> DayFound? {
        guard let day = ordinalDay(at: index), (1...31).contains(day.value) else { return nil }
        var at = day.end
        let hasDash = isSign(at, "-") || isSign(at, "/")
        if hasDash { at += 1 }
        // `16. Nov. 2016`
        if isSign(at, "."), isJoined(at), case .month = word(at + 1) { at += 1 }
        if word(at) == .of { at += 1 }
        if word(at) == .the || word(at) == .which(0), day.isMarked || at > day.end {
            if case .unit(.month) = word(at + 1) {
                return (
                    .nthUnit(day.value, .day, in: .unit(.month, shift: 0)), at + 2, false
                )
            }
        }
        if case .which(let shift) = word(at), at > day.end || day.isMarked,
            case .unit(.month) = word(at + 1)
        {
            return (.nthUnit(day.value, .day, in: .unit(.month, shift: shift)), at + 2, shift < 0)
        }
        guard case .month(let month, _) = word(at), let name = token(at) else { return nil }
        let isVerb = !name.isCapitalised && DateGrammar.lowerCaseVerbs.contains(name.text)
        var end = at + 1
        if isSign(end, "."), isJoined(end), end + 1 < tokens.count, name.text.utf8.count <= 4,
            token(end + 1)?.kind == .number
        {
            end += 1
        }
        let comma =
            isSign(end, ",") || (hasDash && (isSign(end, "-") || isSign(end, "/"))) ? end + 1 : end
        let year = year(at: comma) ?? tiedYear(at: comma) ?? shortYear(at: comma)
        if isVerb, year == nil, !day.isMarked, !hasLead, !endsClause(end) { return nil }
        return date(year?.value, month, day.value, end: year?.end ?? end)
    }

    /// A day of the month as a number: `15`, `15th`, `the fifteenth`, `twenty-first`.
    ///
    /// Marked when it is an ordinal.
    func ordinalDay(at index: Int) -> (value: Int, end: Int, isMarked: Bool)? {
        guard let token = token(index) else { return nil }
        if token.kind == .number {
            guard token.digitCount <= 2, token.value >= 0 else { return nil }
            if word(index + 1) == .ordinalSuffix, isJoined(index + 1) {
                return (token.value, index + 2, true)
            }
            return (1...31).contains(token.value) ? (token.value, index + 1, false) : nil
        }
        switch token.word {
        case .ordinal(let value): return (value, index + 1, true)
        case .second: return (2, index + 1, true)
        case .number(let tens):
            let next = isSign(index + 1, "-") ? index + 2 : index + 1
            if tens >= 20, tens % 10 == 0 {
                if case .ordinal(let ones) = word(next), ones < 10 {
                    return (tens + ones, next + 1, true)
                }
                if word(next) == .second { return (tens + 2, next + 1, true) }
                if case .number(let ones) = word(next), (1...9).contains(ones) {
                    return (tens + ones, next + 1, false)
                }
            }
            return (1...31).contains(tens) ? (tens, index + 1, false) : nil
        default: return nil
        }
    }

    /// Four digits from 1000 to 2999 that are not tied to anything; with `AD` any.
    func year(at index: Int) -> (value: Int, end: Int)? {
        guard let token = token(index), token.kind == .number, token.digitCount == 4,
            (1000...2999).contains(token.value), isYearFree(index)
        else { return nil }
        return (token.value, index + 1)
    }

    /// `of 2020`, `in 2020` after a date.
    private func tiedYear(at index: Int) -> (value: Int, end: Int)? {
        word(index) == .of || word(index) == .in ? year(at: index + 1) : nil
    }

    private func isYearFree(_ index: Int) -> Bool {
        if isSign(index + 1, ":") && isJoined(index + 1) { return false }
        let token = tokens[index]
        return token.isFree || isSign(index - 1, "-") || isSign(index - 1, "/")
            || isSign(index + 1, "-") || isSign(index - 1, ",") || isSign(index - 1, ".")
    }

    /// `'26`, or two digits at the end of a clause right after a date.
    private func shortYear(at index: Int) -> (value: Int, end: Int)? {
        let at = isSign(index, "'") ? index + 1 : index
        guard let token = token(at), token.kind == .number, token.digitCount == 2, token.isFree,
            at > index || endsClause(at + 1) && tokens[at].hasSpaceBefore && !endsClause(index - 1)
        else { return nil }
        return (DateGrammar.fullYear(token.value), at + 1)
    }

    static func fullYear(_ value: Int) -> Int { value < 70 ? 2000 + value : 1900 + value }

    // MARK: Numbers first

    private func numbered(at index: Int, hasLead: Bool) -> DayFound? {
        if let date = numericDate(at: index, hasLead: hasLead) { return date }
        if let decade = decade(at: index, hasLead: hasLead) { return decade }
        if let year = year(at: index) { return yearFirst(year.value, at: year.end, from: index) }
        if let range = numberedRange(at: index) { return (range.spec, range.end, false) }
        if isStart(index), let date = dayMonth(at: index, hasLead: hasLead) { return date }
        if let amount = amountPhrase(at: index, isAfterIn: false) { return amount }
        if isStart(index) {
            return ordinalPhrase(at: index, hasLead: hasLead, hasArticle: false)
        }
        return nil
    }

    /// Nothing is tied to the left of the number.
    private func isStart(_ index: Int) -> Bool {
        guard index > 0, let token = token(index), !token.hasSpaceBefore else { return true }
        guard tokens[index - 1].kind == .sign else { return false }
        switch UInt8(truncatingIfNeeded: tokens[index - 1].value) {
        case 0x28, 0x22, 0x27, 0x2C, 0x5B, 0x2A, 0x2D, 0x7C, 0x3A, 0x3B: return true
        default: return false
        }
    }

    /// `2026-03-04`, `4/3/2026`, `4.3.2026`, `04/03`.
    private func numericDate(at index: Int, hasLead: Bool) -> DayFound? {
        guard let first = token(index), first.kind == .number, isStart(index), first.value >= 0,
            let sign = token(index + 1), sign.kind == .sign, isJoined(index + 1),
            isJoined(index + 2),
            let second = token(index + 2), second.kind == .number, second.digitCount <= 2
        else { return nil }
        let mark = UInt8(truncatingIfNeeded: sign.value)
        guard mark == 0x2D || mark == 0x2F || mark == 0x2E else { return nil }
        // The same sign and a number before it make this the middle of something longer.
        if isJoined(index), token(index - 1)?.isSign(mark) == true, isJoined(index - 1),
            token(index - 2)?.kind == .number
        {
            return nil
        }
        let hasThird =
            token(index + 3)?.isSign(mark) == true && isJoined(index + 3) && isJoined(index + 4)
            && token(index + 4)?.kind == .number
        guard hasThird, let third = token(index + 4) else {
            // `04/03` could be a fraction; only a word like `on` makes it a date.
            let isTied =
                token(index + 3).map {
                    $0.kind == .sign && !$0.hasSpaceBefore && !endsClause(index + 3)
                } ?? false
            guard mark == 0x2F, hasLead || isWholeText(index..<(index + 3)), !isTied,
                first.digitCount <= 2, !(isSign(index + 3, "/"))
            else { return nil }
            return dayAndMonth(first.value, second.value, year: nil, end: index + 3)
        }
        let end = index + 5
        if isJoined(end), let next = token(end) {
            // More digits behind make it a phone number or a version.
            if next.isSign(mark), isJoined(end + 1), token(end + 1)?.kind == .number { return nil }
            if next.kind == .word, next.text != "t" { return nil }
        }
        if first.digitCount == 4 {
            guard third.digitCount <= 2,
                let day = Day(year: first.value, month: second.value, day: third.value)
            else { return nil }
            // `2026-03-04T10:00`
            let isTime = token(end)?.text == "t" && isJoined(end) && isJoined(end + 1)
            return date(day.year, day.month, day.day, end: isTime ? end + 1 : end)
        }
        guard first.digitCount <= 2 else { return nil }
        if third.digitCount == 4 {
            return dayAndMonth(first.value, second.value, year: third.value, end: end)
        }
        guard third.digitCount == 2, hasLead || mark == 0x2F || isWholeText(index..<end) else {
            return nil
        }
        return dayAndMonth(
            first.value, second.value, year: DateGrammar.fullYear(third.value), end: end)
    }

    /// The order is the person's, unless only the other one is possible.
    private func dayAndMonth(_ first: Int, _ second: Int, year: Int?, end: Int) -> DayFound? {
        let asSaid = dayFirst ? (second, first) : (first, second)
        return date(year, asSaid.0, asSaid.1, end: end) ?? date(year, asSaid.1, asSaid.0, end: end)
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
            let year = year(at: at + 1)
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

    private func secondDay(at index: Int) -> (value: Int, end: Int, isMarked: Bool)? {
        guard isSign(index, "-") || [.to, .until, .and].contains(word(index)) else { return nil }
        let at = word(index + 1) == .the ? index + 2 : index + 1
        guard let day = ordinalDay(at: at), isDayEnd(day.end) else { return nil }
        return day
    }

    private func dayRange(
        _ first: Int, _ second: Int, _ month: Int, _ year: Int?, end: Int
    ) -> (spec: DaySpec, end: Int)? {
        guard first < second, let start = date(year, month, first, end: end),
            let finish = date(year, month, second, end: end)
        else { return nil }
        return (.range(start.spec, finish.spec), end)
    }

    /// `2019-Sep-1`, `2017-Q1`, and after a word like `before` or `since` the year alone.
    private func yearFirst(_ year: Int, at end: Int, from index: Int) -> DayFound? {
        let hasSign = isSign(end, "-") || isSign(end, "/")
        let at = hasSign ? end + 1 : end
        if hasSign, case .month(let month, _) = word(at),
            isSign(at + 1, "-") || isSign(at + 1, "/"),
            let day = ordinalDay(at: at + 2)
        {
            return date(year, month, day.value, end: day.end)
        }
        if let half = marked(at: at, year: year) { return half }
        switch word(index - 1) {
        case .before, .after, .since, .until, .from, .between, .by: break
        case .and, .to:
            guard token(index - 2)?.digitCount == 4 else { return nil }
        default: return nil
        }
        return (.year(year), end, false)
    }

    // MARK: Ordinals

    /// `the 20th`, `first Monday of March`, `last day of the month`, `the 15th of March`.
    private func ordinalPhrase(at index: Int, hasLead: Bool, hasArticle: Bool) -> DayFound? {
        guard let ordinal = ordinalDay(at: index) else { return nil }
        if ordinal.isMarked, let nth = nthPhrase(ordinal.value, at: ordinal.end) { return nth }
        if let date = dayMonth(at: index, hasLead: hasLead || hasArticle) { return date }
        guard ordinal.isMarked, (1...31).contains(ordinal.value), hasLead || hasArticle else {
            return nil
        }
        let isDigits = token(index)?.kind == .number
        let next = ordinal.end
        let isFollowed: Bool
        switch word(next) {
        case .none:
            isFollowed =
                endsClause(next) || DateGrammar.dayFollowers.contains(token(next)?.text ?? "")
        case .unit, .ordinal, .number, .second, .weekend, .half, .part, .ordinalSuffix, .of,
            .weekdays:
            isFollowed = false
        default: isFollowed = true
        }
        guard isFollowed, isDigits || hasLead && hasArticle || isWholeText((index - 1)..<next)
        else {
            return nil
        }
        // `the first` without `on` or `by` is rarely a day.
        guard isDigits || hasLead || isWholeText((index - 1)..<next) else { return nil }
        return (.dayOfMonth(ordinal.value, weekday: nil), next, false)
    }

    private static let dayFollowers: Set<String> = [
        "i", "we", "you", "he", "she", "they", "it", "then", "please", "because", "when", "if",
        "but", "or", "so", "with", "is", "was", "will", "works", "suits", "as",
    ]

    /// After an ordinal: `Monday of March`, `day of the month`, `week in October`.
    private func nthPhrase(_ ordinal: Int, at index: Int) -> DayFound? {
        var count = ordinal
        var at = index
        if word(at) == .which(-1) {
            count = -ordinal
            at += 1
        }
        let joint = at + 1
        guard word(joint) == .of || word(joint) == .in else { return nil }
        var inner = joint + 1
        if word(inner) == .the { inner += 1 }
        let period: (spec: DaySpec, end: Int)
        switch word(inner) {
        case .month(let month, _):
            let year = year(at: inner + 1)
            period = (.month(month, year: year?.value), year?.end ?? inner + 1)
        case .unit(let unit) where isCalendar(unit):
            period = (.unit(unit, shift: 0), inner + 1)
        case .which, .past, .coming, .following:
            guard let found = nested?.day(at: inner, hasLead: true) else { return nil }
            period = (found.spec, found.end)
        default:
            guard let year = year(at: inner) else { return nil }
            period = (.year(year.value), year.end)
        }
        switch word(at) {
        case .weekday(let weekday, _):
            return (.nthWeekday(count, weekday, in: period.spec), period.end, false)
        case .unit(let unit) where isCalendar(unit):
            return (.nthUnit(count, unit, in: period.spec), period.end, false)
        default: return nil
        }
    }

    // MARK: Amounts

    /// `three days ago`, `two weeks from now`, `a week on Monday`, and after `in` the amount alone.
    private func amountPhrase(at index: Int, isAfterIn: Bool) -> DayFound? {
        guard let found = amounts(at: index) else { return nil }
        let isWhole = found.amounts.allSatisfy { amount in
            switch amount.unit {
            case .second, .minute, .hour: false
            default: true
            }
        }
        guard isWhole else { return nil }
        let end = found.end
        func moved(_ from: DaySpec?, isBack: Bool, end: Int, isPast: Bool) -> DayFound {
            (.moved(found.amounts, from: from, isBack: isBack), end, isPast)
        }
        switch word(end) {
        case .ago: return moved(nil, isBack: true, end: end + 1, isPast: true)
        case .hence: return moved(nil, isBack: false, end: end + 1, isPast: false)
        case .from where word(end + 1) == .now:
            return moved(nil, isBack: false, end: end + 2, isPast: false)
        case .from, .after:
            if let day = nested?.day(at: end + 1, hasLead: true) {
                return moved(day.spec, isBack: false, end: day.end, isPast: day.isPast)
            }
        case .before:
            if let day = nested?.day(at: end + 1, hasLead: true) {
                return moved(day.spec, isBack: true, end: day.end, isPast: day.isPast)
            }
        case .on:
            if found.amounts.count == 1, case .weekday(let weekday, _) = word(end + 1),
                found.amounts[0].unit == .week || found.amounts[0].unit == .fortnight, !isAfterIn
            {
                return moved(
                    .weekday(weekday, shift: nil), isBack: false, end: end + 2, isPast: false)
            }
        default: break
        }
        guard isAfterIn else { return nil }
        return moved(nil, isBack: false, end: end, isPast: false)
    }

    /// `three days`, `a week`, `a couple of months`, `2 weeks and 2 days`, `half an hour`.
    func amounts(at index: Int) -> (amounts: [DaySpec.Amount], end: Int)? {
        guard let first = amount(at: index) else { return nil }
        var amounts = [first.amount]
        var end = first.end
        while amounts.count < 4 {
            let next = word(end) == .and || isSign(end, ",") ? end + 1 : end
            guard let more = amount(at: next), token(next)?.word != .a || next > end else { break }
            amounts.append(more.amount)
            end = more.end
        }
        return (amounts, end)
    }

    private func amount(at index: Int) -> (amount: DaySpec.Amount, end: Int)? {
        var at = index
        var count: Double
        switch word(at) {
        case .half:
            guard word(at + 1) == .a, case .unit(let unit) = word(at + 2) else { return nil }
            return (DaySpec.Amount(count: 0.5, unit: unit), at + 3)
        case .a:
            at += 1
            count = 1
            if case .amount(let few) = word(at) {
                count = Double(few)
                at += 1
                if word(at) == .of { at += 1 }
            } else if case .unit(.quarter) = word(at), word(at + 1) == .of, word(at + 2) == .a,
                case .unit(.hour) = word(at + 3)
            {
                return (DaySpec.Amount(count: 15, unit: .minute), at + 4)
            }
        case .amount(let few):
            count = Double(few)
            at += 1
            if word(at) == .of { at += 1 }
        default:
            guard let number = cardinal(at: at), number.value <= 10_000 else { return nil }
            count = Double(number.value)
            at = number.end
        }
        if token(at)?.text == "more" { at += 1 }
        guard case .unit(let unit) = word(at) else { return nil }
        return (DaySpec.Amount(count: count, unit: unit), at + 1)
    }

    /// A whole number in digits or words: `3`, `three`, `twenty-one`.
    func cardinal(at index: Int) -> (value: Int, end: Int)? {
        guard let token = token(index) else { return nil }
        if token.kind == .number {
            guard token.value >= 0, isStart(index), token.isFree || isSign(index - 1, "-") else {
                return nil
            }
            return (token.value, index + 1)
        }
        guard case .number(let value) = token.word else { return nil }
        let next = isSign(index + 1, "-") ? index + 2 : index + 1
        if value >= 20, value % 10 == 0, case .number(let ones) = word(next), (1...9).contains(ones)
        {
            return (value + ones, next + 1)
        }
        return (value, index + 1)
    }
}
