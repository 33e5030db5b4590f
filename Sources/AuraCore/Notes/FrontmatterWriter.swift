internal import AuraYAML

/// Brings a header's YAML from one set of fields to another, line by line.
struct FrontmatterWriter {
    private var yaml: YAMLEdit
    private let path: String

    /// - Parameter header: the lines between the delimiters.
    init(_ header: [UInt8], path: String, lineEnding: [UInt8]) throws(NoteEditError) {
        self.path = path
        do throws(YAMLEditError) {
            yaml = try YAMLEdit(header, isRepairing: true, lineEnding: lineEnding)
        } catch {
            throw FrontmatterWriter.error(error, "front matter", path)
        }
    }

    /// The header's new lines. Only fields that the edit names are looked at.
    consuming func writing(
        _ edit: NoteEdit, from old: Frontmatter, to new: Frontmatter
    ) throws(NoteEditError) -> [UInt8] {
        var writer = self
        if edit.id != nil, old.id != new.id {
            try writer.set("id", new.id.map { .verbatim("\($0)") })
        }
        if edit.title != nil, old.title != new.title {
            try writer.set("title", new.title.map { .text($0) })
        }
        if edit.vault != nil, old.vault != new.vault {
            try writer.set("vault", new.vault.map { .text($0) })
        }
        if edit.kind != nil, old.kind != new.kind {
            try writer.set("type", new.kind.map { .verbatim($0.rawValue) })
        }
        if edit.tags != nil { try writer.setTags(new.tags) }
        if edit.crossVaultReferences != nil { try writer.setReferences(new.crossVaultReferences) }
        if edit.status != nil, old.status != new.status {
            try writer.set("status", new.status.map { .verbatim($0.rawValue) })
        }
        if edit.isEvergreen != nil, old.isEvergreen != new.isEvergreen {
            try writer.set("evergreen", new.isEvergreen.map { .verbatim("\($0)") })
        }
        if edit.action != nil { try writer.setAction(new.action ?? .none) }
        try writer.quoteTime()
        if edit.modified != nil, old.modified != new.modified {
            try writer.set("modified", new.modified.map { .verbatim($0.iso8601) })
        }
        return writer.yaml.bytes
    }

    private mutating func set(_ key: String, _ value: YAMLValue?) throws(NoteEditError) {
        guard let value else { return }
        try change(key) { yaml throws(YAMLEditError) in
            try yaml.set([key], to: value, order: Frontmatter.order)
        }
    }

    private mutating func change(
        _ key: String, _ body: (inout YAMLEdit) throws(YAMLEditError) -> Void
    ) throws(NoteEditError) {
        do throws(YAMLEditError) {
            try body(&yaml)
        } catch {
            throw FrontmatterWriter.error(error, key, path)
        }
    }

    private static func error(_ error: YAMLEditError, _ key: String, _ path: String)
        -> NoteEditError
    {
        switch error {
        case .unreadable(let error):
            .unreadable(reason: error.message, line: error.place.map { $0.line + 1 }, path: path)
        case .unsupported(let reason, let line):
            .unsupported(key: key, reason: reason, line: line + 1, path: path)
        }
    }
}

// MARK: - Lists

extension FrontmatterWriter {
    private mutating func setTags(_ tags: [String]) throws(NoteEditError) {
        let wanted = Set(tags)
        guard let node = yaml.root?["tags"], node.items == nil else {
            return try setList("tags", tags) { Tag.normalised($0) }
        }
        if let hashed = HashedTags(behind: node, in: yaml.bytes[...]) {
            let kept = Tag.list(hashed.words).filter(wanted.contains)
            let list = " " + YAMLText.flowList(merged(kept, tags))
            return try change("tags") { yaml throws(YAMLEditError) in
                try yaml.replace(hashed.range, with: list)
            }
        }
        guard let text = node.text, !node.isNull else {
            guard node.isNull else { throw unsupported("tags", node) }
            return try set("tags", .list(tags))
        }
        let words = Tag.words(in: text).map(trimmed)
        if Tag.list(words) == tags { return }
        let kept = words.filter { Tag.normalised($0).map(wanted.contains) ?? false }
        let all = merged(kept, tags)
        // One text with commas stays one; anything else becomes a list.
        let hasCommas = text.utf8.contains(UInt8(ascii: ","))
        try set("tags", hasCommas && !all.isEmpty ? .text(all.joined(separator: ", ")) : .list(all))
    }

    /// What is kept, as it was written, then what is new.
    private func merged(_ kept: [String], _ tags: [String]) -> [String] {
        let present = Set(kept.compactMap { Tag.normalised($0) })
        return kept + tags.filter { !present.contains($0) }
    }

