import AuraCore
import Testing

@Suite("words")
struct WordsTests {
    @Test(
        "identifiers are found whole and by part",
        arguments: [
            ("Fix OPS-4417 now", "fix ops-4417 ops4417 ops 4417 now"),
            ("flush_write_queue", "flush_write_queue flush write queue"),
            (
                "camelCase HTTPServer NASA iPhone",
                "camelcase camel case httpserver http server nasa iphone phone"
            ),
            ("C++ and C# at node.js", "c++ and c# at node.js node js"),
            ("COVID-19", "covid-19 covid19 covid 19"),
            ("v1.2.3", "v1.2.3 v1 2 3 1.2.3"),
            ("write to ann.lee@example.org.", "write to ann.lee@example.org ann lee example org"),
            ("#garden, .NET", "#garden garden .net net"),
            ("don’t stop Anna's e-mail", "dont don stop annas anna e-mail email mail"),
            ("OPS4417 mp3 utf8", "ops4417 ops 4417 mp3 utf8"),
            (
                "1,234.50 at 10:30 on 03/04/2026",
                "1,234.50 1 234 50 at 10:30 10 30 on 03/04/2026 03 04 2026"
            ),
            ("AT&T and/or R&D", "at&t at and or r&d"), ("one.Two", "one.two one two"),
            ("Müller-Lüdenscheidt", "muller-ludenscheidt mullerludenscheidt muller ludenscheidt"),
            ("...", ""), ("a - b", "a b"), ("__init__", "init"),
        ])
    func tokens(text: String, expected: String) {
        #expect(Words.tokens(in: text).map(\.text).joined(separator: " ") == expected)
    }

    @Test("scripts without blanks give pairs, a lone character itself")
    func pairs() {
        #expect(Words.tokens(in: "東京都 猫 café").map(\.text) == ["東京", "京都", "猫", "cafe"])
        #expect(Words.tokens(in: "カ\u{3099}ラス").map(\.text) == ["ガラ", "ラス"])
        #expect(Words.tokens(in: "한국어").map(\.text) == ["한국", "국어"])
    }

    @Test("a token's range is where it stands, and its parts share its position")
    func places() {
        let text = "Søren’s OPS-4417"
        let tokens = Words.tokens(in: text)
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes[tokens[0].range], as: UTF8.self) == "Søren’s")
        #expect(tokens[0].text == "sorens")
        let part = tokens.first { $0.text == "4417" }
        #expect(part.map { String(decoding: bytes[$0.range], as: UTF8.self) } == "4417")
        #expect(tokens.map(\.position) == [0, 0, 1, 1, 1, 1])
        #expect(tokens.map(\.kind) == [.word, .part, .identifier, .part, .part, .part])
    }

    @Test("a line of dots and letters without end gives no parts and takes linear time")
    func floods() {
        #expect(Words.tokens(in: String(repeating: "a.", count: 50_000)).count == 1)
        #expect(Words.tokens(in: String(repeating: "aB", count: 100)).count <= 3)
    }
}
