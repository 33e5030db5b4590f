import AuraCrypto
import Testing

@testable import AuraCore

@Suite struct AgeFileTests {
    private static let label = "work/2026/Ünïcode plan.md"
    private static let sizes = [0, 1, 65535, 65536, 65537, 131_072, 200_000]

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test("what is sealed opens again for each recipient, label and all", arguments: sizes)
    func roundTrip(count: Int) throws {
        let identities = [AgeIdentity.make(), .make(), .make()]
        let plain = Self.bytes(count)
        for isArmored in [false, true] {
            let sealed = try AgeFile.seal(
                plain, to: identities.map(\.recipient), label: Self.label, armored: isArmored)
            for identity in identities {
                let opened = try AgeFile.openLabelled(sealed, with: [.make(), identity])
                #expect(opened.bytes == plain)
                #expect(opened.label == Self.label)
                #expect(try AgeFile.open(sealed, with: [identity]) == plain)
            }
            #expect(throws: AgeError.noMatch) { try AgeFile.open(sealed, with: [.make()]) }
            #expect(throws: AgeError.noMatch) { try AgeFile.open(sealed, with: []) }
            #expect(throws: AgeError.noMatch) {
                try AgeFile.open(sealed, passphrase: Secret("x".utf8))
            }
        }
    }

    @Test("two files of the same bytes have nothing in common")
    func freshness() throws {
        let recipient = AgeIdentity.make().recipient
        let one = try AgeFile.seal(Self.bytes(100), to: [recipient], label: Self.label)
        let other = try AgeFile.seal(Self.bytes(100), to: [recipient], label: Self.label)
        #expect(one.count == other.count)
        #expect(one.suffix(132) != other.suffix(132))
        #expect(zip(one, other).count { $0 != $1 } > 300)
    }

    @Test("nothing is sealed to nobody")
    func nobody() {
        #expect(throws: AgeError.noRecipients) { try AgeFile.seal([1], to: []) }
    }

    // MARK: The label

    @Test(
        "a label of any length comes back, and its stanza tells only the length's 64th",
        arguments: [
            ("", 64), ("a", 64), (String(repeating: "é", count: 31), 64),
            (String(repeating: "é", count: 32), 64), (String(repeating: "x", count: 65), 128),
            (String(repeating: "x", count: 4096), 4096),
        ])
    func labels(label: String, padded: Int) throws {
        let identity = AgeIdentity.make()
        let sealed = try AgeFile.seal([1, 2, 3], to: [identity.recipient], label: label)
        #expect(try AgeFile.openLabelled(sealed, with: [identity]).label == label)
        let plainLength = try AgeFile.seal([1, 2, 3], to: [identity.recipient]).count
        let text = ((padded + 16) * 8 + 5) / 6
        #expect(sealed.count - plainLength == "-> aura-label\n".utf8.count + text + text / 64 + 1)
    }

    @Test("no label is another thing than an empty one")
    func noLabel() throws {
        let identity = AgeIdentity.make()
        let sealed = try AgeFile.seal([1], to: [identity.recipient])
        #expect(try AgeFile.label(of: sealed, with: [identity]) == nil)
    }

    @Test("the label is read from the header alone, whatever became of the payload")
    func labelOfHeader() throws {
        let identity = AgeIdentity.make()
        for isArmored in [false, true] {
            let sealed = try AgeFile.seal(
                Self.bytes(200_000), to: [AgeIdentity.make().recipient, identity.recipient],
                label: Self.label, armored: isArmored)
            #expect(try AgeFile.label(of: sealed, with: [identity]) == Self.label)
            #expect(try AgeFile.label(of: sealed.prefix(700), with: [identity]) == Self.label)
            #expect(throws: AgeError.noMatch) { try AgeFile.label(of: sealed, with: [.make()]) }
            #expect(throws: AgeError.header("it is cut off")) {
                try AgeFile.label(of: sealed.prefix(200), with: [identity])
            }
        }
    }

    // MARK: Passphrases

    @Test("a passphrase opens what it sealed, and no other does")
    func passphrase() throws {
        let plain = Self.bytes(1000)
        for isArmored in [false, true] {
            let sealed = try AgeFile.seal(
                plain, passphrase: Secret("correct horse".utf8), workFactor: 10,
                armored: isArmored)
            #expect(
                try AgeFile.open(sealed, passphrase: Secret("correct horse".utf8)) == plain)
            #expect(throws: AgeError.wrongPassphrase) {
                try AgeFile.open(sealed, passphrase: Secret("correct horse ".utf8))
            }
            #expect(throws: AgeError.needsPassphrase) {
                try AgeFile.open(sealed, with: [.make()])
            }
            #expect(throws: AgeError.workFactor(10)) {
                try AgeFile.open(
                    sealed, passphrase: Secret("correct horse".utf8), maximumWorkFactor: 9)
            }
        }
    }

    @Test("a work factor that no file may have is refused", arguments: [-1, 0, 31, 64])
    func workFactors(workFactor: Int) {
        #expect(throws: AgeError.workFactor(workFactor)) {
            try AgeFile.seal([1], passphrase: Secret("x".utf8), workFactor: workFactor)
        }
    }

    // MARK: Damage

    @Test("a byte changed anywhere opens nothing, and is never anything but an error")
    func flips() throws {
        let identity = AgeIdentity.make()
        let sealed = try AgeFile.seal(
            Self.bytes(60), to: [AgeIdentity.make().recipient, identity.recipient],
            label: Self.label)
        for index in sealed.indices {
            for change: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var changed = sealed
                changed[index] ^= change
                #expect(throws: AgeError.self, "byte \(index)") {
                    try AgeFile.open(changed, with: [identity])
                }
            }
        }
    }

    @Test("a cut anywhere opens nothing, and neither does a byte too many")
    func cuts() throws {
        let identity = AgeIdentity.make()
        let sealed = try AgeFile.seal(Self.bytes(60), to: [identity.recipient])
        for count in sealed.indices {
            #expect(throws: AgeError.self, "\(count) bytes") {
                try AgeFile.open(Array(sealed.prefix(count)), with: [identity])
            }
        }
        #expect(throws: AgeError.self) { try AgeFile.open(sealed + [0], with: [identity]) }
    }

    @Test("chunks in another order, left out or of another file open nothing of themselves")
    func chunks() throws {
        let identity = AgeIdentity.make()
        let plain = Self.bytes(3 * 65536)
        let sealed = try AgeFile.seal(plain, to: [identity.recipient])
        let start = sealed.count - 3 * 65552
        func chunk(_ number: Int) -> [UInt8] {
            Array(sealed[(start + number * 65552)..<(start + (number + 1) * 65552)])
        }
        let beginning = Array(sealed[..<start])
        let orders = [
            [1, 0, 2], [0, 2], [2], [0, 1], [0, 0, 1, 2], [0, 1, 2, 2], [0, 1, 1, 2],
        ]
        for order in orders {
            var reader = AgeReader(with: [identity])
            var given: [UInt8] = []
            var error: AgeError?
            do throws(AgeError) {
                try reader.update((beginning + order.flatMap(chunk)).span, into: &given)
                try reader.finish(into: &given)
            } catch let thrown {
                error = thrown
            }
            guard case .payload = error else {
                Issue.record("\(order): \(error as Any)")
                continue
            }
            #expect(given == Array(plain.prefix(given.count)))
        }
    }

    @Test(
        "what is no age file is told from one that is damaged",
        arguments: [
            ("", AgeError.notAnAgeFile), ("\n \n", .notAnAgeFile), ("# A note\n", .notAnAgeFile),
            ("about ages\n", .notAnAgeFile), ("\nage-encryption.org/v1\n", .notAnAgeFile),
            ("age-encryption.org/v2\n-> x\n\n--- y\n", .header("its version is not v1")),
            ("age-encryption.org/v1\n", .header("it is cut off")),
            ("age-enc", .header("it is cut off")),
            ("-----BEGIN PGP MESSAGE-----\n", .armor("its first line is another")),
        ])
    func strangers(text: String, error: AgeError) {
        #expect(throws: error) { try AgeFile.open(Array(text.utf8), with: [.make()]) }
    }

    @Test("a header without an end is given up, not collected")
    func endlessHeader() throws {
        var reader = AgeReader(with: [.make()])
        var plain: [UInt8] = []
        try reader.update(Array("age-encryption.org/v1\n".utf8).span, into: &plain)
        let line = Array((String(repeating: "A", count: 64) + "\n").utf8)
        var count = 0
        #expect(throws: AgeError.header("it is too long")) {
            while count < 10_000 {
                count += 1
                try reader.update(line.span, into: &plain)
            }
        }
        #expect(count * line.count < 140_000)
    }
}
