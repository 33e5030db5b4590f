import AuraCore
import AuraCrypto
import AuraSystem

/// Makes a plain home an encrypted one.
struct EncryptCommand: Command {
    static let name = "encrypt"
    static let summary = "Encrypt a plain home"
    static let discussion = """
        Copies every note and file of the home into its encrypted form, reads each copy again, and only then \
        removes the readable ones. Stopped at any moment it loses nothing: 'aura encrypt' goes on. Until \
        everything is copied --abort takes it back. Other commands work meanwhile. At a terminal a passphrase \
        is asked for (none will do). Folders of other programs that begin with a dot are left as they are. In a \
        home that is encrypted already it takes in readable files that another program put there.
        """
    static let examples = [
        ("aura encrypt", "Encrypts the home, or goes on with it."),
        ("aura encrypt --status", "Tells how far it has come."),
        ("aura encrypt --abort", "Takes it back while that can be done."),
    ]
    static let grammar = Grammar<Self>(
        .flag("status", \.asksStatus, help: "Only tell how far it has come."),
        .flag("abort", \.aborts, help: "Take back what was begun."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the passphrase of the key from this descriptor."))

    var asksStatus = false
    var aborts = false
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        try MigrationRun(
            direction: .encrypt, descriptor: descriptor, isConfirmed: true, invocation: invocation
        ).run(asksStatus: asksStatus, aborts: aborts)
    }
}

/// Makes an encrypted home a plain one.
struct DecryptCommand: Command {
    static let name = "decrypt"
    static let summary = "Make an encrypted home a plain one"
    static let discussion = """
        The way back from 'aura encrypt', in the same steps: copied, compared, then removed. Everybody who can \
        read the disk can read the notes afterwards, so it asks first; a script says --yes. The keys stay on \
        this machine: older backups need them.
        """
    static let examples = [
        ("aura decrypt", "Asks, and makes the home plain, or goes on with it."),
        ("aura decrypt --abort", "Takes it back while that can be done."),
    ]
    static let grammar = Grammar<Self>(
        .flag("yes", short: "y", \.isConfirmed, help: "Do not ask."),
        .flag("status", \.asksStatus, help: "Only tell how far it has come."),
        .flag("abort", \.aborts, help: "Take back what was begun."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the passphrase of the key from this descriptor."))

    var isConfirmed = false
    var asksStatus = false
    var aborts = false
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        try MigrationRun(
            direction: .decrypt, descriptor: descriptor, isConfirmed: isConfirmed,
            invocation: invocation
        ).run(asksStatus: asksStatus, aborts: aborts)
    }
}

/// What the two have in common.
private struct MigrationRun {
    let direction: Migration.Direction
    let descriptor: Int?
    let isConfirmed: Bool
    let invocation: Invocation

    private var services: Services { invocation.services }
    private var console: Console { invocation.console }

    func run(asksStatus: Bool, aborts: Bool) throws -> ExitStatus {
        if asksStatus, aborts {
            throw UsageError.conflict("--status and --abort do not go together", hint: nil)
        }
        if asksStatus { return try tellStatus() }
        if aborts { return try abort() }
        if let state = try services.migrationState(), state.direction == direction {
            console.say("aura: going on with what was begun \(state.started.iso8601)")
        }
        let outcome = try services.migrate(direction, questions)
        console.endProgress()
        switch outcome {
        case .declined:
            console.say("aura: nothing was changed")
            return .done
        case .nothingToDo:
            invocation.print(MigrationReport(direction: direction, state: "nothing to do"))
            return .done
        case .done(let report, let hasNewKeys):
            invocation.print(
                MigrationReport(direction: direction, state: "done", report: report))
            try tellWhatIsLeft(hasNewKeys)
            return report.remarks.allSatisfy(\.isForeign) && report.conflicts.isEmpty
                ? .done : .nothingFoundOrLeftUndone
        }
    }

    private func tellWhatIsLeft(_ hasNewKeys: Bool) throws {
        switch direction {
        case .encrypt:
            if hasNewKeys, let (_, files, keys) = try? services.openKeys() {
                try RecoveryCode.show(keys, files, console)
            }
            console.say(
                "aura: removing is not erasing: journals, snapshots, backups and the cells of an SSD may hold the "
                    + "readable files still; encrypt the whole disk, too")
        case .decrypt:
            let folder = try services.keyFiles(of: services.home()).folder
            console.say("aura: the keys stay in \(folder): older backups need them")
        }
    }

