/// A place in YAML text.
package struct YAMLMark: Hashable, Comparable, Sendable {
    // Half a tree is marks, so they are kept small; no text is read that is longer.
    private let storedOffset: UInt32
    private let storedLine: UInt32
    private let storedColumn: UInt32

    /// Bytes from the start of the text that was given, a byte order mark included.
    package var offset: Int { Int(storedOffset) }
    /// From 1.
    package var line: Int { Int(storedLine) }
    /// From 1, in characters as YAML counts them (Unicode scalars).
    package var column: Int { Int(storedColumn) }

    package init(offset: Int, line: Int, column: Int) {
        storedOffset = UInt32(truncatingIfNeeded: offset)
        storedLine = UInt32(truncatingIfNeeded: line)
        storedColumn = UInt32(truncatingIfNeeded: column)
    }

    package static func < (left: YAMLMark, right: YAMLMark) -> Bool { left.offset < right.offset }
}

/// One value of a YAML document, as it is written: nothing is resolved to numbers or booleans,
/// and no alias is followed.
package struct YAMLNode: Hashable, Sendable {
    package enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    package struct Pair: Hashable, Sendable {
        package let key: YAMLNode
        package let value: YAMLNode
    }

    package indirect enum Content: Hashable, Sendable {
        case scalar(String, Style)
        /// `isFlow` for `[a, b]`, otherwise one line an item.
        case sequence([YAMLNode], isFlow: Bool)
        /// Pairs in their order, repeated keys included.
        case mapping([Pair], isFlow: Bool)
        /// `*name`
        case alias(String)
    }

    package let content: Content
    /// The first byte: of the tag or anchor where there is one.
    package let start: YAMLMark
    /// Just past the last byte. A block collection ends where its last child does; a literal or
    /// folded scalar takes the blank lines after it along.
    package let end: YAMLMark
    /// As resolved by the parser: `tag:yaml.org,2002:str` for `!!str`; nil when none is written.
    package let tag: String?
    package let anchor: String?
}

extension YAMLNode {
    /// The text of a scalar.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    package var style: Style? {
        if case .scalar(_, let style) = content { style } else { nil }
    }

    package var items: [YAMLNode]? {
        if case .sequence(let items, _) = content { items } else { nil }
    }

    package var pairs: [Pair]? {
        if case .mapping(let pairs, _) = content { pairs } else { nil }
    }

    package var isAlias: Bool {
        if case .alias = content { true } else { false }
    }

    /// `[a]` or `{a: b}`.
    package var isFlow: Bool {
        switch content {
        case .sequence(_, let isFlow), .mapping(_, let isFlow): isFlow
        case .scalar, .alias: false
        }
    }

    /// A plain scalar that every YAML reader takes for "nothing": empty, `~` or `null`.
    package var isNull: Bool {
        guard case .scalar(let text, .plain) = content, tag == nil else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The first value under the key; nil when this is no mapping or has no such key.
    package subscript(key: String) -> YAMLNode? {
        pairs?.first { $0.key.text == key }?.value
    }

    /// Keys that a mapping holds more than once: the second and later ones, in their order.
    package var repeatedKeys: [YAMLNode] {
        var seen: Set<String> = []
        return (pairs ?? []).compactMap { pair in
            guard let text = pair.key.text, !seen.insert(text).inserted else { return nil }
            return pair.key
        }
    }

    /// Same data, wherever and however it is written.
    package func isSameData(as other: YAMLNode) -> Bool {
        guard tag == other.tag, anchor == other.anchor else { return false }
        switch (content, other.content) {
        case (.scalar(let left, let leftStyle), .scalar(let right, let rightStyle)):
            return left == right && (leftStyle == .plain) == (rightStyle == .plain)
        case (.alias(let left), .alias(let right)):
            return left == right
        case (.sequence(let left, _), .sequence(let right, _)):
            return left.count == right.count
                && zip(left, right).allSatisfy { $0.isSameData(as: $1) }
        case (.mapping(let left, _), .mapping(let right, _)):
            return left.count == right.count
                && zip(left, right).allSatisfy {
                    $0.key.isSameData(as: $1.key) && $0.value.isSameData(as: $1.value)
                }
        default:
            return false
        }
    }
}
