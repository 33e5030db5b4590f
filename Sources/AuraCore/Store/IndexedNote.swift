/// A note ready for the index: what was read from its file, its passages, and its words.
package struct IndexedNote: Sendable {
    package var note: Note
    package var passages: [PassageText]
    /// What a person should know about the file, a sentence each.
    package var warnings: [String]
    let words: WordColumns

    /// Reading the words is most of the work of indexing, so it is done here, by whoever makes the
    /// value, and not by the store.
    package init(note: Note, passages: [PassageText], warnings: [String] = []) {
        self.note = note
        self.passages = passages
        self.warnings = warnings
        words = WordColumns(note: note, passages: passages)
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

/// A piece of a note's body that is searched and quoted as one.
package struct PassageText: Hashable, Sendable {
    /// The headings above it, outermost first: `Pump log › March`. Empty above the first heading.
    package var heading: String
    package var text: String

    package init(heading: String, text: String) {
        self.heading = heading
        self.text = text
    }
}
