import AuraCrypto
import Testing

@Test(
    "SHA-256 as published, whole and in pieces",
    arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
func sha256(text: String, digest: String) {
    #expect(Digest.of(Array(text.utf8)).hexadecimal == digest)
    var pieces = Digest()
    for byte in text.utf8 { pieces.update([byte]) }
    #expect(pieces.finish().hexadecimal == digest)
    var lazily = Digest()
    lazily.update(text.utf8)
    #expect(lazily.finish().hexadecimal == digest)
}
