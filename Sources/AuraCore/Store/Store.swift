internal import AuraSQLite
internal import AuraSystem

/// The index database: what notes say, findable. Made from the notes and never the only place of
/// anything; deleting the file costs a reindex.
///
/// One connection, used by one caller at a time; no call suspends inside, so each sees one state.
package actor Store {
    /// What opening found.
    package enum Opening: Hashable, Sendable {
        case found
        /// There was none.
        case made
        /// It was damaged, or had no bytes. What it held lies in the copy, if it held anything.
        case rebuilt(damagedCopy: String?)
    }

    static let cacheKilobytes = 16_384

    package nonisolated let path: String
    package nonisolated let opening: Opening
    /// Reads work, every write throws `StoreError.readOnly`.
    package nonisolated let isReadOnly: Bool
    let connection: Connection
    /// How words are weighed. Segments are written for one: `rewriteWords` follows a change.
    var scoring = WordScoring()
    /// What `liveSegments` read of each segment.
    var openSegments: [Int: OpenSegment] = [:]

    /// Opens the database, making, migrating or replacing it as needed.
    /// - Parameters:
    ///   - key: 32 bytes; nil for a plain file.
    ///   - isReadOnly: nothing is written, not even side files; a missing or older file is an error.
    /// - Throws: `StoreError`.
    package init(path: String, key: [UInt8]? = nil, isReadOnly: Bool = false) throws(StoreError) {
        do {
            let opened = try Store.open(path, key.map(PageKey.init), isReadOnly: isReadOnly)
            self.path = path
            connection = opened.connection
            opening = opened.opening
            self.isReadOnly = opened.connection.isReadOnly
            // After a power cut the index may be older than it was, never torn: the files tell what is
            // missing.
            try opened.connection.script(
                "PRAGMA cache_size = -\(Store.cacheKilobytes); PRAGMA synchronous = NORMAL")
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Moves a damaged database out of the way, beside itself: `index.db.damaged-1772289120`.
    /// - Returns: the new path; nil when nothing was there.
    @discardableResult
    package static func setAside(_ path: String) throws(StoreError) -> String? {
        do {
            guard let status = try Files.status(of: path) else { return nil }
            var copy = "\(path).damaged-\(status.modified / 1_000_000_000)"
            while try Files.status(of: copy) != nil { copy += "x" }
            try Files.move(path, to: copy)
            // The log belongs to the file that went; a new one must not read it.
            if try Files.status(of: path + "-wal") != nil {
                try Files.move(path + "-wal", to: copy + "-wal")
            }
            try Files.remove(path + "-shm")
            return copy
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func open(
        _ path: String, _ key: PageKey?, isReadOnly: Bool
    ) throws -> (connection: Connection, opening: Opening) {
        let status = try Files.status(of: path, followingLinks: true)
        if isReadOnly {
            guard status != nil else { throw StoreError.missing(path: path) }
            return (try openForReading(path, key), .found)
        }
        do {
            let connection = try Connection(path: path, key: key)
            let isNew = try prepare(connection, path)
            guard isNew else { return (connection, .found) }
            return (connection, status == nil ? .made : .rebuilt(damagedCopy: nil))
        } catch let error as SQLiteError where error.isCorrupt || error.isNotADatabase {
            // With a key, "not a database" is what a wrong key looks like: nothing is moved then.
            if key != nil, error.isNotADatabase { throw StoreError.wrongKey(path: path) }
            let copy = try setAside(path)
            let connection = try Connection(path: path, key: key)
            _ = try prepare(connection, path)
            return (connection, .rebuilt(damagedCopy: copy))
        } catch let error as SQLiteError
            where status != nil
            && (error.isReadOnly || error.cannotOpen || error.isFull || error.isInputOutput)
        {
            do {
                return (try openForReading(path, key), .found)
            } catch StoreError.missing {
                throw error
            }
        }
    }

    /// True when the tables were made just now.
    private static func prepare(_ connection: Connection, _ path: String) throws -> Bool {
        let version = try Schema.version(of: connection)
        guard version <= Schema.current else {
            throw StoreError.newer(path: path, version: version, known: Schema.current)
        }
        if version < Schema.current { try Schema.migrate(connection) }
        // Reads the whole schema, as the next statement would: damage to it shows here.
        try connection.run("SELECT 1 FROM facts_of_index LIMIT 1")
        return version == 0
    }

    private static func openForReading(_ path: String, _ key: PageKey?) throws -> Connection {
        // A file in a folder that allows no side files opens only as one that nothing can change.
        for access in [Connection.Access.readOnly, .immutable] {
            do {
                let connection = try Connection(path: path, access: access, key: key)
                let version = try Schema.version(of: connection)
                if version == Schema.current { return connection }
                throw version > Schema.current
                    ? StoreError.newer(path: path, version: version, known: Schema.current)
                    : StoreError.missing(path: path)
            } catch let error as SQLiteError where access == .readOnly {
                if error.isNotADatabase, key != nil { throw StoreError.wrongKey(path: path) }
                if error.isCorrupt || error.isNotADatabase { throw error }
            }
        }
        throw StoreError.missing(path: path)
    }

    /// Turns what SQLite says into what a caller can act on.
    func reporting<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do { return try body() } catch { throw StoreError(error, path: path) }
    }
}
