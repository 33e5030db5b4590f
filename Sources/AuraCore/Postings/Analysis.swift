/// How a text becomes the terms of the index, and how a query finds them again.
///
/// A term is a word's English stem; of a compound each part (`ops`, `4417`), and the whole without its
/// signs (`ops4417`); of `flushWriteQueue` the words inside; `c++` and `#garden` with their signs. A word that differs from its stem is a term
/// of its own besides, in a name space of its own: who types `universities` gets those before `universe`.
package enum Analysis {
    /// Counted up when the terms of a text change: an index of another version is made anew.
    static let version = 1

    /// Before the words as they are written; no text has this byte in a term.
    private static let exactMark: UInt8 = 0x01

    static func key(stem: some Sequence<UInt8>) -> [UInt8] { Array(stem) }

    static func key(exact: some Sequence<UInt8>) -> [UInt8] { [exactMark] + exact }

    static func hashtag(_ word: some Sequence<UInt8>) -> [UInt8] { [UInt8(ascii: "#")] + word }

    static func isExact(_ key: [UInt8]) -> Bool { key.first == exactMark }

    /// The word behind a key.
    static func word(_ key: [UInt8]) -> String {
        String(decoding: isExact(key) ? key[1...] : key[...], as: UTF8.self)
    }

    /// A run of more parts than this is an address or a sentence of dots, not a name.
    static let maximumParts = 6

    /// Between two tags and two headings, so that no phrase reaches across.
    static let gap = 8
}

/// Reads the terms of one text after the other.
struct TermReader {
    /// A term, and where it stands: words are counted.
    typealias Take = (_ word: [UInt8], _ isPair: Bool, _ position: Int) -> Void

    private var compound: [UInt8] = []
    private var parts = 0
    private var firstPart = 0
    private var isHashtag = false

    /// Hands over every term, the parts of a compound before the whole.
    /// - Returns: the position behind the last word.
    mutating func read(_ text: String, from start: Int, _ take: Take) -> Int {
        var position = start
        var scanner = TermScanner(text)
        while scanner.next() {
            if !scanner.continuesCompound { endCompound(take) }
            take(scanner.term, scanner.isPair, position)
            if !scanner.isPair {
                if parts == 0 { firstPart = position }
                compound.append(contentsOf: scanner.term)
                parts += 1
            }
            if scanner.isHashtag { isHashtag = true }
            if !scanner.signs.isEmpty { take(scanner.term + scanner.signs, false, position) }
            if !scanner.innerWords.isEmpty { takeInnerWords(scanner, position, take) }
            position += 1
        }
        endCompound(take)
        return position
    }

    private mutating func endCompound(_ take: Take) {
        if parts <= Analysis.maximumParts, compound.count <= TermScanner.maximumBytes {
            if parts > 1 { take(compound, false, firstPart) }
            if parts > 0, isHashtag { take(Analysis.hashtag(compound), false, firstPart) }
        }
        compound.removeAll(keepingCapacity: true)
        parts = 0
        isHashtag = false
    }

    private func takeInnerWords(_ scanner: TermScanner, _ position: Int, _ take: Take) {
        let ends = scanner.innerWords + [scanner.term.count]
        var start = 0
        for (index, end) in ends.enumerated() {
            if end - start > 1 { take(Array(scanner.term[start..<end]), false, position + index) }
            start = end
        }
    }
}
