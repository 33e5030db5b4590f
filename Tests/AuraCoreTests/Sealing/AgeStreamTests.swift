import AuraCrypto
import AuraSystem
import Foundation
import Testing

@testable import AuraCore

private let environment = ProcessInfo.processInfo.environment

@Suite struct AgeStreamTests {
    @Test(
        "pieces of any size make the file that one piece makes",
        arguments: [1, 7, 4096, 65535, 65536, 65537, 200_000])
    func pieces(size: Int) throws {
        let identity = AgeIdentity.make()
        let plain = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        var writer = try AgeWriter(to: [identity.recipient], label: "a.md")
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: size) {
            let end = min(start + size, plain.count)
            writer.update(plain.span.extracting(start..<end), into: &sealed)
        }
        writer.finish(into: &sealed)
        #expect(try AgeFile.open(sealed, with: [identity]) == plain)

        var reader = AgeReader(with: [identity])
        var opened: [UInt8] = []
        let isOpen = reader.isOpen
        #expect(!isOpen)
        for start in stride(from: 0, to: sealed.count, by: size) {
            let end = min(start + size, sealed.count)
            try reader.update(sealed.span.extracting(start..<end), into: &opened)
            // What is out is right, and no chunk is out in part.
            #expect(opened.count.isMultiple(of: 65536))
        }
        let label = reader.label
        #expect(label == "a.md")
        try reader.finish(into: &opened)
        #expect(opened == plain)
    }

    @Test("nothing of a chunk is given out before its tag was seen")
    func verification() throws {
        let identity = AgeIdentity.make()
        let sealed = try AgeFile.seal(
            [UInt8](repeating: 1, count: 70_000), to: [identity.recipient])
        var changed = sealed
        changed[sealed.count - 4500] ^= 1
        for bytes in [Array(sealed.dropLast(4465)), changed] {
            var reader = AgeReader(with: [identity])
            var plain: [UInt8] = []
            var error: AgeError?
            do throws(AgeError) {
                try reader.update(bytes.span, into: &plain)
                #expect(plain.isEmpty || plain.count == 65536)
                try reader.finish(into: &plain)
            } catch let thrown {
                error = thrown
            }
            guard case .payload = error else {
                Issue.record("\(error as Any)")
                continue
            }
            #expect(plain.isEmpty || plain.count == 65536)
        }
    }

    @Test("a large file streams through in a few megabytes")
    func memory() throws {
        // Alone in a process, where no other test takes memory.
        let outcome = try ChildProcess.run(
            ChildProcess.Recipe(
                "/proc/self/exe",
                ["--testing-library", "swift-testing", "--filter", "AgeStreamAlone"],
                environment: environment.merging(["AURA_ALONE": "1"]) { $1 }),
            within: .seconds(300))
        let text = String(decoding: outcome.output, as: UTF8.self)
        #expect(outcome.ending == .exited(0), "\(text)")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("streamed ") })
        print(line)
    }
}

@Suite(.enabled(if: environment["AURA_ALONE"] == "1", "another test starts it, in a process alone"))
struct AgeStreamAlone {
    private static let pieceLength = 1 << 20

    /// Bytes that depend on the place and are quick to make.
    private func piece(_ number: Int) -> [UInt8] {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.pieceLength)
        for _ in 0..<Self.pieceLength / 8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            for shift: UInt64 in [0, 8, 16, 24, 32, 40, 48, 56] {
                bytes.append(UInt8(truncatingIfNeeded: state >> shift))
            }
        }
        return bytes
    }

    /// The most memory that was resident since `reset`, in KiB.
    private func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ").dropLast().last ?? ""))
    }

    private func reset() throws {
        let file = try #require(FileHandle(forWritingAtPath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    @Test("through writer and reader, the digest is the same and memory stays")
    func stream() throws {
        let megabytes = environment["AURA_DEEP"] == "1" ? 1024 : 256
        let identity = AgeIdentity.make()
        var writer = try AgeWriter(to: [identity.recipient])
        var reader = AgeReader(with: [identity])
        var given = Digest()
        var taken = Digest()
        var count = 0
        var sealed: [UInt8] = []
        var plain: [UInt8] = []
        try reset()
        let before = try peak()
        let start = ContinuousClock.now
        for number in 0..<megabytes {
            let piece = piece(number)
            given.update(piece)
            writer.update(piece.span, into: &sealed)
            try reader.update(sealed.span, into: &plain)
            taken.update(plain)
            count += plain.count
            sealed.removeAll(keepingCapacity: true)
            plain.removeAll(keepingCapacity: true)
        }
        writer.finish(into: &sealed)
        try reader.update(sealed.span, into: &plain)
        try reader.finish(into: &plain)
        taken.update(plain)
        count += plain.count
        let time = ContinuousClock.now - start
        let growth = try peak() - before
        #expect(count == megabytes * Self.pieceLength)
        let (digest, expected) = (taken.finish(), given.finish())
        #expect(digest == expected)
        #expect(growth <= 32 << 10)
        print("streamed \(megabytes) MiB there and back in \(time), \(growth) KiB more memory")
    }
}
