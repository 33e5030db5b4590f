/// A piece of a note's body that is searched and quoted as one.
package struct PassageText: Hashable, Sendable {
    /// The headings above it, outermost first: `Pump log › March`. Empty above the first heading.
    package var heading: String
    package var text: String

    package init(heading: String, text: String) {
        self.heading = heading
        self.text = text
    }
}
