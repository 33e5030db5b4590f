#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Bytes that nobody can guess, from the kernel.
package enum Random {
    /// - Parameter count: at most 256, what one call to `getentropy` gives.
    package static func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
        precondition((0...256).contains(count), "at most 256 random bytes at a time")
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            failed = unsafe getentropy(buffer.baseAddress!, count) != 0
            filled = count
        }
        if failed { throw .last("getentropy") }
        return bytes
    }
}
