internal import CCmark

/// The blocks and links of a Markdown text (CommonMark with tables and task lists), in their order.
///
/// Takes time in proportion to the text, whatever it nests, and no call stack to speak of.
package struct MarkdownDocument: Sendable {
    package let blocks: [MarkdownBlock]
    package let links: [MarkdownLink]

    /// cmark ends the process when asked to hold a gigabyte; what lies past this is not read.
    package static let maximumBytes = 256 * 1024 * 1024

    /// Invalid UTF-8 and NUL bytes are read as U+FFFD. Line feeds, carriage returns and both
    /// together end lines.
    package init(_ bytes: ArraySlice<UInt8>) {
        let tree = SyntaxTree(bytes.prefix(MarkdownDocument.maximumBytes))
        var reader = BlockReader(lines: LineTable(bytes))
        tree.visit { reader.take($0) }
        blocks = reader.blocks
        links = reader.links
    }

    package init(_ text: String) { self.init(ArraySlice(text.utf8)) }
}

/// Where each line of a text begins and ends.
private struct LineTable {
    private var starts: [Int] = []
    /// Without the line ending.
    private var ends: [Int] = []

    init(_ bytes: ArraySlice<UInt8>) {
        let base = bytes.startIndex
        var start = base
        var index = base
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            starts.append(start - base)
            ends.append(index - 1 - base)
            if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
            start = index
        }
        if start < bytes.endIndex || starts.isEmpty {
            starts.append(start - base)
            ends.append(bytes.count)
        }
    }

    /// cmark's numbers, which may lie past the end or the wrong way round for empty blocks.
    func clamped(_ first: Int, _ last: Int) -> ClosedRange<Int> {
        let first = min(max(first, 1), starts.count)
        return first...min(max(last, first), starts.count)
    }

    func bytes(_ lines: ClosedRange<Int>) -> Range<Int> {
        starts[lines.lowerBound - 1]..<ends[lines.upperBound - 1]
    }
}

/// One step of the walk through a syntax tree, copied into values.
private enum Step {
    case enter(Container)
    case leave(Container)
    /// A leaf block, or one whose text follows until it is left.
    case begin(MarkdownBlock.Kind, lines: (Int, Int), text: String)
    case end
    case text(String)
    case codeSpan(String)
    case lineBreak
    case cellEnd, rowEnd
    case linkBegin
    case linkEnd(destination: String, title: String, isImage: Bool)

    enum Container { case quote, item(isDone: Bool?) }
}

/// Owns the tree that cmark makes of a text.
@safe private struct SyntaxTree: ~Copyable {
    private let root: OpaquePointer?

    private static let registered: Void = cmark_gfm_core_extensions_ensure_registered()

    /// Only extensions that add no special characters are attached: cmark keeps those in a global
    /// table, and texts are parsed on several threads.
    init(_ bytes: ArraySlice<UInt8>) {
        _ = SyntaxTree.registered
        let parser = unsafe cmark_parser_new(CMARK_OPT_VALIDATE_UTF8)
        defer { unsafe cmark_parser_free(parser) }
        for name in ["table", "tasklist"] {
            unsafe cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe cmark_parser_feed(
                parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        unsafe root = cmark_parser_finish(parser)
    }

    deinit { unsafe cmark_node_free(root) }

    /// Walks the tree in document order.
    func visit(_ body: (Step) -> Void) {
        guard let root = unsafe root else { return }
        let iterator = unsafe cmark_iter_new(root)
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return }
            guard let node = unsafe cmark_iter_get_node(iterator) else { return }
            if let step = unsafe step(node, isEntering: event == CMARK_EVENT_ENTER) { body(step) }
        }
    }

