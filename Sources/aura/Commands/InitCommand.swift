import AuraCore
import AuraSystem

/// Makes a vault home.
struct InitCommand: Command {
    static let name = "init"
    static let summary = "Make a vault home"
    static let discussion = """
        Makes a home for the vaults at the place that the settings name (see 'aura config'), or in the \
        folder given. Homes are plain Markdown in this version: encrypted homes are being built, and \
        until then every home is made as with --plain.
        --adopt uses a folder of Markdown that is there already (an Obsidian vault, say) in place: its \
        folders are the vaults, and no file is rewritten until you edit it.
        """
    static let examples = [
        ("aura init", "Makes the home in the usual place."),
        ("aura init --plain --adopt ~/Notes", "Uses a folder of Markdown in place."),
    ]
    static let grammar = Grammar<Self>(
        .positional("folder", \.folder, help: "Where to make it."),
        .flag("plain", \.isPlain, help: "Readable Markdown files, not encrypted."),
        .option("adopt", \.adopted, value: "folder", help: "Use this folder of Markdown in place."))

    var folder: String?
    var isPlain = false
    var adopted: String?
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
        let wasThere = (try? VaultHome.open(path)) != nil
        let home = try services.makeHome(at: path, adopting: adopted != nil)
        let notes = try NoteFiles(layout: home.layout).listing().count
        if !isPlain {
            invocation.console.say(
                "aura: the home is plain Markdown: encrypted homes are not built yet")
        }
        if path != services.homePath {
            invocation.console.say(
                "aura: it is not the usual home; 'aura config vault.home \(path)' makes it that")
        }
        invocation.print(
            InitReport(
                path: path, id: home.id, notes: notes, wasThere: wasThere, isAdopted: home.isAdopted
            ))
        return .done
    }
}

private struct InitReport: Report {
    let path: String
    let id: String
    let notes: Int
    let wasThere: Bool
    let isAdopted: Bool

    var json: JSONValue {
        .record([
            ("path", .string(path)), ("id", .string(id)), ("sealing", "plain"),
            ("adopted", .bool(isAdopted)), ("notes", .integer(notes)),
            ("made", .bool(!wasThere)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let verb =
            wasThere ? "There is a home already" : isAdopted ? "Using the folder" : "Made the home"
        return ["\(verb): \(SafeDisplay.visible(path, keepsLines: false)) (plain, \(notes) notes)"]
    }
}
