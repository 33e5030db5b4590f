/// What the notes say to a question.
package struct Answer: Sendable, Equatable {
    package struct Sentence: Sendable, Equatable {
        package var text: String
        /// Numbers of sources, from 1.
        package var cites: [Int]
        /// Words of the first cited note, exactly as they stand there.
        package var quote: String?
        /// Its words, names and numbers were found in the notes it cites.
        package var isSupported: Bool
    }

    package struct Source: Sendable, Equatable {
        package var number: Int
        package var path: String
        package var id: NoteID?
        package var title: String
        package var day: Day?
        package var quote: String
        /// Line of the note's file on which the quote begins, from 1; nil when it runs over a line's end.
        package var line: Int?
    }

    package var question: String
    /// False when the notes do not say; then there are no sentences and no sources.
    package var isFound: Bool
    package var sentences: [Sentence]
    package var sources: [Source]
    /// The model's name, or `extract`: the sentences are the notes' own.
    package var maker: String

    package var text: String { sentences.map(\.text).joined(separator: " ") }

    static func nothing(_ question: String) -> Answer {
        Answer(question: question, isFound: false, sentences: [], sources: [], maker: "none")
    }
}
