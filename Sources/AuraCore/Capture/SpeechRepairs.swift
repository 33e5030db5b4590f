/// What a speaker took back: `Tuesday, no, Wednesday` → `Wednesday`.
///
/// A day is only replaced by a day, a time by a time, a number by a number, a name by a name, and a
/// phrase by one that begins with the same word and loses none of these and no denial. Whatever is
/// in doubt stays as it was said.
enum SpeechRepairs {
    static func resolved(_ words: [SpeechWord]) -> [SpeechWord] {
        var kept: [SpeechWord] = []
        kept.reserveCapacity(words.count)
        var index = 0
        while index < words.count {
            if let cue = SpeechCue(at: index, in: words), let last = kept.last, !last.asks,
                cue.end < words.count
            {
                let repair = Repair(words: words, cue: cue)
                if let next = repair.applied(to: &kept) {
                    index = next
                    continue
                }
            }
            kept.append(words[index])
            index += 1
        }
        return kept
    }

    fileprivate static func isSame(
        _ old: ArraySlice<SpeechWord>, _ new: ArraySlice<SpeechWord>
    ) -> Bool {
        old.elementsEqual(new) { $0.key == $1.key }
    }

    /// How far back a taken-back word is looked for, in words.
    static let reach = 14
}

/// One cue with what follows it.
private struct Repair {
    let words: [SpeechWord]
    let cue: SpeechCue

    /// Leaves out of `kept` what was taken back.
    /// - Returns: the index of the word with which it goes on; nil when nothing was sure.
    func applied(to kept: inout [SpeechWord]) -> Int? {
        replacingUnit(in: &kept) ?? replacingPhrase(in: &kept) ?? replacingWord(in: &kept)
            ?? scratching(&kept)
    }

    // MARK: One of a kind

    private func replacingUnit(in kept: inout [SpeechWord]) -> Int? {
        let lead = SpeechPhrase.lead(from: cue.end, in: words)
        guard lead.end < words.count, let new = SpeechUnit.read(at: lead.end, in: words) else {
            return nil
        }
        let last = kept[kept.count - 1]
        let start = kept.sentenceStart(before: kept.count - 1, within: SpeechRepairs.reach)
        let units = SpeechUnit.all(in: kept, start..<kept.count)
        let suited = units.filter { $0.takes(new) || part(of: $0, for: new, kept) != nil }
        // `nine out of ten, no, eight out of ten` repeats what stands after the unit.
        let repeated = suited.last {
            $0.range.upperBound < kept.count && repeats(kept[$0.range.upperBound...], after: new)
        }
        guard let found = repeated ?? suited.last else { return nil }
        let old = part(of: found, for: new, kept) ?? found
        // `to Anna and Ben, no, Anna and Bob` is a phrase.
        if units.contains(where: { SpeechRepairs.isSame(kept[$0.range], words[new.range]) })
            || old.range.lowerBound > 0
                && kept[old.range.lowerBound - 1].key == words[new.range.lowerBound].key
        {
            return nil
        }
        let gap = kept.count - old.range.upperBound
        let ended = words[new.range.upperBound - 1]
        let follower =
            ended.hasPause || new.range.upperBound == words.count
            ? nil : words[new.range.upperBound].key
        let isFirst = SpeechPhrase.start(of: old, in: kept) == start && kept.beginsSentence(start)
        let before = SpeechPhrase.start(of: old, in: kept)
        // `not on Monday, no, on Tuesday` says one thing only.
        if before > start, denies(kept[before - 1..<before]) { return nil }
        guard
            isSure(
                old, new, gap, follower, last, isFirst, isDenied: denies(kept[start..<before])),
            !denies(kept[old.range.upperBound...])
        else { return nil }
        if gap == 0 || repeats(kept[old.range.upperBound...], after: new) {
            return exchange(old, for: new, lead, in: &kept)
        }
        // `on the 3rd to, no, the 4th`: the sentence broke off.
        if SpeechPhrase.isSmall(last.key) { return nil }
        let again = repeatedBeginning(kept[old.range.upperBound...], after: new)
        if again > 0 {
            let tail = words[new.range.upperBound + again - 1].tail
            _ = put(new, lead, inPlaceOf: old, in: &kept)
            kept[kept.count - 1].tail = tail
            return new.range.upperBound + again
        }
        if let follower, !SpeechPhrase.goesOn(follower) {
            // `three bags, no, four boxes`
            guard new.kind == .number, gap <= 2,
                SpeechUnit.all(in: kept, old.range.upperBound..<kept.count).isEmpty,
                kept[old.range.upperBound...].allSatisfy({ !SpeechPhrase.goesOn($0.key) })
            else { return nil }
            return exchange(old, for: new, lead, in: &kept)
        }
        return put(new, lead, inPlaceOf: old, in: &kept)
    }

