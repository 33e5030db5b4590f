/// What a person typed into a search, understood. Nothing is a syntax error: what means nothing
/// special is a word.
///
/// | typed | meaning |
/// |---|---|
/// | `pump log` | notes with any of the words, those with more and rarer ones first |
/// | `"pump log"` | the phrase must be there |
/// | `-oil`, `-"pump log"`, `-tag:old` | must not be there |
/// | `pump OR "oil filter"` | alternatives; at least one of them must be there |
/// | `moor*` | words that begin so |
/// | `title:pump` | must be in the title |
/// | `vault: tag: type:` | where it lies, how it is tagged, what it is |
/// | `#pump` | tagged so, or with the hashtag in its text |
/// | `is:evergreen is:pending has:task` | state |
/// | `before:2026-03-01 after:yesterday on:"last week"` | the day it was made |
///
/// `after:` takes its day in, as mail programs do; `before:` leaves it out.
package struct SearchQuery: Hashable, Sendable {
    /// As typed, cut to `maximumBytes`.
    package private(set) var text: String
    package private(set) var words = KeywordQuery()
    package private(set) var filter = NoteFilter()
    /// What is embedded for the search by meaning: the words without operators and filters.
    package private(set) var meaning = ""
    /// What was read otherwise than it may have been meant, a sentence each.
    package private(set) var remarks: [String] = []

    /// Gives the days a phrase stands for (`yesterday`, `last week`), nil for what is no date as a
    /// whole.
    package typealias DateResolver = (String) -> ClosedRange<Day>?

    /// Longer queries are cut: nobody types so much, and a pasted page searches well by its beginning.
    static let maximumBytes = 8_192
    /// More terms than this find nothing better and cost time.
    static let maximumPhrases = 64
    /// Words that a date may have after the first: `after:last week`, `on:3 days ago`.
    static let furtherDateWords = 3

    /// - Parameter dates: ISO days are understood without it.
    package init(_ typed: String, dates: @escaping DateResolver = { _ in nil }) {
        text = SearchQuery.cut(typed)
        if text.utf8.count < typed.utf8.count {
            remarks.append("the query is long; only its beginning counts")
        }
        var reader = QueryReader(pieces: QueryPiece.all(in: text), dates: dates)
        reader.read()
        filter = reader.filter
        remarks += reader.remarks
        words.excluded = Array(reader.excluded.prefix(SearchQuery.maximumPhrases))
        words.required = SearchQuery.bounded(reader.required)
        words.optional = SearchQuery.telling(reader.optional)
        meaning = reader.meaning.joined(separator: " ")
    }

    /// No filter and nothing to look for.
    package var isEmpty: Bool { words.isEmpty && words.excluded.isEmpty && filter.isEmpty }

    /// Takes days together with those typed: a search in an interval that is known otherwise.
    package mutating func restrict(to days: ClosedRange<Day>) {
        filter.from = max(filter.from ?? days.lowerBound, days.lowerBound)
        filter.through = min(filter.through ?? days.upperBound, days.upperBound)
    }

    package mutating func restrict(toVault vault: String) { filter.vaults = [vault] }

    /// Each phrase once. Where there are too many, those that say little go first.
    private static func telling(_ phrases: [KeywordQuery.Phrase]) -> [KeywordQuery.Phrase] {
        var seen: Set<KeywordQuery.Phrase> = []
        let distinct = phrases.filter { seen.insert($0).inserted }
        guard distinct.count > maximumPhrases else { return distinct }
        let telling = distinct.filter { !$0.isStopWord }
        return Array((telling.isEmpty ? distinct : telling).prefix(maximumPhrases))
    }

    /// At most `maximumPhrases` in all, in the order they were typed.
    private static func bounded(_ clauses: [[KeywordQuery.Phrase]]) -> [[KeywordQuery.Phrase]] {
        var left = maximumPhrases
        return clauses.compactMap { clause in
            var seen: Set<KeywordQuery.Phrase> = []
            let distinct = clause.filter { seen.insert($0).inserted }.prefix(left)
            left -= distinct.count
            return distinct.isEmpty ? nil : Array(distinct)
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maximumBytes)
        let cut = text[..<(String.Index(end, within: text) ?? text.index(before: end))]
        // A last word that was cut in two would be another word.
        return cut.lastIndex(where: \.isWhitespace).map { String(cut[..<$0]) } ?? String(cut)
    }
}

