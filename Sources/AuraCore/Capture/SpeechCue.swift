/// The words that announce a repair: `no wait`, `scratch that`, `or rather`.
struct SpeechCue {
    let start: Int
    /// After its last word.
    let end: Int
    /// Only `actually`, `make that` or `wait`: enough between two of a kind, for nothing else.
    private(set) var isWeak = true
    /// `scratch that` takes back whatever was said.
    private(set) var isScratch = false
    /// How many announcements stand together: two in `no, sorry`.
    private(set) var count = 0

    /// Nil where no cue begins with this word.
    init?(at start: Int, in words: [SpeechWord]) {
        self.start = start
        guard SpeechCue.starts.contains(words[start].key) else { return nil }
        var index = start
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
                length =
                    index + 2 < words.count && ["that", "it"].contains(words[index + 2].key) ? 3 : 0
            case ("no", _) where SpeechCue.isDeterminer(index, in: words): break
            case ("no", _), ("nope", _), ("sorry", _), ("correction", _), ("rather", _):
                (length, isWeak) = (1, false)
            case ("wait", _), ("actually", _), ("oops", _): length = 1
            case ("oh", _), ("well", _), ("or", "no"), ("or", "actually"), ("or", "wait"),
                ("or", "make"):
                // These do not make a cue by themselves.
                index += 1
                continue scanning
            default: break
            }
            if length == 0 { break }
            count += 1
            index += length
            if index < words.count, words[index - 1].asks { return nil }
        }
        guard count > 0 else { return nil }
        end = index
    }

    /// `no bread`, `no hurry`
    private static func isDeterminer(_ index: Int, in words: [SpeechWord]) -> Bool {
        guard index + 1 < words.count, !words[index].hasPause else { return false }
        let next = words[index + 1].key
        return !starts.contains(next) && SpeechPhrase.isContent(next)
            && !SpeechPhrase.prepositions.contains(next)
            && SpeechUnit.read(at: index + 1, in: words) == nil
    }

    private static let starts: Set<String> = [
        "scratch", "strike", "i", "or", "my", "make", "let's", "hang", "hold", "no", "nope",
        "sorry",
        "correction", "rather", "wait", "actually", "oops", "oh", "well",
    ]
}
