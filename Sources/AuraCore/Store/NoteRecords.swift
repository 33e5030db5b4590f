internal import AuraSQLite

/// Reading: lists, tags, and a note by whatever a person calls it.
extension Store {
    package enum Order: Sendable {
        case newestFirst, oldestFirst
        /// Soonest deadline first; notes without one come last.
        case byDeadline
        case byTitle, byPath

        /// Whether one note comes before another, as the SQL sorts.
        package func precedes(_ one: NoteRecord, _ other: NoteRecord) -> Bool {
            switch self {
            case .newestFirst: (other.moment, other.path) < (one.moment, one.path)
            case .oldestFirst: (one.moment, one.path) < (other.moment, other.path)
            case .byDeadline: deadlineKey(one) < deadlineKey(other)
            case .byTitle:
                (FoldedText.fold(one.title), one.path) < (FoldedText.fold(other.title), other.path)
            case .byPath: one.path < other.path
            }
        }

        private func deadlineKey(_ note: NoteRecord) -> (Int, Int, String) {
            (
                note.action.deadline?.daysSince1970 ?? .max,
                note.action.time?.minutesSinceMidnight ?? -1, note.path
            )
        }

        fileprivate var sql: String {
            switch self {
            case .newestFirst: "moment DESC, path DESC"
            case .oldestFirst: "moment, path"
            case .byDeadline: "deadline IS NULL, deadline, time, path"
            case .byTitle: "folded_title, path"
            case .byPath: "path"
            }
        }
    }

    /// The notes that pass the filter.
    package func list(
        _ filter: NoteFilter = NoteFilter(), order: Order = .newestFirst, limit: Int = .max
    ) throws(StoreError) -> [NoteRecord] {
        let condition = filter.condition
        return try records(
            where: condition?.sql ?? "true", condition?.values ?? [], order: order, limit: limit)
    }

    /// The newest notes, for context.
    package func recent(
        limit: Int, vault: String? = nil, days: ClosedRange<Day>? = nil
    ) throws(StoreError) -> [NoteRecord] {
        var filter = NoteFilter()
        if let vault { filter.vaults = [vault] }
        filter.from = days?.lowerBound
        filter.through = days?.upperBound
        return try list(filter, limit: limit)
    }

    package func count(_ filter: NoteFilter = NoteFilter()) throws(StoreError) -> Int {
        let condition = filter.condition
        return try reporting {
            try connection.first(
                "SELECT count(*) FROM notes WHERE \(condition?.sql ?? "true")",
                condition?.values ?? []
            ) { $0.int(0) } ?? 0
        }
    }

    /// Tags of the notes that pass, most used first, then by name; each as most notes write it.
    package func tagCounts(
        _ filter: NoteFilter = NoteFilter()
    ) throws(StoreError) -> [(tag: String, count: Int)] {
        let condition = filter.condition
        return try reporting {
            try connection.rows(
                """
                SELECT shown, sum(uses) AS total, max(uses) FROM (
                    SELECT tag, shown, count(*) AS uses FROM tags
                    WHERE note IN (SELECT number FROM notes WHERE \(condition?.sql ?? "true"))
                    GROUP BY tag, shown
                ) GROUP BY tag ORDER BY total DESC, tag
                """, condition?.values ?? []
            ) { ($0.text(0), $0.int(1)) }
        }
    }

    package func notes(numbered numbers: [Int]) throws(StoreError) -> [Int: NoteRecord] {
        try reporting {
            var found: [Int: NoteRecord] = [:]
            let statement = try connection.statement(
                "SELECT \(NoteRecord.columns) FROM notes JOIN files USING (number) WHERE number = ?"
            )
            for number in numbers {
                try statement.rows([.integer(Int64(number))]) { row in
                    found[number] = NoteRecord(row: row)
                }
            }
            return found
        }
    }

    private func records(
        where condition: String, _ values: [Value], order: Order = .newestFirst, limit: Int = .max
    ) throws(StoreError) -> [NoteRecord] {
        try reporting {
            try connection.rows(
                """
                SELECT \(NoteRecord.columns) FROM notes JOIN files USING (number)
                WHERE \(condition) ORDER BY \(order.sql) LIMIT ?
                """, values + [.integer(Int64(limit))]
            ) { NoteRecord(row: $0) }
        }
    }
}

// MARK: - By name

extension Store {
    package enum Naming: Hashable, Sendable {
        case one(NoteRecord)
        /// The name fits several; by path.
        case several([NoteRecord])
        /// A name that is nearly this one, if there is any.
        case none(nearest: String?)
    }

    /// An id is recognised from this many of its characters on.
    static let shortestID = 6

    /// Finds the note that a person means.
    ///
    /// What fits first counts: path (with or without `.md`), id, file name, title, the beginning of an
    /// id; each but the id without regard to case and accents, so that NFC and NFD forms are the same,
    /// and the exact form winning over the others.
    package func note(named name: String) throws(StoreError) -> Naming {
        let name = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
        let key = NoteName.folded(name)
        for column in ["folded_path", "id", "folded_name", "folded_title"] {
            let value: String
            switch column {
            case "id":
                guard let id = NoteID(name) else { continue }
                value = id.text
            case "folded_title": value = FoldedText.fold(name)
            default: value = key
            }
            let found = try records(where: "\(column) = ?", [.text(value)], order: .byPath)
            if !found.isEmpty { return Store.naming(found, of: name) }
        }
        let upper = name.uppercased()
        if name.utf8.count >= Store.shortestID, upper.utf8.allSatisfy(NoteName.isIDByte) {
            let found = try records(
                where: "id >= ? AND id < ?", [.text(upper), .text(upper + "~")], order: .byPath)
            if !found.isEmpty { return Store.naming(found, of: name) }
        }
        return .none(nearest: try nearestName(to: name))
    }

    private static func naming(_ found: [NoteRecord], of name: String) -> Naming {
        if found.count == 1 { return .one(found[0]) }
        let exact = found.filter { record in
            record.title.utf8.elementsEqual(name.utf8)
                || NoteName.withoutExtension(record.path).utf8.elementsEqual(
                    NoteName.withoutExtension(name).utf8)
        }
        return exact.count == 1 ? .one(exact[0]) : .several(found)
    }

    private func nearestName(to name: String) throws(StoreError) -> String? {
        let names = try reporting {
            try connection.rows("SELECT folded_name, title FROM notes") {
                [$0.text(0), $0.text(1)]
            }
        }
        return EditDistance.nearest(to: name, in: names.lazy.joined())
    }
}

/// How file names are compared.
enum NoteName {
    static func withoutExtension(_ path: String) -> String {
        path.hasSuffix(".md") ? String(path.dropLast(3)) : path
    }

    /// The path or name without `.md`, folded.
    static func folded(_ path: String) -> String { FoldedText.fold(withoutExtension(path)) }

    static func lastComponent(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    static func isIDByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
    }
}
