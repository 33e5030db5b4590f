import AuraCore
import AuraCrypto
import AuraSystem

/// Getting a passphrase: from a descriptor that a script opened, from the file that `AURA_UNLOCK_FILE` names,
/// or from the person. Never from words, the environment itself or standard input.
enum Passphrase {
    /// The passphrase of a home that has one.
    /// - Throws: `InputError` when there is nobody to ask.
    static func present(_ invocation: Invocation, descriptor: Int?) throws -> Secret {
        if let descriptor { return try read(descriptor) }
        if let path = invocation.services.environment["AURA_UNLOCK_FILE"], !path.isEmpty {
            return try Services.passphrase(inFile: path)
        }
        guard let typed = ask("Passphrase: ", invocation), typed.count > 0 else {
            throw PassphraseError.nobodyToAsk(option: "passphrase-fd")
        }
        return typed
    }

    /// Asks at the terminal until the passphrase is right, at most three times, and opens the vaults for the
    /// usual time.
    static func unlock(_ invocation: Invocation) throws {
        let services = invocation.services
        let usual = services.usualUnlock
        for _ in 1...2 {
            do {
                return try services.unlock(present(invocation, descriptor: nil), for: usual)
            } catch SealError.wrongPassphrase {
                invocation.console.complain("aura: the passphrase is wrong; try again")
            }
        }
        try services.unlock(present(invocation, descriptor: nil), for: usual)
    }

    /// A new passphrase, typed twice; nil when the person wants none.
    /// - Parameter option: the one that gives it a descriptor.
    static func new(
        _ invocation: Invocation, descriptor: Int?, option: String = "new-passphrase-fd"
    ) throws -> Secret? {
        if let descriptor {
            let secret = try read(descriptor)
            guard secret.count > 0 else { throw PassphraseError.empty }
            return secret
        }
        while true {
            guard let first = ask("New passphrase (empty for none): ", invocation) else {
                throw PassphraseError.nobodyToAsk(option: option)
            }
            if first.count == 0 { return nil }
            guard let second = ask("Once more: ", invocation) else {
                throw PassphraseError.nobodyToAsk(option: option)
            }
            if first.isSame(as: second) {
                if first.count < shortBytes {
                    invocation.console.say(
                        "aura: that is short: who has a copy of the key's file may guess it; four or more "
                            + "words are better ('aura key change-passphrase')")
                }
                return first
            }
            invocation.console.complain("aura: the two differ; try again")
        }
    }

    /// Below this a hint is given; no passphrase is refused for what it is made of.
    private static let shortBytes = 12

    static func mayAsk(_ invocation: Invocation) -> Bool { invocation.console.mayAsk }

    private static func read(_ descriptor: Int) throws -> Secret {
        guard (0...1_000_000).contains(descriptor) else {
            throw InputError.badValue(
                "\(descriptor) is no descriptor", hint: "'--passphrase-fd 3 3< FILE' reads a file")
        }
        do {
            return PassphraseText.normalised(
                try FileDescriptor.readSecret(fromNumber: Int32(descriptor)))
        } catch {
            throw InputError.badValue(
                "descriptor \(descriptor) cannot be read: \(error.reason)",
                hint: "'--passphrase-fd 3 3< FILE' reads a file")
        }
    }

    private static func ask(_ prompt: String, _ invocation: Invocation) -> Secret? {
        guard invocation.console.mayAsk else { return nil }
        invocation.console.flush()
        return TerminalDevice.readSecret(prompt: prompt).map(PassphraseText.normalised)
    }
}

enum PassphraseError: Error, Equatable, Explained, StatusGiving {
    /// - Parameter option: the one that reads it from a descriptor.
    case nobodyToAsk(option: String)
    case empty
    case noCode

    var message: String {
        switch self {
        case .nobodyToAsk("code-fd"): "the recovery code is needed and there is nobody to ask"
        case .nobodyToAsk: "a passphrase is needed and there is nobody to ask"
        case .empty: "an empty passphrase protects nothing"
        case .noCode: "there is no recovery code in what was given"
        }
    }

    var hint: String? {
        switch self {
        case .nobodyToAsk("passphrase-fd"):
            "give it with '--passphrase-fd N', or name its file (mode 0600) in AURA_UNLOCK_FILE"
        case .nobodyToAsk(let option): "give it with '--\(option) N'"
        case .empty:
            "'aura key change-passphrase --remove' keeps a key without one; a vault's own lock needs one"
        case .noCode: "it begins with AGE-SECRET-KEY-1; 'aura key recovery' shows it"
        }
    }

    var status: ExitStatus { self == .noCode ? .badData : .locked }
}
