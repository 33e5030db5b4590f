/// A part of a text that names a day, a time or a stretch of either: `by Monday`, `next week`,
/// `Friday at ten`.
///
/// Found in four steps: the text becomes tokens (`DateTokenizer`), a table says what each word can
/// mean (`DateLanguage`), rules read tokens into a `PhraseSpec` (`DateGrammar`), and
/// what was said becomes days seen from now (`DateResolver`).
///
/// The readings chosen where people differ:
/// - A weekday is the next such day, never today. `next Thursday` is the Thursday of the next week
///   (Monday to Sunday), `this Thursday` that of this week when it is still ahead.
/// - A date without a year is the next one from today on. The weekend is Saturday and Sunday.
/// - A time without a day is the next such time; without `am` or `pm` it falls between 07:00 and
///   23:00.
/// - The end of a month, a week, a year is its last day. A month after 31 January is the last day of
///   February.
/// - `Thursday, scratch that, Friday` is Friday alone.
package struct DatePhrase: Hashable, Sendable {
    package enum Grain: String, CaseIterable, Sendable {
        case minute, hour, partOfDay, day, weekend, week, month, quarter, season, year
    }
    /// Which way to look for what the text leaves open.
    package enum Direction: Sendable { case future, past }
    package enum Reading: String, Sendable { case future, past }
    /// The phrase means everything before its start, or everything after it.
    package enum OpenSide: String, Sendable { case before, after }

    package var range: Range<String.Index>
    /// The same place counted in Unicode scalars.
    package var scalarSpan: Range<Int>
    package var text: String
    package var start: LocalTime
    /// The first moment that is no longer meant.
    package var end: LocalTime
    package var grain: Grain
    /// How it repeats, as a calendar rule (`FREQ=WEEKLY;BYDAY=MO`); `start` is the first one.
    package var recurrence: String?
    package var openSide: OpenSide?
    /// Of an open phrase: `since Monday` takes Monday in, `after Monday` leaves it out.
    package var isInclusive = false
    package var reading: Reading
    /// `by` or `due` stood before it.
    package var isByWord: Bool
    /// A day was named, not only a time.
    package var namesDay: Bool

    /// The time of the day, when one was named to the hour or finer.
    package var time: TimeOfDay? {
        grain == .minute || grain == .hour ? start.time : nil
    }

    /// Every phrase, in the order of the text.
    package static func all(
        in text: String, now: LocalTime, direction: Direction = .future,
        customs: DateCustoms = DateCustoms()
    ) -> [DatePhrase] {
        Reader(text, now: now, direction: direction, customs: customs).phrases.map(\.phrase)
    }
}

/// What a text asks to be done by when.
extension DatePhrase {
    /// The day, and the time if one is named, that the text sets; nil when it sets none.
    package static func deadline(in text: String, now: LocalTime) -> (Day, TimeOfDay?)? {
        deadlineCandidates(in: text, now: now).first.map { ($0.day, $0.time) }
    }

    package struct Deadline: Hashable, Sendable {
        package var day: Day
        package var time: TimeOfDay?
        package var phrase: DatePhrase
    }

    /// Every day a deadline may be, most likely first: what stands after `by` or `before`, then the
    /// others in the order of the text. Days gone by are none.
    ///
    /// A stretch of days is due on its last day (`in March`), but with `by` or `before` at its
    /// beginning. A day and a time in one sentence belong together.
    package static func deadlineCandidates(
        in text: String, now: LocalTime, customs: DateCustoms = DateCustoms()
    ) -> [Deadline] {
        let found = Reader(text, now: now, direction: .future, customs: customs).phrases
        var deadlines: [Deadline] = []
        var used: Set<Int> = []
        for (index, item) in found.enumerated() where !used.contains(index) {
            var phrase = item.phrase
            if phrase.reading == .past || found[index].isNow { continue }
            if let other = partner(of: index, in: found, used: used) {
                used.insert(other)
                phrase = combined(phrase, found[other].phrase, now: now)
            }
            let isEarly = phrase.isByWord || phrase.openSide == .before
            var day = phrase.start.day
            if !isEarly, phrase.grain.isLongerThanDay || phrase.spansDays {
                day = phrase.end.adding(minutes: -1).day
            }
            guard day >= now.day else { continue }
            deadlines.append(Deadline(day: day, time: phrase.time, phrase: phrase))
        }
        let (first, rest) = (
            deadlines.filter { $0.phrase.isByWord || $0.phrase.openSide == .before },
            deadlines.filter { !($0.phrase.isByWord || $0.phrase.openSide == .before) }
        )
        return first + rest
    }

