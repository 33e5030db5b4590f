/// Times of the day: `5:20`, `ten`, `half past nine`, `in the evening`, `in two hours`.
extension DateGrammar {
    typealias TimeFound = (spec: TimeSpec, end: Int)

    /// - Parameter isAfterAt: whether `at` or the like came before, so that a bare number is an hour.
    /// - Parameter spec: what the phrase has said so far.
    func time(at index: Int, isAfterAt: Bool, spec: PhraseSpec) -> TimeFound? {
        switch word(index) {
        case .now:
            guard spec.day == nil, isWholeText(index..<(index + 1)) || word(index - 1) == .between
            else { return nil }
            return (.now, index + 1)
        case .in, .within:
            let at = word(index + 1) == .about ? index + 2 : index + 1
            if let run = run(at: at) { return run }
            guard let shift = shift(at: at) else { return nil }
            return (.shifted(shift.amounts, isBack: false), shift.end)
        case .the, .which, .past, .coming, .following:
            if let run = run(at: index) { return run }
        default: break
        }
        if let shift = shift(at: index) {
            switch word(shift.end) {
            case .ago: return (.shifted(shift.amounts, isBack: true), shift.end + 1)
            case .hence, .later: return (.shifted(shift.amounts, isBack: false), shift.end + 1)
            case .from where word(shift.end + 1) == .now:
                return (.shifted(shift.amounts, isBack: false), shift.end + 2)
            default: break
            }
        }
        if let pair = hourRange(at: index) { return pair }
        guard let clock = clock(at: index, isAfterAt: isAfterAt, hasDay: spec.day != nil) else {
            return nil
        }
        return (.clock(clock.spec), clock.end)
    }

    /// An amount that is not of whole days: `two hours`, `half an hour`, `1 day and 20 minutes`.
    ///
    /// After `in`, `15'` is minutes and `30"` seconds.
    private func shift(at index: Int) -> (amounts: [DaySpec.Amount], end: Int)? {
        if let number = token(index), number.kind == .number, (1...999).contains(number.value),
            isJoined(index + 1), isSign(index + 1, "'") || isSign(index + 1, "\""),
            word(index - 1) == .in
        {
            let unit: DateUnit = isSign(index + 1, "'") ? .minute : .second
            return ([DaySpec.Amount(count: Double(number.value), unit: unit)], index + 2)
        }
        guard let amounts = amounts(at: index),
            amounts.amounts.contains(where: { $0.unit.isOfClock })
        else { return nil }
        return amounts
    }

    /// `the next five hours`, `the last 30 minutes`, `the past hour`.
    private func run(at index: Int) -> TimeFound? {
        var at = word(index) == .the ? index + 1 : index
        let isBack: Bool
        switch word(at) {
        case .which(1), .coming, .following: isBack = false
        case .which(-1), .past: isBack = true
        default: return nil
        }
        at += 1
        if let amounts = amounts(at: at), token(at)?.word != .a {
            guard amounts.amounts.contains(where: { $0.unit.isOfClock }) else { return nil }
            return (.run(amounts.amounts, isBack: isBack), amounts.end)
        }
        guard word(at) == .unit(.hour) else { return nil }
        return (.run([DaySpec.Amount(count: 1, unit: .hour)], isBack: isBack), at + 1)
    }

    /// `3-4pm`, `9 to 11 am`: the half of the day stands at the end only.
    private func hourRange(at index: Int) -> TimeFound? {
        guard let first = hour(at: index), !endsInMark(first.end) else { return nil }
        let joint = first.end
        guard isSign(joint, "-") || word(joint) == .to || word(joint) == .until,
            let second = clock(at: joint + 1, isAfterAt: false, hasDay: false),
            second.spec.half == .morning || second.spec.half == .afternoon
        else { return nil }
        var start = first.spec
        start.half = second.spec.half
        if start.minutes > second.spec.minutes { start.half = .morning }
        return (.range(.clock(start), .clock(second.spec)), second.end)
    }

    private func endsInMark(_ index: Int) -> Bool {
        meridiem(at: index) != nil
    }

