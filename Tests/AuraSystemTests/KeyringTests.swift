import AuraSystem
import AuraTestKit
import Foundation
import Glibc
import Testing

/// A name that no other test uses, given back when the test is over.
private final class KeyName {
    let text = "aura:test-\(UUID().uuidString)"
    deinit { try? Keyring.remove(text) }

    func value() throws -> [UInt8]? {
        try Keyring.read(text) { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// The line about it that the kernel shows to this process; nil when there is none. One that was replaced may
    /// be there for a while too.
    var line: String? {
        let lines = (try? String(contentsOfFile: "/proc/keys", encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").first { $0.contains(text) }.map(String.init)
    }
}

@Suite(
    "the kernel's keyring",
    .enabled(if: SecretProgram.mayUseKeyring, "the kernel's keyring is forbidden here"))
struct KeyringTests {
    @Test("what is stored is read, the last under a name; what is removed is gone")
    func storing() throws {
        let name = KeyName()
        #expect(try name.value() == nil)
        try Keyring.store([1, 2, 3].span, as: name.text, for: nil)
        #expect(try name.value() == [1, 2, 3])
        let longest = (0..<4096).map { UInt8(truncatingIfNeeded: $0) }
        try Keyring.store(longest.span, as: name.text, for: .seconds(600))
        #expect(try name.value() == longest)
        try Keyring.remove(name.text)
        #expect(try name.value() == nil)
        try Keyring.remove(name.text)
    }

    @Test("the bytes of a removed key are gone at once, not when the kernel tidies up")
    func revoking() throws {
        let name = KeyName()
        try Keyring.store([1, 2, 3].span, as: name.text, for: nil)
        #expect(name.line?.split(separator: " ")[1].contains("R") == false)
        try Keyring.remove(name.text)
        #expect(name.line?.split(separator: " ")[1].contains("R") ?? true)
    }

    @Test("only this user may do anything with a key, and the kernel knows its end")
    func permissions() throws {
        let name = KeyName()
        try Keyring.store([1].span, as: name.text, for: .seconds(7200))
        let fields = try #require(name.line).split(separator: " ")
        // Serial, flags, uses, time left, permissions, user, group, type, description.
        #expect(["2h", "119m"].contains(String(fields[3])))
        #expect(fields[4] == "3f3f0000")
        #expect(UInt32(fields[5]) == geteuid())
    }

    @Test("a key whose time is over reads as none")
    func timeout() async throws {
        let name = KeyName()
        try Keyring.store([1].span, as: name.text, for: .seconds(1))
        #expect(try name.value() == [1])
        let end = ContinuousClock.now + .seconds(10)
        while try name.value() != nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try name.value() == nil)
        // The name can be used again.
        try Keyring.store([2].span, as: name.text, for: nil)
        #expect(try name.value() == [2])
    }

    @Test("another session of the same user reads, replaces and removes the key")
    func otherSession() throws {
        typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
        let name = KeyName()
        try Keyring.store([7].span, as: name.text, for: nil)
        let found = Monitor<[[UInt8]?]?>(nil)
        let text = name.text
        try WorkThread.start {
            // This thread alone gets an empty session keyring of its own, with no link to the user's.
            let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
            #if arch(x86_64)
                let keyctl = 250
            #else
                let keyctl = 219
            #endif
            guard call(keyctl, 1, 0, 0, 0, 0) >= 0 else { return found.withLock { $0 = [] } }
            func value() -> [UInt8]? {
                try? Keyring.read(text) { bytes in bytes.indices.map { bytes[$0] } }
            }
            let first = value()
            try? Keyring.store([8].span, as: text, for: .seconds(600))
            let second = value()
            try? Keyring.remove(text)
            let third = value()
            found.withLock { $0 = [first, second, third] }
        }
        #expect(found.wait(atMost: .seconds(10)) { $0 } == [[7], [8], nil])
        #expect(try name.value() == nil)
    }
}
