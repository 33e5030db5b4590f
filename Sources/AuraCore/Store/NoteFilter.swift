internal import AuraSQLite

/// Which notes a search or a list is about. Everything that is set must hold; an empty filter lets
/// every note through.
package struct NoteFilter: Hashable, Sendable {
    /// Any of these, whatever the case and accents; empty means all.
    package var vaults: [String] = []
    package var excludedVaults: [String] = []
    package var kinds: [NoteKind] = []
    package var excludedKinds: [NoteKind] = []
    /// All of these. `project` is also met by `project/alpha`.
    package var tags: [String] = []
    package var excludedTags: [String] = []
    /// First day of the note's making that counts.
    package var from: Day?
    /// Last day that counts.
    package var through: Day?
    package var isEvergreen: Bool?
    package var isPending: Bool?
    package var isTask: Bool?
    /// Only notes with an action, so with a deadline.
    package var hasAction: Bool?
    /// Deadlines up to this day.
    package var dueThrough: Day?

    package init() {}

    package var isEmpty: Bool { self == NoteFilter() }

    /// A condition on the table `notes`, with a value for each question mark; nil for no condition.
    var condition: (sql: String, values: [Value])? {
        var parts: [String] = []
        var values: [Value] = []
        func add(_ sql: String, _ more: [Value] = []) {
            parts.append(sql)
            values += more
        }
        func among(_ column: String, _ texts: [String], negated: Bool = false) {
            guard !texts.isEmpty else { return }
            let marks = [String](repeating: "?", count: texts.count).joined(separator: ", ")
            add("\(column) \(negated ? "NOT " : "")IN (\(marks))", texts.map(Value.text))
        }
        among("folded_vault", vaults.map { FoldedText.fold($0) })
        among("folded_vault", excludedVaults.map { FoldedText.fold($0) }, negated: true)
        among("kind", kinds.map(\.rawValue))
        among("kind", excludedKinds.map(\.rawValue), negated: true)
        for (tag, sign) in tags.map({ ($0, "IN") }) + excludedTags.map({ ($0, "NOT IN") }) {
            // '0' follows '/', so the range holds every tag below this one.
            let tag = FoldedText.fold(tag)
            add(
                "number \(sign) (SELECT note FROM tags WHERE tag = ? OR (tag > ? AND tag < ?))",
                [.text(tag), .text(tag + "/"), .text(tag + "0")])
        }
        if let from { add("day >= ?", [.integer(Int64(from.daysSince1970))]) }
        if let through { add("day <= ?", [.integer(Int64(through.daysSince1970))]) }
        if let isEvergreen { add("is_evergreen = ?", [Value(isEvergreen)]) }
        if let isPending {
            add(
                "status \(isPending ? "=" : "<>") ?",
                [.text(NoteStatus.pendingClassification.rawValue)])
        }
        if let isTask { add("kind \(isTask ? "=" : "<>") ?", [.text(NoteKind.task.rawValue)]) }
        if let hasAction { add("deadline IS \(hasAction ? "NOT " : "")NULL") }
        if let dueThrough { add("deadline <= ?", [.integer(Int64(dueThrough.daysSince1970))]) }
        return parts.isEmpty ? nil : (parts.joined(separator: " AND "), values)
    }
}
