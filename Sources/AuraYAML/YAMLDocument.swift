internal import CYAML

/// How much YAML is read before it is refused.
package struct YAMLLimits: Sendable {
    package var bytes = 64 * 1024
    package var depth = 16
    package var nodes = 1000

    package init(bytes: Int = 64 * 1024, depth: Int = 16, nodes: Int = 1000) {
        self.bytes = bytes
        self.depth = depth
        self.nodes = nodes
    }
}

/// The first document of a YAML text.
package struct YAMLDocument: Sendable {
    /// Nil when the text holds nothing, or only comments.
    package let root: YAMLNode?
    /// The text goes on with another document, which was not read.
    package let hasMoreDocuments: Bool

    /// Parses the text; linear in its length.
    /// - Parameter isRepairing: invalid UTF-8 and control characters are read as U+FFFD;
    ///   otherwise they are an error.
    package init(
        _ bytes: [UInt8], limits: YAMLLimits = YAMLLimits(), isRepairing: Bool = false
    ) throws(YAMLError) {
        guard bytes.count <= limits.bytes else {
            throw .tooLarge(bytes: bytes.count, limit: limits.bytes)
        }
        let source = SourceText(bytes)
        if !isRepairing, let place = source.firstRepair {
            throw .syntax(
                message: "control characters and invalid UTF-8 are not allowed",
                line: place.line, column: place.column)
        }
        let parser = try EventParser(source)
        var builder = TreeBuilder(limits: limits)
        var documents = 0
        reading: while true {
            let event = try parser.next()
            switch event.kind {
            case .documentStart:
                documents += 1
                if documents > 1 { break reading }
            case .streamEnd: break reading
            default: try builder.take(event)
            }
        }
        root = builder.root
        hasMoreDocuments = documents > 1
    }
}

/// One event of libyaml, copied into values.
private struct Event {
    enum Kind {
        case streamEnd, documentStart, scalar, alias, sequenceStart, mappingStart, collectionEnd
        case other
    }
    var kind: Kind
    var start: YAMLMark
    var end: YAMLMark
    var text = ""
    var style = YAMLNode.Style.plain
    var isFlow = false
    var tag: String?
    var anchor: String?
}

/// Owns a libyaml parser and the text it reads.
@safe private struct EventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let source: SourceText

    init(_ source: SourceText) throws(YAMLError) {
        self.source = source
        unsafe parser = .allocate(capacity: 1)
        unsafe input = .allocate(capacity: source.bytes.count)
        _ = unsafe input.initialize(from: source.bytes)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.initialize(to: yaml_parser_t())
            throw .outOfMemory
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    func next() throws(YAMLError) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { unsafe yaml_event_delete(&event) }
        let (start, end) = unsafe (mark(event.start_mark), mark(event.end_mark))
        var result = Event(kind: .other, start: start, end: end)
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: result.kind = .streamEnd
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: result.kind = .collectionEnd
        case YAML_ALIAS_EVENT:
            result.kind = .alias
            result.text = unsafe string(event.data.alias.anchor) ?? ""
        case YAML_SCALAR_EVENT:
            result.kind = .scalar
            let scalar = unsafe event.data.scalar
            result.text = unsafe String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
                as: UTF8.self)
            result.style = unsafe style(scalar.style)
            result.tag = unsafe string(scalar.tag)
            result.anchor = unsafe string(scalar.anchor)
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .sequenceStart
            let sequence = unsafe event.data.sequence_start
            result.isFlow = unsafe sequence.style == YAML_FLOW_SEQUENCE_STYLE
            result.tag = unsafe string(sequence.tag)
            result.anchor = unsafe string(sequence.anchor)
        case YAML_MAPPING_START_EVENT:
            result.kind = .mappingStart
            let mapping = unsafe event.data.mapping_start
            result.isFlow = unsafe mapping.style == YAML_FLOW_MAPPING_STYLE
            result.tag = unsafe string(mapping.tag)
            result.anchor = unsafe string(mapping.anchor)
        default: break
        }
        return result
    }

    private var failure: YAMLError {
        if unsafe parser.pointee.error == YAML_MEMORY_ERROR { return .outOfMemory }
        let message = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        let place = unsafe mark(parser.pointee.problem_mark)
        return .syntax(
            message: message ?? "unreadable text", line: place.line, column: place.column)
    }

    private func mark(_ mark: yaml_mark_t) -> YAMLMark {
        YAMLMark(
            offset: source.offset(ofCharacter: mark.index), line: mark.line + 1,
            column: mark.column + 1)
    }

    private func string(_ text: UnsafeMutablePointer<UInt8>?) -> String? {
        guard let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }

    private func style(_ style: yaml_scalar_style_t) -> YAMLNode.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}

/// Makes a tree from events with a stack of its own, so depth costs no call stack.
private struct TreeBuilder {
    private struct Frame {
        var start: Event
        var children: [YAMLNode] = []
    }

    let limits: YAMLLimits
    private(set) var root: YAMLNode?
    private var frames: [Frame] = []
    private var count = 0

    init(limits: YAMLLimits) { self.limits = limits }

    mutating func take(_ event: Event) throws(YAMLError) {
        switch event.kind {
        case .scalar:
            try add(node(event, .scalar(event.text, event.style), end: event.end))
        case .alias:
            try add(node(event, .alias(event.text), end: event.end))
        case .sequenceStart, .mappingStart:
            guard frames.count < limits.depth else {
                throw .tooDeep(
                    limit: limits.depth, line: event.start.line, column: event.start.column)
            }
            frames.append(Frame(start: event))
        case .collectionEnd:
            guard let frame = frames.popLast() else { return }
            try add(collection(frame, end: event.end))
        case .streamEnd, .documentStart, .other: break
        }
    }

    private mutating func add(_ node: YAMLNode) throws(YAMLError) {
        count += 1
        guard count <= limits.nodes else {
            throw .tooManyNodes(
                limit: limits.nodes, line: node.start.line, column: node.start.column)
        }
        if frames.isEmpty {
            root = node
        } else {
            frames[frames.count - 1].children.append(node)
        }
    }

    private func collection(_ frame: Frame, end: YAMLMark) -> YAMLNode {
        let (start, children) = (frame.start, frame.children)
        let content: YAMLNode.Content
        if start.kind == .sequenceStart {
            content = .sequence(children, isFlow: start.isFlow)
        } else {
            let pairs = stride(from: 0, to: children.count - 1, by: 2).map {
                YAMLNode.Pair(key: children[$0], value: children[$0 + 1])
            }
            content = .mapping(pairs, isFlow: start.isFlow)
        }
        let last = children.last?.end ?? start.end
        return node(start, content, end: start.isFlow ? end : max(last, start.start))
    }

    private func node(_ event: Event, _ content: YAMLNode.Content, end: YAMLMark) -> YAMLNode {
        YAMLNode(
            content: content, start: event.start, end: end, tag: event.tag, anchor: event.anchor)
    }
}
