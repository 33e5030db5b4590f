internal import CSQLCipher

/// The raw 256-bit key that SQLCipher encrypts pages with; wiped when the last holder lets go.
///
/// `@unchecked Sendable`: the memory is written in `init` and in `deinit` only.
@safe package final class PageKey: @unchecked Sendable {
    /// `x'…64 hexadecimal digits…'`: the form that tells SQLCipher to derive nothing.
    private let literal: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter bytes: exactly 32.
    package init(_ bytes: some Collection<UInt8>) {
        precondition(bytes.count == 32, "a page key has 32 bytes")
        unsafe literal = .allocate(capacity: 67)
        unsafe literal.initialize(repeating: 0x27)
        unsafe literal[0] = 0x78
        for (index, byte) in bytes.enumerated() {
            unsafe literal[2 + 2 * index] = PageKey.digit(byte >> 4)
            unsafe literal[3 + 2 * index] = PageKey.digit(byte & 15)
        }
    }

    deinit {
        for index in unsafe literal.indices {
            // A plain store to memory that is freed next would be optimised away.
            unsafe PageKey.wipe(literal.baseAddress! + index)
        }
        unsafe literal.deallocate()
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    @inline(never)
    @_optimize(none)
    private static func wipe(_ byte: UnsafeMutablePointer<UInt8>) { unsafe byte.pointee = 0 }

    /// Hands the key over before the first page is read.
    func apply(to connection: OpaquePointer) -> Int32 {
        unsafe sqlite3_key(connection, literal.baseAddress, Int32(literal.count))
    }
}
