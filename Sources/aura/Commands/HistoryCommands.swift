import AuraCore

/// Lists the versions of a note.
struct HistoryCommand: Command {
    static let name = "history"
    static let summary = "List the versions of a note"
    static let discussion = """
        Every change that aura makes keeps the whole note as it was before. The number of a version goes to \
        'aura show NOTE --at NUMBER' and 'aura restore NOTE --at NUMBER'. Notes in the trash have a history \
        too. The setting history.days limits how long the texts are kept; who changed what stays.
        """
    static let examples = [
        ("aura history 'Q1 planning'", "Lists its versions, oldest first."),
        ("aura show 'Q1 planning' --at 2", "Prints the second of them."),
    ]
    static let grammar = Grammar<Self>(
        .rest("note", \.words, isRequired: true, help: "Path, id or title."))

    var words: [String] = []
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let (workspace, note) = try await services.locatePast(
            words.joined(separator: " "), invocation.console.say)
        let history = try History(of: note.subject, workspace.changes)
        invocation.print(
            list: history.versions.map { VersionReport(version: $0, zone: services.zone) })
        return .done
    }
}

private struct VersionReport: Report {
    let version: History.Version
    let zone: Zone

    var json: JSONValue {
        .record([
            ("version", .integer(version.number)), ("from", .optional(version.from)),
            ("path", .string(version.path)),
            ("bytes", version.bytes.map { .integer($0.count) } ?? .null),
            ("in_trash", .bool(version.isInTrash)),
            ("changed_outside", .bool(version.isChangedOutside)),
            ("change", version.change.map { ChangeReport.json(of: $0) } ?? .null),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let when = version.from.map { ChangeReport.time($0, zone) } ?? "before"
        let who = version.change.map { ChangeReport.author(of: $0.entry) } ?? "unknown"
        var what = version.change?.entry.operation.rawValue ?? ""
        if version.isChangedOutside { what += ", then another program" }
        let size = version.bytes.map { "\($0.count) bytes" } ?? "text not kept"
        let reason = version.change?.entry.reason.map { " (\($0))" } ?? ""
        let path = SafeDisplay.visible(version.path, keepsLines: false)
        return [
            "\(String(version.number).padding(to: 4)) \(style.secondary(when.padding(to: 16))) "
                + "\(who.padding(to: 8)) \(what.padding(to: 8)) \(size.padding(to: 13)) "
                + "\(path)\(style.secondary(SafeDisplay.visible(reason, keepsLines: false)))"
        ]
    }
}

/// Shows what was done to notes.
struct LogCommand: Command {
    static let name = "log"
    static let summary = "Show what was done to notes, latest first"
    static let discussion = """
        Each change has a line: when, who (you, the rules, a model), what, where, and why where that is known. \
        With -v also which model and prompt filled in which fields.
        """
    static let examples = [
        ("aura log", "Shows the last changes."),
        ("aura log 'Q1 planning' --limit 0", "Shows all that was done to one note."),
    ]
    static let grammar = Grammar<Self>(
        .rest("note", \.words, help: "Path, id or title; all notes when there is none."),
        .option(
            "limit", short: "n", \.limit, value: "count",
            help: "Show at most this many; 0 for all."))

    var words: [String] = []
    var limit = 20
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let limit = limit > 0 ? limit : .max
        var changes: [Change] = []
        if words.isEmpty {
            for workspace in try services.openWorkspaces() {
                changes += try History.changes(of: nil, limit: limit, workspace.changes)
            }
            changes.sort { $0.record.id > $1.record.id }
            changes = Array(changes.prefix(limit))
        } else {
            let (workspace, note) = try await services.locatePast(
                words.joined(separator: " "), invocation.console.say)
            changes = try History.changes(of: note.subject, limit: limit, workspace.changes)
        }
        invocation.print(
            list: changes.map {
                ChangeReport(
                    change: $0, zone: services.zone, number: nil,
                    isDetailed: invocation.console.isVerbose)
            })
        if changes.isEmpty { invocation.console.say("aura: nothing was done yet") }
        return .done
    }
}

/// A change, one line.
struct ChangeReport: Report {
    let change: Change
    let zone: Zone
    /// Its place in a numbered list.
    let number: Int?
    /// Also who filled in what.
    let isDetailed: Bool

    var json: JSONValue {
        .record((number.map { [("number", .integer($0))] } ?? []) + Self.members(of: change))
    }

    static func json(of change: Change) -> JSONValue { .record(members(of: change)) }

    private static func members(of change: Change) -> [(String, JSONValue)] {
        let entry = change.entry
        func words(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        return [
            ("id", .optional(change.record.id)), ("at", .optional(change.record.at)),
            ("operation", .string(entry.operation.rawValue)),
            ("author", .string(entry.author.rawValue)), ("path", .string(entry.path)),
            ("new_path", .optional(entry.newPath)), ("note", .optional(entry.note)),
            ("reason", .optional(entry.reason)), ("maker", .optional(entry.maker)),
            ("made_fields", words(entry.madeFields)),
            ("person_fields", words(entry.personFields)), ("made", .bool(change.isMade)),
            ("undoes", .optional(entry.undoes)), ("undone_by", .optional(change.undoneBy)),
        ]
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let entry = change.entry
        func safe(_ text: String) -> String { SafeDisplay.visible(text, keepsLines: false) }
        var line = number.map { "\(String($0).padding(to: 3)) " } ?? ""
        line += "\(style.secondary(Self.time(change.record.at, zone))) "
        line += "\(Self.author(of: entry).padding(to: 6)) "
        line += "\(entry.operation.rawValue.padding(to: 8)) \(safe(Self.place(of: entry)))"
        var remarks: [String] = []
        if let reason = entry.reason { remarks.append(reason) }
        if !change.isMade { remarks.append("never made") }
        if change.undoneBy != nil { remarks.append("undone") }
        if isDetailed {
            if let maker = entry.maker { remarks.append("by \(maker)") }
            if !entry.madeFields.isEmpty {
                remarks.append("filled in \(entry.madeFields.joined(separator: ", "))")
            }
            if !entry.personFields.isEmpty {
                remarks.append("set by hand \(entry.personFields.joined(separator: ", "))")
            }
        }
        if !remarks.isEmpty {
            line += " " + style.secondary(safe("(\(remarks.joined(separator: "; ")))"))
        }
        return [line]
    }

    /// `Personal/a.md → Family/a.md`
    private static func place(of entry: Journal.Entry) -> String {
        switch entry.step {
        case .removed(let path, _): "\(path) → trash"
        case .returned(_, let path): "trash → \(path)"
        case .rewritten(let path, let newPath) where newPath != path: "\(path) → \(newPath)"
        default: entry.path
        }
    }

    /// `2026-03-04 10:00`, as clocks show it here.
    static func time(_ moment: Instant, _ zone: Zone) -> String {
        let local = zone.local(moment)
        return "\(local.day) \(local.time)"
    }

    static func author(of entry: Journal.Entry) -> String {
        switch entry.author {
        case .person: "you"
        case .rule: "rules"
        case .model: "model"
        case .sync: "sync"
        }
    }
}
