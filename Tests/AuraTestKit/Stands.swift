import AuraCore
import Foundation
import Synchronization

/// Answers in order and keeps the prompts; fails the call when it was asked once too often.
public final class ScriptedGenerator: Sendable {
    private struct State {
        var replies: [String]
        var prompts: [Prompt] = []
    }
    private let state: Mutex<State>

    public init(_ replies: [String]) { state = Mutex(State(replies: replies)) }

    package var prompts: [Prompt] { state.withLock { $0.prompts } }
}

extension ScriptedGenerator: TextGenerator {
    package var modelName: String { "scripted" }

    package func generate(
        _ prompt: Prompt, _ sampling: Sampling
    ) -> AsyncThrowingStream<String, any Error> {
        let reply: String? = state.withLock { state in
            state.prompts.append(prompt)
            return state.replies.isEmpty ? nil : state.replies.removeFirst()
        }
        return AsyncThrowingStream { continuation in
            if let reply {
                continuation.yield(reply)
                continuation.finish()
            } else {
                continuation.finish(throwing: UnexpectedCall("generate \(prompt.name)"))
            }
        }
    }

    package func tokenCounts(of texts: [String]) async throws -> [Int] {
        texts.map { $0.utf8.count / 4 + 1 }
    }

    package func contextLength() async throws -> Int { 4096 }
}

/// Gives the same reply to every request.
public final class RepeatingGenerator: Sendable {
    private let text: String
    private let count = Atomic<Int>(0)

    public init(_ text: String) { self.text = text }

    /// How often it was asked.
    public var calls: Int { count.load(ordering: .relaxed) }
}

extension RepeatingGenerator: TextGenerator {
    package var modelName: String { "repeating" }

    package func generate(
        _ prompt: Prompt, _ sampling: Sampling
    ) -> AsyncThrowingStream<String, any Error> {
        count.add(1, ordering: .relaxed)
        return AsyncThrowingStream { continuation in
            continuation.yield(text)
            continuation.finish()
        }
    }

    package func tokenCounts(of texts: [String]) async throws -> [Int] {
        texts.map { $0.utf8.count / 4 + 1 }
    }

    package func contextLength() async throws -> Int { 4096 }
}

/// A stand-in was called and the test expected no such call.
public struct UnexpectedCall: Error, CustomStringConvertible {
    public let description: String
    public init(_ what: String) { description = "unexpected call: \(what)" }
}

/// Same words, same direction: each word is hashed to one of 64 dimensions.
public struct WordEmbedder: Embedder {
    public init() {}
    package var dimensions: Int { 64 }
    package var modelName: String { "words" }

    package func vectors(for texts: [String]) async throws -> [Embedding] {
        texts.map { text in
            var values = [Float](repeating: 0, count: 64)
            for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                var hash: UInt64 = 14_695_981_039_346_656_037
                for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
                values[Int(hash % 64)] += 1
            }
            let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return length > 0 ? Embedding(values.map { $0 / length }) : Embedding([])
        }
    }
}
