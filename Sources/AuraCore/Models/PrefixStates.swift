internal import AuraCrypto
internal import AuraSystem
internal import Synchronization

/// What a model computed for the shared beginnings of prompts: kept in memory, and in a folder between runs.
///
/// Reading a thousand tokens takes seconds, taking over their state milliseconds. A file is used only when its
/// checksum is right: the native library ends the process over a cut-off state and does not notice a damaged one.
final class PrefixStates: Sendable {
    /// Shorter beginnings are read as fast as their state is fetched.
    static let leastTokens = 64
    /// States in memory and files in the folder; one takes about 30 MB.
    private static let mostKept = 4

    /// What a state belongs to. All of it must be the same for the state to mean anything.
    struct Key: Hashable {
        let name: String
        fileprivate let tokens: [Int32]

        /// - Parameter library: names the build and the processor: another one may lay the state out differently.
        init(model path: String, library: String, tokens: [Int32]) {
            self.tokens = tokens
            let status = try? Files.status(of: path, followingLinks: true)
            var digest = Digest()
            digest.update(Array("aura prefix state 1\0\(path)\0\(library)\0".utf8))
            digest.update(Array("\(status?.size ?? 0) \(status?.modified ?? 0)\0".utf8))
            digest.update(
                tokens.flatMap { token in
                    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: token >> $0) }
                })
            name = digest.finish().hexadecimal
        }
    }

    private let folder: String?
    /// The last used last.
    private let kept = Mutex<[(key: Key, state: [UInt8])]>([])

    init(folder: String?) { self.folder = folder }

    func state(for key: Key) -> [UInt8]? {
        let known = kept.withLock { kept -> [UInt8]? in
            guard let index = kept.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = kept.remove(at: index)
            kept.append(entry)
            return entry.state
        }
        if let known { return known }
        guard let path = path(of: key), let bytes = try? Files.bytes(at: path) else { return nil }
        let size = bytes.count - Digest.length
        guard size > 0, Digest.of(bytes[..<size]).elementsEqual(bytes[size...]) else {
            try? Files.remove(path)
            return nil
        }
        let state = Array(bytes[..<size])
        remember(state, for: key)
        return state
    }

    func keep(_ state: [UInt8], for key: Key) {
        remember(state, for: key)
        guard let folder, let path = path(of: key) else { return }
        // A file that could not be written is computed again: nothing is lost.
        try? Files.makeFolder(folder)
        try? AtomicFile.replace(path, state + Digest.of(state[...]))
        sweep(folder)
    }

    func forget(_ key: Key) {
        kept.withLock { $0.removeAll { $0.key == key } }
        if let path = path(of: key) { try? Files.remove(path) }
    }

    private func remember(_ state: [UInt8], for key: Key) {
        kept.withLock { kept in
            kept.removeAll { $0.key == key }
            kept.append((key, state))
            if kept.count > Self.mostKept { kept.removeFirst() }
        }
    }

    private func path(of key: Key) -> String? { folder.map { "\($0)/\(key.name).state" } }

    private func sweep(_ folder: String) {
        guard let entries = try? Files.entries(of: folder) else { return }
        let states = entries.filter { $0.name.hasSuffix(".state") }
            .sorted { $0.status.modified > $1.status.modified }
        for old in states.dropFirst(Self.mostKept) { try? Files.remove("\(folder)/\(old.name)") }
    }
}
