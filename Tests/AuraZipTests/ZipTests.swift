import AuraTestKit
import AuraZip
import Testing

@Suite struct ZipTests {
    /// Made by Python's zlib 1.2.13.
    private static let hello: [UInt8] = [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00, 0x3A, 0x2E, 0x06,
        0x7D,
    ]

    @Test("what another program packed is unpacked")
    func published() throws {
        #expect(
            try Zip.decompress(Self.hello, maximumLength: 100) == Array("hello hello hello".utf8))
    }

    @Test("what was packed comes back", arguments: [0, 1, 4096, 4097, 100_000, 3_000_000])
    func roundTrip(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let packed = Zip.compress(bytes)
        #expect(try Zip.decompress(packed, maximumLength: max(count, 1)) == bytes)
    }

    @Test("more than the caller accepts is never unpacked")
    func limit() throws {
        let packed = Zip.compress([UInt8](repeating: 0, count: 100_000))
        #expect(packed.count < 200)
        #expect(throws: ZipError.tooLong) { try Zip.decompress(packed, maximumLength: 99_999) }
        #expect(try Zip.decompress(packed, maximumLength: 100_000).count == 100_000)
    }

    @Test("cut, changed or lengthened bytes are refused")
    func damage() {
        for count in 0..<Self.hello.count {
            #expect(throws: ZipError.damaged) {
                try Zip.decompress(Array(Self.hello.prefix(count)), maximumLength: 100)
            }
        }
        for index in Self.hello.indices {
            var changed = Self.hello
            changed[index] ^= 0x11
            #expect(throws: ZipError.self) { try Zip.decompress(changed, maximumLength: 100) }
        }
        #expect(throws: ZipError.damaged) {
            try Zip.decompress(Self.hello + [0], maximumLength: 100)
        }
    }
}
