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
            if let cue = Cue(at: index, in: words), let last = kept.last, !last.asks,
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

    /// How far back a taken-back word is looked for, in words.
    fileprivate static let reach = 14
}

/// The words that announce a repair: `no wait`, `scratch that`, `or rather`.
private struct Cue {
    let start: Int
    let end: Int
    /// Only `actually`, `make that` or `wait`: enough between two of a kind, for nothing else.
    private(set) var isWeak = true
    /// `scratch that` takes back whatever was said.
    private(set) var isScratch = false
    private(set) var count = 0

    init?(at start: Int, in words: [SpeechWord]) {
        self.start = start
        guard Cue.starts.contains(words[start].key) else { return nil }
        var index = start
        var isOpen = false
        scanning: while index < words.count {
            let key = words[index].key
            let next =
                index + 1 < words.count && (!words[index].hasPause || words[index].tail == ",")
                ? words[index + 1].key : ""
            var length = 0
            switch (key, next) {
            case ("scratch", "that"), ("strike", "that"):
                (length, isScratch, isWeak) = (2, true, false)
            case ("i", "mean"), ("i", "meant"), ("or", "rather"), ("my", "mistake"), ("my", "bad"):
                (length, isWeak) = (2, false)
            case ("make", "that"), ("make", "it"), ("let's", "say"), ("hang", "on"), ("hold", "on"):
                length = 2
            case ("let's", "make"):
                length = index + 2 < words.count && ["that", "it"].contains(words[index + 2].key) ? 3 : 0
            case ("no", _), ("nope", _), ("sorry", _), ("correction", _), ("rather", _):
                (length, isWeak) = (1, false)
            case ("wait", _), ("actually", _), ("oops", _): length = 1
            case ("oh", _), ("well", _), ("or", "no"), ("or", "actually"), ("or", "wait"),
                ("or", "make"):
                // These do not make a cue by themselves.
                index += 1
                isOpen = true
                continue scanning
            default: break
            }
            if length == 0 { break }
            count += 1
            isOpen = false
            index += length
            if index < words.count, words[index - 1].asks { return nil }
        }
        guard count > 0, !isOpen else { return nil }
        end = index
    }

    private static let starts: Set<String> = [
        "scratch", "strike", "i", "or", "my", "make", "let's", "hang", "hold", "no", "nope", "sorry",
        "correction", "rather", "wait", "actually", "oops", "oh", "well",
    ]
}

/// One cue with what follows it.
private struct Repair {
    let words: [SpeechWord]
    let cue: Cue

