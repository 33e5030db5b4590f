internal import CZlib

/// Why bytes could not be unpacked.
package enum ZipError: Error, Equatable, Sendable {
    /// Cut off, changed, or not of this format.
    case damaged
    /// They say more than the caller accepts.
    case tooLong
}

/// Bytes packed as one stream in zlib's format (RFC 1950), which ends with a checksum.
package enum Zip {
    package static func compress(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](
            unsafeUninitializedCapacity: Int(compressBound(uLong(bytes.count)))
        ) { buffer, filled in
            var count = uLongf(buffer.count)
            let result = unsafe compress2(
                buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
            // The buffer is as large as the library says it has to be.
            guard result == Z_OK else { fatalError("no memory") }
            filled = Int(count)
        }
    }

    /// - Parameter maximumLength: no more than this is ever unpacked, whatever the bytes say; at least 1.
    /// - Throws: also where bytes follow the end.
    package static func decompress(
        _ bytes: [UInt8], maximumLength: Int
    ) throws(ZipError) -> [UInt8] {
        precondition(maximumLength > 0, "nothing may be unpacked")
        // Grows with what is really there: a few bytes may say a thousand times as many.
        var capacity = min(maximumLength, max(bytes.count * 4, 4096))
        while true {
            let (plain, result, isAllRead) = unpack(bytes, capacity: capacity)
            switch result {
            case Z_OK:
                guard isAllRead else { throw .damaged }
                return plain
            case Z_BUF_ERROR where plain.count == capacity:
                guard capacity < maximumLength else { throw .tooLong }
                capacity = min(maximumLength, capacity * 4)
            case Z_MEM_ERROR: fatalError("no memory")
            default: throw .damaged
            }
        }
    }

    private static func unpack(
        _ bytes: [UInt8], capacity: Int
    ) -> (plain: [UInt8], result: Int32, isAllRead: Bool) {
        var result = Z_OK
        var read = uLong(bytes.count)
        let plain = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            var count = uLongf(capacity)
            unsafe result = uncompress2(buffer.baseAddress, &count, bytes, &read)
            filled = Int(count)
        }
        return (plain, result, Int(read) == bytes.count)
    }
}
