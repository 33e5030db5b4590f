import AuraCrypto
import Foundation
import Testing

@testable import AuraCore

/// Speed, measured and printed; not part of an ordinary run.
///
/// `AURA_QUALITY=1 swift test -c release -Xswiftc -enable-testing --filter AgeSpeed`
@Suite(
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["AURA_QUALITY"] != nil,
        "AURA_QUALITY=1 measures sealing"))
struct AgeSpeedTests {
    private let clock = ContinuousClock()
    private let identity = AgeIdentity.make()

    @Test("large files")
    func large() throws {
        let plain = [UInt8](repeating: 7, count: 64 << 20)
        var sealed: [UInt8] = []
        var opened: [UInt8] = []
        let sealing = try clock.measure {
            sealed = try AgeFile.seal(plain, to: [identity.recipient])
        }
        let opening = try clock.measure { opened = try AgeFile.open(sealed, with: [identity]) }
        #expect(opened == plain)
        print("64 MiB: sealed in \(sealing), opened in \(opening)")
        let armoring = try clock.measure {
            sealed = try AgeFile.seal(plain, to: [identity.recipient], armored: true)
        }
        let reading = try clock.measure { opened = try AgeFile.open(sealed, with: [identity]) }
        #expect(opened == plain)
        print("64 MiB armored: sealed in \(armoring), opened in \(reading)")
    }

    @Test("small files")
    func small() throws {
        let plain = Array(String(repeating: "A note of a few lines.\n", count: 40).utf8)
        var files: [[UInt8]] = []
        let sealing = try clock.measure {
            for number in 0..<1000 {
                files.append(
                    try AgeFile.seal(plain, to: [identity.recipient], label: "work/\(number).md"))
            }
        }
        var count = 0
        let opening = try clock.measure {
            for file in files {
                count += try AgeFile.openLabelled(file, with: [identity]).bytes.count
            }
        }
        #expect(count == 1000 * plain.count)
        let labels = try clock.measure {
            for file in files { _ = try AgeFile.label(of: file, with: [identity]) }
        }
        print("a small file: sealed in \(sealing / 1000), opened in \(opening / 1000)")
        print("a label: read in \(labels / 1000)")
        let agreeing = try clock.measure {
            let pair = X25519.make()
            for _ in 0..<1000 { _ = try pair.sharedSecret(with: identity.recipient.publicKey) }
        }
        let making = clock.measure { for _ in 0..<1000 { _ = X25519.make() } }
        let deriving = clock.measure {
            let key = Secret.random(16)
            for _ in 0..<1000 { _ = HKDF.key(from: key, info: "x") }
        }
        print(
            "shared secret \(agreeing / 1000), key pair \(making / 1000), HKDF \(deriving / 1000)")
    }
}
