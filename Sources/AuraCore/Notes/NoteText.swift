internal import AuraYAML

/// A note's file: its bytes, what they say, and how to change them without touching the rest.
///
/// Reading never fails. Whatever cannot be read as front matter is body, or is left unread with a
/// warning. Writing changes the lines it must: keys, order, comments, quotes, line endings, byte
/// order mark and a missing last line ending all stay.
package struct NoteText: Sendable {
    package let bytes: [UInt8]
    /// Logical path: `Corporate/2026-02-28_q1-planning-meeting.md`.
    package let path: String
    package let note: Note
    package let warnings: [NoteWarning]
    /// The body's bytes. `note.body` is the same with invalid UTF-8 repaired.
    package var bodyRange: Range<Int> { layout.bodyStart..<bytes.count }

    private let layout: NoteLayout
    private let header: Header
    private let fields: Frontmatter

    private enum Header {
        case absent
        /// Nil for a header without any line that says something.
        case read(YAMLNode?)
        case unreadable(reason: String, line: Int?)
    }

    /// - Parameter path: tells the vault, and the title where the file does not.
    package init(bytes: [UInt8], path: String) {
        self.bytes = bytes
        self.path = path
        var layout = NoteLayout(bytes)
        var warnings: [NoteWarning] = []
        var fields = Frontmatter()
        header = NoteText.readHeader(bytes, &layout, &fields, &warnings)
        self.layout = layout
        self.fields = fields
        self.warnings = warnings
        note = NoteText.note(fields, body: bytes[layout.bodyStart...], path: path)
    }

    private static func readHeader(
        _ bytes: [UInt8], _ layout: inout NoteLayout, _ fields: inout Frontmatter,
        _ warnings: inout [NoteWarning]
    ) -> Header {
        switch layout.kind {
        case .none: return .absent
        case .toml:
            warnings.append(.isTOML)
            return .unreadable(reason: "it is written in TOML (+++)", line: 1)
        case .tooLarge:
            warnings.append(.overLimit)
            return .unreadable(reason: "its end was not found within 64 KiB", line: 1)
        case .unterminated:
            warnings.append(.unterminated)
            let rest = bytes[Line(in: bytes, at: layout.start).next...]
            // A rule across the page at the top of a text is no front matter.
            return HeaderLines.looksLikeFields(rest)
                ? .unreadable(reason: "no '---' closes it", line: 1) : .absent
        case .frontMatter: break
        }
        let text = bytes[layout.header]
        do throws(YAMLError) {
            let document = try YAMLDocument(Array(text), isRepairing: true)
            if let root = document.root, root.pairs == nil, !root.isNull {
                warnings.append(.noFields)
                layout = layout.withoutFrontMatter()
                return .absent
            }
            let reader = FrontmatterReader(document.root, header: text, lineOffset: 1)
            fields = reader.fields
            warnings += reader.warnings
            guard !document.hasMoreDocuments else {
                warnings.append(.moreDocuments)
                return .unreadable(reason: "it holds more than one document", line: nil)
            }
            return .read(document.root)
        } catch {
            if error.isOverLimit {
                warnings.append(.overLimit)
                return .unreadable(reason: error.message, line: error.place.map { $0.line + 1 })
            }
            guard HeaderLines.looksLikeFields(text) else {
                warnings.append(.noFields)
                layout = layout.withoutFrontMatter()
                return .absent
            }
            let line = (error.place?.line ?? 0) + 1
            warnings.append(.unreadable(message: error.message, line: line))
            fields = HeaderLines.fields(in: text)
            return .unreadable(reason: error.message, line: line)
        }
    }

    private static func note(
        _ fields: Frontmatter, body: ArraySlice<UInt8>, path: String
    ) -> Note {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let folder = parts.count > 1 ? parts.first.map(String.init) : nil
        return Note(
            id: fields.id,
            title: fields.title ?? Heading.first(in: body) ?? FileName.title(of: path),
            vault: folder.flatMap { VaultName.isValid($0) ? $0 : nil } ?? fields.vault ?? "",
            kind: fields.kind ?? .note, tags: fields.tags,
            crossVaultReferences: fields.crossVaultReferences, status: fields.status ?? .indexed,
            isEvergreen: fields.isEvergreen ?? false, action: fields.action ?? .none,
            created: fields.created, modified: fields.modified,
            body: String(decoding: body, as: UTF8.self))
    }
}

// MARK: - Writing

extension NoteText {
    /// A new note's file: the fields in aura's order, then the body exactly as it is.
    ///
    /// `action` is written for a reminder or a calendar entry only; an id, a vault and dates where
    /// the note has them. At most 100 tags and 100 references are written.
    package static func compose(_ note: Note) -> [UInt8] {
        let title = Frontmatter.cleaned(title: note.title)
        var lines: [String] = ["---"]
        if let id = note.id { lines.append("id: \(id)") }
        lines.append("title: \(YAMLText.scalar(title))")
        if !note.vault.isEmpty { lines.append("vault: \(YAMLText.scalar(note.vault))") }
        lines.append("type: \(note.kind.rawValue)")
        lines.append("tags: \(YAMLText.flowList(Array(Tag.list(note.tags).prefix(100))))")
        let references = Array(note.crossVaultReferences.prefix(100))
        lines.append("cross_vault_refs: \(YAMLText.flowList(references))")
        lines.append("status: \(note.status.rawValue)")
        lines.append("evergreen: \(note.isEvergreen)")
        if note.action.kind != .none {
            lines.append("action:")
            lines.append("  kind: \(note.action.kind.rawValue)")
            if let deadline = note.action.deadline { lines.append("  deadline: \(deadline)") }
            if let time = note.action.time { lines.append("  time: \"\(time)\"") }
            lines.append("  is_time_specific: \(note.action.isTimeSpecific)")
        }
        if let created = note.created { lines.append("created: \(created)") }
        if let modified = note.modified { lines.append("modified: \(modified)") }
        lines.append("---\n")
        return Array((lines.joined(separator: "\n") + note.body).utf8)
    }

