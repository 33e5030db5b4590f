/// A note as the rest of aura sees it: front matter read into types, and the body.
///
/// `NoteText` makes one from a file and makes files from edits; this value never writes anything.
package struct Note: Hashable, Sendable {
    /// Absent in notes that aura did not make; those are known by their path.
    package var id: NoteID?
    package var title: String
    package var vault: String
    package var kind: NoteKind
    package var tags: [String]
    /// Logical paths of related notes in other vaults.
    package var crossVaultReferences: [String]
    package var status: NoteStatus
    package var isEvergreen: Bool
    package var action: Action
    /// Nil when the front matter has none or an unreadable one.
    package var created: Instant?
    package var modified: Instant?
    /// Markdown, without the front matter.
    package var body: String

    package init(
        id: NoteID? = nil, title: String = "", vault: String = "", kind: NoteKind = .note,
        tags: [String] = [], crossVaultReferences: [String] = [], status: NoteStatus = .indexed,
        isEvergreen: Bool = false, action: Action = .none, created: Instant? = nil,
        modified: Instant? = nil, body: String = ""
    ) {
        self.id = id
        self.title = title
        self.vault = vault
        self.kind = kind
        self.tags = tags
        self.crossVaultReferences = crossVaultReferences
        self.status = status
        self.isEvergreen = isEvergreen
        self.action = action
        self.created = created
        self.modified = modified
        self.body = body
    }
}
