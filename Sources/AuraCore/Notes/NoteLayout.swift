/// Where the front matter and the body of a file lie, found by its delimiter lines alone.
struct NoteLayout: Hashable, Sendable {
    enum Kind: Sendable { case none, frontMatter, unterminated, tooLarge, toml }

    var kind: Kind
    /// Past the byte order mark, if there is one.
    let start: Int
    /// The lines between the delimiters; empty at `start` without front matter.
    var header: Range<Int>
    /// The first byte below the closing delimiter's line.
    var bodyStart: Int

    /// How far a closing delimiter is looked for.
    static let maximumHeaderBytes = 64 * 1024

    /// Reads 64 KiB at most, and a delimiter.
    init(_ bytes: [UInt8]) {
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        header = start..<start
        bodyStart = start
        kind = .none
        let first = Line(in: bytes, at: start)
        switch first.trimmed(in: bytes) {
        case "---": break
        case "+++":
            kind = .toml
            return
        default: return
        }
        guard first.next > first.end else { return }
        var line = first
        while line.next > line.end {
            line = Line(in: bytes, at: line.next)
            guard line.start - first.next <= NoteLayout.maximumHeaderBytes else {
                kind = .tooLarge
                return
            }
            let text = line.trimmed(in: bytes)
            if text == "---" || text == "..." {
                kind = .frontMatter
                header = first.next..<line.start
                bodyStart = line.next
                return
            }
        }
        kind = .unterminated
    }

    /// The same file, taken as body alone.
    func withoutFrontMatter() -> NoteLayout {
        var copy = self
        copy.kind = .none
        copy.header = start..<start
        copy.bodyStart = start
        return copy
    }
}

/// One line of a file: its bytes, and where the next begins.
struct Line {
    let start: Int
    let end: Int
    /// Equal to `end` when the file ends without a line ending.
    let next: Int

    init(in bytes: [UInt8], at start: Int) {
        self.start = start
        var index = start
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        end = index
        if index + 1 < bytes.count, bytes[index] == 0x0D, bytes[index + 1] == 0x0A { index += 1 }
        next = min(index + 1, bytes.count)
    }

    /// The line without blanks at its end, if it is as short as a delimiter; else nil.
    func trimmed(in bytes: [UInt8]) -> String? {
        var end = end
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return end - start == 3 ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }
}
