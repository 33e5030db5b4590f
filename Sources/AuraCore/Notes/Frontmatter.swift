internal import AuraYAML

/// The fields of a note's front matter, read leniently: what is missing or unusable is nil.
///
/// Our schema decides the types: a tag `2024` and a title `1.10` are text, `16:45` is a time.
struct Frontmatter: Hashable, Sendable {
    var id: NoteID?
    /// Nil when there is none or it is blank.
    var title: String?
    var vault: String?
    var kind: NoteKind?
    var tags: [String] = []
    var crossVaultReferences: [String] = []
    var status: NoteStatus?
    var isEvergreen: Bool?
    var action: Action?
    var created: Instant?
    var modified: Instant?

    /// The order in which aura writes them.
    static let order = [
        "id", "title", "vault", "type", "tags", "cross_vault_refs", "status", "evergreen", "action",
        "created", "modified",
    ]
    static let actionOrder = ["kind", "deadline", "time", "is_time_specific"]

    /// Titles are cut here, so that no file name, listing or prompt meets a megabyte.
    static let maximumTitleBytes = 2000

    /// One line: every line break becomes a blank.
    static func cleaned(title: String) -> String {
        var result = title.prefix(bytes: maximumTitleBytes)
        if result.unicodeScalars.contains(where: isLineBreak) {
            let parts = result.unicodeScalars.split(whereSeparator: isLineBreak)
            result = parts.map { String($0) }.joined(separator: " ")
        }
        return result
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// A calendar day, whatever clock part follows it.
    static func day(in text: String) -> Day? {
        let bytes = text.utf8
        if bytes.count == 10 { return Day(iso: text) }
        guard bytes.count > 10 else { return nil }
        let next = bytes[bytes.index(bytes.startIndex, offsetBy: 10)]
        guard next == UInt8(ascii: "T") || next == UInt8(ascii: "t") || next == UInt8(ascii: " ")
        else { return nil }
        return Day(iso: String(decoding: bytes.prefix(10), as: UTF8.self))
    }

    static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "y": true
        case "false", "no", "off", "n": false
        default: nil
        }
    }
}

/// Reads a header's YAML into fields and keeps what it stumbles over.
struct FrontmatterReader {
    private(set) var fields = Frontmatter()
    private(set) var warnings: [NoteWarning] = []
    /// How many lines of the file lie above the header's first.
    private let lineOffset: Int
    private let header: ArraySlice<UInt8>

    init(_ root: YAMLNode?, header: ArraySlice<UInt8>, lineOffset: Int) {
        self.lineOffset = lineOffset
        self.header = header
        guard let pairs = root?.pairs else { return }
        var seen = Set<String>(minimumCapacity: pairs.count)
        for pair in pairs {
            guard let key = pair.key.text else {
                warnings.append(.strangeKey(line: line(pair.key)))
                continue
            }
            guard seen.insert(key).inserted else {
                warnings.append(.repeatedKey(key, line: line(pair.key)))
                continue
            }
            read(key, pair.value)
        }
    }

    private func line(_ node: YAMLNode) -> Int { node.start.line + lineOffset }

    private mutating func read(_ key: String, _ value: YAMLNode) {
        switch key {
        case "id": fields.id = parsed(key, value) { NoteID($0) }
        case "title": readTitle(value)
        case "vault": fields.vault = parsed(key, value) { VaultName.isValid($0) ? $0 : nil }
        case "type": fields.kind = parsed(key, value) { NoteKind(rawValue: $0.lowercased()) }
        case "tags": fields.tags = Tag.list(list(key, value, words: Tag.words))
        case "cross_vault_refs": fields.crossVaultReferences = list(key, value) { [$0] }
        case "status": fields.status = parsed(key, value) { NoteStatus(rawValue: $0.lowercased()) }
        case "evergreen": fields.isEvergreen = parsed(key, value, Frontmatter.bool)
        case "action": readAction(value)
        case "created": fields.created = parsed(key, value) { Instant(iso8601: $0) }
        case "modified": fields.modified = parsed(key, value) { Instant(iso8601: $0) }
        default: break
        }
    }

