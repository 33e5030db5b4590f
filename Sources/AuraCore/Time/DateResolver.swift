/// Finds out which days and minutes a `PhraseSpec` means, seen from now.
struct DateResolver {
    let now: LocalTime
    let direction: DatePhrase.Direction
    /// The zone of `now`; without one, wall clocks never change and zones named mean nothing.
    let zone: Zone?

    /// A stretch of time on the wall clock, half open.
    struct Span {
        var start: LocalTime
        var end: LocalTime
        var grain: DatePhrase.Grain
    }

    private struct Days {
        var start: Day
        var end: Day
        var grain: DatePhrase.Grain
    }

    /// Hours at which a person is awake: an hour of an open half of the day falls into them.
    private static let wakingMinutes = 7 * 60..<23 * 60

    /// Of what repeats the first that is not over.
    func firstSpan(of spec: PhraseSpec) -> Span? {
        if spec.looksBack {
            return DateResolver(now: now, direction: .past, zone: zone).span(of: spec)
        }
        let span = span(of: spec)
        guard spec.recurrence != nil, direction == .future, let span, span.end <= now else {
            return span
        }
        let tomorrow = LocalTime(day: now.day.adding(days: 1), time: .midnight)
        return DateResolver(now: tomorrow, direction: .future, zone: zone).span(of: spec)
    }

    private func span(of spec: PhraseSpec) -> Span? {
        guard var span = start(of: spec) else { return nil }
        if let last = spec.until.first {
            guard
                let end = DateResolver(now: span.start, direction: .future, zone: nil)
                    .start(of: last)
            else { return nil }
            span.end = end.start
            guard span.start < span.end else { return nil }
        }
        if spec.time != nil { span = onClock(span, zone: spec.zone, of: spec.time) }
        guard !spec.length.isEmpty else { return span }
        var day = span.start.day
        var seconds = 0
        for amount in spec.length {
            switch amount.unit {
            case .second: seconds += Int(amount.count)
            case .minute: seconds += Int(amount.count * 60)
            case .hour: seconds += Int(amount.count * 3600)
            default: day = move(day, by: [amount], sign: 1) ?? day
            }
        }
        let start = LocalTime(day: day, time: span.start.time, second: span.start.second)
        span.end = LocalTime(secondsSince1970: start.secondsSince1970 + seconds)
        return span
    }

    /// Brings times of another zone into that of now, and times that a clock skips to those it shows.
    private func onClock(_ span: Span, zone name: ZoneName?, of time: TimeSpec?) -> Span {
        guard let zone else { return span }
        switch time {
        case .shifted, .run, .now, nil: return span
        default: break
        }
        func moved(_ time: LocalTime) -> LocalTime {
            let moment: Instant
            switch name {
            case .fixed(let offset):
                moment = Instant(seconds: Int64(time.secondsSince1970 - offset))
            case .named(let name):
                guard let other = Zone.named(name) else { return time }
                moment = other.instant(time.day, time.time, second: time.second)
            case nil: moment = zone.instant(time.day, time.time, second: time.second)
            }
            return zone.local(moment)
        }
        return Span(start: moved(span.start), end: moved(span.end), grain: span.grain)
    }

    private func start(of spec: PhraseSpec) -> Span? {
        guard let day = spec.day else {
            guard let time = spec.time else {
                return spec.part.map { span(of: $0, edge: spec.partEdge, on: now.day) }
            }
            return span(of: time, part: spec.part)
        }
        guard let days = days(of: day) else { return nil }
        if let time = spec.time {
            switch time {
            case .shifted, .run: return span(of: time, part: nil)
            default: break
            }
            return span(of: time, part: spec.part, on: days.start)
        }
        if let part = spec.part { return span(of: part, edge: spec.partEdge, on: days.start) }
        return Span(
            start: LocalTime(day: days.start, time: .midnight),
            end: LocalTime(day: days.end, time: .midnight), grain: days.grain)
    }

    // MARK: Times

