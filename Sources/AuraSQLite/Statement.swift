internal import CSQLCipher

/// A compiled SQL statement. At the end of its scope it goes back to its connection, which keeps it
/// for the next call with the same SQL.
@safe package struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let sql: String
    private let connection: Connection

    /// Takes over `handle`; the caller must not finalise it.
    init(owning handle: OpaquePointer, sql: String, of connection: Connection) {
        unsafe self.handle = handle
        self.sql = sql
        self.connection = connection
    }

    deinit { unsafe connection.takeBack(handle, sql: sql) }

    /// Runs the statement to its end with these values for its `?`s, in order.
    package func run(_ values: [Value] = []) throws(SQLiteError) {
        try bind(values)
        while try step() {}
    }

    /// Runs the statement and hands over every row.
    package func rows(_ values: [Value] = [], _ body: (borrowing Row) throws -> Void) throws {
        try bind(values)
        while try step() { try body(unsafe Row(of: handle)) }
    }

    private func bind(_ values: [Value]) throws(SQLiteError) {
        unsafe sqlite3_reset(handle)
        let parameters = unsafe Int(sqlite3_bind_parameter_count(handle))
        precondition(
            values.count == parameters, "as many values as question marks: \(sql)")
        for (index, value) in values.enumerated() {
            let code = unsafe Statement.bind(value, to: Int32(index + 1), of: handle)
            guard code == SQLITE_OK else { throw connection.error(code, sql) }
        }
    }

    /// True when there is a row.
    private func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = connection.error(code, sql)
            unsafe sqlite3_reset(handle)
            throw error
        }
    }

    private static func bind(
        _ value: Value, to index: Int32, of handle: OpaquePointer
    ) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) {
                    unsafe $0.count > Int(Int32.max)
                        ? SQLITE_TOOBIG
                        : aura_bind_text(handle, index, $0.baseAddress, Int32($0.count))
                }
            }
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes {
                unsafe $0.count > Int(Int32.max)
                    ? SQLITE_TOOBIG
                    : $0.isEmpty
                        ? sqlite3_bind_zeroblob(handle, index, 0)
                        : aura_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
            }
        }
    }
}
