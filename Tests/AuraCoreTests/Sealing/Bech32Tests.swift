import Testing

@testable import AuraCore

@Suite struct Bech32Tests {
    private func decode(_ text: String, prefix: String) -> [UInt8]? {
        Bech32.decode(Array(text.utf8).span, prefix: prefix)
    }

    /// Of BIP 173's valid texts those that hold whole bytes.
    @Test(
        "published texts are read, and written the same",
        arguments: [
            ("A12UEL5L", "A", []),
            ("a12uel5l", "a", []),
            (
                "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
                "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio",
                []
            ),
            (
                "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "abcdef",
                [
                    0x00, 0x44, 0x32, 0x14, 0xC7, 0x42, 0x54, 0xB6, 0x35, 0xCF, 0x84, 0x65, 0x3A,
                    0x56, 0xD7, 0xC6, 0x75, 0xBE, 0x77, 0xDF,
                ]
            ),
            (
                "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
                "AGE-SECRET-KEY-", [UInt8](repeating: 0x42, count: 32)
            ),
        ] as [(String, String, [UInt8])])
    func vectors(text: String, prefix: String, bytes: [UInt8]) {
        #expect(decode(text, prefix: prefix) == bytes)
        #expect(String(decoding: Bech32.encode(bytes.span, prefix: prefix), as: UTF8.self) == text)
    }

    @Test(
        "a wrong checksum, alphabet, case, prefix or remainder is refused",
        arguments: [
            ("a12uel5m", "a"), ("a12uel", "a"), ("a1", "a"), ("", "a"), ("A12uEL5L", "A"),
            ("A12UEL5L", "a"), ("b12uel5l", "a"), ("a2uel5l", "a"), ("a12ue\u{E9}l5l", "a"),
            // BIP 173: a checksum made from the upper-case prefix, and one made for a bit too many.
            ("A1G7SGD8", "A"),
            ("age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", "age"),
        ])
    func refusals(text: String, prefix: String) {
        #expect(decode(text, prefix: prefix) == nil)
    }

    @Test("one character changed is always found out")
    func slips() {
        let text = Array("age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj".utf8)
        #expect(Bech32.decode(text.span, prefix: "age")?.count == 32)
        for index in text.indices {
            for byte: UInt8 in 33...126 where byte != text[index] {
                var changed = text
                changed[index] = byte
                #expect(Bech32.decode(changed.span, prefix: "age") == nil)
            }
        }
    }
}
