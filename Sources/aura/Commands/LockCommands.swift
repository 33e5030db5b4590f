import AuraCore
import AuraSystem

/// Closes the vaults.
struct LockCommand: Command {
    static let name = "lock"
    static let summary = "Close the vaults until they are unlocked"
    static let discussion = """
        Forgets the key of an encrypted home and ends the model server. Capture works on: what is captured \
        is sealed at once and filed after the next unlock. Everything else ends with 77.
        """
    static let examples = [("aura lock", "Closes the vaults.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        try await invocation.services.lock()
        invocation.console.say("aura: locked")
        return .done
    }
}

/// Opens the vaults.
struct UnlockCommand: Command {
    static let name = "unlock"
    static let summary = "Open the vaults with the passphrase"
    static let discussion = """
        Holds the key for a while: in the kernel's keyring where there is one, else in a small process. Asks \
        for the passphrase at the terminal; a script gives it with --passphrase-fd, or names a file with mode \
        0600 in AURA_UNLOCK_FILE. Off a terminal nothing is ever asked.
        """
    static let examples = [
        ("aura unlock", "Asks for the passphrase and opens the vaults."),
        ("aura unlock --for 30m", "Closes them again after half an hour."),
        ("aura unlock --passphrase-fd 3 3< ~/.aura-pass", "Reads the passphrase from a file."),
    ]
    static let grammar = Grammar<Self>(
        .option("for", \.duration, value: "time", help: "How long: 30m, 8h, 2d."),
        .flag("until-reboot", \.untilReboot, help: "Until the machine is restarted."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the passphrase from this descriptor."),
        .flag(
            "keychain", \.usesKeychain,
            help: "Keep the key in the Secret Service, for jobs without a terminal."))

    var duration: TimeSpan?
    var untilReboot = false
    var descriptor: Int?
    var usesKeychain = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if untilReboot, duration != nil {
            throw UsageError.conflict("--for and --until-reboot do not go together", hint: nil)
        }
        let state = try services.lockState()
        guard state.hasPassphrase else {
            _ = try services.openKeys()
            invocation.console.say(
                "aura: the key of this home has no passphrase: it is always open")
            return .done
        }
        let span = untilReboot ? nil : duration ?? .usual(services)
        let passphrase = try Passphrase.present(invocation, descriptor: descriptor)
        try services.unlock(passphrase, for: span?.duration, inKeychain: usesKeychain)
        let workspace = try services.workspace()
        let waiting = services.waitingThoughts(workspace)
        if waiting > 0 {
            _ = try await services.freshStore(workspace, invocation.console.say)
            invocation.console.say(
                "aura: filed \(waiting) \(waiting == 1 ? "thought" : "thoughts") that came while it was locked"
            )
            services.startWorker()
        }
        invocation.console.say(
            "aura: unlocked\(span.map { " for \($0)" } ?? " until the next start")")
        return .done
    }
}

/// A length of time as a person types it: `90s`, `30m`, `8h`, `2d`.
struct TimeSpan: ArgumentValue, CustomStringConvertible {
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    /// As the settings say.
    static func usual(_ services: Services) -> TimeSpan {
        TimeSpan(seconds: Int(services.usualUnlock.components.seconds))
    }

    init?(argument: String) {
        let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[String($0)] }),
            let count = Int(argument.dropLast()), (1...1_000_000).contains(count)
        else { return nil }
        seconds = count * unit
    }

    static var expectation: String { "a length of time like 30m, 8h or 2d" }

    var duration: Duration { .seconds(seconds) }

    var description: String {
        for (unit, length) in [("d", 86_400), ("h", 3600), ("m", 60)]
        where seconds >= length && seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
