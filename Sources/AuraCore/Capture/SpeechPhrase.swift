/// Small words around a unit.
enum SpeechPhrase {
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

    /// What stands between a cue and a unit: `it's`, a preposition, an article.
    static func lead(from start: Int, in words: [SpeechWord]) -> Lead {
        var begin = start
        if begin + 1 < words.count, !words[begin].hasPause {
            let (first, second) = (words[begin].key, words[begin + 1].key)
            if ["it's", "that's"].contains(first) {
                begin += 1
            } else if ["it", "that"].contains(first), ["is", "was"].contains(second),
                !words[begin + 1].hasPause
            {
                begin += 2
            }
        }
        return Lead(from: begin, in: words)
    }

    static func start(of unit: SpeechUnit, in words: [SpeechWord]) -> Int {
        Lead(endingAt: unit.range.lowerBound, in: words).start
    }

    /// A clause may go on with this word after one of its parts.
    static func goesOn(_ key: String) -> Bool {
        prepositions.contains(key) || joining.contains(key) || partsOfSpeech.contains(key)
    }

    static func isSmall(_ key: String) -> Bool {
        prepositions.contains(key) || articles.contains(key)
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
