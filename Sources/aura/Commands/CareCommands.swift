import AuraCore
import AuraSystem

/// Shows and changes settings.
struct ConfigCommand: Command {
    static let name = "config"
    static let summary = "Show or change settings"
    static let discussion = """
        Without words, lists every setting with its value and where that comes from. With a key, shows that \
        one; with a key and a value, writes it to the settings file.
        """
    static let examples = [
        ("aura config", "Lists all settings."),
        ("aura config vault.default Corporate", "Captures go to Corporate from now on."),
        ("aura config --unset editor", "Goes back to the default."),
    ]
    static let grammar = Grammar<Self>(
        .positional("key", \.key, help: "The setting."),
        .positional("value", \.value, help: "Its new value."),
        .flag("unset", \.unsets, help: "Take the key out of the file."))

    var key: String?
    var value: String?
    var unsets = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if let key, value != nil || unsets {
            try services.editSettings { file in
                if let value, !unsets {
                    try file.setting(key, to: value)
                } else {
                    try file.unsetting(key)
                }
            }
            invocation.console.say("aura: wrote \(services.places.settingsFile)")
            return .done
        }
        if let key, Settings.named(key) == nil {
            throw SettingsError.unknownKey(key, nearest: Settings.nearestKey(to: key))
        }
        invocation.print(
            list: services.resolved.rows.filter { key == nil || $0.setting.key == key }.map { row in
                SettingReport(
                    key: row.setting.key, value: row.value.description,
                    source: row.origin.description)
            })
        return .done
    }
}

private struct SettingReport: Report {
    let key: String
    let value: String
    let source: String

    var json: JSONValue {
        .record([("key", .string(key)), ("value", .string(value)), ("source", .string(source))])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let shown = value.isEmpty ? "(none)" : SafeDisplay.visible(value, keepsLines: false)
        return ["\(key.padding(to: 24)) \(shown.padding(to: 30)) \(style.secondary(source))"]
    }
}

/// How things stand.
struct StatusCommand: Command {
    static let name = "status"
    static let summary = "Show the home, its notes, the index and the models"
    static let examples = [("aura status", "Shows how things stand.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let library = try await services.library(invocation.console.say)
        let workspace = library.shelves[0].workspace
        let figures = try await services.figures(library)
        let waiting = library.shelves.reduce(0) { $0 + services.waitingThoughts($1.workspace) }
        let removed = try library.shelves.reduce(0) {
            try $0 + $1.workspace.trash.items().count
        }
        let locked = try services.wallStates().filter { !$0.isOpen }.map(\.vault)
        let rows: [(String, String, JSONValue)] = [
            ("home", services.homePath, .string(services.homePath)),
            (
                "sealing", workspace.seal == nil ? "plain" : "encrypted",
                .string(workspace.home.sealing.rawValue)
            ),
            (
                "locked vaults", locked.isEmpty ? "none" : locked.joined(separator: ", "),
                .array(locked.map { .string($0) })
            ),
            ("notes", "\(figures.notes)", .integer(figures.notes)),
            ("pending", "\(figures.pending)", .integer(figures.pending)),
            ("passages", "\(figures.passages)", .integer(figures.passages)),
            ("embedded", "\(figures.embedded)", .integer(figures.embedded)),
            (
                "in the inbox", "\(waiting)", .integer(waiting)
            ),
            (
                "in the trash", "\(removed)", .integer(removed)
            ),
            ("chat model", services.modelWords(.chat), .string(services.modelWords(.chat))),
            (
                "embedding model", services.modelWords(.embedding),
                .string(services.modelWords(.embedding))
            ),
        ]
        invocation.print(TableReport(rows: rows))
        return .done
    }
}

/// Name and value, a line each; one object in JSON.
struct TableReport: Report {
    let rows: [(name: String, shown: String, value: JSONValue)]

