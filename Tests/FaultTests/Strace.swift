import AuraSystem
import AuraTestKit
import Foundation
import Glibc
import Testing

/// One system call of a run that changes files: the place where a fault is put.
struct FaultPoint: Hashable, CustomStringConvertible, Sendable {
    let call: String
    /// Which call of its kind it is in its thread: strace's `when`.
    let number: Int
    /// The call's words, for the report.
    let detail: String

    var description: String { "\(call) \(number): \(detail)" }
}

/// What happens at a point.
enum Fault: Hashable, CustomStringConvertible, Sendable {
    /// `kill -9` as the call is entered.
    case kill
    /// The call is not made and gives this error, once.
    case error(String)
    /// From this call on, every one of its kind gives the error.
    case lastingError(String)

    func words(at point: FaultPoint) -> String {
        switch self {
        case .kill: "\(point.call):signal=KILL:when=\(point.number)"
        case .error(let name): "\(point.call):error=\(name):when=\(point.number)"
        case .lastingError(let name): "\(point.call):error=\(name):when=\(point.number)+"
        }
    }

    var description: String {
        switch self {
        case .kill: "SIGKILL"
        case .error(let name): name
        case .lastingError(let name): "\(name)+"
        }
    }
}

/// Runs of the built program under strace.
enum Strace {
    static let reason: Comment = "strace cannot be used here; 'scripts/setup --test' installs it"

    /// True also where it is missing and a missing tool is to fail the tests.
    static let mayRun: Bool =
        ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1" || works

    /// The long runs: every point of every command, with every error.
    static let isDeep = ProcessInfo.processInfo.environment["AURA_DEEP"] == "1"

    private static let works: Bool = {
        let recipe = ChildProcess.Recipe(
            "/bin/sh", ["-c", "strace -f -o /dev/null /bin/true"],
            environment: ProcessInfo.processInfo.environment)
        let outcome = try? ChildProcess.run(recipe, within: .seconds(10))
        return outcome?.ending == .exited(0)
    }()

    /// Calls that change what is on a disk.
    private static let writingCalls = [
        "openat", "write", "pwrite64", "rename", "renameat", "renameat2", "link", "linkat",
        "unlink",
        "unlinkat", "fsync", "fdatasync", "ftruncate", "mkdir", "mkdirat", "rmdir",
    ]

    struct Run: Sendable {
        let outcome: AuraProgram.Outcome
        let trace: String
        /// The fault did happen.
        var wasHit: Bool {
            trace.contains("(INJECTED)") || trace.contains("killed by SIGKILL")
                || outcome.status == 128 + SIGKILL
        }
    }

    /// Runs the program, following what it starts.
    /// - Parameter redirection: in the shell's words, for what is read from a descriptor.
    static func run(
        _ words: [String], in program: AuraProgram, calls: [String], inject: String? = nil,
        environment: [String: String?] = [:], redirection: String = "",
        deadline: Duration = .seconds(60)
    ) async throws -> Run {
        let file = "\(program.folder.path)/trace"
        try? Files.remove(file)
        var line = ["exec", "strace", "-f", "-qq", "-s", "80", "-o", file]
        line += ["-e", "trace=\(calls.joined(separator: ","))", "-e", "signal=none"]
        // Stops at the wanted calls alone, which is twice as fast; signals cannot be injected then.
        if inject?.contains("signal=") != true { line.append("--seccomp-bpf") }
        if let inject { line += ["-e", "inject=\(inject)"] }
        line += [BuiltProgram.path] + words
        let quoted = line.map { "'\($0.replacing("'", with: "'\\''"))'" }.dropFirst()
        let outcome = try await program.shell(
            "exec \(quoted.joined(separator: " ")) \(redirection)", environment: environment,
            deadline: deadline)
        let trace = try? Files.bytes(at: file)
        return Run(outcome: outcome, trace: String(decoding: trace ?? [], as: UTF8.self))
    }

    static func run(
        _ words: [String], in program: AuraProgram, fault: Fault, at point: FaultPoint,
        environment: [String: String?] = [:], redirection: String = "",
        deadline: Duration = .seconds(60)
    ) async throws -> Run {
        try await run(
            words, in: program, calls: [point.call], inject: fault.words(at: point),
            environment: environment, redirection: redirection, deadline: deadline)
    }

    /// The points of a run that goes well, in order. The program is used up by it.
    static func points(
        of words: [String], in program: AuraProgram, environment: [String: String?] = [:],
        redirection: String = "", deadline: Duration = .seconds(60)
    ) async throws -> [FaultPoint] {
        let run = try await run(
            words, in: program, calls: writingCalls, environment: environment,
            redirection: redirection, deadline: deadline)
        guard run.outcome.status == 0 else {
            throw UnexpectedOutcome(words: words, outcome: run.outcome)
        }
        var counts: [Substring: [Substring: Int]] = [:]
        var points: [FaultPoint] = []
        for line in run.trace.split(separator: "\n") {
            // `1234 openat(AT_FDCWD, "…", O_RDONLY) = 3`; the second half of a call is no call.
            guard let space = line.firstIndex(of: " ") else { continue }
            let thread = line[..<space]
            let rest = line[space...].drop { $0 == " " }
            guard let open = rest.firstIndex(of: "("), !rest.hasPrefix("<") else { continue }
            let call = rest[..<open]
            counts[thread, default: [:]][call, default: 0] += 1
            guard call != "openat" || rest.contains("O_CREAT") else { continue }
            let detail = rest[open...].prefix(160).replacing(program.folder.path, with: "…")
            points.append(
                FaultPoint(
                    call: String(call), number: counts[thread]![call]!, detail: String(detail)))
        }
        return points
    }
}

/// A run that only prepares, or only looks, failed.
struct UnexpectedOutcome: Error, CustomStringConvertible {
    let words: [String]
    let outcome: AuraProgram.Outcome
    var description: String {
        "aura \(words.joined(separator: " ")): \(outcome.status)\n\(outcome.output)\(outcome.errors)"
    }
}
