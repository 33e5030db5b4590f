internal import AuraSQLite

/// The inverted index as rows: segments that are written once, and what has gone from them since.
///
/// | table | a row is |
/// |---|---|
/// | segments | some notes' passages, with whose they are and how long |
/// | tombstones | which passages of a segment are gone |
/// | terms | a term of a segment: in how many passages, and its list, or where the list's blocks lie |
/// | posting_blocks, position_blocks | a block of a long list |
/// | removed_terms | in how many passages of a segment that are gone a term stood |
///
/// Everything a search needs changes in one transaction, so each sees one state. Statistics are of the
/// notes that are there: gone ones are counted out, term by term.
extension Store {
    /// A segment as a search sees it.
    struct LiveSegment {
        let number: Int
        fileprivate let opened: OpenSegment
        var passages: SegmentPassages { opened.passages }
        /// When it was written.
        let totals: WordTotals
        var removed: WordTotals
        var tombstones: Tombstones
        /// Of its long lists.
        let blocks: Range<Int>

        var live: WordTotals { totals - removed }
    }

    /// A term's row.
    struct TermRow {
        let count: Int
        let peak: UInt16
        /// Nil when the list is in the row.
        let firstBlock: Int?
        let data: [UInt8]
        let places: [UInt8]
    }

    /// What rows may hold of a list: longer ones have blocks of their own.
    fileprivate static let inlineBytes = 600

    // MARK: Reading

    /// By number. Passages are decoded once a segment, for as long as the store is open.
    ///
    /// Several statements: called inside of a transaction, or of `reading`.
    func liveSegments() throws -> [LiveSegment] {
        let removals = try removals()
        var known: [Int: OpenSegment] = [:]
        let rows = try connection.rows(
            """
            SELECT number, passages, title_words, tag_words, heading_words, body_words,
                first_block, last_block FROM segments ORDER BY number
            """
        ) { row in
            (
                number: row.int(0), totals: Store.totals(row, from: 1),
                blocks: row.int(6)..<(row.int(7) + 1)
            )
        }
        var segments: [LiveSegment] = []
        for row in rows {
            let kept: OpenSegment
            if let open = openSegments[row.number] {
                kept = open
            } else {
                kept = OpenSegment(passages: try decodePassages(row.number))
            }
            guard kept.passages.count == row.totals.passages else { throw PostingsDamage() }
            known[row.number] = kept
            let removal = removals[row.number]
            segments.append(
                LiveSegment(
                    number: row.number, opened: kept, totals: row.totals,
                    removed: removal?.totals ?? WordTotals(),
                    tombstones: removal?.tombstones ?? Tombstones(), blocks: row.blocks))
        }
        openSegments = known
        return segments
    }

    private func removals() throws -> [Int: (totals: WordTotals, tombstones: Tombstones)] {
        var found: [Int: (totals: WordTotals, tombstones: Tombstones)] = [:]
        try connection.forEach(
            """
            SELECT segment, passages, title_words, tag_words, heading_words, body_words, bits
            FROM tombstones
            """
        ) { found[$0.int(0)] = (Store.totals($0, from: 1), Tombstones(bytes: $0.blob(6))) }
        return found
    }

    private func decodePassages(_ segment: Int) throws -> SegmentPassages {
        let bytes = try connection.first(
            "SELECT documents FROM segments WHERE number = ?", [.integer(Int64(segment))]
        ) { $0.blob(0) }
        return try SegmentPassages(bytes: bytes ?? [])
    }

    private static func totals(_ row: borrowing Row, from column: Int) -> WordTotals {
        var totals = WordTotals()
        totals.passages = row.int(column)
        totals.lengths = FieldValues(
            title: row.int(column + 1), tags: row.int(column + 2), headings: row.int(column + 3),
            body: row.int(column + 4))
        return totals
    }

    fileprivate static func values(_ totals: WordTotals) -> [Value] {
        [
            totals.passages, totals.lengths.title, totals.lengths.tags, totals.lengths.headings,
            totals.lengths.body,
        ].map { .integer(Int64($0)) }
    }