    /// A time of one moment.
    func clock(at index: Int, isAfterAt: Bool, hasDay: Bool) -> (spec: ClockSpec, end: Int)? {
        switch word(index) {
        case .noon: return (exact(12), index + 1)
        case .midnight: return (exact(0), index + 1)
        case .edge(.middle):
            let next = isSign(index + 1, "-") ? index + 2 : index + 1
            if case .unit(.day) = word(next), isJoined(next) || word(index - 1) != .the {
                return (exact(12), next + 1)
            }
            switch word(next) {
            case .part(.morning): return (exact(10), next + 1)
            case .part(.afternoon): return (exact(14), next + 1)
            case .part(.evening): return (exact(18), next + 1)
            default: return nil
            }
        case .the where word(index + 1) == .noon: return (exact(12), index + 2)
        default: break
        }
        if let spoken = spokenClock(at: index) ?? addedClock(at: index) { return spoken }
        guard let hour = hour(at: index) else { return nil }
        var spec = hour.spec
        var end = hour.end
        if let mark = meridiem(at: end) {
            guard spec.half != .exact || spec.hour > 0 else { return nil }
            // `15:30 pm` says it twice.
            if spec.hour > 12 { return mark.half == .afternoon ? (spec, mark.end) : nil }
            spec.half = mark.half
            return (spec, mark.end)
        }
        if word(end) == .oClock {
            end += 1
            if words.habits.minutesFollowClock, let minutes = cardinal(at: end),
                (0...59).contains(minutes.value), !spec.hasMinutes,
                !spec.isTied(to: word(minutes.end))
            {
                spec.minute = minutes.value
                spec.hasMinutes = true
                end = minutes.end
            }
            if let mark = meridiem(at: end) {
                spec.half = mark.half
                end = mark.end
            }
            return (spec, end)
        }
        // `11-ish`
        let ish = isSign(end, "-") && isJoined(end) ? end + 1 : end
        if token(ish)?.text == "ish", words.code == .en { return (spec, ish + 1) }
        if spec.hasMinutes, token(index)?.kind == .number {
            return isRatio(around: index, end) ? nil : (spec, end)
        }
        if isAfterAt, !spec.hasMinutes, let minutes = bareMinutes(at: index) {
            spec.minute = minutes.value
            spec.hasMinutes = true
            return (spec, minutes.end)
        }
        guard isAfterAt, !isTiedRange(index),
            isHourAllowed(from: index, before: end, hasDay: hasDay)
        else { return nil }
        return (spec, end)
    }

    /// The minutes of `at 6.45` and of `at 3 15`.
    private func bareMinutes(at index: Int) -> (value: Int, end: Int)? {
        guard token(index)?.kind == .number else { return nil }
        let at = isSign(index + 1, ".") && isJoined(index + 1) ? index + 2 : index + 1
        guard let minutes = token(at), minutes.kind == .number, minutes.digitCount == 2,
            (0...59).contains(minutes.value), endsClause(at + 1) || word(at + 1) != .none,
            at == index + 1 || isJoined(at)
        else { return nil }
        // `at 3.45.1`, `at 3.45%`, `at 10 30 minutes …`
        if !endsClause(at + 1) || isJoined(at + 2) && token(at + 2)?.kind == .number {
            if case .unit = word(at + 1) { return nil }
            guard token(at + 1)?.kind == .word else { return nil }
        }
        return (minutes.value, at + 1)
    }

    /// `las tres y media`, `las cinco menos cuarto`.
    private func addedClock(at index: Int) -> (spec: ClockSpec, end: Int)? {
        guard words.habits.minutesFollowHour, let hour = hour(at: index), !hour.spec.hasMinutes,
            word(hour.end) == .and || word(hour.end) == .minus
        else { return nil }
        let minutes: (value: Int, end: Int)
        switch word(hour.end + 1) {
        case .half: minutes = (30, hour.end + 2)
        case .quarterHour, .unit(.quarter): minutes = (15, hour.end + 2)
        default:
            guard let count = cardinal(at: hour.end + 1), (1...59).contains(count.value) else {
                return nil
            }
            minutes = count
        }
        if case .unit(let unit) = word(minutes.end), unit != .minute { return nil }
        var spec = hour.spec
        let sum = spec.hour * 60 + (word(hour.end) == .and ? minutes.value : -minutes.value)
        spec.hour = sum / 60
        if spec.hour == 0 { spec.hour = 12 }
        spec.minute = sum % 60
        spec.hasMinutes = true
        var end = word(minutes.end) == .unit(.minute) ? minutes.end + 1 : minutes.end
        if let mark = meridiem(at: end) {
            spec.half = mark.half
            end = mark.end
        }
        return (spec, end)
    }

    /// `02-02-2020`: the number begins something longer than a range of hours.
    private func isTiedRange(_ index: Int) -> Bool {
        guard token(index)?.isFree == false, isSign(index + 1, "-") else { return false }
        return isJoined(index + 3) && (isSign(index + 3, "-") || isSign(index + 3, "/"))
            || (token(index + 2)?.digitCount ?? 0) > 2
    }

    private func exact(_ hour: Int) -> ClockSpec {
        ClockSpec(hour: hour, minute: 0, half: .exact, hasMinutes: true)
    }

