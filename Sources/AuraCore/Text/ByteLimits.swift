extension String {
    /// See `Substring.prefix(bytes:)`.
    package func prefix(bytes count: Int) -> String { self[...].prefix(bytes: count) }
}

extension Substring {
    /// The longest beginning of at most so many UTF-8 bytes that cuts no visible character.
    ///
    /// Looks at no more than `count` bytes; where they are all one character, it is cut at a scalar.
    package func prefix(bytes count: Int) -> String {
        guard let limit = utf8.index(startIndex, offsetBy: count, limitedBy: endIndex),
            limit < endIndex
        else { return String(self) }
        var end = limit
        while end > startIndex, !isScalarStart(end) { end = utf8.index(before: end) }
        let head = self[..<end]
        // The last character of the head may go on behind the cut: drop it unless it ends there.
        guard end > startIndex, let next = unicodeScalars[end...].first else { return String(head) }
        let text = String(head)
        var joined = text
        joined.unicodeScalars.append(next)
        guard joined.count == text.count, text.count > 1 else { return text }
        return String(text.dropLast())
    }

    private func isScalarStart(_ index: Index) -> Bool { utf8[index] & 0xC0 != 0x80 }
}
