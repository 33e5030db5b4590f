import AuraCore
import AuraSystem
import AuraTestKit
import Testing

enum SearchCases {
    static let runs: [String: CaseRun] = [
        "se-01": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            var firsts: [String?] = []
            var output = ""
            for query in ["OPS-4417", "ops-4417", "state-of-the-art"] {
                firsts.append(try await program.found(query).first)
                let plain = try await program.run("search", query)
                output += plain.output + plain.errors
            }
            check.holds(0, firsts.allSatisfy { $0 == "Corporate/pump.md" }, "\(firsts)")
            let dashed = try await program.run("search", "-4417")
            check.holds(1, dashed.status == 0, dashed.errors)
            output += dashed.output + dashed.errors
            let bad = ["no such column", "fts5", "syntax error"]
            check.holds(2, !bad.contains(where: output.contains), output)
        },
        "se-02": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            check.holds(
                0, try await program.found("flush_write_queue").first == "Corporate/code.md")
            check.holds(1, try await program.found("write queue").contains("Corporate/code.md"))
            let third = try await program.run("search", "flushwritequeue")
            check.holds(2, third.status == 0, third.errors)
        },
        "se-03": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let first = try await program.found("在庫管理")
            let second = try await program.found("見直し")
            check.holds(
                0, first.contains("Corporate/jp.md") && second.contains("Corporate/jp.md"),
                "\(first) \(second)")
            check.holds(1, try await program.found("库存管理").contains("Corporate/zh.md"))
            let none = try await program.run("search", "検討", "--json")
            check.holds(2, none.status == 0 && !none.errors.contains("error"), none.errors)
        },
        "se-04": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            var all = true
            for query in ["reunion malmo", "zoe", "café", "Malmo\u{308}"] {
                let found = try await program.found(query)
                all = all && found == ["Corporate/trip.md"]
            }
            check.holds(0, all)
            let plain = try await program.run("search", "zoe")
            check.holds(1, plain.output.contains("Réunion à Malmö"), plain.output)
        },
        "se-05": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            #expect(try await program.found("blue slate") == ["Corporate/gone.md"])
            try Files.remove("\(program.vaultHome)/Corporate/gone.md")
            let found = try await program.found("blue slate")
            let listed = try await program.listed()
            let answer = try await program.run("ask", "Who sells slate?")
            let plain = try await program.run("search", "blue slate")
            let said = answer.output + plain.output
            check.holds(
                0,
                !found.contains("Corporate/gone.md") && !listed.contains("Corporate/gone.md")
                    && !said.contains("gone.md"), said)
            check.holds(1, !answer.output.contains("quarry") && answer.status == 1, answer.output)
            check.holds(2, listed == ["Corporate/stay.md"], "\(listed)")
        },
        "se-06": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let found = try await program.found("Kestrel9")
            check.holds(0, found.first == "Corporate/k9.md", "\(found)")
            check.holds(1, found.dropFirst().allSatisfy { $0 != "Corporate/k9.md" }, "\(found)")
        },
    ]
}