    var json: JSONValue {
        .record(rows.map { ($0.name.map { $0 == " " ? "_" : "\($0)" }.joined(), $0.value) })
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        rows.map {
            "\(style.secondary($0.name.padding(to: 18))) \(SafeDisplay.visible($0.shown, keepsLines: false))"
        }
    }
}

/// Looks for what is wrong.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Look for what is wrong, and say what to do"
    static let examples = [("aura doctor", "Checks settings, home, notes, index and models.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let findings = await invocation.services.examine(invocation.console.progress)
        invocation.console.endProgress()
        invocation.print(list: findings.map(FindingReport.init))
        return findings.contains { $0.level == .problem } ? .nothingFoundOrLeftUndone : .done
    }
}

private struct FindingReport: Report {
    let finding: Services.Finding

    var json: JSONValue {
        .record([
            ("check", .string(finding.check)), ("level", .string(finding.level.rawValue)),
            ("message", .string(finding.message)), ("hint", .optional(finding.hint)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let mark =
            switch finding.level {
            case .fine: style.colour("ok     ", hex: "#00E5A0")
            case .note: style.secondary("note   ")
            case .problem: style.danger("problem")
            }
        let text =
            "\(mark) \(finding.check.padding(to: 10)) \(SafeDisplay.visible(finding.message, keepsLines: false))"
        return [text]
            + (finding.hint.map {
                [style.secondary("        \(SafeDisplay.visible($0, keepsLines: false))")]
            } ?? [])
    }
}

/// Which hosts aura ever spoke to.
struct PrivacyCommand: Command {
    static let name = "privacy"
    static let summary = "List every host aura ever spoke to, and why"
    static let discussion = """
        Nothing leaves this machine unless a command that says so is run. Each request that did is noted \
        with its host, the command and the time; this lists the notes.
        """
    static let examples = [("aura privacy", "Lists hosts; normally none.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let contacts = invocation.services.contacts.all()
        invocation.print(list: contacts.map(ContactReport.init))
        if contacts.isEmpty, !globals.isJSON {
            invocation.console.writeLine("No host was ever contacted.")
        }
        return .done
    }
}

private struct ContactReport: Report {
    let contact: Contacts.Contact

    var json: JSONValue {
        .record([
            ("host", .string(contact.host)), ("why", .string(contact.purpose)),
            ("times", .integer(contact.count)), ("first", .string(contact.first)),
            ("last", .string(contact.last)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        [
            "\(SafeDisplay.visible(contact.host, keepsLines: false).padding(to: 30)) \(contact.purpose), \(contact.count) times, last \(contact.last)"
        ]
    }
}

/// Builds the index anew.
struct ReindexCommand: Command {
    static let name = "reindex"
    static let summary = "Build the index anew from the files"
    static let discussion = """
        The index is made of the notes and can always be built again; nothing is lost by it. Normally it \
        follows the files by itself.
        """
    static let examples = [("aura reindex", "Builds the index anew, vectors included.")]
    static let grammar = Grammar<Self>(
        .flag("words-only", \.isWordsOnly, help: "Leave the vectors for later."))

    var isWordsOnly = false
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        var embedded = 0
        var skipped = 0
        for workspace in try services.openWorkspaces() {
            services.sweep(workspace)
            console.progress("reading the notes…")
            let (store, report) = try await services.refreshedStore(workspace, anew: true)
            console.endProgress()
            skipped += report.skipped.count
            for remark in report.skipped {
                console.complain("aura: left out: \(remark.path): \(remark.text)")
            }
            guard !isWordsOnly else { continue }
            embedded += try await services.embedMissing(workspace, store) { done, total in
                console.progress("embedding \(done) of \(total) passages…")
            }
            console.endProgress()
        }
        let figures = try await services.figures(services.library(console.say))
        invocation.print(
            TableReport(rows: [
                ("notes", "\(figures.notes)", .integer(figures.notes)),
                ("passages", "\(figures.passages)", .integer(figures.passages)),
                ("embedded", "\(embedded)", .integer(embedded)),
                ("skipped", "\(skipped)", .integer(skipped)),
            ]))
        return skipped == 0 ? .done : .nothingFoundOrLeftUndone
    }
}
