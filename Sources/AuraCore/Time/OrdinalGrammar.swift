/// Days that are counted: `the 20th`, `first Monday of March`.
extension DateGrammar {
    /// `the 20th`, `first Monday of March`, `last day of the month`, `the 15th of March`.
    func ordinalPhrase(at index: Int, hasLead: Bool, hasArticle: Bool) -> DayFound? {
        guard let ordinal = ordinalDay(at: index) else { return nil }
        if ordinal.isMarked, word(ordinal.end) == .closest {
            return closest(ordinal.value, at: ordinal.end + 1)
        }
        if ordinal.isMarked, let nth = nthAfter(ordinal.value, at: ordinal.end) { return nth }
        if ordinal.isMarked, let nth = nthPhrase(ordinal.value, at: ordinal.end) { return nth }
        if let date = dayMonth(at: index, hasLead: hasLead || hasArticle) { return date }
        if ordinal.isMarked, (1...5).contains(ordinal.value),
            case .weekday(let weekday, isShort: false) = word(ordinal.end)
        {
            return (.nextNthWeekday(ordinal.value, weekday), ordinal.end + 1, false)
        }
        guard ordinal.isMarked, (1...31).contains(ordinal.value), hasLead || hasArticle else {
            return nil
        }
        let isDigits = token(index)?.kind == .number
        let next = ordinal.end
        let isFollowed: Bool
        switch word(next) {
        case .none:
            isFollowed =
                endsClause(next) || words.habits.clauseWords.contains(token(next)?.text ?? "")
                || clock(at: next, isAfterAt: false, hasDay: true) != nil
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

    /// `Tuesday after Christmas` after an ordinal.
    private func nthAfter(_ count: Int, at index: Int) -> DayFound? {
        guard count > 0, word(index + 1) == .after || word(index + 1) == .before else { return nil }
        let isBack = word(index + 1) == .before
        if case .weekday(let weekday, _) = word(index) {
            guard let day = nested?.day(at: index + 2, hasLead: true) else { return nil }
            return (
                .nthWeekdayFrom(count, weekday, day.spec, isBack: isBack), day.end, day.isPast
            )
        }
        return nil
    }

    /// A day of the month without any mark: `on 15`, `Monday 21`, `for the 27`.
    ///
    /// - Parameter isAfterDay: whether a word like `on` or a weekday came before.
    func bareDay(at index: Int, isAfterDay: Bool) -> DayFound? {
        guard isAfterDay, let number = token(index), number.kind == .number, number.isFree,
            (1...31).contains(number.value), number.digitCount <= 2
        else { return nil }
        let next = index + 1
        let isFollowed: Bool
        switch word(next) {
        case .at: isFollowed = clock(at: next + 1, isAfterAt: true, hasDay: true) != nil
        case .from, .between: isFollowed = true
        default:
            isFollowed =
                endsClause(next) && !isSign(next, "-") && !isSign(next, ":")
                && !(isSign(next, ",") && token(next + 1)?.kind == .number
                    && clock(at: next + 1, isAfterAt: false, hasDay: true) == nil)
        }
        guard isFollowed else { return nil }
        return (.dayOfMonth(number.value, weekday: nil), next, false)
    }

    /// After an ordinal: `Monday of March`, `day of the month`, `week in October`.
    func nthPhrase(_ ordinal: Int, at index: Int) -> DayFound? {
        var count = ordinal
        var at = index
        if word(at) == .which(-1) {
            count = -ordinal
            at += 1
        }
        let joint = at + 1
        let isDirect = word(joint) == .which(0) || word(joint) == .which(1)
        guard word(joint) == .of || word(joint) == .in || isDirect else { return nil }
        var inner = isDirect ? joint : joint + 1
        if word(inner) == .the { inner += 1 }
        let period: (spec: DaySpec, end: Int)
        switch word(inner) {
        case .month(let month, _):
            let year = year(at: inner + 1)
            period = (.month(month, year: year?.value), year?.end ?? inner + 1)
        case .unit(let unit) where unit.isOfCalendar:
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
        case .weekend: return (.nthWeekend(count, in: period.spec), period.end, false)
        case .unit(let unit) where unit.isOfCalendar:
            return (.nthUnit(count, unit, in: period.spec), period.end, false)
        default: return nil
        }
    }
}