    /// Whether the new unit surely stands for the old one.
    private func isSure(
        _ old: SpeechUnit, _ new: SpeechUnit, _ gap: Int, _ follower: String?, _ last: SpeechWord,
        _ isFirst: Bool, isDenied: Bool
    ) -> Bool {
        if last.hasStop {
            // In a sentence of its own it must be all of it.
            guard
                cue.isScratch
                    || follower == nil
                        && (words[new.range.upperBound - 1].hasStop
                            || new.range.upperBound == words.count)
            else { return false }
        } else if !last.hasPause {
            // Without signs only what stands side by side.
            guard gap == 0 || cue.isScratch || cue.count > 1 else { return false }
            if new.kind == .number, cue.isWeak, cue.count == 1, words[cue.start].key == "wait" {
                return false
            }
        }
        if words[cue.end].key.hasPrefix("it") || words[cue.end].key.hasPrefix("that") {
            // `Monday, no, it's Tuesday`: nothing else of the sentence may hang on it.
            guard gap == 0, follower.map(SpeechPhrase.goesOn) ?? true, !isDenied else {
                return false
            }
        }
        if let follower {
            if SpeechPhrase.isFiniteVerb(follower) { return isFirst }
            if new.kind == .name, !SpeechPhrase.goesOn(follower) {
                // `Sarah's, no, Susan's birthday`
                return isFirst
                    || last.key.hasSuffix("'s")
                        && words[new.range.upperBound - 1].key.hasSuffix("'s")
            }
        }
        if new.kind == .number || old.kind == .number {
            guard isSameLength(old, new) else { return false }
        }
        if new.kind == .name, new.range.count < old.range.count { return false }
        return gap <= (new.kind == .name || new.kind == .number ? 4 : 6)
    }

    /// Digits said one by one are only replaced by as many.
    private func isSameLength(_ old: SpeechUnit, _ new: SpeechUnit) -> Bool {
        old.range.count < 3 && new.range.count < 3 || old.range.count == new.range.count
            || !words[new.range].allSatisfy { $0.key.utf8.count <= 5 }
    }

    /// The piece of a date that a day's number or a month alone can replace.
    private func part(
        of old: SpeechUnit, for new: SpeechUnit, _ kept: [SpeechWord]
    ) -> SpeechUnit? {
        guard old.kind == .date else { return nil }
        switch new.kind {
        case .month:
            let month = old.range.first { SpeechUnit.months.contains(kept[$0].key) }
            return month.map { SpeechUnit(kind: .month, range: $0..<$0 + 1) }
        case .ordinal:
            let day = old.range.first {
                !SpeechUnit.months.contains(kept[$0].key) && kept[$0].key != "of"
                    && kept[$0].key != "the"
            }
            return day.map { SpeechUnit(kind: .ordinal, range: $0..<$0 + 1) }
        default: return nil
        }
    }

    private func denies(_ words: ArraySlice<SpeechWord>) -> Bool {
        words.contains { SpeechUnit.denials.contains($0.key) }
    }

    /// `200 grams of flour, sorry, 250 grams of flour`
    private func repeats(_ gap: ArraySlice<SpeechWord>, after new: SpeechUnit) -> Bool {
        let rest = words[new.range.upperBound...]
        guard rest.count >= gap.count else { return false }
        return zip(gap, rest).allSatisfy { EnglishStem.of($0.key) == EnglishStem.of($1.key) }
    }