    /// Early means the first two hours, late those after them.
    private func span(of part: DayPart, edge: DateEdge? = nil, on day: Day) -> Span {
        let (first, last) = (part.minutes.lowerBound, part.minutes.upperBound)
        return Span(
            start: at(edge == .end ? first + 120 : first, on: day),
            end: at(edge == .start ? first + 120 : last, on: day), grain: .partOfDay)
    }

    private func at(_ minutes: Int, second: Int = 0, on day: Day) -> LocalTime {
        LocalTime(secondsSince1970: day.daysSince1970 * 86_400 + minutes * 60 + second)
    }

    private func span(of time: TimeSpec, part: DayPart?, on day: Day) -> Span {
        switch time {
        case .clock(let clock):
            return moment(
                at(minutes(of: clock, part: part), second: clock.second ?? 0, on: day), clock)
        case .part(let part): return span(of: part, on: day)
        case .now, .shifted, .run: return span(of: time, part: nil)
        case .range(let first, let second):
            let start = span(of: first, part: part, on: day)
            var end = span(of: second, part: part, on: day)
            if end.start <= start.start {
                // `11:30 to 1:30`, `from 10 pm to 2`
                let halfDay = end.start.adding(minutes: 720)
                end.start = halfDay > start.start ? halfDay : end.start.adding(minutes: 1440)
            }
            return Span(start: start.start, end: end.start, grain: start.grain)
        }
    }

    /// A time without a day: the next one, or looking back the last one.
    private func span(of time: TimeSpec, part: DayPart?) -> Span {
        switch time {
        case .now: return Span(start: now, end: now.adding(minutes: 1), grain: .minute)
        case .shifted(let amounts, let isBack):
            let start = shifted(by: amounts, sign: isBack ? -1 : 1)
            return Span(start: start, end: start.adding(minutes: 1), grain: .minute)
        case .run(let amounts, let isBack):
            let other = shifted(by: amounts, sign: isBack ? -1 : 1)
            return Span(
                start: isBack ? other : now, end: isBack ? now : other, grain: .partOfDay)
        case .part(let part): return span(of: part, on: now.day)
        case .clock(let clock): return moment(nearest(clock, part: part), clock)
        case .range(.clock(let first), _):
            var start = nearest(first, part: part)
            var span = span(of: time, part: part, on: start.day)
            if span.start < now, direction == .future {
                start.day = start.day.adding(days: 1)
                span = self.span(of: time, part: part, on: start.day)
            }
            return span
        case .range: return span(of: time, part: part, on: now.day)
        }
    }

    /// So long from now. Days and longer move the date, hours and shorter pass on the clock: over a
    /// change of the clock, two hours are two hours.
    private func shifted(by amounts: [DaySpec.Amount], sign: Int) -> LocalTime {
        var seconds = 0.0
        var day = now.day
        for amount in amounts {
            switch amount.unit {
            case .second: seconds += amount.count
            case .minute: seconds += amount.count * 60
            case .hour: seconds += amount.count * 3600
            default: day = move(day, by: [amount], sign: sign) ?? day
            }
        }
        let moved = Int(seconds) * sign
        guard let zone else {
            let start = LocalTime(day: day, time: now.time, second: now.second)
            return LocalTime(secondsSince1970: start.secondsSince1970 + moved)
        }
        return zone.local(
            zone.instant(day, now.time, second: now.second).adding(seconds: Int64(moved)))
    }

    private func moment(_ start: LocalTime, _ clock: ClockSpec) -> Span {
        Span(
            start: start, end: start.adding(minutes: clock.hasMinutes ? 1 : 60),
            grain: clock.hasMinutes ? .minute : .hour)
    }