    func termRow(_ key: [UInt8], in segment: Int) throws -> TermRow? {
        try connection.first(
            """
            SELECT passages, peak, first_block, data, places FROM terms
            WHERE segment = ? AND term = ?
            """, [.integer(Int64(segment)), .blob(key)]
        ) { Store.termRow($0, from: 0) }
    }

    fileprivate static func termRow(_ row: borrowing Row, from column: Int) -> TermRow {
        TermRow(
            count: row.int(column), peak: UInt16(truncatingIfNeeded: row.int(column + 1)),
            firstBlock: row.intOrNil(column + 2), data: row.blob(column + 3),
            places: row.blob(column + 4))
    }

    /// In how many passages of the segment that are gone the term stood.
    func removedCount(_ key: [UInt8], in segment: LiveSegment) throws -> Int {
        guard segment.removed.passages > 0 else { return 0 }
        return try connection.first(
            "SELECT passages FROM removed_terms WHERE segment = ? AND term = ?",
            [.integer(Int64(segment.number)), .blob(key)]
        ) { $0.int(0) } ?? 0
    }

    /// What was read of a segment: it is written once, so this stays true.
    struct OpenSegment {
        let passages: SegmentPassages
        let blocks = LoadedBlocks()
    }

    /// Blocks of a segment that searches have read, by number.
    final class LoadedBlocks {
        private var blocks: [Int: [UInt8]] = [:]
        private var places: [Int: [UInt8]] = [:]
        private var bytes = 0

        func block(
            _ number: Int, wantsPositions: Bool, _ load: () throws -> [UInt8]
        ) rethrows -> [UInt8] {
            if let known = wantsPositions ? places[number] : blocks[number] { return known }
            let loaded = try load()
            bytes += loaded.count
            if bytes > Store.keptBlockBytes {
                blocks.removeAll()
                places.removeAll()
                bytes = loaded.count
            }
            if wantsPositions { places[number] = loaded } else { blocks[number] = loaded }
            return loaded
        }
    }

    /// Of one segment: the lists of some hundred sentences at 100,000 notes.
    private static let keptBlockBytes = 24 << 20

    /// - Parameter keepsBlocks: what was read is kept for the next search.
    /// - Throws: `PostingsDamage`.
    func cursor(
        _ row: TermRow, in segment: LiveSegment, keepsBlocks: Bool = true
    ) throws -> ListCursor {
        let limit = segment.passages.count
        guard let first = row.firstBlock else {
            guard let last = try BlockReader(row.data).runs.last else { throw PostingsDamage() }
            return ListCursor(
                directory: ListDirectory(last: last.last, peak: row.peak), limit: limit
            ) { _, wantsPositions in wantsPositions ? row.places : row.data }
        }
        let (connection, loaded) = (self.connection, segment.opened.blocks)
        return ListCursor(directory: try ListDirectory(bytes: row.data), limit: limit) {
            block, wantsPositions in
            func read() throws -> [UInt8] {
                let table = wantsPositions ? "position_blocks" : "posting_blocks"
                let bytes = try connection.first(
                    "SELECT data FROM \(table) WHERE number = ?", [.integer(Int64(first + block))]
                ) { $0.blob(0) }
                guard let bytes else { throw PostingsDamage() }
                return bytes
            }
            guard keepsBlocks else { return try read() }
            return try loaded.block(first + block, wantsPositions: wantsPositions, read)
        }
    }

    /// Keys of the segment that begin so, in order.
    func keys(from prefix: [UInt8], in segment: Int) throws -> [[UInt8]] {
        // No UTF-8 has this byte.
        try connection.rows(
            "SELECT term FROM terms WHERE segment = ? AND term >= ? AND term < ? ORDER BY term",
            [.integer(Int64(segment)), .blob(prefix), .blob(prefix + [0xFF])]
        ) { $0.blob(0) }
    }

    // MARK: Writing

