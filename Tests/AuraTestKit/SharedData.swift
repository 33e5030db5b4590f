import Foundation

/// Test data that lies beside the project and is no part of it.
///
/// A set that is missing skips the tests that need it, or fails them where `AURA_REQUIRE_ALL` is 1.
public enum SharedData {
    public static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["AURA_SHARED"] { return folder }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("shared").path
    }()

    public static let reason: String =
        "no such data in \(folder)/data; AURA_SHARED names its folder"

    public static func path(_ name: String) -> String { "\(folder)/data/\(name)" }

    public static func mayRun(with name: String) -> Bool {
        ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1"
            || FileManager.default.fileExists(atPath: path(name))
    }
}
