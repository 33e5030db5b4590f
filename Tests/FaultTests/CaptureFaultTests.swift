import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// Long enough that a part of it would be seen as a part.
let longThought =
    "Remember the boiler. "
    + (1...400).map { "Word\($0)" }.joined(separator: " ") + " and the end of it."

/// What a home holds after a fault, and whether that is right.
struct Aftermath {
    let program: AuraProgram

    /// Notes that hold the text; every note must be whole.
    func notes(with text: String) throws -> [String] {
        try program.notePaths().filter { path in
            let note = try program.text(of: path)
            #expect(note.hasPrefix("---\n"), "\(path) has no beginning")
            let isWhole = note.contains(text)
            #expect(isWhole || !note.contains(text.prefix(20)), "\(path) holds a part of the text")
            return isWhole
        }
    }

    /// Files that nobody asked for: ours have a pattern of their own.
    var temporaries: [String] {
        (FileManager.default.enumerator(atPath: program.folder.path)?.compactMap { $0 as? String }
            ?? [])
            .filter { $0.contains("/.tmp-") }
    }

    /// Files of the inbox that hold the text.
    func inbox(with text: String) -> [String] {
        let folder = "\(program.folder.path)/data/aura/inbox"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            guard $0.hasSuffix(".json"), let bytes = try? Files.bytes(at: "\(folder)/\($0)") else {
                return false
            }
            return String(decoding: bytes, as: UTF8.self).contains(text)
        }
    }

    /// The next command works, and what was kept is a note then, once.
    func recovers(expecting text: String?, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        if try Files.status(of: "\(program.vaultHome)/.aura/vault.json") == nil {
            // The first capture did not get so far as to make the home: the next one does.
            #expect(try await program.run("capture", "the next thought").status == 0)
        }
        let outcome = try await program.run("list", "--json", "--limit", "0")
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
        guard let text else { return }
        #expect(try notes(with: text).count == 1, sourceLocation: sourceLocation)
        #expect(outcome.lines.count == program.notePaths().count, sourceLocation: sourceLocation)
        #expect(inbox(with: text).isEmpty, sourceLocation: sourceLocation)
    }
}

/// A home with nothing in it yet but its marker, made without the program.
func emptyHome(models: AuraProgram.Models = .none) throws -> AuraProgram {
    let program = try AuraProgram(models: models)
    try program.write(
        Array(
            #"{"id":"01KJ0WZ8Q4T9M3C5V7X2B6N1RA","format":1,"sealing":"plain","adopted":false}"#
                .utf8),
        to: ".aura/vault.json")
    return program
}

/// Tells which points a test went through.
func report(_ name: String, _ fault: Fault, _ hit: [FaultPoint]) {
    let counts = Dictionary(grouping: hit, by: \.call).map { "\($0.key) \($0.value.count)" }
        .sorted()
    print("\(name), \(fault): \(hit.count) points hit: \(counts.joined(separator: ", "))")
}

@Suite("a capture that a fault meets", .enabled(if: Strace.mayRun, Strace.reason))
struct CaptureFaultTests {
    /// The second home is made by the capture itself.
    enum Start: String, CaseIterable, Sendable {
        case intoAHome, ofTheFirstThought

        func program() throws -> AuraProgram {
            self == .intoAHome ? try emptyHome() : try AuraProgram()
        }
    }

