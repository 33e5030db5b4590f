internal import AuraYAML

/// The person's settings file: YAML, with keys nested (`model:` above `chat:`) or dotted
/// (`model.chat:`), and the list of vaults.
///
/// Changing it gives new bytes in which only the lines in question differ.
package struct SettingsFile: Sendable {
    package let path: String
    package let bytes: [UInt8]
    /// What the file sets, by key.
    package let entries: [String: Entry]
    /// Nil when the file lists none.
    package let vaults: [VaultPreset]?
    package let warnings: [SettingsWarning]

    package struct Entry: Hashable, Sendable {
        package let value: SettingValue
        package let line: Int
        /// How the key is written: `["model", "chat"]` or `["model.chat"]`.
        let path: [String]
    }

    /// A file that is not there is an empty one.
    /// - Throws: `SettingsError` with line and column for what cannot be read.
    package init(bytes: [UInt8] = [], path: String = "") throws(SettingsError) {
        self.bytes = bytes
        self.path = path
        var reader = SettingsReader(bytes, path)
        try reader.read()
        entries = reader.entries
        vaults = reader.vaults
        warnings = reader.warnings
    }
}

// MARK: - Writing

extension SettingsFile {
    /// The file with one setting changed or added.
    /// - Parameter text: what a person typed; checked first.
    package func setting(_ key: String, to text: String) throws(SettingsError) -> [UInt8] {
        let setting = try known(key)
        guard let value = setting.value(of: text) else {
            throw .badValue(key: key, text: text, expectation: setting.expectation, at: .argument)
        }
        let written: YAMLValue =
            if case .text(let text) = value { .text(text) } else { .verbatim(value.description) }
        let place = entries[key]?.path ?? key.split(separator: ".").map(String.init)
        return try changed(key) { yaml throws(YAMLEditError) in try yaml.set(place, to: written) }
    }

    /// The file without the setting: its default holds again.
    package func unsetting(_ key: String) throws(SettingsError) -> [UInt8] {
        _ = try known(key)
        guard let entry = entries[key] else { return bytes }
        return try changed(key) { yaml throws(YAMLEditError) in try yaml.remove(entry.path) }
    }

    package func addingVault(_ vault: VaultPreset) throws(SettingsError) -> [UInt8] {
        try check(vault.name)
        let old = vaults ?? VaultPreset.standard
        if old.contains(where: { VaultPreset.isSame($0.name, vault.name) }) {
            throw .vaultExists(vault.name)
        }
        return try changed("vaults") { yaml throws(YAMLEditError) in
            if vaults == nil {
                try yaml.set(["vaults"], to: SettingsFile.list(old + [vault]))
            } else {
                try yaml.append(SettingsFile.pairs(vault), toListAt: ["vaults"])
            }
        }
    }

    /// The list of vaults with the new name, which `vault.default` follows. Moving the folder is
    /// the caller's part.
    package func renamingVault(_ name: String, to newName: String) throws(SettingsError) -> [UInt8]
    {
        try check(newName)
        let index = try index(ofVault: name)
        let list = vaults ?? VaultPreset.standard
        if list.enumerated().contains(where: {
            $0.offset != index && VaultPreset.isSame($0.element.name, newName)
        }) {
            throw .vaultExists(newName)
        }
        let result = try changingVault(name, "name", to: newName) { $0.name = newName }
        let file = try SettingsFile(bytes: result, path: path)
        let standard =
            (entries["vault.default"]?.value).map { $0.description } ?? Settings().defaultVault
        guard VaultPreset.isSame(standard, list[index].name) else { return result }
        return try file.setting("vault.default", to: newName)
    }

    package func recolouringVault(
        _ name: String, _ colour: Colour
    ) throws(SettingsError) -> [UInt8] {
        try changingVault(name, "colour", to: colour.description) { $0.colour = colour }
    }

    package func changingVault(
        _ name: String, short: String? = nil, icon: String? = nil, purpose: String? = nil
    ) throws(SettingsError) -> [UInt8] {
        var file = self
        if let short {
            file = try SettingsFile(
                bytes: file.changingVault(name, "short", to: short) { $0.short = short }, path: path
            )
        }
        if let icon {
            file = try SettingsFile(
                bytes: file.changingVault(name, "icon", to: icon) { $0.icon = icon }, path: path)
        }
        if let purpose {
            file = try SettingsFile(
                bytes: file.changingVault(name, "purpose", to: purpose) { $0.purpose = purpose },
                path: path)
        }
        return file.bytes
    }

