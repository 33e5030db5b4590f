/// What repeats: `every Monday at nine`, `every other Tuesday`, `weekly`.
extension DateGrammar {
    private typealias Rhythm = (rule: String, day: DaySpec, part: DayPart?, end: Int)

    func recurring(at index: Int) -> Found? {
        guard let rhythm = rhythm(at: index) else { return nil }
        var spec = PhraseSpec(day: rhythm.day, part: rhythm.part)
        spec.recurrence = rhythm.rule
        var at = rhythm.end
        let (next, isAt) = afterGlue(at, spec: spec)
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

    private func rhythm(at index: Int) -> Rhythm? {
        switch word(index) {
        case .repeats(let unit):
            return rule(unit, interval: 1).map {
                ($0, .relative(unit == .day ? 0 : 1), nil, index + 1)
            }
        case .weekdays(let weekday):
            return (rule([weekday], interval: 1), .weekday(weekday, shift: nil), nil, index + 1)
        default: return every(at: index + 1)
        }
    }

    /// What follows `every`.
    private func every(at index: Int) -> Rhythm? {
        if let date = everyDate(at: index) { return date }
        var at = index
        var interval = 1
        if word(at) == .other || word(at) == .second {
            interval = 2
            at += 1
        } else if case .ordinal(let count) = word(at) {
            interval = count
            at += 1
        } else if let count = cardinal(at: at), count.value >= 1, count.value <= 99 {
            interval = count.value
            at = count.end
        }
        switch word(at) {
        case .weekday(let weekday, _):
            var weekdays = [weekday]
            at += 1
            // `every Monday and Thursday`
            while word(at) == .and || isSign(at, ","), case .weekday(let next, _) = word(at + 1) {
                weekdays.append(next)
                at += 2
            }
            let first =
                weekdays.count == 1 ? DaySpec.weekday(weekday, shift: nil) : .soonest(weekdays)
            return (rule(weekdays, interval: interval), first, nil, at)
        case .weekdays(let weekday):
            return (
                rule([weekday], interval: interval), .weekday(weekday, shift: nil), nil, at + 1
            )
        case .unit(let unit):
            return rule(unit, interval: interval).map { ($0, .relative(0), nil, at + 1) }
        case .part(let part):
            return rule(.day, interval: interval).map { ($0, .relative(0), part, at + 1) }
        case .workday:
            let days = Array(Weekday.allCases.prefix(5))
            return (rule(days, interval: interval), .soonest(days), nil, at + 1)
        case .weekend:
            return (
                rule([.saturday, .sunday], interval: interval), .weekend(shift: 0), nil, at + 1
            )
        default: return nil
        }
    }

    /// `every first Monday of the month`, `every 15th`, `every 4 July`.
    private func everyDate(at index: Int) -> Rhythm? {
        let lead = word(index) == .the ? index + 1 : index
        if let date = dayMonth(at: lead, hasLead: true) ?? named(at: lead, hasLead: true)
            ?? numericDate(at: lead, hasLead: true),
            case .date(nil, let month, let day, _) = date.spec
        {
            return (
                "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(day)", date.spec, nil, date.end
            )
        }
        let isLast = word(lead) == .which(-1)
        guard let ordinal = isLast ? (-1, lead + 1, true) : ordinalDay(at: lead), ordinal.isMarked
        else { return nil }
        let end = monthEnd(at: ordinal.end)
        switch word(ordinal.end) {
        case .weekday(let weekday, _):
            // Without the month, every second Tuesday is every other Tuesday.
            guard let end = monthEnd(at: ordinal.end + 1), (-1...5).contains(ordinal.value) else {
                return nil
            }
            let rule = "FREQ=MONTHLY;BYDAY=\(ordinal.value)\(Self.code(weekday))"
            return (
                rule, .nextNthWeekday(ordinal.value, weekday), nil, end
            )
        case .unit(.day):
            guard let end = monthEnd(at: ordinal.end + 1) else { return nil }
            return (
                "FREQ=MONTHLY;BYMONTHDAY=\(ordinal.value)",
                isLast
                    ? .edge(.end, of: .unit(.month, shift: 0))
                    : .dayOfMonth(ordinal.value, weekday: nil), nil, end
            )
        default:
            guard !isLast, (1...31).contains(ordinal.value),
                end != nil || token(lead)?.kind == .number && endsClause(ordinal.end)
            else { return nil }
            return (
                "FREQ=MONTHLY;BYMONTHDAY=\(ordinal.value)",
                .dayOfMonth(ordinal.value, weekday: nil), nil, end ?? ordinal.end
            )
        }
    }

    /// `of the month`, `of every month`.
    private func monthEnd(at index: Int) -> Int? {
        guard word(index) == .of || word(index) == .in else { return nil }
        var at = index + 1
        if word(at) == .the || word(at) == .every || word(at) == .a { at += 1 }
        return word(at) == .unit(.month) ? at + 1 : nil
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

    private func rule(_ weekdays: [Weekday], interval: Int) -> String {
        "FREQ=WEEKLY" + (interval > 1 ? ";INTERVAL=\(interval)" : "")
            + ";BYDAY=\(weekdays.map(Self.code).joined(separator: ","))"
    }

    private static func code(_ weekday: Weekday) -> String {
        String(weekday.name.uppercased().prefix(2))
    }
}
