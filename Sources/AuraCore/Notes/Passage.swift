internal import AuraMarkdown

/// A piece of a note's body that search finds and answers quote: about 256 tokens of one section.
package struct Passage: Hashable, Sendable {
    /// From 0, in the order of the body.
    package let ordinal: Int
    /// The headings above it, outermost first. Its own heading, which opens its text, is the last.
    package let headingPath: [String]
    /// The source as it is written, without blank lines around it.
    package let text: String
    /// Where `text` stands in the body's UTF-8 (`note.body.utf8`).
    package let byteRange: Range<Int>
    /// From 1, counted from the body's first line.
    package let startLine: Int

    /// Where a passage ends if its paragraph does. The embedding model reads 256 tokens; what it
    /// would not see belongs into the next passage.
    static let wantedTokens = 256
    /// How much of a body is split; the rest is found by its first 8 MB alone.
    package static let maximumBytes = 8 * 1024 * 1024

    /// The passages of a note's body; none for a body without text.
    package static func split(note: Note) -> [Passage] { split(body: note.body).passages }

    /// Linear in the body's length, at most `limit` bytes of it.
    ///
    /// A passage never crosses a heading. Code blocks, tables and paragraphs stay whole where they
    /// fit; long ones are cut at line ends, or at ends of sentences, or between words.
    /// `isCut` when the body goes on behind what was split.
    package static func split(
        body: String, limit: Int = maximumBytes
    ) -> (passages: [Passage], isCut: Bool) {
        var whole = Array(body.utf8.prefix(limit))
        let isCut = body.utf8.count > whole.count
        // A character that may have been cut through goes.
        while isCut, let last = whole.last, last >= 0x80 {
            whole.removeLast()
            if last >= 0xC0 { break }
        }
        var splitter = PassageSplitter(whole)
        splitter.run(MarkdownDocument(whole[...]).blocks)
        return (splitter.passages, isCut)
    }
}

/// Gathers blocks into passages.
private struct PassageSplitter {
    private(set) var passages: [Passage] = []
    private let bytes: [UInt8]
    private var headings: [(level: Int, text: String)] = []
    /// The passage that is being gathered: from the start of its first block.
    private var range = 0..<0
    private var tokens = 0
    /// A heading stays with the text below it, even where both are more than is wanted.
    private var isHeadingAlone = false
    /// Lines are counted on from the last passage's start.
    private var counted = (offset: 0, line: 1)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func run(_ blocks: [MarkdownBlock]) {
        for (index, block) in blocks.enumerated() {
            // What lies between two blocks (link definitions, blank lines) goes with the first.
            let start = index == 0 ? 0 : block.bytes.lowerBound
            let end = index + 1 < blocks.count ? blocks[index + 1].bytes.lowerBound : bytes.count
            if case .heading(let level) = block.kind, block.nesting == 0 {
                flush()
                headings.removeAll { $0.level >= level }
                headings.append((level, block.text))
                range = start..<start
            }
            add(start..<max(start, end), block.kind)
        }
        if blocks.isEmpty { add(0..<bytes.count, .paragraph) }
        flush()
    }

    private mutating func add(_ block: Range<Int>, _ kind: MarkdownBlock.Kind) {
        let cost = TokenCount.estimate(bytes[block])
        if tokens > 0, tokens + cost > Passage.wantedTokens, !isHeadingAlone { flush() }
        if range.isEmpty { range = block.lowerBound..<block.lowerBound }
        if case .heading = kind { isHeadingAlone = tokens == 0 } else { isHeadingAlone = false }
        guard cost > Passage.wantedTokens else {
            extend(to: block.upperBound, by: cost)
            return
        }
        let isLineWise: Bool
        switch kind {
        case .code, .table, .html: isLineWise = true
        case .heading, .paragraph, .listItem, .quote, .rule: isLineWise = false
        }
        for piece in TextPieces(bytes, block, isLineWise: isLineWise).pieces {
            if tokens > 0, tokens + piece.tokens > Passage.wantedTokens { flush() }
            if range.isEmpty { range = piece.range.lowerBound..<piece.range.lowerBound }
            extend(to: piece.range.upperBound, by: piece.tokens)
        }
    }

