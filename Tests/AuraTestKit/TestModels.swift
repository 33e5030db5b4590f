import Foundation

/// Real model files and the built program, for tests that need them.
///
/// A file that is missing skips such a test, or fails it where `AURA_REQUIRE_ALL` is 1.
public enum TestModels {
    /// Small, and says nothing sensible: for the plumbing.
    public static let chat = path("SmolLM2-135M-Instruct.Q4_1.gguf")
    public static let embedding = path("all-MiniLM-L6-v2-f16.gguf")
    /// The default chat model.
    public static let goodChat = path("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")

    public static let reason: String = "models are not in \(folder); scripts/setup fetches them"

    public static func mayRun(with paths: String...) -> Bool {
        if ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1" { return true }
        return paths.allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }

    static let folder: String = {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["AURA_TEST_MODELS"] { return folder }
        let home = environment["HOME"] ?? "/root"
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(home)/.local/share"
        return "\(data)/aura/models"
    }()

    private static func path(_ name: String) -> String { "\(folder)/\(name)" }
}

/// The executable that was built beside the tests.
public enum BuiltProgram {
    public static let path: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: own).deletingLastPathComponent()
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent("aura").path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return "aura"
    }()
}

/// One test at a time with a large model: two side by side are slower than one after the other, and may
/// run into the deadlines of their answers.
package actor ModelTurn {
    package static let shared = ModelTurn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package func alone<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
        defer { if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() } }
        return try await body()
    }
}