    /// Minutes after midnight on a day that is known.
    private func minutes(of clock: ClockSpec, part: DayPart?) -> Int {
        guard clock.half == .open else { return clock.minutes }
        let morning = clock.hour % 12 * 60 + clock.minute
        if let part {
            switch part {
            case .morning: return morning
            case .night where clock.hour == 12 || clock.hour < 5:
                // `12 at night` ends the day, `2 at night` begins it.
                return clock.hour == 12 ? 1440 + clock.minute : morning
            default: return morning + 720
            }
        }
        return DateResolver.wakingMinutes.contains(morning) ? morning : morning + 720
    }

    /// The next such time after now, or the last one before it; of an open half the first that falls
    /// into waking hours.
    private func nearest(_ clock: ClockSpec, part: DayPart?) -> LocalTime {
        var minutes = [self.minutes(of: clock, part: part)]
        if clock.half == .open, part == nil {
            let morning = clock.hour % 12 * 60 + clock.minute
            minutes = [morning, morning + 720].filter(DateResolver.wakingMinutes.contains)
        }
        let today = minutes.map { at($0, second: clock.second ?? 0, on: now.day) }
        switch direction {
        case .future:
            return today.first { $0 >= now }
                ?? at(minutes[0], second: clock.second ?? 0, on: now.day.adding(days: 1))
        case .past:
            return today.last { $0 <= now }
                ?? at(
                    minutes[minutes.count - 1], second: clock.second ?? 0,
                    on: now.day.adding(days: -1))
        }
    }

    // MARK: Days

