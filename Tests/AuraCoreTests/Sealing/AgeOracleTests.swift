import AuraCrypto
import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// The `age` program, which is another implementation of the same format.
private enum AgeProgram {
    static let reason: Comment = "there is no age here; 'scripts/setup --test' installs it"

    /// True also where it is missing and a missing tool is to fail the tests.
    static let mayRun: Bool =
        ProcessInfo.processInfo.environment["AURA_REQUIRE_ALL"] == "1"
        || (try? run("age", ["--version"])) != nil

    struct Failure: Error { let ending: ChildProcess.Ending }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        let outcome = try ChildProcess.run(
            ChildProcess.Recipe(
                "/usr/bin/env", [program] + arguments,
                environment: ProcessInfo.processInfo.environment),
            within: .seconds(60))
        guard outcome.ending == .exited(0) else {
            throw Failure(ending: outcome.ending)
        }
        return outcome.output
    }
}

@Suite(.enabled(if: AgeProgram.mayRun, AgeProgram.reason))
struct AgeOracleTests {
    private static let sizes = [0, 1, 65535, 65536, 65537, 200_000]

    private let folder: TemporaryFolder
    private let identity: AgeIdentity
    private let other = AgeIdentity.make()

    /// With a key that `age-keygen` made.
    init() throws {
        folder = try TemporaryFolder()
        try AgeProgram.run("age-keygen", ["-o", folder.path + "/key"])
        let file = Secret(try Files.bytes(at: folder.path + "/key"))
        identity = try #require(try AgeIdentity.list(inFile: file).first)
        // One that aura made, for the program to read.
        try folder.write(other.secretText.text, to: "other")
    }

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 9) }
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try folder.write(bytes, to: name)
        return folder.path + "/" + name
    }

    private func read(_ name: String) throws -> [UInt8] {
        try Files.bytes(at: folder.path + "/" + name)
    }

    @Test("age-keygen and aura know the same recipient for a key")
    func recipients() throws {
        let text = try AgeProgram.run("age-keygen", ["-y", folder.path + "/key"])
        #expect(String(decoding: text, as: UTF8.self) == identity.recipient.text + "\n")
        let own = try AgeProgram.run("age-keygen", ["-y", folder.path + "/other"])
        #expect(String(decoding: own, as: UTF8.self) == other.recipient.text + "\n")
    }

    @Test("age opens what aura seals, with and without label and armor", arguments: sizes)
    func ageOpens(count: Int) throws {
        let plain = bytes(count)
        for (label, isArmored) in [("work/plan.md", false), (nil, false), ("work/plan.md", true)] {
            let sealed = try AgeFile.seal(
                plain, to: [identity.recipient, other.recipient], label: label,
                armored: isArmored)
            let path = try write(sealed, "sealed")
            for key in ["key", "other"] {
                let opened = try AgeProgram.run(
                    "age", ["-d", "-i", folder.path + "/" + key, path])
                #expect(opened == plain)
            }
        }
    }

    @Test("aura opens what age seals, binary and armored", arguments: sizes)
    func auraOpens(count: Int) throws {
        let plain = bytes(count)
        let path = try write(plain, "plain")
        let recipients = ["-r", identity.recipient.text, "-r", other.recipient.text]
        for armor in [[], ["-a"]] {
            try AgeProgram.run(
                "age", armor + recipients + ["-o", folder.path + "/sealed", path])
            for key in [identity, other] {
                let opened = try AgeFile.openLabelled(try read("sealed"), with: [key])
                #expect(opened.bytes == plain)
                #expect(opened.label == nil)
            }
        }
    }

    @Test("age writes armor just as aura does")
    func armor() throws {
        for count in [0, 16, 17, 31, 32, 33, 1000] {
            let path = try write(bytes(count), "plain")
            try AgeProgram.run(
                "age",
                ["-a", "-r", identity.recipient.text, "-o", folder.path + "/sealed", path])
            let text = try read("sealed")
            var armor = AgeArmor.Reader()
            var sealed: [UInt8] = []
            try armor.update(text.span, into: &sealed)
            try armor.finish(into: &sealed)
            #expect(AgeArmor.encode(sealed) == text)
        }
    }

    @Test("age refuses a file whose label was changed")
    func changedLabel() throws {
        var sealed = try AgeFile.seal(bytes(10), to: [identity.recipient], label: "a/b.md")
        let mark = Array("-> aura-label\n".utf8)
        let line = try #require(sealed.indices.first { sealed[$0...].starts(with: mark) })
        let start = line + mark.count
        sealed[start] = sealed[start] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let path = try write(sealed, "sealed")
        #expect(throws: AgeProgram.Failure.self) {
            try AgeProgram.run("age", ["-d", "-i", folder.path + "/key", path])
        }
        #expect(throws: AgeError.headerMAC) { try AgeFile.open(sealed, with: [identity]) }
        #expect(throws: AgeError.headerMAC) { try AgeFile.label(of: sealed, with: [identity]) }
    }
}
