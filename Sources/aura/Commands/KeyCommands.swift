import AuraCore
import AuraCrypto
import AuraSystem

/// Shows whom the home's files are sealed to.
struct KeyShowRecipientCommand: Command {
    static let name = "key show-recipient"
    static let summary = "Print the public keys that notes are sealed to"
    static let examples = [
        ("aura key show-recipient", "Prints them; the first is the home's own."),
        ("aura key show-recipient | head -n 1", "The one that 'age -r' seals to as aura would."),
    ]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let home = try services.lockState().home
        for recipient in try services.keyFiles(of: home).recipients() {
            invocation.print(TextReport(key: "recipient", text: recipient.text))
        }
        return .done
    }
}

/// Shows the recovery code.
struct KeyRecoveryCommand: Command {
    static let name = "key recovery"
    static let summary = "Print the recovery code: keep it on paper"
    static let discussion = """
        The code is the home's age identity. With it and a copy of the home everything can be read, here or on \
        another machine, by aura ('aura key restore') or by age itself; without it and without the passphrase \
        nobody can. Whoever has it reads everything.
        """
    static let examples = [("aura key recovery", "Prints the code.")]
    static let grammar = Grammar<Self>(
        .option(
            "vault", \.vault, value: "name", help: "The code of a vault with a lock of its own."))

    var vault: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if let vault {
            let name = try services.vaultName(vault)
            let keys = try services.openWallKeys(name)
            printCodes(keys, invocation)
            invocation.console.say(
                "aura: this opens the vault \(name); write it down and keep it apart")
            return .done
        }
        let (home, files, keys) = try services.openKeys()
        printCodes(keys, invocation)
        try files.noteRecoveryShown()
        invocation.console.say(
            "aura: this opens \(home.layout.root); write it down and keep it apart")
        return .done
    }

    private func printCodes(_ keys: HomeKeys, _ invocation: Invocation) {
        for identity in keys.identities {
            invocation.print(TextReport(key: "code", text: RecoveryCode.text(of: identity)))
        }
    }
}

/// Gives the key another passphrase.
struct KeyChangePassphraseCommand: Command {
    static let name = "key change-passphrase"
    static let summary = "Set, change or remove the passphrase of the key"
    static let discussion = """
        Only the key's own file is written anew; the notes stay as they are. Who has an older copy of that \
        file can still open it with the older passphrase: 'aura key rotate' makes a new key.
        """
    static let examples = [
        ("aura key change-passphrase", "Asks for the passphrase and the new one."),
        ("aura key change-passphrase --remove", "Keeps the key without a passphrase."),
    ]
    static let grammar = Grammar<Self>(
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the present passphrase from this descriptor."),
        .option(
            "new-passphrase-fd", \.newDescriptor, value: "number",
            help: "Read the new one from this descriptor."),
        .flag("remove", \.removes, help: "No passphrase from now on."),
        .option(
            "vault", \.vault, value: "name", help: "The key of a vault with a lock of its own."))

    var descriptor: Int?
    var newDescriptor: Int?
    var removes = false
    var vault: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if let vault {
            let name = try services.vaultName(vault)
            let old = try Passphrase.present(invocation, descriptor: descriptor)
            guard !removes, let new = try Passphrase.new(invocation, descriptor: newDescriptor)
            else { throw PassphraseError.empty }
            try services.changeWallPassphrase(name, from: old, to: new)
            invocation.console.say("aura: the passphrase of \(name) is changed")
            return .done
        }
        let state = try services.lockState()
        let files = services.keyFiles(of: state.home)
        // The passphrase is asked for although the home may be open: whoever finds it open is not its owner.
        let keys = try files.open(
            passphrase: state.hasPassphrase
                ? Passphrase.present(invocation, descriptor: descriptor) : nil)
        let new = removes ? nil : try Passphrase.new(invocation, descriptor: newDescriptor)
        try files.writeIdentities(keys, passphrase: new)
        invocation.console.say(
            new == nil
                ? "aura: the key has no passphrase now" : "aura: the passphrase is changed")
        return .done
    }
}

/// Brings the key of a home to this machine.
struct KeyRestoreCommand: Command {
    static let name = "key restore"
    static let summary = "Open a home on this machine with its recovery code"
    static let discussion = """
        For a home that was copied here, or whose key's file is lost or damaged. Asks for the code at the \
        terminal; a script gives it with --code-fd. An identity file of age will do, too.
        """
    static let examples = [
        ("aura key restore", "Asks for the recovery code."),
        ("aura key restore --code-fd 3 3< code.txt", "Reads it from a file."),
    ]
    static let grammar = Grammar<Self>(
        .option(
            "code-fd", \.codeDescriptor, value: "number",
            help: "Read the recovery code from this descriptor."),
        .option(
            "new-passphrase-fd", \.newDescriptor, value: "number",
            help: "Read a passphrase for this machine from this descriptor."),
        .option(
            "vault", \.vault, value: "name",
            help: "The key of a vault with a lock of its own, by that vault's code."))

    var codeDescriptor: Int?
    var newDescriptor: Int?
    var vault: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        var code: [UInt8]
        if let codeDescriptor {
            code = try FileDescriptor.readSecret(fromNumber: Int32(clamping: codeDescriptor))
        } else {
            invocation.console.flush()
            guard invocation.console.mayAsk,
                let typed = TerminalDevice.readSecret(prompt: "Recovery code: ")
            else { throw PassphraseError.nobodyToAsk(option: "code-fd") }
            code = typed
        }
        defer { Secret.wipe(&code) }
        let identities = try AgeIdentity.list(inFile: Secret(code))
        guard !identities.isEmpty else { throw PassphraseError.noCode }
        let asks = newDescriptor != nil || (codeDescriptor == nil && invocation.console.mayAsk)
        let passphrase = asks ? try Passphrase.new(invocation, descriptor: newDescriptor) : nil
        if let vault {
            let name = try services.vaultName(vault)
            guard let passphrase else { throw PassphraseError.empty }
            try services.restoreWallKeys(name, identities, passphrase: passphrase)
            invocation.console.say("aura: the vault \(name) opens with the new passphrase now")
            return .done
        }
        let home = try services.restoreKeys(identities, passphrase: passphrase)
        invocation.console.say("aura: \(home.layout.root) can be opened on this machine now")
        return .done
    }
}

/// One text; in JSON an object with it.
struct TextReport: Report {
    let key: String
    let text: String

    var json: JSONValue { .record([(key, .string(text))]) }
    func lines(_ style: Styling, width: Int) -> [String] { [text] }
}
