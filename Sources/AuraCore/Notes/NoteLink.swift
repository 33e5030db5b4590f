internal import AuraMarkdown

/// A mention of another note in a body: `[[Title]]`, `[[Folder/name#heading|words]]`, or a Markdown
/// link to a `.md` file.
package struct NoteLink: Hashable, Sendable {
    /// A title, a file name with or without `.md`, or a path; without the heading. Empty for a
    /// heading of the note itself.
    package var target: String
    /// After `#`; block marks (`^id`) included.
    package var heading: String?
    /// The words shown in its place, where the link gives any.
    package var alias: String?
    /// `![[…]]` or `![](…)`: what it names is shown in this place.
    package var isEmbedded: Bool

    package init(
        target: String, heading: String? = nil, alias: String? = nil, isEmbedded: Bool = false
    ) {
        self.target = target
        self.heading = heading
        self.alias = alias
        self.isEmbedded = isEmbedded
    }

    /// The links of a body outside code, block by block, each as often as it stands there.
    ///
    /// Reads `Passage.maximumBytes` of it at most.
    package static func all(in body: String) -> [NoteLink] {
        // Most notes have none, and then need no parsing.
        guard body.utf8.contains(UInt8(ascii: "[")) else { return [] }
        return all(in: MarkdownDocument(Array(body.utf8.prefix(Passage.maximumBytes))[...]))
    }

    static func all(in document: MarkdownDocument) -> [NoteLink] {
        var found: [NoteLink] = []
        var links = document.links[...]
        for (index, block) in document.blocks.enumerated() {
            found += wikiLinks(in: block.prose)
            while let link = links.first, link.block <= index {
                links.removeFirst()
                if let link = NoteLink(link) { found.append(link) }
            }
        }
        return found
    }

    /// Nil for addresses and for files that are no notes.
    private init?(_ link: MarkdownLink) {
        let path = link.destination.prefix { $0 != "#" && $0 != "?" }
        guard path.lowercased().hasSuffix(".md"), !path.contains("://"), !path.hasPrefix("mailto:")
        else { return nil }
        let heading = link.destination.split(separator: "#", maxSplits: 1).dropFirst().first
        self.init(
            target: NoteLink.decoded(path), heading: heading.map { NoteLink.decoded($0) },
            alias: link.text.isEmpty ? nil : link.text, isEmbedded: link.isImage)
    }

    /// `%20` and the like made into what they stand for.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16),
                rest.count >= 2
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func wikiLinks(in prose: String) -> [NoteLink] {
        guard prose.utf8.contains(UInt8(ascii: "[")) else { return [] }
        let bytes = Array(prose.utf8)
        var found: [NoteLink] = []
        var open: Int?
        var index = 0
        while index + 1 < bytes.count {
            switch (bytes[index], bytes[index + 1]) {
            case (0x5B, 0x5B):
                open = index
                index += 2
            case (0x5D, 0x5D):
                if let start = open, let link = NoteLink(bytes[start + 2..<index]) {
                    var link = link
                    link.isEmbedded = start > 0 && bytes[start - 1] == UInt8(ascii: "!")
                    found.append(link)
                }
                open = nil
                index += 2
            case (0x0A, _):
                open = nil
                index += 1
            default: index += 1
            }
        }
        return found
    }

    /// What stands between the brackets.
    private init?(_ inner: ArraySlice<UInt8>) {
        let parts = inner.split(
            separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts[0].split(
            separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        func text(_ bytes: ArraySlice<UInt8>) -> String? {
            var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
            while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
            // A table needs `\|`, which leaves the backslash here.
            while let last = scalars.last, last.properties.isWhitespace || last == "\\" {
                scalars.removeLast()
            }
            return scalars.isEmpty ? nil : String(scalars)
        }
        let heading = place.count > 1 ? text(place[1]) : nil
        let target = text(place[0])
        guard target != nil || heading != nil else { return nil }
        self.init(
            target: target ?? "", heading: heading, alias: parts.count > 1 ? text(parts[1]) : nil)
    }
}
