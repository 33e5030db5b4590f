/// Whether a model that was to polish a text has kept to it.
///
/// Pure code: the text before and after are compared, and who wrote either does not matter.
package enum SpeechGuard {
    /// What speaks against the polished text.
    package enum Objection: Hashable, Sendable {
        case isEmpty
        case losesName(String)
        case losesNumber(String)
        case addsNumber(String)
        /// A day, a month, or `tomorrow`.
        case losesDay(String)
        case addsDay(String)
        /// It denies more often, or less often.
        case changesDenials(from: Int, to: Int)
        /// A word that is no function word and that the text does not have in any form.
        case addsWord(String)
        /// Too many words are gone, or the text has grown.
        case changesLength(from: Int, to: Int)
        /// More of what the text says is gone than hesitations explain.
        case losesWords(Int, of: Int)
    }

    /// Polishing leaves hesitations out and adds a small word here and there; so many words of the
    /// text's must be there at least, and so many may be at most.
    private static let shareOfWords = 0.6...1.1
    /// Of a text's different telling words, so many stay.
    private static let shareOfTellingWords = 0.8

    /// The first thing that speaks against `polished`, made from `text`; nil when nothing does.
    /// Linear in the length of both.
    package static func objection(to polished: String, from text: String) -> Objection? {
        let old = Facts(text)
        let new = Facts(polished)
        if new.count == 0 { return .isEmpty }
        if let name = old.names.subtracting(new.all).min() { return .losesName(name) }
        if let number = excess(old.numbers, over: new.numbers) { return .losesNumber(number) }
        if let number = excess(new.numbers, over: old.numbers) { return .addsNumber(number) }
        if let day = excess(old.days, over: new.days) { return .losesDay(day) }
        if let day = excess(new.days, over: old.days) { return .addsDay(day) }
        if old.denials != new.denials {
            return .changesDenials(from: old.denials, to: new.denials)
        }
        if let word = new.telling.filter({ !old.stems.contains($0.key) }).map(\.value).min() {
            return .addsWord(word)
        }
        let (least, most) = (
            Double(old.count) * shareOfWords.lowerBound,
            Double(old.count) * shareOfWords.upperBound + 2
        )
        guard (least...most).contains(Double(new.count)) else {
            return .changesLength(from: old.count, to: new.count)
        }
        let lost = old.telling.keys.count { !new.stems.contains($0) }
        if Double(lost) > Double(old.telling.count) * (1 - shareOfTellingWords) {
            return .losesWords(lost, of: old.telling.count)
        }
        return nil
    }

    /// The first in the alphabet of those that are more often in one than in the other.
    private static func excess(_ one: [String: Int], over other: [String: Int]) -> String? {
        one.filter { $0.value > other[$0.key, default: 0] }.keys.min()
    }

    /// What a text says that polishing must keep.
    private struct Facts {
        private(set) var count = 0
        private(set) var all: Set<String> = []
        /// Stems of all words.
        private(set) var stems: Set<String> = []
        /// Words that are no function words, by their stems.
        private(set) var telling: [String: String] = [:]
        private(set) var names: Set<String> = []
        private(set) var numbers: [String: Int] = [:]
        private(set) var days: [String: Int] = [:]
        private(set) var denials = 0

        init(_ text: String) {
            var words: [SpeechWord] = []
            for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
                SpeechWord.read(line, line: number, into: &words)
            }
            for index in words.indices { add(index, words) }
        }

        private mutating func add(_ index: Int, _ words: [SpeechWord]) {
            let word = words[index]
            guard word.core.unicodeScalars.contains(where: Facts.isLetterOrDigit) else { return }
            count += 1
            // Possessives are what they are of.
            let key = word.key.hasSuffix("'s") ? String(word.key.dropLast(2)) : word.key
            all.insert(key)
            let stem = EnglishStem.of(key)
            stems.insert(stem)
            if SpeechUnit.denials.contains(word.key) {
                denials += 1
            } else if SpeechUnit.isDayWord(at: index, in: words) {
                days[key, default: 0] += 1
            } else if let number = Facts.number(key) {
                numbers[number, default: 0] += 1
            } else if Facts.isName(index, words) {
                names.insert(key)
                telling[stem] = key
            } else if !StopWords.english.contains(key), !key.utf8.contains(0x27) {
                telling[stem] = key
            }
        }

        private static func isName(_ index: Int, _ words: [SpeechWord]) -> Bool {
            words[index].isCapitalised && !words.beginsSentence(index)
                && !SpeechUnit.pronounsOfOneself.contains(words[index].key)
        }

        /// `4` and `four` are one number; other digits stay as they are.
        private static func number(_ key: String) -> String? {
            if let value = small.firstIndex(of: key) { return String(value) }
            if SpeechUnit.isNumberWord(key) { return key }
            return key.utf8.contains { (0x30...0x39).contains($0) } ? key : nil
        }

        private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }

        private static let small = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve",
        ]
    }
}