    private mutating func extend(to end: Int, by cost: Int) {
        range = range.lowerBound..<end
        tokens += cost
    }

    private mutating func flush() {
        defer {
            range = range.upperBound..<range.upperBound
            tokens = 0
        }
        var text = bytes[range]
        while let last = text.last, last <= 0x20 { text.removeLast() }
        // Blanks before the first word may be the indentation of code; only whole lines go.
        var start = text.startIndex
        for index in text.indices {
            if text[index] > 0x20 { break }
            if text[index] == 0x0A || text[index] == 0x0D { start = index + 1 }
        }
        text = text[start...]
        guard !text.isEmpty else { return }
        passages.append(
            Passage(
                ordinal: passages.count, headingPath: headings.map(\.text),
                text: String(decoding: text, as: UTF8.self),
                byteRange: text.startIndex..<text.endIndex,
                startLine: line(at: text.startIndex)))
    }

    private mutating func line(at offset: Int) -> Int {
        var (index, line) = counted
        while index < offset {
            if bytes[index] == 0x0A || (bytes[index] == 0x0D && bytes[index + 1] != 0x0A) {
                line += 1
            }
            index += 1
        }
        counted = (index, line)
        return line
    }
}

/// A block that is too long for one passage, cut where a reader would pause.
private struct TextPieces {
    private(set) var pieces: [(range: Range<Int>, tokens: Int)] = []

    init(_ bytes: [UInt8], _ block: Range<Int>, isLineWise: Bool) {
        var start = block.lowerBound
        var index = start
        while index < block.upperBound {
            let byte = bytes[index]
            index += 1
            let isEnd: Bool
            switch byte {
            case 0x0A: isEnd = isLineWise || index - start > 600
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
                isEnd = !isLineWise && (index == block.upperBound || bytes[index] <= 0x20)
            case 0x82 where index >= start + 3:  // 。 ends sentences without a blank.
                isEnd = bytes[index - 2] == 0x80 && bytes[index - 3] == 0xE3
            default: isEnd = false
            }
            guard isEnd else { continue }
            // Blanks behind a sentence go with it.
            while !isLineWise, index < block.upperBound, bytes[index] == 0x20 { index += 1 }
            take(bytes, &start, index)
        }
        take(bytes, &start, block.upperBound)
    }

    private mutating func take(_ bytes: [UInt8], _ start: inout Int, _ end: Int) {
        guard end > start else { return }
        let cost = TokenCount.estimate(bytes[start..<end])
        if cost <= Passage.wantedTokens {
            pieces.append((start..<end, cost))
        } else {
            cutBetweenWords(bytes, start..<end)
        }
        start = end
    }

    /// One sentence or line that is too long: at the last blank before the limit, or anywhere
    /// between two characters.
    private mutating func cutBetweenWords(_ bytes: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            var blank: Int?
            var count = TokenCount()
            while end < range.upperBound, count.value < Passage.wantedTokens {
                count.take(bytes[end])
                if bytes[end] <= 0x20 { blank = end + 1 }
                end += 1
            }
            if end < range.upperBound {
                if let blank, blank > start { end = blank }
                while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
            }
            pieces.append((start..<end, TokenCount.estimate(bytes[start..<end])))
            start = end
        }
    }
}

/// An estimate of what a model's tokenizer will make of a text, without the model.
///
/// A word costs 1.3 tokens, and one more for every six letters past the first six; a character of
/// a script without blanks between words costs one.
package struct TokenCount: Sendable {
    /// In tenths, so that it adds up without rounding.
    private var tenths = 0
    private var wordLength = 0

    package init() {}

    package var value: Int { (tenths + 9) / 10 }

    package mutating func take(_ byte: UInt8) {
        if byte <= 0x20 {
            wordLength = 0
        } else if byte >= 0xE3, byte < 0xF0 {
            tenths += 10
            wordLength = 0
        } else if byte & 0xC0 != 0x80 {
            if wordLength == 0 { tenths += 13 }
            wordLength += 1
            if wordLength % 6 == 0, wordLength > 6 { tenths += 10 }
        }
    }

    package static func estimate(_ bytes: some Sequence<UInt8>) -> Int {
        var count = TokenCount()
        for byte in bytes { count.take(byte) }
        return count.value
    }
}
