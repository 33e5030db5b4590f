import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite(
    "a keyring that is forbidden", .enabled(if: Strace.mayRun, Strace.reason),
    .timeLimit(.minutes(10)))
struct KeyringFaultTests {
    @Test(
        "where the kernel refuses its keyring, the agent keeps the key and gives it",
        arguments: ["EPERM", "ENOSYS", "EDQUOT", "EACCES"])
    func forbidden(error: String) throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let name = "test-\(UUID().uuidString)"
        func traced(_ words: String..., input: String = "") throws -> String {
            let line =
                ["-qq", "-o", "/dev/null", "-e", "trace=add_key,keyctl"]
                + ["-e", "inject=add_key,keyctl:error=\(error)", SecretProgram.path] + words
            return try ChildProcess.exchange(
                .init("/usr/bin/env", ["strace"] + line, environment: ["PATH": "/usr/bin:/bin"]),
                input: Array(input.utf8).span, within: .seconds(30)
            ) { _, output, errors in
                String(decoding: output.indices.map { output[$0] }, as: UTF8.self) + errors
            }
        }
        let kept = try traced("keep", name, run, BuiltProgram.path, "-", input: "the seed")
        #expect(kept == "agent\n")
        #expect(try traced("show", name, run) == "'the seed' until the restart\n")
        #expect(try traced("end", name, run) == "ended\n")
        #expect(try traced("show", name, run) == "nothing\n")
    }
}