    private func days(of spec: DaySpec) -> Days? {
        switch spec {
        case .relative(let count): return single(now.day.adding(days: count))
        case .date(let year, let month, let day, let weekday):
            return date(year: year, month: month, day: day, weekday: weekday)
        case .dayOfMonth(let day, let weekday): return dayOfMonth(day, weekday: weekday)
        case .month(let month, let year?):
            return Month(year: year, month: month).map { days(in: $0, .month) }
        case .month(let month, nil):
            guard let this = Month(year: now.day.year, month: month) else { return nil }
            let current = Month(containing: now.day)
            switch direction {
            case .future where this < current: return days(in: year(of: this, moved: 1), .month)
            case .past where this > current: return days(in: year(of: this, moved: -1), .month)
            default: return days(in: this, .month)
            }
        case .monthShifted(let month, let shift): return shifted(month: month, by: shift)
        case .monthOfYear(let month, let shift):
            return Month(year: now.day.year + shift, month: month).map { days(in: $0, .month) }
        case .year(let year): return wholeYear(year)
        case .quarter(let number, let year):
            return Quarter(year: year ?? now.day.year, number: number).map {
                days(in: $0, .quarter)
            }
        case .halfYear(let number, let year):
            guard let first = Day(year: year ?? now.day.year, month: number * 6 - 5, day: 1) else {
                return nil
            }
            return Days(start: first, end: first.adding(months: 6), grain: .quarter)
        case .decade(let year):
            guard let first = Day(year: year, month: 1, day: 1) else { return nil }
            return Days(start: first, end: first.adding(months: 120), grain: .year)
        case .weekNumber(let number, let year):
            let label = "\(padded(year ?? now.day.year, to: 4))-W\(padded(number, to: 2))"
            return Week(label: label).map { days(in: $0, .week) }
        case .holiday(let holiday, let year, let shift):
            return self.holiday(holiday, year: year, shift: shift)
        case .holidayIn(let holiday, let period):
            return days(of: period).flatMap {
                self.holiday(holiday, year: $0.start.year, shift: nil)
            }
        case .closest(let count, let holiday, let day):
            return closest(count, holiday, to: day)
        case .weekendOf(let day): return days(of: day).map(weekend(around:))
        case .season(let number, let year, let shift):
            return season(number, year: year, shift: shift)
        case .seasonShifted(let shift): return season(shift)
        case .weekday(let weekday, let shift): return self.weekday(weekday, shift: shift)
        case .soonest(let weekdays):
            return weekdays.map { now.day.next($0) }.min().map(single)
        case .nextNthWeekday(let count, let weekday):
            return (0...12).lazy.compactMap {
                self.nthWeekday(count, weekday, in: .unit(.month, shift: $0))
            }.first { $0.start >= self.now.day }
        case .weekdayBack(let weekday): return single(now.day.previous(weekday))
        case .weekdayNear(let weekday, let day):
            return days(of: day).map { single($0.start.adding(days: -3).next(weekday)) }
        case .nthWeekdayFrom(let count, let weekday, let day, let isBack):
            return days(of: day).map {
                single(
                    isBack
                        ? $0.start.previous(weekday).adding(days: -(count - 1) * 7)
                        : $0.end.next(weekday).adding(days: (count - 1) * 7))
            }
        case .unit(let unit, let shift): return period(unit, shift: shift, from: now.day)
        case .weekend(let shift): return weekend(shift: shift)
        case .weekdayIn(let weekday, let week):
            guard let week = days(of: week) else { return nil }
            return single(Week(containing: week.start).monday.adding(days: weekday.rawValue - 1))
        case .moved(let amounts, let from, let isBack):
            return moved(amounts, from: from, isBack: isBack)
        case .run(let count, let unit, let isBack): return run(count, unit, isBack: isBack)
        case .within(let amounts):
            guard let end = move(now.day, by: amounts, sign: 1) else { return nil }
            return Days(start: now.day, end: end.adding(days: 1), grain: .day)
        case .nthWeekday(let count, let weekday, let period):
            return nthWeekday(count, weekday, in: period)
        case .nthUnit(let count, let unit, let period): return nthUnit(count, unit, in: period)
        case .nthWeekend(let count, let period): return nthWeekend(count, in: period)
        case .edge(let edge, let period): return self.edge(edge, of: period)
        case .half(let edge, let period):
            guard let days = days(of: period) else { return nil }
            let half = days.start.adding(
                days: (days.end.daysSince1970 - days.start.daysSince1970) / 2)
            return edge == .start
                ? Days(start: days.start, end: half, grain: .day)
                : Days(start: half, end: days.end, grain: .day)
        case .workingWeek(let shift):
            let monday = Week(containing: now.day).monday.adding(days: shift * 7)
            return Days(start: monday, end: monday.adding(days: 5), grain: .week)
        case .length(let amounts, let from):
            guard let start = days(of: from)?.start, let end = move(start, by: amounts, sign: 1)
            else { return nil }
            return Days(start: start, end: end, grain: .day)
        case .soFar(let unit):
            guard let whole = period(unit, shift: 0, from: now.day) else { return nil }
            return Days(start: whole.start, end: now.day.adding(days: 1), grain: .day)
        case .restOf(let unit):
            guard let whole = period(unit, shift: 0, from: now.day) else { return nil }
            return Days(start: now.day, end: whole.end, grain: .day)
        case .range(let first, let second):
            guard let start = days(of: first), var end = days(of: second) else { return nil }
            // `Friday to Monday`: the end follows the start.
            if end.end <= start.start, case .weekday(let weekday, _) = second {
                let gap = (weekday.rawValue - start.start.weekday.rawValue + 7) % 7
                end = single(start.start.adding(days: gap))
            }
            guard start.start < end.end else { return nil }
            return Days(start: start.start, end: end.end, grain: start.grain)
        }
    }

    private func single(_ day: Day) -> Days {
        Days(start: day, end: day.adding(days: 1), grain: .day)
    }

    private func days(in period: some Period, _ grain: DatePhrase.Grain) -> Days {
        Days(start: period.firstDay, end: period.dayAfter, grain: grain)
    }

    private func wholeYear(_ year: Int) -> Days? {
        guard let first = Day(year: year, month: 1, day: 1) else { return nil }
        return Days(start: first, end: first.adding(months: 12), grain: .year)
    }

    private func year(of month: Month, moved: Int) -> Month {
        Month(containing: month.firstDay.adding(months: moved * 12))
    }

