/// Days that have a name: `Christmas`, `Easter Monday 2027`, `Labor Day of last year`.
extension DateGrammar {
    func holiday(at index: Int) -> DayFound? {
        guard let name = holidayName(at: index) else { return nil }
        let (holiday, end) = name
        if let year = holidayYear(at: end) {
            if word(year.end) == .weekend {
                return (.weekendOf(year.spec(holiday)), year.end + 1, year.isPast)
            }
            return (year.spec(holiday), year.end, year.isPast)
        }
        guard word(end) == .weekend else {
            return (.holiday(holiday, year: nil, shift: nil), end, false)
        }
        let year = year(at: end + 1) ?? tiedYear(at: end + 1)
        return (
            .weekendOf(.holiday(holiday, year: year?.value, shift: nil)), year?.end ?? end + 1,
            false
        )
    }

    /// The longest name that begins here.
    private func holidayName(at index: Int) -> (Holiday, end: Int)? {
        func plain(_ text: String) -> String { text.filter { $0 != "'" && $0 != "\u{2019}" } }
        guard let first = token(index), first.kind == .word, first.word != .none else { return nil }
        var name = plain(first.text)
        let longest = words.longestHoliday(from: name)
        guard longest > 0 else { return nil }
        var found = words.holiday(named: name).map { ($0, index + 1) }
        var at = index + 1
        for _ in 1..<max(longest, 1) {
            if isSign(at, ".") || isSign(at, "-") || isSign(at, "'") { at += 1 }
            guard let next = token(at), next.kind == .word else { break }
            name += " " + plain(next.text)
            at += 1
            if let holiday = words.holiday(named: name) { found = (holiday, at) }
        }
        guard let found else { return nil }
        if words.habits.plainHolidays.contains(first.text), found.1 == index + 1,
            year(at: found.1) == nil, !isWholeText(index..<found.1),
            !first.isCapitalised || index == 0 || endsClause(index - 1)
        {
            return nil
        }
        return found
    }

    private typealias HolidayYear = (spec: (Holiday) -> DaySpec, end: Int, isPast: Bool)

    /// `2027`, `of 2027`, `last year`, `of next year`, `two years ago`, `in seven years`.
    private func holidayYear(at index: Int) -> HolidayYear? {
        let comma = isSign(index, ",") ? index + 1 : index
        if let year = year(at: comma) ?? tiedYear(at: index) {
            return ({ .holiday($0, year: year.value, shift: nil) }, year.end, false)
        }
        let at = word(index) == .of ? index + 1 : index
        if case .which(let shift) = word(at), word(at + 1) == .unit(.year) {
            return ({ .holidayIn($0, .unit(.year, shift: shift)) }, at + 2, shift < 0)
        }
        let isAfterIn = word(index) == .in
        guard let amounts = amounts(at: isAfterIn ? index + 1 : index),
            amounts.amounts.count == 1, amounts.amounts[0].unit == .year
        else { return nil }
        let isBack: Bool
        switch word(amounts.end) {
        case .ago: isBack = true
        case .hence, .later: isBack = false
        default:
            guard isAfterIn else { return nil }
            return (
                { .holidayIn($0, .moved(amounts.amounts, from: nil, isBack: false)) }, amounts.end,
                false
            )
        }
        return (
            { .holidayIn($0, .moved(amounts.amounts, from: nil, isBack: isBack)) }, amounts.end + 1,
            isBack
        )
    }

    /// `the closest Christmas to today`, after `closest`.
    func closest(_ count: Int, at index: Int) -> DayFound? {
        guard let name = holidayName(at: index), word(name.end) == .to else { return nil }
        if let year = year(at: name.end + 1) {
            return (.closest(count, name.0, to: .year(year.value)), year.end, false)
        }
        guard let day = nested?.day(at: name.end + 1, hasLead: true) else { return nil }
        return (.closest(count, name.0, to: day.spec), day.end, false)
    }
}
