package import AuraCrypto
internal import AuraSystem

/// The desktop's own store of secrets, which is open while the person is logged in: for who asked that a key be kept
/// there. It is reached through the program `secret-tool`, and only through its streams.
package struct SecretService: Sendable {
    private let environment: [String: String]
    private let patience: Duration

    /// - Parameters:
    ///   - environment: where `PATH` and the session's bus are taken from.
    ///   - user: whose bus is tried where the environment names none, as in cron.
    ///   - patience: a locked store asks the person at the screen, and waits for ever where there is none.
    package init(
        environment: [String: String], user: UInt32, patience: Duration = .seconds(2)
    ) {
        self.patience = patience
        var environment = environment.filter { !$0.key.hasPrefix("AURA_") }
        // What it says is read, so it must be said in English.
        environment["LC_ALL"] = "C"
        environment["LANGUAGE"] = nil
        if (environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty {
            environment["DBUS_SESSION_BUS_ADDRESS"] = Self.usualBus(
                runtimeFolder: environment["XDG_RUNTIME_DIR"], user: user)
        }
        self.environment = environment
    }

    /// Keeps the key in place of the one under this name.
    package func store(_ secret: Secret, as name: String) throws(SecretServiceError) {
        var text = secret.withBytes { Base64.encode($0, isPadded: true) }
        defer { Secret.wipe(&text) }
        guard text.count <= ChildProcess.mostExchangedBytes else {
            throw .failed(reason: "the key is too long")
        }
        let words = ["store", "--label=aura key \(name)"] + Self.attribute(name)
        _ = try run(words, input: text.span)
    }

    /// The key under this name; nil when there is none.
    package func secret(named name: String) throws(SecretServiceError) -> Secret? {
        guard let answer = try run(["lookup"] + Self.attribute(name)) else {
            try refuseLocked(name)
            return nil
        }
        guard
            var bytes = answer.withBytes({ Base64.decode($0, isPadded: true) }), !bytes.isEmpty
        else { throw .failed(reason: "what it has under the name of the key is no key") }
        defer { Secret.wipe(&bytes) }
        return Secret(bytes)
    }

    /// Forgets the key under this name; none there counts as forgotten.
    package func remove(_ name: String) throws(SecretServiceError) {
        if try run(["clear"] + Self.attribute(name)) == nil { try refuseLocked(name) }
    }

    /// What is locked is neither found nor removed, without a word; only a search shows that it is there.
    private func refuseLocked(_ name: String) throws(SecretServiceError) {
        let found = try run(["search"] + Self.attribute(name))
        if let found, found.count > 0 { throw .locked }
    }

    private static func attribute(_ name: String) -> [String] { ["aura", name] }

    /// What the tool printed; nil when it has nothing of that name, which it tells by its code and without a word.
    private func run(
        _ words: [String], input: Span<UInt8> = Span()
    ) throws(SecretServiceError) -> Secret? {
        guard let program = Self.program(in: environment["PATH"] ?? "") else { throw .noTool }
        let answer: (ending: ChildProcess.Ending, output: Secret, errors: String)
        do throws(SystemError) {
            let recipe = ChildProcess.Recipe(program, words, environment: environment)
            answer = try ChildProcess.exchange(recipe, input: input, within: patience) {
                ending, output, errors in
                (ending, Secret(copying: output), errors)
            }
        } catch {
            throw error.isTimeout ? .timedOut : .failed(reason: error.description)
        }
        if answer.ending == .exited(0) { return answer.output }
        let said = answer.errors.split(separator: "\n").first.map(String.init) ?? ""
        if answer.ending == .exited(1), said.isEmpty, words.first != "store" { return nil }
        throw SecretServiceError(said: said, ending: answer.ending)
    }

    private static func program(in path: String) -> String? {
        path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
            .map { "\($0)/secret-tool" }
            .first { program in
                guard let status = try? Files.status(of: program, followingLinks: true) else {
                    return false
                }
                return status.kind == .regular && status.mode & 0o111 != 0
            }
    }

    /// The address of the bus that systems with systemd give every user; nil when there is none.
    private static func usualBus(runtimeFolder: String?, user: UInt32) -> String? {
        let folders = [runtimeFolder, "/run/user/\(user)"].compactMap { $0 }
        let path = folders.filter { $0.hasPrefix("/") }.map { "\($0)/bus" }.first { path in
            let status = try? Files.status(of: path)
            return status?.kind == .other && status?.owner == user
        }
        return path.map { "unix:path=\(escaped($0))" }
    }

    /// As addresses of the bus want it: all but a few characters as `%2c`.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII && (character.isLetter || character.isNumber)
                || "-_/.\\*".contains(character)
            {
                return String(character)
            }
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}

/// Why the desktop's store of secrets neither gave nor took a key.
package enum SecretServiceError: Error, Equatable, Sendable {
    /// The program `secret-tool` is not installed.
    case noTool
    /// There is no session bus, or nothing on it that keeps secrets.
    case noService(reason: String)
    /// It is there and closed; only a person at the screen can open it.
    case locked
    /// The person, or the system, said no.
    case denied
    case timedOut
    case failed(reason: String)

    fileprivate init(said: String, ending: ChildProcess.Ending) {
        let words = said.lowercased()
        func says(_ phrases: String...) -> Bool { phrases.contains { words.contains($0) } }
        let reason = said.hasPrefix("secret-tool: ") ? String(said.dropFirst(13)) : said
        self =
            if says("locked") {
                .locked
            } else if says("denied", "dismissed", "not permitted") {
                .denied
            } else if says(
                "autolaunch", "could not connect", "failed to connect", "serviceunknown",
                "org.freedesktop.secrets", "no such interface")
            {
                .noService(reason: reason)
            } else if reason.isEmpty {
                .failed(reason: "it ended with \(ending)")
            } else {
                .failed(reason: reason)
            }
    }
}

extension SecretServiceError: Explained {
    package var message: String {
        switch self {
        case .noTool: "the program 'secret-tool', which reaches the desktop's keyring, is missing"
        case .noService(let reason): "no desktop keyring can be reached (\(reason))"
        case .locked: "the desktop's keyring is locked"
        case .denied: "the desktop's keyring refused"
        case .timedOut: "the desktop's keyring did not answer in time; it may be locked"
        case .failed(let reason): "the desktop's keyring failed: \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .noTool: "install it (Debian: 'apt install libsecret-tools')"
        case .noService: "log in to a desktop session, or use 'aura unlock' without it"
        case .locked, .timedOut: "log in to the desktop to open it, or use 'aura unlock'"
        case .denied: "allow it when the desktop asks, or use 'aura unlock'"
        case .failed: nil
        }
    }
}

extension Secret {
    /// A copy of bytes that lie elsewhere for a moment.
    convenience init(copying bytes: Span<UInt8>) {
        self.init(count: bytes.count) { copy in
            for index in bytes.indices { copy[index] = bytes[index] }
        }
    }
}
