import AuraCore
import AuraCrypto

/// The code with which a home can be opened without this machine.
enum RecoveryCode {
    /// Shows it once, and only where a person sees it.
    static func show(_ files: KeyFiles, passphrase: Secret?, _ console: Console) throws {
        guard console.errorIsTerminal else { return remind(console) }
        try show(try files.open(passphrase: passphrase), console)
        try files.noteRecoveryShown()
    }

    /// The same for keys that are open.
    static func show(_ keys: HomeKeys, _ files: KeyFiles, _ console: Console) throws {
        guard console.errorIsTerminal else { return remind(console) }
        try show(keys, console)
        try files.noteRecoveryShown()
    }

    static func text(of identity: AgeIdentity) -> String {
        String(decoding: identity.secretText.copy, as: UTF8.self)
    }

    private static func remind(_ console: Console) {
        console.say("aura: 'aura key recovery' shows the recovery code: write it down")
    }

    private static func show(_ keys: HomeKeys, _ console: Console) throws {
        for identity in keys.identities {
            let code = text(of: identity)
            console.complain(
                "Recovery code, shown once. Without it and without the passphrase nobody can read the "
                    + "notes; with it anybody can:\n\n    \(code)\n")
        }
    }
}
