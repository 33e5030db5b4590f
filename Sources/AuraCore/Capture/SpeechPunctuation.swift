/// Capitals and signs of English text: sentences begin with a capital and end with a sign, `i` is
/// `I`, days and months have their capitals. No word is added or left out.
enum SpeechPunctuation {
    /// - Parameter completes: whether the stretch begins and ends with a sentence. Captions are cut
    ///   anywhere, and the lines of a list are no sentences.
    static func set(_ words: inout [SpeechWord], completes: Bool) {
        for index in words.indices {
            fixSigns(&words[index])
            fixName(at: index, in: &words)
        }
        guard completes, words.count >= shortestSentence, !isListItem(words[0]) else { return }
        for index in words.indices where beginsSentence(index, words) {
            let isBracketed = words[index].lead.contains { "([{".contains($0) }
            if !isBracketed, isPlain(words[index].core) { words[index].capitalise() }
        }
        close(&words)
    }

    /// In words. What is shorter may be a line of a list, or a name.
    private static let shortestSentence = 3

    /// `,,` → `,` and `,.` → `.`
    private static func fixSigns(_ word: inout SpeechWord) {
        guard word.tail.utf8.count > 1, word.tail.utf8.contains(0x2C) else { return }
        var tail = ""
        for character in word.tail {
            if character == ",", tail.last == "," { continue }
            if ".!?;:".contains(character), tail.last == "," { tail.removeLast() }
            if character == ",", let last = tail.last, ".!?;:".contains(last) { continue }
            tail.append(character)
        }
        word.tail = tail
    }

    private static func fixName(at index: Int, in words: inout [SpeechWord]) {
        let key = words[index].key
        guard words[index].core == key else { return }
        if SpeechUnit.pronounsOfOneself.contains(key) {
            words[index].core = "I" + words[index].core.dropFirst()
        } else if SpeechUnit.weekdays.contains(key) || isMonth(at: index, in: words) {
            words[index].core = words[index].core.prefix(1).uppercased() + key.dropFirst()
        }
    }

    private static func isMonth(at index: Int, in words: [SpeechWord]) -> Bool {
        let key = words[index].key
        guard SpeechUnit.months.contains(key) else { return false }
        if key != "may" && key != "march" { return true }
        let before = index > 0 && !words[index - 1].hasPause ? words[index - 1].key : ""
        if SpeechUnit.beforeMonths.contains(before) { return true }
        return SpeechUnit.read(at: index, in: words)?.kind == .date
            || index > 0 && SpeechUnit.read(at: index - 1, in: words)?.kind == .date
    }

    private static func beginsSentence(_ index: Int, _ words: [SpeechWord]) -> Bool {
        index == 0 || words[index - 1].hasStop
    }

    /// No address, file name or `iPhone`.
    private static func isPlain(_ core: String) -> Bool {
        var rest = core.unicodeScalars[...]
        guard let first = rest.popFirst(), first.properties.isLowercase else { return false }
        return rest.allSatisfy {
            $0.properties.isLowercase || $0 == "'" || $0 == "’" || $0 == "-"
        }
    }

    private static func isListItem(_ word: SpeechWord) -> Bool {
        guard let first = word.core.unicodeScalars.first else { return true }
        return !first.properties.isAlphabetic && !("0"..."9").contains(first) && word.lead.isEmpty
    }

    /// Sets the sign that is missing at the end.
    private static func close(_ words: inout [SpeechWord]) {
        let last = words.count - 1
        if words[last].tail.allSatisfy({ $0 == "," }) {
            guard let end = words[last].core.unicodeScalars.last,
                end.properties.isAlphabetic || ("0"..."9").contains(end) || end == "%"
            else { return }
            words[last].tail = isQuestion(words) ? "?" : "."
        }
    }

    /// One sentence without signs that begins as only questions do: `can you`, `what is`.
    private static func isQuestion(_ words: [SpeechWord]) -> Bool {
        guard words.count <= 20, words.dropLast().allSatisfy({ !$0.hasStop }) else { return false }
        let (first, second) = (words[0].key, words[1].key)
        if asking.contains(first) { return subjects.contains(second) }
        if ["what", "which", "how"].contains(first) {
            return words[1..<min(4, words.count)].contains { verbs.contains($0.key) }
        }
        return ["where", "who", "why", "when"].contains(first) && verbs.contains(second)
    }

    private static let verbs: Set<String> = [
        "is", "are", "was", "were", "did", "does", "do", "should", "will", "can",
    ]

    private static let asking: Set<String> = [
        "can", "could", "would", "do", "does", "did", "are", "is", "was", "were", "will", "have",
        "has", "should", "shall",
    ]
    private static let subjects: Set<String> = [
        "i", "we", "you", "he", "she", "they", "it", "there", "anyone", "anybody",
    ]
}
