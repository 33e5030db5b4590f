/// What recognisers make up where nobody speaks: thanks for watching, credits of subtitles, one
/// line again and again.
///
/// Only whole sentences go: at the end of a recording, or where one is repeated. What stands between
/// sentences that say something stays.
enum SpeechInventions {
    /// One sentence of a recording, in order.
    struct Sentence {
        var text: Substring
        /// Which line of the transcript it stands in.
        var line: Int
        /// Its words, folded, without signs; empty for a long sentence, which nobody invents.
        var key: String
        var isWholeLine: Bool
    }

    /// In bytes.
    private static let longestInvention = 200

    /// Adds the sentences of one line. Linear in its length.
    static func split(_ text: String, line: Int, into sentences: inout [Sentence]) {
        let first = sentences.count
        var rest = text[...]
        while !rest.isEmpty {
            var end = rest.utf8.endIndex
            var at = rest.utf8.startIndex
            while let stop = rest.utf8[at...].firstIndex(where: {
                $0 == 0x2E || $0 == 0x21 || $0 == 0x3F
            }) {
                let next = rest.utf8.index(after: stop)
                if next == rest.utf8.endIndex || rest.utf8[next] <= 0x20 {
                    end = next
                    break
                }
                at = next
            }
            let sentence = SpeechCleaning.trimmed(rest[..<end])
            if !sentence.isEmpty {
                sentences.append(
                    Sentence(text: sentence, line: line, key: key(sentence), isWholeLine: false))
            }
            rest = rest[end...]
        }
        if sentences.count == first + 1 { sentences[first].isWholeLine = true }
    }

