import AuraCore
import AuraCrypto
import AuraSystem

/// Makes a new key and seals everything to it.
struct KeyRotateCommand: Command {
    static let name = "key rotate"
    static let summary = "Make a new key and seal everything to it"
    static let discussion = """
        Every sealed file is written anew, one after the other; until the last one is, both keys open the \
        home. Stopped at any moment it loses nothing: the same command goes on. The old recovery code opens \
        nothing afterwards but older backups, so keep it as long as those. File names stay what they are.
        """
    static let examples = [
        ("aura key rotate", "Makes a new key, or goes on with it."),
        ("aura key rotate --status", "Tells whether a change of keys is under way."),
    ]
    static let grammar = Grammar<Self>(
        .flag("status", \.asksStatus, help: "Only tell how far it has come."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the passphrase of the key from this descriptor."))

    var asksStatus = false
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        if asksStatus {
            let state = try invocation.services.rotationState()
            invocation.print(KeyChangeReport(state: state))
            return .done
        }
        return try KeyChangeRun(descriptor: descriptor, invocation: invocation).run(.rotate)
    }
}

/// Lets another key read the home.
struct KeyAddRecipientCommand: Command {
    static let name = "key add-recipient"
    static let summary = "Let another key read the home"
    static let discussion = """
        For a second machine with a key of its own, or another person: everything is sealed to that key, too, \
        from now on and back to the first note. On the other machine 'aura key restore' with its own key opens a \
        copy of the home. Whoever has it reads everything.
        """
    static let examples = [
        (
            "aura key add-recipient age1…",
            "Seals everything to that key, too, or goes on with it."
        )
    ]
    static let grammar = Grammar<Self>(
        .required("recipient", \.recipient, help: "Its public key, age1…."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the passphrase of the key from this descriptor."))

    var recipient = ""
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        try KeyChangeRun(descriptor: descriptor, invocation: invocation).run(
            .add(KeyChangeRun.recipient(recipient)))
    }
}

/// Takes a key away again.
struct KeyRemoveRecipientCommand: Command {
    static let name = "key remove-recipient"
    static let summary = "Seal the home to another key no longer"
    static let discussion = """
        Makes a new key, too, as 'aura key rotate' does, and seals everything to it and to the recipients that \
        are left. Who had the other key can keep all that they could read until now; only what is written from \
        now on is closed to them.
        """
    static let examples = [
        ("aura key remove-recipient age1…", "Takes that key away, or goes on with it.")
    ]
    static let grammar = Grammar<Self>(
        .required("recipient", \.recipient, help: "Its public key, age1…."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the passphrase of the key from this descriptor."))

    var recipient = ""
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let status = try KeyChangeRun(descriptor: descriptor, invocation: invocation).run(
            .remove(KeyChangeRun.recipient(recipient)))
        invocation.console.say(
            "aura: who had that key can keep what they could read until now")
        return status
    }
}

private struct KeyChangeRun {
    let descriptor: Int?
    let invocation: Invocation

    static func recipient(_ text: String) throws -> AgeRecipient {
        guard let recipient = AgeRecipient(text) else {
            throw MigrationError.badRecipient(text: text)
        }
        return recipient
    }

    func run(_ change: Services.KeyChange) throws -> ExitStatus {
        let (services, console) = (invocation.services, invocation.console)
        if let state = try services.rotationState(), state.command == change.command {
            console.say("aura: going on with what was begun \(state.started.iso8601)")
        }
        let report = try services.change(
            change,
            passphrase: { try Passphrase.present(invocation, descriptor: descriptor) },
            onProgress: { done, total in console.progress("sealing \(done) of \(total)…") })
        console.endProgress()
        invocation.print(KeyChangeReport(report: report))
        if change.makesIdentity {
            if let (_, files, keys) = try? services.openKeys() {
                try RecoveryCode.show(keys, files, console)
            } else {
                console.say("aura: 'aura key recovery' shows the new recovery code: write it down")
            }
        }
        return report.remarks.isEmpty ? .done : .nothingFoundOrLeftUndone
    }
}

private struct KeyChangeReport: Report {
    var state: Rotation.State?
    var report: Rotation.Report?

    var json: JSONValue {
        if let report {
            return .record([
                ("state", .string("done")), ("files", .integer(report.files)),
                (
                    "left",
                    .array(
                        report.remarks.map {
                            .record([("path", .string($0.path)), ("reason", .string($0.text))])
                        })
                ),
            ])
        }
        guard let state else { return .record([("state", .string("not under way"))]) }
        return .record([
            ("state", .string("under way")), ("command", .string(state.command)),
            ("phase", .string(state.phase.rawValue)), ("started", .string(state.started.iso8601)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        if let report {
            return ["Sealed \(report.files) files to the new keys"]
                + report.remarks.map {
                    SafeDisplay.visible("\($0.path): \($0.text)", keepsLines: false)
                }
        }
        guard let state else { return ["Nothing is under way"] }
        return ["'aura \(state.command)' is under way since \(state.started.iso8601)"]
    }
}
