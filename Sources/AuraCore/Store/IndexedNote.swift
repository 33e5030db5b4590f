/// A note ready for the index: what was read from its file, and its passages.
package struct IndexedNote: Sendable {
    package var note: Note
    package var passages: [PassageText]
    /// What a person should know about the file, a sentence each.
    package var warnings: [String]

    package init(note: Note, passages: [PassageText], warnings: [String] = []) {
        self.note = note
        self.passages = passages
        self.warnings = warnings
    }

    /// Reads and splits a note's file.
    package init(_ text: NoteText) {
        self.init(
            note: text.note,
            passages: Passage.split(note: text.note).map { passage in
                PassageText(
                    heading: passage.headingPath.joined(separator: " › "), text: passage.text)
            },
            warnings: text.warnings.map(\.message))
    }
}
