import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A change to one note, with the texts that may be there after it failed.
struct Change: CustomTestStringConvertible, Sendable {
    let name: String
    let words: [String]
    /// Commands that go before it, without a fault.
    var before: [[String]] = []

    var testDescription: String { name }

    static let path = "Personal/2026-03-04_boiler.md"
    static let body = (1...200).map { "Line \($0) of the boiler note." }.joined(separator: "\n")
    static let text = """
        ---
        id: 01KJ0WZ8Q4T9M3C5V7X2B6N1RB
        title: Boiler
        vault: Personal
        type: note
        tags: [heating]
        status: indexed
        evergreen: false
        action:
          kind: none
        created: 2026-03-04T10:00:00Z
        modified: 2026-03-04T10:00:00Z
        ---
        \(body)

        """

    static let all = [
        Change(name: "edit", words: ["edit", path, "--tag", "+winter"]),
        Change(name: "move", words: ["move", path, "Projects"]),
        Change(name: "rm", words: ["rm", path]),
        Change(name: "restore", words: ["restore", path], before: [["rm", path]]),
    ]

    func program() async throws -> AuraProgram {
        let program = try emptyHome()
        try program.write(Array(Change.text.utf8), to: Change.path)
        for words in before {
            let outcome = try await program.run(words)
            guard outcome.status == 0 else {
                throw UnexpectedOutcome(words: words, outcome: outcome)
            }
        }
        return program
    }
}

@Suite("a change that a fault meets", .enabled(if: Strace.mayRun, Strace.reason))
struct ChangeFaultTests {
    @Test("killed at any call, it leaves the old note or the new one", arguments: Change.all)
    func killed(_ change: Change) async throws {
        try await go(through: change, .kill)
    }

    @Test(
        "refused by the disk at any call, it leaves the old note or the new one",
        arguments: Change.all)
    func refused(_ change: Change) async throws {
        for error in Strace.isDeep ? ["ENOSPC", "EIO", "EROFS", "EACCES", "EDQUOT"] : ["EIO"] {
            try await go(through: change, .error(error))
            if Strace.isDeep { try await go(through: change, .lastingError(error)) }
        }
    }

    private func go(through change: Change, _ fault: Fault) async throws {
        let whole = try await change.program()
        let points = try await Strace.points(of: change.words, in: whole)
        #expect(points.count >= 5)
        var hit: [FaultPoint] = []
        for point in points {
            let program = try await change.program()
            let run = try await Strace.run(change.words, in: program, fault: fault, at: point)
            guard run.wasHit else { continue }
            hit.append(point)
            try check(program, after: fault, at: point, run.outcome)
            let after = Aftermath(program: program)
            try await after.recovers(expecting: nil)
            // Whatever happened, doing it again or looking at the trash works.
            #expect(try await program.run("restore").status == 0, "\(point)")
        }
        report(change.name, fault, hit)
    }

    /// The note is there exactly once, in its vault, in the other one, or in the trash, and whole.
    private func check(
        _ program: AuraProgram, after fault: Fault, at point: FaultPoint,
        _ outcome: AuraProgram.Outcome
    ) throws {
        let holders = program.contents().filter { path, bytes in
            path.hasSuffix(".md") && !path.contains("/.tmp-")
                && String(decoding: bytes, as: UTF8.self).contains("Line 1 of the boiler note.")
        }
        #expect(holders.count == 1, "\(point): \(holders.keys.sorted())")
        for (path, bytes) in holders {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasPrefix("---\nid: 01KJ0WZ8Q4T9M3C5V7X2B6N1RB\n"), "\(point): \(path)")
            #expect(text.hasSuffix("---\n\(Change.body)\n"), "\(point): \(path)")
        }
        if fault != .kill {
            #expect([0, 1, 74, 75, 77].contains(outcome.status), "\(point): \(outcome.status)")
            if outcome.status != 0, point.call != "write" {
                #expect(!outcome.errors.isEmpty, "\(point)")
            }
            if case .error = fault {
                let left = Aftermath(program: program).temporaries
                #expect(left.isEmpty || point.call.hasPrefix("unlink"), "\(point): \(left)")
            }
        }
    }

    @Test(
        "filing a captured note leaves it pending or filed", arguments: [Fault.kill, .error("EIO")])
    func filing(_ fault: Fault) async throws {
        let thought = "Remind me to renew the passport by 30 April. \(Change.body)"
        let words = ["capture", "--wait", thought]
        let points = try await Strace.points(of: words, in: try emptyHome())
        var hit: [FaultPoint] = []
        for point in points {
            let program = try emptyHome()
            let run = try await Strace.run(words, in: program, fault: fault, at: point)
            guard run.wasHit else { continue }
            hit.append(point)
            let after = Aftermath(program: program)
            let notes = try after.notes(with: Change.body)
            #expect(notes.count <= 1, "\(point)")
            if fault == .kill {
                #expect(notes.count == 1 || run.outcome.output.isEmpty, "\(point)")
            }
            try await after.recovers(expecting: nil)
            // Whatever is pending is taken up again.
            #expect(try await program.run("enrich").status == 0, "\(point)")
            for path in program.notePaths() {
                #expect(try program.text(of: path).contains("status: indexed"), "\(point)")
            }
        }
        report("capture --wait", fault, hit)
    }
}
