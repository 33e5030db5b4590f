import AuraCore

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
        do {
            let workspace = try services.workspace()
            let store = try await services.freshStore(workspace, invocation.console.say)
            for note in try await store.list() { counts[note.vault, default: 0] += 1 }
        } catch VaultError.noHome {
            // The vaults are known from the settings before there is a home.
        } catch SealError.locked {
            invocation.console.say("aura: the vaults are locked: their notes are not counted")
        }
        let known = services.settings.vaults
        var reports = known.map { vault in
            VaultReport(
                name: vault.name, colour: vault.colour.description, icon: vault.icon,
                purpose: vault.purpose,
                notes: counts[vault.name] ?? 0,
                isDefault: vault.name == services.settings.defaultVault)
        }
        // Folders that hold notes are vaults too, in an adopted home above all.
        for name in counts.keys.sorted() where !known.contains(where: { $0.name == name }) {
            reports.append(
                VaultReport(
                    name: name, colour: "#7D8590", icon: "", purpose: "", notes: counts[name] ?? 0,
                    isDefault: false))
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

    var json: JSONValue {
        .record([
            ("name", .string(name)), ("colour", .string(colour)), ("icon", .string(icon)),
            ("purpose", .string(purpose)), ("notes", .integer(notes)),
            ("default", .bool(isDefault)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let shown = SafeDisplay.visible(name, keepsLines: false).padding(to: 14)
        let count = "\(notes) notes".padding(to: 12)
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

extension Colour {
    /// A colour from the command line.
    /// - Throws: `SettingsError.badColour`.
    static func typed(_ text: String) throws -> Colour {
        guard let colour = Colour(text) else { throw SettingsError.badColour(text, at: .argument) }
        return colour
    }
}