    /// `half past nine`, `a quarter to six`, `ten past nine`, `20 minutes to eight`.
    private func spokenClock(at index: Int) -> (spec: ClockSpec, end: Int)? {
        var at = word(index) == .a ? index + 1 : index
        let minutes: Int
        switch word(at) {
        case .half:
            minutes = 30
            at += 1
            if words.habits.halfIsBefore {
                return before(minutes, hourAt: at)
            }
        case .unit(.quarter), .quarterHour:
            minutes = 15
            at += 1
        default:
            guard at == index, let count = cardinal(at: at), (1...59).contains(count.value),
                token(at)?.kind == .word || token(at)?.isFree == true
            else { return nil }
            minutes = count.value
            at = count.end
            if case .unit(.minute) = word(at) { at += 1 } else if minutes % 5 != 0 { return nil }
        }
        let isPast: Bool
        switch word(at) {
        case .past: isPast = true
        case .after where minutes == 15 || words.habits.halfIsBefore: isPast = true
        case .before where words.habits.halfIsBefore && minutes < 30: isPast = false
        case .to where minutes < 30: isPast = false
        default: return nil
        }
        guard let hour = hour(at: at + 1), !hour.spec.hasMinutes || hour.spec.minute == 0 else {
            return nil
        }
        // `10 to 12` is a range or a guess; minutes and hours in digits need a mark.
        let isDigits = token(index)?.kind == .number && token(at + 1)?.kind == .number
        var end = hour.end
        var spec = hour.spec
        if word(end) == .oClock { end += 1 }
        if let mark = meridiem(at: end) {
            spec.half = mark.half
            end = mark.end
        } else if !isPast, isDigits {
            return nil
        }
        guard spec.hour >= 1 || spec.half == .exact else { return nil }
        let total = (spec.hour * 60 + (isPast ? minutes : -minutes) + 1440) % 1440
        spec.hour = total / 60
        if spec.hour == 0, spec.half != .exact { spec.hour = 12 }
        spec.minute = total % 60
        spec.hasMinutes = true
        return (spec, end)
    }

    /// `halb drei`: so long before the hour.
    private func before(_ minutes: Int, hourAt index: Int) -> (spec: ClockSpec, end: Int)? {
        guard let hour = hour(at: index), !hour.spec.hasMinutes, hour.spec.hour <= 12 else {
            return nil
        }
        var spec = hour.spec
        spec.hour = (spec.hour + 11) % 12
        if spec.hour == 0 { spec.hour = 12 }
        spec.minute = 60 - minutes
        spec.hasMinutes = true
        guard let mark = meridiem(at: hour.end) else { return (spec, hour.end) }
        spec.half = mark.half
        return (spec, mark.end)
    }

    /// `5`, `5:20`, `05:20:10`, `5.20` before am or pm, `15h30`, `five`, `nine thirty`, `1140` before
    /// am or pm.
    func hour(at index: Int) -> (spec: ClockSpec, end: Int)? {
        guard let token = token(index) else { return nil }
        if token.kind == .word {
            guard case .number(let hour) = token.word, (1...23).contains(hour) else { return nil }
            var spec = ClockSpec(
                hour: hour, minute: 0, half: hour > 12 ? .exact : .open, hasMinutes: false)
            // `five thirty`, `five-thirty`
            let at = isSign(index + 1, "-") && isJoined(index + 1) ? index + 2 : index + 1
            if let minutes = cardinal(at: at), self.token(at)?.kind == .word,
                (10...59).contains(minutes.value), !words.habits.minutesFollowHour
            {
                spec.minute = minutes.value
                spec.hasMinutes = true
                return (spec, minutes.end)
            }
            guard hour <= 12 || word(index + 1) == .oClock || words.habits.halfIsBefore else {
                return nil
            }
            return (spec, index + 1)
        }
        guard token.kind == .number, token.value >= 0, isFreeOnLeft(index) else { return nil }
        if token.digitCount <= 2, isSign(index + 1, ":"), isJoined(index + 1), isJoined(index + 2),
            let minutes = self.token(index + 2), minutes.kind == .number, minutes.digitCount == 2
        {
            guard token.value <= 24, minutes.value < 60, token.value < 24 || minutes.value == 0
            else { return nil }
            var spec = ClockSpec(
                hour: token.value % 24, minute: minutes.value, half: .open, hasMinutes: true)
            if token.value > 12 || token.value == 0 || token.digitCount == 2 && token.value < 10 {
                spec.half = .exact
            }
            var end = index + 3
            if isSign(end, ":"), isJoined(end), isJoined(end + 1),
                let seconds = self.token(end + 1), seconds.kind == .number
            {
                guard seconds.digitCount == 2, seconds.value < 60 else { return nil }
                spec.second = seconds.value
                end += 2
            }
            // `1:20:30:40` is no time, `10:30.5` is.
            guard !(isSign(end, ":") && isJoined(end) && self.token(end + 1)?.kind == .number)
            else {
                return nil
            }
            return (spec, end)
        }
        if token.digitCount <= 2, token.value <= 23, isJoined(index + 1),
            self.token(index + 1)?.text == "h", word(index - 1) != .in, word(index - 1) != .within,
            word(index - 1) != .for
        {
            var spec = ClockSpec(hour: token.value, minute: 0, half: .exact, hasMinutes: true)
            if isJoined(index + 2), let minutes = self.token(index + 2), minutes.kind == .number {
                guard minutes.digitCount == 2, minutes.value < 60 else { return nil }
                spec.minute = minutes.value
                return (spec, index + 3)
            }
            return (spec, index + 2)
        }
        if token.digitCount <= 2, isSign(index + 1, "."), isJoined(index + 1), isJoined(index + 2),
            let minutes = self.token(index + 2), minutes.digitCount == 2, minutes.value < 60,
            (1...12).contains(token.value), meridiem(at: index + 3) != nil
        {
            return (
                ClockSpec(
                    hour: token.value, minute: minutes.value, half: .open, hasMinutes: true),
                index + 3
            )
        }
        if token.digitCount == 3 || token.digitCount == 4, meridiem(at: index + 1) != nil,
            (1...12).contains(token.value / 100), token.value % 100 < 60
        {
            return (
                ClockSpec(
                    hour: token.value / 100, minute: token.value % 100, half: .open,
                    hasMinutes: true),
                index + 1
            )
        }
        guard token.digitCount <= 2, (1...24).contains(token.value),
            token.isFree || isSign(index + 1, "-") || meridiem(at: index + 1) != nil
        else { return nil }
        return (
            ClockSpec(
                hour: token.value % 24, minute: 0, half: token.value > 12 ? .exact : .open,
                hasMinutes: false),
            index + 1
        )
    }

