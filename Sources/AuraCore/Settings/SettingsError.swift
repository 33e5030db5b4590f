/// Where a setting was written.
package enum SettingsPlace: Hashable, Sendable {
    /// `text` is the line itself, for showing it with a mark. Line and column count from 1.
    case file(path: String, line: Int, column: Int, text: String)
    case environment(name: String)
    case flag(key: String)
    /// What a person typed to `aura config` or `aura vaults`.
    case argument
}

package enum SettingsError: Error, Equatable {
    case unreadable(reason: String, at: SettingsPlace)
    case badValue(key: String, text: String, expectation: String, at: SettingsPlace)
    case unknownKey(String, nearest: String?)
    case unknownVault(String, nearest: String?)
    case vaultExists(String)
    case badVaultName(String, problem: String, at: SettingsPlace)
    case badColour(String, at: SettingsPlace)
    /// The file is fine, but this part is written in a way that cannot be changed alone.
    case unsupported(key: String, reason: String, at: SettingsPlace)
}

extension SettingsError: Explained {
    package var message: String {
        switch self {
        case .unreadable(let reason, let place): place.pointing(at: reason)
        case .badValue(let key, let text, let expectation, let place):
            place.pointing(at: "'\(key)' takes \(expectation), not '\(text.prefix(bytes: 80))'")
        case .unknownKey(let key, _): "there is no setting called '\(key)'"
        case .unknownVault(let name, _): "there is no vault called '\(name)'"
        case .vaultExists(let name): "there is a vault called '\(name)' already"
        case .badVaultName(let name, let problem, let place):
            place.pointing(at: "the vault's name '\(name.prefix(bytes: 80))' \(problem)")
        case .badColour(let text, let place):
            place.pointing(at: "'\(text.prefix(bytes: 40))' is no colour")
        case .unsupported(let key, let reason, let place):
            place.pointing(at: "'\(key)' cannot be changed: \(reason)")
        }
    }

    package var hint: String? {
        switch self {
        case .unreadable(_, .file(let path, _, _, _)), .badValue(_, _, _, .file(let path, _, _, _)):
            "correct the line in '\(path)'"
        case .badValue(_, _, _, .environment(let name)): "unset \(name) or give it another value"
        case .unreadable, .badValue: nil
        case .unknownKey(_, let nearest?), .unknownVault(_, let nearest?):
            "did you mean '\(nearest)'?"
        case .unknownKey: "'aura config' lists them"
        case .unknownVault: "'aura vaults' lists them"
        case .vaultExists: "names of vaults do not tell upper from lower case"
        case .badVaultName: "use 1 to 40 letters, digits, blanks or hyphens"
        case .badColour: "write it as #RRGGBB, in quotes in the settings file"
        case .unsupported: "change it in an editor"
        }
    }
}

extension SettingsPlace {
    /// The text behind the place, with the line and a mark below it where there is one.
    func pointing(at text: String) -> String {
        switch self {
        case .file(let path, let line, let column, let source):
            let before = source.unicodeScalars.prefix(column - 1)
            let blanks = String(String.UnicodeScalarView(before.map { $0 == "\t" ? $0 : " " }))
            return "\(path):\(line):\(column): \(text)\n  \(source)\n  \(blanks)^"
        case .environment(let name): return "\(name): \(text)"
        case .flag, .argument: return text
        }
    }
}

/// Something in the settings that is not used.
package struct SettingsWarning: Hashable, Sendable {
    package let message: String
    package let hint: String?
}
