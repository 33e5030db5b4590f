import AuraSQLite
import AuraSystem
import AuraTestKit
import Testing

@Suite struct ConnectionTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/t.db" }

    init() throws { folder = try TemporaryFolder() }

    @Test("values come back as they were bound")
    func values() throws {
        let connection = try Connection(path: path)
        try connection.script("CREATE TABLE t(a, b, c, d, e)")
        try connection.run(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?)",
            [.integer(.min), 1.5, "Zoë \0 end", .blob([0, 255]), nil])
        let row = try connection.first("SELECT * FROM t") { row in
            #expect(row.int64(0) == .min)
            #expect(row.double(1) == 1.5)
            #expect(row.text(2) == "Zoë \0 end")
            #expect(row.blob(3) == [0, 255])
            #expect(row.isNull(4) && row.textOrNil(4) == nil && row.blob(4).isEmpty)
            #expect(row.withBlob(3) { $0.byteCount } == 2)
            return true
        }
        #expect(row == true)
    }

    @Test("the product reads signed bytes in place, and refuses another length")
    func product() throws {
        let connection = try Connection(path: path)
        let bytes = [3, -2, 127].map { UInt8(bitPattern: Int8($0)) }
        let products = try connection.first("SELECT ?", [.blob(bytes)]) { row in
            [row.product(0, with: [10, 5, -1]), row.product(0, with: [1, 1])]
        }
        #expect(products == [-107, nil])
    }

    @Test("the sums of a blob's runs come from the tables of their places")
    func tableSums() throws {
        let connection = try Connection(path: path)
        let tables = (0..<256).map { Int16($0) } + (0..<256).map { Int16($0) * -100 }
        var sums: [Int32] = [0, 0]
        _ = try connection.first("SELECT ?, x'010203'", [.blob([1, 2, 255, 255])]) { row in
            #expect(row.tableSums(0, tables, into: &sums))
            #expect(!row.tableSums(1, tables, into: &sums))
            #expect(sums == [-199, -25245])
        }
    }

    @Test("a blob is read as numbers of four bytes, or not at all")
    func numbers() throws {
        let connection = try Connection(path: path)
        var numbers: [UInt32] = [9]
        _ = try connection.first("SELECT x'01020380', x'010203'") { row in
            #expect(!row.numbers(1, into: &numbers) && numbers == [9])
            #expect(row.numbers(0, into: &numbers) && numbers == [0x8003_0201])
        }
    }

    @Test("statements of one reading see one state, whatever another connection writes meanwhile")
    func reading() throws {
        let connection = try Connection(path: path)
        try connection.script("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
        let other = try Connection(path: path)
        func count() throws -> Int? {
            try connection.first("SELECT count(*) FROM t") { $0.int(0) }
        }
        try connection.reading {
            #expect(try count() == 0)
            try other.run("INSERT INTO t VALUES (1)")
            #expect(try count() == 0)
        }
        #expect(try count() == 1)
        #expect(throws: SQLiteError.self) { try connection.reading { try connection.run("no") } }
        #expect(!connection.isInTransaction)
    }

    @Test("a statement serves again after use and after an error, also inside itself")
    func statementReuse() throws {
        let connection = try Connection(path: path)
        try connection.script("CREATE TABLE t(a UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", [1])
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (?)", [1]) }
        try connection.run("INSERT INTO t VALUES (?)", [2])
        var pairs = 0
        try connection.forEach("SELECT a FROM t") { _ in
            try connection.forEach("SELECT a FROM t") { _ in pairs += 1 }
        }
        #expect(pairs == 4)
    }

    @Test("an error tells the SQL and never a bound value")
    func errors() throws {
        let connection = try Connection(path: path)
        try connection.script("CREATE TABLE t(a CHECK (a <> 'secret'))")
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t VALUES (?)", ["secret"])
        }
        #expect(error?.isConstraint == true)
        #expect(error?.sql == "INSERT INTO t VALUES (?)")
        let syntax = #expect(throws: SQLiteError.self) { try connection.run("SELEKT") }
        #expect(syntax?.description.contains("SELEKT") == true)
    }

    @Test("a transaction is all or nothing")
    func transaction() throws {
        struct Stop: Error {}
        let connection = try Connection(path: path)
        try connection.script("CREATE TABLE t(a)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        try connection.transaction { try connection.run("INSERT INTO t VALUES (2)") }
        #expect(try connection.rows("SELECT a FROM t") { $0.int(0) } == [2])
    }

    @Test("a second writer is told that the database is busy; a reader sees the last commit")
    func busy() throws {
        let first = try Connection(path: path)
        try first.script("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
        let second = try Connection(path: path, busyTimeout: .milliseconds(1))
        try first.transaction {
            try first.run("INSERT INTO t VALUES (1)")
            let error = #expect(throws: SQLiteError.self) { try second.transaction {} }
            #expect(error?.isBusy == true)
            #expect(try second.rows("SELECT a FROM t") { $0.int(0) }.isEmpty)
        }
    }

    @Test("read-only and immutable connections refuse to write")
    func readOnly() throws {
        try Connection(path: path).script("CREATE TABLE t(a); INSERT INTO t VALUES (7)")
        for access in [Connection.Access.readOnly, .immutable] {
            let connection = try Connection(path: path, access: access)
            #expect(try connection.first("SELECT a FROM t") { $0.int(0) } == 7)
            let error = #expect(throws: SQLiteError.self) {
                try connection.run("INSERT INTO t VALUES (1)")
            }
            #expect(error?.isReadOnly == true)
        }
        let missing = #expect(throws: SQLiteError.self) {
            try Connection(path: "\(folder.path)/none.db", access: .readOnly)
        }
        #expect(missing?.cannotOpen == true)
    }

    @Test("an immutable file may have any name")
    func immutableName() throws {
        let odd = "\(folder.path)/50% ü?#&.db"
        try Connection(path: odd).script("CREATE TABLE t(a)")
        let connection = try Connection(path: odd, access: .immutable)
        #expect(try connection.first("SELECT name FROM sqlite_schema") { $0.text(0) } == "t")
    }

    @Test("files that are no database are told apart from damaged ones")
    func damage() throws {
        try folder.write(String(repeating: "no database at all ", count: 300), to: "t.db")
        let noDatabase = #expect(throws: SQLiteError.self) {
            try Connection(path: path).run("SELECT * FROM sqlite_schema")
        }
        #expect(noDatabase?.isNotADatabase == true)

        let other = "\(folder.path)/o.db"
        try Connection(path: other).script("CREATE TABLE t(a); CREATE INDEX i ON t(a)")
        var bytes = try Files.bytes(at: other)
        for index in 4096..<bytes.count { bytes[index] = 0x5A }
        try folder.write(bytes, to: "o.db")
        let damaged = #expect(throws: SQLiteError.self) {
            try Connection(path: other).run("INSERT INTO t VALUES (1)")
        }
        #expect(damaged?.isCorrupt == true)
    }

    @Test("schema tables cannot be rewritten by SQL")
    func defensive() throws {
        let connection = try Connection(path: path)
        try connection.script("PRAGMA writable_schema = ON; CREATE TABLE t(a)")
        #expect(throws: SQLiteError.self) {
            try connection.run("UPDATE sqlite_schema SET sql = ''")
        }
    }
}

