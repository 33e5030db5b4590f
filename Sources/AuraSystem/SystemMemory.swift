internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How much memory there is, and how much this process may have.
package enum SystemMemory {
    /// Bytes that can be had without swapping; nil where the system does not tell.
    package static func available() -> Int64? { figure("MemAvailable") }

    /// Bytes of memory in the machine; nil where the system does not tell.
    package static func total() -> Int64? { figure("MemTotal") }

    /// Caps the address space of this process. What is asked for beyond it is refused.
    package static func limitAddressSpace(to bytes: Int64) {
        _ = aura_limit_address_space(UInt64(max(bytes, 0)))
    }

    /// Asks the kernel to end this process before others when memory runs out. No use after `hideMemory`.
    package static func volunteerWhenShort() {
        let number = unsafe aura_openat(
            AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC, 0)
        guard number >= 0 else { return }
        try? FileDescriptor(owning: number).write("500".utf8)
    }

    private static func figure(_ name: String) -> Int64? {
        let number = unsafe aura_openat(AT_FDCWD, "/proc/meminfo", O_RDONLY | O_CLOEXEC, 0)
        guard number >= 0,
            let bytes = try? FileDescriptor(owning: number).readAll(limit: 65_536)
        else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("\(name):") {
            return Int64(line.drop { !$0.isNumber }.prefix { $0.isNumber }).map { $0 << 10 }
        }
        return nil
    }
}
