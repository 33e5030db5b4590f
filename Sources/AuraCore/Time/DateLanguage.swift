/// The words of one language in which dates are written, and the few ways in which its grammar
/// differs. A further language is one more such table.
///
/// Words are written with their accents and looked up without. A word means one thing; what it may mean besides, after a day or in an
/// expression of several words, stands in tables of its own.
package struct DateLanguage: Sendable {
    /// The languages there is a table for, as ISO 639 names them.
    package enum Code: String, CaseIterable, Sendable { case en, de, es }

    package let code: Code
    private let entries: [String: Entry]
    /// Expressions of several words that are one, by their first word, longest first.
    private let expressions: [String: [Expression]]
    private let holidays: [String: Holiday]
    /// The first words of all holidays, with the number of words of the longest that begins so.
    private let holidayLengths: [String: Int]
    let habits: Habits

    struct Entry: Sendable {
        var meaning: DateWord
        var startsExpression = false
    }

    struct Expression: Sendable {
        /// The words after the first.
        let rest: [String]
        let meaning: DateWord
    }

    /// What is not a meaning of one word.
    struct Habits: Sendable {
        /// What a word means after a day or a preposition: German `morgen` is tomorrow and morning.
        var secondMeanings: [String: DateWord] = [:]
        /// Words that may stand between a date and the one that takes its place: `scratch that`.
        var corrections: Set<String> = []
        /// Of those, the words that make it one.
        var correctionKeys: Set<String> = []
        /// Words after which a bare hour or ordinal has ended: `at six we leave`.
        var clauseWords: Set<String> = []
        /// Words that make a stretch before them end: `before April ends`.
        var endings: Set<String> = []
        /// Words that a number before them counts: `at 20 degrees`.
        var countedWords: Set<String> = []
        /// Months in lower case that are more often another word.
        var otherWords: Set<String> = []
        /// Holidays that are also another word and need a year or a capital letter.
        var plainHolidays: Set<String> = []
        /// `halb drei` is half past two.
        var halfIsBefore = false
        /// `15 Uhr 30`: minutes may follow the word for the clock.
        var minutesFollowClock = false
        /// `las tres y media`: minutes follow the hour and a word.
        var minutesFollowHour = false
        /// `vor drei Tagen`: the word for before, with an amount, means ago.
        var beforeIsAgo = false
        /// `la semana próxima`: which one is meant may follow the name.
        var whichFollows = false
        /// `el viernes`: an article before a weekday says nothing.
        var hasArticles = false
        /// `am 3.`: a number with a point is an ordinal.
        var pointIsOrdinal = false
        /// `Anfang April`: no word stands between an edge and its period.
        var edgeIsDirect = false
    }

    /// What a word means; nil for a word that has nothing to do with dates.
    func entry(for word: String) -> Entry? { entries[word] }

    /// - Parameter meanings: words or, with blanks in them, expressions.
    init(
        code: Code, meanings: [String: DateWord], holidays named: [String: Holiday],
        habits: Habits
    ) {
        self.code = code
        let holidays = DateLanguage.folded(named)
        var single = meanings.filter { !$0.key.utf8.contains(0x20) }.mapValues {
            Entry(meaning: $0)
        }
        var expressions: [String: [Expression]] = [:]
        for (text, meaning) in meanings where text.utf8.contains(0x20) {
            let words = text.split(separator: " ").map(String.init)
            expressions[words[0], default: []].append(
                Expression(rest: Array(words.dropFirst()), meaning: meaning))
            single[words[0], default: Entry(meaning: .none)].startsExpression = true
        }
        self.expressions = expressions.mapValues { list in
            list.sorted { $0.rest.count > $1.rest.count }
        }
        var lengths: [String: Int] = [:]
        for name in holidays.keys {
            let words = name.split(separator: " ")
            let first = String(words[0])
            lengths[first] = max(lengths[first] ?? 0, words.count)
            // `father's` begins one as `fathers` does.
            for spelling in [first, "\(first.dropLast())'s"]
            where single[spelling].map({ $0.meaning == .none }) ?? true {
                single[spelling, default: Entry(meaning: .none)].meaning = .holiday
            }
        }
        entries = single
        self.holidays = holidays
        holidayLengths = lengths
        self.habits = habits.folded
    }

    /// Words as they are looked up: without accents, in lower case.
    fileprivate static func folded<Value>(_ table: [String: Value]) -> [String: Value] {
        Dictionary(table.map { (FoldedText.fold($0.key), $0.value) }) { first, _ in first }
    }

    /// How many words the longest holiday has that begins with the word; 0 for none.
    func longestHoliday(from word: String) -> Int { holidayLengths[word] ?? 0 }

    /// The holiday of that name; words are parted by single blanks and have no apostrophes.
    func holiday(named name: String) -> Holiday? { holidays[name] }

    /// Expressions that begin with the word, longest first.
    func expressions(from word: String) -> [Expression] { expressions[word] ?? [] }
}

extension DateLanguage {
    /// The table of a language, made when it is first asked for.
    package static func of(_ code: Code) -> DateLanguage {
        switch code {
        case .en: english
        case .de: german
        case .es: spanish
        }
    }
}

extension DateLanguage.Habits {
    fileprivate var folded: Self {
        var habits = self
        habits.secondMeanings = DateLanguage.folded(secondMeanings)
        habits.corrections = Set(corrections.map { FoldedText.fold($0) })
        habits.correctionKeys = Set(correctionKeys.map { FoldedText.fold($0) })
        habits.clauseWords = Set(clauseWords.map { FoldedText.fold($0) })
        return habits
    }
}

/// Gathers the meanings of a language.
struct DateMeanings {
    private(set) var table: [String: DateWord] = [:]

    /// Words parted by blanks; `_` stands for the blank inside an expression.
    mutating func add(_ words: String, _ meaning: DateWord) {
        for word in words.split(separator: " ") {
            let words = word.split(separator: "_").map { FoldedText.fold(String($0)) }
            table[words.joined(separator: " ")] = meaning
        }
    }

    /// Words that stand for 0, 1, 2 …; an empty place is left out.
    mutating func addInOrder(_ words: [String], from first: Int = 0, _ meaning: (Int) -> DateWord) {
        for (index, word) in words.enumerated() { add(word, meaning(first + index)) }
    }
}

/// How a person writes dates, and where.
package struct DateCustoms: Sendable {
    /// `4/3` is the fourth of March.
    package var dayFirst: Bool
    /// The languages tried, in this order.
    package var languages: [DateLanguage]
    /// The zone of `now`. Without one, a zone that a text names changes nothing, and hours are
    /// counted on the clock.
    package var zone: Zone?

    package init(
        dayFirst: Bool = true, languages: [DateLanguage] = [.english], zone: Zone? = nil
    ) {
        self.dayFirst = dayFirst
        self.languages = languages
        self.zone = zone
    }
}
