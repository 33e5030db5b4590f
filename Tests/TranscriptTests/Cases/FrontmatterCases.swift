import AuraCore
import AuraTestKit
import AuraYAML
import Foundation
import Testing

enum FrontmatterCases {
    static let runs: [String: CaseRun] = [
        "fm-01": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let title = "Storage review: the index layer"
            let outcome = try await program.run(
                "capture", "--vault", "Corporate", "--title", title, "--json",
                input: .bytes(try #require(item.stdin)))
            let path = try #require(outcome.json?["path"]?.text, "\(outcome.errors)")
            let document = try? yaml(program.frontMatter(of: path))
            check.holds(0, document?.root?.pairs != nil, try program.text(of: path))
            check.holds(1, document?.root?["title"]?.text == title, try program.text(of: path))
            let list = try await program.done("list")
            check.holds(2, list.output.contains(title), list.output)
            let shown = try await program.done("show", title)
            #expect(shown.output.contains("Compaction runs nightly"))
        },
        "fm-02": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let path = item.files[0].path
            let before = String(decoding: item.files[0].bytes, as: UTF8.self)
            check.holds(0, try await program.found("winter storage").contains(path))
            try await program.done("edit", path, "--tag", "+harbour")
            let after = try program.text(of: path)
            let body = after.components(separatedBy: "---\n").dropFirst(2).joined(
                separator: "---\n")
            let wanted = ["Part one", "\n---\n", "Part two", "\n---\n", "Part three"]
            var rest = body[...]
            let isInOrder = wanted.allSatisfy { word in
                guard let place = rest.firstRange(of: word) else { return false }
                rest = rest[place.upperBound...]
                return true
            }
            check.holds(1, isInOrder, body)
            let old = before.split(separator: "\n", omittingEmptySubsequences: false)
            let new = after.split(separator: "\n", omittingEmptySubsequences: false)
            let changed = zip(old, new).filter { $0 != $1 }.map(\.0)
            check.holds(
                2,
                old.count == new.count && changed.count == 2
                    && changed.allSatisfy { $0.hasPrefix("tags:") || $0.hasPrefix("modified:") },
                after)
        },
        "fm-03": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let path = item.files[0].path
            let list = try await program.done("list", "--tasks")
            check.holds(0, list.output.contains("due 2026-03-17 16:45"), list.output)
            try await program.done("edit", path, "--tag", "+health")
            let root = try yaml(program.frontMatter(of: path)).root
            let time = root?["action"]?["time"]
            check.holds(
                1, time?.text == "16:45" && time?.style != .plain, try program.text(of: path))
            check.holds(
                2, root?["action"]?["deadline"]?.text == "2026-03-17", try program.text(of: path))
        },
        "fm-04": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let path = item.files[0].path
            let tags = try await program.run("tags", "--json").jsonLines.compactMap {
                $0["tag"]?.text
            }
            check.holds(
                0, try await program.listed("--tag", "fleet") == [path] && tags.contains("fleet"),
                "\(tags)")
            let listed = try await program.run("list", "--json").jsonLines.first
            check.holds(1, listed?["title"]?.text == "Depot visit", "\(String(describing: listed))")
            let shown = try await program.run("show", "--json", path).json
            let body = shown?["body"]?.text ?? "none"
            check.holds(2, !body.contains("title:") && !body.contains("---"), body)
            #expect(try await program.found("forklift") == [path])
            try await program.done("edit", path, "--tag", "+yard")
            let after = try program.bytes(of: path)
            let text = String(decoding: after, as: UTF8.self)
            let lines = after.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            let marks = lines.count {
                Array($0.filter { $0 != 0x0D && $0 < 0x80 }) == Array("---".utf8)
            }
            check.holds(
                3, marks == 2 && lines.allSatisfy { $0.last == 0x0D } && text.contains("yard"), text
            )
        },
        "fm-05": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let path = item.files[0].path
            try await program.done("tags")
            let numbered = try await program.listed("--tag", "2024")
            let planned = try await program.listed("--tag", "planning")
            check.holds(0, numbered == [path] && planned == [path], "\(numbered) \(planned)")
            try await program.done("edit", path, "--tag", "+firmware")
            let root = try yaml(program.frontMatter(of: path)).root
            check.holds(
                1, root?["title"]?.text == "1.10" && root?["title"]?.style != .plain,
                try program.text(of: path))
            let note = try program.note(at: path)
            let raw = root?["tags"]?.items?.compactMap(\.text) ?? []
            check.holds(
                2,
                note.tags == ["2024", "yes", "1.10", "planning", "firmware"]
                    && raw.contains("1.10") && raw.contains("yes"), "\(note.tags) \(raw)")
        },
        "fm-06": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let path = item.files[0].path
            let weekend = try await program.listed("--tag", "weekend")
            let backup = try await program.listed("--tag", "backup")
            let doctor = try await program.run("doctor")
            let warns = doctor.output.contains("hash.md") && doctor.output.contains("#")
            check.holds(0, (weekend == [path] && backup == [path]) || warns, doctor.output)
            try await program.done("edit", path, "--tag", "+rota")
            let line = try program.frontMatter(of: path).first { $0.hasPrefix("tags:") } ?? ""
            let rest = try program.text(of: path)
            check.holds(
                1, rest.contains("rota") && line.contains("backup") && line.contains("weekend"),
                rest)
        },
    ]
}
