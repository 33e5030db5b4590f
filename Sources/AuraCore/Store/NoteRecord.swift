internal import AuraSQLite

/// What the index knows of a note without its text.
package struct NoteRecord: Hashable, Sendable {
    /// The note's row; good until the next refresh.
    package var number: Int
    package var path: String
    package var id: NoteID?
    /// The folder the file lies in, whatever its front matter says.
    package var vault: String
    package var title: String
    package var kind: NoteKind
    package var tags: [String]
    package var created: Instant?
    package var modified: Instant?
    /// When it was made, or the file's time where the note does not say.
    package var moment: Instant
    /// The local day of `moment`.
    package var day: Day
    package var status: NoteStatus
    package var isEvergreen: Bool
    package var action: Action
    package var warnings: [String]
    /// Of the file.
    package var bytes: Int64

    /// What `init(row:)` reads, from `notes JOIN files USING (number)`.
    static let columns = """
        number, path, id, vault, title, kind, tags, created, notes.modified, moment, day, status,
        is_evergreen, action, deadline, time, warnings, size, claimed_id
        """

    init(row: borrowing Row) {
        number = row.int(0)
        path = row.text(1)
        id = row.textOrNil(2).flatMap { NoteID($0) }
        vault = row.text(3)
        title = row.text(4)
        kind = NoteKind(rawValue: row.text(5)) ?? .note
        tags = NoteRecord.lines(row.text(6))
        created = row.intOrNil(7).map { Instant(seconds: Int64($0)) }
        modified = row.intOrNil(8).map { Instant(seconds: Int64($0)) }
        moment = Instant(seconds: row.int64(9))
        day = Day(daysSince1970: row.int(10))
        status = NoteStatus(rawValue: row.text(11)) ?? .indexed
        isEvergreen = row.bool(12)
        action = Action(
            kind: Action.Kind(rawValue: row.text(13)) ?? .none,
            deadline: row.intOrNil(14).map(Day.init(daysSince1970:)),
            time: row.intOrNil(15).flatMap { TimeOfDay(hour: $0 / 60, minute: $0 % 60) })
        warnings = NoteRecord.lines(row.text(16))
        bytes = row.int64(17)
        if id == nil, !row.isNull(18) {
            warnings.append("its id \(row.text(18)) belongs to another note")
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n").map(String.init)
    }
}
