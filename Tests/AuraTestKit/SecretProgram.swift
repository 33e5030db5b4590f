import AuraSystem
import Foundation

/// The program of `Tests/SecretProbe`, which was built beside the tests.
package enum SecretProgram {
    package static let path = "\(Files.parent(of: BuiltProgram.path))/SecretProbe"

    /// What one run printed, without the newline.
    package static func run(
        _ words: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> String {
        let answer = try ChildProcess.exchange(
            .init(path, words, environment: environment), input: Array(input.utf8).span,
            within: .seconds(20)
        ) { ending, output, errors in
            (ending, String(decoding: output.indices.map { output[$0] }, as: UTF8.self), errors)
        }
        guard answer.0 == .exited(0) else {
            throw SecretProgramFailure(words: words, ending: answer.0, errors: answer.2)
        }
        return String(answer.1.dropLast())
    }

    /// Whether the kernel lets this process keep keys. A test that needs it fails where everything is required.
    package static let mayUseKeyring: Bool =
        ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1" || worksHere

    private static let worksHere: Bool = {
        let name = "aura:test-\(UUID().uuidString)"
        defer { try? Keyring.remove(name) }
        return (try? Keyring.store([1].span, as: name, for: .seconds(60))) != nil
    }()
}

package struct SecretProgramFailure: Error, CustomStringConvertible {
    let words: [String]
    let ending: ChildProcess.Ending
    let errors: String
    package var description: String { "\(words): \(ending) \(errors)" }
}
