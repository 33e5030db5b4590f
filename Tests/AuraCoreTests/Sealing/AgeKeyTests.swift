import AuraCrypto
import Testing

@testable import AuraCore

extension Secret {
    var text: String {
        withBytes { bytes in String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self) }
    }
}

@Suite struct AgeKeyTests {
    /// The pair of the age specification.
    private static let identity =
        "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    private static let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"

    @Test("the specification's identity has the specification's recipient")
    func published() throws {
        let identity = try #require(AgeIdentity(Secret(Self.identity.utf8)))
        #expect(identity.recipient.text == Self.recipient)
        #expect(identity.recipient == AgeRecipient(Self.recipient))
        #expect(identity.secretText.text == Self.identity)
        let same = AgeIdentity(privateKey: Secret([UInt8](repeating: 0x42, count: 32)))
        #expect(same.recipient == identity.recipient)
    }

    @Test("a new identity is another each time, and its text gives it back")
    func making() throws {
        let one = AgeIdentity.make()
        #expect(one.recipient != AgeIdentity.make().recipient)
        #expect(try #require(AgeIdentity(one.secretText)).recipient == one.recipient)
        #expect(AgeRecipient(one.recipient.text) == one.recipient)
    }

    @Test(
        "what is not a recipient is refused",
        arguments: [
            "", "age1", identity, recipient.uppercased(), " " + recipient, recipient + "\n",
            String(recipient.dropLast()),
        ])
    func notARecipient(text: String) { #expect(AgeRecipient(text) == nil) }

    @Test("a recipient whose files anybody could open is refused", arguments: [0, 1] as [UInt8])
    func weakRecipient(first: UInt8) {
        let key = [first] + [UInt8](repeating: 0, count: 31)
        let text = String(decoding: Bech32.encode(key.span, prefix: "age"), as: UTF8.self)
        #expect(AgeRecipient(text) == nil)
    }

    @Test(
        "what is not an identity is refused",
        arguments: ["", recipient, identity.lowercased(), identity + " ", "AGE-SECRET-KEY-1"])
    func notAnIdentity(text: String) { #expect(AgeIdentity(Secret(text.utf8)) == nil) }

    @Test("an identity file is read as age-keygen writes it, also with CRLF")
    func identityFile() throws {
        let other = AgeIdentity.make()
        let text = """
            # created: 2026-03-04T10:00:00Z
            # public key: \(Self.recipient)
            \(Self.identity)

            \(other.secretText.text)
            """
        for text in [text, text + "\n", text.split(separator: "\n").joined(separator: "\r\n")] {
            let identities = try AgeIdentity.list(inFile: Secret(text.utf8))
            #expect(identities.map(\.recipient.text) == [Self.recipient, other.recipient.text])
        }
        #expect(try AgeIdentity.list(inFile: Secret("".utf8)).isEmpty)
    }

    @Test("the line that is not a key is named")
    func identityFileError() {
        let text = "# mine\n\n\(Self.identity)\n\(Self.recipient)\n"
        #expect(throws: AgeError.identityLine(4)) {
            try AgeIdentity.list(inFile: Secret(text.utf8))
        }
        #expect(AgeError.identityLine(4).message == "line 4 of the key file is not an age key")
    }
}
