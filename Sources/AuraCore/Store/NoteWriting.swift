internal import AuraSQLite

/// Writing: what the indexer found goes in, in one transaction a call.
extension Store {
    /// A file as the index knows it.
    package struct FileRecord: Hashable, Sendable {
        package var number: Int
        package var file: NoteFile
        package var path: String
        package var hash: UInt64
    }

    /// Changes that become visible together.
    package struct Changes: Sendable {
        package struct Entry: Sendable {
            package var file: NoteFile
            package var path: String
            package var hash: UInt64
            package var content: IndexedNote
            package var moment: Instant
            package var day: Day
            /// The row it takes over: the same note before it was changed or moved.
            package var replacing: Int?

            package init(
                file: NoteFile, path: String, hash: UInt64, content: IndexedNote, moment: Instant,
                day: Day, replacing: Int? = nil
            ) {
                self.file = file
                self.path = path
                self.hash = hash
                self.content = content
                self.moment = moment
                self.day = day
                self.replacing = replacing
            }
        }

        package var entries: [Entry] = []
        /// Files whose bytes are the same and whose place or times are not.
        package var touched: [FileRecord] = []
        package var removed: [Int] = []
        /// Set with the last changes of a refresh: what the whole listing looked like.
        package var listing: UInt64?
        /// The words of `entries`, in their order.
        private(set) var words: Segment?

        package init() {}

        /// Reads the words of all entries. It is most of the work of indexing, so whoever makes the
        /// changes does it, beside the store that writes the ones before.
        package mutating func readWords(_ scoring: WordScoring) {
            words = builder.unnumberedSegment(scoring)
        }

        var builder: SegmentBuilder {
            var words = SegmentBuilder()
            for entry in entries {
                let note = entry.content.note
                words.add(
                    title: note.title, tags: note.tags, passages: entry.content.passages)
            }
            return words
        }

        package var isEmpty: Bool {
            entries.isEmpty && touched.isEmpty && removed.isEmpty && listing == nil
        }
    }

    package func files() throws(StoreError) -> [FileRecord] {
        try reporting { try fileRecords("", []) }
    }

    func fileRecords(_ condition: String, _ values: [Value]) throws -> [FileRecord] {
        try connection.rows(
            "SELECT number, name, size, modified, inode, hash, path FROM files \(condition)", values
        ) { row in
            FileRecord(
                number: row.int(0),
                file: NoteFile(
                    name: row.text(1), size: row.int64(2), modified: row.int64(3),
                    inode: UInt64(bitPattern: row.int64(4))),
                path: row.text(6),
                hash: UInt64(bitPattern: row.int64(5)))
        }
    }

    /// The listing after which nothing has changed; nil when something has since.
    package func listing() throws(StoreError) -> UInt64? {
        try reporting {
            try connection.first("SELECT value FROM facts_of_index WHERE name = 'listing'") {
                UInt64(bitPattern: $0.int64(0))
            }
        }
    }

    /// Applies all of it or nothing.
    package func apply(_ changes: Changes) throws(StoreError) {
        guard !changes.isEmpty else { return }
        try reporting {
            try changing {
                try connection.run("DELETE FROM facts_of_index WHERE name = 'listing'")
                let replaced = try replacedNotes(changes.entries)
                try removeWords(ofNotes: changes.removed + replaced.compactMap { $0 })
                for number in changes.removed { try remove(number) }
                for record in changes.touched { try touch(record) }
                var numbers: [Int] = []
                for (entry, old) in zip(changes.entries, replaced) {
                    numbers.append(try write(entry, replacing: old))
                }
                if let words = changes.words?.numbered(numbers) {
                    try addSegment(words)
                } else {
                    try addSegment(changes.builder, notes: numbers)
                }
                if let listing = changes.listing {
                    try connection.run(
                        "INSERT INTO facts_of_index VALUES ('listing', ?)",
                        [.integer(Int64(bitPattern: listing))])
                }
            }
        }
    }

    /// Forgets everything, for an index that is to be made anew.
    package func clear() throws(StoreError) {
        try reporting {
            try changing {
                try connection.script(
                    """
                    DELETE FROM facts_of_index;
                    DELETE FROM vectors;
                    DELETE FROM vector_blocks;
                    DELETE FROM models;
                    DELETE FROM files;
                    DELETE FROM folders;
                    DELETE FROM left_out;
                    """)
                try clearWords()
                try connection.run(
                    "INSERT INTO facts_of_index VALUES ('analysis', ?)",
                    [.integer(Int64(Analysis.version))])
            }
        }
    }

    private func remove(_ number: Int) throws {
        let value = Value.integer(Int64(number))
        let id = try connection.first("SELECT id FROM notes WHERE number = ?", [value]) {
            $0.textOrNil(0)
        }
        try removeVectors(ofNote: number)
        try connection.run("DELETE FROM files WHERE number = ?", [value])
        if let id = id ?? nil { try passOn(id) }
    }

