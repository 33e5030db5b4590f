import AuraSQLite
import AuraSystem
import AuraTestKit
import Testing

@testable import AuraCore

@Suite struct StoreTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/index.db" }

    init() throws { folder = try TemporaryFolder() }

    @Test("a missing index is made, and found the next time")
    func made() throws {
        #expect(try Store(path: path).opening == .made)
        #expect(try Store(path: path).opening == .found)
        #expect(throws: StoreError.missing(path: "/nowhere.db")) {
            try Store(path: "/nowhere.db", isReadOnly: true)
        }
    }

    @Test("what is no index is set aside and told", arguments: ["not a database", "overwritten"])
    func setAside(kind: String) async throws {
        var bytes = Array(String(repeating: "garbage ", count: 2000).utf8)
        if kind == "overwritten" {
            _ = try Store(path: path)
            bytes = try Files.bytes(at: path)
            for index in 100..<min(4096, bytes.count) { bytes[index] = 0xA5 }
        }
        try folder.write(bytes, to: "index.db")
        let store = try Store(path: path)
        guard case .rebuilt(let copy?) = store.opening else {
            Issue.record("not rebuilt: \(store.opening)")
            return
        }
        #expect(copy.hasPrefix(path + ".damaged-"))
        #expect(try Files.bytes(at: copy) == bytes)
        #expect(try await store.count() == 0)
    }

    @Test("a file of no bytes is filled, and told")
    func empty() throws {
        try folder.write("", to: "index.db")
        #expect(try Store(path: path).opening == .rebuilt(damagedCopy: nil))
    }

    @Test("an index of a newer aura is neither read nor changed")
    func newer() throws {
        _ = try Store(path: path)
        try Connection(path: path).script("PRAGMA user_version = 999")
        let error = StoreError.newer(path: path, version: 999, known: Schema.current)
        #expect(throws: error) { try Store(path: path) }
        #expect(throws: error) { try Store(path: path, isReadOnly: true) }
        #expect(try Connection(path: path).first("PRAGMA user_version") { $0.int(0) } == 999)
    }

    @Test("a wrong key is not damage: nothing is moved")
    func wrongKey() async throws {
        let key = [UInt8](repeating: 7, count: 32)
        _ = try Store(path: path, key: key)
        #expect(throws: StoreError.wrongKey(path: path)) {
            try Store(path: path, key: [UInt8](repeating: 8, count: 32))
        }
        #expect(throws: StoreError.wrongKey(path: path)) {
            try Store(path: path, key: [UInt8](repeating: 8, count: 32), isReadOnly: true)
        }
        #expect(try Store(path: path, key: key).opening == .found)
    }

    @Test("a read-only store reads and refuses to write")
    func readOnly() async throws {
        let home = try IndexedFolder()
        try home.write("feldspar", to: "V/a.md")
        try await home.refresh()
        let store = try Store(path: home.store.path, isReadOnly: true)
        #expect(store.isReadOnly)
        #expect(try await Search(store: store).hits(for: SearchQuery("feldspar")).hits.count == 1)
        await #expect(throws: StoreError.readOnly(path: store.path)) { try await store.clear() }
    }

    @Test("a second writer hears that the index is busy, and a reader goes on")
    func busy() async throws {
        let store = try Store(path: path)
        let other = try Connection(path: path, busyTimeout: .zero)
        try other.run("BEGIN IMMEDIATE")
        #expect(try await store.count() == 0)
        try other.run("ROLLBACK")
    }

    @Test("lists take filters and orders")
    func lists() async throws {
        let home = try await sample()
        func list(_ query: String, _ order: Store.Order = .byPath) async throws -> [String] {
            try await home.store.list(SearchQuery(query).filter, order: order).map(\.title)
        }
        #expect(try await list("") == ["Pump", "Reading", "Plan"])
        #expect(try await list("", .newestFirst) == ["Plan", "Reading", "Pump"])
        #expect(try await list("vault:PROJECTS") == ["Plan"])
        #expect(try await list("-vault:projects") == ["Pump", "Reading"])
        #expect(try await list("tag:work") == ["Pump", "Plan"])
        #expect(try await list("tag:work -tag:work/deep") == ["Pump"])
        #expect(try await list("tag:home") == ["Reading"])
        #expect(try await list("type:task") == ["Pump"])
        #expect(try await list("has:task") == ["Pump"])
        #expect(try await list("-type:task type:ideas") == ["Plan"])
        #expect(try await list("is:evergreen") == ["Reading"])
        #expect(try await list("is:pending") == ["Plan"])
        #expect(try await list("has:deadline") == ["Pump"])
        #expect(try await list("before:2026-02-02") == ["Pump"])
        #expect(try await list("after:2026-02-02") == ["Reading", "Plan"])
        #expect(try await list("on:2026-02") == ["Reading"])
        #expect(try await list("", .byDeadline).first == "Pump")
        #expect(try await home.store.recent(limit: 1).map(\.title) == ["Plan"])
    }

    @Test("tags are counted, the most used first")
    func tagCounts() async throws {
        let home = try await sample()
        let counts = try await home.store.tagCounts()
        #expect(counts.map { "\($0.tag) \($0.count)" } == ["home 1", "work 1", "work/deep 1"])
        var filter = NoteFilter()
        filter.vaults = ["Projects"]
        #expect(try await home.store.tagCounts(filter).map(\.tag) == ["work/deep"])
    }

    @Test("a note answers to its path, name, id, the beginning of its id, and its title")
    func naming() async throws {
        let home = try await sample()
        func title(_ name: String) async throws -> String {
            switch try await home.store.note(named: name) {
            case .one(let record): record.title
            case .several(let records): records.map(\.path).joined(separator: " | ")
            case .none(let nearest): "none, \(nearest ?? "-")"
            }
        }
        for name in [
            "Corporate/pump.md", "./Corporate/pump.md", "corporate/Pump", "pump", "pump.md", "PUMP",
            "01KJ0WZ8Q4T9M3C5V7X2B6N1RA", "01kj0wz8q4t9m3c5v7x2b6n1ra", "01KJ0W",
        ] {
            #expect(try await title(name) == "Pump", "\(name)")
        }
        #expect(try await title("Reading") == "Reading")
        #expect(try await title("01KJ") == "none, -")
        #expect(try await title("redaing") == "none, Reading")
        try home.write("---\ntitle: pump\n---\n", to: "Projects/pump.md")
        try await home.refresh()
        #expect(try await title("pump") == "pump")
        #expect(try await title("PUMP") == "Corporate/pump.md | Projects/pump.md")
        #expect(try await title("Projects/pump") == "pump")
    }

    private func sample() async throws -> IndexedFolder {
        let home = try IndexedFolder()
        try home.write(
            """
            ---
            id: 01KJ0WZ8Q4T9M3C5V7X2B6N1RA
            title: Pump
            type: task
            tags: [Work]
            action:
              kind: reminder
              deadline: 2026-03-15
            created: 2026-01-05T10:00:00Z
            ---
            x
            """, to: "Corporate/pump.md")
        try home.write(
            "---\ntitle: Reading\ntags: [home]\nevergreen: true\ncreated: 2026-02-05T10:00:00Z\n---\n",
            to: "Personal/read.md")
        try home.write(
            """
            ---
            title: Plan
            type: idea
            status: pending_classification
            tags: [work/deep]
            created: 2026-03-05T10:00:00Z
            ---
            """, to: "Projects/plan.md")
        try await home.refresh()
        return home
    }
}
