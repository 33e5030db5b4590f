internal import COpenSSL

/// Bytes that must not outlive their use: kept in memory that is locked and left out of core files where the
/// system allows it, and wiped when the last holder lets go.
///
/// `@unchecked Sendable`: the memory is written in `init` and in `deinit` only.
@safe package final class Secret: @unchecked Sendable {
    package let count: Int
    private let memory: UnsafeMutableRawPointer

    /// Once: libcrypto does not guard its arena against two threads that make it.
    private static let arena: Void = aura_prepare_secret_memory()

    /// - Parameter fill: writes all the bytes; they are zero before.
    /// - Throws: what `fill` throws; the memory is wiped then.
    package init<E: Error>(
        count: Int, filledBy fill: (inout MutableSpan<UInt8>) throws(E) -> Void
    ) throws(E) {
        self.count = count
        Self.arena
        // An allocation of no bytes may be none at all.
        guard let memory = unsafe aura_secret_memory(max(count, 1)) else { fatalError("no memory") }
        unsafe self.memory = memory
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 1))
        var bytes = unsafe MutableSpan<UInt8>(
            _unsafeStart: memory.assumingMemoryBound(to: UInt8.self), count: count)
        try fill(&bytes)
    }

    /// A copy; the bytes it is made from are the caller's to wipe or to forget.
    package convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { memory in
            for (index, byte) in bytes.enumerated() { memory[index] = byte }
        }
    }

    deinit { unsafe aura_free_secret(memory, max(count, 1)) }

    /// Bytes that nobody can guess.
    package static func random(_ count: Int) -> Secret {
        Secret(count: count) { bytes in
            let worked = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                unsafe RAND_priv_bytes(buffer.baseAddress, Int32(buffer.count)) == 1
            }
            guard worked else { fatalError("libcrypto has no random bytes") }
        }
    }

    /// The bytes, valid inside the closure; copies of them are not wiped.
    package func withBytes<Result, E: Error>(
        _ body: (Span<UInt8>) throws(E) -> Result
    ) throws(E) -> Result {
        let bytes = unsafe Span<UInt8>(
            _unsafeStart: memory.assumingMemoryBound(to: UInt8.self), count: count)
        return try body(bytes)
    }

    /// A copy, for callers that take an array: theirs to wipe or to forget.
    package var copy: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }

    /// Takes the same time wherever the bytes differ.
    package func isSame(as other: Secret) -> Bool {
        unsafe count == other.count && CRYPTO_memcmp(memory, other.memory, count) == 0
    }

    /// Wipes an array that held a secret for a moment.
    package static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        }
        bytes = []
    }
}
