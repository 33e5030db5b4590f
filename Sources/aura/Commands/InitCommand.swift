import AuraCore
import AuraCrypto
import AuraSystem

/// Makes a vault home.
struct InitCommand: Command {
    static let name = "init"
    static let summary = "Make a vault home"
    static let discussion = """
        Makes a home for the vaults at the place that the settings name (see 'aura config'), or in the \
        folder given. It is encrypted: notes are age files under names that tell nothing, and everything \
        made from them is encrypted, too. At a terminal a passphrase is asked for (none will do) and the \
        recovery code is shown once. --plain makes a home of readable Markdown for other programs.
        --adopt uses a folder of Markdown that is there already (an Obsidian vault, say) in place: its \
        folders are the vaults, and no file is rewritten until you edit it.
        """
    static let examples = [
        ("aura init", "Makes an encrypted home in the usual place."),
        ("aura init --plain --adopt ~/Notes", "Uses a folder of Markdown in place."),
    ]
    static let grammar = Grammar<Self>(
        .positional("folder", \.folder, help: "Where to make it."),
        .flag("plain", \.isPlain, help: "Readable Markdown files, not encrypted."),
        .option("adopt", \.adopted, value: "folder", help: "Use this folder of Markdown in place."),
        .option(
            "passphrase-fd", \.descriptor, value: "number",
            help: "Read a passphrase for the key from this descriptor."))

    var folder: String?
    var isPlain = false
    var adopted: String?
    var descriptor: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if folder != nil, adopted != nil {
            throw UsageError.conflict("give a folder or --adopt, not both", hint: nil)
        }
        let path = Host.absolutePath(adopted ?? folder ?? services.homePath)
        if adopted != nil, try Files.status(of: path, followingLinks: true)?.kind != .folder {
            throw InputError.badValue("there is no folder \(path)", hint: "check the path")
        }
        let isPlain = isPlain || adopted != nil || services.settings.makesPlainHomes
        if isPlain, descriptor != nil {
            throw UsageError.conflict(
                "a plain home has no passphrase", hint: "leave one of them out")
        }
        let wasThere = (try? VaultHome.open(path)) != nil
        var passphrase: Secret?
        if !isPlain, !wasThere, descriptor != nil || Passphrase.mayAsk(invocation) {
            passphrase = try Passphrase.new(invocation, descriptor: descriptor)
        }
        let home = try services.makeHome(
            at: path, sealing: isPlain ? .plain : .age, passphrase: passphrase,
            adopting: adopted != nil)
        let notes = home.sealing == .plain ? try NoteFiles(layout: home.layout).listing().count : 0
        if !wasThere, let passphrase { try services.unlock(home, passphrase) }
        if !wasThere, home.sealing == .age {
            try RecoveryCode.show(
                services.keyFiles(of: home), passphrase: passphrase, invocation.console)
        }
        if path != services.homePath {
            invocation.console.say(
                "aura: it is not the usual home; 'aura config vault.home \(path)' makes it that")
        }
        invocation.print(
            InitReport(
                path: path, id: home.id, sealing: home.sealing, notes: notes, wasThere: wasThere,
                isAdopted: home.isAdopted))
        return .done
    }
}

private struct InitReport: Report {
    let path: String
    let id: String
    let sealing: VaultHome.Sealing
    let notes: Int
    let wasThere: Bool
    let isAdopted: Bool

    var json: JSONValue {
        .record([
            ("path", .string(path)), ("id", .string(id)), ("sealing", .string(sealing.rawValue)),
            ("adopted", .bool(isAdopted)), ("notes", .integer(notes)),
            ("made", .bool(!wasThere)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let verb =
            wasThere ? "There is a home already" : isAdopted ? "Using the folder" : "Made the home"
        let kind = sealing == .plain ? "plain, \(notes) notes" : "encrypted"
        return ["\(verb): \(SafeDisplay.visible(path, keepsLines: false)) (\(kind))"]
    }
}