    /// An id that became free goes to the first note that claims it.
    private func passOn(_ id: String) throws {
        try connection.run(
            """
            UPDATE notes SET id = claimed_id WHERE number = (
                SELECT number FROM notes JOIN files USING (number)
                WHERE claimed_id = ?1 AND NOT EXISTS (SELECT 1 FROM notes WHERE id = ?1)
                ORDER BY path LIMIT 1)
            """, [.text(id)])
    }

    private func touch(_ record: FileRecord) throws {
        try connection.run(
            "UPDATE files SET size = ?, modified = ?, inode = ?, hash = ? WHERE number = ?",
            Store.values(of: record.file, record.hash) + [.integer(Int64(record.number))])
    }

    private static func values(of file: NoteFile, _ hash: UInt64) -> [Value] {
        [
            .integer(file.size), .integer(file.modified),
            .integer(Int64(bitPattern: file.inode)), .integer(Int64(bitPattern: hash)),
        ]
    }

    /// The row each entry takes over, no row twice.
    private func replacedNotes(_ entries: [Changes.Entry]) throws -> [Int?] {
        var taken: Set<Int> = []
        // Another process may have indexed a file meanwhile; the row with its path is the one.
        var replaced = try entries.map { entry in
            try connection.first("SELECT number FROM files WHERE path = ?", [.text(entry.path)]) {
                $0.int(0)
            }
        }
        taken.formUnion(replaced.compactMap { $0 })
        for (index, entry) in entries.enumerated() where replaced[index] == nil {
            guard let number = entry.replacing, taken.insert(number).inserted,
                try connection.first(
                    "SELECT 1 FROM files WHERE number = ?", [.integer(Int64(number))], { _ in true }
                )
                    ?? false
            else { continue }
            replaced[index] = number
        }
        return replaced
    }

    /// - Returns: its row.
    private func write(_ entry: Changes.Entry, replacing old: Int?) throws -> Int {
        let note = entry.content.note
        let path = Value.text(entry.path)
        let name = Value.text(entry.file.name)
        var freedID: String?
        var before: (title: String, day: Day?)?
        let number: Int
        let fileValues = Store.values(of: entry.file, entry.hash)
        if let old {
            number = old
            let value = Value.integer(Int64(number))
            try connection.forEach(
                "SELECT id, title, iif(created IS NULL, NULL, day) FROM notes WHERE number = ?",
                [value]
            ) { row in
                freedID = row.textOrNil(0)
                before = (row.text(1), row.intOrNil(2).map(Day.init(daysSince1970:)))
            }
            try connection.run(
                """
                UPDATE files SET path = ?, name = ?, size = ?, modified = ?, inode = ?, hash = ?
                WHERE number = ?
                """, [path, name] + fileValues + [value])
            try connection.run("DELETE FROM tags WHERE note = ?", [value])
            try connection.run("DELETE FROM notes WHERE number = ?", [value])
        } else {
            try connection.run(
                """
                INSERT INTO files(path, name, size, modified, inode, hash)
                VALUES (?, ?, ?, ?, ?, ?)
                """, [path, name] + fileValues)
            number = connection.lastInsertedRow
        }
        try insertNote(entry, number)
        // What the vectors were made of besides the text.
        let isSamePlace =
            before.map {
                $0.title == note.title && $0.day == (note.created == nil ? nil : entry.day)
            }
        try writePassages(
            entry.content.passages, of: number, keepingVectors: isSamePlace ?? false)
        if let freedID, freedID != note.id?.text { try passOn(freedID) }
        return number
    }

    private func insertNote(_ entry: Changes.Entry, _ number: Int) throws {
        let note = entry.content.note
        let vault =
            entry.path.utf8.contains(0x2F)
            ? String(entry.path.prefix { $0 != "/" }) : note.vault
        let name = NoteName.folded(entry.path)
        let id = Value(note.id?.text)
        try connection.run(
            """
            INSERT INTO notes(number, id, claimed_id, vault, title, kind, tags, created, modified,
                moment, day, status, is_evergreen, action, deadline, time, warnings,
                folded_vault, folded_path, folded_name, folded_title)
            VALUES (?1, (SELECT ?2 WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = ?2)), ?2, ?3,
                ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
            """,
            [
                .integer(Int64(number)), id, .text(vault), .text(note.title),
                .text(note.kind.rawValue), .text(note.tags.joined(separator: "\n")),
                Value(note.created.map { Int($0.seconds) }),
                Value(note.modified.map { Int($0.seconds) }),
                .integer(entry.moment.seconds), .integer(Int64(entry.day.daysSince1970)),
                .text(note.status.rawValue), Value(note.isEvergreen),
                .text(note.action.kind.rawValue), Value(note.action.deadline?.daysSince1970),
                Value(note.action.time?.minutesSinceMidnight),
                .text(entry.content.warnings.joined(separator: "\n")),
                .text(FoldedText.fold(vault)), .text(name),
                .text(NoteName.lastComponent(name)), .text(FoldedText.fold(note.title)),
            ])
        for tag in note.tags {
            try connection.run(
                "INSERT OR IGNORE INTO tags(tag, note, shown) VALUES (?, ?, ?)",
                [.text(FoldedText.fold(tag)), .integer(Int64(number)), .text(tag)])
        }
    }
}
