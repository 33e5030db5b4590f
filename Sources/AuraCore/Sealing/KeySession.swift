package import AuraCrypto
internal import AuraSystem

/// Where an unlocked key waits between commands, until its time is over or it is locked again.
///
/// The kernel's keyring of the user holds it; where that is not available (in many containers) a small process of our
/// own does. Neither writes it to a disk. The bytes kept are the end time, eight bytes of seconds since 1970 with the
/// highest first and 0 for no end, then the key: an old key is refused even where the holder forgot to forget it.
package struct KeySession: Sendable {
    package enum Place: String, Sendable {
        case kernel, agent
    }

    /// The variable that says which place alone is to be used: `kernel` or `agent`.
    package static let holderVariable = "AURA_KEY_HOLDER"

    private let name: String
    private let agent: KeyAgent.Client
    /// Nil for all, in order; empty when the variable names none that there is.
    private let wanted: [Place]
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - name: the id of the vault or wall that the key opens.
    ///   - runtimeFolder: where the agent's socket lies.
    ///   - program: this program's path, for starting the agent; nil when that cannot be.
    ///   - environment: what the agent is started with; `holderVariable` is read from it.
    ///   - now: seconds since 1970.
    package init(
        name: String, runtimeFolder: String, program: String?, environment: [String: String],
        now: @escaping @Sendable () -> Int64 = { Host.now.seconds }
    ) {
        self.name = "aura:\(name)"
        self.now = now
        agent = KeyAgent.Client(
            folder: runtimeFolder, program: program, environment: environment)
        wanted =
            switch environment[Self.holderVariable] {
            case nil, "": [.kernel, .agent]
            case let value?: Place(rawValue: value).map { [$0] } ?? []
            }
    }

    /// Keeps the key, in place of the one that was kept; nil is until the next restart of the machine.
    /// - Throws: `KeySessionError` when nothing can hold it.
    @discardableResult
    package func keep(
        _ secret: Secret, for time: Duration?
    ) throws(KeySessionError) -> Place {
        guard !wanted.isEmpty else { throw .unknownHolder }
        let end = time.map { now() + max($0.components.seconds, 1) }
        let value = Self.value(secret, until: end)
        var reason: String?
        if wanted.contains(.kernel) {
            do throws(KeyringError) {
                try value.withBytes { bytes throws(KeyringError) in
                    try Keyring.store(bytes, as: name, for: time)
                }
                // A container may take it and show nothing.
                if try Keyring.read(name, { _ in true }) == true {
                    // One key only: the other place would go on showing the old one.
                    try? agent.drop(name)
                    return .kernel
                }
                reason = "the kernel's keyring forgot the key at once"
            } catch {
                switch error {
                case .notAvailable(let why): reason = "the kernel's keyring: \(why)"
                }
            }
        }
        guard wanted.contains(.agent) else { throw .noHolder(reason: reason ?? "") }
        try agent.keep(value, as: name, for: time)
        try? Keyring.remove(name)
        return .agent
    }

    /// The key and the second since 1970 at which it will be forgotten, nil for the next restart. Nil when none is
    /// kept, its time is over, or its holder cannot be asked. Starts nothing.
    package func secret() -> (secret: Secret, until: Int64?)? {
        for place in wanted {
            let value: Secret? =
                switch place {
                case .kernel:
                    try? Keyring.read(name) { Secret(copying: $0) }
                case .agent: try? agent.value(of: name)
                }
            guard let value, let (secret, end) = Self.parts(of: value) else { continue }
            if let end, end <= now() { continue }
            return (secret, end)
        }
        return nil
    }

    /// Forgets the key in every place, whichever one is wanted.
    /// - Throws: `KeySessionError` when an agent may still hold it.
    package func end() throws(KeySessionError) {
        // Where the keyring is not available it holds nothing.
        try? Keyring.remove(name)
        try agent.drop(name)
    }

    /// Forgets every key that the agent of this folder holds; where none runs there is nothing to do.
    package static func endAllInAgent(runtimeFolder: String) throws(KeySessionError) {
        try KeyAgent.Client(folder: runtimeFolder, program: nil, environment: [:]).dropAll()
    }

    private static let headCount = 8

    private static func value(_ secret: Secret, until end: Int64?) -> Secret {
        secret.withBytes { bytes in
            Secret(count: headCount + bytes.count) { value in
                for index in 0..<headCount {
                    value[index] = UInt8(truncatingIfNeeded: (end ?? 0) >> (56 - 8 * index))
                }
                for index in bytes.indices { value[headCount + index] = bytes[index] }
            }
        }
    }

    /// Nil for bytes that this type did not write.
    private static func parts(of value: Secret) -> (secret: Secret, end: Int64?)? {
        value.withBytes { bytes in
            guard bytes.count > headCount else { return nil }
            var end: Int64 = 0
            for index in 0..<headCount { end = end << 8 | Int64(bytes[index]) }
            guard end >= 0 else { return nil }
            let secret = Secret(count: bytes.count - headCount) { copy in
                for index in copy.indices { copy[index] = bytes[headCount + index] }
            }
            return (secret, end == 0 ? nil : end)
        }
    }
}

/// Why an unlocked key is not kept, or not given up.
package enum KeySessionError: Error, Equatable, Sendable {
    case noHolder(reason: String)
    /// `AURA_KEY_HOLDER` names none that there is.
    case unknownHolder
    case unsafeFolder(path: String)
    case agentFailed(reason: String)
}

extension KeySessionError: Explained {
    package var message: String {
        switch self {
        case .noHolder(let reason): "nothing here can keep an unlocked key (\(reason))"
        case .unknownHolder:
            "\(KeySession.holderVariable) is neither 'kernel' nor 'agent'"
        case .unsafeFolder(let path): "not a folder that only you can use: \(path)"
        case .agentFailed(let reason): "the process that keeps unlocked keys failed: \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .noHolder: "give the passphrase to each command instead: see 'aura help unlock'"
        case .unknownHolder: "unset \(KeySession.holderVariable)"
        case .unsafeFolder: "check who owns it, and 'chmod 700' it"
        case .agentFailed: "try again; a restart of the machine forgets every key"
        }
    }
}
