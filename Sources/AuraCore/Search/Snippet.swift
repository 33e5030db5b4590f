/// One line of a note around what was looked for.
package struct Snippet: Hashable, Sendable {
    /// No line breaks; `…` where the note goes on.
    package var text: String
    /// The words that were looked for, as ranges of `text`, in order.
    package var highlights: [Range<String.Index>]

    static let empty = Snippet(text: "", highlights: [])

    /// Characters aimed at.
    static let usualLength = 160
}

/// Finds the words of a query in texts.
struct SnippetMaker {
    /// Stems and whole words of the query.
    private let stems: Set<[UInt8]>
    /// The bytes that stems begin with. A stem keeps its word's first letter, so most words need no
    /// stemming to be passed over.
    private let firsts: Set<UInt8>
    private let prefixes: [String]
    private let length: Int

    init(_ query: KeywordQuery, length: Int = Snippet.usualLength) {
        var stems: Set<[UInt8]> = []
        var prefixes: [String] = []
        // Words like `the` are quoted only where nothing else is looked for.
        let telling = query.sought.filter { !$0.isStopWord }
        for phrase in telling.isEmpty ? query.sought : telling {
            for term in phrase.terms {
                stems.insert(Array(term.stem.utf8))
                if term.word.hasPrefix("#") { stems.insert(Array(term.word.utf8.dropFirst())) }
            }
            if let whole = phrase.whole { stems.insert(Array(EnglishStem.of(whole).utf8)) }
            if phrase.isPrefix, let last = phrase.terms.last { prefixes.append(last.word) }
        }
        self.stems = stems
        firsts = Set(stems.compactMap(\.first) + prefixes.compactMap(\.utf8.first))
        self.prefixes = prefixes
        self.length = length
    }

    struct Match: Hashable {
        /// In bytes of the text's UTF-8.
        var range: Range<Int>
        var stem: String
    }

    /// Where the words of the query stand in a text.
    func matches(in text: String) -> [Match] {
        guard !stems.isEmpty || !prefixes.isEmpty else { return [] }
        var matches: [Match] = []
        var scanner = TermScanner(text)
        var stem: [UInt8] = []
        while scanner.next() {
            guard firsts.contains(scanner.term[0]) || !scanner.innerWords.isEmpty else { continue }
            stem.removeAll(keepingCapacity: true)
            stem.append(contentsOf: scanner.term)
            if !scanner.isPair { EnglishStem.reduce(&stem) }
            if stems.contains(stem) {
                matches.append(
                    Match(range: scanner.range, stem: String(decoding: stem, as: UTF8.self)))
            } else if let prefix = prefixes.first(where: { scanner.term.starts(with: $0.utf8) }) {
                matches.append(Match(range: scanner.range, stem: prefix))
            } else if !scanner.innerWords.isEmpty {
                let ends = scanner.innerWords + [scanner.term.count]
                for (start, end) in zip([0] + scanner.innerWords, ends) {
                    var inner = Array(scanner.term[start..<end])
                    EnglishStem.reduce(&inner)
                    guard stems.contains(inner) else { continue }
                    let from = scanner.range.lowerBound
                    matches.append(
                        Match(
                            range: (from + start)..<(from + end),
                            stem: String(decoding: inner, as: UTF8.self)))
                }
            }
        }
        return matches
    }

    /// How much a passage says about the query: different words first, then how often.
    func weight(of matches: [Match]) -> Int {
        Set(matches.map(\.stem)).count * 1000 + min(matches.count, 999)
    }

    /// The part of the text with most of the different words, as one line.
    ///
    /// A heading that opens the text is left out, unless only the heading has the words.
    /// - Parameter found: the matches in the text.
    func snippet(of text: String, _ found: [Match]) -> Snippet {
        if text.hasPrefix("#"), let end = text.firstIndex(where: \.isNewline) {
            let body = String(text[end...].drop(while: \.isWhitespace))
            let inside = matches(in: body)
            if !body.isEmpty, !inside.isEmpty || found.isEmpty { return line(of: body, inside) }
        }
        return line(of: text, found)
    }

    func snippet(of text: String) -> Snippet { snippet(of: text, matches(in: text)) }