/// A blank-separated piece of a query.
private struct QueryPiece {
    var isNegated = false
    /// Before the first colon, lower case; empty without one.
    var name = ""
    var value: String
    var isQuoted = false

    /// As it was typed, without a minus and quotes.
    var asWords: String { name.isEmpty ? value : "\(name):\(value)" }

    static func all(in text: String) -> [QueryPiece] {
        var pieces: [QueryPiece] = []
        let characters = Array(text)
        var index = 0
        while index < characters.count {
            if characters[index].isWhitespace {
                index += 1
                continue
            }
            var piece = QueryPiece(value: "")
            if isMinus(characters[index]), index + 1 < characters.count,
                !characters[index + 1].isWhitespace
            {
                piece.isNegated = true
                index += 1
            }
            var word = ""
            while index < characters.count, !characters[index].isWhitespace {
                let character = characters[index]
                if isQuote(character), word.isEmpty || word.last == ":" {
                    let end = characters[(index + 1)...].firstIndex(where: isQuote)
                    if word.last == ":" { piece.name = word.dropLast().lowercased() }
                    piece.value = String(characters[(index + 1)..<(end ?? characters.count)])
                    piece.isQuoted = true
                    index = (end ?? characters.count - 1) + 1
                    break
                }
                word.append(character)
                index += 1
            }
            if !piece.isQuoted {
                if let colon = word.firstIndex(of: ":"), colon != word.startIndex {
                    piece.name = word[..<colon].lowercased()
                    piece.value = String(word[word.index(after: colon)...])
                } else {
                    piece.value = word
                }
            }
            pieces.append(piece)
        }
        return pieces
    }

    private static func isQuote(_ character: Character) -> Bool {
        character == "\"" || character == "“" || character == "”" || character == "„"
            || character == "«" || character == "»"
    }

    private static func isMinus(_ character: Character) -> Bool {
        character == "-" || character == "−" || character == "–"
    }
}

/// Turns pieces into clauses and filters.
private struct QueryReader {
    let pieces: [QueryPiece]
    let dates: SearchQuery.DateResolver
    var filter = NoteFilter()
    var optional: [KeywordQuery.Phrase] = []
    var required: [[KeywordQuery.Phrase]] = []
    var excluded: [KeywordQuery.Phrase] = []
    var meaning: [String] = []
    var remarks: [String] = []
    /// Alternatives gathered so far, while `OR` goes on.
    private var alternatives: [KeywordQuery.Phrase] = []
    private var isAfterOr = false

    init(pieces: [QueryPiece], dates: @escaping SearchQuery.DateResolver) {
        self.pieces = pieces
        self.dates = dates
    }

    mutating func read() {
        var index = 0
        while index < pieces.count {
            let piece = pieces[index]
            index += 1
            if isOr(piece), index > 1, index < pieces.count {
                isAfterOr = !alternatives.isEmpty
                continue
            }
            if let taken = takeFilter(piece, following: pieces[index...]) {
                index += taken
                closeAlternatives()
                continue
            }
            take(piece)
        }
        closeAlternatives()
    }

    private func isOr(_ piece: QueryPiece) -> Bool {
        piece.value == "OR" && piece.name.isEmpty && !piece.isQuoted && !piece.isNegated
    }

