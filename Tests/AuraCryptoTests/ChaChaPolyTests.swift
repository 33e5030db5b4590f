import AuraCrypto
import Testing

@Suite struct ChaChaPolyTests {
    @Test("the cipher text of RFC 8439, section 2.8.2, without its additional data")
    func cipherText() {
        let text = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the \
            future, sunscreen would be it.
            """
        var sealed: [UInt8] = []
        var cipher = ChaChaPoly(
            key: secret("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"))
        cipher.seal(
            Array(text.utf8).span, nonce: bytes("070000004041424344454647"), into: &sealed)
        #expect(
            Array(sealed.dropLast(ChaChaPoly.tagLength)).hexadecimal == """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca96712\
                82fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58\
                fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116
                """)
    }

    /// Wycheproof's tests 2, 4, 10, 18 and 28 of ChaCha20-Poly1305.
    @Test(
        "texts and tags as published by Wycheproof",
        arguments: [
            (
                "80ba3192c803ce965ea371d5ff073cf0f43b6a2ab576b208426e11409c09b9b0",
                "4da5bf8dfd5852c1ea12379d", "", "76acb342cf3166a5b63c0c0ea1383c8d"
            ),
            (
                "cc56b680552eb75008f5484b4cb803fa5063ebd6eab91f6ab6aef4916a766273",
                "99e23ec48985bccdeeab60f1", "2a", "3acac27dec0968801e9f6eded69d807522"
            ),
            (
                "e4912cb75a1174345f1a457366f18885fe8460b06478e04be2f7fb4ec9c113e5",
                "7aa5ad8bf5254762171ec869", "9e4c1d03", "fe6849aa99ad07871b25c27defc31a541bd5c418"
            ),
            (
                "51e4bf2bad92b7aff1a4bc05550ba81df4b96fabf41c12c7b00e60e48db7e152",
                "4f07afedfdc3b6c2361823d3", "be3308f72a2c6aed",
                "8e9439a56eeec817fbe8a6ed8fabb1937539dd6c00e90021"
            ),
            (
                "faf4bfe8019a891c74901b17f4f48cee5cd065d55fdea60118aaf6c4319a0ea5",
                "b776c3fddba7c81362ce6e1b", "8dadff8d60c8e88f604f274833",
                "e6b33a74a4ac443bd93f9c1b940c115172bdb02bbad3130fff22790d60"
            ),
        ])
    func vectors(key: String, nonce: String, plain: String, expected: String) throws {
        var cipher = ChaChaPoly(key: secret(key))
        // One context takes several texts, both ways.
        for _ in 0..<2 {
            var sealed: [UInt8] = [7]
            cipher.seal(bytes(plain).span, nonce: bytes(nonce), into: &sealed)
            #expect(sealed.hexadecimal == "07" + expected)
            var opened: [UInt8] = [9]
            try cipher.open(bytes(expected).span, nonce: bytes(nonce), into: &opened)
            #expect(opened.hexadecimal == "09" + plain)
            let secret = try cipher.openSecret(bytes(expected).span, nonce: bytes(nonce))
            #expect(secret.hexadecimal == plain)
        }
    }

    @Test("a changed bit anywhere, another nonce or a cut opens nothing")
    func changes() {
        var cipher = ChaChaPoly(key: .random(ChaChaPoly.keyLength))
        let nonce = bytes("4f07afedfdc3b6c2361823d3")
        var sealed: [UInt8] = []
        cipher.seal(Array("one two three".utf8).span, nonce: nonce, into: &sealed)
        func expectRefusal(_ sealed: [UInt8], nonce: [UInt8]) {
            var plain: [UInt8] = [1]
            #expect(throws: CryptoError.notAuthentic) {
                try cipher.open(sealed.span, nonce: nonce, into: &plain)
            }
            #expect(plain == [1])
        }
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(changed, nonce: nonce)
        }
        for count in 0..<sealed.count { expectRefusal(Array(sealed.prefix(count)), nonce: nonce) }
        expectRefusal(sealed, nonce: nonce.reversed())
    }
}
