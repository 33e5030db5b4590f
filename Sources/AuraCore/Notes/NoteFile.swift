/// A note's file as a folder listing shows it, unopened.
package struct NoteFile: Hashable, Sendable {
    /// Path under the home, in the byte form the disk has. In a plain home that is the logical path; in
    /// an encrypted one it tells nothing.
    package var name: String
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    package var inode: UInt64

    package init(name: String, size: Int64, modified: Int64, inode: UInt64) {
        self.name = name
        self.size = size
        self.modified = modified
        self.inode = inode
    }
}

/// A note's file, opened.
package struct OpenedNote: Hashable, Sendable {
    /// Logical path: `Corporate/2026-02-28_q1-planning-meeting.md`.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// Where an index reads notes from. `NoteFiles` is the real one.
package protocol NoteSource: Sendable {
    /// Every note there is, unordered. Costs one `stat` a note.
    func listing() throws -> [NoteFile]
    /// The whole file; nil when it is gone.
    func open(_ name: String) throws -> OpenedNote?
}
