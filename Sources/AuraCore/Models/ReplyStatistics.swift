/// What a reply, or several together, cost.
package struct ReplyStatistics: Hashable, Sendable, Codable {
    /// Tokens of the prompts, those that were remembered included.
    package var promptTokens = 0
    /// Prompt tokens that were still known from an earlier prompt and not read again.
    package var reusedTokens = 0
    /// Tokens that the model chose. Fixed text of a form is not among them.
    package var generatedTokens = 0
    package var promptSeconds = 0.0
    package var generationSeconds = 0.0
    /// Spent on reading model files.
    package var loadSeconds = 0.0
    package var replies = 0

    package init() {}

    package static func += (left: inout ReplyStatistics, right: ReplyStatistics) {
        left.promptTokens += right.promptTokens
        left.reusedTokens += right.reusedTokens
        left.generatedTokens += right.generatedTokens
        left.promptSeconds += right.promptSeconds
        left.generationSeconds += right.generationSeconds
        left.loadSeconds += right.loadSeconds
        left.replies += right.replies
    }
}
