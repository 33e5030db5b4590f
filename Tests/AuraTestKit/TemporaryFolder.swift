import AuraSystem
import Foundation

/// A folder of its own for one test, removed with everything in it when the value is released.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        let name = "aura-test-\(UUID().uuidString.prefix(13))"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try Files.makeFolder(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file below the folder, making the folders it lies in.
    public func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    public func write(_ bytes: [UInt8], to path: String) throws {
        let full = "\(self.path)/\(path)"
        try Files.makeFolder(Files.parent(of: full))
        try AtomicFile.replace(full, bytes)
    }

    public func read(_ path: String) throws -> String {
        String(decoding: try Files.bytes(at: "\(self.path)/\(path)"), as: UTF8.self)
    }
}
