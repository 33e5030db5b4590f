internal import AuraSystem

/// Attachments, and what a note was made from: files beside the notes, copied piece by piece.
extension NoteFiles {
    /// Copies a file into a folder under the first of the names that is free, and tells the name. One that
    /// holds the very same bytes already is the same attachment.
    /// - Parameter isSealed: the source is an age file of this home.
    package func attach(
        _ source: String, isSealed: Bool, in folder: String, names: [String]
    ) throws -> String {
        for name in names {
            let path = "\(folder)/\(name)"
            let target = try absolute(path)
            try Files.makeFolder(Files.parent(of: target))
            do {
                if let seal {
                    if isSealed {
                        try SealedStream.reseal(source, seal, to: target, seal, label: path)
                    } else {
                        try SealedStream.seal(source, to: target, seal, label: path)
                    }
                } else {
                    try copyPlain(source, to: target)
                }
                return name
            } catch let error as SystemError where error.isAlreadyThere {
                if let seal {
                    let old = try? SealedStream.digest(target, seal)
                    let new =
                        isSealed
                        ? try? SealedStream.digest(source, seal)
                        : try? SealedStream.digest(ofPlain: source)
                    if let old, old == new { return name }
                } else if let old = try? SealedStream.digest(ofPlain: target),
                    old == (try? SealedStream.digest(ofPlain: source))
                {
                    return name
                }
            }
        }
        throw VaultError.changedMeanwhile(path: "\(folder)/\(names.last ?? "")")
    }

    private func copyPlain(_ source: String, to target: String) throws {
        let file = try FileDescriptor.openFollowingLinks(source)
        try AtomicFile.create(target) { write in
            while true {
                let piece = try file.read(upTo: 1 << 20)
                if piece.isEmpty { break }
                try write(piece)
            }
        }
    }

    /// Hands over an attachment's bytes in order.
    /// - Returns: false when there is no such attachment.
    package func readAttachment(_ path: String, _ body: ([UInt8]) throws -> Void) throws -> Bool {
        let place = try absolute(path)
        do {
            if let seal {
                try SealedStream.open(place, seal, body)
            } else {
                let file = try FileDescriptor.open(place, for: .read)
                while true {
                    let piece = try file.read(upTo: 1 << 20)
                    if piece.isEmpty { break }
                    try body(piece)
                }
            }
            return true
        } catch let error as SystemError where error.isNotFound {
            return false
        }
    }

    /// Keeps what a note was made from, as it came.
    package func keepRaw(_ bytes: [UInt8], of id: NoteID) throws {
        try Files.makeFolder(layout.raw)
        let path = "\(layout.raw)/\(id).txt\(seal == nil ? "" : FileSeal.ending)"
        do {
            try AtomicFile.create(path, seal?.sealed(bytes) ?? bytes)
        } catch let error as SystemError where error.isAlreadyThere {
            // Written before, by a run that was killed.
        }
    }
}