    @Test("killed at any call, it leaves a whole note or none", arguments: Start.allCases)
    func killed(start: Start) async throws {
        let words = ["capture", longThought]
        let points = try await Strace.points(of: words, in: start.program())
        #expect(points.count >= 10)
        var hit: [FaultPoint] = []
        for point in points {
            let program = try start.program()
            let run = try await Strace.run(words, in: program, fault: .kill, at: point)
            guard run.wasHit else { continue }
            hit.append(point)
            let after = Aftermath(program: program)
            let notes = try after.notes(with: longThought)
            #expect(notes.count <= 1, "\(point)")
            // A path that was told is a promise.
            if !run.outcome.output.isEmpty { #expect(notes == run.outcome.lines, "\(point)") }
            #expect(run.outcome.status == 128 + 9, "\(point)")
            #expect(try await program.run("capture", "after the fault").status == 0, "\(point)")
            try await after.recovers(expecting: nil)
        }
        #expect(hit.count >= points.count - 1)
        report("capture \(start.rawValue)", .kill, hit)
    }

    @Test(
        "a disk that refuses a call costs no word",
        arguments: Start.allCases,
        Strace.isDeep ? ["ENOSPC", "EIO", "EROFS", "EACCES", "EDQUOT"] : ["ENOSPC", "EIO"])
    func refused(start: Start, error: String) async throws {
        guard Strace.isDeep || start == .intoAHome || error == "ENOSPC" else { return }
        try await refuse(["capture", longThought], start, .error(error))
    }

    @Test(
        "a disk that stays full costs no word",
        arguments: Strace.isDeep ? ["ENOSPC", "EIO", "EROFS", "EACCES"] : ["ENOSPC"])
    func refusedForGood(error: String) async throws {
        try await refuse(["capture", longThought], .intoAHome, .lastingError(error))
    }

    private func refuse(_ words: [String], _ start: Start, _ fault: Fault) async throws {
        let points = try await Strace.points(of: words, in: start.program())
        var hit: [FaultPoint] = []
        for point in points {
            let program = try start.program()
            let run = try await Strace.run(words, in: program, fault: fault, at: point)
            guard run.wasHit else { continue }
            hit.append(point)
            let after = Aftermath(program: program)
            let notes = try after.notes(with: longThought)
            let outcome = run.outcome
            if outcome.status == 0 {
                #expect(notes == outcome.lines, "\(point)")
            } else {
                // A path that may not be written is told apart; a stream has none.
                let denied = "\(fault)".hasPrefix("EACCES") && point.call != "write"
                #expect(outcome.status == (denied ? 77 : 74), "\(point): \(outcome.errors)")
                // Standard error itself may be what fails for good: then there is nobody to tell.
                let isSilenced = point.call == "write" && "\(fault)".hasSuffix("+")
                let isInErrors = outcome.errors.contains(longThought) || isSilenced
                #expect(
                    !notes.isEmpty || !after.inbox(with: longThought).isEmpty || isInErrors,
                    "\(point): the text is gone: \(outcome.errors)")
                #expect(
                    !outcome.errors.isEmpty || point.call == "write", "\(point): nothing was said")
                try await after.recovers(expecting: isInErrors ? nil : longThought)
            }
            let isRemovalHit = point.call.hasPrefix("unlink")
            #expect(after.temporaries.isEmpty || isRemovalHit, "\(point): \(after.temporaries)")
        }
        report("capture \(start.rawValue)", fault, hit)
    }

    @Test("a full index disk costs no note and no exit code of the capture")
    func fullIndex() async throws {
        let program = try emptyHome()
        let run = try await Strace.run(
            ["capture", "--wait", longThought], in: program, calls: ["pwrite64"],
            inject: "pwrite64:error=ENOSPC:when=1+")
        #expect(run.outcome.status == 0, "\(run.outcome.errors)")
        let search = try await Strace.run(
            ["search", "boiler"], in: program, calls: ["pwrite64"],
            inject: "pwrite64:error=ENOSPC:when=1+")
        #expect(search.wasHit)
        #expect(search.outcome.status == 74, "\(search.outcome.errors)")
        let after = Aftermath(program: program)
        try await after.recovers(expecting: longThought)
        #expect(try await program.run("search", "boiler").lines.count >= 1)
    }

    @Test("past a limit on file sizes the text is given back")
    func fileSizeLimit() async throws {
        let program = try emptyHome()
        // One block of 512 bytes or 1 KiB, less than the thought has.
        let outcome = try await program.shell("ulimit -f 1; aura capture '\(longThought)'")
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains(longThought), "\(outcome.errors)")
        #expect(program.notePaths().isEmpty)
        #expect(Aftermath(program: program).temporaries.isEmpty)
    }

    @Test("text from a pipe survives a home whose marker is damaged")
    func damagedMarker() async throws {
        let program = try emptyHome()
        try program.write(Array("{".utf8), to: ".aura/vault.json")
        let outcome = try await program.run("capture", input: .text(longThought))
        #expect(outcome.status == 65)
        #expect(Aftermath(program: program).inbox(with: longThought).count == 1)
    }
}