    /// Leaves out of `kept` what was taken back.
    /// - Returns: the index of the word with which it goes on; nil when nothing was sure.
    func applied(to kept: inout [SpeechWord]) -> Int? {
        replacingUnit(in: &kept) ?? replacingPhrase(in: &kept) ?? scratching(&kept)
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
        guard let found = units.last(where: { $0.takes(new) || part(of: $0, for: new, kept) != nil })
        else { return nil }
        let old = part(of: found, for: new, kept) ?? found
        let gap = kept.count - old.range.upperBound
        let ended = words[new.range.upperBound - 1]
        let follower =
            ended.hasPause || new.range.upperBound == words.count
            ? nil : words[new.range.upperBound].key
        let isFirst = SpeechPhrase.start(of: old, in: kept) == start && kept.beginsSentence(start)
        guard isSure(old, new, gap, follower, last, isFirst), !denies(kept[old.range.upperBound...])
        else { return nil }
        if gap == 0 || repeats(kept[old.range.upperBound...], after: new) {
            return exchange(old, for: new, lead, in: &kept)
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
        _ isFirst: Bool
    ) -> Bool {
        if last.hasStop {
            // In a sentence of its own it must be all of it.
            guard cue.isScratch || follower == nil && (words[new.range.upperBound - 1].hasStop
                || new.range.upperBound == words.count)
            else { return false }
        } else if !last.hasPause {
            // Without signs only what stands side by side.
            guard gap == 0 || cue.isScratch || cue.count > 1 else { return false }
            if new.kind == .number, cue.isWeak, cue.count == 1, words[cue.start].key == "wait" {
                return false
            }
        }
        if let follower {
            if SpeechPhrase.isFiniteVerb(follower) { return isFirst }
            if new.kind == .name, !SpeechPhrase.goesOn(follower) { return isFirst }
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
        return zip(gap, rest).allSatisfy { $0.key == $1.key }
    }

    /// Everything from the old unit on goes; the new one follows with what comes after it.
    private func exchange(
        _ old: SpeechUnit, for new: SpeechUnit, _ lead: SpeechPhrase.Lead,
        in kept: inout [SpeechWord]
    ) -> Int {
        let (from, next) = ends(old, new, lead, kept)
        let isFirst = kept.beginsSentence(from)
        kept.removeLast(kept.count - from)
        if isFirst { return next }
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
        if lead.preposition != nil { return (before.preposition ?? before.start, cue.end) }
        if lead.article != nil {
            // `March 3rd, no, the 4th` → `March 4th`
            if before.start > 0, old.kind == .ordinal,
                SpeechUnit.months.contains(kept[old.range.lowerBound - 1].key)
            {
                return (old.range.lowerBound, new.range.lowerBound)
            }
            return (before.article ?? old.range.lowerBound, cue.end)
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
        guard !cue.isWeak, !last.hasStop || cue.isScratch else { return nil }
        let first = words[cue.end]
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
            guard start > 0, kept.count - start < limit, start == kept.count - 1 || !kept[start].hasStop,
                !kept[start - 1].hasStop
            else { return nil }
            start -= 1
        }
        let length = kept.count - start
        guard length > 1 || SpeechPhrase.isContent(first.key) == false || cue.isScratch else {
            return nil
        }
        let clause = endOfClause(from: cue.end)
        let shared = zip(kept[start...], words[cue.end...]).prefix { $0.key == $1.key }.count
        let fits: Bool
        if SpeechPhrase.prepositions.contains(first.key) {
            fits = length <= 5 && (!isPlain || !hasVerb(cue.end..<min(clause, cue.end + length + 1)))
        } else if SpeechPhrase.articles.contains(first.key) {
            fits = length <= 4 && clause - cue.end <= length + 1 && !hasVerb(cue.end..<clause)
        } else if SpeechPhrase.isContent(first.key) {
            fits = cue.isScratch || shared >= 2 || length <= 3
        } else {
            fits = shared >= 2 || cue.isScratch
        }
        guard fits, losesNothing(kept, start, within: min(clause, cue.end + length + 4)) else {
            return nil
        }
        kept.removeLast(length)
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

/// Small words around a unit.
private enum SpeechPhrase {
    /// A preposition and an article before a unit, where there are.
    struct Lead {
        var preposition: Int?
        var article: Int?
        /// The first of both; the unit itself when it has none.
        var start: Int
        var end: Int

        init(from start: Int, in words: [SpeechWord]) {
            self.start = start
            end = start
            if end + 1 < words.count, prepositions.contains(words[end].key), !words[end].hasPause {
                preposition = end
                end += 1
            }
            if end + 1 < words.count, articles.contains(words[end].key), !words[end].hasPause {
                article = end
                end += 1
            }
        }

        init(endingAt end: Int, in words: [SpeechWord]) {
            self.end = end
            start = end
            if start > 0, articles.contains(words[start - 1].key), !words[start - 1].hasPause {
                start -= 1
                article = start
            }
            if start > 0, prepositions.contains(words[start - 1].key), !words[start - 1].hasPause {
                start -= 1
                preposition = start
            }
        }
    }

    static func lead(from start: Int, in words: [SpeechWord]) -> Lead { Lead(from: start, in: words) }

    static func start(of unit: SpeechUnit, in words: [SpeechWord]) -> Int {
        Lead(endingAt: unit.range.lowerBound, in: words).start
    }

    /// A clause may go on with this word after one of its parts.
    static func goesOn(_ key: String) -> Bool {
        prepositions.contains(key) || joining.contains(key) || partsOfSpeech.contains(key)
    }

    static func isFiniteVerb(_ key: String) -> Bool { finite.contains(key) }

    static func isContent(_ key: String) -> Bool {
        !StopWords.english.contains(key) && !finite.contains(key) && !joining.contains(key)
    }

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    static let prepositions = list(
        """
        on at in by to for from with of until till before after around about near into under since
        between behind through during over via
        """)
    static let articles = list("the a an my our your his her their")
    private static let joining = list(
        "and or but then so because if when while as since please instead too also which who that")
    private static let partsOfSpeech = list("morning afternoon evening night today tomorrow")
    private static let finite = list(
        """
        is was are were will would has had have can could should shall may might must isn't wasn't
        aren't weren't won't wouldn't hasn't hadn't haven't can't couldn't shouldn't does did do
        doesn't didn't don't says said wants wanted needs needed came comes went goes
        """)
}