    private func line(of text: String, _ matches: [Match]) -> Snippet {
        let window = self.window(in: text, matches)
        var line = ""
        var highlights: [Range<Int>] = []
        let utf8 = text.utf8
        var index = window.lowerBound
        if index > text.startIndex { line = "…" }
        var next = matches.drop {
            utf8.index(text.startIndex, offsetBy: $0.range.lowerBound) < index
        }
        var open: (start: Int, end: Int)?
        var offset = utf8.distance(from: text.startIndex, to: index)
        var isAfterBlank = true
        while index < window.upperBound {
            let character = text[index]
            let size = character.utf8.count
            if open == nil, let match = next.first, offset + size > match.range.lowerBound {
                open = (line.utf8.count, match.range.upperBound)
                next = next.dropFirst()
            }
            if SnippetMaker.isBlank(character) {
                if !isAfterBlank { line.append(" ") }
                isAfterBlank = true
            } else {
                line.append(character)
                isAfterBlank = false
            }
            offset += size
            if let (start, end) = open, offset >= end {
                highlights.append(start..<line.utf8.count)
                // Pairs of one run overlap.
                next = next.drop { $0.range.upperBound <= offset }
                open = nil
            }
            index = text.index(after: index)
        }
        if let (start, _) = open { highlights.append(start..<line.utf8.count) }
        while line.last == " " { line.removeLast() }
        if window.upperBound < text.endIndex,
            text[window.upperBound...].contains(where: { !SnippetMaker.isBlank($0) })
        {
            line += "…"
        }
        return Snippet(text: line, highlights: SnippetMaker.ranges(highlights, in: line))
    }

    private static func isBlank(_ character: Character) -> Bool {
        character.isWhitespace || character.isNewline
            || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }

    /// Neighbours and overlaps become one; all on character boundaries.
    private static func ranges(_ bytes: [Range<Int>], in line: String) -> [Range<String.Index>] {
        var merged: [Range<Int>] = []
        for range in bytes where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged.compactMap { range in
            let end = min(range.upperBound, line.utf8.count)
            guard range.lowerBound < end else { return nil }
            let from = line.utf8.index(line.startIndex, offsetBy: range.lowerBound)
            let to = line.utf8.index(line.startIndex, offsetBy: end)
            return from..<to
        }
    }

    /// The window with the most different words; of equals the first.
    private func window(in text: String, _ matches: [Match]) -> Range<String.Index> {
        guard let first = matches.first else {
            return text.startIndex..<cut(text, from: text.startIndex, length)
        }
        if text.utf8.count <= 4 * length, text.count <= length {
            return text.startIndex..<text.endIndex
        }
        // Bytes stand for characters here; the ends are moved to characters and words below.
        var best = (weight: 0, from: first.range.lowerBound, to: first.range.upperBound)
        for (index, start) in matches.enumerated().prefix(500) {
            let inside = matches[index...].prefix {
                $0.range.upperBound - start.range.lowerBound <= length
            }
            let weight = self.weight(of: Array(inside))
            if weight > best.weight {
                best = (
                    weight, start.range.lowerBound,
                    inside.last?.range.upperBound ?? start.range.upperBound
                )
            }
        }
        let spare = max(0, length - (best.to - best.from))
        let from = start(text, atByte: best.from, back: spare / 3)
        return from..<cut(text, from: from, length)
    }

    /// So many characters before a byte, at the beginning of a word where one is near.
    private func start(_ text: String, atByte byte: Int, back: Int) -> String.Index {
        let exact = text.utf8.index(text.startIndex, offsetBy: byte)
        // Down to the character that holds the byte.
        let match = text.index(before: text.index(after: text[..<exact].endIndex))
        let back = text.index(match, offsetBy: -back, limitedBy: text.startIndex) ?? text.startIndex
        if back == text.startIndex { return back }
        guard let blank = text[back..<match].firstIndex(where: SnippetMaker.isBlank) else {
            return back
        }
        return text[blank..<match].firstIndex { !SnippetMaker.isBlank($0) } ?? match
    }

    /// So many characters after an index, at the end of a word where one is near.
    private func cut(_ text: String, from: String.Index, _ count: Int) -> String.Index {
        guard let end = text.index(from, offsetBy: count, limitedBy: text.endIndex),
            end < text.endIndex
        else { return text.endIndex }
        if SnippetMaker.isBlank(text[end]) { return end }
        let tail = text.index(end, offsetBy: -count / 4)
        return text[tail..<end].lastIndex(where: SnippetMaker.isBlank) ?? end
    }
}
