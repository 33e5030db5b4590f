import AuraCrypto
import Testing

@Suite struct HMACTests {
    private static let k131 = String(repeating: "aa", count: 131)
    private static let counting = "0102030405060708090a0b0c0d0e0f10111213141516171819"

    @Test(
        "HMAC-SHA-256 as in RFC 4231",
        arguments: [
            (
                String(repeating: "0b", count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                "4a656665", Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                String(repeating: "aa", count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                counting, [UInt8](repeating: 0xCD, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                k131, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                k131,
                Array(
                    """
                    This is a test using a larger than block-size key and a larger than block-size \
                    data. The key needs to be hashed before being used by the HMAC algorithm.
                    """.utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ])
    func sha256(key: String, message: [UInt8], expected: String) {
        #expect(HMAC.of(message.span, key: secret(key)).hexadecimal == expected)
        var pieces = HMAC(key: secret(key))
        for byte in message { pieces.update([byte].span) }
        #expect(pieces.finishSecret().hexadecimal == expected)
    }

    @Test(
        "HMAC-SHA-1 as in RFC 2202",
        arguments: [
            (
                String(repeating: "0b", count: 20), Array("Hi There".utf8),
                "b617318655057264e28bc0b6fb378c8ef146be00"
            ),
            (
                "4a656665", Array("what do ya want for nothing?".utf8),
                "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            (
                String(repeating: "aa", count: 20), [UInt8](repeating: 0xDD, count: 50),
                "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
            ),
            (
                counting, [UInt8](repeating: 0xCD, count: 50),
                "4c9007f4026250c6bc8414f9bf50c86c2d7235da"
            ),
            (
                String(repeating: "aa", count: 80),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ])
    func sha1(key: String, message: [UInt8], expected: String) {
        #expect(HMAC.of(message.span, .sha1, key: secret(key)).hexadecimal == expected)
    }

    @Test("digests are the same only byte for byte, and of one length")
    func sameness() {
        #expect(HMAC.isSame([1, 2, 3], [1, 2, 3]))
        #expect(!HMAC.isSame([1, 2, 3], [1, 2, 4]))
        #expect(!HMAC.isSame([1, 2, 3], [1, 2]))
    }

    @Test("keys of many threads at once do not mix")
    func threads() async {
        let key = secret("4a656665")
        let message = Array("what do ya want for nothing?".utf8)
        let digests = await withTaskGroup(of: Set<String>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    Set(
                        (0..<500).map { _ in
                            _ = HMAC.of(message.span, key: Secret.random(16))
                            return HMAC.of(message.span, key: key).hexadecimal
                        })
                }
            }
            return await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        #expect(
            digests == ["5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"])
    }
}
