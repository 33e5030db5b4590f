internal import CSQLCipher

/// The row a statement stands on. Columns are counted from 0; a type that does not fit is converted
/// as SQLite does.
@safe package struct Row: ~Copyable {
    private let statement: OpaquePointer

    /// Valid until the statement moves on; the closure that is handed a row must not keep it.
    init(of statement: OpaquePointer) { unsafe self.statement = statement }

    package func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    /// 0 for null.
    package func int(_ column: Int) -> Int { Int(int64(column)) }
    /// 0 for null.
    package func int64(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(statement, Int32(column))
    }
    package func intOrNil(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
    package func bool(_ column: Int) -> Bool { int64(column) != 0 }
    /// 0 for null.
    package func double(_ column: Int) -> Double {
        unsafe sqlite3_column_double(statement, Int32(column))
    }

    /// Empty for null.
    package func text(_ column: Int) -> String {
        guard let start = unsafe sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
    package func textOrNil(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// Empty for null.
    package func blob(_ column: Int) -> [UInt8] {
        unsafe withBuffer(column) { unsafe [UInt8]($0) }
    }

    /// The blob where SQLite keeps it; empty for null.
    package func withBlob<Result>(
        _ column: Int, _ body: (RawSpan) throws -> Result
    ) rethrows -> Result {
        try unsafe withBuffer(column) { unsafe try body(RawSpan(_unsafeBytes: $0)) }
    }

    /// The inner product of a blob of signed bytes with numbers, read where SQLite keeps it.
    ///
    /// Nil when the counts differ. Overflow wraps: keep `count * 127 * the largest number` below 2^31.
    package func product(_ column: Int, with numbers: [Int16]) -> Int32? {
        unsafe withBuffer(column) { buffer in
            let codes = unsafe buffer.bindMemory(to: Int8.self)
            guard codes.count == numbers.count else { return nil }
            return unsafe numbers.withUnsafeBufferPointer { numbers in
                var sum: Int32 = 0
                for index in 0..<numbers.count {
                    unsafe sum &+= Int32(codes[index]) &* Int32(numbers[index])
                }
                return sum
            }
        }
    }

    private func withBuffer<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let start = unsafe sqlite3_column_blob(statement, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
        return try unsafe body(
            UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
