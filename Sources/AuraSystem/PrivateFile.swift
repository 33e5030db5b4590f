#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why a file with a secret in it is not read.
package struct PrivateFileError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        case missing
        case link
        /// A folder, a pipe or a device.
        case notAFile
        case ownedByAnother
        /// Its group or everybody may do something with it: the permission bits that it has.
        case openToOthers(mode: UInt32)
        case tooLong(limit: Int)
        case unreadable(String)
    }

    package let path: String
    package let reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension Files {
    /// The bytes of a regular file that belongs to this user and that nobody else may read or write. Links are not
    /// followed. The caller wipes the bytes.
    package static func privateBytes(
        at path: String, limit: Int = 65_536
    ) throws(PrivateFileError) -> [UInt8] {
        func refusal(_ reason: PrivateFileError.Reason) -> PrivateFileError {
            PrivateFileError(path: path, reason: reason)
        }
        let bytes: [UInt8]
        let status: FileStatus
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, for: .read)
            // Of the opened file: what lies under the name may change.
            status = try file.status()
            bytes = try file.readAll(limit: limit + 1)
        } catch {
            throw refusal(reason(of: error))
        }
        guard status.owner == geteuid() else { throw refusal(.ownedByAnother) }
        guard status.mode & 0o077 == 0 else { throw refusal(.openToOthers(mode: status.mode)) }
        guard bytes.count <= limit else { throw refusal(.tooLong(limit: limit)) }
        return bytes
    }

    private static func reason(of error: SystemError) -> PrivateFileError.Reason {
        switch error.code {
        case ELOOP: return .link
        case EISDIR, EINVAL, ENXIO: return .notAFile
        default:
            if error.isNotFound { return .missing }
            let owner = try? status(of: error.path)?.owner
            return error.isDenied && owner != nil && owner != geteuid()
                ? .ownedByAnother : .unreadable(error.reason)
        }
    }
}