    /// Words and phrases.
    private mutating func take(_ piece: QueryPiece) {
        let isTitle = piece.name == "title" && !piece.value.isEmpty
        let text = isTitle ? piece.value : piece.asWords
        var phrases: [KeywordQuery.Phrase]
        if piece.isQuoted || isTitle {
            phrases = KeywordQuery.Phrase.whole(text).map { [$0] } ?? []
        } else {
            phrases = KeywordQuery.Phrase.each(in: text)
            if text.hasSuffix("*"), !phrases.isEmpty {
                phrases[phrases.count - 1].isPrefix = true
            }
        }
        if isTitle { for index in phrases.indices { phrases[index].field = .title } }
        guard !phrases.isEmpty else { return }
        if piece.isNegated {
            excluded += phrases
            return
        }
        meaning.append(piece.value)
        if isAfterOr {
            alternatives += phrases
            isAfterOr = false
            isAlternative = true
            return
        }
        closeAlternatives()
        alternatives = phrases
        isRequired = piece.isQuoted || isTitle
    }

    private var isAlternative = false
    private var isRequired = false

    /// Ends a clause: what was joined by `OR`, quoted or asked of the title must be there.
    private mutating func closeAlternatives() {
        if isAlternative || isRequired {
            if !alternatives.isEmpty { required.append(alternatives) }
        } else {
            optional += alternatives
        }
        alternatives = []
        isAlternative = false
        isRequired = false
        isAfterOr = false
    }

    /// How many further pieces a filter took; nil when the piece is none.
    private mutating func takeFilter(
        _ piece: QueryPiece, following: ArraySlice<QueryPiece>
    ) -> Int? {
        if piece.name.isEmpty {
            guard !piece.isQuoted, piece.value.hasPrefix("#"), piece.value.count > 1,
                piece.value.dropFirst().first?.isLetter == true
            else { return nil }
            let tag = String(piece.value.dropFirst())
            // A tag below another is a tag of the front matter; others may stand in the text.
            if let hashtag = KeywordQuery.Phrase.hashtag(tag), !tag.contains("/") {
                if piece.isNegated { excluded.append(hashtag) } else { required.append([hashtag]) }
            } else {
                addTag(tag, isNegated: piece.isNegated)
            }
            return 0
        }
        guard !piece.value.isEmpty else { return nil }
        switch piece.name {
        case "vault", "in":
            if piece.isNegated {
                filter.excludedVaults.append(piece.value)
            } else {
                filter.vaults.append(piece.value)
            }
            return 0
        case "tag", "tags":
            let tag = piece.value.hasPrefix("#") ? String(piece.value.dropFirst()) : piece.value
            guard !tag.isEmpty else { return nil }
            addTag(tag, isNegated: piece.isNegated)
            return 0
        case "type", "kind":
            let kinds = QueryReader.kinds(piece.value)
            guard !kinds.isEmpty else { return explained("'\(piece.value)' is no type of note") }
            if piece.isNegated {
                filter.excludedKinds += kinds
            } else {
                filter.kinds += kinds
            }
            return 0
        case "is", "has": return takeState(piece)
        case "before", "after", "since", "until", "on", "date":
            return takeDate(piece, following: following)
        default: return nil
        }
    }

    private mutating func addTag(_ tag: String, isNegated: Bool) {
        if isNegated { filter.excludedTags.append(tag) } else { filter.tags.append(tag) }
    }

    private mutating func takeState(_ piece: QueryPiece) -> Int? {
        let isTrue = !piece.isNegated
        switch (piece.name, piece.value.lowercased()) {
        case ("is", "evergreen"): filter.isEvergreen = isTrue
        case ("is", "pending"): filter.isPending = isTrue
        case ("is", "indexed"): filter.isPending = !isTrue
        case ("has", "task"), ("is", "task"): filter.isTask = isTrue
        case ("has", "action"), ("has", "deadline"): filter.hasAction = isTrue
        default: return explained("'\(piece.asWords)' is no filter")
        }
        return 0
    }

