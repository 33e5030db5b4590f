/// A note that a search came up with.
package struct Hit: Hashable, Sendable {
    /// Why it stands where it stands, for `--explain`.
    package struct Parts: Hashable, Sendable {
        /// Of the words; nil when they did not find it.
        package var keywordScore: Double?
        /// What the words' score is made of.
        package var keywordParts = KeywordHit.Parts()
        /// Counted from 1.
        package var keywordRank: Int?
        /// Cosine of its nearest passage; nil when it was not among the nearest.
        package var similarity: Float?
        package var semanticRank: Int?
        /// What each leg adds to the score.
        package var keywordShare = 0.0
        package var semanticShare = 0.0
        /// The words of the query that the quoted passage or the title has.
        package var matchedWords: [String] = []
        /// Headings above the quoted passage.
        package var heading = ""

        package init() {}
    }

    package var path: String
    package var id: NoteID?
    package var title: String
    package var vault: String
    package var kind: NoteKind
    package var tags: [String]
    /// The local day it was made.
    package var day: Day
    /// From 0 to 1, comparable within one search only; 0 where nothing was ranked (a mere list).
    package var score: Double
    package var snippet: Snippet
    package var parts: Parts
}

/// A passage that a search came up with, for answering from.
package struct PassageHit: Hashable, Sendable {
    package var note: NoteRecord
    package var heading: String
    package var text: String
    /// Cosine to the query; nil when the passage or the query has no vector, or it was far away.
    package var similarity: Float?
    /// Of its note, from 0 to 1.
    package var score: Double
}
