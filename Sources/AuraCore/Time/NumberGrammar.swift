/// Days that begin with a number: `2026-03-04`, `4/3`, `2017-Q1`.
extension DateGrammar {
    func numbered(at index: Int, hasLead: Bool) -> DayFound? {
        if let date = numericDate(at: index, hasLead: hasLead) { return date }
        if let date = spacedDate(at: index, hasLead: hasLead) { return date }
        if let month = yearMonth(at: index) { return month }
        if let decade = decade(at: index, hasLead: hasLead) { return decade }
        if token(index)?.kind == .number, let year = year(at: index) {
            return yearFirst(year.value, at: year.end, from: index)
        }
        if let range = numberedRange(at: index) { return (range.spec, range.end, false) }
        if isStart(index), let date = dayMonth(at: index, hasLead: hasLead) { return date }
        if let amount = amountPhrase(at: index, isAfterIn: false) { return amount }
        if let run = runLast(at: index) { return run }
        if isStart(index) {
            if let day = ordinalPhrase(at: index, hasLead: hasLead, hasArticle: false) {
                return day
            }
            if case .weekday = word(isSign(index - 1, ",") ? index - 2 : index - 1) {
                return bareDay(at: index, isAfterDay: true)
            }
            return bareDay(at: index, isAfterDay: word(index - 1) == .on)
        }
        return nil
    }

    /// Nothing is tied to the left of the number.
    func isStart(_ index: Int) -> Bool {
        guard index > 0, let token = token(index), !token.hasSpaceBefore else { return true }
        guard tokens[index - 1].kind == .sign else { return false }
        switch UInt8(truncatingIfNeeded: tokens[index - 1].value) {
        case 0x28, 0x22, 0x27, 0x2C, 0x5B, 0x2A, 0x2D, 0x7C, 0x3A, 0x3B: return true
        default: return false
        }
    }

