internal import CSQLCipher

extension Connection {
    /// Runs the closure in one transaction that holds the write lock from its start; commits, or
    /// rolls back when the closure throws. Transactions do not nest.
    /// - Throws: what the closure throws; `SQLiteError` with `isBusy` when another process kept the lock.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk may have rolled back already.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Runs the closure, which only reads, so that all its statements see one state. Many small
    /// statements cost less so: the lock is taken once. Inside of a transaction it is part of that.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else { return try body() }
        try run("BEGIN")
        // Nothing was written, so there is nothing to lose.
        defer { try? run("ROLLBACK") }
        return try body()
    }
}