    private func step(_ node: OpaquePointer, isEntering: Bool) -> Step? {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_TEXT: return unsafe .text(literal(node))
        case CMARK_NODE_CODE: return unsafe .codeSpan(literal(node))
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: return .lineBreak
        case CMARK_NODE_PARAGRAPH:
            return unsafe isEntering ? begin(.paragraph, node) : .end
        case CMARK_NODE_HEADING:
            let level = Int(unsafe cmark_node_get_heading_level(node))
            return unsafe isEntering ? begin(.heading(level: level), node) : .end
        case CMARK_NODE_CODE_BLOCK:
            let info = unsafe string(cmark_node_get_fence_info(node))
            let language = info.prefix { !$0.isWhitespace }
            return unsafe begin(.code(language: String(language)), node, literal(node))
        case CMARK_NODE_HTML_BLOCK: return unsafe begin(.html, node, literal(node))
        case CMARK_NODE_THEMATIC_BREAK: return unsafe begin(.rule, node)
        case CMARK_NODE_BLOCK_QUOTE: return isEntering ? .enter(.quote) : .leave(.quote)
        case CMARK_NODE_ITEM:
            let item = Step.Container.item(isDone: unsafe task(node))
            return isEntering ? .enter(item) : .leave(item)
        case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
            if isEntering { return .linkBegin }
            return unsafe .linkEnd(
                destination: string(cmark_node_get_url(node)),
                title: string(cmark_node_get_title(node)),
                isImage: cmark_node_get_type(node) == CMARK_NODE_IMAGE)
        case CMARK_NODE_DOCUMENT, CMARK_NODE_LIST, CMARK_NODE_EMPH, CMARK_NODE_STRONG,
            CMARK_NODE_HTML_INLINE:
            return nil
        default: return unsafe extensionStep(node, isEntering)
        }
    }

    /// The extensions' node types have no constants in the public headers.
    private func extensionStep(_ node: OpaquePointer, _ isEntering: Bool) -> Step? {
        switch unsafe string(cmark_node_get_type_string(node)) {
        case "table": return unsafe isEntering ? begin(.table, node) : .end
        case "table_row", "table_header": return isEntering ? nil : .rowEnd
        case "table_cell": return isEntering ? nil : .cellEnd
        default: return nil
        }
    }

    /// Whether the item's box is ticked; nil for an item without a box.
    private func task(_ item: OpaquePointer) -> Bool? {
        guard unsafe string(cmark_node_get_type_string(item)) == "tasklist" else { return nil }
        return unsafe cmark_gfm_extensions_get_tasklist_item_checked(item)
    }

    private func begin(
        _ kind: MarkdownBlock.Kind, _ node: OpaquePointer, _ text: String = ""
    ) -> Step {
        let first = Int(unsafe cmark_node_get_start_line(node))
        let last = Int(unsafe cmark_node_get_end_line(node))
        return .begin(kind, lines: (first, last), text: text)
    }

    private func literal(_ node: OpaquePointer) -> String {
        unsafe string(cmark_node_get_literal(node))
    }

    private func string(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        return unsafe String(cString: text)
    }
}

/// Gathers steps into blocks and links.
private struct BlockReader {
    let lines: LineTable
    private(set) var blocks: [MarkdownBlock] = []
    private(set) var links: [MarkdownLink] = []

    private var containers: [Step.Container] = []
    private var itemDepth = 0
    private var open: (kind: MarkdownBlock.Kind, lines: (Int, Int))?
    private var text = ""
    /// Kept apart from `text` only once a code span was seen.
    private var prose: String?
    private var linkStarts: [String.Index] = []

    init(lines: LineTable) { self.lines = lines }

    mutating func take(_ step: Step) {
        switch step {
        case .enter(let container):
            containers.append(container)
            if case .item = container { itemDepth += 1 }
        case .leave(let container):
            containers.removeLast()
            if case .item = container { itemDepth -= 1 }
        case .begin(let kind, let lines, let text):
            open = (kind, lines)
            self.text = text
            switch kind {
            case .code, .html:
                prose = ""
                close()
            case .rule: close()
            default: break
            }
        case .end: close()
        case .text(let piece):
            text += piece
            prose? += piece
        case .codeSpan(let piece):
            prose = (prose ?? text) + " "
            text += piece
        case .lineBreak:
            let divider = if case .heading = open?.kind { " " } else { "\n" }
            text += divider
            prose? += divider
        case .cellEnd: divide("\t")
        case .rowEnd: divide("\n")
        case .linkBegin: linkStarts.append(text.endIndex)
        case .linkEnd(let destination, let title, let isImage):
            guard let start = linkStarts.popLast() else { return }
            links.append(
                MarkdownLink(
                    destination: destination, title: title, text: String(text[start...]),
                    isImage: isImage, block: blocks.count))
        }
    }

    /// A row's last cell ends with the row alone.
    private mutating func divide(_ divider: String) {
        if divider == "\n", text.utf8.last == 0x09 {
            text.removeLast()
            prose?.removeLast()
        }
        text += divider
        prose? += divider
    }

    private mutating func close() {
        guard let (kind, numbers) = open else { return }
        let lines = self.lines.clamped(numbers.0, numbers.1)
        shortenLast(toBefore: lines.lowerBound)
        blocks.append(
            MarkdownBlock(
                kind: placed(kind), text: text, prose: prose ?? text, lines: lines,
                bytes: self.lines.bytes(lines), nesting: containers.count))
        open = nil
        text = ""
        prose = nil
    }

    /// cmark lets an underlined heading reach into the line after it.
    private mutating func shortenLast(toBefore line: Int) {
        guard let last = blocks.last, last.lines.upperBound >= line, last.lines.lowerBound < line
        else { return }
        let lines = last.lines.lowerBound...line - 1
        blocks[blocks.count - 1] = MarkdownBlock(
            kind: last.kind, text: last.text, prose: last.prose, lines: lines,
            bytes: self.lines.bytes(lines), nesting: last.nesting)
    }

    private func placed(_ kind: MarkdownBlock.Kind) -> MarkdownBlock.Kind {
        guard kind == .paragraph, let innermost = containers.last else { return kind }
        if case .item(let isDone) = innermost { return .listItem(isDone: isDone) }
        return itemDepth > 0 ? .listItem(isDone: nil) : .quote
    }
}
