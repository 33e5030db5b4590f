import AuraCore
import AuraCrypto

/// Lists the vaults.
struct VaultsListCommand: Command {
    static let name = "vaults list"
    static let summary = "List the vaults"
    static let examples = [("aura vaults", "Lists name, colour, number of notes and purpose.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        var counts: [String: Int] = [:]
        var locked: Set<String> = []
        do {
            let library = try await services.library(invocation.console.say)
            for note in try await library.list() { counts[note.vault, default: 0] += 1 }
            locked = Set(try services.wallStates().filter { !$0.isOpen }.map(\.vault))
        } catch VaultError.noHome {
            // The vaults are known from the settings before there is a home.
        } catch SealError.locked {
            locked = Set(services.settings.vaults.map(\.name))
            invocation.console.say("aura: the vaults are locked: their notes are not counted")
        }
        let known = services.settings.vaults
        var reports = known.map { vault in
            VaultReport(
                name: vault.name, colour: vault.colour.description, icon: vault.icon,
                purpose: vault.purpose,
                notes: counts[vault.name] ?? 0,
                isDefault: vault.name == services.settings.defaultVault,
                isLocked: locked.contains(vault.name))
        }
        // Folders that hold notes are vaults too, in an adopted home above all.
        for name in Set(counts.keys).union(locked).sorted()
        where !known.contains(where: { $0.name == name }) {
            reports.append(
                VaultReport(
                    name: name, colour: "#7D8590", icon: "", purpose: "", notes: counts[name] ?? 0,
                    isDefault: false, isLocked: locked.contains(name)))
        }
        invocation.print(list: reports)
        return .done
    }
}

private struct VaultReport: Report {
    let name: String
    let colour: String
    let icon: String
    let purpose: String
    let notes: Int
    let isDefault: Bool
    /// Locked by itself: its notes are not counted.
    let isLocked: Bool

    var json: JSONValue {
        .record([
            ("name", .string(name)), ("colour", .string(colour)), ("icon", .string(icon)),
            ("purpose", .string(purpose)), ("notes", isLocked ? .null : .integer(notes)),
            ("default", .bool(isDefault)), ("locked", .bool(isLocked)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let shown = SafeDisplay.visible(name, keepsLines: false).padding(to: 14)
        let count = (isLocked ? "locked" : "\(notes) notes").padding(to: 12)
        let text =
            "\(style.colour(shown, hex: colour)) \(count) \(style.secondary(SafeDisplay.visible(purpose, keepsLines: false)))"
        return [isDefault ? text + style.secondary(" (default)") : text]
    }
}

/// Adds a vault to the settings.
struct VaultsAddCommand: Command {
    static let name = "vaults add"
    static let summary = "Add a vault"
    static let examples = [
        (
            "aura vaults add Garden --colour '#3FB950' --purpose 'beds, seeds, harvest'",
            "Adds a vault."
        )
    ]
    static let grammar = Grammar<Self>(
        .required("name", \.vault, help: "Its name."),
        .option("colour", \.colour, value: "#RRGGBB", help: "Its colour."),
        .option("icon", \.icon, value: "icon", help: "A sign for it."),
        .option("short", \.short, value: "name", help: "A short name."),
        .option("purpose", \.purpose, value: "text", help: "What it is for; filing looks at it."))

    var vault = ""
    var colour: String?
    var icon: String?
    var short: String?
    var purpose = ""
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let colour = try self.colour.map { try Colour.typed($0) }
        try services.editSettings { file in
            var preset = VaultPreset(
                name: vault, colour: colour ?? Colour(red: 0x7D, green: 0x85, blue: 0x90))
            if let short { preset.short = short }
            if let icon { preset.icon = icon }
            preset.purpose = purpose
            return try file.addingVault(preset)
        }
        invocation.console.say("aura: added the vault \(vault)")
        return .done
    }
}

/// Renames a vault: in the settings, and its folder.
struct VaultsRenameCommand: Command {
    static let name = "vaults rename"
    static let summary = "Rename a vault and its folder"
    static let examples = [
        ("aura vaults rename Projects Workshop", "Renames the vault and its folder.")
    ]
    static let grammar = Grammar<Self>(
        .required("name", \.vault, help: "Its name now."),
        .required("new-name", \.newName, help: "Its name from now on."))

    var vault = ""
    var newName = ""
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let name = try services.vaultName(vault)
        try services.renameVault(name, to: newName)
        invocation.console.say("aura: \(name) is called \(newName) now")
        return .done
    }
}

/// Gives a vault another colour.
struct VaultsRecolourCommand: Command {
    static let name = "vaults recolour"
    static let aliases = ["vaults recolor"]
    static let summary = "Give a vault another colour"
    static let examples = [("aura vaults recolour Family '#FFB627'", "Makes Family gold.")]
    static let grammar = Grammar<Self>(
        .required("name", \.vault, help: "The vault."),
        .required("colour", \.colour, help: "The colour, as #RRGGBB."))

