internal import AuraCrypto
internal import AuraSystem

/// Files sealed and opened piece by piece, so that their size costs no memory.
package enum SealedStream {
    /// Seals the file at a path, which may be reached through links, into a new one.
    /// - Throws: `SystemError`, with `isAlreadyThere` when the new name is taken; `AgeError`.
    package static func seal(
        _ source: String, to path: String, _ seal: FileSeal, label: String?
    ) throws {
        let file = try FileDescriptor.openFollowingLinks(source)
        try AtomicFile.create(path) { write in
            var writer = try AgeWriter(to: seal.recipients, label: label)
            try file.forEachPiece { try write(writer.sealed($0)) }
            try write(writer.end())
        }
    }

    /// Hands over the bytes of a sealed file in order, each piece checked before.
    /// - Returns: its label.
    /// - Throws: `SealError.damaged` also after pieces were handed over; what `body` throws.
    @discardableResult
    package static func open(
        _ path: String, _ seal: FileSeal, _ body: ([UInt8]) throws -> Void
    ) throws -> String? {
        let keys = try seal.unlocked()
        let file = try FileDescriptor.open(path, for: .read)
        var reader = AgeReader(with: keys.identities)
        do {
            try file.forEachPiece { piece in
                var opened: [UInt8] = []
                try reader.update(piece.span, into: &opened)
                if !opened.isEmpty { try body(opened) }
            }
            let label = reader.label
            var rest: [UInt8] = []
            try reader.finish(into: &rest)
            if !rest.isEmpty { try body(rest) }
            return label
        } catch let error as AgeError {
            throw SealError(error, name: Files.name(of: path))
        }
    }

    /// Seals a sealed file anew, with another label or for other recipients.
    package static func reseal(
        _ source: String, _ from: FileSeal, to path: String, _ to: FileSeal, label: String?
    ) throws {
        try AtomicFile.create(path) { write in
            var writer = try AgeWriter(to: to.recipients, label: label)
            try open(source, from) { try write(writer.sealed($0)) }
            try write(writer.end())
        }
    }

    /// The digest of what a sealed file holds.
    package static func digest(_ path: String, _ seal: FileSeal) throws -> ContentDigest {
        var digest = Digest()
        try open(path, seal) { digest.update($0) }
        return ContentDigest(text: digest.finish().hexadecimal)
    }

    /// The digest of a plain file, which may be reached through links.
    package static func digest(ofPlain path: String) throws -> ContentDigest {
        let file = try FileDescriptor.openFollowingLinks(path)
        var digest = Digest()
        try file.forEachPiece { digest.update($0) }
        return ContentDigest(text: digest.finish().hexadecimal)
    }
}

extension AgeWriter {
    /// What can be written of a sealed file once it holds this piece, too.
    mutating func sealed(_ piece: [UInt8]) -> [UInt8] {
        var sealed: [UInt8] = []
        update(piece.span, into: &sealed)
        return sealed
    }

    /// The rest of the file.
    consuming func end() -> [UInt8] {
        var sealed: [UInt8] = []
        finish(into: &sealed)
        return sealed
    }
}