    /// `am`, `p.m.`, `a m`, or a single letter right after the number.
    func meridiem(at index: Int) -> (half: ClockSpec.Half, end: Int)? {
        switch word(index) {
        case .morningMark:
            // `I am` never follows a number, but `at 10 am I to` may.
            return (.morning, index + 1)
        case .afternoonMark: return (.afternoon, index + 1)
        default: break
        }
        guard let letter = token(index), letter.kind == .word,
            letter.text == "a" || letter.text == "p"
        else { return nil }
        let half = letter.text == "a" ? ClockSpec.Half.morning : .afternoon
        if isSign(index + 1, "."), token(index + 2)?.text == "m" {
            let hasEnd =
                isSign(index + 3, ".") && (isJoined(index + 3) || !isJoined(index + 1))
            return (half, index + (hasEnd && index + 4 < tokens.count ? 4 : 3))
        }
        if token(index + 1)?.text == "m" { return (half, index + 2) }
        return isJoined(index) && !isJoined(index + 1) ? (half, index + 1) : nil
    }

    /// Nothing is tied to the left of a number, but a dash of a range or the `T` of ISO may be.
    private func isFreeOnLeft(_ index: Int) -> Bool {
        guard index > 0, !tokens[index].hasSpaceBefore else { return true }
        let before = tokens[index - 1]
        if before.kind == .word { return before.text == "t" && isJoined(index - 1) }
        guard before.kind == .sign else { return false }
        switch UInt8(truncatingIfNeeded: before.value) {
        case 0x28, 0x22, 0x27, 0x2D, 0x5B, 0x2A, 0x40: return true
        default: return false
        }
    }

    private func isRatio(around start: Int, _ end: Int) -> Bool {
        (1...3).contains { word(start - $0) == .ratio }
            || word(end) == .ratio || word(end + 1) == .ratio
    }

    /// Whether a bare number after `at` is an hour: `at ten.`, `at 6 we leave`, but not `at 10
    /// Downing Street`, `at 20 degrees`, `at two companies`.
    private func isHourAllowed(from start: Int, before end: Int, hasDay: Bool) -> Bool {
        guard let next = token(end), !endsClause(end), plainZone(at: end) == nil else {
            return true
        }
        guard next.kind == .word, next.hasSpaceBefore, !next.isCapitalised || next.text == "i"
        else {
            return false
        }
        switch next.word {
        case .unit, .ratio, .half, .ordinal: return false
        case .none: break
        default: return true
        }
        if words.habits.clauseWords.contains(next.text) { return true }
        // A verb follows where the sentence begins with the time; a plural would be counted by it.
        let beginsSentence = start <= 1 || endsClause(start - 2)
        return (beginsSentence || hasDay) && !next.text.hasSuffix("s")
            && !words.habits.countedWords.contains(next.text)
    }
}
