import AuraYAML
import Testing

private func root(_ text: String) throws -> YAMLNode {
    try #require(try YAMLDocument(Array(text.utf8)).root)
}

private func source(of node: YAMLNode, in text: String) -> String {
    String(decoding: Array(text.utf8)[node.start.offset..<node.end.offset], as: UTF8.self)
}

@Suite struct YAMLDocumentTests {
    @Test(
        "marks point at the very bytes of each value",
        arguments: [
            ("title: Q1 plan # why\n", "Q1 plan"), ("title: 'it''s'\n", "'it''s'"),
            ("title: \"a\\tb\"\nx: 1\n", "\"a\\tb\""), ("title: !!str x\n", "!!str x"),
            ("title: [a, b] # c\n", "[a, b]"), ("title:\n- a\n- b\nx: 1\n", "- a\n- b"),
            ("é: 🌱\ntitle: Café rota 🌱\n", "Café rota 🌱"), ("\u{FEFF}title: é\n", "é"),
            ("\u{FEFF}a: b\r\ntitle: c d\r\n", "c d"), ("title: a\n  b\n\nx: 1\n", "a\n  b"),
            ("a: 1\rtitle: old Mac\rb: 2\r", "old Mac"), ("title:   # none\n", ""),
            ("a: x\u{2028}\ntitle: y\n", "y"), ("title: {a: {b: c}}\n", "{a: {b: c}}"),
        ])
    func marks(text: String, expected: String) throws {
        let value = try #require(try root(text)["title"])
        #expect(source(of: value, in: text) == expected)
    }

    @Test("styles, tags and anchors are told")
    func styles() throws {
        let node = try root(
            "a: x\nb: 'x'\nc: \"x\"\nd: |\n  x\ne: >\n  x\nf: &n !!python/object x\n")
        #expect(
            node.pairs?.map(\.value.style) == [
                .plain, .singleQuoted, .doubleQuoted, .literal, .folded, .plain,
            ])
        #expect(node["f"]?.anchor == "n")
        #expect(node["f"]?.tag == "tag:yaml.org,2002:python/object")
    }

    @Test("nothing is resolved: scalars stay as they are written")
    func verbatim() throws {
        let items = try root("[2024, yes, 1.10, 16:45, 0x1F, 2026-03-17]").items
        #expect(items?.map(\.text) == ["2024", "yes", "1.10", "16:45", "0x1F", "2026-03-17"])
    }

    @Test("an alias is a name, never a copy")
    func aliases() throws {
        let node = try root("a: &x [1, 2]\nb: *x\n")
        #expect(node["b"]?.content == .alias("x"))
    }

    @Test("a billion laughs stays small")
    func laughs() throws {
        var text = "a: &a [lol, lol]\n"
        for (old, new) in zip("abcdefghij", "bcdefghijk") {
            text += "\(new): &\(new) [*\(old), *\(old), *\(old), *\(old), *\(old)]\n"
        }
        #expect(try root(text).pairs?.count == 11)
    }

    @Test("repeated keys are there, and named")
    func repeated() throws {
        let node = try root("a: 1\nb: 2\na: 3\n")
        #expect(node["a"]?.text == "1")
        #expect(node.repeatedKeys.map(\.start.line) == [3])
    }

    @Test("only the first document is read")
    func documents() throws {
        let document = try YAMLDocument(Array("a: 1\n--- \nb: 2\n".utf8))
        #expect(document.root?.pairs?.count == 1)
        #expect(document.hasMoreDocuments)
        #expect(try YAMLDocument(Array("# only\n".utf8)).root == nil)
        #expect(try YAMLDocument([]).root == nil)
    }

    @Test(
        "errors tell line, column and reason",
        arguments: [
            ("a: b: c\n", 1, 5), ("a: 1\nb: [1, 2\n", 3, 1), ("a: 1\n\tb: 2\n", 2, 1),
            ("é: 1\né: @x\n", 2, 4), ("a: 1\nb: \u{1B}[31m\n", 2, 4),
        ])
    func errors(text: String, line: Int, column: Int) throws {
        let error = #expect(throws: YAMLError.self) { _ = try YAMLDocument(Array(text.utf8)) }
        #expect(error?.place?.line == line)
        #expect(error?.place?.column == column)
        #expect(error?.message.isEmpty == false)
    }

    @Test("limits on size, depth and number of values")
    func limits() throws {
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        #expect(throws: YAMLError.tooDeep(limit: 16, line: 1, column: 17)) { try root(deep) }
        _ = try root(String(deep.dropFirst().dropLast()))
        let many = "[" + String(repeating: "a,", count: 1001) + "]"
        #expect(throws: YAMLError.self) { try root(many) }
        let long = String(repeating: "#", count: 65_537)
        #expect(throws: YAMLError.tooLarge(bytes: 65_537, limit: 65_536)) { try root(long) }
        let open = String(repeating: "[", count: 65_000)
        #expect(throws: YAMLError.self) { try root(open) }
        let keys = String(repeating: "? ", count: 30_000)
        #expect(throws: YAMLError.self) { try root(keys) }
    }

    @Test("invalid UTF-8 and control characters are read as U+FFFD where that is asked for")
    func repairs() throws {
        let bytes: [UInt8] =
            Array("a: ".utf8) + [0xFF, 0x00, 0xE2, 0x82] + Array("é\nb: ok\n".utf8)
        #expect(throws: YAMLError.self) { try YAMLDocument(bytes) }
        let node = try #require(try YAMLDocument(bytes, isRepairing: true).root)
        #expect(node["a"]?.text == "\u{FFFD}\u{FFFD}\u{FFFD}é")
        let value = try #require(node["b"])
        #expect(Array(bytes[value.start.offset..<value.end.offset]) == Array("ok".utf8))
    }
}
