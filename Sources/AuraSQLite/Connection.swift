internal import CSQLCipher

/// One open database file. Not safe for two threads at once: an actor owns it.
@safe package final class Connection {
    package enum Access: Sendable {
        /// Makes the file when it is missing.
        case readWrite
        case readOnly
        /// For a file that nothing can change, on a read-only file system: no locks, no side files.
        case immutable
    }

    /// Statements kept for reuse, one a SQL text; nil while it is in use.
    private var idle: [String: OpaquePointer?] = unsafe [:]
    private let handle: OpaquePointer

    /// Opens the file without reading it: a wrong key or a damaged file shows at the first statement.
    /// - Parameters:
    ///   - key: nil for a file that is not encrypted.
    ///   - busyTimeout: how long a statement waits for another process's write.
    package init(
        path: String, access: Access = .readWrite, key: PageKey? = nil,
        busyTimeout: Duration = .seconds(5)
    ) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = access == .immutable ? Connection.immutableURI(path) : path
        let code = unsafe sqlite3_open_v2(
            name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened = unsafe opened else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
        }
        unsafe handle = opened
        // From here on `deinit` closes it.
        guard code == SQLITE_OK else { throw error(code, "") }
        let milliseconds = busyTimeout / .milliseconds(1)
        unsafe sqlite3_busy_timeout(handle, Int32(min(milliseconds, 600_000)))
        unsafe aura_sqlite_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        unsafe aura_sqlite_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
        if let key {
            // SQLCipher would write to standard error when a key is wrong.
            try script("PRAGMA cipher_log_level = NONE")
            let code = unsafe key.apply(to: handle)
            guard code == SQLITE_OK else { throw error(code, "") }
        }
    }

    deinit {
        unsafe idle.values.forEach { unsafe sqlite3_finalize($0) }
        unsafe sqlite3_close_v2(handle)
    }

    /// A statement of one SQL command; compiled at its first use, reused later.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let place = unsafe idle.index(forKey: sql), let handle = unsafe idle.values[place] {
            unsafe idle.values[place] = nil
            return unsafe Statement(owning: handle, sql: sql, of: self)
        }
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK, let compiled = unsafe compiled else { throw error(code, sql) }
        return unsafe Statement(owning: compiled, sql: sql, of: self)
    }

    package func run(_ sql: String, _ values: [Value] = []) throws(SQLiteError) {
        try statement(sql).run(values)
    }

    /// Runs several commands, separated by semicolons, that take no values and give no rows.
    package func script(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Hands over every row.
    package func forEach(
        _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws -> Void
    ) throws {
        try statement(sql).rows(values, body)
    }

    package func rows<Element>(
        _ sql: String, _ values: [Value] = [], _ make: (borrowing Row) throws -> Element
    ) throws -> [Element] {
        var made: [Element] = []
        try forEach(sql, values) { made.append(try make($0)) }
        return made
    }

    /// What the first row gives; nil when there is none.
    package func first<Element>(
        _ sql: String, _ values: [Value] = [], _ make: (borrowing Row) throws -> Element
    ) throws -> Element? {
        var made: Element?
        try forEach(sql, values) { if made == nil { made = try make($0) } }
        return made
    }

    /// Number of the row inserted last.
    package var lastInsertedRow: Int { unsafe Int(sqlite3_last_insert_rowid(handle)) }
    /// The file, or the way it was opened, allows no writing.
    package var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, nil) != 0 }
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    func takeBack(_ statement: OpaquePointer, sql: String) {
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
        if let other = unsafe idle.updateValue(statement, forKey: sql) {
            unsafe sqlite3_finalize(other)
        }
    }

    func error(_ code: Int32, _ sql: String) -> SQLiteError {
        SQLiteError(
            code: code, message: unsafe String(cString: sqlite3_errmsg(handle)), sql: sql)
    }

    /// `file:` with everything but plain characters as `%XX`.
    private static func immutableURI(_ path: String) -> String {
        let hexadecimal = Array("0123456789ABCDEF".unicodeScalars)
        var uri = "file:"
        for byte in path.utf8 {
            switch byte {
            case 0x2D...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A:
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri.append("%")
                uri.unicodeScalars.append(hexadecimal[Int(byte >> 4)])
                uri.unicodeScalars.append(hexadecimal[Int(byte & 15)])
            }
        }
        return uri + "?immutable=1"
    }
}
