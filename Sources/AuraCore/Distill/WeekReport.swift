internal import AuraCrypto

/// The page a weekly report is written as.
struct WeekReport {
    let week: Week
    let vault: String
    let digest: WeekDigest
    let sources: [WeekDigest.Source]

    /// What every weekly report is tagged with.
    static let tags = ["weekly-report"]

    static func title(_ week: Week, _ vault: String) -> String { "Week \(week.label) in \(vault)" }
    var title: String { WeekReport.title(week, vault) }

    /// Markdown with citations as reference links. The last line, a comment, carries what the report
    /// was made from and a digest of the text, so that a later run can tell whether its notes
    /// changed and whether a person edited it.
    func body(inputs: String) -> String {
        var text = "# \(title)\n\n\(week.monday) to \(week.sunday)\n\n## Week at a Glance\n\n"
        text += "\(digest.glance)\n\n\(figures)\n"
        text += section("Key Decisions", digest.decisions, none: "None recorded.")
        text += section("Open Threads", digest.threads, none: "Nothing open.")
        text += section(
            "Hidden Insight", digest.insight.map { [$0] } ?? [], none: "None this week.")
        text += "\n## Sources\n\n"
        for source in sources {
            text +=
                "\(source.number). [\(WeekReport.escaped(source.note.title))](\(link(to: source.path))), \(source.day.weekday.name)\n"
        }
        text += "\n"
        for source in sources { text += "[\(source.number)]: \(link(to: source.path))\n" }
        return text + WeekReport.seal(for: text, inputs: inputs)
    }

    private func section(_ heading: String, _ lines: [WeekDigest.Line], none: String) -> String {
        guard !lines.isEmpty else { return "\n## \(heading)\n\n\(none)\n" }
        return "\n## \(heading)\n\n"
            + lines.map { line in
                "- \(line.text) \(line.notes.map { "[\($0)]" }.joined(separator: " "))\n"
            }.joined()
    }

    /// Counted, not believed.
    private var figures: String {
        var parts = ["\(sources.count) notes"]
        for kind in [NoteKind.task, .note, .idea, .log] {
            let count = sources.count { $0.note.kind == kind }
            if count > 0 { parts.append("\(count) \(kind.rawValue)\(count == 1 ? "" : "s")") }
        }
        let evergreen = sources.count { $0.note.isEvergreen }
        if evergreen > 0 { parts.append("\(evergreen) evergreen") }
        var text = parts[0] + ": " + parts.dropFirst().joined(separator: ", ") + "."
        let tags = WeekDigest.topTags(sources).prefix(8).map { "\($0.tag) (\($0.count))" }
        if !tags.isEmpty { text += " Tags: \(tags.joined(separator: ", "))." }
        return text
    }

    /// From `Corporate/_distilled/` to `Corporate/x.md`.
    private func link(to path: String) -> String {
        let inVault = path.hasPrefix("\(vault)/") ? String(path.dropFirst(vault.count + 1)) : path
        let encoded = inVault.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-_./~".utf8.contains(byte) || byte >= 0x80
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain ? [byte] : Array(("%" + (hex.count == 1 ? "0" : "") + hex).utf8)
        }
        return "../" + String(decoding: encoded.joined(), as: UTF8.self)
    }

    private static func escaped(_ title: String) -> String {
        title.map { "[]\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    private static func seal(for text: String, inputs: String) -> String {
        "\n<!-- aura inputs:\(inputs) text:\(digest(of: text)) -->\n"
    }

    static func digest(of text: String) -> String {
        String(Digest.of(Array(text.utf8)).hexadecimal.prefix(16))
    }

    /// What the comment of an existing report tells; nil when there is none.
    ///
    /// A report is untouched only when nothing was written before or behind the comment, and title
    /// and tags are as they were made.
    static func seal(of note: Note, title: String) -> (inputs: String, isUntouched: Bool)? {
        let body = note.body
        guard let mark = body.ranges(of: "\n<!-- aura inputs:").last else { return nil }
        let rest = body[mark.upperBound...]
        let inputs = String(rest.prefix { $0 != " " })
        guard let textMark = rest.ranges(of: " text:").first else { return nil }
        let written = rest[textMark.upperBound...].prefix { $0 != " " }
        let isLast = rest[textMark.upperBound...].dropFirst(written.count) == " -->\n"
        return (
            inputs,
            isLast && note.title == title && note.tags == tags
                && digest(of: String(body[..<mark.lowerBound])) == written
        )
    }
}
