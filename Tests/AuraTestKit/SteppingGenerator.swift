import AuraCore

/// Gives one reply in pieces, and does something before the first: a note changes while a model thinks.
package struct SteppingGenerator: TextGenerator {
    private let pieces: [String]
    private let before: @Sendable () throws -> Void

    package init(_ pieces: [String], before: @escaping @Sendable () throws -> Void = {}) {
        self.pieces = pieces
        self.before = before
    }

    package var modelName: String { "stepping" }

    package func generate(
        _ prompt: Prompt, _ sampling: Sampling
    ) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            do {
                try before()
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    package func tokenCounts(of texts: [String]) async throws -> [Int] {
        texts.map { $0.utf8.count / 4 + 1 }
    }

    package func contextLength() async throws -> Int { 4096 }
}
