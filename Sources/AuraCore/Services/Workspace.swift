/// A home that was opened, with what works on its files.
package struct Workspace: Sendable {
    package let home: VaultHome
    package let files: NoteFiles
    package let journal: Journal
    package let trash: Trash
    package let lock: VaultLock
    package let capture: Capture
    /// For index and locks of this home, on a local disk.
    package let dataFolder: String

    package var indexPath: String { "\(dataFolder)/index.db" }
}
