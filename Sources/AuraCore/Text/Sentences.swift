/// Text cut into sentences, for titles, citations and extracts.
package enum Sentences {
    /// Abbreviations that end in a point without ending a sentence, lower case, without the point.
    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "no", "nr", "vs", "etc", "e.g", "i.e", "approx",
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "a.m", "p.m", "fig", "inc", "ltd", "co",
    ]

    /// The sentences in order, trimmed, none empty. A line break ends one where a blank line, a list
    /// mark or a heading follows; other line breaks become blanks. Markdown marks at the beginning of
    /// a line are left out. Linear in the length.
    package static func split(_ text: String) -> [String] {
        var result: [String] = []
        for block in blocks(of: text) { split(block, into: &result) }
        return result
    }

    /// Paragraphs and list items, each on one line.
    private static func blocks(of text: String) -> [String] {
        var blocks: [String] = []
        var open = ""
        func close() {
            if !open.isEmpty { blocks.append(open) }
            open = ""
        }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let trimmed = trim(line)
            let stripped = withoutMark(trimmed)
            if trimmed.isEmpty
                || trimmed.allSatisfy({ $0 == "-" || $0 == "=" || $0 == "*" || $0 == "`" })
            {
                close()
            } else if stripped.startIndex != trimmed.startIndex {
                close()
                open = String(stripped)
            } else {
                open += open.isEmpty ? String(stripped) : " " + stripped
            }
        }
        close()
        return blocks
    }

    private static func trim(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }

    /// Without `# `, `- `, `* `, `> `, `1. `, `- [ ] ` in front.
    private static func withoutMark(_ line: Substring) -> Substring {
        var rest = line
        while true {
            let before = rest.startIndex
            let marks = rest.prefix { $0 == "#" }
            if (1...6).contains(marks.count), rest.dropFirst(marks.count).first == " " {
                rest = rest.dropFirst(marks.count + 1)
            } else if let first = rest.first, "-*+>".contains(first), rest.dropFirst().first == " "
            {
                rest = rest.dropFirst(2)
                if rest.hasPrefix("[ ] ") || rest.hasPrefix("[x] ") || rest.hasPrefix("[X] ") {
                    rest = rest.dropFirst(4)
                }
            } else {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                if (1...3).contains(digits.count), rest.dropFirst(digits.count).hasPrefix(". ") {
                    rest = rest.dropFirst(digits.count + 2)
                }
            }
            rest = rest.drop(while: \.isWhitespace)
            if rest.startIndex == before { return rest }
        }
    }

    private static func split(_ block: String, into result: inout [String]) {
        var start = block.startIndex
        var index = block.startIndex
        func add(upTo end: String.Index) {
            let sentence = trim(block[start..<end])
            if !sentence.isEmpty { result.append(String(sentence)) }
            start = end
        }
        while index < block.endIndex {
            let character = block[index]
            let next = block.index(after: index)
            defer { index = next }
            if "。！？".contains(character) {
                add(upTo: next)
                continue
            }
            guard character == "." || character == "!" || character == "?" else { continue }
            var end = next
            while end < block.endIndex, "\"')]”’".contains(block[end]) {
                end = block.index(after: end)
            }
            guard end == block.endIndex || block[end].isWhitespace else { continue }
            if character == "." {
                let word = block[start..<index].split(separator: " ").last ?? ""
                let isInitial = word.count == 1 && word.first?.isUppercase == true
                let isNumber = !word.isEmpty && word.allSatisfy(\.isNumber) && word.count <= 2
                let isShort = abbreviations.contains(word.lowercased())
                if isInitial || isShort || isNumber {
                    let after = block[end...].drop(while: \.isWhitespace).first
                    // "at no. 9" goes on; "finish on the 9." before a capital letter does not.
                    if isShort || isInitial || after?.isLowercase == true { continue }
                }
            }
            add(upTo: end)
        }
        add(upTo: block.endIndex)
    }
}
