import AuraCore
import AuraTestKit
import Testing

/// All of these pipe a text into `capture` and look at the action of the note.
enum DateCases {
    private static func deadline(
        _ day: String, time: String? = nil, _ more: @escaping @Sendable (Note, Statements) -> Void
    ) -> CaseRun {
        { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let (path, note, _) = try await program.captured(item)
            check.holds(
                0, note.action.deadline?.description == day && note.kind == .task,
                try program.text(of: path))
            #expect(note.action.time?.description == time)
            more(note, check)
        }
    }

    static let runs: [String: CaseRun] = [
        "da-01": deadline("2026-03-09") { note, check in
            check.holds(1, note.action.deadline?.description != "2026-03-02")
            check.holds(2, !note.action.isTimeSpecific && note.action.time == nil)
        },
        "da-02": { item, check in
            let program = try await AuraProgram.prepared(for: item)
            let (path, note, _) = try await program.captured(item)
            let text = try program.text(of: path)
            check.holds(0, note.action.deadline == nil, text)
            check.holds(1, note.action.time == nil, text)
            let kept = ["may have", "to march", "totals sat", "Ask April", "the sun room"]
            check.holds(2, kept.allSatisfy(note.body.contains), note.body)
        },
        "da-03": deadline("2026-02-28") { note, check in
            check.holds(
                1, !["2026-02-21", "2026-03-01"].contains(note.action.deadline?.description))
        },
        "da-04": deadline("2026-02-28") { note, check in
            check.holds(
                1, note.action.deadline != nil && note.action.deadline?.description != "2026-03-03")
        },
        "da-05": deadline("2026-03-05", time: "12:00") { note, check in
            check.holds(1, note.action.time?.description == "12:00")
            check.holds(2, note.action.isTimeSpecific)
        },
        "da-06": deadline("2026-03-04", time: "17:20") { note, check in
            check.holds(1, note.action.time?.description == "17:20")
            check.holds(2, note.action.deadline?.description != "2026-03-05")
        },
        "da-07": deadline("2026-03-05") { note, check in
            check.holds(1, note.action.deadline?.description != "2026-03-06")
            check.holds(
                2, note.created?.iso8601 == "2026-03-05T07:30:00Z",
                "\(String(describing: note.created))")
        },
    ]
}