    /// A date without a year is the next one from today on, or looking back the last one; with a
    /// weekday it is the nearest on which that weekday falls.
    private func date(year: Int?, month: Int, day: Int, weekday: Weekday?) -> Days? {
        if let year { return Day(year: year, month: month, day: day).map(single) }
        func inYear(_ offset: Int) -> Day? {
            Day(year: now.day.year + offset, month: month, day: day)
        }
        if let weekday {
            let fitting = (-7...7).compactMap(inYear).filter { $0.weekday == weekday }
            let nearest = fitting.min {
                abs($0.daysSince1970 - now.day.daysSince1970)
                    < abs($1.daysSince1970 - now.day.daysSince1970)
            }
            if let nearest { return single(nearest) }
        }
        let offsets = direction == .future ? Array(0...8) : (0...8).map { -$0 }
        let days = offsets.lazy.compactMap(inYear)
        let found =
            direction == .future
            ? days.first { $0 >= self.now.day } : days.first { $0 <= self.now.day }
        return found.map(single)
    }

    private func holiday(_ holiday: Holiday, year: Int?, shift: Int?) -> Days? {
        func days(from start: Day) -> Days {
            Days(start: start, end: holiday.end(from: start), grain: .day)
        }
        if let year { return holiday.start(in: year).map(days) }
        // Days that no rule gives may lie years apart.
        let years = (-9...9).lazy.compactMap { holiday.start(in: now.day.year + $0) }
        let isBack = shift.map { $0 < 0 } ?? (direction == .past)
        if isBack { return years.filter { $0 < now.day }.max().map(days) }
        if shift == 0, let found = holiday.start(in: now.day.year) { return days(from: found) }
        return years.first { holiday.end(from: $0) > now.day }.map(days)
    }

    private func closest(_ count: Int, _ holiday: Holiday, to day: DaySpec) -> Days? {
        guard let day = days(of: day)?.start else { return nil }
        let found = (-9...9).compactMap { holiday.start(in: day.year + $0) }
            .sorted {
                abs($0.daysSince1970 - day.daysSince1970)
                    < abs($1.daysSince1970 - day.daysSince1970)
            }
        return found.dropFirst(count - 1).first.map(single)
    }

    /// Saturday and Sunday, with a Friday or a Monday that makes it longer.
    private func weekend(around days: Days) -> Days {
        let day = days.start
        let saturday = day.adding(days: -3).next(.saturday)
        let first = day.weekday == .friday ? day : saturday
        let last = day.weekday == .monday ? day : saturday.adding(days: 1)
        return Days(start: first, end: last.adding(days: 1), grain: .weekend)
    }

    /// When the seasons of the northern half begin: as month and day, give or take one.
    private static let seasons = [(3, 20), (6, 21), (9, 23), (12, 21)]

    private func season(_ number: Int, startingIn year: Int) -> Days? {
        let (first, next) = (Self.seasons[number], Self.seasons[(number + 1) % 4])
        guard let start = Day(year: year, month: first.0, day: first.1),
            let end = Day(year: number == 3 ? year + 1 : year, month: next.0, day: next.1)
        else { return nil }
        return Days(start: start, end: end, grain: .season)
    }

    private func season(_ number: Int, year: Int?, shift: Int?) -> Days? {
        if let year { return season(number, startingIn: year) }
        let all = (-2...2).compactMap { season(number, startingIn: now.day.year + $0) }
        switch shift ?? (direction == .past ? -1 : 0) {
        case ..<0: return all.last { $0.end <= now.day }
        case 0: return all.first { $0.end > now.day }
        default: return all.first { $0.start > now.day }
        }
    }

    /// Seasons from the one that today is in.
    private func season(_ shift: Int) -> Days? {
        let all = (-2...2).flatMap { year in
            (0..<4).compactMap { season($0, startingIn: now.day.year + year) }
        }
        guard let this = all.firstIndex(where: { $0.end > now.day }) else { return nil }
        let index = this + shift
        return all.indices.contains(index) ? all[index] : nil
    }

