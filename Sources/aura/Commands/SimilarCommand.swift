import AuraCore

/// Finds notes like one of them.
struct SimilarCommand: ChoosesNotes {
    static let name = "similar"
    static let summary = "Find notes like this one"
    static let discussion = """
        The note is named by its path, its file name, its id or the beginning of it, or its title. Others are \
        compared with it by meaning: the vectors of their passages. Where there are none yet, its most telling \
        words decide, and that is said. The note itself is never among what is found.
        """
    static let examples = [
        ("aura similar 'Q1 planning'", "Lists the notes that are most like that one."),
        (
            "aura similar --vault Personal --limit 5 Corporate/plan.md",
            "Looks in one vault for five notes like a note of another."
        ),
    ]
    static let grammar = Grammar<Self>(
        .rest("note", \.words, isRequired: true, help: "Path, id or title."),
        .options(
            "vault", \.choice.vaults, value: "name", help: "Only this vault; may be given again."),
        .options(
            "tag", short: "t", \.choice.tags, value: "tag",
            help: "Only with this tag; all of several."),
        .options("type", \.choice.kinds, value: "type", help: "Only of this type."),
        .option("since", \.choice.since, value: "date", help: "Only from this day on."),
        .option("until", \.choice.until, value: "date", help: "Only up to this day."),
        .option("limit", short: "n", \.limit, value: "count", help: "Show at most this many."))

    var words: [String] = []
    var choice = NoteChoice()
    var limit: Int?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        let filter = try choice.filter(services)
        let library = try await services.library(vaults: filter.vaults, console.say)
        let name = words.joined(separator: " ")
        if VaultLayout.isSafe(name) {
            _ = try services.workspace(forVault: VaultLayout.vault(of: name))
        }
        let (_, found) = try await services.locate(name, in: library)
        let note = ModelNote(
            path: found.path, note: NoteText(bytes: found.bytes, path: found.path).note)
        let similar = try await services.similar(
            to: note, filter, limit: max(1, limit ?? services.settings.searchLimit), library)
        for remark in similar.remarks { console.say("aura: \(remark)") }
        let colours = services.colours
        invocation.print(
            list: similar.hits.map { HitReport(hit: $0, explains: false, colours: colours) })
        if similar.hits.isEmpty { console.say("aura: nothing found") }
        return ExitStatus(lookingAt: library)
    }
}
