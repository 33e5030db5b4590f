internal import AuraSQLite

/// The tables of the index database, as migrations numbered from 1.
///
/// Everything here can be rebuilt from the notes. A released migration is never edited; the next one
/// is added below it.
enum Schema {
    static var current: Int { migrations.count }

    /// Brings the database to `current`; one transaction, which another process may have won.
    static func migrate(_ connection: Connection) throws {
        try connection.script("PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL")
        try connection.transaction {
            let version = try self.version(of: connection)
            guard version < current else { return }
            for migration in migrations[version...] { try connection.script(migration) }
            // What SQL alone cannot fill.
            try VectorBlock.fill(connection)
            try connection.script("PRAGMA user_version = \(current)")
        }
    }

    static func version(of connection: Connection) throws -> Int {
        try connection.first("PRAGMA user_version") { $0.int(0) } ?? 0
    }

    static let migrations = [
        // 1: notes, their tags and passages, words and vectors.
        """
        -- What the listing of the folder is compared with: narrow, since all of it is read.
        CREATE TABLE files(
            number INTEGER PRIMARY KEY,
            path TEXT NOT NULL UNIQUE,      -- in the byte form the disk has
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,      -- nanoseconds since 1970; -1: look at the bytes again
            inode INTEGER NOT NULL,
            hash INTEGER NOT NULL           -- of the bytes
        );

        CREATE TABLE notes(
            number INTEGER PRIMARY KEY REFERENCES files(number) ON DELETE CASCADE,
            id TEXT UNIQUE,                 -- null when another note has it
            claimed_id TEXT,                -- what the file says
            vault TEXT NOT NULL,
            title TEXT NOT NULL,
            kind TEXT NOT NULL,
            tags TEXT NOT NULL,             -- one a line
            created INTEGER,                -- seconds since 1970, null when the note does not say
            modified INTEGER,
            moment INTEGER NOT NULL,        -- created, or what comes nearest to it
            day INTEGER NOT NULL,           -- of `moment` in the person's zone, days since 1970
            status TEXT NOT NULL,
            is_evergreen INTEGER NOT NULL,
            action TEXT NOT NULL,
            deadline INTEGER,               -- days since 1970
            time INTEGER,                   -- minutes since midnight
            warnings TEXT NOT NULL,         -- one a line
            folded_vault TEXT NOT NULL,
            folded_path TEXT NOT NULL,      -- without .md
            folded_name TEXT NOT NULL,      -- last component of folded_path
            folded_title TEXT NOT NULL
        );
        CREATE INDEX notes_by_moment ON notes(moment);
        CREATE INDEX notes_by_path ON notes(folded_path);
        CREATE INDEX notes_by_name ON notes(folded_name);
        CREATE INDEX notes_by_title ON notes(folded_title);
        CREATE INDEX notes_by_claim ON notes(claimed_id) WHERE claimed_id IS NOT NULL;

        CREATE TABLE tags(
            tag TEXT NOT NULL,              -- folded
            note INTEGER NOT NULL REFERENCES notes(number) ON DELETE CASCADE,
            shown TEXT NOT NULL,            -- as written
            PRIMARY KEY (tag, note)
        ) WITHOUT ROWID;
        CREATE INDEX tags_by_note ON tags(note);

        CREATE TABLE passages(
            number INTEGER PRIMARY KEY,
            note INTEGER NOT NULL REFERENCES files(number) ON DELETE CASCADE,
            position INTEGER NOT NULL,      -- 0 for the first of its note
            heading TEXT NOT NULL,
            text TEXT NOT NULL
        );
        CREATE INDEX passages_by_note ON passages(note, position);

        -- The words, by rowid = notes.number.
        CREATE VIRTUAL TABLE words USING fts5(
            title, tags, headings, body, forms,
            content = '', contentless_delete = 1, tokenize = 'ascii'
        );
        CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');

        CREATE TABLE models(
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            dimensions INTEGER NOT NULL,
            UNIQUE (name, dimensions)
        );
        CREATE TABLE vectors(
            model INTEGER NOT NULL REFERENCES models(number) ON DELETE CASCADE,
            passage INTEGER NOT NULL,
            note INTEGER NOT NULL,
            scale REAL NOT NULL,            -- one code step
            codes BLOB NOT NULL,            -- a signed byte a dimension; empty: cannot be embedded
            PRIMARY KEY (model, passage)
        ) WITHOUT ROWID;

        CREATE TABLE facts_of_index(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """,
        // 2: what a file is called on the disk, which in an encrypted home is not its path.
        """
        ALTER TABLE files ADD COLUMN name TEXT NOT NULL DEFAULT '';
        UPDATE files SET name = path;
        CREATE UNIQUE INDEX files_by_name ON files(name);
        """,
        // 3: words in an inverted index of our own; see Postings.
        """
        DROP TABLE vocabulary;
        DROP TABLE words;

        CREATE TABLE segments(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            passages INTEGER NOT NULL,
            title_words INTEGER NOT NULL,   -- of all its passages together
            tag_words INTEGER NOT NULL,
            heading_words INTEGER NOT NULL,
            body_words INTEGER NOT NULL,
            first_block INTEGER NOT NULL,
            last_block INTEGER NOT NULL,
            documents BLOB NOT NULL         -- notes and lengths of its passages
        );
        CREATE TABLE tombstones(
            segment INTEGER PRIMARY KEY,
            passages INTEGER NOT NULL,      -- how many are gone, and how many words went with them
            title_words INTEGER NOT NULL,
            tag_words INTEGER NOT NULL,
            heading_words INTEGER NOT NULL,
            body_words INTEGER NOT NULL,
            bits BLOB NOT NULL
        );
        CREATE TABLE terms(
            segment INTEGER NOT NULL,
            term BLOB NOT NULL,
            passages INTEGER NOT NULL,
            peak INTEGER NOT NULL,
            first_block INTEGER,            -- null: the list is in this row
            data BLOB NOT NULL,             -- the list, or the directory of its blocks
            places BLOB,
            PRIMARY KEY (segment, term)
        ) WITHOUT ROWID;
        CREATE TABLE posting_blocks(number INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE position_blocks(number INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE removed_terms(
            segment INTEGER NOT NULL,
            term BLOB NOT NULL,
            passages INTEGER NOT NULL,
            PRIMARY KEY (segment, term)
        ) WITHOUT ROWID;
        """,
        // 4: what a quick look at the files needs; see Freshness.
        """
        CREATE TABLE folders(
            name TEXT PRIMARY KEY,
            modified INTEGER NOT NULL,      -- nanoseconds since 1970; -1: look again
            inode INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE left_out(name TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE INDEX files_distrusted ON files(number) WHERE modified = -1;
        """,
        // 5: a bit of each dimension of each vector, packed so that a search reads all of them; see
        // VectorBlock. Every row of `vectors` has a slot here and no slot is without one.
        """
        CREATE TABLE vector_blocks(
            number INTEGER PRIMARY KEY,
            model INTEGER NOT NULL REFERENCES models(number) ON DELETE CASCADE,
            block INTEGER NOT NULL,         -- of passages block * 256 to block * 256 + 255
            filled INTEGER NOT NULL,        -- how many slots are in use
            notes BLOB NOT NULL,            -- 4 bytes a slot
            codes BLOB NOT NULL,            -- a bit a dimension
            UNIQUE (model, block)
        );
        """,
        // 6: a folder that changed is compared by names and inodes, without a look at the rows.
        """
        DROP INDEX files_by_name;
        CREATE INDEX files_by_name ON files(name, inode);
        """,
    ]
}
