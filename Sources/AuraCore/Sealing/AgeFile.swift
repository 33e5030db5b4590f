package import AuraCrypto

/// Sealed files that fit into memory (age, version 1). `AgeWriter` and `AgeReader` take larger ones.
package enum AgeFile {
    // MARK: Sealing

    /// - Parameter label: a name that only the recipients can read, kept beside the bytes.
    /// - Throws: `AgeError.noRecipients`.
    package static func seal(
        _ bytes: [UInt8], to recipients: [AgeRecipient], label: String? = nil,
        armored isArmored: Bool = false
    ) throws(AgeError) -> [UInt8] {
        seal(bytes, with: try AgeWriter(to: recipients, label: label), isArmored: isArmored)
    }

    /// Takes time and memory that grow with two to the power of `workFactor`: 17 is 128 MiB.
    ///
    /// - Throws: `AgeError.workFactor`.
    package static func seal(
        _ bytes: [UInt8], passphrase: Secret, workFactor: Int = 17, armored isArmored: Bool = false
    ) throws(AgeError) -> [UInt8] {
        seal(
            bytes, with: try AgeWriter(passphrase: passphrase, workFactor: workFactor),
            isArmored: isArmored)
    }

    private static func seal(
        _ bytes: [UInt8], with writer: consuming AgeWriter, isArmored: Bool
    ) -> [UInt8] {
        var sealed: [UInt8] = []
        writer.update(bytes.span, into: &sealed)
        writer.finish(into: &sealed)
        return isArmored ? AgeArmor.encode(sealed) : sealed
    }

    // MARK: Opening

    package static func open(
        _ bytes: [UInt8], with identities: [AgeIdentity]
    ) throws(AgeError) -> [UInt8] {
        try openLabelled(bytes, with: identities).bytes
    }

    package static func open(
        _ bytes: [UInt8], passphrase: Secret, maximumWorkFactor: Int = 20
    ) throws(AgeError) -> [UInt8] {
        let reader = AgeReader(passphrase: passphrase, maximumWorkFactor: maximumWorkFactor)
        return try open(bytes, with: reader).bytes
    }

    /// - Returns: a label of nil where the file has none.
    package static func openLabelled(
        _ bytes: [UInt8], with identities: [AgeIdentity]
    ) throws(AgeError) -> (bytes: [UInt8], label: String?) {
        try open(bytes, with: AgeReader(with: identities))
    }

    /// The label alone, from the beginning of a file that has the whole header; nil where it has none.
    package static func label(
        of beginning: some Collection<UInt8>, with identities: [AgeIdentity]
    ) throws(AgeError) -> String? {
        var reader = AgeReader(with: identities)
        var plain: [UInt8] = []
        var rest = beginning[...]
        // Too short a piece for a chunk to be opened along with the header.
        while !reader.isOpen, !rest.isEmpty {
            try reader.update(Array(rest.prefix(4096)).span, into: &plain)
            rest = rest.dropFirst(4096)
        }
        guard reader.isOpen else { throw .header("it is cut off") }
        return reader.label
    }

    private static func open(
        _ bytes: [UInt8], with reader: consuming AgeReader
    ) throws(AgeError) -> (bytes: [UInt8], label: String?) {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        try reader.update(bytes.span, into: &plain)
        let label = reader.label
        try reader.finish(into: &plain)
        return (plain, label)
    }
}