    /// The next such day, or looking back the last one. With a weekday that falls on it only months
    /// away, but did within the last one, it is that one.
    private func dayOfMonth(_ day: Int, weekday: Weekday?) -> Days? {
        let found = dayOfMonth(day, weekday: weekday, direction)
        guard weekday != nil, direction == .future, let found,
            found.start > now.day.adding(days: 31),
            let last = dayOfMonth(day, weekday: weekday, .past),
            last.start >= now.day.adding(days: -31)
        else { return found }
        return last
    }

    private func dayOfMonth(
        _ day: Int, weekday: Weekday?, _ direction: DatePhrase.Direction
    ) -> Days? {
        let step = direction == .future ? 1 : -1
        for offset in 0...24 {
            let month = Month(
                containing: Month(containing: now.day).firstDay.adding(months: offset * step))
            guard let found = Day(year: month.year, month: month.month, day: day) else { continue }
            let isAhead = direction == .future ? found >= now.day : found <= now.day
            if isAhead, weekday == nil || found.weekday == weekday { return single(found) }
        }
        return nil
    }

    private func shifted(month: Int, by shift: Int) -> Days? {
        guard let this = Month(year: now.day.year, month: month) else { return nil }
        let current = Month(containing: now.day)
        switch shift {
        case 0: return days(in: this, .month)
        case 1...:
            let next = this > current ? this : year(of: this, moved: 1)
            return days(in: year(of: next, moved: shift - 1), .month)
        default:
            return days(in: this < current ? this : year(of: this, moved: -1), .month)
        }
    }

    private func weekday(_ weekday: Weekday, shift: Int?) -> Days {
        let today = now.day.weekday.rawValue
        if let shift {
            let day = Week(containing: now.day).monday
                .adding(days: shift * 7 + weekday.rawValue - 1)
            if shift != 0 || day >= now.day || direction == .past { return single(day) }
        }
        let ahead = (weekday.rawValue - today + 6) % 7 + 1
        let back = (today - weekday.rawValue + 6) % 7 + 1
        return single(now.day.adding(days: direction == .future ? ahead : -back))
    }

    private func weekend(shift: Int) -> Days {
        let saturday = Week(containing: now.day).monday.adding(days: 5 + shift * 7)
        return Days(start: saturday, end: saturday.adding(days: 2), grain: .weekend)
    }

    private func period(_ unit: DateUnit, shift: Int, from day: Day) -> Days? {
        switch unit {
        case .day: return single(day.adding(days: shift))
        case .week: return days(in: Week(containing: day.adding(days: shift * 7)), .week)
        case .month:
            return days(
                in: Month(containing: Month(containing: day).firstDay.adding(months: shift)), .month
            )
        case .quarter:
            return days(
                in: Quarter(
                    containing: Quarter(containing: day).firstDay.adding(months: shift * 3)),
                .quarter)
        case .year: return wholeYear(day.year + shift)
        case .decade: return days(of: .decade((day.year / 10 + shift) * 10))
        case .fortnight:
            let start = day.adding(days: shift * 14)
            return Days(start: start, end: start.adding(days: 14), grain: .week)
        case .weekend: return weekend(shift: shift)
        case .season: return season(shift)
        default: return nil
        }
    }

    // MARK: Moving and counting

    private func moved(_ amounts: [DaySpec.Amount], from: DaySpec?, isBack: Bool) -> Days? {
        var start = now.day
        if let from {
            guard let base = days(of: from) else { return nil }
            start = base.start
        }
        return move(start, by: amounts, sign: isBack ? -1 : 1).map(single)
    }

    private func move(_ day: Day, by amounts: [DaySpec.Amount], sign: Int) -> Day? {
        var day = day
        for amount in amounts {
            let count = Int((amount.count * Double(sign)).rounded())
            switch amount.unit {
            case .day: day = day.adding(days: count)
            case .week: day = day.adding(days: Int(amount.count * 7) * sign)
            case .fortnight: day = day.adding(days: count * 14)
            case .month: day = day.adding(months: count)
            case .quarter: day = day.adding(months: count * 3)
            case .year: day = day.adding(months: Int(amount.count * 12) * sign)
            case .decade: day = day.adding(months: count * 120)
            case .century: day = day.adding(months: count * 1200)
            case .workday: day = day.adding(workdays: count)
            default: return nil
            }
        }
        return day
    }

