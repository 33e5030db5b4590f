/// A passage that has no vector yet.
package struct UnembeddedPassage: Hashable, Sendable {
    package var number: Int
    package var note: Int
    package var title: String
    package var heading: String
    /// When the note says it was made; nil for a note that does not say, whose day is its file's and
    /// changes with it.
    package var day: Day?
    package var text: String

    /// Which way of making `embeddedText` a set of vectors is from. A change there counts this up, so
    /// that vectors of two ways are never compared.
    static let recipe = 2

    /// What the model reads of a passage: where and when it stands, then what it says.
    package var embeddedText: String {
        let place = [title, heading, day?.description ?? ""].filter { !$0.isEmpty }
        return place.joined(separator: " › ") + "\n" + text
    }
}
