/// One thing a person can set: its name, what it takes, and what it is for.
package struct Setting: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A file or folder; `~/` is the home folder.
        case path
        /// Any text: a file name, a command line.
        case text
        case vaultName
        case flag
        case count(ClosedRange<Int>)
        case choice([String])
        /// One or more of these, parted by blanks or commas.
        case list([String])
    }

    /// `model.chat`
    package let key: String
    package let kind: Kind
    package let standard: SettingValue
    /// One sentence for `aura config` and `docs/settings.md`.
    package let summary: String

    /// `AURA_MODEL_CHAT`
    package var environmentName: String {
        "AURA_" + key.uppercased().replacing(".", with: "_")
    }

    /// What the setting takes, to follow "takes": "a whole number from 1 to 20".
    package var expectation: String {
        switch kind {
        case .path: "a path"
        case .text: "a text"
        case .vaultName: "the name of a vault"
        case .flag: "true or false"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let words):
            words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        case .list(let words): "one or more of " + words.joined(separator: ", ")
        }
    }

    /// Nil when the text is none that the setting takes.
    package func value(of text: String) -> SettingValue? {
        switch kind {
        case .path, .text: text.isEmpty || text.utf8.contains(0) ? nil : .text(text)
        case .vaultName: VaultName.isValid(text) ? .text(text) : nil
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "on": .flag(true)
            case "false", "no", "off": .flag(false)
            default: nil
            }
        case .count(let range): Int(text).flatMap { range.contains($0) ? .count($0) : nil }
        case .choice(let words): words.contains(text.lowercased()) ? .text(text.lowercased()) : nil
        case .list(let words): Setting.list(text, of: words).map { .text($0) }
        }
    }
}

extension Setting {
    /// The words, each once, parted by single blanks; nil when there are none or one is unknown.
    private static func list(_ text: String, of known: [String]) -> String? {
        var words: [String] = []
        for part in text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard known.contains(String(part)) else { return nil }
            if !words.contains(String(part)) { words.append(String(part)) }
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

package enum SettingValue: Hashable, Sendable {
    case text(String)
    case count(Int)
    case flag(Bool)
}

extension SettingValue: CustomStringConvertible {
    /// As it is written in the settings file, without quotes.
    package var description: String {
        switch self {
        case .text(let text): text
        case .count(let number): String(number)
        case .flag(let isOn): String(isOn)
        }
    }
}
