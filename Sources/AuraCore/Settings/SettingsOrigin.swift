/// Which source won, for each setting.
package enum SettingsOrigin: Hashable, Sendable {
    case standard
    case file(path: String, line: Int)
    case environment(name: String)
    case flag

    /// Puts the sources together: defaults, below the person's file, below `AURA_…` variables,
    /// below flags. Reads nothing else: what is in a synced vault can never change a setting.
    ///
    /// - Parameters:
    ///   - environment: all variables; an empty one counts as not set. `AURA_VAULT_DIR` is another
    ///     name for `AURA_VAULT_HOME`, and wins.
    ///   - flags: setting keys with what was typed.
    /// - Throws: `SettingsError.badValue` naming the variable or flag, `unknownKey` for a flag's key.
    package static func resolve(
        file: SettingsFile? = nil, environment: [String: String] = [:],
        flags: [String: String] = [:]
    ) throws(SettingsError) -> ResolvedSettings {
        var settings = Settings()
        var origins: [String: SettingsOrigin] = [:]
        for setting in Settings.all {
            let found: (value: SettingValue, origin: SettingsOrigin)?
            if let text = flags[setting.key] {
                found = (try value(of: text, setting, .flag(key: setting.key)), .flag)
            } else if let (name, text) = variable(for: setting, in: environment) {
                let value = try value(of: text, setting, .environment(name: name))
                found = (value, .environment(name: name))
            } else if let file, let entry = file.entries[setting.key] {
                found = (entry.value, .file(path: file.path, line: entry.line))
            } else {
                found = nil
            }
            origins[setting.key] = found?.origin ?? .standard
            if let found { settings.set(setting.key, to: found.value) }
        }
        if let key = flags.keys.sorted().first(where: { Settings.named($0) == nil }) {
            throw .unknownKey(key, nearest: Settings.nearestKey(to: key))
        }
        var warnings = file?.warnings ?? []
        if let vaults = file?.vaults { settings.vaults = vaults }
        settleDefaultVault(&settings, origins["vault.default"] ?? .standard, &warnings)
        return ResolvedSettings(settings: settings, origins: origins, warnings: warnings)
    }

    /// The default vault is one of the list: the first, where nobody chose one.
    private static func settleDefaultVault(
        _ settings: inout Settings, _ origin: SettingsOrigin, _ warnings: inout [SettingsWarning]
    ) {
        let (name, vaults) = (settings.defaultVault, settings.vaults)
        if let vault = vaults.first(where: { VaultPreset.isSame($0.name, name) }) {
            settings.defaultVault = vault.name
        } else if origin == .standard {
            settings.defaultVault = vaults.first?.name ?? name
        } else {
            let nearest = EditDistance.nearest(to: name, in: vaults.map(\.name))
            warnings.append(
                SettingsWarning(
                    message: "vault.default: there is no vault called '\(name)' in the settings",
                    hint: nearest.map { "did you mean '\($0)'?" } ?? "'aura vaults' lists them"))
        }
    }

    private static func variable(
        for setting: Setting, in environment: [String: String]
    ) -> (name: String, text: String)? {
        let names =
            (setting.key == "vault.home" ? ["AURA_VAULT_DIR"] : []) + [setting.environmentName]
        for name in names {
            if let text = environment[name], !text.isEmpty { return (name, text) }
        }
        return nil
    }

    private static func value(
        of text: String, _ setting: Setting, _ place: SettingsPlace
    ) throws(SettingsError) -> SettingValue {
        guard let value = setting.value(of: text) else {
            throw .badValue(
                key: setting.key, text: text, expectation: setting.expectation, at: place)
        }
        return value
    }
}

extension SettingsOrigin: CustomStringConvertible {
    /// For the last column of `aura config`.
    package var description: String {
        switch self {
        case .standard: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): name
        case .flag: "command line"
        }
    }
}

/// The settings of one run, each with where it came from.
package struct ResolvedSettings: Sendable {
    package let settings: Settings
    package let origins: [String: SettingsOrigin]
    package let warnings: [SettingsWarning]

    /// In the order of `Settings.all`, for `aura config`.
    package var rows: [(setting: Setting, value: SettingValue, origin: SettingsOrigin)] {
        Settings.all.map { setting in
            (
                setting, settings.value(of: setting.key) ?? setting.standard,
                origins[setting.key] ?? .standard
            )
        }
    }
}