    var vault = ""
    var colour = ""
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let name = try invocation.services.vaultName(vault)
        let colour = try Colour.typed(self.colour)
        try invocation.services.editSettings { try $0.recolouringVault(name, colour) }
        invocation.console.say("aura: \(name) has the colour \(colour) now")
        return .done
    }
}

/// Locks one vault by itself.
struct VaultsLockCommand: Command {
    static let name = "vaults lock"
    static let summary = "Lock one vault by itself, with a key of its own"
    static let discussion = """
        The first time, the vault gets a key and a passphrase of its own, and its notes, their journal and \
        their index move behind it. While it is locked its notes are neither listed, searched, asked nor \
        distilled, though the other vaults are open; a capture into it is sealed and filed later.
        """
    static let examples = [
        ("aura vaults lock Family", "Asks for a passphrase the first time, then locks the vault.")
    ]
    static let grammar = Grammar<Self>(
        .required("name", \.vault, help: "The vault."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read the new key's passphrase from this descriptor."))

    var vault = ""
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let name = try services.vaultName(vault)
        var passphrase: Secret?
        if try !services.hasWall(name) {
            passphrase = try Passphrase.new(
                invocation, descriptor: descriptor, option: "passphrase-fd")
            guard passphrase != nil else { throw PassphraseError.empty }
        }
        let count = try await services.lockVault(name, passphrase: passphrase)
        invocation.console.say(
            count > 0
                ? "aura: \(name) is locked; \(count) files moved behind its key"
                : "aura: \(name) is locked")
        return .done
    }
}

/// Opens a vault that is locked by itself.
struct VaultsUnlockCommand: Command {
    static let name = "vaults unlock"
    static let summary = "Open a vault that is locked by itself"
    static let examples = [
        ("aura vaults unlock Family --for 1h", "Opens the vault for an hour."),
        (
            "aura vaults unlock Family --remove-wall",
            "Puts its notes back among the others for good."
        ),
    ]
    static let grammar = Grammar<Self>(
        .required("name", \.vault, help: "The vault."),
        .option("for", \.duration, value: "time", help: "How long: 30m, 8h, 2d."),
        .flag("remove-wall", \.removesWall, help: "Give up its own key: one lock for all again."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read its passphrase from this descriptor."))

    var vault = ""
    var duration: TimeSpan?
    var removesWall = false
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let name = try services.vaultName(vault)
        let passphrase = try Passphrase.present(invocation, descriptor: descriptor)
        if removesWall {
            let count = try await services.removeWall(name, passphrase)
            invocation.console.say("aura: \(name) is one of the others again; \(count) files moved")
            return .done
        }
        let span = duration ?? .usual(services)
        try await services.unlockVault(name, passphrase, for: span.duration)
        invocation.console.say("aura: \(name) is open for \(span)")
        return .done
    }
}

extension Colour {
    /// A colour from the command line.
    /// - Throws: `SettingsError.badColour`.
    static func typed(_ text: String) throws -> Colour {
        guard let colour = Colour(text) else { throw SettingsError.badColour(text, at: .argument) }
        return colour
    }
}