    /// The longest run of words that is a date counts.
    private mutating func takeDate(
        _ piece: QueryPiece, following: ArraySlice<QueryPiece>
    ) -> Int? {
        let further =
            piece.isQuoted
            ? []
            : following.prefix(SearchQuery.furtherDateWords).prefix {
                !$0.isQuoted && !$0.isNegated && $0.name.isEmpty
            }.map(\.value)
        for count in stride(from: further.count, through: 0, by: -1) {
            let phrase = ([piece.value] + further.prefix(count)).joined(separator: " ")
            guard let days = days(phrase) else { continue }
            apply(days, piece)
            return count
        }
        return explained("'\(piece.value)' is no date I know")
    }

    private func days(_ phrase: String) -> ClosedRange<Day>? {
        if let day = Day(iso: phrase) { return day...day }
        if let month = Day(iso: phrase + "-01") {
            return month...month.adding(months: 1).adding(days: -1)
        }
        if phrase.utf8.count == 4, let first = Day(iso: phrase + "-01-01"),
            let last = Day(iso: phrase + "-12-31")
        {
            return first...last
        }
        if let days = dates(phrase) { return days }
        let spaced = String(phrase.map { $0 == "-" || $0 == "_" ? " " : $0 })
        return spaced == phrase ? nil : dates(spaced)
    }

    private mutating func apply(_ days: ClosedRange<Day>, _ piece: QueryPiece) {
        switch (piece.name, piece.isNegated) {
        case ("before", false): limit(through: days.lowerBound.adding(days: -1))
        case ("until", false): limit(through: days.upperBound)
        case ("before", true): limit(from: days.lowerBound)
        case ("until", true): limit(from: days.upperBound.adding(days: 1))
        case ("after", false), ("since", false): limit(from: days.lowerBound)
        case ("after", true), ("since", true): limit(through: days.lowerBound.adding(days: -1))
        case (_, true): remarks.append("'-\(piece.asWords)' cannot be left out; it was ignored")
        case (_, false):
            limit(from: days.lowerBound)
            limit(through: days.upperBound)
        }
    }

    private mutating func limit(from day: Day) { filter.from = max(filter.from ?? day, day) }
    private mutating func limit(through day: Day) {
        filter.through = min(filter.through ?? day, day)
    }

    private mutating func explained(_ what: String) -> Int? {
        remarks.append("\(what); searched for as words")
        return nil
    }

    private static func kinds(_ value: String) -> [NoteKind] {
        switch value.lowercased() {
        case "weekly": [.weeklyReport]
        case "monthly": [.monthlyReport]
        case "report", "reports", "distilled": [.weeklyReport, .monthlyReport]
        case let value:
            NoteKind(rawValue: value).map { [$0] }
                ?? (value.hasSuffix("s") ? NoteKind(rawValue: String(value.dropLast())) : nil).map {
                    [$0]
                }
                ?? []
        }
    }
}

extension SearchQuery {
    /// Narrows the query to what the other filter lets through as well.
    package mutating func restrict(to other: NoteFilter) {
        if !other.vaults.isEmpty { filter.vaults = other.vaults }
        filter.excludedVaults += other.excludedVaults
        if !other.kinds.isEmpty { filter.kinds = other.kinds }
        filter.excludedKinds += other.excludedKinds
        filter.tags += other.tags
        filter.excludedTags += other.excludedTags
        filter.from = [filter.from, other.from].compactMap { $0 }.max()
        filter.through = [filter.through, other.through].compactMap { $0 }.min()
        filter.isEvergreen = other.isEvergreen ?? filter.isEvergreen
        filter.isPending = other.isPending ?? filter.isPending
        filter.isTask = other.isTask ?? filter.isTask
        filter.hasAction = other.hasAction ?? filter.hasAction
        filter.dueThrough = [filter.dueThrough, other.dueThrough].compactMap { $0 }.min()
    }
}
