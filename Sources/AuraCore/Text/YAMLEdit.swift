package import AuraYAML

/// What is written as the value of a key.
package indirect enum YAMLValue: Sendable {
    /// Quoted only where a reader would otherwise read something else.
    case text(String)
    /// Always in quotes: clock times.
    case quoted(String)
    /// As it is: numbers, booleans, days, words of ours. Never text of a person.
    case verbatim(String)
    /// `[a, b]` where it is new.
    case list([String])
    /// One key a line, below the key it belongs to.
    case mapping([(key: String, value: YAMLValue)])
    /// A block list of mappings, an item's first key beside its hyphen.
    case items([[(key: String, value: YAMLValue)]])

    fileprivate var isBlock: Bool {
        switch self {
        case .mapping, .items: true
        case .text, .quoted, .verbatim, .list: false
        }
    }
}

package enum YAMLEditError: Error, Equatable {
    case unreadable(YAMLError)
    /// The text is YAML, but written in a way that cannot be changed line by line.
    case unsupported(reason: String, line: Int)
}

/// Changes single values in YAML text and leaves every other byte as it is: order, comments,
/// quotes, line endings, unknown keys.
///
/// The text is parsed again after each change, so one change costs about as much as reading it.
package struct YAMLEdit {
    package private(set) var bytes: [UInt8]
    package private(set) var root: YAMLNode?
    private let limits: YAMLLimits
    private let isRepairing: Bool
    /// For lines in a text that has none yet.
    private let lineEnding: [UInt8]

    /// - Parameter isRepairing: as in `YAMLDocument`; bytes that are not text stay as they are.
    package init(
        _ bytes: [UInt8], limits: YAMLLimits = YAMLLimits(), isRepairing: Bool = false,
        lineEnding: [UInt8] = [0x0A]
    ) throws(YAMLEditError) {
        self.bytes = bytes
        self.limits = limits
        self.isRepairing = isRepairing
        self.lineEnding = LineEnding.first(in: bytes[...]) ?? lineEnding
        try parse()
    }

    private mutating func parse() throws(YAMLEditError) {
        let document: YAMLDocument
        do throws(YAMLError) {
            document = try YAMLDocument(bytes, limits: limits, isRepairing: isRepairing)
        } catch {
            throw .unreadable(error)
        }
        if document.hasMoreDocuments {
            throw .unsupported(reason: "it holds more than one document", line: 1)
        }
        root = document.root
    }
}

// MARK: - Keys

extension YAMLEdit {
    /// Gives the key at the path a value, making the key and those above it where they are missing.
    /// - Parameter order: keys of the last mapping in the order they are wanted: a new one goes
    ///   behind the nearest that comes before it. Keys that are there never move.
    package mutating func set(
        _ path: [String], to value: YAMLValue, order: [String] = []
    ) throws(YAMLEditError) {
        guard let key = path.first else { return }
        guard let root else {
            let line = renderedLines(key, YAMLEdit.nested(path.dropFirst(), value), indent: 0)
            return try insert(line, atEndOf: nil)
        }
        try set(path[...], to: value, in: root, order: order)
    }

    private mutating func set(
        _ path: ArraySlice<String>, to value: YAMLValue, in mapping: YAMLNode, order: [String]
    ) throws(YAMLEditError) {
        guard let key = path.first, let pairs = mapping.pairs, !mapping.isFlow else {
            throw .unsupported(
                reason: "it is not made of lines 'key: value'", line: mapping.start.line)
        }
        let rest = path.dropFirst()
        guard let pair = pairs.first(where: { $0.key.text == key }) else {
            let nested = YAMLEdit.nested(rest, value)
            return try insert(key, nested, in: mapping, order: rest.isEmpty ? order : [])
        }
        if rest.isEmpty { return try replace(pair, with: value) }
        if pair.value.isNull { return try replace(pair, with: YAMLEdit.nested(rest, value)) }
        if pair.value.isFlow, pair.value.pairs != nil, rest.count == 1, let key = rest.first {
            return try rewriteFlow(pair.value, key: key, value: value, order: order)
        }
        try set(rest, to: value, in: pair.value, order: order)
    }