    /// A transaction that may write segments. Where it is taken back, so is what was learnt of them: their
    /// numbers will be those of others.
    func changing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try connection.transaction(body)
        } catch {
            openSegments = [:]
            throw error
        }
    }

    /// Adds a segment of these notes.
    func addSegment(_ builder: SegmentBuilder, notes: [Int]) throws {
        guard !notes.isEmpty else { return }
        try addSegment(builder.segment(notes: notes, scoring))
    }

    func addSegment(_ segment: Segment) throws {
        guard segment.passages.count > 0 else { return }
        var writer = try SegmentWriter(connection)
        for (key, list) in segment.terms { try writer.add(key, list) }
        try writer.finish(segment.passages, segment.totals)
    }

    /// Takes the words of notes out, while what they were read from is still in the tables.
    func removeWords(ofNotes notes: [Int]) throws {
        guard !notes.isEmpty else { return }
        for segment in try liveSegments() {
            var tombstones = segment.tombstones
            var gone: [Int] = []
            var builder = SegmentBuilder()
            for note in notes {
                let range = segment.passages.range(ofNote: note)
                guard let first = range.first, !tombstones.contains(first) else { continue }
                for passage in range { tombstones.insert(passage) }
                gone += range
                try addStored(note, to: &builder)
            }
            guard !gone.isEmpty else { continue }
            let removed = segment.removed + segment.passages.totals(gone)
            if removed.passages == segment.passages.count {
                try dropSegment(segment.number, blocks: segment.blocks)
                continue
            }
            try connection.run(
                "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?, ?, ?)",
                [.integer(Int64(segment.number))] + Store.values(removed) + [
                    .blob(tombstones.bytes)
                ])
            for (key, count) in builder.passageCounts {
                try connection.run(
                    """
                    INSERT INTO removed_terms(segment, term, passages) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET passages = passages + ?3
                    """, [.integer(Int64(segment.number)), .blob(key), .integer(Int64(count))])
            }
        }
    }

    /// A note's words as they were read when it was written.
    private func addStored(_ note: Int, to builder: inout SegmentBuilder) throws {
        let value = Value.integer(Int64(note))
        let found = try connection.first("SELECT title, tags FROM notes WHERE number = ?", [value])
        {
            (title: $0.text(0), tags: $0.text(1))
        }
        let passages = try connection.rows(
            "SELECT heading, text FROM passages WHERE note = ? ORDER BY position", [value]
        ) { PassageText(heading: $0.text(0), text: $0.text(1)) }
        builder.add(
            title: found?.title ?? "",
            tags: (found?.tags ?? "").split(separator: "\n").map(String.init), passages: passages)
    }

    private func dropSegment(_ number: Int, blocks: Range<Int>) throws {
        let value = Value.integer(Int64(number))
        for table in ["terms", "tombstones", "removed_terms"] {
            try connection.run("DELETE FROM \(table) WHERE segment = ?", [value])
        }
        let range: [Value] = [
            .integer(Int64(blocks.lowerBound)), .integer(Int64(blocks.upperBound)),
        ]
        for table in ["posting_blocks", "position_blocks"] {
            try connection.run("DELETE FROM \(table) WHERE number >= ? AND number < ?", range)
        }
        try connection.run("DELETE FROM segments WHERE number = ?", [value])
    }

    func clearWords() throws {
        try connection.script(
            """
            DELETE FROM terms;
            DELETE FROM posting_blocks;
            DELETE FROM position_blocks;
            DELETE FROM removed_terms;
            DELETE FROM tombstones;
            DELETE FROM segments;
            """)
    }

    /// Weighs words otherwise from now on.
    package func use(_ scoring: WordScoring) throws(StoreError) {
        self.scoring = scoring
        try rewriteWords()
    }

    /// True when the words were written by another version of `Analysis`, or not at all.
    package func hasOutdatedWords() throws(StoreError) -> Bool {
        try reporting {
            try connection.first("SELECT value FROM facts_of_index WHERE name = 'analysis'") {
                $0.int(0)
            } != Analysis.version
        }
    }

    /// Makes the words anew out of what the tables keep of the notes; no file is read. One transaction.
    package func rewriteWords() throws(StoreError) {
        try reporting {
            try changing {
                try clearWords()
                let numbers = try connection.rows("SELECT number FROM notes ORDER BY number") {
                    $0.int(0)
                }
                var rest = numbers[...]
                while !rest.isEmpty {
                    let some = Array(rest.prefix(Store.notesPerSegment))
                    rest = rest.dropFirst(Store.notesPerSegment)
                    var builder = SegmentBuilder()
                    for number in some { try addStored(number, to: &builder) }
                    try addSegment(builder, notes: some)
                }
                try merge(try liveSegments())
                try connection.run(
                    "INSERT OR REPLACE INTO facts_of_index VALUES ('analysis', ?)",
                    [.integer(Int64(Analysis.version))])
            }
        }
    }

    private static let notesPerSegment = 5_000

    // MARK: Merging

    /// So many segments of about one size become one.
    static let mergedAtOnce = 8
    /// A command that waits for its answer merges no more passages than this.
    package static let quickMerge = 2_000

    /// Merges segments where there are many of one size, or much of one is gone.
    /// - Parameter passages: larger merges are left for later.
    /// - Returns: whether anything was merged.
    @discardableResult
    package func mergeSegments(upTo passages: Int = .max) throws(StoreError) -> Bool {
        try reporting {
            guard try connection.reading({ try mergePlan(upTo: passages) }) != nil else {
                return false
            }
            return try changing {
                // Another process may have been quicker.
                guard let plan = try mergePlan(upTo: passages) else { return false }
                try merge(liveSegments().filter { plan.contains($0.number) })
                return true
            }
        }
    }

    /// Makes one segment of all.
    package func mergeAllSegments() throws(StoreError) {
        try reporting {
            try changing {
                let segments = try liveSegments()
                if segments.count > 1 { try merge(segments) }
            }
        }
    }

    /// The numbers of segments that are to become one; nil where all is well.
    private func mergePlan(upTo limit: Int) throws -> [Int]? {
        let segments = try connection.rows(
            """
            SELECT number, segments.passages, coalesce(tombstones.passages, 0)
            FROM segments LEFT JOIN tombstones ON segment = number ORDER BY number
            """
        ) { (number: $0.int(0), live: $0.int(1) - $0.int(2), gone: $0.int(2)) }
        var tiers: [Int: [(number: Int, live: Int, gone: Int)]] = [:]
        for segment in segments {
            var tier = 0
            var passages = segment.live
            while passages >= Store.mergedAtOnce {
                passages /= Store.mergedAtOnce
                tier += 1
            }
            tiers[tier, default: []].append(segment)
        }
        for (_, tier) in tiers.sorted(by: { $0.key < $1.key })
        where tier.count >= Store.mergedAtOnce && tier.reduce(0, { $0 + $1.live }) <= limit {
            return tier.map(\.number)
        }
        // A third of it is gone.
        return segments.first { $0.gone * 2 > $0.live && $0.live <= limit }.map { [$0.number] }
    }

    /// Writes one segment out of several, without what is gone from them.
    private func merge(_ segments: [LiveSegment]) throws {
        guard !segments.isEmpty else { return }
        let merger = SegmentMerger(segments.map { ($0.passages, $0.tombstones) })
        if merger.passages.count > 0 {
            var writer = try SegmentWriter(connection)
            let frequencies = FrequencyTable(scoring, merger.totals)
            var pages = segments.map { TermPages(connection, $0.number) }
            while true {
                var key: [UInt8]?
                for index in pages.indices {
                    guard let first = try pages[index].first() else { continue }
                    if key.map(first.lexicographicallyPrecedes) ?? true { key = first }
                }
                guard let key else { break }
                var sources: [(segment: Int, cursor: ListCursor)] = []
                for index in pages.indices where try pages[index].first() == key {
                    let cursor = try cursor(
                        pages[index].pop(), in: segments[index], keepsBlocks: false)
                    sources.append((index, cursor))
                }
                let list = try merger.list(
                    sources, frequencies, hasPositions: !Analysis.isExact(key))
                if list.count > 0 { try writer.add(key, list) }
            }
            try writer.finish(merger.passages, merger.totals)
        }
        for segment in segments { try dropSegment(segment.number, blocks: segment.blocks) }
    }

}

