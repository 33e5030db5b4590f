/// A note's file as a folder listing shows it, unopened.
package struct NoteFile: Hashable, Sendable {
    /// Logical path: `Corporate/2026-02-28_q1-planning-meeting.md`, in the byte form the disk has.
    package var path: String
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    package var inode: UInt64

    package init(path: String, size: Int64, modified: Int64, inode: UInt64) {
        self.path = path
        self.size = size
        self.modified = modified
        self.inode = inode
    }

    /// The first component of the path.
    package var vault: String { String(path.prefix { $0 != "/" }) }
}

/// Where an index reads notes from. `NoteFiles` is the real one.
package protocol NoteSource: Sendable {
    /// Every note there is, unordered. Costs one `stat` a note.
    func listing() throws -> [NoteFile]
    /// The whole file; nil when it is gone.
    func contents(of path: String) throws -> [UInt8]?
}
