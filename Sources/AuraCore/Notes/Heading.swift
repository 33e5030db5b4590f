/// The first heading of a Markdown body, without parsing the body.
enum Heading {
    /// How far a heading is looked for.
    private static let maximumBytes = 16 * 1024

    /// `# Title #` or a line underlined with `=` or `-`; nil when the text begins without one
    /// within 16 KiB. Lines in fenced code do not count.
    static func first(in body: ArraySlice<UInt8>) -> String? {
        var fence: UInt8?
        var previous: String?
        for line in LineEnding.lines(of: body.prefix(maximumBytes)) {
            let content = line.drop { $0 == 0x20 }
            guard line.count - content.count < 4, let first = content.first else {
                previous = nil
                continue
            }
            if first == UInt8(ascii: "`") || first == UInt8(ascii: "~"),
                content.prefix(3).allSatisfy({ $0 == first }), content.count > 3
            {
                if fence == nil { fence = first } else if fence == first { fence = nil }
                previous = nil
                continue
            }
            if fence != nil { continue }
            let text = trimmed(content)
            if let title = title(underATXMark: text) { return title }
            if let line = previous, isUnderline(text) { return Frontmatter.cleaned(title: line) }
            previous = text.isEmpty || text.hasPrefix("-") || text.hasPrefix(">") ? nil : text
        }
        return nil
    }

    private static func title(underATXMark text: String) -> String? {
        let rest = text.drop { $0 == "#" }
        let level = text.utf8.count - rest.utf8.count
        guard (1...6).contains(level), rest.first?.isWhitespace == true else { return nil }
        var words = rest.split(whereSeparator: \.isWhitespace)
        if let last = words.last, last.allSatisfy({ $0 == "#" }) { words.removeLast() }
        return words.isEmpty ? nil : Frontmatter.cleaned(title: words.joined(separator: " "))
    }

    private static func isUnderline(_ text: String) -> Bool {
        guard let mark = text.utf8.first, mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-")
        else { return false }
        return text.utf8.allSatisfy { $0 == mark }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> String {
        var line = line
        while let last = line.last, last <= 0x20 { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }
}

extension FileName {
    /// A title out of a path: the name without `.md` and without the day in front.
    static func title(of path: String) -> String {
        var name = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".md", ".markdown", ".txt"] where name.lowercased().hasSuffix(ending) {
            name.removeLast(ending.count)
            break
        }
        let rest = name.dropFirst(10)
        guard Day(iso: name.prefix(10)) != nil, let mark = rest.first,
            mark == "_" || mark == "-" || mark == " ", rest.count > 1
        else { return name }
        return String(rest.dropFirst())
    }
}
