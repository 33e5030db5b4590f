import AuraMarkdown
import Testing

private let page = """
    Title
    =====
    First *bold* paragraph
    with `code #no` and #yes.

    - [x] done
    - [ ] open
      more

      second
    > quoted

    ```swift
    let a = 1
    ```
    ## Sub `x`
    | a | b |
    |---|---|
    | 1 | 2 |

    ---
    <div>
    x
    </div>
    """

@Suite struct MarkdownDocumentTests {
    @Test("each block has its kind, its words and its lines")
    func blocks() {
        let blocks = MarkdownDocument(page).blocks
        #expect(
            blocks.map(\.kind) == [
                .heading(level: 1), .paragraph, .listItem(isDone: true), .listItem(isDone: false),
                .listItem(isDone: false), .quote, .code(language: "swift"), .heading(level: 2),
                .table,
                .rule, .html,
            ])
        #expect(
            blocks.map(\.lines) == [
                1...2, 3...4, 6...6, 7...8, 10...10, 11...11, 13...15, 16...16, 17...19, 21...21,
                22...24,
            ])
        #expect(blocks[0].text == "Title")
        #expect(blocks[1].text == "First bold paragraph\nwith code #no and #yes.")
        #expect(blocks[1].prose == "First bold paragraph\nwith   and #yes.")
        #expect(blocks[6].text == "let a = 1\n")
        #expect(blocks[6].prose.isEmpty)
        #expect(blocks[8].text == "a\tb\n1\t2\n")
        let bytes = Array(page.utf8)
        #expect(String(decoding: bytes[blocks[5].bytes], as: UTF8.self) == "> quoted")
        #expect(blocks.map(\.nesting) == [0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    }

    @Test("links and images carry destination, title and text")
    func links() {
        let document = MarkdownDocument(
            "a\n\nSee [the *plan*](Projects/plan.md \"why\") and ![map](map.png), [ref][r].\n\n[r]: /x\n"
        )
        #expect(document.links.map(\.destination) == ["Projects/plan.md", "map.png", "/x"])
        #expect(document.links.map(\.title) == ["why", "", ""])
        #expect(document.links.map(\.text) == ["the plan", "map", "ref"])
        #expect(document.links.map(\.isImage) == [false, true, false])
        #expect(document.links.map(\.block) == [1, 1, 1])
    }

    @Test("every kind of line ending counts as one line", arguments: ["\n", "\r\n", "\r"])
    func lineEndings(ending: String) {
        let text = ["# a", "", "b", "", "c"].joined(separator: ending)
        let blocks = MarkdownDocument(text).blocks
        #expect(blocks.map(\.lines) == [1...1, 3...3, 5...5])
        #expect(
            blocks.map { String(decoding: Array(text.utf8)[$0.bytes], as: UTF8.self) } == [
                "# a", "b", "c",
            ])
    }

    @Test("a slice of a larger text counts from its own start")
    func slices() {
        let bytes = Array("---\nx\n---\n# a\n".utf8)
        #expect(MarkdownDocument(bytes[10...]).blocks.map(\.bytes) == [0..<3])
    }

    @Test("NUL and invalid bytes end nothing")
    func strangeBytes() {
        let bytes: [UInt8] = Array("a".utf8) + [0, 0xFF] + Array("b\n\nc".utf8)
        let document = MarkdownDocument(bytes[...])
        #expect(document.blocks.map(\.text) == ["a\u{FFFD}\u{FFFD}b", "c"])
    }

    @Test(
        "deep nesting and hostile runs stay linear", .timeLimit(.minutes(1)),
        arguments: [
            ">", "> ", "- ", "[", "![", "](", "`", "*_", "1. ", "| a ", "<!--", "a\n> ", "[a](",
        ])
    func hostile(piece: String) {
        let text = String(repeating: piece, count: 20_000)
        _ = MarkdownDocument(text)
    }

    @Test("10,000 quotes in one another hold their text")
    func quotes() {
        let document = MarkdownDocument(String(repeating: "> ", count: 10_000) + "core")
        #expect(document.blocks.map(\.text) == ["core"])
        #expect(document.blocks.first?.nesting == 10_000)
    }

    @Test("nothing is nothing")
    func empty() {
        #expect(MarkdownDocument("").blocks.isEmpty)
        #expect(MarkdownDocument("\n\n").blocks.isEmpty)
    }
}
