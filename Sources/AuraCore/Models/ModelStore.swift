internal import AuraCrypto
internal import AuraHTTP
internal import AuraSystem

/// The folder that holds a person's model files: what is there, taking files in, fetching and removing them.
///
/// Calls block their thread: hashing a gigabyte takes seconds, fetching it minutes.
package struct ModelStore: Sendable {
    /// A model file that is there, or a known one that is not.
    package struct Entry: Hashable, Sendable {
        package var file: String
        package var path: String
        /// Nil when the file tells neither a chat, an embedding nor a speech model.
        package var role: ModelCatalog.Role?
        /// Bytes on the disk; nil for a known model that is not there.
        package var size: Int64?
        package var isInUse: Bool
        /// The known model of this file name.
        package var known: ModelCatalog.Known?
    }

    /// How far a download is.
    package struct Progress: Hashable, Sendable {
        package var bytes: Int64
        /// Nil when the server does not tell.
        package var total: Int64?

        package init(bytes: Int64, total: Int64?) {
            self.bytes = bytes
            self.total = total
        }
    }

    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// Every model file in the folder and every known model, by role and then by name; those that are there first.
    /// - Parameter inUse: paths that the settings name; one outside the folder is listed too.
    package func entries(inUse: [String]) throws(ModelError) -> [Entry] {
        var entries: [Entry] = []
        let there = (try? Files.entries(of: folder)) ?? []
        var paths = there.filter { Self.isModelName($0.name) && $0.status.kind != .folder }.map {
            "\(folder)/\($0.name)"
        }
        for path in inUse where !paths.contains(path) { paths.append(path) }
        for path in paths {
            let file = Files.name(of: path)
            let known = ModelCatalog.known.first { $0.file == file }
            let status = (try? Files.status(of: path, followingLinks: true)) ?? nil
            entries.append(
                Entry(
                    file: file, path: path, role: known?.role ?? Self.role(of: path),
                    size: status?.size,
                    isInUse: inUse.contains(path), known: known))
        }
        for known in ModelCatalog.known where !entries.contains(where: { $0.file == known.file }) {
            entries.append(
                Entry(
                    file: known.file, path: "\(folder)/\(known.file)", role: known.role, size: nil,
                    isInUse: false, known: known))
        }
        func rank(_ entry: Entry) -> (Int, Int, String) {
            let role = entry.role.flatMap { ModelCatalog.Role.allCases.firstIndex(of: $0) } ?? 9
            return (role, entry.size == nil ? 1 : 0, entry.file)
        }
        return entries.sorted { rank($0) < rank($1) }
    }

    /// What the head of a model file says.
    /// - Throws: `ModelError.missing`, `.unusable`.
    package func info(_ name: String) throws(ModelError) -> GGUFCheck {
        try GGUFCheck.check(path(of: name))
    }

    /// A name as the person gives it, as a path: one with a slash is one already, others lie in the folder, with or
    /// without their ending.
    package func path(of name: String) -> String {
        if name.contains("/") { return name }
        let path = "\(folder)/\(name)"
        let isThere = (try? Files.status(of: path, followingLinks: true)).flatMap { $0 } != nil
        return isThere || name.hasSuffix(".gguf") || name.hasSuffix(".bin") ? path : "\(path).gguf"
    }

    /// Takes a file into the folder under its own name: as a second name of it where that can be, else as a copy.
    /// - Parameter sha256: refuses any other file; nil takes any that can be a model.
    /// - Throws: `ModelError.missing`, `.unusable`, `.refused`.
    package func add(_ path: String, sha256: String? = nil) throws -> Entry {
        let role = try usableRole(of: path)
        let file = Files.name(of: path)
        guard Self.isModelName(file) else {
            throw ModelError.refused(
                "a model file's name ends in .gguf, or begins with ggml- and ends in .bin")
        }
        if let sha256, try Self.sha256(of: path) != sha256.lowercased() {
            throw ModelError.unusable(
                path: path, reason: "its SHA-256 is another than the one given")
        }
        let target = "\(folder)/\(file)"
        try Files.makeFolder(folder)
        do throws(SystemError) {
            try Files.hardLink(path, as: target)
        } catch {
            if error.isAlreadyThere {
                throw ModelError.refused("there is a model called \(file) already")
            }
            try copy(path, to: target)
        }
        return Entry(
            file: file, path: target, role: role, size: try Files.status(of: target)?.size,
            isInUse: false,
            known: ModelCatalog.known.first { $0.file == file })
    }

    /// Removes a file of the folder, and what an unfinished download of it left. False when there was neither.
    package func remove(_ name: String) throws -> Bool {
        guard !name.contains("/") else {
            throw ModelError.refused("only models in \(folder) can be removed")
        }
        let target = path(of: name)
        var isRemoved = false
        for leftover in [target, "\(target).part", "\(target).verified"]
        where (try Files.status(of: leftover)) != nil {
            try Files.remove(leftover)
            isRemoved = true
        }
        return isRemoved
    }

    /// Fetches a model into the folder, going on where an earlier attempt ended.
    ///
    /// The file gets its name only when its SHA-256 is the one given and it can be a model.
    /// - Parameter name: the file's name; nil takes the last part of the address.
    /// - Throws: `ModelError`, `ModelFetchError`, `SystemError` for a full disk; `CancellationError` when stopped.
    ///   What came until then is kept for the next attempt.
    package func pull(
        _ address: String, sha256: String, name: String? = nil, isStopped: () -> Bool = { false },
        progress: (Progress) -> Void
    ) throws -> Entry {
        let wanted = sha256.lowercased()
        guard wanted.utf8.count == 64, wanted.allSatisfy(\.isHexDigit) else {
            throw ModelError.refused("a SHA-256 has 64 hexadecimal digits")
        }
        let file = name ?? Self.fileName(in: address)
        guard Self.isModelName(file), !file.contains("/") else {
            throw ModelError.refused(
                "'\(file)' is no name for a model: it ends in .gguf, or is ggml-….bin")
        }
        let target = "\(folder)/\(file)"
        try Files.makeFolder(folder)
        guard (try Files.status(of: target)) == nil else {
            throw ModelError.refused("there is a model called \(file) already")
        }
        let part = "\(target).part"
        guard let lock = try FileLock.acquire("\(folder)/.\(file).lock") else {
            throw ModelError.refused("another program is fetching \(file)")
        }
        defer { try? Files.remove("\(folder)/.\(file).lock") }
        let before = try Files.status(of: part)?.size ?? 0
        var isWhole = try fetch(
            address, into: part, sha256: wanted, isStopped: isStopped, progress: progress)
        if !isWhole, before > 0 {
            // The beginning was of another file: once more from nothing.
            try Files.remove(part)
            isWhole = try fetch(
                address, into: part, sha256: wanted, isStopped: isStopped, progress: progress)
        }
        guard isWhole else {
            try Files.remove(part)
            throw ModelError.unusable(
                path: file, reason: "what came has another SHA-256 than the one given")
        }
        let role = try usableRole(of: part, name: file)
        try Files.move(part, to: target)
        _ = consume lock
        return Entry(
            file: file, path: target, role: role, size: try Files.status(of: target)?.size,
            isInUse: false,
            known: ModelCatalog.known.first { $0.file == file })
    }

    /// The file's SHA-256 in lower-case hexadecimal: about a second for a gigabyte.
    package static func sha256(of path: String) throws -> String {
        let file = try FileDescriptor.openFollowingLinks(path)
        var digest = Digest()
        while true {
            let piece = try file.read(upTo: 1 << 20)
            if piece.isEmpty { return digest.finish().hexadecimal }
            digest.update(piece)
        }
    }

    /// Whether the file that is there afterwards is the wanted one.
    private func fetch(
        _ address: String, into path: String, sha256: String, isStopped: () -> Bool,
        progress: (Progress) -> Void
    ) throws -> Bool {
        let output = try FileDescriptor.openForDownload(path)
        var bytes = try output.status().size
        var total: Int64?
        var download = Download(address)
        download.start = bytes
        do {
            try download.run(isStopped: isStopped) { event in
                switch event {
                case .begins(let start, let whole):
                    try output.resize(to: start)
                    (bytes, total) = (start, whole)
                case .bytes(let piece):
                    try output.write(piece)
                    bytes += Int64(piece.count)
                case .nothingLeft: total = bytes
                }
                progress(Progress(bytes: bytes, total: total))
            }
        } catch HTTPError.stopped {
            throw CancellationError()
        } catch let error as HTTPError {
            throw ModelFetchError(address: address, reason: error.words)
        }
        try output.flush()
        return try Self.sha256(of: path) == sha256
    }

    private func copy(_ path: String, to target: String) throws {
        let temporary = "\(target).part"
        let input = try FileDescriptor.openFollowingLinks(path)
        try Files.remove(temporary)
        let output = try FileDescriptor.open(temporary, for: .create)
        do {
            while true {
                let piece = try input.read(upTo: 1 << 20)
                if piece.isEmpty { break }
                try output.write(piece)
            }
            try output.flush()
            try Files.move(temporary, to: target)
        } catch {
            try? Files.remove(temporary)
            throw error
        }
    }

    private func usableRole(of path: String, name: String? = nil) throws -> ModelCatalog.Role {
        if Self.isSpeech(path) { return .speech }
        let head = try GGUFCheck.check(path)
        if head.isEmbedding { return .embedding }
        guard head.hasChatTemplate else {
            throw ModelError.unusable(
                path: name ?? path,
                reason: "it neither embeds nor has a chat template to talk with it")
        }
        return .chat
    }

    private static func role(of path: String) -> ModelCatalog.Role? {
        if isSpeech(path) { return .speech }
        guard let head = try? GGUFCheck.check(path) else { return nil }
        return head.isEmbedding ? .embedding : .chat
    }

    /// Speech models are of an older kind of file with another beginning.
    private static func isSpeech(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.openFollowingLinks(path),
            let head = try? file.read(upTo: 4)
        else {
            return false
        }
        return head == [0x6C, 0x6D, 0x67, 0x67]
    }

    static func isModelName(_ name: String) -> Bool {
        !name.hasPrefix(".")
            && (name.hasSuffix(".gguf") || (name.hasPrefix("ggml-") && name.hasSuffix(".bin")))
    }

    /// The last part of the address's path, without what follows a question mark.
    static func fileName(in address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(String.init) ?? ""
    }
}

/// A model that could not be fetched.
package struct ModelFetchError: Error, Hashable, Explained {
    package let address: String
    package let reason: String

    package var message: String { "cannot fetch \(address): \(reason)" }
    package var hint: String? { "the same command goes on where it ended" }
}

extension HTTPError {
    fileprivate var words: String {
        switch self {
        case .badAddress: "it is no address that begins with https:// or http://"
        case .unreachable(let words), .timedOut(let words), .untrusted(let words),
            .cutOff(let words):
            words
        case .status(let number): "the server answers \(number)"
        case .tooManyRedirects: "the server leads from one address to the next without end"
        case .stopped: "stopped"
        }
    }
}