    /// Takes the key at the path away with its lines; nothing happens when it is not there.
    package mutating func remove(_ path: [String]) throws(YAMLEditError) {
        guard var mapping = root else { return }
        for key in path.dropLast() {
            guard let next = mapping[key] else { return }
            mapping = next
        }
        guard let key = path.last, mapping[key] != nil,
            let pair = mapping.pairs?.first(where: { $0.key.text == key })
        else { return }
        if mapping.isFlow { return try rewriteFlow(mapping, key: key, value: nil, order: []) }
        try refuseAnchors(in: pair.value)
        let start = lineStart(of: pair.key.start.offset)
        guard bytes[start..<pair.key.start.offset].allSatisfy(\.isBlank) else {
            throw .unsupported(reason: "the key shares its line", line: pair.key.start.line)
        }
        try apply([(start..<end(ofEntry: pair.value), [])])
    }

    private static func nested(_ path: ArraySlice<String>, _ value: YAMLValue) -> YAMLValue {
        path.reversed().reduce(value) { .mapping([(key: $1, value: $0)]) }
    }

    private mutating func replace(
        _ pair: YAMLNode.Pair, with value: YAMLValue
    ) throws(YAMLEditError) {
        let old = pair.value
        try refuseAnchors(in: old)
        let colon = try endOfColon(after: pair.key)
        let indent = pair.key.start.column - 1
        if !old.isFlow, old.items != nil || old.pairs != nil {
            // A block: its lines go, and what is new follows the colon.
            let first = lineStart(of: old.start.offset)
            guard first > colon else {
                throw .unsupported(reason: "its value begins beside the key", line: old.start.line)
            }
            let removed = (first..<end(ofEntry: old), [UInt8]())
            return try apply([removed, insertion(of: value, at: colon, indent: indent)])
        }
        let range = old.start.offset..<trimmedEnd(of: old)
        if range.isEmpty {
            return try apply([insertion(of: value, at: colon, indent: indent)])
        }
        if value.isBlock {
            let added = insertion(of: value, at: range.upperBound, indent: indent)
            return try apply([(colon..<range.upperBound, []), added])
        }
        try apply([(range, Array(rendered(value, like: old.style).utf8))])
    }

    /// A value behind the colon at `place`; a mapping goes below that line.
    private func insertion(
        of value: YAMLValue, at place: Int, indent: Int
    ) -> (Range<Int>, [UInt8]) {
        guard value.isBlock else {
            return (place..<place, Array((" " + rendered(value, like: nil)).utf8))
        }
        let next = nextLine(after: place)
        return (next..<next, joined(blockLines(value, indent: indent + 2), at: next))
    }

    /// Whole lines, made to follow a last line that has no ending.
    private func joined(_ lines: [UInt8], at place: Int) -> [UInt8] {
        isUnended(place) ? lineEnding + lines.dropLast(lineEnding.count) : lines
    }

    private mutating func insert(
        _ key: String, _ value: YAMLValue, in mapping: YAMLNode, order: [String]
    ) throws(YAMLEditError) {
        guard let pairs = mapping.pairs, let first = pairs.first else {
            throw .unsupported(
                reason: "it is not made of lines 'key: value'", line: mapping.start.line)
        }
        let lines = renderedLines(key, value, indent: first.key.start.column - 1)
        let position = order.firstIndex(of: key) ?? order.endIndex
        let before = order[..<position].reversed().lazy.compactMap { name in
            pairs.last { $0.key.text == name }
        }.first
        if let before { return try insert(lines, atEndOf: before.value) }
        let after = order[position...].lazy.compactMap { name in
            pairs.first { $0.key.text == name }
        }.first
        guard let after else { return try insert(lines, atEndOf: pairs.last?.value) }
        let start = lineStart(of: after.key.start.offset)
        guard bytes[start..<after.key.start.offset].allSatisfy(\.isBlank) else {
            return try insert(lines, atEndOf: after.value)
        }
        try apply([(start..<start, lines)])
    }

