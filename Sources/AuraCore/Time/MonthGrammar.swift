/// Months and their days: `15 March`, `March 15th 2026`, `March`.
extension DateGrammar {
    /// Begins with the name of a month: `March 15th`, `March 2026`, `March`.
    func named(at index: Int, hasLead: Bool) -> DayFound? {
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
        let isVerb = !name.isCapitalised && words.habits.otherWords.contains(name.text)
        var at = index + 1
        if isSign(at, "."), isJoined(at) { at += 1 }
        if isSign(at, "-") || isSign(at, "/"), isJoined(at), isJoined(at + 1) { at += 1 }
        if word(at) == .the { at += 1 }
        if let day = ordinalDay(at: at), isDayEnd(day.end) {
            let comma = isSign(day.end, ",") ? day.end + 1 : day.end
            let year = year(at: comma) ?? tiedYear(at: day.end) ?? shortYear(at: day.end)
            let isTied = at == index + 1 && isJoined(at)
            if year != nil || day.isMarked || hasLead || isTied || !isVerb
                || isWholeText(index..<day.end)
            {
                return date(year?.value, month, day.value, end: year?.end ?? day.end)
            }
        }
        let comma = isSign(at, ",") ? at + 1 : at
        if let year = year(at: comma) ?? tiedYear(at: at), comma == at || !isVerb {
            return (.month(month, year: year.value), year.end, false)
        }
        if word(index + 1) == .after, word(index + 2) == .which(1) {
            return (.monthShifted(month, by: 2), index + 3, false)
        }
        guard standsAlone || isMonthAlone(at: index, isVerb: isVerb) else { return nil }
        return (.month(month, year: nil), index + 1, false)
    }

    /// Whether a month whose name is also something else is meant as a month.
    func isMonthAlone(at index: Int, isVerb: Bool) -> Bool {
        if isWholeText(index..<(index + 1)) { return true }
        let isFollowed = endsClause(index + 1) || word(index + 1) != .none
        if joinsMonths(index + 1) || joinsMonths(index - 1) { return true }
        switch word(index - 1) {
        case .in, .since, .until, .before, .after, .from: return !isVerb || isFollowed
        case .the where word(index - 2) == .in: return !isVerb
        case .edge, .of: return !isVerb
        case .late, .early: return true
        case .by:
            // `by April` is a deadline, but a letter is written by April.
            let before = token(index - 2)?.text ?? ""
            guard words.code == .en else { return !isVerb }
            return !isVerb && !before.hasSuffix("ed") && !before.hasSuffix("en") && before != "made"
        default: return false
        }
    }

    /// `Jan-Feb`, `March to May`
    private func joinsMonths(_ index: Int) -> Bool {
        guard isSign(index, "-") || word(index) == .to || word(index) == .until,
            case .month = word(index - 1), case .month = word(index + 1)
        else { return false }
        return true
    }

    func date(_ year: Int?, _ month: Int, _ day: Int, end: Int) -> DayFound? {
        guard (1...12).contains(month), day >= 1,
            day <= Day.length(ofMonth: month, in: year ?? 2024)
        else { return nil }
        return (.date(year: year, month: month, day: day, weekday: nil), end, false)
    }

    /// A number that is a day of the month is not followed by a clock's colon, `am` or a unit.
    func isDayEnd(_ index: Int) -> Bool {
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
        if word(at) == .the {
            switch word(at + 1) {
            case .which, .past, .coming, .following: at += 1
            default: break
            }
        }
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
        let isVerb = !name.isCapitalised && words.habits.otherWords.contains(name.text)
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
            if words.habits.pointIsOrdinal, isSign(index + 1, "."), isJoined(index + 1),
                (1...31).contains(token.value), !isJoined(index + 2)
            {
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
        guard let token = token(index) else { return nil }
        if token.kind == .word { return spokenYear(at: index) }
        guard token.kind == .number, token.digitCount == 4, (1000...2999).contains(token.value),
            isYearFree(index)
        else { return nil }
        return (token.value, index + 1)
    }

    /// `nineteen eighty six`, `two thousand and eighteen`.
    private func spokenYear(at index: Int) -> (value: Int, end: Int)? {
        guard case .number(let first) = word(index) else { return nil }
        if word(index + 1) == .thousand {
            guard first <= 2 else { return nil }
            let at = word(index + 2) == .and ? index + 3 : index + 2
            guard let rest = cardinal(at: at), token(at)?.kind == .word, rest.value < 100 else {
                return (first * 1000, index + 2)
            }
            return (first * 1000 + rest.value, rest.end)
        }
        guard (17...20).contains(first), let rest = cardinal(at: index + 1),
            token(index + 1)?.kind == .word, (10...99).contains(rest.value)
        else { return nil }
        return (first * 100 + rest.value, rest.end)
    }

    /// `of 2020`, `in 2020` after a date.
    func tiedYear(at index: Int) -> (value: Int, end: Int)? {
        word(index) == .of || word(index) == .in ? year(at: index + 1) : nil
    }

    func isYearFree(_ index: Int) -> Bool {
        if isSign(index + 1, ":") && isJoined(index + 1) { return false }
        let token = tokens[index]
        return token.isFree || isSign(index - 1, "-") || isSign(index - 1, "/")
            || isSign(index + 1, "-") || isSign(index + 1, "/") || isSign(index - 1, ",")
            || isSign(index - 1, ".")
    }

    /// `'26`, or two digits at the end of a clause right after a date.
    func shortYear(at index: Int) -> (value: Int, end: Int)? {
        let at = isSign(index, "'") ? index + 1 : index
        guard let token = token(at), token.kind == .number, token.digitCount == 2, token.isFree,
            at > index || endsClause(at + 1) && tokens[at].hasSpaceBefore && !endsClause(index - 1)
        else { return nil }
        return (DateGrammar.fullYear(token.value), at + 1)
    }

    static func fullYear(_ value: Int) -> Int { value < 70 ? 2000 + value : 1900 + value }
}
