internal import AuraSystem

/// The folder where the programs of one user meet their model server.
package struct WorkerFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// The run-time folder's `aura`, which the system empties at logout; else one in the temporary folder that
    /// carries the user's number.
    package static func usual(
        runtimeFolder: String?, temporaryFolder: String = "/tmp", user: UInt32 = ThisProcess.user
    ) -> WorkerFolder {
        if let runtimeFolder, runtimeFolder.hasPrefix("/") {
            return WorkerFolder("\(runtimeFolder)/aura")
        }
        return WorkerFolder("\(temporaryFolder)/aura-\(user)")
    }

    var socket: String { "\(path)/model.sock" }
    var lock: String { "\(path)/model.lock" }

    /// Makes the folder where it is missing, and makes sure that nobody else can put a socket there.
    func secure() throws(ModelError) {
        do throws(SystemError) {
            try Files.makePrivateFolder(path)
        } catch {
            throw .workerUnreachable(
                detail: error.isDenied
                    ? "\(path) is not a folder that only you can use" : error.description)
        }
    }
}