/// The terms of a segment in order, some hundred read at a time.
private struct TermPages {
    private static let length = 256

    private let connection: Connection
    private let segment: Int
    private var page: [(key: [UInt8], row: Store.TermRow)] = []
    private var index = 0
    private var last: [UInt8] = []
    private var isAtEnd = false

    init(_ connection: Connection, _ segment: Int) {
        self.connection = connection
        self.segment = segment
    }

    mutating func first() throws -> [UInt8]? {
        if index == page.count, !isAtEnd {
            page = try connection.rows(
                """
                SELECT term, passages, peak, first_block, data, places FROM terms
                WHERE segment = ? AND term > ? ORDER BY term LIMIT ?
                """,
                [.integer(Int64(segment)), .blob(last), .integer(Int64(TermPages.length))]
            ) { ($0.blob(0), Store.termRow($0, from: 1)) }
            index = 0
            isAtEnd = page.count < TermPages.length
            last = page.last?.key ?? last
        }
        return index < page.count ? page[index].key : nil
    }

    mutating func pop() -> Store.TermRow {
        index += 1
        return page[index - 1].row
    }
}

/// Writes a segment's rows.
private struct SegmentWriter: ~Copyable {
    private let connection: Connection
    private let insertTerm: Statement
    private let insertPostings: Statement
    private let insertPositions: Statement
    private let number: Int
    private let firstBlock: Int
    private var nextBlock: Int

