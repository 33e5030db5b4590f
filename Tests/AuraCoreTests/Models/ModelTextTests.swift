import AuraCore
import Testing

@Suite("model replies") struct ModelReplyTests {
    @Test(
        "thinking and fences are taken away, all else stays",
        arguments: [
            ("plain", "plain"),
            ("<think>\nlong\n</think>\n\nanswer", "answer"),
            ("<think>never ended", ""),
            ("before <think>x</think>after", "before after"),
            ("```json\n{\"a\":1}\n```", "{\"a\":1}"),
            ("```\ntext\n```\n", "text"),
            ("```json\n{\"a\":1}", "{\"a\":1}"),
            ("a ``` inside", "a ``` inside"),
            ("```swift\nlet a = 1\n```\nand more", "```swift\nlet a = 1\n```\nand more"),
            ("", ""),
            ("a < b", "a < b"),
        ])
    func cleaned(reply: String, text: String) { #expect(ModelReply.cleaned(reply) == text) }

    @Test("in pieces it is the same as at once", arguments: [1, 2, 3, 7])
    func pieces(size: Int) {
        let reply = "<think>one <thi two</think>\n\nthe <b> answer </think is <thin"
        var filter = ThinkingFilter()
        var text = ""
        var rest = Substring(reply)
        while !rest.isEmpty {
            text += filter.take(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        text += filter.finish()
        #expect(text == "the <b> answer </think is <thin")
    }
}

@Suite("shapes of free text") struct FormShapeTests {
    private func check(_ shape: Form.Shape, _ text: String, end: String) -> Form.Shape.Check {
        shape.check(Array(text.utf8)[...], end: Array(end.utf8))
    }

    @Test(
        "tags",
        arguments: [
            ("", .open), ("p", .open), ("planning", .open), ("Planning", .refused),
            ("1a", .refused), ("a b", .refused),
            ("a\"", .refused), ("planning\"", .open), ("planning\",", .open),
            ("planning\",\"", .open),
            ("planning\"]", .refused), ("planning\",\"q1\"]", .closed(contentBytes: 13)),
            ("planning\",\"q1\"],\"more", .closed(contentBytes: 13)), ("aa\",\"aa\"", .refused),
            ("aa\",\"aab\"", .open),
            ("aa\",\"bb\",\"cc\"", .open), ("aa\",\"bb\",\"cc\",", .refused),
            ("aa\", \"bb", .refused),
            ("abcdefghijklmnopqrstu", .refused),
        ] as [(String, Form.Shape.Check)])
    func tags(text: String, result: Form.Shape.Check) {
        #expect(check(.tags(minimum: 2, maximum: 3), text, end: "\"]") == result)
    }

    @Test(
        "a line",
        arguments: [
            ("", .open), ("\"", .refused), (" a", .refused), ("ab\"", .closed(contentBytes: 2)),
            ("a\"", .refused),
            ("a\nb", .refused), ("a\\b", .refused), ("Grüße\"", .closed(contentBytes: 7)),
            ("abcdefgh", .open),
            ("abcdefghi", .refused), ("世界世界世界世界", .open), ("a\u{2028}", .refused),
            ("a\u{85}", .refused),
        ] as [(String, Form.Shape.Check)])
    func lines(text: String, result: Form.Shape.Check) {
        #expect(check(.line(minimum: 2, maximum: 8), text, end: "\"") == result)
    }

    @Test("a character may be open, but not wrong")
    func bytes() {
        let shape = Form.Shape.line(minimum: 0, maximum: 8)
        #expect(shape.check([0xE4, 0xB8], end: [0x22]) == .open)
        #expect(shape.check([0xE4, 0x22], end: [0x22]) == .refused)
        #expect(shape.check([0xFF], end: [0x22]) == .refused)
        #expect(shape.check([0x80], end: [0x22]) == .refused)
    }
}