    private static func key(_ sentence: Substring) -> String {
        guard sentence.utf8.count <= longestInvention else { return "" }
        let folded = FoldedText.fold(sentence)
        var key = ""
        for word in folded.utf8.split(whereSeparator: { byte in
            byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte)
                && byte != 0x27
        }) {
            if !key.isEmpty { key += " " }
            key += String(Substring(word))
        }
        return key
    }

    // MARK: Dropping them

    /// - Parameter lines: how many lines the recording has.
    static func drop(from sentences: inout [Sentence], lines: Int) {
        sentences.removeAll { sentence in
            sentence.isWholeLine && (sentence.key == "you" || sentence.text.utf8.allSatisfy(isSign))
        }
        sentences = withoutLoops(sentences)
        var end = sentences.count
        while end > 0 {
            // A last `bye` goes with the outro before it.
            var goodbye = end
            while goodbye > 0, goodbyes.contains(sentences[goodbye - 1].key) { goodbye -= 1 }
            if goodbye > 0, goodbye < end, isOutro(sentences[goodbye - 1].key) { end = goodbye }
            guard isLeftAtEnd(sentences, end - 1, lines) else { break }
            end -= 1
        }
        sentences.removeLast(sentences.count - end)
    }

    /// Sentences, or two or three of them in turn, that come again and again, are kept once; an
    /// outro that does is not kept at all.
    private static func withoutLoops(_ sentences: [Sentence]) -> [Sentence] {
        var kept: [Sentence] = []
        kept.reserveCapacity(sentences.count)
        var index = 0
        while index < sentences.count {
            var length = 1
            var rounds = 1
            for period in 1...3 {
                let count = self.rounds(of: period, at: index, in: sentences)
                if count >= 2, count * period > rounds * length {
                    (length, rounds) = (period, count)
                }
            }
            let loop = sentences[index..<index + length]
            if rounds >= 2, loop.allSatisfy({ isOutro($0.key) || isCredit($0.key) }) {
                // Said once and again: nobody does.
            } else if length == 1, rounds >= 3, loop.first?.key == "thank you" {
                // Nor this.
            } else if rounds >= (length == 1 && wordCount(loop) < 5 ? 4 : 3) {
                kept.append(contentsOf: loop)
            } else {
                // Too few rounds: the first sentence stays, and the next is looked at.
                kept.append(sentences[index])
                index += 1
                continue
            }
            index += length * rounds
        }
        return kept
    }

    private static func rounds(of period: Int, at start: Int, in sentences: [Sentence]) -> Int {
        var count = 1
        var next = start + period
        while next + period <= sentences.count {
            for offset in 0..<period {
                let key = sentences[start + offset].key
                if key.isEmpty || sentences[next + offset].key != key { return count }
            }
            count += 1
            next += period
        }
        return count
    }

    private static func wordCount(_ loop: ArraySlice<Sentence>) -> Int {
        loop.reduce(0) { $0 + $1.key.utf8.count { $0 == 0x20 } + 1 }
    }

    private static func isLeftAtEnd(_ sentences: [Sentence], _ index: Int, _ lines: Int) -> Bool {
        let sentence = sentences[index]
        if isOutro(sentence.key) || isCredit(sentence.key) { return true }
        guard index > 0, sentence.isWholeLine, lines > 1 else { return false }
        return (goodbyes.contains(sentence.key) || ["so", "the end"].contains(sentence.key))
            && sentences[index - 1].line != sentence.line
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte | 0x20)
    }

    // MARK: Kinds of inventions

    /// How a film says goodbye: every word is one of its small vocabulary, and two or three together
    /// are said nowhere else.
    private static func isOutro(_ key: String) -> Bool {
        if others.contains(key) { return true }
        let isTold = outros.contains { key.firstRange(of: $0) != nil }
        guard isTold else { return false }
        return key.utf8.split(separator: 0x20).allSatisfy {
            outroWords.contains(String(Substring($0)))
        }
    }

    /// `Subtitles by the Amara.org community`: work on subtitles, and nothing but who did it.
    private static func isCredit(_ key: String) -> Bool {
        let words = key.utf8.split(separator: 0x20).map { String(Substring($0)) }
        guard let first = words.first, words.count <= 12 else { return false }
        if key.hasPrefix("for more information visit www") { return true }
        guard creditWords.contains(first) || words.count > 1 && creditWords.contains(words[1])
        else {
            return false
        }
        if words.count == 2, words[1] == "by" { return true }
        return words.contains { makers.contains($0) }
    }

    // MARK: Lists

    private static func list(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static let outros = [
        "for watching", "for listening", "for viewing", "for tuning in", "subscribe", "next video",
        "like and share", "see you next time", "in the next one", "this video", "hit the bell",
        "notification bell", "stay tuned",
    ]

    private static let outroWords = list(
        """
        thanks thank you so very much for watching listening viewing tuning in everyone everybody
        guys all and see i'll we'll will i we the next video videos one time bye goodbye please like
        likes share comment comments subscribe subscribed subscribing to my our this channel don't
        forget hit bell button notification notifications icon smash if enjoyed liked leave a below
        down consider hope until then have great nice day stay tuned for more be sure make on it
        your support have in another again
        """)

    private static let goodbyes: Set<String> = [
        "thank you", "bye", "bye bye", "goodbye", "okay bye", "see you", "see you soon", "you",
    ]

    private static let creditWords = list(
        """
        subtitles subtitle subtitled subtitling captions caption captioned captioning transcription
        transcribed transcript translation translated sous untertitel untertitelung legendas
        sottotitoli subtitulos napisy ondertiteling ondertitels undertexter closed copyright
        """)

    /// Who signs recordings that whisper learnt from.
    private static let makers = list(
        """
        amara castingwords otter rev zdf ard swr wdr ndr orf bbc netflix opensubtitles subscene
        dotsub zeoranger youtube ted tedx qtss communaute comunita comunidad community
        """)

    private static let others: Set<String> = Set(
        [
            "www mooji org", "amara org", "sous titres realises par la communaute d'amara org",
            "merci d'avoir regarde cette video", "vielen dank fur's zuschauen",
            "vielen dank furs zuschauen", "gracias por ver el video", "obrigado por assistir",
            "grazie per la visione", "ご視聴ありがとうございました", "ご視聴ありがとうございました。",
            "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目", "Продолжение следует", "Спасибо за просмотр",
            "Субтитры сделал DimaTorzok", "시청해주셔서 감사합니다",
        ].map { FoldedText.fold($0) })
}