    /// `5 kilos of rice, no, 10 kilos`: how many words after the new unit only say again what
    /// stands after the old one, up to a sign.
    private func repeatedBeginning(_ gap: ArraySlice<SpeechWord>, after new: SpeechUnit) -> Int {
        guard !words[new.range.upperBound - 1].hasPause else { return 0 }
        var count = 0
        for (old, word) in zip(gap, words[new.range.upperBound...]) {
            guard EnglishStem.of(old.key) == EnglishStem.of(word.key) else { return 0 }
            count += 1
            if word.hasPause || new.range.upperBound + count == words.count { return count }
        }
        return 0
    }

    /// Everything from the old unit on goes; the new one follows with what comes after it.
    private func exchange(
        _ old: SpeechUnit, for new: SpeechUnit, _ lead: SpeechPhrase.Lead,
        in kept: inout [SpeechWord]
    ) -> Int {
        let (from, next) = ends(old, new, lead, kept)
        kept.removeLast(kept.count - from)
        return next
    }

    /// The new unit moves to where the old one was.
    private func put(
        _ new: SpeechUnit, _ lead: SpeechPhrase.Lead, inPlaceOf old: SpeechUnit,
        in kept: inout [SpeechWord]
    ) -> Int {
        let (from, next) = ends(old, new, lead, kept)
        var moved = Array(words[next..<new.range.upperBound])
        let tail = moved[moved.count - 1].tail
        for index in moved.indices { moved[index].line = kept[old.range.lowerBound].line }
        moved[moved.count - 1].tail = kept[old.range.upperBound - 1].tail
        kept.replaceSubrange(from..<old.range.upperBound, with: moved)
        kept[kept.count - 1].tail = tail
        return new.range.upperBound
    }

    /// From where the old unit goes, and where the new one begins: prepositions and articles are
    /// kept once.
    private func ends(
        _ old: SpeechUnit, _ new: SpeechUnit, _ lead: SpeechPhrase.Lead, _ kept: [SpeechWord]
    ) -> (from: Int, next: Int) {
        let before = SpeechPhrase.Lead(endingAt: old.range.lowerBound, in: kept)
        if lead.preposition != nil { return (before.preposition ?? before.start, lead.start) }
        if lead.article != nil {
            // `March 3rd, no, the 4th` → `March 4th`
            if before.start > 0, old.kind == .ordinal,
                SpeechUnit.months.contains(kept[old.range.lowerBound - 1].key)
            {
                return (old.range.lowerBound, new.range.lowerBound)
            }
            return (before.article ?? old.range.lowerBound, lead.start)
        }
        let first = words[new.range.lowerBound].key
        if SpeechUnit.relativeDays.contains(first) || SpeechUnit.whichDay.contains(first) {
            return (before.start, new.range.lowerBound)
        }
        let dropsArticle = old.kind != new.kind && new.kind == .day
        return (
            dropsArticle ? before.article ?? old.range.lowerBound : old.range.lowerBound,
            new.range.lowerBound
        )
    }

    // MARK: A phrase

