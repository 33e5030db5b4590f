import AuraCrypto
import Testing

@Test(
    "HKDF with SHA-256 as in RFC 5869",
    arguments: [
        (
            [UInt8](repeating: 0x0B, count: 22), [UInt8](0...12), [UInt8](0xF0...0xF9),
            """
            3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
            """
        ),
        (
            [UInt8](0...0x4F), [UInt8](0x60...0xAF), [UInt8](0xB0...0xFF),
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb\
            41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            [UInt8](repeating: 0x0B, count: 22), [], [],
            """
            8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
            """
        ),
    ])
func hkdf(material: [UInt8], salt: [UInt8], info: [UInt8], expected: String) {
    let key = HKDF.key(
        from: Secret(material), salt: salt, info: info, length: expected.utf8.count / 2)
    #expect(key.hexadecimal == expected)
    // A shorter key is the beginning of a longer one.
    let short = HKDF.key(from: Secret(material), salt: salt, info: info, length: 32)
    #expect(expected.hasPrefix(short.hexadecimal))
}
