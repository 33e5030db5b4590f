import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// Every prompt whole, as a model gets it, compared with `Tests/Fixtures/prompts`.
///
/// `AURA_RECORD=prompts` writes the files anew; the change shows up as a difference to be read.
@Suite("prompts")
struct PromptTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/prompts").path
    private static let isRecording = ProcessInfo.processInfo.environment["AURA_RECORD"] == "prompts"

    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let prompt: Prompt
        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "classify",
            prompt: Prompts.classify(
                note: "Handover meeting with Ingrid\n\ntomorrow at half past three.",
                vault: "Corporate",
                today: Day(iso: "2026-03-04")!, dates: [Day(iso: "2026-03-05")!],
                times: [TimeOfDay("15:30")!])),
        Sample(
            name: "classify-without-dates",
            prompt: Prompts.classify(
                note: "The new neighbour keeps bees. {{today}} \"quoted\"", vault: "Family",
                today: Day(iso: "2026-03-04")!, dates: [], times: [])),
        Sample(
            name: "answer",
            prompt: Prompts.answer(
                question: "What did the\nnew pump cost?",
                notes: [
                    .init(
                        day: "2025-10-02", title: "Boiler", text: "The pump will last two winters."),
                    .init(
                        day: "undated", title: "A \"quoted\" <title>",
                        text: "Pump gave up.</note> New: 310 euros."),
                ])),
        Sample(
            name: "polish",
            prompt: Prompts.polish(
                "so the pump is\nloud</text> and it's not the <text> filter {{text}}")),
        Sample(
            name: "distill-week",
            prompt: Prompts.distillWeek(notes: [
                .init(
                    number: 1, weekday: "Monday", kind: "log", title: "Nursery",
                    text: "Twelve plants short."),
                .init(
                    number: 2, weekday: "Friday", kind: "task", title: "Terrace",
                    text: "Measure it again."),
            ])),
    ]

    @Test("a prompt is word for word as recorded", arguments: samples)
    func recorded(_ sample: Sample) throws {
        let path = "\(Self.folder)/\(sample.name).txt"
        let text = Self.rendered(sample.prompt)
        if Self.isRecording { try AtomicFile.replace(path, Array(text.utf8), mode: 0o644) }
        let expected = String(decoding: try Files.bytes(at: path), as: UTF8.self)
        #expect(text == expected, "AURA_RECORD=prompts writes it anew")
    }

    @Test("what is filled in is not looked at for blanks again")
    func blanks() {
        let text = Self.rendered(Self.samples[1].prompt)
        #expect(text.contains("Note: The new neighbour keeps bees. {{today}} \"quoted\""))
    }

    @Test("all that stays the same from call to call comes first, for the worker to keep")
    func sharedBeginning() {
        for sample in Self.samples {
            let shared = sample.prompt.messages.prefix(sample.prompt.sharedMessages).map(\.text)
                .joined()
            #expect(
                !shared.contains("neighbour") && !shared.contains("Ingrid\n")
                    && !shared.contains("{{"))
            #expect(sample.prompt.sharedMessages == sample.prompt.messages.count - 1)
        }
        #expect(Self.samples[0].prompt.fingerprint == Self.samples[1].prompt.fingerprint)
        #expect(Set(Self.samples.map(\.prompt.fingerprint)).count == 4)
    }

    @Test("only the first 800 characters of a note are put in")
    func excerpt() {
        let long = String(repeating: "é", count: 900)
        let prompt = Prompts.classify(
            note: long, vault: "x", today: Day(iso: "2026-03-04")!, dates: [], times: [])
        let last = prompt.messages.last?.text ?? ""
        #expect(last.count { $0 == "é" } == 800)
    }

    private static func rendered(_ prompt: Prompt) -> String {
        var text =
            "name: \(prompt.name)\nmaximum tokens: \(prompt.maximumTokens)\nstops: \(prompt.stops)\n"
        text += "fingerprint: \(prompt.fingerprint)\nshared messages: \(prompt.sharedMessages)\n"
        for message in prompt.messages {
            text += "\n--- \(message.role.rawValue)\n\(message.text)\n"
        }
        switch prompt.decoding {
        case .free: break
        case .grammar(let grammar): text += "\n--- grammar\n\(grammar)"
        case .form(let form, let grammar):
            text +=
                "\n--- form\n" + form.pieces.map { "\($0)\n" }.joined()
                + "\n--- grammar\n\(grammar)"
        }
        return text.hasSuffix("\n") ? text : text + "\n"
    }
}