    /// `2026-03-04`, `4/3/2026`, `4.3.2026`, `04/03`.
    func numericDate(at index: Int, hasLead: Bool) -> DayFound? {
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
            let isAfterWeekday = if case .weekday = word(index - 1) { true } else { false }
            let isBeforeTime =
                word(index + 3) == .at && clock(at: index + 4, isAfterAt: true, hasDay: true) != nil
            guard mark == 0x2F || mark == 0x2E && isAfterWeekday, !isTied,
                first.digitCount <= 2, !isSign(index + 3, "/")
            else { return nil }
            // `08/12, 2015`
            if isSign(index + 3, ","), let year = year(at: index + 4) {
                return dayAndMonth(first.value, second.value, year: year.value, end: year.end)
            }
            let isWhole = isWholeText(index..<(index + 3))
            guard
                hasLead || isBeforeTime || isWhole || endsInYear(index + 3)
                    || endsClause(index + 3) && !isSign(index + 3, "-")
                        && isNoFraction(first.value, second.value)
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

    /// `10/1-11/2/2017`: the year of both stands at the end. In a text of nothing else it may miss.
    private func endsInYear(_ index: Int) -> Bool {
        guard isSign(index, "-"), isJoined(index), isJoined(index + 1), isSign(index + 2, "/"),
            let last = numericDate(at: index + 1, hasLead: true)
        else { return false }
        if case .date(_?, _, _, _) = last.spec { return true }
        return isWholeText((index - 3)..<last.end)
    }

    /// `4/22` at the end of a clause: only one order makes a date, and nobody counts so.
    private func isNoFraction(_ first: Int, _ second: Int) -> Bool {
        let (small, large) = (min(first, second), max(first, second))
        return (1...12).contains(small) && (13...31).contains(large)
            && (first > second || large % 5 != 0)
    }

    /// The order is the person's, unless only the other one is possible.
    func dayAndMonth(_ first: Int, _ second: Int, year: Int?, end: Int) -> DayFound? {
        let asSaid = dayFirst ? (second, first) : (first, second)
        return date(year, asSaid.0, asSaid.1, end: end) ?? date(year, asSaid.1, asSaid.0, end: end)
    }

    /// `2019-Sep-1`, `2017-Q1`, and after a word like `before` or `since` the year alone.
    func yearFirst(_ year: Int, at end: Int, from index: Int) -> DayFound? {
        let hasSign = isSign(end, "-") || isSign(end, "/")
        let at = hasSign ? end + 1 : end
        if hasSign, case .month(let month, _) = word(at),
            isSign(at + 1, "-") || isSign(at + 1, "/"),
            let day = ordinalDay(at: at + 2)
        {
            return date(year, month, day.value, end: day.end)
        }
        // `2020/23/Sep`
        if hasSign, let day = ordinalDay(at: at), isSign(day.end, "-") || isSign(day.end, "/"),
            case .month(let month, _) = word(day.end + 1)
        {
            return date(year, month, day.value, end: day.end + 2)
        }
        // `2016 June`, `2016, Nov`
        let comma = isSign(end, ",") ? end + 1 : end
        if !hasSign, case .month(let month, _) = word(comma),
            token(comma)?.isCapitalised == true
                || !words.habits.otherWords.contains(token(comma)?.text ?? "")
        {
            return (.month(month, year: year), comma + 1, false)
        }
        if let half = marked(at: at, year: year) { return half }
        if let range = years(from: year, at: end) { return range }
        if hasSign, case .month(let month, _) = word(at), endsClause(at + 1) {
            return (.month(month, year: year), at + 1, false)
        }
        switch word(index - 1) {
        case .before, .after, .since, .until, .from, .between, .by: break
        case .and, .to:
            guard token(index - 2)?.digitCount == 4 else { return nil }
        default: return nil
        }
        return (.year(year), end, false)
    }

    /// `2014-2018`, `1990 to 1995`: years of people alive, since page numbers look the same.
    private func years(from year: Int, at end: Int) -> DayFound? {
        guard isSign(end, "-") || word(end) == .to || word(end) == .until,
            let last = self.year(at: end + 1), token(end + 1)?.kind == .number,
            last.value > year, (1900...2100).contains(year), last.value <= 2100
        else { return nil }
        return (.range(.year(year), .year(last.value)), last.end, false)
    }

    /// `2016-11`, `11/2016`, `2016 / 11`.
    func yearMonth(at index: Int) -> DayFound? {
        guard let first = token(index), first.kind == .number, isStart(index),
            !(isJoined(index) && isSign(index - 1, "-")),
            isSign(index + 1, "-") || isSign(index + 1, "/"), let second = token(index + 2),
            second.kind == .number,
            !(isJoined(index + 3)
                && (isSign(index + 3, "-") || isSign(index + 3, "/")
                    || isSign(index + 3, ".")
                        && token(index + 4)?.kind == .number && isJoined(index + 4)))
        else { return nil }
        let (year, month) =
            first.digitCount == 4 && second.digitCount <= 2
            ? (first.value, second.value) : (second.value, first.value)
        guard first.digitCount + second.digitCount >= 5,
            first.digitCount == 4 || second.digitCount == 4, (1900...2100).contains(year),
            (1...12).contains(month),
            endsClause(index + 3) || word(index + 3) != .none
                || token(index + 3)?.kind == .word
        else { return nil }
        return (.month(month, year: year), index + 3, false)
    }

    /// `10 31 1974`, `2016 10 16`: three numbers that can only be a date, where a date may stand.
    private func spacedDate(at index: Int, hasLead: Bool) -> DayFound? {
        guard hasLead || isWholeText(index..<(index + 3)),
            let first = token(index), let second = token(index + 1), let third = token(index + 2),
            first.kind == .number, second.kind == .number, third.kind == .number, first.isFree,
            second.isFree, third.isFree, second.digitCount <= 2, endsClause(index + 3)
        else { return nil }
        if first.digitCount == 4, third.digitCount <= 2, (1900...2100).contains(first.value) {
            return date(first.value, second.value, third.value, end: index + 3)
        }
        guard third.digitCount == 4, first.digitCount <= 2, (1900...2100).contains(third.value)
        else { return nil }
        return dayAndMonth(first.value, second.value, year: third.value, end: index + 3)
    }
}
