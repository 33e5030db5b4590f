/// A home that was opened, with what works on its files.
package struct Workspace: Sendable {
    package let home: VaultHome
    package let files: NoteFiles
    package let journal: Journal
    package let trash: Trash
    package let lock: VaultLock
    package let changes: NoteChanges
    package let capture: Capture
    /// Where thoughts wait for this home: while it was locked, and while it was out of reach.
    package let inboxes: [Inbox]
    package let drafts: Drafts
    /// For index and locks of this home, on a local disk.
    package let dataFolder: String
    package let indexPath: String
    /// Nil for a plain home.
    package let indexKey: [UInt8]?

    package var seal: FileSeal? { files.seal }
}
