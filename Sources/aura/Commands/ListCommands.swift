import AuraCore

/// Options that pick notes, shared by the commands that list them.
struct NoteChoice: Equatable, Sendable {
    var vaults: [String] = []
    var tags: [String] = []
    var kinds: [NoteKind] = []
    var since: String?
    var until: String?
    var isPending = false
    var isEvergreen = false
    var hasTask = false

    static func parameters<Root: ChoosesNotes>(of root: Root.Type) -> [Parameter<Root>] {
        [
            .options(
                "vault", \.choice.vaults, value: "name",
                help: "Only this vault; may be given again."),
            .options(
                "tag", short: "t", \.choice.tags, value: "tag",
                help: "Only with this tag; all of several."),
            .options("type", \.choice.kinds, value: "type", help: "Only of this type."),
            .option(
                "since", \.choice.since, value: "date",
                help: "Only from this day on: a date, or words."),
            .option("until", \.choice.until, value: "date", help: "Only up to this day."),
            .flag("pending", \.choice.isPending, help: "Only what is not classified yet."),
            .flag("evergreen", \.choice.isEvergreen, help: "Only evergreen notes."),
            .flag("tasks", \.choice.hasTask, help: "Only tasks."),
        ]
    }

    /// - Throws: `VaultError.unknownVault`, `InputError.badValue` for words that are no date.
    func filter(_ services: Services) throws -> NoteFilter {
        var filter = NoteFilter()
        filter.vaults = try vaults.map { try services.vaultName($0) }
        filter.tags = tags.map { Tag.normalised($0) ?? $0 }
        filter.kinds = kinds
        filter.from = try since.map { try services.day($0) }
        filter.through = try until.map { try services.day($0, end: true) }
        if isPending { filter.isPending = true }
        if isEvergreen { filter.isEvergreen = true }
        if hasTask { filter.isTask = true }
        return filter
    }
}

/// A command whose options pick notes.
protocol ChoosesNotes: Command {
    var choice: NoteChoice { get set }
}

/// Lists notes, latest first.
struct ListCommand: ChoosesNotes {
    static let name = "list"
    static let aliases = ["ls"]
    static let summary = "List notes, latest first"
    static let examples = [
        ("aura list --vault Corporate --since 'last monday'", "Lists this week's office notes."),
        ("aura list --tasks --json", "Prints one JSON object a line for each task."),
    ]
    static let grammar = Grammar<Self>()
        .appending(NoteChoice.parameters(of: Self.self))
        .appending([
            .option(
                "limit", short: "n", \.limit, value: "count",
                help: "Show at most this many; 0 for all.")
        ])

    var choice = NoteChoice()
    var limit = 50
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let filter = try choice.filter(services)
        let library = try await services.library(
            vaults: filter.vaults, invocation.console.say)
        let notes = try await library.list(filter, limit: limit > 0 ? limit : .max)
        invocation.print(list: notes.map { ListedReport(note: $0, colours: services.colours) })
        if notes.isEmpty { invocation.console.say("aura: no notes") }
        return ExitStatus(lookingAt: library)
    }
}

/// A note as lists show it: one line.
struct ListedReport: Report {
    let note: NoteRecord
    let colours: [String: String]

    var json: JSONValue {
        .record([
            ("path", .string(note.path)), ("id", .optional(note.id)),
            ("title", .string(note.title)),
            ("vault", .string(note.vault)), ("type", .string(note.kind.rawValue)),
            ("tags", .array(note.tags.map { .string($0) })),
            ("status", .string(note.status.rawValue)), ("evergreen", .bool(note.isEvergreen)),
            ("action", note.action.json), ("created", .optional(note.created)),
            ("day", .optional(note.day)), ("warnings", .array(note.warnings.map { .string($0) })),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let day = note.day.description
        let vault = SafeDisplay.visible(note.vault, keepsLines: false)
        let due =
            note.action.deadline.map { " (due \($0)\(note.action.time.map { " \($0)" } ?? ""))" }
            ?? ""
        let pending = note.status == .pendingClassification ? " …" : ""
        let title = SafeDisplay.visible(note.title, keepsLines: false)
        let room = max(20, width - 10 - 12 - 7 - due.count - 3)
        return [
            "\(style.secondary(day)) \(style.colour(vault.padding(to: 10), hex: colours[note.vault] ?? "#7D8590")) "
                + "\(style.secondary(note.kind.rawValue.prefix(5).description.padding(to: 5))) "
                + "\(SafeDisplay.truncate(title, toColumns: room))\(style.secondary(due + pending))"
        ]
    }
}

/// Lists tags with their counts.
struct TagsCommand: ChoosesNotes {
    static let name = "tags"
    static let summary = "List tags, most used first"
    static let examples = [("aura tags --vault Projects", "Lists the tags of one vault.")]
    static let grammar = Grammar<Self>().appending(NoteChoice.parameters(of: Self.self))

    var choice = NoteChoice()
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let filter = try choice.filter(services)
        let library = try await services.library(
            vaults: filter.vaults, invocation.console.say)
        let counts = try await library.tagCounts(filter)
        invocation.print(list: counts.map { TagReport(tag: $0.tag, count: $0.count) })
        if counts.isEmpty { invocation.console.say("aura: no tags") }
        return ExitStatus(lookingAt: library)
    }
}

private struct TagReport: Report {
    let tag: String
    let count: Int

    var json: JSONValue { .record([("tag", .string(tag)), ("count", .integer(count))]) }

    func lines(_ style: Styling, width: Int) -> [String] {
        [
            "\(style.secondary(String(count).padding(to: 5))) \(SafeDisplay.visible(tag, keepsLines: false))"
        ]
    }
}