    private mutating func parsed<Value>(
        _ key: String, _ value: YAMLNode, _ parse: (String) -> Value?
    ) -> Value? {
        if value.isNull { return nil }
        return written(key, value, parse)
    }

    /// As `parsed`, but `null` and `~` are words like others.
    private mutating func written<Value>(
        _ key: String, _ value: YAMLNode, _ parse: (String) -> Value?
    ) -> Value? {
        if value.isAlias {
            warnings.append(.alias(key: key, line: line(value)))
            return nil
        }
        let text = value.text ?? "[…]"
        if value.text != nil, let result = parse(text) { return result }
        warnings.append(.unusable(key: key, value: text, line: line(value)))
        return nil
    }

    private mutating func readTitle(_ value: YAMLNode) {
        guard value.text != "", let text = written("title", value, { $0 }) else { return }
        let title = Frontmatter.cleaned(title: text)
        if text.utf8.count > Frontmatter.maximumTitleBytes {
            warnings.append(.longTitle(line: line(value)))
        }
        if !title.unicodeScalars.allSatisfy(\.properties.isWhitespace) { fields.title = title }
    }

    /// Items of a sequence, or the pieces of one text.
    private mutating func list(
        _ key: String, _ value: YAMLNode, words: (String) -> [String]
    ) -> [String] {
        if value.isNull {
            guard key == "tags", let found = HashedTags(behind: value, in: header) else {
                return []
            }
            warnings.append(.hashTags(line: line(value)))
            return found.words
        }
        guard let items = value.items else { return parsed(key, value, { $0 }).map(words) ?? [] }
        return items.compactMap { item in
            item.text == "" ? nil : written(key, item) { $0 }
        }
    }

    private mutating func readAction(_ value: YAMLNode) {
        if value.text?.lowercased() == "none" { return }
        guard value.pairs != nil else {
            _ = parsed("action", value) { _ -> Action? in nil }
            return
        }
        for key in value.repeatedKeys {
            warnings.append(.repeatedKey("action.\(key.text ?? "")", line: line(key)))
        }
        let kind = value["kind"].flatMap { node in
            parsed("action.kind", node) { Action.Kind(rawValue: $0.lowercased()) }
        }
        let deadline = value["deadline"].flatMap { node in
            parsed("action.deadline", node) { Frontmatter.day(in: $0) }
        }
        let clock = value["deadline"]?.text.flatMap(clockTime)
        let time = value["time"].flatMap { node in
            parsed("action.time", node) { TimeOfDay($0) }
        }
        fields.action = Action(
            kind: kind ?? .none, deadline: deadline,
            time: value["time"]?.isNull ?? true ? clock : time)
    }

    /// The clock part that a person put behind the deadline. One with an offset, or midnight, is
    /// what programs add to a day and means nothing.
    private func clockTime(behindDayIn text: String) -> TimeOfDay? {
        guard Frontmatter.day(in: text) != nil, text.utf8.count > 11 else { return nil }
        let time = TimeOfDay(String(decoding: text.utf8.dropFirst(11), as: UTF8.self))
        return time?.minutesSinceMidnight == 0 ? nil : time
    }
}

/// `tags: #backup #weekend`: words that YAML takes for a comment.
struct HashedTags {
    let words: [String]
    /// From the colon to the end of the last word, in the header.
    let range: Range<Int>

    /// Nil unless everything behind the empty value, up to a bare `#`, are words with hash signs.
    init?(behind value: YAMLNode, in header: ArraySlice<UInt8>) {
        guard value.start == value.end else { return nil }
        let start = header.startIndex + value.start.offset
        let line = header[start...].prefix { $0 != 0x0A && $0 != 0x0D }
        var words: [String] = []
        var end = start
        for word in line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }) {
            guard word.first == UInt8(ascii: "#") else { return nil }
            if word.count == 1 { break }
            words.append(String(decoding: word, as: UTF8.self))
            end = word.endIndex
        }
        guard !words.isEmpty else { return nil }
        self.words = words
        range = start - header.startIndex..<end - header.startIndex
    }
}
