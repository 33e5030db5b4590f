import AuraCrypto
import AuraTestKit
import AuraZip
import Foundation
import Testing

@testable import AuraCore

/// The age project's own vectors: each names its outcome, and the digest of what may be given out.
@Suite(.enabled(if: SharedData.mayRun(with: "age-testkit"), "\(SharedData.reason)"))
struct AgeTestkitTests {
    private struct Vector {
        let name: String
        let expectation: String
        /// SHA-256 of the plain text, or of what was given out before the payload failed.
        let payloadDigest: String?
        let identities: [AgeIdentity]
        let passphrases: [String]
        let isArmored: Bool
        let file: [UInt8]

        init(name: String) throws {
            let path = SharedData.path("age-testkit") + "/" + name
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let blank = try #require(
                bytes.indices.first { bytes[$0] == 10 && bytes[$0 + 1] == 10 }, "\(name)")
            var values: [String: [String]] = [:]
            for line in String(decoding: bytes[..<blank], as: UTF8.self).split(separator: "\n") {
                let mark = try #require(line.range(of: ": "))
                values[String(line[..<mark.lowerBound]), default: []]
                    .append(String(line[mark.upperBound...]))
            }
            self.name = name
            expectation = try #require(values["expect"]?.first)
            payloadDigest = values["payload"]?.first
            // A hybrid identity is none that is known here.
            identities = values["identity", default: []].compactMap {
                AgeIdentity(Secret($0.utf8))
            }
            passphrases = values["passphrase", default: []]
            isArmored = values["armored"] == ["yes"]
            let rest = Array(bytes[(blank + 2)...])
            file =
                values["compressed"] == ["zlib"]
                ? try Zip.decompress(rest, maximumLength: 64 << 20) : rest
        }

        func reader() -> AgeReader {
            if let passphrase = passphrases.first, identities.isEmpty {
                return AgeReader(passphrase: Secret(passphrase.utf8))
            }
            return AgeReader(with: identities)
        }

        /// What was given out, and the error that ended it.
        func open(piece: Int) -> (plain: [UInt8], error: AgeError?) {
            var reader = reader()
            var plain: [UInt8] = []
            do throws(AgeError) {
                for start in stride(from: 0, to: file.count, by: piece) {
                    let end = min(start + piece, file.count)
                    try reader.update(file.span.extracting(start..<end), into: &plain)
                }
                try reader.finish(into: &plain)
                return (plain, nil)
            } catch {
                return (plain, error)
            }
        }

        func openWhole() throws(AgeError) -> [UInt8] {
            if let passphrase = passphrases.first, identities.isEmpty {
                return try AgeFile.open(file, passphrase: Secret(passphrase.utf8))
            }
            return try AgeFile.open(file, with: identities)
        }
    }

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: SharedData.path("age-testkit"))
            .filter { $0 != "SOURCE.md" }.sorted()
    }

    private static func isHybrid(_ name: String) -> Bool { name.contains("hybrid") }

    /// The vectors' word for an error.
    private static func outcome(_ error: AgeError?) -> String {
        switch error {
        case nil: "success"
        // A passphrase is the only key to a file that is sealed with one.
        case .noMatch, .unsupportedRecipient, .wrongPassphrase: "no match"
        case .headerMAC: "HMAC failure"
        case .header, .notAnAgeFile, .workFactor: "header failure"
        case .armor: "armor failure"
        case .payload: "payload failure"
        case .needsPassphrase, .noRecipients, .identityLine: "not an outcome"
        }
    }

    @Test("every vector without a hybrid recipient has exactly its outcome, however it is cut")
    func outcomes() throws {
        let vectors = try Self.names().filter { !Self.isHybrid($0) }.map(Vector.init)
        #expect(vectors.count == 124)
        #expect(vectors.count { $0.expectation == "success" } == 21)
        for vector in vectors {
            for piece in [max(vector.file.count, 1), 65552, 4096] {
                let (plain, error) = vector.open(piece: piece)
                #expect(
                    Self.outcome(error) == vector.expectation,
                    "\(vector.name) in pieces of \(piece): \(error as Any)")
                if let digest = vector.payloadDigest {
                    #expect(Digest.of(plain).hexadecimal == digest, "\(vector.name) \(piece)")
                } else {
                    #expect(plain.isEmpty, "\(vector.name)")
                }
            }
            // Byte by byte, where that takes no minute.
            if vector.file.count < 5000 {
                let (plain, error) = vector.open(piece: 1)
                #expect(Self.outcome(error) == vector.expectation, "\(vector.name) byte by byte")
                #expect(
                    vector.payloadDigest == nil
                        || Digest.of(plain).hexadecimal == vector.payloadDigest, "\(vector.name)")
            }
            if vector.expectation == "success" {
                #expect(
                    Digest.of(try vector.openWhole()).hexadecimal == vector.payloadDigest,
                    "\(vector.name)")
            } else {
                #expect(throws: AgeError.self, "\(vector.name)") { try vector.openWhole() }
            }
        }
    }

    @Test("a file for hybrid recipients names the kind that is not supported")
    func hybrids() throws {
        let vectors = try Self.names().filter(Self.isHybrid).map(Vector.init)
        #expect(vectors.count == 19)
        for vector in vectors {
            let (plain, error) = vector.open(piece: max(vector.file.count, 1))
            #expect(plain.isEmpty, "\(vector.name)")
            switch vector.name {
            // These two have a header that is malformed for everybody.
            case "hybrid_x25519_arg", "hybrid_not_canonical_body":
                #expect(vector.expectation == "header failure")
                #expect(Self.outcome(error) == vector.expectation, "\(vector.name)")
            case "hybrid_uppercase":
                #expect(error == .unsupportedRecipient("MLKEM768X25519"))
            default: #expect(error == .unsupportedRecipient("mlkem768x25519"), "\(vector.name)")
            }
        }
    }
}