    private func changingVault(
        _ name: String, _ key: String, to text: String, _ change: (inout VaultPreset) -> Void
    ) throws(SettingsError) -> [UInt8] {
        let index = try index(ofVault: name)
        var list = VaultPreset.standard
        if vaults == nil { change(&list[index]) }
        return try changed("vaults") { yaml throws(YAMLEditError) in
            guard vaults != nil else {
                return try yaml.set(["vaults"], to: SettingsFile.list(list))
            }
            if yaml.node(at: ["vaults"])?.items?[index].text != nil {
                throw .unsupported(reason: "the vault is a name alone; give it 'name:'", line: 1)
            }
            try yaml.set(
                key, inItem: index, ofListAt: ["vaults"], to: .text(text),
                order: SettingsFile.vaultKeys)
        }
    }

    private func check(_ name: String) throws(SettingsError) {
        if let problem = VaultName.problem(with: name) {
            throw .badVaultName(name, problem: problem, at: .argument)
        }
    }

    private func index(ofVault name: String) throws(SettingsError) -> Int {
        let list = vaults ?? VaultPreset.standard
        guard let index = list.firstIndex(where: { VaultPreset.isSame($0.name, name) }) else {
            throw .unknownVault(name, nearest: EditDistance.nearest(to: name, in: list.map(\.name)))
        }
        return index
    }

    private func known(_ key: String) throws(SettingsError) -> Setting {
        guard let setting = Settings.named(key) else {
            throw .unknownKey(key, nearest: Settings.nearestKey(to: key))
        }
        return setting
    }

    /// Makes the change and reads the result once more, so that no broken file is ever written.
    private func changed(
        _ key: String, _ change: (inout YAMLEdit) throws(YAMLEditError) -> Void
    ) throws(SettingsError) -> [UInt8] {
        let result: [UInt8]
        do throws(YAMLEditError) {
            var yaml = try YAMLEdit(bytes)
            try change(&yaml)
            result = yaml.bytes
        } catch {
            switch error {
            case .unreadable(let error):
                let line = error.place?.line ?? 1
                throw .unsupported(key: key, reason: error.message, at: place(line: line))
            case .unsupported(let reason, let line):
                throw .unsupported(key: key, reason: reason, at: place(line: line))
            }
        }
        _ = try SettingsFile(bytes: result, path: path)
        return result
    }

    private func place(line: Int) -> SettingsPlace {
        SettingsReader.place(line: line, column: 1, in: bytes, path)
    }

    static let vaultKeys = ["name", "colour", "short", "icon", "purpose"]

    private static func pairs(_ vault: VaultPreset) -> [(key: String, value: YAMLValue)] {
        var pairs: [(key: String, value: YAMLValue)] = [
            ("name", .text(vault.name)), ("colour", .quoted(vault.colour.description)),
            ("short", .text(vault.short)), ("icon", .text(vault.icon)),
        ]
        if !vault.purpose.isEmpty { pairs.append(("purpose", .text(vault.purpose))) }
        return pairs
    }

    private static func list(_ vaults: [VaultPreset]) -> YAMLValue { .items(vaults.map(pairs)) }
}

// MARK: - Reading

private struct SettingsReader {
    private(set) var entries: [String: SettingsFile.Entry] = [:]
    private(set) var vaults: [VaultPreset]?
    private(set) var warnings: [SettingsWarning] = []
    private let bytes: [UInt8]
    private let path: String

    init(_ bytes: [UInt8], _ path: String) {
        self.bytes = bytes
        self.path = path
    }

    mutating func read() throws(SettingsError) {
        let document: YAMLDocument
        do throws(YAMLError) {
            document = try YAMLDocument(bytes)
        } catch {
            let (line, column) = error.place ?? (1, 1)
            throw .unreadable(
                reason: error.message,
                at: SettingsReader.place(line: line, column: column, in: bytes, path))
        }
        if document.hasMoreDocuments {
            warn("only the first YAML document is read", nil, line: nil)
        }
        guard let root = document.root, !root.isNull else { return }
        guard root.pairs != nil else {
            throw .unreadable(reason: "settings are lines 'key: value'", at: place(of: root))
        }
        try read(root, above: [])
    }

