internal import AuraSQLite

/// What the index remembers of the files beside what they say, so that a look at them need not be a
/// look at each.
extension Store {
    /// The folders as they were when they were read last. Empty until all of them have been.
    package func folders() throws(StoreError) -> [NoteFolder] {
        try reporting {
            try connection.rows("SELECT name, modified, inode FROM folders") { row in
                NoteFolder(
                    name: row.text(0), modified: row.int64(1),
                    inode: UInt64(bitPattern: row.int64(2)))
            }
        }
    }

    /// Replaces what is known of the folders.
    package func keep(_ folders: [NoteFolder]) throws(StoreError) {
        try reporting {
            try connection.transaction {
                try connection.run("DELETE FROM folders")
                for folder in folders {
                    try connection.run(
                        "INSERT OR REPLACE INTO folders VALUES (?, ?, ?)",
                        [
                            .text(folder.name), .integer(folder.modified),
                            .integer(Int64(bitPattern: folder.inode)),
                        ])
                }
            }
        }
    }

    /// What tells a file of a folder from one of another name and from one that takes its place.
    package static func mark(_ inode: UInt64, ofNameHash hash: UInt64) -> UInt64 {
        (hash ^ inode &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    }

    /// The marks of the files of a folder itself.
    package func marks(in folder: String) throws(StoreError) -> Set<UInt64> {
        let length = folder.utf8.count + 1
        var found: Set<UInt64> = []
        try reporting {
            try connection.forEach(
                "SELECT name, inode FROM files WHERE name >= ? AND name < ?",
                [.text(folder + "/"), .text(folder + "0")]
            ) { row in
                row.withBytes(0) { name in
                    for index in length..<max(length, name.count) where name[index] == 0x2F {
                        return
                    }
                    let inode = UInt64(bitPattern: row.int64(1))
                    found.insert(Store.mark(inode, ofNameHash: FNV1a.hash(name)))
                }
            }
        }
        return found
    }

    /// The files of a folder itself, by name.
    package func inodes(in folder: String) throws(StoreError) -> [String: UInt64] {
        let start = folder + "/"
        var found: [String: UInt64] = [:]
        try reporting {
            // '0' follows '/'.
            try connection.forEach(
                "SELECT name, inode FROM files WHERE name >= ? AND name < ?",
                [.text(start), .text(folder + "0")]
            ) { row in
                let name = row.text(0)
                if !name.utf8.dropFirst(start.utf8.count).contains(0x2F) {
                    found[name] = UInt64(bitPattern: row.int64(1))
                }
            }
        }
        return found
    }

    /// The record of a file, by its name on the disk.
    package func file(named name: String) throws(StoreError) -> FileRecord? {
        try reporting { try fileRecords("WHERE name = ?", [.text(name)]).first }
    }

    /// The records of notes, by their paths.
    package func files(ofPaths paths: [String]) throws(StoreError) -> [FileRecord] {
        try reporting {
            try paths.flatMap { try fileRecords("WHERE path = ?", [.text($0)]) }
        }
    }

    /// Files that are to be looked at again whatever their times say.
    package func distrustedFiles() throws(StoreError) -> [FileRecord] {
        try reporting { try fileRecords("WHERE modified = -1", []) }
    }

    package func distrust(_ numbers: [Int]) throws(StoreError) {
        guard !numbers.isEmpty else { return }
        try reporting {
            try connection.transaction {
                try connection.run("DELETE FROM facts_of_index WHERE name = 'listing'")
                for number in numbers {
                    try connection.run(
                        "UPDATE files SET modified = -1 WHERE number = ?", [.integer(Int64(number))]
                    )
                }
            }
        }
    }

    /// By number, from the one after `last` on.
    package func files(after last: Int, limit: Int) throws(StoreError) -> [FileRecord] {
        try reporting {
            try fileRecords(
                "WHERE number > ? ORDER BY number LIMIT ?",
                [.integer(Int64(last)), .integer(Int64(limit))])
        }
    }

    /// The file that was looked at last in going round; 0 at the beginning.
    package func lookedAt() throws(StoreError) -> Int {
        try reporting {
            try connection.first("SELECT value FROM facts_of_index WHERE name = 'looked-at'") {
                $0.int(0)
            } ?? 0
        }
    }

    package func setLookedAt(_ number: Int) throws(StoreError) {
        try reporting {
            try connection.run(
                "INSERT OR REPLACE INTO facts_of_index VALUES ('looked-at', ?)",
                [.integer(Int64(number))])
        }
    }

    /// Names of files that did not open: they are tried each time.
    package func leftOut() throws(StoreError) -> Set<String> {
        try reporting {
            Set(try connection.rows("SELECT name FROM left_out") { $0.text(0) })
        }
    }

    package func setLeftOut(_ names: Set<String>) throws(StoreError) {
        guard try leftOut() != names else { return }
        try reporting {
            try connection.transaction {
                try connection.run("DELETE FROM left_out")
                for name in names {
                    try connection.run("INSERT INTO left_out VALUES (?)", [.text(name)])
                }
            }
        }
    }
}
