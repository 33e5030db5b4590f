import AuraCrypto
import Testing

@Suite struct X25519Tests {
    @Test(
        "scalar multiplication as in RFC 7748, section 5.2",
        arguments: [
            (
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
            ),
            (
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
            ),
        ])
    func multiplication(scalar: String, point: String, expected: String) throws {
        let shared = try X25519(privateKey: secret(scalar)).sharedSecret(with: bytes(point))
        #expect(shared.hexadecimal == expected)
    }

    @Test("a thousand multiplications, each with the result of the one before")
    func iteration() throws {
        var scalar = "09" + String(repeating: "00", count: 31)
        var point = scalar
        for round in 1...1000 {
            let result = try X25519(privateKey: secret(scalar)).sharedSecret(with: bytes(point))
            (scalar, point) = (result.hexadecimal, scalar)
            if round == 1 {
                #expect(
                    scalar == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079")
            }
        }
        #expect(scalar == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
    }

    @Test("Alice and Bob share the secret of RFC 7748, section 6.1")
    func agreement() throws {
        let alice = X25519(
            privateKey: secret("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
        let bob = X25519(
            privateKey: secret("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        #expect(
            alice.publicKey.hexadecimal
                == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        #expect(
            bob.publicKey.hexadecimal
                == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        #expect(try alice.sharedSecret(with: bob.publicKey).hexadecimal == shared)
        #expect(try bob.sharedSecret(with: alice.publicKey).hexadecimal == shared)
        #expect(
            bob.privateKey.hexadecimal
                == "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    }

    /// Points of small order, as RFC 7748, section 6.1, warns of.
    @Test(
        "a public key that makes the secret zero is refused",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func weakKeys(publicKey: String) {
        #expect(throws: CryptoError.weakPublicKey) {
            try X25519.make().sharedSecret(with: bytes(publicKey))
        }
    }

    @Test("a public key of another length is refused")
    func length() {
        #expect(throws: CryptoError.badParameters) {
            try X25519.make().sharedSecret(with: [1, 2, 3])
        }
    }
}