    private func trimmed(_ text: String) -> String {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "#" }
        let end = start.reversed().drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(end.reversed()))
    }

    private mutating func setReferences(_ references: [String]) throws(NoteEditError) {
        guard let node = yaml.root?["cross_vault_refs"], !node.isNull, node.items == nil else {
            return try setList("cross_vault_refs", references) { $0 }
        }
        guard let text = node.text else { throw unsupported("cross_vault_refs", node) }
        if [text] != references { try set("cross_vault_refs", .list(references)) }
    }

    /// A sequence or nothing: keeps what is wanted, appends what is missing.
    private mutating func setList(
        _ key: String, _ items: [String], name: (String) -> String?
    ) throws(NoteEditError) {
        guard let node = yaml.root?[key], let old = node.items else {
            return items.isEmpty ? () : try set(key, .list(items))
        }
        let wanted = Set(items)
        let present = Set(old.compactMap { $0.text.flatMap(name) })
        if present == wanted { return }
        try change(key) { yaml throws(YAMLEditError) in
            try yaml.change(
                listAt: [key],
                keeping: { item in
                    // What is no tag or path is not ours to remove.
                    guard let text = item.text, let name = name(text) else { return true }
                    return wanted.contains(name)
                },
                appending: items.filter { !present.contains($0) })
        }
    }

    private func unsupported(_ key: String, _ node: YAMLNode) -> NoteEditError {
        .unsupported(
            key: key, reason: "its value is no list", line: node.start.line + 1, path: path)
    }
}

// MARK: - Action

extension FrontmatterWriter {
    private mutating func setAction(_ action: Action) throws(NoteEditError) {
        let node = yaml.root?["action"]
        guard let node, node.pairs != nil else {
            if action.kind != .none {
                return try set("action", FrontmatterWriter.value(of: action))
            }
            guard let text = node?.text, node?.isNull == false, text.lowercased() != "none" else {
                return
            }
            return try set("action", .verbatim("none"))
        }
        try setPart("kind", .verbatim(action.kind.rawValue))
        try setPart("deadline", action.deadline.map { .verbatim("\($0)") })
        try setPart("time", action.time.map { .quoted("\($0)") })
        if action.kind != .none || node["is_time_specific"] != nil {
            try setPart("is_time_specific", .verbatim("\(action.isTimeSpecific)"))
        }
    }

    private mutating func setPart(_ key: String, _ value: YAMLValue?) throws(NoteEditError) {
        let old = yaml.root?["action"]?[key]
        switch value {
        case nil:
            try change("action.\(key)") { yaml throws(YAMLEditError) in
                try yaml.remove(["action", key])
            }
        case .verbatim(let text) where old?.text == text: break
        case .quoted(let text) where old?.style != .plain && old?.text == text: break
        case let value?:
            try change("action.\(key)") { yaml throws(YAMLEditError) in
                try yaml.set(["action", key], to: value, order: Frontmatter.actionOrder)
            }
        }
    }

    /// Puts a plain clock time in quotes.
    private mutating func quoteTime() throws(NoteEditError) {
        guard let node = yaml.root?["action"]?["time"], node.style == .plain,
            let text = node.text, TimeOfDay(text) != nil
        else { return }
        try setPart("time", .quoted(text))
    }

    private static func value(of action: Action) -> YAMLValue {
        var pairs: [(key: String, value: YAMLValue)] = [("kind", .verbatim(action.kind.rawValue))]
        if let deadline = action.deadline { pairs.append(("deadline", .verbatim("\(deadline)"))) }
        if let time = action.time { pairs.append(("time", .quoted("\(time)"))) }
        pairs.append(("is_time_specific", .verbatim("\(action.isTimeSpecific)")))
        return .mapping(pairs)
    }
}

// MARK: - What an edit means

extension Frontmatter {
    /// The fields after the edit.
    init(_ old: Frontmatter, applying edit: NoteEdit) throws(NoteEditError) {
        self = old
        if let id = edit.id { self.id = id }
        if let title = edit.title {
            let title = Frontmatter.cleaned(title: title)
            guard !title.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
                throw .invalid(key: "title", reason: "is empty")
            }
            self.title = title
        }
        if let vault = edit.vault {
            if let problem = VaultName.problem(with: vault) {
                throw .invalid(key: "vault", reason: problem)
            }
            self.vault = vault
        }
        if let kind = edit.kind { self.kind = kind }
        if let tags = edit.tags { self.tags = Tag.list(tags) }
        if let references = edit.crossVaultReferences {
            var seen: Set<String> = []
            crossVaultReferences = references.filter { !$0.isEmpty && seen.insert($0).inserted }
        }
        if let status = edit.status { self.status = status }
        if let isEvergreen = edit.isEvergreen { self.isEvergreen = isEvergreen }
        if let action = edit.action { self.action = action.kind == .none ? Action.none : action }
        if let modified = edit.modified { self.modified = Instant(seconds: modified.seconds) }
    }

    /// The first key that reads differently; order within lists does not count.
    func firstDifference(from other: Frontmatter) -> String? {
        if id != other.id { return "id" }
        if title.map({ Array($0.utf8) }) != other.title.map({ Array($0.utf8) }) { return "title" }
        if vault != other.vault { return "vault" }
        if kind != other.kind { return "type" }
        if Set(tags) != Set(other.tags) { return "tags" }
        if Set(crossVaultReferences) != Set(other.crossVaultReferences) {
            return "cross_vault_refs"
        }
        if status != other.status { return "status" }
        if isEvergreen != other.isEvergreen { return "evergreen" }
        if action ?? .none != other.action ?? .none { return "action" }
        if created != other.created { return "created" }
        if modified.map(\.seconds) != other.modified.map(\.seconds) { return "modified" }
        return nil
    }
}
