import AuraCore
import AuraSystem
import Foundation
import Synchronization
import Testing

/// One case of `Tests/Fixtures/cases`: what to set up and do, and statements that must hold.
package struct Case: Sendable {
    package struct File: Sendable {
        package let path: String
        package let bytes: [UInt8]
    }

    package let id: String
    package let area: String
    package let clock: String?
    package let files: [File]
    package let stdin: [UInt8]?
    package let texts: [String]
    package let modelReply: String?
    package let question: String?
    package let run: String
    package let expected: [String]

    package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/cases").path

    /// All cases of one file, in its order.
    /// - Throws: `CaseError` with file and line for whatever is no case.
    package static func load(_ area: String) throws -> [Case] {
        let path = "\(folder)/\(area).jsonl"
        let lines = try Files.bytes(at: path).split(separator: 0x0A)
        return try lines.enumerated().map { number, line in
            guard let json = JSONValue.read(Array(line)), let read = Case(json) else {
                throw CaseError(description: "\(path):\(number + 1): this is no case")
            }
            return read
        }
    }

    /// The areas that there are files for.
    package static func areas() throws -> [String] {
        try Files.entries(of: folder).map(\.name).filter { $0.hasSuffix(".jsonl") }
            .map { String($0.dropLast(6)) }.sorted()
    }

    private init?(_ json: JSONValue) {
        guard let id = json["id"]?.text, let area = json["area"]?.text, let input = json["input"],
            let expected = json["expected"]?.elements?.compactMap(\.text), !expected.isEmpty
        else { return nil }
        self.id = id
        self.area = area
        self.expected = expected
        clock = input["clock"]?.text
        run = input["run"]?.text ?? ""
        question = input["question"]?.text
        modelReply = input["model_reply"]?.text
        texts = input["texts"]?.elements?.compactMap(\.text) ?? []
        stdin =
            input["stdin"]?.text.map { Array($0.utf8) }
            ?? input["stdin_escaped"]?.text.map(Case.unescaped)
        files = (input["files"]?.elements ?? []).compactMap { file in
            guard let path = file["path"]?.text else { return nil }
            let bytes =
                file["text"]?.text.map { Array($0.utf8) }
                ?? file["text_escaped"]?.text.map(Case.unescaped)
            return bytes.map { File(path: path, bytes: $0) }
        }
    }

    /// `\xNN`, `\r` and `\n` as the bytes they name.
    package static func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
                guard let value = UInt8(digits, radix: 16) else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default:
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst()
        }
        return bytes
    }
}

extension Case: CustomTestStringConvertible {
    package var testDescription: String { id }
}

package struct CaseError: Error, CustomStringConvertible {
    package let description: String
    package init(description: String) { self.description = description }
}

/// `Wednesday 2026-03-04 10:00, Europe/London`, with a remark in brackets allowed behind it.
package struct CaseClock: Sendable {
    /// `2026-03-04 10:00`
    package let local: String
    package let zone: String

    package init(_ text: String) throws {
        let parts = text.split(separator: ",", maxSplits: 1)
        let words = parts[0].split(separator: " ")
        guard parts.count == 2, words.count == 3, let zone = parts[1].split(separator: " ").first
        else {
            throw CaseError(description: "'\(text)' is no clock")
        }
        local = "\(words[1]) \(words[2])"
        self.zone = String(zone)
    }

    package var options: [String] { ["--now", local, "--zone", zone] }
}

/// Checks the statements of a case one by one, and that none was forgotten.
package final class Statements: Sendable {
    private let item: Case
    private let seen = Mutex<Set<Int>>([])

    package init(_ item: Case) { self.item = item }

    /// Fails the test with the statement's own words when it does not hold.
    package func holds(
        _ index: Int, _ condition: Bool, _ detail: @autoclosure () throws -> String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        seen.withLock { _ = $0.insert(index) }
        guard !condition else { return }
        Issue.record(
            "\(item.id): \(statement(index))\n\((try? detail()) ?? "")",
            sourceLocation: sourceLocation)
    }

    /// For what a model words as it likes: printed, not asserted.
    package func reported(
        _ index: Int, _ condition: Bool, _ detail: @autoclosure () throws -> String = ""
    ) {
        seen.withLock { _ = $0.insert(index) }
        print(
            "\(item.id) \(condition ? "holds" : "DOES NOT HOLD"): \(statement(index)) | \((try? detail()) ?? "")"
        )
    }

    /// A statement, or a part of one, that belongs to something not built yet.
    package func later(_ index: Int, _ reason: String) {
        seen.withLock { _ = $0.insert(index) }
        print("\(item.id) later: \(statement(index)) | \(reason)")
    }

    package func finish() {
        let forgotten = seen.withLock { Set(item.expected.indices).subtracting($0) }
        for index in forgotten.sorted() {
            Issue.record("\(item.id): never checked: \(statement(index))")
        }
    }

    private func statement(_ index: Int) -> String {
        item.expected.indices.contains(index) ? item.expected[index] : "statement \(index)"
    }
}