    /// The file with the edit made; the same bytes when nothing would change.
    ///
    /// Values that the file has already are left as they are written. Where any field changes, a
    /// clock time under `action` gets quotes, since YAML 1.1 readers take `16:45` for 1005.
    /// A note without front matter gains a block with the edited fields alone.
    /// - Throws: see `NoteEditError`; the result is read back before it is returned.
    package func applying(_ edit: NoteEdit) throws(NoteEditError) -> [UInt8] {
        var fieldEdit = edit
        fieldEdit.body = nil
        let wanted = try Frontmatter(fields, applying: fieldEdit)
        var result: [UInt8]
        if fieldEdit.isEmpty {
            result = Array(bytes[..<layout.bodyStart])
        } else {
            result = try head(with: fieldEdit, wanted)
        }
        let newBody = edit.body.map(newBody)
        result += newBody ?? bytes[bodyRange]
        try check(result, wanted, body: newBody ?? bytes[bodyRange])
        return result
    }

    /// Everything above the body.
    private func head(
        with edit: NoteEdit, _ wanted: Frontmatter
    ) throws(NoteEditError) -> [UInt8] {
        let ending = LineEnding.first(in: bytes[layout.start...]) ?? [0x0A]
        switch header {
        case .unreadable(let reason, let line):
            throw .unreadable(reason: reason, line: line, path: path)
        case .absent:
            let lines = try FrontmatterWriter([], path: path, lineEnding: ending)
                .writing(edit, from: fields, to: wanted)
            let fence = Array("---".utf8) + ending
            return Array(bytes[..<layout.start]) + fence + lines + fence
                + bytes[layout.start..<layout.bodyStart]
        case .read(let root):
            if let key = root?.repeatedKeys.first ?? root?["action"]?.repeatedKeys.first {
                throw .duplicateKey(key.text ?? "", line: key.start.line + 1, path: path)
            }
            let lines = try FrontmatterWriter(
                Array(bytes[layout.header]), path: path, lineEnding: ending
            ).writing(edit, from: fields, to: wanted)
            return bytes[..<layout.header.lowerBound] + lines
                + bytes[layout.header.upperBound..<layout.bodyStart]
        }
    }

    /// The new body in the file's own line endings. Where the old one holds bytes that are not
    /// text, lines at its top and bottom that are the same keep them.
    private func newBody(_ text: String) -> ArraySlice<UInt8> {
        let old = bytes[bodyRange]
        var new = Array(text.utf8)
        if !new.contains(0x0D), let ending = LineEnding.first(in: bytes[...]), ending != [0x0A],
            !text.isEmpty
        {
            new = Array(
                new.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .joined(separator: ending))
        }
        guard note.body.utf8.count != old.count || !note.body.utf8.elementsEqual(old) else {
            return new[...]
        }
        let (oldLines, newLines) = (LineEnding.lines(of: old), LineEnding.lines(of: new[...]))
        func isSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
            String(decoding: left, as: UTF8.self).utf8.elementsEqual(right)
        }
        let common = min(oldLines.count, newLines.count)
        var top = 0
        while top < common, isSame(oldLines[top], newLines[top]) { top += 1 }
        var bottom = 0
        while bottom < common - top,
            isSame(oldLines[oldLines.count - 1 - bottom], newLines[newLines.count - 1 - bottom])
        { bottom += 1 }
        let lines =
            oldLines.prefix(top) + newLines.dropFirst(top).dropLast(bottom)
            + oldLines.suffix(bottom)
        return ArraySlice(lines.joined())
    }

    /// Reads the result back: a file that says something else than was meant is never returned.
    private func check(
        _ result: [UInt8], _ wanted: Frontmatter, body: ArraySlice<UInt8>
    ) throws(NoteEditError) {
        let new = NoteText(bytes: result, path: path)
        guard result[new.bodyRange].elementsEqual(body) else {
            throw .wouldCorrupt(key: "body", path: path)
        }
        if let key = new.fields.firstDifference(from: wanted) {
            throw .wouldCorrupt(key: key, path: path)
        }
        let known = Set(Frontmatter.order)
        guard case .read(let oldRoot) = header, case .read(let newRoot) = new.header else { return }
        let old = (oldRoot?.pairs ?? []).filter { !known.contains($0.key.text ?? "") }
        let now = (newRoot?.pairs ?? []).filter { !known.contains($0.key.text ?? "") }
        guard old.count == now.count,
            zip(old, now).allSatisfy({
                $0.key.isSameData(as: $1.key) && $0.value.isSameData(as: $1.value)
            })
        else { throw .wouldCorrupt(key: "an unknown key", path: path) }
    }
}
