/// Writes text: a local model in its worker, a remote one, or a stand-in in tests.
package protocol TextGenerator: Sendable {
    /// Names the model for journals and reports.
    var modelName: String { get }
    /// The reply, in pieces as they come; whole characters only, thinking blocks included.
    /// Ending the iteration early stops the model within a token.
    /// - Throws (through the stream): `ModelError`, `CancellationError`.
    func generate(
        _ prompt: Prompt, _ sampling: Sampling
    ) -> AsyncThrowingStream<String, any Error>
    /// The number of the model's own tokens in each text.
    func tokenCounts(of texts: [String]) async throws -> [Int]
    /// Prompt and reply together may have this many tokens.
    func contextLength() async throws -> Int
}

/// How the next token is chosen, and who waits for it.
package struct Sampling: Hashable, Sendable {
    package enum Urgency: String, Sendable {
        /// A person waits; goes before background work, also in the middle of it.
        case interactive
        case background
    }

    /// 0 takes the likeliest token every time.
    package var temperature: Double
    package var seed: UInt32
    package var urgency: Urgency
    /// The whole reply must be there by then, loading of the model apart.
    package var deadline: Duration

    package init(
        temperature: Double = 0, seed: UInt32 = 0, urgency: Urgency = .interactive,
        deadline: Duration = .seconds(120)
    ) {
        self.temperature = temperature
        self.seed = seed
        self.urgency = urgency
        self.deadline = deadline
    }
}

extension TextGenerator {
    /// The whole reply as one text.
    package func reply(to prompt: Prompt, _ sampling: Sampling = Sampling()) async throws -> String
    {
        var text = ""
        for try await piece in generate(prompt, sampling) { text += piece }
        return text
    }
}