    /// Whole lines behind the one where the value ends; at the end of the text for nil.
    private mutating func insert(
        _ lines: [UInt8], atEndOf value: YAMLNode?
    ) throws(YAMLEditError) {
        let place = value.map { end(ofEntry: $0) } ?? bytes.count
        try apply([(place..<place, joined(lines, at: place))])
    }

    private mutating func rewriteFlow(
        _ mapping: YAMLNode, key: String, value: YAMLValue?, order: [String]
    ) throws(YAMLEditError) {
        try refuseAnchors(in: mapping)
        let range = mapping.start.offset..<mapping.end.offset
        guard !bytes[range].contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            throw .unsupported(reason: "'{…}' goes over several lines", line: mapping.start.line)
        }
        var pairs = (mapping.pairs ?? []).map { (key: $0.key.text, text: source($0)) }
        let new = value.map {
            YAMLText.scalar(key, isInFlow: true) + ": "
                + rendered($0, like: mapping[key]?.style, isInFlow: true)
        }
        if let index = pairs.firstIndex(where: { $0.key == key }) {
            if let new { pairs[index].text = new } else { pairs.remove(at: index) }
        } else if let new {
            let position = order.firstIndex(of: key) ?? order.endIndex
            let before = pairs.lastIndex { pair in
                order[..<position].contains { $0 == pair.key }
            }
            pairs.insert((key, new), at: before.map { $0 + 1 } ?? pairs.endIndex)
        }
        let text = "{" + pairs.map(\.text).joined(separator: ", ") + "}"
        try apply([(range, Array(text.utf8))])
    }

    private func source(_ pair: YAMLNode.Pair) -> String {
        String(decoding: bytes[pair.key.start.offset..<pair.value.end.offset], as: UTF8.self)
    }
}

// MARK: - Lists

extension YAMLEdit {
    /// Changes a sequence item by item: those not kept go, new ones follow the last.
    ///
    /// Flow stays flow and a block stays a block. Items that are kept stay as they are written,
    /// but for plain ones that some reader takes for a number or a boolean: they get quotes.
    package mutating func change(
        listAt path: [String], keeping keeps: (YAMLNode) -> Bool, appending new: [String]
    ) throws(YAMLEditError) {
        guard let list = node(at: path), let items = list.items else { return }
        try refuseAnchors(in: list)
        if list.isFlow {
            try changeFlow(list, items, kept: items.map(keeps), new)
        } else {
            try changeBlock(list, items, path, kept: items.map(keeps), new)
        }
    }

    /// Gives a key of one item of a list of mappings a value.
    package mutating func set(
        _ key: String, inItem index: Int, ofListAt path: [String], to value: YAMLValue,
        order: [String] = []
    ) throws(YAMLEditError) {
        guard let items = node(at: path)?.items, items.indices.contains(index) else { return }
        if items[index].isFlow {
            try rewriteFlow(items[index], key: key, value: value, order: order)
        } else {
            try set([key], to: value, in: items[index], order: order)
        }
    }

    /// Puts one more mapping behind the last item of a list that has items.
    package mutating func append(
        _ pairs: [(key: String, value: YAMLValue)], toListAt path: [String]
    ) throws(YAMLEditError) {
        guard let list = node(at: path), let last = list.items?.last else { return }
        if list.isFlow {
            let text = ", " + rendered(.mapping(pairs), like: nil, isInFlow: true)
            return try apply([(last.end.offset..<last.end.offset, Array(text.utf8))])
        }
        let lines = blockLines(.items([pairs]), indent: list.start.column - 1)
        try insert(lines, atEndOf: last)
    }

    /// Puts text in the place of bytes that are no value to YAML; the caller knows what they are.
    package mutating func replace(
        _ range: Range<Int>, with text: String
    ) throws(YAMLEditError) {
        try apply([(range, Array(text.utf8))])
    }

