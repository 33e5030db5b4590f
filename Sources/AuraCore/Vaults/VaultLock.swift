internal import AuraSystem

/// One replacement of a file at a time on this machine. Capture never takes it: a new file needs none.
package struct VaultLock: Sendable {
    /// On a local disk, outside the home: locks do not work everywhere a home may lie.
    let path: String

    /// Throws where the home is not what its owner opened.
    private let check: @Sendable () throws -> Void

    /// - Parameter check: called while the lock is held, before anything is done.
    package init(dataFolder: String, check: @escaping @Sendable () throws -> Void = {}) {
        path = "\(dataFolder)/write.lock"
        self.check = check
    }

    /// Runs the closure while holding the lock.
    /// - Throws: `VaultError.busy` after ten seconds of waiting.
    package func holding<Result>(_ body: () throws -> Result) throws -> Result {
        guard let lock = try FileLock.acquire(path, patience: .seconds(10)) else {
            throw VaultError.busy(process: FileLock.owner(of: path))
        }
        try check()
        let result = try body()
        _ = consume lock
        return result
    }
}
