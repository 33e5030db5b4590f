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

/// A folder that notes lie in.
package struct NoteFolder: Hashable, Sendable {
    /// Path under the home; empty for the home itself.
    package var name: String
    /// Nanoseconds since 1970; it changes when an entry comes, goes or is renamed.
    package var modified: Int64
    package var inode: UInt64

    package init(name: String, modified: Int64, inode: UInt64) {
        self.name = name
        self.modified = modified
        self.inode = inode
    }
}

/// Every note there is, unordered, and every folder that was looked into.
package struct NoteSurvey: Hashable, Sendable {
    package var files: [NoteFile] = []
    /// As they were before they were read.
    package var folders: [NoteFolder] = []

    package init(files: [NoteFile] = [], folders: [NoteFolder] = []) {
        self.files = files
        self.folders = folders
    }
}

/// What lies in one folder, by its own word: no file was asked.
package struct NoteFolderEntries: Sendable {
    /// Paths under the home.
    package var notes: [(name: String, inode: UInt64)] = []
    package var folders: [String] = []

    package init() {}
}

/// Where an index reads notes from. `NoteFiles` is the real one.
package protocol NoteSource: Sendable {
    /// Costs one `stat` a note.
    func survey() throws -> NoteSurvey
    /// Nil when it is gone.
    func folder(_ name: String) throws -> NoteFolder?
    /// Costs a microsecond a note.
    func entries(of folder: String) throws -> NoteFolderEntries
    /// Nil when it is gone, or is no note.
    func file(_ name: String) throws -> NoteFile?
    /// The whole file; nil when it is gone.
    func open(_ name: String) throws -> OpenedNote?
}