    package func node(at path: [String]) -> YAMLNode? {
        path.reduce(root) { $0?[$1] }
    }

    private mutating func changeFlow(
        _ list: YAMLNode, _ items: [YAMLNode], kept: [Bool], _ new: [String]
    ) throws(YAMLEditError) {
        guard let last = kept.lastIndex(of: true) else {
            let range = list.start.offset..<list.end.offset
            return try apply([(range, Array(YAMLText.flowList(new).utf8))])
        }
        var edits = requotings(of: items, kept)
        for index in items.indices where index < last && !kept[index] {
            edits.append((items[index].start.offset..<items[index + 1].start.offset, []))
        }
        if last < items.count - 1 {
            edits.append((items[last].end.offset..<items[items.count - 1].end.offset, []))
        }
        let added = new.map { ", " + YAMLText.scalar($0, isInFlow: true) }.joined()
        if !added.isEmpty {
            let place = items[last].end.offset
            edits.append((place..<place, Array(added.utf8)))
        }
        try apply(edits)
    }

    private mutating func changeBlock(
        _ list: YAMLNode, _ items: [YAMLNode], _ path: [String], kept: [Bool], _ new: [String]
    ) throws(YAMLEditError) {
        if !kept.contains(true), new.isEmpty { return try set(path, to: .list([])) }
        var edits = requotings(of: items, kept)
        var starts: [Int] = []
        for item in items { starts.append(try startOfDashLine(for: item)) }
        for index in items.indices where !kept[index] {
            edits.append((starts[index]..<end(ofEntry: items[index]), []))
        }
        let indent = [UInt8](repeating: 0x20, count: list.start.column - 1)
        let lines = new.flatMap { indent + Array("- \(YAMLText.scalar($0))".utf8) + lineEnding }
        if !lines.isEmpty, let last = items.last {
            let place = end(ofEntry: last)
            edits.append((place..<place, joined(lines, at: place)))
        }
        try apply(edits)
    }

    private func requotings(of items: [YAMLNode], _ kept: [Bool]) -> [(Range<Int>, [UInt8])] {
        zip(items, kept).compactMap { item, isKept in
            guard isKept, item.style == .plain, item.tag == nil, let text = item.text,
                !text.isEmpty, YAMLText.isOtherType(text)
            else { return nil }
            return (item.start.offset..<item.end.offset, Array(YAMLText.quoted(text).utf8))
        }
    }

    private func startOfDashLine(for item: YAMLNode) throws(YAMLEditError) -> Int {
        var index = item.start.offset - 1
        while index >= 0, bytes[index].isBlank { index -= 1 }
        let start = lineStart(of: item.start.offset)
        guard index >= start, bytes[index] == UInt8(ascii: "-"),
            bytes[start..<index].allSatisfy(\.isBlank)
        else { throw .unsupported(reason: "an item shares its line", line: item.start.line) }
        return start
    }
}

// MARK: - Places and rendering

