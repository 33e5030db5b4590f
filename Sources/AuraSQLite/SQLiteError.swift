internal import CSQLCipher

/// What SQLite said, and the SQL it was about; never the values that were bound.
package struct SQLiteError: Error, Equatable {
    /// The extended result code.
    package let code: Int32
    package let message: String
    /// Empty when no statement was involved.
    package let sql: String

    package init(code: Int32, message: String, sql: String = "") {
        self.code = code
        self.message = message
        self.sql = sql
    }

    private var primary: Int32 { code & 0xFF }

    /// Another process is writing and did not end within the busy timeout.
    package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
    package var isCorrupt: Bool { primary == SQLITE_CORRUPT }
    /// Disk full or over quota.
    package var isFull: Bool { primary == SQLITE_FULL }
    /// A call on the file failed. A full disk may show so, where the log's index finds no room.
    package var isInputOutput: Bool { primary == SQLITE_IOERR }
    /// The file, its folder or the file system may not be written.
    package var isReadOnly: Bool { primary == SQLITE_READONLY || primary == SQLITE_PERM }
    /// Not a database, or one with another key.
    package var isNotADatabase: Bool { primary == SQLITE_NOTADB }
    /// The file is not there or its folder may not be used.
    package var cannotOpen: Bool { primary == SQLITE_CANTOPEN }
    package var isConstraint: Bool { primary == SQLITE_CONSTRAINT }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        sql.isEmpty ? "\(message) (\(code))" : "\(message) (\(code)) in: \(sql)"
    }
}
