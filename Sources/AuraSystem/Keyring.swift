internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why the kernel's keyring does not hold a key.
package enum KeyringError: Error, Equatable {
    /// This system has none, or a container forbids the calls, or the user's share of it is used up.
    case notAvailable(reason: String)
}

/// The kernel's keyring of this user: bytes under names that all the user's sessions read and that no disk sees.
///
/// It is empty again after a restart. Linux only; elsewhere nothing is available.
package enum Keyring {
    /// What the kernel takes of one key, in bytes.
    static let mostBytes = 32_767

    /// Keeps the bytes under a name, in place of what it had. The kernel forgets them after `time`, in whole seconds
    /// and at least one; nil is until the next restart.
    package static func store(
        _ bytes: Span<UInt8>, as name: String, for time: Duration?
    ) throws(KeyringError) {
        #if os(Linux)
            // In the process's own keyring first, where the key is ours to set up whatever the session is like:
            // the user's keyring gets it complete.
            let key = unsafe bytes.withUnsafeBytes { buffer in
                unsafe aura_add_key(
                    name, buffer.baseAddress, buffer.count, aura_process_keyring)
            }
            guard key >= 0 else { throw last() }
            defer { _ = call(aura_keyctl_unlink, key, process) }
            // Everything for who has the key at hand and for the same user, nothing for others.
            guard call(aura_keyctl_setperm, key, 0x3F3F_0000) >= 0 else { throw last() }
            if let time {
                let seconds = UInt(clamping: min(max(time.components.seconds, 1), 0x7FFF_FFFF))
                guard call(aura_keyctl_set_timeout, key, seconds) >= 0 else { throw last() }
            }
            guard call(aura_keyctl_link, key, user) >= 0 else { throw last() }
        #else
            throw .notAvailable(reason: "this system has no kernel keyring")
        #endif
    }

    /// Calls `body` with the bytes under the name, which are wiped afterwards; nil when there are none any more.
    package static func read<Result>(
        _ name: String, _ body: (Span<UInt8>) -> Result
    ) throws(KeyringError) -> Result? {
        #if os(Linux)
            let key = unsafe aura_search_key(aura_user_keyring, name)
            guard key >= 0 else {
                if isGone(errno) { return nil }
                throw last()
            }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: mostBytes, alignment: 1)
            defer {
                unsafe aura_wipe(memory.baseAddress, memory.count)
                unsafe memory.deallocate()
            }
            let count = unsafe aura_read_key(key, memory.baseAddress, memory.count)
            guard count >= 0, count <= mostBytes else {
                if isGone(errno) { return nil }
                throw last()
            }
            let bytes = unsafe memory.bindMemory(to: UInt8.self)
            return unsafe body(Span(_unsafeElements: bytes).extracting(first: count))
        #else
            throw .notAvailable(reason: "this system has no kernel keyring")
        #endif
    }

    /// Forgets what is under the name; nothing there counts as forgotten.
    package static func remove(_ name: String) throws(KeyringError) {
        #if os(Linux)
            let key = unsafe aura_search_key(aura_user_keyring, name)
            guard key >= 0 else {
                if isGone(errno) { return }
                throw last()
            }
            // The bytes go at once; without this they would stay until the last reader lets go.
            _ = call(aura_keyctl_revoke, key, 0)
            guard call(aura_keyctl_unlink, key, user) >= 0 || isGone(errno) else { throw last() }
        #else
            throw .notAvailable(reason: "this system has no kernel keyring")
        #endif
    }
}

#if os(Linux)
    private let process = UInt(bitPattern: Int(aura_process_keyring))
    private let user = UInt(bitPattern: Int(aura_user_keyring))

    private func call(_ operation: Int32, _ key: Int, _ value: UInt) -> Int {
        aura_keyctl(operation, key, value)
    }

    /// Never stored, run out, or revoked.
    private func isGone(_ code: Int32) -> Bool {
        [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(code)
    }

    private func last() -> KeyringError {
        .notAvailable(reason: SystemError.last("keyctl").reason)
    }
#endif