    private mutating func read(_ mapping: YAMLNode, above: [String]) throws(SettingsError) {
        for pair in mapping.pairs ?? [] {
            let path = above + [pair.key.text ?? ""]
            let key = path.joined(separator: ".")
            if key == "vaults" {
                vaults = try readVaults(pair.value)
            } else if let setting = Settings.named(key) {
                try read(setting, pair.value, path)
            } else if pair.value.pairs != nil,
                Settings.all.contains(where: { $0.key.hasPrefix("\(key).") })
            {
                try read(pair.value, above: path)
            } else if !pair.value.isNull
                || !Settings.all.contains(where: { $0.key.hasPrefix("\(key).") })
            {
                let nearest = Settings.nearestKey(to: key)
                warn(
                    "there is no setting called '\(key.prefix(bytes: 80))'",
                    nearest.map { "did you mean '\($0)'?" }, line: pair.key.start.line)
            }
        }
    }

    private mutating func read(
        _ setting: Setting, _ node: YAMLNode, _ path: [String]
    ) throws(SettingsError) {
        // `key:` without a value sets nothing; neither does an empty text.
        if node.isNull || node.text == "" { return }
        if entries[setting.key] != nil {
            warn("'\(setting.key)' is there twice; the first counts", nil, line: node.start.line)
            return
        }
        guard let text = node.text, let value = setting.value(of: text) else {
            let text = node.text ?? (node.isAlias ? "an alias" : "a list")
            throw .badValue(
                key: setting.key, text: text, expectation: setting.expectation, at: place(of: node))
        }
        entries[setting.key] = SettingsFile.Entry(value: value, line: node.start.line, path: path)
    }

    private mutating func readVaults(_ node: YAMLNode) throws(SettingsError) -> [VaultPreset]? {
        if node.isNull { return nil }
        guard let items = node.items else {
            throw .badValue(
                key: "vaults", text: node.text ?? "a mapping", expectation: "a list",
                at: place(of: node))
        }
        var list: [VaultPreset] = []
        for item in items {
            let vault = try readVault(item, at: list.count)
            if list.contains(where: { VaultPreset.isSame($0.name, vault.name) }) {
                throw .badVaultName(vault.name, problem: "is there twice", at: place(of: item))
            }
            list.append(vault)
        }
        return list.isEmpty ? nil : list
    }

    private mutating func readVault(
        _ node: YAMLNode, at index: Int
    ) throws(SettingsError) -> VaultPreset {
        let nameNode = node["name"] ?? node
        let name = nameNode.text ?? ""
        if let problem = VaultName.problem(with: name) {
            throw .badVaultName(name, problem: problem, at: place(of: nameNode))
        }
        var vault =
            VaultPreset.standard.first { VaultPreset.isSame($0.name, name) }
            ?? VaultPreset(name: name, colour: VaultPreset.spareColour(index))
        vault.name = name
        for pair in node.pairs ?? [] {
            let text = pair.value.text ?? ""
            switch pair.key.text {
            case "name": break
            case "colour", "color":
                // `#` without quotes starts a comment, which leaves no value at all.
                guard let colour = Colour(text) else {
                    throw .badColour(text, at: place(of: pair.value))
                }
                vault.colour = colour
            case "short": vault.short = text
            case "icon": vault.icon = text
            case "purpose": vault.purpose = text
            default:
                let key = pair.key.text ?? ""
                warn(
                    "a vault has no '\(key.prefix(bytes: 80))'",
                    EditDistance.nearest(to: key, in: SettingsFile.vaultKeys).map {
                        "did you mean '\($0)'?"
                    },
                    line: pair.key.start.line)
            }
        }
        return vault
    }

    private mutating func warn(_ text: String, _ hint: String?, line: Int?) {
        let place = line.map { "\(path):\($0)" } ?? path
        warnings.append(SettingsWarning(message: "\(place): \(text)", hint: hint))
    }

    private func place(of node: YAMLNode) -> SettingsPlace {
        SettingsReader.place(line: node.start.line, column: node.start.column, in: bytes, path)
    }

    static func place(line: Int, column: Int, in bytes: [UInt8], _ path: String) -> SettingsPlace {
        let lines = LineEnding.lines(of: bytes[...])
        var text = lines.indices.contains(line - 1) ? lines[line - 1] : []
        while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
        return .file(
            path: path, line: line, column: column,
            text: String(decoding: text, as: UTF8.self).prefix(bytes: 200))
    }
}
