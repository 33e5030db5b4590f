/// Sounds and phrases that fill a pause: `um`, and `you know` where it tells nothing.
enum SpeechFillers {
    /// Without `um`, `uh`, `er` and their like.
    static func withoutSounds(_ words: [SpeechWord]) -> [SpeechWord] {
        var kept: [SpeechWord] = []
        kept.reserveCapacity(words.count)
        var isAfterSound = false
        for index in words.indices {
            let begins = kept.last.map(\.hasStop) ?? true
            if isSound(words[index]), begins || !words[index].isCapitalised {
                kept.closeGap(
                    over: words[index...index],
                    before: index + 1 < words.count ? words[index + 1] : nil)
                isAfterSound = true
            } else {
                kept.append(words[index])
                kept[kept.count - 1].isAfterSound = isAfterSound
                isAfterSound = false
            }
        }
        return kept
    }

    /// Without `you know`, `I mean`, `like`, `sort of` and `kind of` where they are surely fillers:
    /// set off by signs, or at a place where no sentence can have them.
    static func withoutPhrases(_ words: [SpeechWord]) -> [SpeechWord] {
        var kept: [SpeechWord] = []
        kept.reserveCapacity(words.count)
        var index = 0
        var isAfterFiller = false
        while index < words.count {
            let length = lengthOfPhrase(
                at: index, in: words, after: kept.last,
                isAfterFiller: isAfterFiller || words[index].isAfterSound)
            isAfterFiller = length > 0
            if length > 0 {
                var phrase = words[index..<index + length]
                // `It was cold, you know?` asks nothing.
                if phrase[index + length - 1].asks { phrase[index + length - 1].tail = "." }
                let end = phrase[index + length - 1]
                let comma =
                    kept.last.map {
                        $0.tail == "," && end.tail == "," && !linking.contains($0.key)
                    } ?? false
                index += length
                kept.closeGap(over: phrase, before: index < words.count ? words[index] : nil)
                // `…, I mean, it works` parts two clauses.
                if comma, index < words.count, clauseStarts.contains(words[index].key) {
                    kept[kept.count - 1].tail = ","
                }
            } else {
                kept.append(words[index])
                index += 1
            }
        }
        return kept
    }

    // MARK: One of them

    /// `um`, `Uh,` and `er…`, but not `UM`, `ER` or `uh-huh`.
    private static func isSound(_ word: SpeechWord) -> Bool {
        guard word.core.utf8.count <= 6, sounds.contains(word.key), !word.isQuoted else {
            return false
        }
        return word.core.utf8.dropFirst().allSatisfy { $0 >= 0x61 }
    }

    private static func lengthOfPhrase(
        at index: Int, in words: [SpeechWord], after last: SpeechWord?, isAfterFiller: Bool
    ) -> Int {
        let word = words[index]
        guard phraseStarts.contains(word.key), !word.isQuoted else { return 0 }
        // A pause or the sentence's beginning before it.
        let isSetOff = isAfterFiller || last.map { $0.hasPause && !$0.asks } ?? true
        let begins = last.map(\.hasStop) ?? true
        if word.key == "like" {
            return isLike(at: index, in: words, after: last, isSetOff: isSetOff) ? 1 : 0
        }
        guard index + 1 < words.count, !word.hasPause else { return 0 }
        let second = words[index + 1]
        let next = index + 2 < words.count && !second.hasPause ? words[index + 2].key : ""
        let before = last.map { $0.hasStop ? "" : $0.key } ?? ""
        let isFiller =
            switch (word.key, second.key) {
            case ("you", "know"):
                second.hasPause && (isSetOff || !beforeYouKnow.contains(before))
                    || goesOnAfter.contains(before) && !afterKnow.contains(next) && !next.isEmpty
            case ("i", "mean"):
                second.hasPause
                    ? second.tail.utf8.first == 0x2C && !beforeIMean.contains(before)
                        && (isSetOff || linking.contains(before))
                    : index + 3 < words.count && !words[index + 2].hasPause
                        && subjects.contains(next)
                        && (begins || linking.contains(before))
            case ("sort", "of"), ("kind", "of"):
                second.hasPause && isSetOff
                    || !second.hasPause && last?.hasPause != true
                        && isHedged(before, next, words, index)
            default: false
            }
        guard isFiller else { return 0 }
        // A question of its own, `you know?`, needs a sentence before it.
        return begins && second.asks ? 0 : 2
    }

    /// `is kind of late`, `I sort of think`; not `that was kind of you`, `a kind of cheese`.
    private static func isHedged(
        _ before: String, _ next: String, _ words: [SpeechWord], _ index: Int
    ) -> Bool {
        guard beforeHedge.contains(before), !next.isEmpty, !people.contains(next) else {
            return false
        }
        return SpeechUnit.read(at: index + 2, in: words)?.kind != .name
    }

    private static func isLike(
        at index: Int, in words: [SpeechWord], after last: SpeechWord?, isSetOff: Bool
    ) -> Bool {
        let word = words[index]
        if word.tail == "," || word.tail == "…" || word.tail == "..." {
            return isSetOff || last.map { linking.contains($0.key) || isBeing($0.key) } == true
        }
        guard !word.hasPause, index + 1 < words.count, let last, !last.hasStop else { return false }
        let next = words[index + 1]
        if next.isAfterSound, SpeechUnit.read(at: index + 1, in: words)?.kind == .number {
            return true
        }
        if isBeing(last.key), !last.hasPause {
            return degrees.contains(next.key)
                || SpeechUnit.read(at: index + 1, in: words)?.kind == .number
        }
        if ["in", "for", "about", "need", "needs", "want", "with", "after", "within"]
            .contains(last.key), !last.hasPause
        {
            return SpeechUnit.read(at: index + 1, in: words)?.kind == .number
        }
        return false
    }

    private static func isBeing(_ key: String) -> Bool {
        ["is", "was", "are", "were", "it's", "that's", "been", "be"].contains(key)
    }

    // MARK: Lists

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static let sounds = list(
        "um umm ummm uhm uh uhh uhhh er err erm ermm ehm hm hmm hmmm mm mmm mhm")

    private static let phraseStarts = list("you i like sort kind")

    /// `do you know`, `as you know`, `I told you know-how`: there it is a verb of the sentence.
    private static let beforeYouKnow = list(
        """
        do did if as what that let would could can will may might should shall how because when than
        who people things everyone all before since until unless though although once
        """)
    /// After these a sentence cannot go on with `you know`.
    private static let goesOnAfter = list(
        """
        the a an my our his her their your to should would could can can't will won't must was were
        is are am be been it's he's she's we're they're i'm very really just not for with of in at
        on from about by
        """)
    private static let afterKnow = list(
        """
        what that how who where when why if the a my him her them it me us this about whether which
        anyone someone any of nothing everything who's what's
        """)
    private static let beforeIMean = list("what that if do which how not is")
    private static let subjects = list(
        """
        i we he she they you there it it's i'm we're they're he's she's that's there's i've we've
        i'd we'd i'll we'll
        """)
    private static let clauseStarts = subjects.union(list("so but and because which who or"))
    private static let linking = list("and but so or because well yeah yes okay then also oh")
    private static let beforeHedge = list(
        """
        i we he she they you it is are was were am i'm it's he's she's we're they're that's been be
        just really should would could might can will to
        """)
    private static let people = list(
        "you him her them us me someone everyone everybody people it this that the")
    private static let degrees = list(
        "really so totally super very pretty quite extremely completely literally way too just")
}
