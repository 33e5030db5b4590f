/// What a refresh of the index did.
package struct IndexReport: Hashable, Sendable {
    /// A file that could not be indexed, or only with a remark.
    package struct Remark: Hashable, Sendable {
        package var path: String
        package var text: String
    }

    /// Logical paths.
    package var added: [String] = []
    package var changed: [String] = []
    package var removed: [String] = []
    /// Left as they were in the index, or left out of it.
    package var skipped: [Remark] = []
    /// Names of files of an encrypted home that lie under a name which is not their path's; left out until
    /// `NoteFiles.settle` has put them right.
    package var misplaced: [String] = []
    /// Indexed all the same.
    package var warnings: [Remark] = []

    package init() {}

    package var isEmpty: Bool { self == IndexReport() }
}