    init(_ connection: Connection) throws {
        // Numbers of segments are never used again: what is known of one by its number stays true.
        try connection.run(
            "INSERT INTO segments VALUES (NULL, 0, 0, 0, 0, 0, 0, -1, x'')")
        let number = connection.lastInsertedRow
        let last = try connection.first("SELECT max(number) FROM posting_blocks") { $0.int(0) }
        let insertTerm = try connection.statement("INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?, ?)")
        let insertPostings = try connection.statement("INSERT INTO posting_blocks VALUES (?, ?)")
        let insertPositions = try connection.statement("INSERT INTO position_blocks VALUES (?, ?)")
        self.connection = connection
        self.number = number
        firstBlock = (last ?? 0) + 1
        nextBlock = firstBlock
        self.insertTerm = insertTerm
        self.insertPostings = insertPostings
        self.insertPositions = insertPositions
    }

    mutating func add(_ key: [UInt8], _ list: EncodedList) throws {
        var values: [Value] = [
            .integer(Int64(number)), .blob(key), .integer(Int64(list.count)),
            .integer(Int64(list.peak)),
        ]
        if let only = list.blocks.first, list.blocks.count == 1,
            only.data.count + only.places.count <= Store.inlineBytes
        {
            values += [.null, .blob(only.data), .blob(only.places)]
        } else {
            values += [.integer(Int64(nextBlock)), .blob(list.directory), .null]
            for block in list.blocks {
                let place = Value.integer(Int64(nextBlock))
                try insertPostings.run([place, .blob(block.data)])
                try insertPositions.run([place, .blob(block.places)])
                nextBlock += 1
            }
        }
        try insertTerm.run(values)
    }

    consuming func finish(_ passages: SegmentPassages, _ totals: WordTotals) throws {
        try connection.run(
            """
            UPDATE segments SET passages = ?, title_words = ?, tag_words = ?, heading_words = ?,
                body_words = ?, first_block = ?, last_block = ?, documents = ? WHERE number = ?
            """,
            Store.values(totals) + [
                .integer(Int64(firstBlock)), .integer(Int64(nextBlock - 1)),
                .blob(passages.bytes), .integer(Int64(number)),
            ])
    }
}
