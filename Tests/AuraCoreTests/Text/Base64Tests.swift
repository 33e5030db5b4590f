import Testing

@testable import AuraCore

@Suite struct Base64Tests {
    @Test(
        "bytes and text as in RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        let bytes = Array(plain.utf8)
        let bare = text.filter { $0 != "=" }
        #expect(String(decoding: Base64.encode(bytes.span, isPadded: true), as: UTF8.self) == text)
        #expect(String(decoding: Base64.encode(bytes.span, isPadded: false), as: UTF8.self) == bare)
        #expect(Base64.decode(Array(text.utf8).span, isPadded: true) == bytes)
        #expect(Base64.decode(Array(bare.utf8).span, isPadded: false) == bytes)
    }

    @Test("every byte comes back, at every length")
    func roundTrip() {
        for count in 0...256 {
            let bytes = (0..<count).map { UInt8($0 & 255) }
            for isPadded in [true, false] {
                let text = Base64.encode(bytes.span, isPadded: isPadded)
                #expect(Base64.decode(text.span, isPadded: isPadded) == bytes)
            }
        }
    }

    @Test(
        "anything but the one way to write the bytes is refused",
        arguments: [
            ("Zg", true), ("Zg=", true), ("Zg===", true), ("====", true), ("Z===", true),
            ("Zh==", true), ("Zm9=", true), ("Zg==Zg==", true), ("Zm 9", true), ("Zm9v\n", true),
            ("Zm9-", true), ("Zm9_", true), ("=Zm9", true), ("Zg==", false), ("Zm8=", false),
            ("Z", false), ("Zh", false), ("Zm9vY", false), ("Zm9\u{E9}", false),
        ])
    func refusals(text: String, isPadded: Bool) {
        #expect(Base64.decode(Array(text.utf8).span, isPadded: isPadded) == nil)
    }
}
