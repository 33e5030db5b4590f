import AuraCore
import AuraTestKit
import Foundation
import Testing

@Suite("capture --vault auto and file", .timeLimit(.minutes(8))) struct FilingProgramTests {
    private struct Row: Decodable {
        var vault: String
        var text: String
    }

    private static func rows() throws -> [Row] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fixtures/filing/notes.jsonl").path
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Row.self, from: Data($0.utf8))
        }
    }

    private func capture(_ rows: [Row], in program: AuraProgram) async throws {
        let lines = rows.enumerated().map { number, row in
            JSONValue.record([
                ("id", .number(Double(number))), ("text", .string(row.text)),
                ("vault", .string(row.vault)),
            ]).serialized
        }
        let outcome = try await program.run(
            "capture", "--batch", input: .text(lines.joined(separator: "\n") + "\n"))
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(
        "without a model the words decide; what none claims stays in the inbox and can be filed later"
    )
    func byWords() async throws {
        let program = try AuraProgram()
        try await program.makeHome()
        let bread = ["rye starter fed", "sourdough starter rises", "starter and rye flour mixed"]
        let boat = ["keel bolts rusty", "keel plank soft", "new bolts for the keel plank"]
        try await capture(
            bread.map { Row(vault: "Personal", text: $0) }
                + boat.map { Row(vault: "Projects", text: $0) }, in: program)
        let filed = try await program.run(
            "capture", "--vault", "auto", "the rye starter doubled overnight")
        #expect(filed.status == 0 && filed.output.hasPrefix("Personal/"))
        #expect(filed.errors.contains("starter"), "the reason names notes like it")
        let unsure = try await program.run("capture", "--vault", "auto", "zebra crossing painted")
        #expect(unsure.status == 0 && unsure.output.hasPrefix("Inbox/"))
        let left = try await program.run("file")
        #expect(left.status == 1 && left.output.contains("left here"))
        // A person's move is followed from then on.
        let path = unsure.lines[0]
        #expect(try await program.run("move", path, "Family").status == 0)
        try await capture(
            [
                Row(vault: "Family", text: "zebra crossing repainted for school"),
                Row(vault: "Family", text: "the school crossing with the zebra stripes"),
            ], in: program)
        let next = try await program.run("capture", "--vault", "auto", "zebra crossing again")
        #expect(next.output.hasPrefix("Family/"), "\(next.output)\(next.errors)")
        let undone = try await program.run("undo")
        #expect(undone.status == 0 && program.notePaths().contains { $0.hasPrefix("Inbox/") })
    }

    @Test(
        "on a home of forty notes a vault, four of five that are filed are filed right, and many are",
        .enabled(if: TestModels.mayRun(with: TestModels.embedding), "\(TestModels.reason)"))
    func byMeaning() async throws {
        let program = try AuraProgram(
            models: .files(chat: nil, embedding: TestModels.embedding))
        try await program.makeHome()
        let rows = try Self.rows()
        var seen: [String: Int] = [:]
        var known: [Row] = []
        var held: [Row] = []
        for row in rows {
            seen[row.vault, default: 0] += 1
            if seen[row.vault, default: 0] <= 40 { known.append(row) } else { held.append(row) }
        }
        try await capture(known, in: program)
        #expect(try await program.run("reindex", deadline: .seconds(200)).status == 0)
        var (right, wrong) = (0, 0)
        for row in held {
            let outcome = try await program.run("capture", "--vault", "auto", row.text)
            #expect(outcome.status == 0)
            let vault = String(outcome.output.prefix { $0 != "/" })
            if vault == row.vault { right += 1 } else if vault != "Inbox" { wrong += 1 }
        }
        print("filed \(right + wrong) of \(held.count), \(right) right")
        #expect(5 * right >= 4 * (right + wrong))
        #expect(5 * (right + wrong) >= 2 * held.count)
    }
}
