import AuraCore

/// How notes look in the terminal.
enum NoteLines {
    /// Title and fields, a line each.
    static func fields(_ note: Note, path: String?, _ style: Styling) -> [String] {
        func line(_ name: String, _ value: String) -> String {
            "  \(style.secondary(name.padding(to: 10))) \(SafeDisplay.visible(value, keepsLines: false))"
        }
        var lines = ["  " + style.bold(SafeDisplay.visible(note.title, keepsLines: false))]
        if let path { lines.append(line("path", path)) }
        lines.append(line("type", note.kind.rawValue))
        if !note.tags.isEmpty { lines.append(line("tags", note.tags.joined(separator: ", "))) }
        if note.action.kind != .none { lines.append(line("action", note.action.words)) }
        if note.isEvergreen { lines.append(line("evergreen", "yes")) }
        if note.status == .pendingClassification { lines.append(line("status", "pending")) }
        return lines
    }
}

extension String {
    /// Blanks behind, up to a width in terminal columns.
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - SafeDisplay.width(self)))
    }
}
