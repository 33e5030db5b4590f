/// What can be told of a header that is not valid YAML, line by line.
///
/// The usual cause is a title with a colon (`title: Review: the index`); such a note still has an
/// id, a title and tags that must not be lost.
enum HeaderLines {
    /// Whether the first line that says something has the form `key: value`.
    static func looksLikeFields(_ header: ArraySlice<UInt8>) -> Bool {
        for line in LineEnding.lines(of: header.prefix(4096)) {
            let text = String(decoding: line, as: UTF8.self)
            guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }),
                first != "#"
            else { continue }
            return field(in: text) != nil
        }
        return false
    }

    /// The fields on lines of their own at the left margin.
    static func fields(in header: ArraySlice<UInt8>) -> Frontmatter {
        var fields = Frontmatter()
        var seen: Set<String> = []
        for line in LineEnding.lines(of: header) {
            guard let (key, value) = field(in: String(decoding: line, as: UTF8.self)),
                !value.isEmpty, seen.insert(key).inserted
            else { continue }
            switch key {
            case "id": fields.id = NoteID(value)
            case "title": fields.title = Frontmatter.cleaned(title: value)
            case "vault": fields.vault = VaultName.isValid(value) ? value : nil
            case "type": fields.kind = NoteKind(rawValue: value.lowercased())
            case "tags": fields.tags = tags(in: value)
            case "status": fields.status = NoteStatus(rawValue: value.lowercased())
            case "evergreen": fields.isEvergreen = Frontmatter.bool(value)
            case "created": fields.created = Instant(iso8601: value)
            case "modified": fields.modified = Instant(iso8601: value)
            default: break
            }
        }
        return fields
    }

    private static func tags(in value: String) -> [String] {
        let inner =
            value.hasPrefix("[") && value.hasSuffix("]") ? value.dropFirst().dropLast() : value[...]
        return Tag.list(Tag.words(in: String(inner)).map { unquoted($0) })
    }

    /// Key and value of `key: value`; the value without quotes around it.
    private static func field(in line: String) -> (key: String, value: String)? {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = line[..<colon]
        let rest = line[line.index(after: colon)...]
        guard !key.isEmpty, key.utf8.count <= 64, rest.first?.isWhitespace ?? true,
            key.unicodeScalars.allSatisfy({
                $0.properties.isAlphabetic || "0123456789_-.".unicodeScalars.contains($0)
            })
        else { return nil }
        return (String(key), unquoted(String(rest)))
    }

    private static func unquoted(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        if scalars.count >= 2, let first = scalars.first, first == scalars.last,
            first == "\"" || first == "'"
        {
            scalars = scalars.dropFirst().dropLast()
        }
        return String(scalars)
    }
}
