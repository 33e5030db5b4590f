/// Amounts of time, and days that are so far away: `three days ago`, `two weeks after Monday`.
extension DateGrammar {
    /// `three days ago`, `two weeks from now`, `a week on Monday`, and after `in` the amount alone.
    func amountPhrase(at index: Int, isAfterIn: Bool) -> DayFound? {
        if let counted = countedWeekdays(at: index, isAfterIn: isAfterIn) { return counted }
        guard let found = amounts(at: index),
            !found.amounts.contains(where: { $0.unit.isOfClock })
        else { return nil }
        let end = found.end
        func moved(_ from: DaySpec?, isBack: Bool, end: Int, isPast: Bool) -> DayFound {
            (.moved(found.amounts, from: from, isBack: isBack), end, isPast)
        }
        switch word(end) {
        case .ago: return moved(nil, isBack: true, end: end + 1, isPast: true)
        case .hence, .later: return moved(nil, isBack: false, end: end + 1, isPast: false)
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
        case .starting, .edge(.start):
            let at = word(end + 1) == .on || word(end + 1) == .from ? end + 2 : end + 1
            if let day = nested?.day(at: at, hasLead: true) {
                return (.length(found.amounts, from: day.spec), day.end, day.isPast)
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

    /// `after five days`, and nothing else: what comes after may be what the days are counted from.
    func afterAmount(at index: Int) -> Found? {
        guard let amounts = amounts(at: index + 1), endsClause(amounts.end),
            !amounts.amounts.contains(where: { $0.unit.isOfClock })
        else { return nil }
        var spec = PhraseSpec(day: .moved(amounts.amounts, from: nil, isBack: false))
        spec.openSide = .after
        spec.isInclusive = true
        return Found(spec: spec, range: index..<amounts.end)
    }

    /// `for ten days from 18 December`
    func lengthFirst(at index: Int) -> Found? {
        guard let amounts = amounts(at: index + 1), word(amounts.end) == .from,
            !amounts.amounts.contains(where: { $0.unit.isOfClock }),
            let day = day(at: amounts.end + 1, hasLead: true)
        else { return nil }
        return Found(
            spec: PhraseSpec(day: .length(amounts.amounts, from: day.spec), isPast: day.isPast),
            range: index..<day.end)
    }

    /// `two Sundays from now`, `three Fridays ago`.
    private func countedWeekdays(at index: Int, isAfterIn: Bool) -> DayFound? {
        guard let count = cardinal(at: index), (1...99).contains(count.value) else { return nil }
        let weekday: Weekday
        switch word(count.end) {
        case .weekday(let day, isShort: false), .weekdays(let day): weekday = day
        default: return nil
        }
        let end = count.end + 1
        switch word(end) {
        case .ago:
            return (
                .nthWeekdayFrom(count.value, weekday, .relative(0), isBack: true), end + 1, true
            )
        case .hence, .later:
            return (
                .nthWeekdayFrom(count.value, weekday, .relative(0), isBack: false), end + 1, false
            )
        case .from where word(end + 1) == .now || word(end + 1) == .day(0):
            return (
                .nthWeekdayFrom(count.value, weekday, .relative(0), isBack: false), end + 2, false
            )
        default: return nil
        }
    }

    /// `5 upcoming years`, `10 previous weeks`: the amount before the direction.
    func runLast(at index: Int) -> DayFound? {
        guard let count = cardinal(at: index), (1...999).contains(count.value) else { return nil }
        let isBack: Bool
        switch word(count.end) {
        case .which(1), .coming, .following: isBack = false
        case .which(-1), .past: isBack = true
        default: return nil
        }
        guard case .unit(let unit) = word(count.end + 1), !unit.isOfClock else { return nil }
        let end = count.end + 2
        // `only three next week`
        let unitText = token(end - 1)?.text ?? ""
        let isOne = words.code == .en && (!unitText.hasSuffix("s") || unitText.contains("'"))
        guard count.value == 1 || !isOne else { return nil }
        return (.run(count.value, unit, isBack: isBack), end, isBack)
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
            let next = word(at + 1) == .a ? at + 2 : at + 1
            guard case .unit(let unit) = word(next), next > at + 1 || unit == .hour else {
                return nil
            }
            return (DaySpec.Amount(count: 0.5, unit: unit), next + 1)
        case .a:
            at += 1
            count = 1
            if case .amount(let few) = word(at) {
                count = Double(few)
                at += 1
                if word(at) == .of { at += 1 }
            } else if word(at) == .half, case .unit(let unit) = word(at + 1) {
                return (DaySpec.Amount(count: 0.5, unit: unit), at + 2)
            } else if word(at) == .unit(.quarter) || word(at) == .quarterHour {
                let next = word(at + 1) == .of ? at + 2 : at + 1
                let hour = word(next) == .a || word(next) == .the ? next + 1 : next
                if word(hour) == .unit(.hour), hour > at + 1 {
                    return (DaySpec.Amount(count: 15, unit: .minute), hour + 1)
                }
                if word(at) == .quarterHour { return nil }
            }
        case .amount(let few):
            count = Double(few)
            at += 1
            if word(at) == .of { at += 1 }
        default:
            if let fraction = fraction(at: at) {
                count = fraction.value
                at = fraction.end
            } else {
                guard let number = cardinal(at: at), number.value <= 10_000 else { return nil }
                count = Double(number.value)
                at = number.end
                // `two and a half hours`
                if word(at) == .and, word(at + 1) == .a, word(at + 2) == .half {
                    count += 0.5
                    at += 3
                }
            }
        }
        if word(at) == .more { at += 1 }
        return unit(at: at).map { (DaySpec.Amount(count: count, unit: $0.unit), $0.end) }
    }

    private func unit(at index: Int) -> (unit: DateUnit, end: Int)? {
        switch word(index) {
        case .unit(let unit): return (unit, index + 1)
        case .second where token(index - 1)?.kind == .number || word(index - 1) == .number(1):
            return (.second, index + 1)
        case .workday: return (.workday, index + 1)
        case .halfMark where token(index - 1)?.kind == .number && !isJoined(index + 1):
            return (.hour, index + 1)
        default: return nil
        }
    }

    /// `1/4 hour`, `2.5 hours`, `three-quarters of an hour`.
    private func fraction(at index: Int) -> (value: Double, end: Int)? {
        if let number = cardinal(at: index), token(index)?.kind == .word,
            isSign(number.end, "-") || !isJoined(number.end),
            word(isSign(number.end, "-") ? number.end + 1 : number.end) == .unit(.quarter)
        {
            let at = isSign(number.end, "-") ? number.end + 2 : number.end + 1
            guard number.value == 3, word(at) == .of, word(at + 1) == .a else { return nil }
            return (0.75, at + 2)
        }
        guard let first = token(index), first.kind == .number, (0...999).contains(first.value),
            isStart(index), isJoined(index + 1), isJoined(index + 2),
            let second = token(index + 2), second.kind == .number, second.digitCount <= 2
        else { return nil }
        if isSign(index + 1, "/"), (2...4).contains(second.value), first.value < second.value {
            return (Double(first.value) / Double(second.value), index + 3)
        }
        guard isSign(index + 1, ".") else { return nil }
        let scale = second.digitCount == 1 ? 10.0 : 100.0
        return (Double(first.value) + Double(second.value) / scale, index + 3)
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
