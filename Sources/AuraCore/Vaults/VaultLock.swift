internal import AuraSystem

/// One replacement of a file at a time on this machine. Capture never takes it: a new file needs none.
package struct VaultLock: Sendable {
    /// On a local disk, outside the home: locks do not work everywhere a home may lie.
    let path: String

    package init(dataFolder: String) { path = "\(dataFolder)/write.lock" }

    /// Runs the closure while holding the lock.
    /// - Throws: `VaultError.busy` after ten seconds of waiting.
    package func holding<Result>(_ body: () throws -> Result) throws -> Result {
        guard let lock = try FileLock.acquire(path, patience: .seconds(10)) else {
            throw VaultError.busy(process: FileLock.owner(of: path))
        }
        let result = try body()
        _ = consume lock
        return result
    }
}
