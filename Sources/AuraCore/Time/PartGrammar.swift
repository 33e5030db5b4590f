/// Parts of the day, and hours that lean on one: `this morning`, `in the evening`, `8 this evening`.
extension DateGrammar {
    /// `this morning`, `in the evening`, `tonight`, and after a day also `morning` alone.
    func part(
        at index: Int, spec: PhraseSpec
    ) -> (spec: DayPart, end: Int, edge: DateEdge?, day: Int?)? {
        var at = index
        var edge: DateEdge?
        func takeEdge() {
            switch word(at) {
            case .early: edge = .start
            case .late: edge = .end
            default: return
            }
            at += isSign(at + 1, "-") ? 2 : 1
        }
        switch word(at) {
        case .tonight: return spec.day == nil ? (.night, at + 1, nil, 0) : nil
        case .which(let shift):
            guard spec.day == nil else { return nil }
            at += 1
            takeEdge()
            guard let part = dayPart(at: at) else { return nil }
            return (part, at + 1, edge, shift)
        case .in:
            at += 1
            if word(at) == .the { at += 1 }
            if let mark = meridiem(at: at), word(index + 1) == .the, spec.time != nil {
                return (mark.half == .morning ? .morning : .afternoon, mark.end, nil, nil)
            }
            takeEdge()
            guard let part = dayPart(at: at), part != .lunch else { return nil }
            return (part, at + 1, edge, nil)
        case .at:
            guard case .part(let part) = word(at + 1), part == .night || part == .lunch else {
                return nil
            }
            return (part, at + 2, nil, nil)
        case .part(.night) where word(at - 1) == .at: return (.night, at + 1, nil, nil)
        case .early, .late:
            takeEdge()
            if word(at) == .tonight, spec.day == nil { return (.night, at + 1, edge, 0) }
        default: break
        }
        guard
            spec.day != nil || isClock(spec.time) || isWholeText(index..<(at + 1))
                || isTimeNext(at + 1),
            let part = dayPart(at: at), spec.day != nil || word(at) == .part(part)
        else { return nil }
        return (part, at + 1, edge, nil)
    }

    private func dayPart(at index: Int) -> DayPart? {
        if case .part(let part) = word(index) { return part }
        // German `morgen`, Spanish `mañana`: also the morning.
        guard !words.habits.secondMeanings.isEmpty, let text = token(index)?.text,
            case .part(let part) = words.habits.secondMeanings[text]
        else { return nil }
        return part
    }

    private func isClock(_ time: TimeSpec?) -> Bool {
        if case .clock = time { true } else { false }
    }

    /// `afternoon at 7`, `evening 7:30`.
    private func isTimeNext(_ index: Int) -> Bool {
        let isAt = word(index) == .at || isSign(index, "@")
        guard let clock = clock(at: isAt ? index + 1 : index, isAfterAt: isAt, hasDay: true) else {
            return false
        }
        return isAt || clock.spec.hasMinutes
    }

    /// `the morning of Christmas`, `in the evening of 3 May`.
    func partOf(at index: Int) -> Found? {
        var at = index
        if word(at) == .in { at += 1 }
        if word(at) == .the { at += 1 }
        guard let part = dayPart(at: at), word(at + 1) == .of else { return nil }
        guard let day = nested?.day(at: at + 2, hasLead: true) else { return nil }
        return Found(
            spec: PhraseSpec(day: day.spec, part: part, isPast: day.isPast), range: index..<day.end)
    }

    /// A bare hour that what follows makes one: `8 this evening`, `nine tomorrow morning`,
    /// `3 in the morning`.
    func leadingHour(at index: Int, lead: Lead) -> (spec: ClockSpec, end: Int)? {
        guard let hour = hour(at: index), hour.spec.hour <= 12 else { return nil }
        let next = isSign(hour.end, ",") ? hour.end + 1 : hour.end
        let part: Int?
        switch word(next) {
        case .part, .in, .which, .tonight:
            part = self.part(at: next, spec: PhraseSpec(time: .clock(hour.spec)))?.end
        case .day(let days) where (-1...1).contains(days):
            part =
                dayPart(at: next + 1) != nil || index == 0 && isWholeText(0..<(next + 1))
                    || hour.spec.hasMinutes && lead.isPreposition
                ? next + 1 : nil
        default: part = nil
        }
        return part == nil ? nil : hour
    }

    /// `GMT`, `(PST)`, `UTC+2`, `Z`, `+01:00` after a time.
    func zone(at index: Int) -> (name: ZoneName, end: Int)? {
        let isBracketed = isSign(index, "(")
        let at = isBracketed ? index + 1 : index
        guard var zone = plainZone(at: at) else { return nil }
        if isBracketed {
            guard isSign(zone.end, ")") else { return nil }
            zone.end += 1
        }
        return zone
    }

    func plainZone(at index: Int) -> (name: ZoneName, end: Int)? {
        switch word(index) {
        case .zone(let offset):
            guard offset == 0, let more = offsetSign(at: index + 1) else {
                return (.fixed(offset), index + 1)
            }
            return (.fixed(more.seconds), more.end)
        case .zoneNamed(let name) where token(index)?.isCapitalised == true:
            return (.named(name), index + 1)
        default: break
        }
        guard isJoined(index), word(index - 1) == .none, token(index - 1)?.kind == .number,
            isSign(index - 2, ":")
        else { return nil }
        if token(index)?.text == "z" { return (.fixed(0), index + 1) }
        // `11:30-1:30` is a stretch; a zone before UTC follows seconds or the `T` of ISO.
        if isSign(index, "-"), !isSign(index - 4, ":"), token(index - 4)?.text != "t" { return nil }
        return offsetSign(at: index).flatMap {
            isSign($0.end - 2, ":") ? (.fixed($0.seconds), $0.end) : nil
        }
    }

    /// `+2`, `-05:30`
    private func offsetSign(at index: Int) -> (seconds: Int, end: Int)? {
        guard isJoined(index), isSign(index, "+") || isSign(index, "-"), isJoined(index + 1),
            let hours = token(index + 1), hours.kind == .number, hours.digitCount <= 2,
            (0...14).contains(hours.value)
        else { return nil }
        let sign = isSign(index, "+") ? 1 : -1
        guard isSign(index + 2, ":"), isJoined(index + 2), let minutes = token(index + 3),
            minutes.digitCount == 2, minutes.value < 60
        else { return (sign * hours.value * 3600, index + 2) }
        return (sign * (hours.value * 60 + minutes.value) * 60, index + 4)
    }
}