    private var spansDays: Bool {
        grain == .day && end.day.daysSince1970 - start.day.daysSince1970 > 1
    }

    /// The day to a time or the time to a day, from the same sentence and close by.
    private static func partner(of index: Int, in found: [Reader.Item], used: Set<Int>) -> Int? {
        let item = found[index]
        let next = index + 1
        guard next < found.count, !used.contains(next) else { return nil }
        let other = found[next]
        let isPair =
            item.phrase.namesDay != other.phrase.namesDay && other.phrase.reading == .future
            && (item.phrase.namesDay ? item.phrase : other.phrase).time == nil
            && (item.phrase.namesDay ? other.phrase : item.phrase).time != nil
        return isPair && other.sentence == item.sentence ? next : nil
    }

    private static func combined(
        _ first: DatePhrase, _ second: DatePhrase, now: LocalTime
    ) -> DatePhrase {
        let (day, time) = first.namesDay ? (first, second) : (second, first)
        var phrase = day
        let length = time.end.secondsSince1970 - time.start.secondsSince1970
        phrase.start = LocalTime(day: day.start.day, time: time.start.time)
        phrase.end = phrase.start.adding(minutes: length / 60)
        phrase.grain = time.grain
        phrase.isByWord = first.isByWord || second.isByWord
        return phrase
    }
}

extension DatePhrase.Grain {
    /// A moment, so that before and until mean the same.
    var isOfClock: Bool { self == .minute || self == .hour }

    var isLongerThanDay: Bool {
        switch self {
        case .minute, .hour, .partOfDay, .day: false
        case .weekend, .week, .month, .quarter, .season, .year: true
        }
    }
}

/// Puts the steps together for one text.
private struct Reader {
    struct Item {
        var phrase: DatePhrase
        var tokens: Range<Int>
        var sentence: Int
        /// The moment itself was named: `as soon as possible`.
        var isNow: Bool
    }

    private(set) var phrases: [Item] = []

    init(
        _ text: String, now: LocalTime, direction: DatePhrase.Direction, customs: DateCustoms
    ) {
        let resolver = DateResolver(now: now, direction: direction, zone: customs.zone)
        for (index, words) in customs.languages.enumerated() {
            add(
                text, words, dayFirst: customs.dayFirst, resolver,
                earlier: customs.languages[..<index])
        }
        if customs.languages.count > 1 {
            phrases.sort { $0.phrase.scalarSpan.lowerBound < $1.phrase.scalarSpan.lowerBound }
        }
    }