    private func nthWeekend(_ count: Int, in period: DaySpec) -> Days? {
        guard let saturday = nthWeekday(count, .saturday, in: period)?.start else { return nil }
        return Days(start: saturday, end: saturday.adding(days: 2), grain: .weekend)
    }

    /// Quarters and decades are those of the calendar; shorter ones are counted from today.
    private func run(_ count: Int, _ unit: DateUnit, isBack: Bool) -> Days? {
        if unit == .quarter || unit == .decade {
            guard let near = period(unit, shift: isBack ? -1 : 1, from: now.day),
                let far = period(unit, shift: isBack ? -count : count, from: now.day)
            else { return nil }
            return Days(start: min(near.start, far.start), end: max(near.end, far.end), grain: .day)
        }
        let amount = [DaySpec.Amount(count: Double(count), unit: unit)]
        if isBack {
            return move(now.day, by: amount, sign: -1).map {
                Days(start: $0, end: now.day, grain: .day)
            }
        }
        let tomorrow = now.day.adding(days: 1)
        return move(tomorrow, by: amount, sign: 1).map {
            Days(start: tomorrow, end: $0, grain: .day)
        }
    }

    private func nthWeekday(_ count: Int, _ weekday: Weekday, in period: DaySpec) -> Days? {
        guard let days = days(of: period), count != 0 else { return nil }
        let day: Day
        if count > 0 {
            let gap = (weekday.rawValue - days.start.weekday.rawValue + 7) % 7
            day = days.start.adding(days: gap + (count - 1) * 7)
        } else {
            let last = days.end.adding(days: -1)
            let gap = (last.weekday.rawValue - weekday.rawValue + 7) % 7
            day = last.adding(days: -gap + (count + 1) * 7)
        }
        return day >= days.start && day < days.end ? single(day) : nil
    }

    /// Zero is the unit that holds the period's first day.
    private func nthUnit(_ count: Int, _ unit: DateUnit, in period: DaySpec) -> Days? {
        guard let days = days(of: period) else { return nil }
        if count == 0 { return self.period(unit, shift: 0, from: days.start) }
        if unit == .week {
            // A week belongs to the month or year that has its Thursday.
            let step = count > 0 ? count - 1 : count + 1
            let edge = count > 0 ? days.start : days.end.adding(days: -1)
            let week = Week(containing: edge)
            let thursday = week.monday.adding(days: 3)
            let isInside = thursday >= days.start && thursday < days.end
            let first = isInside ? week : count > 0 ? week.next : week.previous
            return self.days(in: Week(containing: first.monday.adding(days: step * 7)), .week)
        }
        let found =
            count > 0
            ? self.period(unit, shift: count - 1, from: days.start)
            : self.period(unit, shift: count + 1, from: days.end.adding(days: -1))
        guard let found, found.start >= days.start, found.start < days.end else { return nil }
        return found
    }

    /// The end of a period is its last day, the start its first, the middle of a month its 10th to
    /// 19th and of anything else the middle third.
    private func edge(_ edge: DateEdge, of period: DaySpec) -> Days? {
        guard let days = days(of: period) else { return nil }
        switch edge {
        case .start: return single(days.start)
        case .end: return single(days.end.adding(days: -1))
        case .middle:
            if days.grain == .month {
                return Days(
                    start: days.start.adding(days: 9), end: days.start.adding(days: 19), grain: .day
                )
            }
            let length = days.end.daysSince1970 - days.start.daysSince1970
            return Days(
                start: days.start.adding(days: length / 3),
                end: days.start.adding(days: max(length * 2 / 3, length / 3 + 1)), grain: .day)
        }
    }
}
