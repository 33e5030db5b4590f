internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A call to the operating system that failed.
package struct SystemError: Error, Equatable {
    /// The call's name: `open`, `rename`, `fsync`.
    package let call: String
    /// The path the call was about; empty when it was about none.
    package let path: String
    /// `errno` right after the call.
    package let code: Int32

    package init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// Takes `errno` as it is now.
    package static func last(_ call: String, _ path: String = "") -> SystemError {
        SystemError(call: call, path: path, code: errno)
    }

    /// The other side ended a conversation before its answer.
    package static var hangUp: SystemError {
        SystemError(call: "receive", path: "", code: ECONNRESET)
    }
    /// Nothing happened in time.
    package static func timeout(_ call: String, _ path: String) -> SystemError {
        SystemError(call: call, path: path, code: ETIMEDOUT)
    }
    /// It belongs to another user or is open to others.
    package static func notPrivate(_ path: String) -> SystemError {
        SystemError(call: "open", path: path, code: EPERM)
    }

    package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
    package var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }
    package var isDenied: Bool { code == EACCES || code == EPERM }
    package var isReadOnly: Bool { code == EROFS }
    package var isBrokenPipe: Bool { code == EPIPE }
    /// Disk full, over quota, or past the file-size limit.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// The system's words for the code: `No space left on device`.
    package var reason: String { unsafe String(cString: strerror(code)) }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        path.isEmpty ? "\(call): \(reason)" : "\(call) \(path): \(reason)"
    }
}
