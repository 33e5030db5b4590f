internal import AuraSystem

/// Attachments, and what a note was made from: files beside the notes, copied piece by piece.
extension NoteFiles {
    /// Where the bytes of an attachment come from.
    enum Source {
        /// A file that may be reached through links.
        case plain(String)
        case sealed(String, FileSeal)

        func digest() throws -> ContentDigest {
            switch self {
            case .plain(let path): try SealedStream.digest(ofPlain: path)
            case .sealed(let path, let seal): try SealedStream.digest(path, seal)
            }
        }
    }

    /// Copies a file into a folder under the first of the names that is free, and tells the name. One that
    /// holds the very same bytes already is the same attachment.
    /// - Parameter isSealed: the source is an age file of this home.
    package func attach(
        _ source: String, isSealed: Bool, in folder: String, names: [String]
    ) throws -> String {
        try keep(sealedSource(source, isSealed ? seal : nil), in: folder, names: names)
    }

    private func sealedSource(_ path: String, _ seal: FileSeal?) -> Source {
        seal.map { .sealed(path, $0) } ?? .plain(path)
    }

    private func keep(_ source: Source, in folder: String, names: [String]) throws -> String {
        for name in names {
            let path = "\(folder)/\(name)"
            let target = try absolute(path)
            try Files.makeFolder(Files.parent(of: target))
            do {
                try copy(source, to: target, label: path)
                return name
            } catch let error as SystemError where error.isAlreadyThere {
                let old = try? sealedSource(target, seal).digest()
                if let old, old == (try? source.digest()) { return name }
            }
        }
        throw VaultError.changedMeanwhile(path: "\(folder)/\(names.last ?? "")")
    }

    private func copy(_ source: Source, to target: String, label: String) throws {
        switch (source, seal) {
        case (.plain(let path), let seal?):
            try SealedStream.seal(path, to: target, seal, label: label)
        case (.sealed(let path, let old), let seal?):
            try SealedStream.reseal(path, old, to: target, seal, label: label)
        case (.plain(let path), nil):
            let file = try FileDescriptor.openFollowingLinks(path)
            try AtomicFile.create(target) { write in try file.forEachPiece(write) }
        case (.sealed(let path, let old), nil):
            try AtomicFile.create(target) { write in try SealedStream.open(path, old, write) }
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
                try FileDescriptor.open(place, for: .read).forEachPiece(body)
            }
            return true
        } catch let error as SystemError where error.isNotFound {
            return false
        }
    }

    /// Copies the attachments that a note links to when it goes to another vault, so that its links hold there.
    /// - Parameter other: where they lie now.
    /// - Returns: the note's bytes, with the links rewritten where a name was taken; the paths that were copied.
    package func takeAttachments(
        of bytes: [UInt8], from other: NoteFiles, vault: String, to newVault: String
    ) throws -> (bytes: [UInt8], copied: [String]) {
        var text = String(decoding: bytes, as: UTF8.self)
        guard Array(text.utf8) == bytes else { return (bytes, []) }
        var copied: [String] = []
        for name in Attachments.names(linkedIn: text) {
            let path = "\(vault)/attachments/\(name)"
            guard VaultLayout.isSafe(path), try other.isTaken(path) else { continue }
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            let names = [name] + (2...9).map { "\(name[..<dot])-\($0)\(name[dot...])" }
            let newName = try keep(
                sealedSource(try other.absolute(path), other.seal), in: "\(newVault)/attachments",
                names: names)
            if newName != name {
                text = text.replacing("](attachments/\(name))", with: "](attachments/\(newName))")
            }
            copied.append(path)
        }
        return (Array(text.utf8), copied)
    }

    /// Removes attachments of a vault that no note of it links to but the one at `note`, which is leaving.
    package func discardAttachments(_ paths: [String], leavingWith leaving: String) throws {
        guard let first = paths.first else { return }
        let vault = VaultLayout.vault(of: first)
        var linked: Set<String> = []
        for file in try listing() {
            guard let note = try? open(file.name), note.path != leaving,
                VaultLayout.vault(of: note.path) == vault
            else { continue }
            let text = String(decoding: note.bytes, as: UTF8.self)
            linked.formUnion(Attachments.names(linkedIn: text))
        }
        for path in paths where !linked.contains(Files.name(of: path)) {
            try Files.remove(absolute(path))
        }
    }

    /// Keeps what a note was made from, as it came.
    package func keepRaw(_ bytes: [UInt8], of id: NoteID) throws {
        try Files.makeFolder(layout.raw)
        let path = rawPath(of: id)
        do {
            try AtomicFile.create(path, seal?.sealed(bytes) ?? bytes)
        } catch let error as SystemError where error.isAlreadyThere {
            // Written before, by a run that was killed.
        }
    }

    /// What a note was made from, as it came; nil when nothing was changed in it, or it was no
    /// transcript.
    /// - Throws: `SystemError`, `SealError`.
    package func raw(of id: NoteID) throws -> [UInt8]? {
        let path = rawPath(of: id)
        guard try Files.status(of: path) != nil else { return nil }
        let stored = try Files.bytes(at: path)
        return try seal?.opened(stored, name: Files.name(of: path)).bytes ?? stored
    }

    /// Whether `raw` has something; opens nothing.
    package func hasRaw(of id: NoteID) -> Bool {
        (try? Files.status(of: rawPath(of: id))) != nil
    }

    private func rawPath(of id: NoteID) -> String {
        "\(layout.raw)/\(id).txt\(seal == nil ? "" : FileSeal.ending)"
    }
}

enum Attachments {
    /// The names of the attachments that a text links to: `](attachments/NAME)`.
    static func names(linkedIn text: String) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "](attachments/") {
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(where: { $0 == ")" || $0.isNewline }) else { break }
            let name = String(rest[..<end])
            if rest[end] == ")", !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}