    /// - Parameter earlier: the languages tried before; what they found stays.
    private mutating func add(
        _ text: String, _ words: DateLanguage, dayFirst: Bool, _ resolver: DateResolver,
        earlier: ArraySlice<DateLanguage>
    ) {
        let tokens = DateTokenizer.tokens(in: text, words: words)
        let grammar = DateGrammar(tokens: tokens, words: words, dayFirst: dayFirst)
        let found = kept(grammar)
        guard !found.isEmpty else { return }
        let taken = phrases.map(\.phrase.scalarSpan)
        var place = Place(text)
        var sentence = 0
        var counted = 0
        for item in found {
            while counted < item.range.lowerBound {
                if grammar.endsSentence(counted) { sentence += 1 }
                counted += 1
            }
            guard grammar.tells(item.range, besides: earlier),
                let span = resolver.firstSpan(of: item.spec)
            else { continue }
            let bytes =
                tokens[item.range.lowerBound].range
                .lowerBound..<tokens[item.range.upperBound - 1].range.upperBound
            let (range, scalars) = place.move(to: bytes)
            guard !taken.contains(where: scalars.overlaps) else { continue }
            let isOver = span.end <= resolver.now && item.spec.openSide != .after
            phrases.append(
                Item(
                    phrase: DatePhrase(
                        range: range, scalarSpan: scalars, text: String(text[range]),
                        start: span.start, end: span.end, grain: span.grain,
                        recurrence: item.spec.recurrence, openSide: item.spec.openSide,
                        isInclusive: item.spec.isInclusive,
                        reading: item.spec.isPast || isOver ? .past : .future,
                        isByWord: item.spec.isByWord, namesDay: namesDay(item.spec)),
                    tokens: item.range, sentence: sentence, isNow: item.spec.time == .now))
        }
    }

    private func namesDay(_ spec: PhraseSpec) -> Bool {
        if case .shifted = spec.time { return true }
        return spec.day != nil
    }

    /// Drops what the text takes back: `Thursday, scratch that, Friday`; `Friday, not Thursday`.
    private func kept(_ grammar: DateGrammar) -> [DateGrammar.Found] {
        var kept: [DateGrammar.Found] = []
        for var item in grammar.phrases() {
            guard let last = kept.last, last.range.upperBound <= item.range.lowerBound else {
                kept.append(item)
                continue
            }
            let between = last.range.upperBound..<item.range.lowerBound
            if grammar.tokens[between].contains(where: { $0.word == .not }),
                grammar.tokens[between].allSatisfy({ $0.kind == .sign || $0.word == .not })
            {
                continue
            }
            if grammar.takesBack(between) {
                kept.removeLast()
                // `Thursday at nine, no, ten`: what is not said again stays.
                if item.spec.day == nil { item.spec.day = last.spec.day }
                if item.spec.time == nil, item.spec.part == nil {
                    item.spec.time = last.spec.time
                    item.spec.part = last.spec.part
                }
                item.spec.isByWord = item.spec.isByWord || last.spec.isByWord
            }
            kept.append(item)
        }
        return kept
    }
}

/// Turns byte offsets into indices and scalar counts, going forward only.
private struct Place {
    private let text: String
    private var index: String.Index
    private var bytes = 0
    private var scalars = 0

    init(_ text: String) {
        self.text = text
        index = text.startIndex
    }

    mutating func move(to range: Range<Int>) -> (Range<String.Index>, Range<Int>) {
        let (start, first) = move(to: range.lowerBound)
        let (end, last) = move(to: range.upperBound)
        return (start..<end, first..<last)
    }

    private mutating func move(to offset: Int) -> (String.Index, Int) {
        let end = text.utf8.index(index, offsetBy: offset - bytes)
        scalars += text.unicodeScalars[index..<end].count
        index = end
        bytes = offset
        return (end, scalars)
    }
}

extension DatePhrase {
    /// The days that are meant, whole or in part.
    package var firstDay: Day { start.day }
    package var lastDay: Day {
        end.time == .midnight && end.second == 0 && end.day > start.day
            ? end.day.adding(days: -1) : end.day
    }
}

extension DatePhrase {
    /// The first moment that is meant; nil when there is none.
    package var opening: LocalTime? {
        switch openSide {
        case .before: nil
        case .after: isInclusive || grain.isOfClock ? start : end
        case nil: start
        }
    }

    /// The first moment after all that is meant; nil when there is none.
    package var closing: LocalTime? {
        switch openSide {
        case .before: isInclusive && !grain.isOfClock ? end : start
        case .after: nil
        case nil: end
        }
    }
}