    /// `in the garage, I mean, in the cellar`: what began with the same word.
    private func replacingPhrase(in kept: inout [SpeechWord]) -> Int? {
        let last = kept[kept.count - 1]
        guard !last.hasStop || cue.isScratch else { return nil }
        let first = words[cue.end]
        if cue.isWeak {
            // `page ten, actually page twelve`
            guard last.hasPause, !first.hasPause, cue.end + 1 < words.count, kept.count > 1,
                kept[kept.count - 2].key == first.key, SpeechPhrase.isContent(first.key),
                SpeechUnit.read(at: cue.end + 1, in: words)?.kind == .number
            else { return nil }
        }
        guard !first.key.isEmpty, !SpeechUnit.denials.contains(first.key) else { return nil }
        let isPlain = !cue.isScratch && cue.count == 1
        if !last.hasPause, isPlain, !["or", "i"].contains(words[cue.start].key),
            !SpeechPhrase.prepositions.contains(first.key)
        {
            return nil
        }
        let limit = cue.isScratch ? 12 : 8
        var start = kept.count - 1
        while kept[start].key != first.key {
            guard start > 0, kept.count - start < limit,
                start == kept.count - 1 || !kept[start].hasStop,
                !kept[start - 1].hasStop
            else { return nil }
            start -= 1
        }
        if start > 0, denies(kept[start - 1..<start]) { return nil }
        let length = kept.count - start
        guard length > 1 || SpeechPhrase.isContent(first.key) == false || cue.isScratch else {
            return nil
        }
        let clause = endOfClause(from: cue.end)
        let shared = zip(kept[start...], words[cue.end...]).prefix { $0.key == $1.key }.count
        let same = zip(kept[start...], words[cue.end...]).count { $0.key == $1.key }
        // `Ask Tom about the hose, no, ask Tim about the hose`
        let isParallel = length >= 3 && same >= max(2, length - 2)
        let fits: Bool
        if SpeechPhrase.prepositions.contains(first.key) {
            fits =
                length <= 5 && (!isPlain || !hasVerb(cue.end..<min(clause, cue.end + length + 1)))
        } else if SpeechPhrase.articles.contains(first.key) {
            fits = length <= 4 && clause - cue.end <= length + 1 && !hasVerb(cue.end..<clause)
        } else if SpeechPhrase.isContent(first.key) {
            fits = cue.isScratch || shared >= 2 || isParallel || length <= 3
        } else {
            fits = shared >= 2 || isParallel || cue.isScratch
        }
        guard fits, losesNothing(kept, start, within: min(clause, cue.end + length + 4)) else {
            return nil
        }
        kept.removeLast(length)
        return cue.end
    }

    /// `buy bread, no wait, milk`: one word for one word at the end of a clause, where the cue is
    /// more than a `no`.
    private func replacingWord(in kept: inout [SpeechWord]) -> Int? {
        guard !cue.isWeak, cue.isScratch || cue.count > 1 || words[cue.start].key == "or" else {
            return nil
        }
        let (last, new) = (kept[kept.count - 1], words[cue.end])
        guard !last.hasStop, new.hasPause || cue.end + 1 == words.count,
            SpeechPhrase.isContent(last.key), SpeechPhrase.isContent(new.key), kept.count > 1,
            losesNothing(kept, kept.count - 1, within: cue.end + 1)
        else { return nil }
        kept.removeLast()
        return cue.end
    }

    /// The sentence before `scratch that`, when the one after it has as much of each kind.
    private func scratching(_ kept: inout [SpeechWord]) -> Int? {
        guard cue.isScratch, kept[kept.count - 1].hasPause else { return nil }
        let start = kept.sentenceStart(before: kept.count - 1, within: 20)
        guard kept.count - start <= 15, kept.beginsSentence(start),
            losesNothing(kept, start, within: endOfSentence(from: cue.end))
        else { return nil }
        kept.removeLast(kept.count - start)
        return cue.end
    }

    private func endOfClause(from start: Int) -> Int {
        var index = start
        while index < words.count, !words[index].hasPause { index += 1 }
        return min(index + 1, words.count)
    }

    private func endOfSentence(from start: Int) -> Int {
        var index = start
        while index < words.count, !words[index].hasStop { index += 1 }
        return min(index + 1, words.count)
    }

    private func hasVerb(_ range: Range<Int>) -> Bool {
        words[range].contains { SpeechPhrase.isFiniteVerb($0.key) }
    }

    /// Whether every number, name, day and time that goes has one of its own kind in what follows,
    /// and both deny alike.
    private func losesNothing(_ kept: [SpeechWord], _ start: Int, within end: Int) -> Bool {
        let gone = SpeechUnit.all(in: kept, start..<kept.count)
        var rest = SpeechUnit.all(in: words, cue.end..<max(end, cue.end))
        for unit in gone {
            guard let index = rest.firstIndex(where: { unit.takes($0) }) else { return false }
            rest.remove(at: index)
        }
        return denies(kept[start...]) == denies(words[cue.end..<max(end, cue.end)])
    }
}