    private var questions: Services.MigrationQuestions {
        Services.MigrationQuestions(
            presentPassphrase: { try Passphrase.present(invocation, descriptor: descriptor) },
            newPassphrase: {
                guard descriptor != nil || Passphrase.mayAsk(invocation) else { return nil }
                return try Passphrase.new(invocation, descriptor: descriptor)
            },
            confirm: confirm,
            onProgress: { phase, done, total in
                console.progress("\(MigrationReport.words(phase)) \(done) of \(total)…")
            })
    }

    private func confirm() throws -> Bool {
        if isConfirmed { return true }
        let warning = "everybody who can read the disk can read the notes of a plain home"
        guard console.mayAsk else { throw MigrationError.notAsked(what: warning) }
        let answer = console.readLine(prompt: "aura: \(warning). Go on? [y/N] ")
        return ["y", "yes"].contains(answer?.lowercased())
    }

    private func tellStatus() throws -> ExitStatus {
        let state = try services.migrationState()
        invocation.print(
            MigrationReport(
                direction: state?.direction ?? direction,
                state: state == nil ? "not under way" : "under way", phase: state?.phase,
                started: state?.started, counts: try services.migrationCounts()))
        return .done
    }

    private func abort() throws -> ExitStatus {
        guard let kept = try services.abortMigration(direction, questions) else {
            console.say("aura: nothing is under way")
            return .done
        }
        invocation.print(MigrationReport(direction: direction, state: "taken back"))
        for path in kept {
            console.complain("aura: \(path) was changed since it was copied, and stays")
        }
        return kept.isEmpty ? .done : .nothingFoundOrLeftUndone
    }
}

private struct MigrationReport: Report {
    let direction: Migration.Direction
    let state: String
    var report: Migration.Report?
    var phase: Migration.Phase?
    var started: Instant?
    var counts: Services.MigrationCounts?

    static func words(_ phase: Migration.Phase) -> String {
        switch phase {
        case .copy: "copying"
        case .verify, .commit: "comparing"
        case .remove: "removing"
        }
    }

    var json: JSONValue {
        var fields: [(String, JSONValue)] = [
            ("direction", .string(direction.rawValue)), ("state", .string(state)),
        ]
        if let phase { fields.append(("phase", .string(phase.rawValue))) }
        if let started { fields.append(("started", .string(started.iso8601))) }
        if let counts {
            fields.append(("plain", .integer(counts.plain)))
            fields.append(("sealed", .integer(counts.sealed)))
        }
        if let report {
            fields += [
                ("notes", .integer(report.notes)), ("files", .integer(report.files)),
                ("taken_in", .array(report.takenIn.map { .string($0) })),
                ("conflicts", .array(report.conflicts.map { .string($0) })),
                (
                    "left",
                    .array(
                        report.remarks.map {
                            .record([("path", .string($0.path)), ("reason", .string($0.text))])
                        })
                ),
            ]
        }
        return .record(fields)
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        func visible(_ text: String) -> String { SafeDisplay.visible(text, keepsLines: false) }
        let isEncrypting = direction == .encrypt
        guard let report else {
            var line =
                switch state {
                case "nothing to do":
                    isEncrypting ? "The home is encrypted already" : "The home is plain already"
                case "taken back": "Taken back: the home is as it was"
                case "under way": "'aura \(direction.rawValue)' is under way"
                default: "Nothing is under way"
                }
            if let phase, let started {
                line += ", \(Self.words(phase)) since \(started.iso8601)"
            }
            if let counts { line += ": \(counts.plain) plain files, \(counts.sealed) sealed" }
            return [line]
        }
        var lines = [
            "\(isEncrypting ? "Encrypted" : "Plain now"): \(report.notes) notes, \(report.files) other files"
        ]
        lines += report.takenIn.map { "taken in: \(visible($0))" }
        lines += report.conflicts.map { "kept beside another: \(visible($0))" }
        lines += report.remarks.map { "\(visible($0.path)): \(visible($0.text))" }
        return lines
    }
}