extension YAMLEdit {
    /// Replaces each range; an insertion at the place where another range begins comes first.
    private mutating func apply(_ edits: [(range: Range<Int>, text: [UInt8])]) throws(YAMLEditError)
    {
        let ordered = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
        }
        for edit in ordered.reversed() {
            bytes.replaceSubrange(edit.element.range, with: edit.element.text)
        }
        try parse()
    }

    /// Other places refer to an anchored value; changing it would change or break them.
    private func refuseAnchors(in node: YAMLNode) throws(YAMLEditError) {
        var rest = [node]
        while let node = rest.popLast() {
            if let anchor = node.anchor {
                throw .unsupported(reason: "it has the anchor '&\(anchor)'", line: node.start.line)
            }
            rest += node.items ?? []
            rest += (node.pairs ?? []).flatMap { [$0.key, $0.value] }
        }
    }

    /// Just past the colon that follows a key.
    private func endOfColon(after key: YAMLNode) throws(YAMLEditError) -> Int {
        var index = key.end.offset
        while index < bytes.count, bytes[index].isBlank { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            throw .unsupported(reason: "the key is not followed by a colon", line: key.start.line)
        }
        return index + 1
    }

    private func lineStart(of offset: Int) -> Int {
        var index = offset
        while index > 0, !bytes[index - 1].isLineBreak { index -= 1 }
        return index
    }

    private func nextLine(after offset: Int) -> Int {
        var index = offset
        while index < bytes.count, !bytes[index].isLineBreak { index += 1 }
        if index + 1 < bytes.count, bytes[index] == 0x0D, bytes[index + 1] == 0x0A { index += 1 }
        return min(index + 1, bytes.count)
    }

    /// Whether a new line at this place would be glued to the last one.
    private func isUnended(_ place: Int) -> Bool {
        place == bytes.count && place > 0 && !bytes[place - 1].isLineBreak
    }

    /// Where the line after a value begins.
    private func end(ofEntry value: YAMLNode) -> Int {
        let last = lastScalar(of: value)
        let isBlockText = last.style == .literal || last.style == .folded
        let offset = isBlockText ? value.end.offset : trimmedEnd(of: value)
        if isBlockText, offset > 0, bytes[offset - 1].isLineBreak { return offset }
        return nextLine(after: offset)
    }

    private func lastScalar(of node: YAMLNode) -> YAMLNode {
        var node = node
        while !node.isFlow, let next = node.items?.last ?? node.pairs?.last?.value { node = next }
        return node
    }

    /// The end of a value without blank lines.
    private func trimmedEnd(of value: YAMLNode) -> Int {
        var end = value.end.offset
        while end > value.start.offset, bytes[end - 1].isBlank || bytes[end - 1].isLineBreak {
            end -= 1
        }
        return end
    }

    private func rendered(
        _ value: YAMLValue, like style: YAMLNode.Style?, isInFlow: Bool = false
    ) -> String {
        switch value {
        case .text(let text): YAMLText.scalar(text, like: style, isInFlow: isInFlow)
        case .quoted(let text):
            style == .singleQuoted
                ? YAMLText.scalar(text, like: .singleQuoted) : YAMLText.quoted(text)
        case .verbatim(let text):
            style == .singleQuoted || style == .doubleQuoted
                ? YAMLText.scalar(text, like: style) : text
        case .list(let items): YAMLText.flowList(items)
        case .mapping(let pairs):
            "{" + pairs.map(renderedInFlow).joined(separator: ", ") + "}"
        case .items(let items):
            "["
                + items.map { "{" + $0.map(renderedInFlow).joined(separator: ", ") + "}" }
                .joined(separator: ", ") + "]"
        }
    }

    private func renderedInFlow(_ pair: (key: String, value: YAMLValue)) -> String {
        "\(pair.key): \(rendered(pair.value, like: nil, isInFlow: true))"
    }

    private func renderedLines(_ key: String, _ value: YAMLValue, indent: Int) -> [UInt8] {
        let start = String(repeating: " ", count: indent) + YAMLText.scalar(key) + ":"
        guard value.isBlock else {
            return Array("\(start) \(rendered(value, like: nil))".utf8) + lineEnding
        }
        return Array(start.utf8) + lineEnding + blockLines(value, indent: indent + 2)
    }

    private func blockLines(_ value: YAMLValue, indent: Int) -> [UInt8] {
        switch value {
        case .mapping(let pairs):
            return pairs.flatMap { renderedLines($0.key, $0.value, indent: indent) }
        case .items(let items):
            return items.flatMap { pairs in
                var lines = blockLines(.mapping(pairs), indent: indent + 2)
                if !lines.isEmpty { lines[indent] = UInt8(ascii: "-") }
                return lines
            }
        case .text, .quoted, .verbatim, .list: return []
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
    fileprivate var isLineBreak: Bool { self == 0x0A || self == 0x0D }
}
