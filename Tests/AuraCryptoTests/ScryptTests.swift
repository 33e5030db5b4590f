import AuraCrypto
import Foundation
import Testing

@Suite struct ScryptTests {
    private static let megabyte: UInt64 = 1 << 20
    private static let isDeep = ProcessInfo.processInfo.environment["AURA_DEEP"] == "1"

    @Test(
        "scrypt as in RFC 7914",
        arguments: [
            (
                "", "", 16 as UInt64, 1 as UInt64, 1 as UInt64,
                """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442\
                fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """
            ),
            (
                "password", "NaCl", 1024, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 16384, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """
            ),
        ])
    func vectors(
        passphrase: String, salt: String, cost: UInt64, blockSize: UInt64, parallelism: UInt64,
        expected: String
    ) throws {
        let key = try Scrypt.key(
            from: Secret(passphrase.utf8), salt: Array(salt.utf8), cost: cost,
            blockSize: blockSize, parallelism: parallelism, length: 64,
            maximumMemory: 64 * Self.megabyte)
        #expect(key.hexadecimal == expected)
    }

    @Test(
        "scrypt as in RFC 7914, with a gigabyte",
        .enabled(if: isDeep, "AURA_DEEP=1 takes a gigabyte"))
    func deepVector() throws {
        let key = try Scrypt.key(
            from: Secret("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8),
            cost: 1_048_576, blockSize: 8, parallelism: 1, length: 64,
            maximumMemory: 1100 * Self.megabyte)
        #expect(
            key.hexadecimal == """
                2101cb9b6a511aaeaddbbe09cf70f881ec568d574a2ffd4dabe5ee9820adaa47\
                8e56fd8f4ba5d09ffa1c6d927c40f4c337304049e8a952fbcbf45c6fa77a41a4
                """)
    }

    @Test(
        "a cost that is no power of two, or that takes more memory than allowed, is refused",
        arguments: [
            (0 as UInt64, 8 as UInt64), (1, 8), (1000, 8), (16384, 0), (1 << 20, 8), (1 << 62, 8),
        ])
    func refusals(cost: UInt64, blockSize: UInt64) {
        #expect(throws: CryptoError.badParameters) {
            try Scrypt.key(
                from: Secret("x".utf8), salt: [1], cost: cost, blockSize: blockSize,
                parallelism: 1, length: 32, maximumMemory: 64 * Self.megabyte)
        }
    }
}
