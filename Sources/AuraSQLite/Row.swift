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

    /// The bytes of a text or a blob where SQLite keeps them; empty for null.
    package func withBytes<Result>(
        _ column: Int, _ body: (Span<UInt8>) throws -> Result
    ) rethrows -> Result {
        try unsafe withBuffer(column) { buffer in
            try unsafe buffer.withMemoryRebound(to: UInt8.self) {
                unsafe try body(Span(_unsafeElements: $0))
            }
        }
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

    /// For each run of bytes in a blob the sum of what the tables hold for its bytes.
    ///
    /// `tables` has 256 numbers for each place in a run, so its count tells how long a run is. About
    /// 12 ns for a run of 48 bytes. Overflow wraps.
    /// - Returns: false, with `sums` as they were, when the blob has not as many runs as `sums`.
    package func tableSums(_ column: Int, _ tables: [Int16], into sums: inout [Int32]) -> Bool {
        let length = tables.count / 256
        return unsafe withBuffer(column) { buffer in
            guard buffer.count == length * sums.count else { return false }
            unsafe tables.withUnsafeBufferPointer { tables in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    for run in 0..<sums.count {
                        var sum: Int32 = 0
                        for place in 0..<length {
                            let byte = Int(unsafe buffer[run &* length &+ place])
                            unsafe sum &+= Int32(tables[place &<< 8 &+ byte])
                        }
                        unsafe sums[run] = sum
                    }
                }
            }
            return true
        }
    }

    /// A blob read as numbers of four bytes, lowest byte first.
    /// - Returns: false, with `numbers` as they were, when the blob has not as many of them.
    package func numbers(_ column: Int, into numbers: inout [UInt32]) -> Bool {
        unsafe withBuffer(column) { buffer in
            guard buffer.count == 4 * numbers.count else { return false }
            unsafe numbers.withUnsafeMutableBufferPointer { numbers in
                for index in 0..<numbers.count {
                    unsafe numbers[index] = UInt32(
                        littleEndian: buffer.loadUnaligned(
                            fromByteOffset: 4 * index, as: UInt32.self))
                }
            }
            return true
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
