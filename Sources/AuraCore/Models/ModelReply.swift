/// A model's reply without what was not meant for the reader: thinking blocks and code fences around the whole.
package enum ModelReply {
    /// The reply itself. A thinking block that never ended hides everything after it.
    package static func cleaned(_ reply: String) -> String {
        var stream = ThinkingFilter()
        let visible = stream.take(reply) + stream.finish()
        return withoutFence(visible.trimmed)
    }

    /// The inside of a fence that goes around the whole text; other text as it is.
    static func withoutFence(_ text: String) -> String {
        guard text.hasPrefix("```") else { return text }
        guard let firstBreak = text.firstIndex(of: "\n") else {
            return text.hasSuffix("```") && text.count >= 6
                ? String(text.dropFirst(3).dropLast(3)).trimmed : text
        }
        var inside = text[text.index(after: firstBreak)...]
        guard let end = inside.ranges(of: "```").last else {
            // A reply that was cut off before its fence ended.
            return String(inside).trimmed
        }
        // Text after the fence means that the fence is part of the reply.
        guard inside[end.upperBound...].allSatisfy(\.isWhitespace),
            inside.ranges(of: "```").count == 1
        else {
            return text
        }
        inside = inside[..<end.lowerBound]
        return String(inside).trimmed
    }
}

/// Takes `<think>…</think>` out of text that comes in pieces.
package struct ThinkingFilter: Sendable {
    private var waiting = ""
    private var isThinking = false
    private var isAtStart = true

    private static let opening = "<think>"
    private static let closing = "</think>"

    package init() {}

    /// The part of the text so far that is surely visible and was not given out.
    package mutating func take(_ piece: String) -> String {
        waiting += piece
        var visible = ""
        while true {
            let mark = isThinking ? Self.closing : Self.opening
            if let place = waiting.firstRange(of: mark) {
                if !isThinking { visible += waiting[..<place.lowerBound] }
                waiting = String(waiting[place.upperBound...])
                isThinking.toggle()
                continue
            }
            let kept = Self.overlap(of: waiting, with: mark)
            let rest = waiting.index(waiting.endIndex, offsetBy: -kept)
            if !isThinking { visible += waiting[..<rest] }
            waiting = String(waiting[rest...])
            break
        }
        // The blank lines between thinking and reply belong to neither.
        if isAtStart { visible = String(visible.drop(while: \.isWhitespace)) }
        if !visible.isEmpty { isAtStart = false }
        return visible
    }

    /// What was held back because a mark might have begun.
    package mutating func finish() -> String {
        defer { waiting = "" }
        return isThinking ? "" : waiting
    }

    /// How many characters at the end of the text begin the mark.
    static func overlap(of text: String, with mark: String) -> Int {
        for count in stride(from: min(text.count, mark.count - 1), to: 0, by: -1)
        where mark.hasPrefix(text.suffix(count)) { return count }
        return 0
    }
}

/// Ends a text that comes in pieces before the first of some stops.
struct StopFilter: Sendable {
    private let stops: [String]
    private var waiting = ""
    private(set) var isStopped = false

    init(_ stops: [String]) { self.stops = stops.filter { !$0.isEmpty } }

    mutating func take(_ piece: String) -> String {
        guard !stops.isEmpty else { return piece }
        guard !isStopped else { return "" }
        waiting += piece
        if let place = stops.compactMap({ waiting.firstRange(of: $0)?.lowerBound }).min() {
            isStopped = true
            defer { waiting = "" }
            return String(waiting[..<place])
        }
        let kept = stops.map { ThinkingFilter.overlap(of: waiting, with: $0) }.max() ?? 0
        let rest = waiting.index(waiting.endIndex, offsetBy: -kept)
        defer { waiting = String(waiting[rest...]) }
        return String(waiting[..<rest])
    }

    mutating func finish() -> String {
        defer { waiting = "" }
        return waiting
    }
}

/// Notices that a model says the same over and over.
struct RepetitionDetector: Sendable {
    private var tokens: [Int32] = []
    /// The longest block that is looked for.
    private static let longest = 40
    /// So many tokens must be repetition, and at least four times the block.
    private static let least = 32

    /// Whether the end of the text so far is one block at least four times.
    mutating func take(_ token: Int32) -> Bool {
        tokens.append(token)
        if tokens.count > Self.longest * 5 { tokens.removeFirst(Self.longest) }
        for length in 1...Self.longest {
            let wanted = max(4 * length, Self.least)
            guard tokens.count >= wanted else { break }
            let tail = tokens.suffix(wanted)
            if tail.dropFirst(length).elementsEqual(tail.dropLast(length)) { return true }
        }
        return false
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}
