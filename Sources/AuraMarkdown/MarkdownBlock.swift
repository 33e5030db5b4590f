/// A piece of a Markdown text that holds words and no further blocks, with its place in the source.
package struct MarkdownBlock: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case heading(level: Int)
        case paragraph
        /// A fenced or indented block; `language` is the first word after the fence, else empty.
        case code(language: String)
        /// A paragraph inside a list; nil when the item is no task.
        case listItem(isDone: Bool?)
        /// A paragraph inside a block quote that is in no list.
        case quote
        case table
        case html
        /// A line across the page.
        case rule
    }

    package let kind: Kind
    /// Without marks of emphasis, links and the like. Table cells are divided by tabs, rows by line
    /// feeds. Empty for a rule.
    package let text: String
    /// `text` without the words in code spans, each replaced by a blank: where hashtags and wiki
    /// links may be looked for. Empty for code and HTML.
    package let prose: String
    /// From 1, both ends included.
    package let lines: ClosedRange<Int>
    /// The lines in the source, without the last one's line ending.
    package let bytes: Range<Int>
    /// How many quotes and list items it lies in.
    package let nesting: Int
}

/// A link or image, where Markdown sees one.
package struct MarkdownLink: Hashable, Sendable {
    package let destination: String
    package let title: String
    package let text: String
    package let isImage: Bool
    /// The index of the block it stands in.
    package let block: Int
}
