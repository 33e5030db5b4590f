import AuraSystem
import AuraTestKit
import Foundation
import Testing

@Suite("several at once")
struct ConcurrencyTests {
    @Test("200 captures from 8 processes at once make 200 notes, all found by search")
    func captures() async throws {
        let program = try AuraProgram()
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            for writer in 1...8 {
                // Half of them say the same, so that they want the same file name in the same second.
                let line = """
                    for i in $(seq 25); do
                        if [ $((i % 2)) = 0 ]; then aura capture 'the same heron thought' || exit
                        else aura capture "heron thought $i of writer \(writer)" || exit; fi
                    done
                    """
                group.addTask { try await program.shell(line, deadline: .seconds(300)) }
            }
            var paths: Set<String> = []
            for try await outcome in group {
                #expect(outcome.status == 0, "\(outcome.errors)")
                paths.formUnion(outcome.lines)
            }
            #expect(paths.count == 200)
            #expect(Set(program.notePaths()) == paths)
        }
        let found = try await program.run(
            "search", "heron", "--mode", "keyword", "--json", "--limit", "1000",
            deadline: .seconds(120))
        #expect(found.status == 0, "\(found.errors)")
        #expect(Set(found.lines.compactMap(path)).count == 200)
        let ids = try program.notePaths().map { path in
            try program.text(of: path).split(separator: "\n").first { $0.hasPrefix("id: ") }
        }
        #expect(Set(ids).count == 200)
    }

    @Test("searches and edits while captures go on never see a half note or a broken index")
    func mixed() async throws {
        let program = try AuraProgram()
        for number in 1...5 { try await program.run("capture", "plover thought \(number)") }
        let paths = program.notePaths()
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            group.addTask {
                try await program.shell(
                    "for i in $(seq 10); do aura capture \"plover $i\" || exit; done")
            }
            for _ in 1...2 {
                group.addTask {
                    try await program.shell(
                        "for i in $(seq 8); do aura search plover >&2 || exit; done")
                }
            }
            for path in paths.prefix(2) {
                group.addTask {
                    try await program.shell(
                        "for i in $(seq 6); do aura edit \(path) --tag +t$i || exit; done")
                }
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.errors)") }
        }
        for path in paths.prefix(2) {
            let text = try program.text(of: path)
            for number in 1...6 { #expect(text.contains("t\(number)"), "\(text)") }
        }
        #expect(program.notePaths().count == 15)
    }

    @Test("thoughts that wait in the inbox become notes once, whoever comes first")
    func inbox() async throws {
        let program = try AuraProgram()
        #expect(try await program.run("capture", "the first").status == 0)
        try FileManager.default.moveItem(
            atPath: program.vaultHome, toPath: program.vaultHome + ".away")
        for number in 1...5 {
            let outcome = try await program.run("capture", "curlew thought \(number) for tomorrow")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("inbox"))
        }
        try FileManager.default.moveItem(
            atPath: program.vaultHome + ".away", toPath: program.vaultHome)
        try await withThrowingTaskGroup(of: AuraProgram.Outcome.self) { group in
            for _ in 1...6 { group.addTask { try await program.run("list") } }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.errors)") }
        }
        #expect(program.notePaths().count == 6)
        #expect(try await program.run("search", "curlew", "--json").lines.count == 5)
    }

    @Test(
        "writers killed at any moment lose no note that was told",
        .enabled(if: Strace.isDeep, "a long run: AURA_DEEP=1"))
    func randomKills() async throws {
        let program = try emptyHome()
        var chance = SystemRandomNumberGenerator()
        var told: Set<String> = []
        for _ in 1...60 {
            var running: [RunningProgram] = []
            for _ in 1...6 {
                running.append(try program.start("capture", "\(longThought) \(UUID())"))
            }
            for one in running {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...12, using: &chance)))
                one.signal(SIGKILL)
            }
            for one in running { told.formUnion(try await one.outcome().lines) }
        }
        let notes = try Aftermath(program: program).notes(with: longThought)
        #expect(told.isSubset(of: notes))
        print("random kills: 360 captures, \(told.count) told, \(notes.count) notes")
        #expect(try await program.run("list", "--limit", "0").lines.count == notes.count)
    }

    private func path(_ line: String) -> String? {
        guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) else {
            return nil
        }
        return (json as? [String: Any])?["path"] as? String
    }
}