@Suite struct PageKeyTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/k.db" }
    private let key = PageKey((0..<32).map { UInt8($0 * 7) })

    init() throws { folder = try TemporaryFolder() }

    private func write() throws {
        let connection = try Connection(path: path, key: key)
        try connection.script(
            "CREATE VIRTUAL TABLE w USING fts5(a); CREATE TABLE plainword(a)")
        for number in 0..<200 {
            try connection.run("INSERT INTO w VALUES (?)", [.text("zanzibar \(number)")])
        }
    }

    @Test("an encrypted file holds no plain word and no header")
    func noPlainWord() throws {
        try write()
        let bytes = try Files.bytes(at: path)
        let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x2E }, as: UTF8.self)
        #expect(bytes.count > 4096)
        for word in ["SQLite format", "zanzibar", "plainword", "CREATE"] {
            #expect(!text.contains(word))
        }
    }

    @Test("only the right key opens it")
    func rightKey() throws {
        try write()
        let count = try Connection(path: path, key: key).first(
            "SELECT count(*) FROM w WHERE w MATCH 'zanzibar'"
        ) { $0.int(0) }
        #expect(count == 200)
        for wrong in [nil, PageKey([UInt8](repeating: 1, count: 32))] {
            let error = #expect(throws: SQLiteError.self) {
                try Connection(path: path, key: wrong).run("SELECT * FROM w")
            }
            #expect(error?.isNotADatabase == true)
        }
    }
}
