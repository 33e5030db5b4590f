/// JSON out of what a model says around it: thinking, a fence, a sentence before, another after.
package enum LooseJSON {
    /// No reply is longer; what stands beyond is not read.
    private static let longestReply = 4 << 20
    /// How many opening braces are tried before the reply counts as prose.
    private static let mostAttempts = 100

    /// The first whole JSON object; nil when there is none.
    ///
    /// Objects inside a thinking block do not count, not even when the block never ends.
    package static func object(in reply: String) -> JSONValue? {
        let bytes = Array(reply.utf8.prefix(longestReply))
        for start in answerStarts(in: bytes) {
            var position = start
            for _ in 0..<mostAttempts {
                guard let brace = bytes[position...].firstIndex(of: 0x7B) else { break }
                var reader = JSONReader(bytes, at: brace)
                if let value = try? reader.value() { return value }
                position = brace + 1
            }
        }
        return nil
    }

    /// The members of the outermost object that are complete although the reply may have been cut
    /// off: a string must have its end, a number something after it.
    package static func completePairs(in reply: String) -> [JSONValue.Member] {
        let bytes = Array(reply.utf8.prefix(longestReply))
        for start in answerStarts(in: bytes) {
            guard let brace = bytes[start...].firstIndex(of: 0x7B) else { continue }
            var reader = JSONReader(bytes, at: brace + 1)
            let pairs = completePairs(&reader)
            if !pairs.isEmpty { return pairs }
        }
        return []
    }

    private static func completePairs(_ reader: inout JSONReader) -> [JSONValue.Member] {
        var pairs: [JSONValue.Member] = []
        repeat {
            guard let key = try? reader.key(), let value = try? reader.value() else { break }
            if value.double != nil, reader.current == nil { break }
            pairs.append(JSONValue.Member(key, value))
            reader.skipBlanks()
        } while reader.takes(0x2C)
        return pairs
    }

    /// Where the answer may begin: after the thinking; nowhere when the thinking never ends.
    ///
    /// Some replies have only the closing tag, because the opening one was part of the prompt; and a
    /// closing tag may be quoted inside the answer, so then the beginning is the second choice.
    private static func answerStarts(in bytes: [UInt8]) -> [Int] {
        let first = bytes.firstIndex { $0 > 0x20 } ?? 0
        let hasOpening = bytes[first...].starts(with: "<think".utf8)
        var position = first
        while let angle = bytes[position...].firstIndex(of: 0x3C) {
            position = angle + 1
            for closing in ["</think>", "</thinking>"]
            where bytes[angle...].starts(with: closing.utf8) {
                let end = angle + closing.utf8.count
                return hasOpening ? [end] : [end, first]
            }
        }
        return hasOpening ? [] : [first]
    }
}
