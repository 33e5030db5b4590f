import AuraCore

/// Every command, in the order in which help shows them.
enum CommandTable {
    static let all: [any Command.Type] = [
        InitCommand.self, CaptureCommand.self, EnrichCommand.self,
        SearchCommand.self, SimilarCommand.self, AskCommand.self, DistillWeeklyCommand.self,
        ListCommand.self, TagsCommand.self, ShowCommand.self, EditCommand.self, MoveCommand.self,
        FileCommand.self,
        RemoveCommand.self, RestoreCommand.self,
        HistoryCommand.self, UndoCommand.self, LogCommand.self,
        VaultsListCommand.self, VaultsAddCommand.self, VaultsRenameCommand.self,
        VaultsRecolourCommand.self, VaultsLockCommand.self, VaultsUnlockCommand.self,
        EncryptCommand.self, DecryptCommand.self,
        LockCommand.self, UnlockCommand.self,
        KeyShowRecipientCommand.self, KeyRecoveryCommand.self, KeyChangePassphraseCommand.self,
        KeyRestoreCommand.self, KeyRotateCommand.self, KeyAddRecipientCommand.self,
        KeyRemoveRecipientCommand.self,
        ModelListCommand.self, ModelAddCommand.self, ModelPullCommand.self, ModelUseCommand.self,
        ModelRemoveCommand.self, ModelInfoCommand.self, ModelStopCommand.self,
        ModelBenchCommand.self,
        ConfigCommand.self, StatusCommand.self, DoctorCommand.self, PrivacyCommand.self,
        ReindexCommand.self, BenchCommand.self, WhenCommand.self, CleanCommand.self,
        WorkCommand.self, DocumentCommand.self,
    ]

    enum Route {
        case command(any Command.Type, words: [String])
        /// `aura`, `aura --help`, `aura help`.
        case overview
        case version
    }

    /// Finds the command among the words; global options may stand before it.
    static func route(_ arguments: [String]) throws(UsageError) -> Route {
        var before: [String] = []
        var rest = arguments[...]
        while let word = rest.first, word.hasPrefix("-"), word != "--" {
            rest.removeFirst()
            if word == "--version" { return .version }
            before.append(word)
            if GlobalOptions.valued.contains(word), let value = rest.popFirst() {
                before.append(value)
            }
        }
        guard let first = rest.popFirst(), first != "help" || !rest.isEmpty else {
            return .overview
        }
        if first == "help" {
            let (command, _) = try find(rest.popFirst() ?? "", &rest)
            return .command(command, words: ["--help"])
        }
        if first == "version" { return .version }
        let (command, _) = try find(first, &rest)
        return .command(command, words: before + rest)
    }

    /// Two words if they name a command (`vaults add`), else one. A group's name alone stands for its
    /// first member (`vaults` → `vaults list`).
    private static func find(
        _ first: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> (any Command.Type, String) {
        if let second = rest.first, let command = named("\(first) \(second)") {
            rest.removeFirst()
            return (command, "\(first) \(second)")
        }
        if let command = named(first) { return (command, first) }
        let group = all.filter { $0.name.hasPrefix("\(first) ") }
        if let leader = group.first {
            guard let second = rest.first, !second.hasPrefix("-") else { return (leader, first) }
            let nearest = EditDistance.nearest(
                to: second, in: group.map { String($0.name.dropFirst(first.count + 1)) })
            throw .unknownCommand(
                "\(first) \(second)", nearest: nearest.map { "\(first) \($0)" })
        }
        let known = all.filter { !$0.isHidden }.flatMap { command in
            [String(command.name.prefix { $0 != " " })] + command.aliases
        }
        throw .unknownCommand(
            first, nearest: EditDistance.nearest(to: first.lowercased(), in: known))
    }

    static func named(_ name: String) -> (any Command.Type)? {
        all.first { $0.name == name || $0.aliases.contains(name) }
    }
}
