/// Changes to a note's file; nil means "leave it as it is".
package struct NoteEdit: Hashable, Sendable {
    /// Only for a note that gains one, or gives up one that another note has.
    package var id: NoteID?
    package var title: String?
    package var vault: String?
    package var kind: NoteKind?
    package var tags: [String]?
    package var crossVaultReferences: [String]?
    package var status: NoteStatus?
    package var isEvergreen: Bool?
    /// `Action.none` writes `kind: none` and takes deadline and time away.
    package var action: Action?
    package var modified: Instant?
    package var body: String?

    package init() {}

    package var isEmpty: Bool { self == NoteEdit() }
}
