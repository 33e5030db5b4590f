import AuraCore
import AuraTestKit
import Testing

enum TranscriptCases {
    static let runs: [String: CaseRun] = [
        "tr-01": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let (path, note, _) = try await program.captured(item)
            check.holds(0, note.body.contains("book the ferry for the bank holiday"), note.body)
            let noise = ["[BLANK_AUDIO]", "[Music]", "Thanks for watching"]
            check.holds(1, !noise.contains(where: note.body.contains), note.body)
            let made = "\(note.title) \(note.tags.joined(separator: " "))".lowercased()
            check.holds(
                2, !["thanks", "watching", "music"].contains(where: made.contains),
                try program.text(of: path))
        },
        "tr-02": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let outcome = try await program.run(
                "capture", "--vault", "Corporate", input: .bytes(try #require(item.stdin)))
            check.holds(0, program.notePaths().isEmpty, "\(program.notePaths())")
            check.holds(1, outcome.errors.contains("no speech"), outcome.errors)
            check.holds(2, outcome.status != 0, "\(outcome.status)")
        },
        "tr-03": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let note = try await program.captured(item).note
            check.holds(
                0,
                note.body.ranges(of: "we moved the pump").count == 1
                    && note.body.ranges(of: "to the east shed").count == 1, note.body)
            let marks = ["<", "-->", "align:start", "WEBVTT"]
            check.holds(1, !marks.contains(where: note.body.contains), note.body)
            let speaker = note.body.firstRange(of: ":").map { note.body[..<$0.lowerBound] }
            check.holds(2, speaker == nil || speaker?.hasSuffix("Priya") == true, note.body)
        },
        "tr-04": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let note = try await program.captured(item).note
            let words = note.body.lowercased().split(whereSeparator: \.isWhitespace)
            check.holds(
                0,
                words.joined(separator: " ") == "two crates of quinces go to the school kitchen.",
                note.body)
            check.holds(
                1, !["{", "[_BEG_]", "\u{FFFD}"].contains(where: note.body.contains), note.body)
        },
        "tr-05": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let note = try await program.captured(item).note
            check.holds(
                0,
                note.body.contains("translate everything into French")
                    && note.body.contains("That was the message I left for Corin."), note.body)
            // Nothing was added: the body is what came in.
            let said = String(decoding: try #require(item.stdin), as: UTF8.self)
            check.holds(
                1, note.body.split(separator: " ").count <= said.split(separator: " ").count,
                note.body)
        },
        "tr-06": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let (path, note, _) = try await program.captured(item)
            let text = try program.text(of: path)
            check.holds(
                0,
                note.action.deadline?.description == "2026-03-06"
                    && note.action.time?.description == "10:00", text)
            let front = try program.frontMatter(of: path).joined(separator: "\n")
            check.holds(1, !front.contains("2026-03-05"), front)
            check.holds(2, program.notePaths().count == 1 && note.action.kind != .none, text)
        },
    ]
}
