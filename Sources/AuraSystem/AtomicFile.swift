internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Writing a file so that every reader, and every crash, sees it whole or not at all.
///
/// The bytes go to a temporary file in the same folder, are flushed, get their name, and the folder
/// is flushed. Temporary files are called `.tmp-` and a random part; `sweep` removes old ones.
package enum AtomicFile {
    package static let temporaryPrefix = ".tmp-"

    /// Writes a file whose name must be free.
    /// - Throws: `SystemError` with `isAlreadyThere` when it is taken; then nothing has changed.
    package static func create(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o600)
        throws(SystemError)
    {
        let temporary = try writeTemporary(beside: path, bytes, mode: mode)
        try finish(temporary, as: path)
    }

    /// As `create`, for bytes that come in pieces: the closure is given a function that writes the next.
    /// - Throws: also what the closure throws; then nothing has changed.
    package static func create(
        _ path: String, mode: UInt32 = 0o600, _ body: (([UInt8]) throws -> Void) throws -> Void
    ) throws {
        if try Files.status(of: path) != nil {
            throw SystemError(call: "create", path: path, code: EEXIST)
        }
        let temporary = try temporaryPath(beside: path)
        let file = try FileDescriptor.open(temporary, for: .create, mode: mode)
        do {
            try body { try file.write($0) }
            try file.flush()
        } catch {
            try? Files.remove(temporary)
            throw error
        }
        try finish(temporary, as: path)
    }

    private static func finish(_ temporary: String, as path: String) throws(SystemError) {
        do throws(SystemError) {
            try Files.moveExclusively(temporary, to: path)
        } catch {
            try? Files.remove(temporary)
            throw error
        }
        do throws(SystemError) {
            try Files.flushFolder(Files.parent(of: path))
        } catch {
            // Without its folder entry on the disk the file does not count as written.
            try? Files.remove(path)
            throw error
        }
    }

    /// Writes a file, taking the place of one with that name. The old one's permissions are kept.
    package static func replace(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o600)
        throws(SystemError)
    {
        let temporary = try writeReplacement(of: path, bytes, mode: mode)
        try finishReplacement(temporary, of: path)
    }

    /// As `replace`, if the closure lets it: it is called as late as can be, when only the name is still to
    /// change.
    /// - Throws: also what the closure throws; then the old file stands.
    package static func replace(
        _ path: String, _ bytes: [UInt8], unless check: () throws -> Void
    ) throws {
        let temporary = try writeReplacement(of: path, bytes, mode: 0o600)
        do {
            try check()
        } catch {
            try? Files.remove(temporary)
            throw error
        }
        try finishReplacement(temporary, of: path)
    }

    private static func writeReplacement(
        of path: String, _ bytes: [UInt8], mode: UInt32
    ) throws(SystemError) -> String {
        let old = try Files.status(of: path)
        return try writeTemporary(
            beside: path, bytes, mode: old.map { $0.mode & 0o777 } ?? mode)
    }

    private static func finishReplacement(
        _ temporary: String, of path: String
    ) throws(SystemError) {
        do throws(SystemError) {
            try Files.move(temporary, to: path)
        } catch {
            try? Files.remove(temporary)
            throw error
        }
    }

    /// Removes temporary files of ours in the folder that are older than an hour: what a killed
    /// process left. A folder that cannot be read is left alone.
    package static func sweep(_ folder: String, nowNanoseconds: Int64) {
        guard let entries = try? Files.entries(of: folder) else { return }
        for entry in entries
        where isTemporary(entry.name) && entry.status.kind == .regular
            && nowNanoseconds - entry.status.modified > 3_600_000_000_000
        {
            try? Files.remove("\(folder)/\(entry.name)")
        }
    }

    /// Our own pattern exactly: other programs have temporary files too.
    private static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(temporaryPrefix) && name.utf8.count == temporaryPrefix.utf8.count + 16
            && name.utf8.dropFirst(temporaryPrefix.utf8.count).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }

    private static func temporaryPath(beside path: String) throws(SystemError) -> String {
        let random = try Random.bytes(8).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        return "\(Files.parent(of: path))/\(temporaryPrefix)\(random.joined())"
    }

    private static func writeTemporary(
        beside path: String, _ bytes: [UInt8], mode: UInt32
    ) throws(SystemError) -> String {
        let temporary = try temporaryPath(beside: path)
        let file = try FileDescriptor.open(temporary, for: .create, mode: mode)
        do throws(SystemError) {
            guard fchmod(file.number, mode_t(mode)) == 0 else { throw .last("chmod", temporary) }
            try file.write(bytes)
            try file.flush()
        } catch {
            try? Files.remove(temporary)
            throw error
        }
        return temporary
    }
}
