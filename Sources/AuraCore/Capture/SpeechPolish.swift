/// Cleaned text looked over by a model, piece by piece, where the result keeps to what was said.
package struct SpeechPolish: Sendable {
    private let generator: any TextGenerator

    package init(_ generator: any TextGenerator) { self.generator = generator }

    /// The model's name and the prompt's fingerprint.
    package var maker: String { "\(generator.modelName) \(Prompts.polish("").fingerprint)" }

    /// A longer piece is more than a small model keeps to.
    private static let mostWords = 120
    /// A shorter one has nothing to polish.
    private static let fewestWords = 6

    /// The text polished. Where a piece of the model's text does not pass `SpeechGuard`, or is none,
    /// the piece stays as it was; lines stay lines.
    /// - Parameter text: what `Transcript.cleaned()` gave; empty text gives empty text.
    /// - Throws: `ModelError`, `CancellationError`.
    package func polished(_ text: String, _ sampling: Sampling = Sampling()) async throws -> String
    {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var pieces: [String] = []
            for piece in SpeechPolish.pieces(of: line) {
                pieces.append(try await polishedPiece(piece, sampling))
            }
            lines.append(pieces.joined(separator: " "))
        }
        return lines.joined(separator: "\n")
    }

    private func polishedPiece(_ piece: String, _ sampling: Sampling) async throws -> String {
        let words = piece.utf8.count { $0 == 0x20 } + 1
        guard (SpeechPolish.fewestWords...SpeechPolish.mostWords).contains(words) else {
            return piece
        }
        try Task.checkCancellation()
        let reply = try await generator.reply(to: Prompts.polish(piece), sampling)
        let made = ModelReply.cleaned(reply).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        return SpeechGuard.objection(to: made, from: piece) == nil ? made : piece
    }

    /// Whole sentences, as many as fit; text without a sentence's end in reach stays one piece.
    private static func pieces(of line: Substring) -> [String] {
        var words: [SpeechWord] = []
        SpeechWord.read(line, line: 0, into: &words)
        guard words.count > mostWords else { return [String(line)] }
        var pieces: [String] = []
        var start = 0
        var end = 0
        for index in words.indices {
            if index - start >= mostWords, end > start {
                pieces.append(SpeechWord.text(words[start..<end]))
                start = end
            }
            if words[index].hasStop { end = index + 1 }
        }
        if start < words.count { pieces.append(SpeechWord.text(words[start...])) }
        return pieces
    }
}
