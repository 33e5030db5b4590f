import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// Every regular file below a folder with its bytes, by its path there.
private func files(below root: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
        guard try Files.status(of: "\(root)/\(path)")?.kind == .regular else { continue }
        found[path] = try Files.bytes(at: "\(root)/\(path)")
    }
    return found
}

/// Whether the bytes hold the word, in any case of ASCII.
private func holds(_ bytes: [UInt8], _ word: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).lowercased().contains(word.lowercased())
}

extension FlowHome {
    fileprivate var keys: HomeKeys {
        get throws { try #require(seal).unlocked() }
    }

    /// The same home, with what only its public recipients allow.
    fileprivate var locked: (files: NoteFiles, seal: FileSeal) {
        get throws {
            let seal = FileSeal(recipients: try #require(seal).recipients, keys: nil)
            return (NoteFiles(layout: home.layout, seal: seal), seal)
        }
    }

    fileprivate func indexer(_ store: Store) -> Indexer {
        Indexer(
            store: store, source: files, zone: zone, now: { Instant(seconds: 4_000_000_000) },
            unreachableFolders: { try self.files.unreadableFolders() })
    }

    fileprivate func store() throws -> Store {
        try Store(path: "\(folder.path)/index.db", key: keys.indexKey)
    }
}

@Suite("the files of an encrypted home")
struct SealedFilesTests {
    private static let words = [
        "Heron", "lighthouse", "Family", "quarterdeck", "ledger", "barnacle", "um, so",
    ]

    /// A home in which all has happened that leaves files, and what each folder is to hold.
    private func busyHome() throws -> (home: FlowHome, expected: [String: Set<[UInt8]>]) {
        let home = try FlowHome(sealing: .age)
        try home.folder.write("barnacle figures", to: "in/ledger.csv")
        let ledger = "\(home.folder.path)/in/ledger.csv"
        let kept = try home.capture.save(
            Capture.Draft(
                text: "The lighthouse is white.", vault: "Family", title: "Heron",
                raw: Array("um, so the lighthouse".utf8), attachments: [.init(path: ledger)]))
        let gone = try home.capture.save(
            Capture.Draft(text: "The quarterdeck is wet.", vault: "Family"))
        let keptBytes = NoteText.compose(kept.note)
        let goneBytes = NoteText.compose(gone.note)
        let changed = keptBytes + Array("More of the lighthouse.\n".utf8)
        try home.changes.rewrite(kept.path, expecting: keptBytes) { _ in
            .init(bytes: changed, entry: .init(.edit, note: kept.note.id, path: kept.path))
        }
        _ = try home.changes.remove(
            gone.path, .init(.remove, note: gone.note.id, path: gone.path))
        try Inbox(folder: home.home.layout.inbox, seal: home.seal).keep(
            Capture.Draft(
                text: "The quarterdeck waits.", vault: "Family",
                attachments: [.init(path: ledger)]),
            home: home.home.layout.root, id: home.newID(), at: home.now())
        let expected: [String: Set<[UInt8]>] = [
            "notes/": [changed], "attachments/": [Array("barnacle figures".utf8)],
            ".aura/raw/": [Array("um, so the lighthouse".utf8)], ".aura/trash/": [goneBytes],
        ]
        return (home, expected)
    }

    @Test("no title, no vault and no word of a note is in a file's name or its bytes")
    func opaque() throws {
        let (home, _) = try busyHome()
        let all = try files(below: home.home.layout.root)
        #expect(all.count >= 10)
        for (path, bytes) in all {
            for word in Self.words {
                #expect(!holds(Array(path.utf8), word), "\(path)")
                #expect(!holds(bytes, word), "\(word) is in \(path)")
            }
        }
        // The same words are found by whoever has the keys.
        let text = try home.paths.map { try home.text(of: $0) }.joined()
        #expect(text.contains("Heron") && text.contains("lighthouse"))
    }

    @Test("every file but the marker is an age file that holds just the bytes")
    func ageFiles() throws {
        let (home, expected) = try busyHome()
        let identities = try home.keys.identities
        let all = try files(below: home.home.layout.root)
        var seen: [String: Set<[UInt8]>] = [:]
        var operations: [String] = []
        var waiting: [[UInt8]] = []
        for (path, stored) in all where path != ".aura/vault.json" {
            #expect(stored.starts(with: Array("age-encryption.org/v1\n".utf8)), "\(path)")
            let bytes = try AgeFile.open(stored, with: identities)
            if path.hasPrefix(".aura/journal/") {
                operations.append(try #require(JSONValue.read(bytes)?["operation"]?.text))
            } else if path.hasPrefix(".aura/inbox/") {
                waiting.append(bytes)
            } else {
                let folder = try #require(expected.keys.first { path.hasPrefix($0) }, "\(path)")
                seen[folder, default: []].insert(bytes)
            }
        }
        #expect(seen == expected)
        #expect(operations.sorted() == ["capture", "capture", "edit", "remove"])
        #expect(waiting.count == 2 && waiting.contains(Array("barnacle figures".utf8)))
        #expect(
            waiting.contains { JSONValue.read($0)?["text"]?.text == "The quarterdeck waits." })
    }

    @Test("another home's key opens none of them")
    func otherKey() throws {
        let (home, _) = try busyHome()
        let other = HomeKeys.make()
        for (path, stored) in try files(below: home.home.layout.root)
        where path != ".aura/vault.json" {
            #expect(throws: AgeError.noMatch, "\(path)") {
                try AgeFile.open(stored, with: other.identities)
            }
        }
        let files = NoteFiles(
            layout: home.home.layout,
            seal: FileSeal(recipients: [other.identities[0].recipient], keys: other))
        for file in try files.listing() {
            #expect(throws: SealError.notForUs(name: file.name)) { try files.open(file.name) }
        }
    }

    @Test(
        "a note's label is its path, of any length and script",
        arguments: [
            "Family/a.md", "Family/_distilled/weekly_2026-03-02.md", "Boat Log/Größe 大きさ 🌱.md",
            "V/" + String(repeating: "d/", count: 29) + "deep.md",
            "Family/" + String(repeating: "x", count: 252) + ".md",
        ])
    func label(path: String) throws {
        let home = try FlowHome(sealing: .age)
        let name = Files.name(of: path)
        #expect(
            try home.files.create(in: Files.parent(of: path), names: [name], [0x78]) == path)
        let file = try #require(try home.files.listing().first)
        let stored = try Files.bytes(at: "\(home.home.layout.root)/\(file.name)")
        let opened = try AgeFile.openLabelled(stored, with: home.keys.identities)
        #expect(opened.label == path && opened.bytes == [0x78])
        #expect(try home.files.open(file.name) == OpenedNote(path: path, bytes: [0x78]))
        #expect(try home.files.name(of: path) == file.name)
    }

    @Test("what other programs leave among the sealed files is no note")
    func foreignFiles() throws {
        let home = try FlowHome(sealing: .age)
        try home.write("x", to: "Family/a.md")
        let name = try home.files.name(of: "Family/a.md")
        let stored = try Files.bytes(at: home.place(of: "Family/a.md"))
        for path in [
            "notes/.tmp-0123456789abcdef", "notes/.hidden.md.age", "notes/x.md", "notes/x.age",
            "notes/folder/y.md.age", "\(name.dropLast(7)).sync-conflict-20260304.md.age",
            "Family/z.md", "loose.md.age", ".git/notes/w.md.age",
        ] { try home.folder.write(stored, to: "vaults/\(path)") }
        symlink(try home.place(of: "Family/a.md"), "\(home.home.layout.root)/notes/l.md.age")
        #expect(try home.files.listing().map(\.name) == [name])
    }

    @Test("a note that is rewritten and moved is one file afterwards, under the new path alone")
    func oneFile() throws {
        let home = try FlowHome(sealing: .age)
        let (old, new) = (Array("old".utf8), Array("new".utf8))
        try home.write("old", to: "Family/a.md")
        try home.files.move("Family/a.md", old: old, new: new, to: "Personal/b.md")
        #expect(try home.files.listing().count == 1 && home.paths == ["Personal/b.md"])
        #expect(try home.bytes(of: "Personal/b.md") == new)
        #expect(try home.files.contents(of: "Family/a.md") == nil)
        #expect(try !home.files.isTaken("Family/a.md"))
        try home.files.replace("Personal/b.md", old: new, new: old)
        #expect(try home.files.listing().count == 1)
        #expect(try home.bytes(of: "Personal/b.md") == old)
        #expect(try files(below: "\(home.home.layout.root)/notes").count == 1)
    }

    @Test("a vault's notes and attachments follow its name, from any point a run was stopped at")
    func renameVault() throws {
        let home = try FlowHome(sealing: .age)
        try home.write("one", to: "Family/a.md")
        try home.write("two", to: "Family/deep/b.md")
        try home.write("three", to: "Personal/c.md")
        try home.write("tides", to: "Family/attachments/t.pdf")
        // A run was stopped after the new file and before the old one went.
        try home.write("two", to: "Kin/deep/b.md")
        // This one was there before.
        try home.write("mine", to: "Kin/a.md")
        try home.files.renameVault("Family", to: "Kin")
        try home.files.renameVault("Family", to: "Kin")
        let paths = try home.paths
        #expect(paths.count == 4 && !paths.contains { $0.hasPrefix("Family/") })
        #expect(try home.text(of: "Kin/deep/b.md") == "two")
        #expect(try home.text(of: "Kin/a.md") == "mine")
        #expect(try home.text(of: "Personal/c.md") == "three")
        #expect(try home.text(of: "Kin/attachments/t.pdf") == "tides")
        let texts = try paths.map { try home.text(of: $0) }
        #expect(Set(texts) == ["one", "two", "three", "mine"])
    }
}

@Suite("a sealed file under a name that is not its path's")
struct MisplacedNoteTests {
    /// Refreshes, settles what is misplaced, and refreshes again.
    private func putRight(_ home: FlowHome) async throws -> [String] {
        let store = try home.store()
        let report = try await home.indexer(store).refresh()
        for name in report.misplaced { _ = try home.files.settle(name) }
        let again = try await home.indexer(store).refresh()
        #expect(again.misplaced.isEmpty && again.skipped.isEmpty && report.skipped.isEmpty)
        #expect(try await store.list(order: .byPath).map(\.path) == home.paths)
        return report.misplaced
    }

    private func put(_ text: String, labelled label: String, at path: String, _ home: FlowHome)
        throws
    {
        let seal = try #require(home.seal)
        try home.folder.write(
            seal.sealed(Array(text.utf8), label: label),
            to: "vaults/\(home.files.name(of: path))")
    }

    @Test("a move that was stopped before the rename is finished", arguments: [false, true])
    func halfMoved(isIndexed: Bool) async throws {
        let home = try FlowHome(sealing: .age)
        try home.write("old", to: "Family/a.md")
        if isIndexed { #expect(try await putRight(home).isEmpty) }
        let name = try home.files.name(of: "Family/a.md")
        try put("new", labelled: "Personal/b.md", at: "Family/a.md", home)
        #expect(throws: VaultError.misplaced(name: name)) { try home.files.open(name) }
        #expect(try home.files.contents(of: "Family/a.md") == nil)
        #expect(try await putRight(home) == [name])
        #expect(try home.paths == ["Personal/b.md"] && home.text(of: "Personal/b.md") == "new")
    }

    @Test("a note that was written to its new place and not taken from the old is one note")
    func halfCopied() async throws {
        let home = try FlowHome(sealing: .age)
        try put("same", labelled: "Personal/b.md", at: "Family/a.md", home)
        try home.write("same", to: "Personal/b.md")
        #expect(try await putRight(home).count == 1)
        #expect(try home.paths == ["Personal/b.md"] && home.text(of: "Personal/b.md") == "same")
    }

    @Test("a copy that somebody made by hand is the same note, and goes")
    func copied() async throws {
        let home = try FlowHome(sealing: .age)
        try home.write("text", to: "Family/a.md")
        let stored = try Files.bytes(at: home.place(of: "Family/a.md"))
        try home.folder.write(stored, to: "vaults/notes/Copy of it.md.age")
        #expect(try await putRight(home) == ["notes/Copy of it.md.age"])
        #expect(try home.paths == ["Family/a.md"] && home.text(of: "Family/a.md") == "text")
    }

    @Test(
        "two different notes for one path are both kept, also by a run that was stopped before",
        arguments: ["Family/a.md", "Family/a.markdown", "Family/A.MD"], [false, true])
    func conflict(path: String, wasStopped: Bool) async throws {
        let home = try FlowHome(sealing: .age)
        try home.write("mine", to: path)
        try put("theirs", labelled: path, at: "Family/elsewhere.md", home)
        if wasStopped {
            let misplaced = try home.files.name(of: "Family/elsewhere.md")
            let stored = try Files.bytes(at: "\(home.home.layout.root)/\(misplaced)")
            _ = try home.files.settle(misplaced)
            try home.folder.write(stored, to: "vaults/\(misplaced)")
        }
        #expect(try await putRight(home).count == 1)
        let paths = try home.paths
        #expect(paths.count == 2 && paths.contains(path))
        #expect(try home.text(of: path) == "mine")
        #expect(try Set(paths.map { try home.text(of: $0) }) == ["mine", "theirs"])
        for name in try home.files.listing().map(\.name) {
            #expect(try home.files.settle(name) == name)
        }
    }

    @Test("a label that leads out of the home is damage and is left where it lies")
    func hostileLabel() async throws {
        let home = try FlowHome(sealing: .age)
        for label in ["../../out.md", "/etc/x.md", ".aura/vault.json", "x.md"] {
            try put("x", labelled: label, at: "Family/a.md", home)
            let name = try home.files.name(of: "Family/a.md")
            let report = try await home.indexer(home.store()).refresh()
            #expect(report.skipped.map(\.path) == [name] && report.misplaced.isEmpty, "\(label)")
            #expect(throws: SealError.self) { try home.files.settle(name) }
            #expect(try home.files.listing().map(\.name) == [name])
        }
    }
}

@Suite("a locked home")
struct LockedHomeTests {
    @Test("reads nothing and changes nothing, and says that it is locked")
    func locked() throws {
        let home = try FlowHome(sealing: .age)
        let saved = try home.capture.save(Capture.Draft(text: "x", vault: "Family"))
        _ = try home.trash.put(
            home.capture.save(Capture.Draft(text: "y", vault: "Family")).path,
            key: home.trash.newKey())
        let before = try files(below: home.home.layout.root)
        let (files, seal) = try home.locked
        let journal = Journal(
            layout: home.home.layout, seal: seal, newID: home.newID, now: home.now)
        let name = try #require(try files.listing().first).name
        let id = try #require(saved.note.id)
        let attempts: [() throws -> Void] = [
            { _ = try files.open(name) }, { _ = try files.contents(of: saved.path) },
            { _ = try files.create(in: "Family", names: ["z.md"], [1]) },
            { try files.replace(saved.path, old: [], new: []) },
            { try files.move(saved.path, old: [], new: [], to: "Family/q.md") },
            { _ = try files.settle(name) }, { try files.renameVault("Family", to: "Kin") },
            { _ = try Trash(files: files, newID: home.newID).items() },
            { _ = try journal.records(of: id) }, { _ = try journal.currentPath(ofFormer: "a/b") },
            { try journal.append(Journal.Entry(.edit, note: nil, path: "Family/a.md")) },
        ]
        for (number, attempt) in attempts.enumerated() {
            #expect(throws: SealError.locked, "\(number)") { try attempt() }
        }
        #expect(try AuraCoreTests.files(below: home.home.layout.root) == before)
    }

    @Test("keeps a thought with what belongs to it, and an open one files it as it was had")
    func inbox() throws {
        let home = try FlowHome(sealing: .age)
        let (_, seal) = try home.locked
        try home.folder.write("barnacle\u{0}\u{FF}", to: "in/Tide Table.pdf")
        let source = "\(home.folder.path)/in/Tide Table.pdf"
        let id = home.newID()
        let moment = try #require(Instant(iso8601: "2026-02-27T22:30:00Z"))
        let waiting = Inbox(folder: home.home.layout.inbox, seal: seal)
        let root = home.home.layout.root
        try waiting.keep(
            Capture.Draft(
                text: "Measure the quay tomorrow.", vault: "Family", title: "Quay", tags: ["tide"],
                raw: [0xFF, 0x00, 0x61], attachments: [.init(path: source)]),
            home: root, id: id, at: moment)
        // What waits needs its source no more.
        try Files.remove(source)
        #expect(waiting.count(home: root) == 1)
        #expect(waiting.bringIn(home: root, home.capture).isEmpty)
        #expect(waiting.count(home: root) == 1)

        let open = Inbox(folder: home.home.layout.inbox, seal: home.seal)
        let paths = open.bringIn(home: root, home.capture)
        #expect(paths == ["Family/2026-02-27_quay.md"])
        let note = try home.note(at: try #require(paths.first))
        #expect(note.id == id && note.created == moment && note.tags == ["tide"])
        #expect(note.body.hasPrefix("Measure the quay tomorrow.\n"))
        #expect(note.body.contains("[Tide Table.pdf](attachments/tide-table.pdf)"))
        var attachment: [UInt8] = []
        #expect(
            try home.files.readAttachment("Family/attachments/tide-table.pdf") { attachment += $0 })
        #expect(attachment == Array("barnacle\u{0}\u{FF}".utf8))
        #expect(try home.bytes(of: ".aura/raw/\(id).txt.age") == [0xFF, 0x00, 0x61])
        let entry = try #require(try home.journal.records(of: id).first).entry
        #expect(entry.operation == .capture && entry.personFields == ["title", "tags"])
        let left = try Files.names(of: home.home.layout.inbox).filter { $0.hasSuffix(".age") }
        #expect(left.isEmpty && open.count(home: root) == 0)
    }

    @Test("files a thought once, though the run that filed it was killed before it went")
    func broughtInTwice() throws {
        let home = try FlowHome(sealing: .age)
        let inbox = Inbox(folder: home.home.layout.inbox, seal: home.seal)
        try home.folder.write("barnacle", to: "in/t.pdf")
        try inbox.keep(
            Capture.Draft(
                text: "Once.", vault: "Family",
                attachments: [.init(path: "\(home.folder.path)/in/t.pdf")]),
            home: home.home.layout.root, id: home.newID(), at: home.now())
        let waiting = try files(below: home.home.layout.inbox)
        #expect(waiting.count == 2)
        for _ in 1...2 {
            for (name, bytes) in waiting {
                try home.folder.write(bytes, to: "vaults/.aura/inbox/\(name)")
            }
            #expect(inbox.bringIn(home: home.home.layout.root, home.capture).count == 1)
        }
        #expect(try home.paths.count == 1)
        #expect(try files(below: "\(home.home.layout.root)/attachments").count == 1)
    }
}

@Suite("a damaged sealed note")
struct DamagedNoteTests {
    enum Damage: String, CaseIterable, Sendable {
        case version, recipient, wrappedKey, label, headerDigest, nonce, firstByte, lastByte
        case headerCut, payloadCut, lastByteCut, appended, empty

        /// - Parameter end: where the payload begins.
        func applied(to stored: [UInt8], headerEnd end: Int) -> [UInt8] {
            var bytes = stored
            let lines = stored[..<end].split(separator: 0x0A)
            switch self {
            case .version: bytes[20] ^= 1
            case .recipient: bytes[lines[1].startIndex + 12] ^= 1
            case .wrappedKey: bytes[lines[2].startIndex + 5] ^= 1
            case .label: bytes[lines[4].startIndex + 5] ^= 1
            case .headerDigest: bytes[end - 10] ^= 1
            case .nonce: bytes[end + 3] ^= 1
            case .firstByte: bytes[end + 16] ^= 1
            case .lastByte: bytes[bytes.count - 1] ^= 0x80
            case .headerCut: bytes.removeLast(bytes.count - end / 2)
            case .payloadCut: bytes.removeLast(bytes.count - end - 16)
            case .lastByteCut: bytes.removeLast()
            case .appended: bytes.append(0)
            case .empty: bytes = []
            }
            return bytes
        }
    }

    @Test(
        "is told by its name with a reason, is never read as something else, and costs no other",
        arguments: Damage.allCases)
    func skipped(_ damage: Damage) async throws {
        let home = try FlowHome(sealing: .age)
        try home.write("the good heron", to: "Family/good.md")
        try home.write("the other heron", to: "Family/bad.md")
        let name = try home.files.name(of: "Family/bad.md")
        let place = try home.place(of: "Family/bad.md")
        let stored = try Files.bytes(at: place)
        let mark = Array("\n--- ".utf8)
        let start = try #require(
            stored.indices.first { stored[$0...].starts(with: mark) })
        let end = try #require(stored[(start + 1)...].firstIndex(of: 0x0A)) + 1
        let damaged = damage.applied(to: stored, headerEnd: end)
        #expect(damaged != stored)
        try AtomicFile.replace(place, damaged)

        #expect(throws: SealError.self) { try home.files.open(name) }
        #expect(throws: SealError.self) { try home.files.contents(of: "Family/bad.md") }
        #expect(throws: SealError.self) {
            try home.files.replace("Family/bad.md", old: Array("the other heron".utf8), new: [])
        }
        let store = try home.store()
        let report = try await home.indexer(store).refresh()
        #expect(report.added == ["Family/good.md"] && report.skipped.map(\.path) == [name])
        let reason = try #require(report.skipped.first).text
        #expect(reason.contains(name) && !reason.contains("heron"), "\(reason)")
        #expect(try Files.bytes(at: place) == damaged)
        // Its name stays its own: nothing is written over what a backup may mend.
        #expect(
            try home.files.create(in: "Family", names: ["bad.md", "bad-2.md"], [1])
                == "Family/bad-2.md")
        try AtomicFile.replace(place, stored)
        #expect(
            try await home.indexer(store).refresh().added.sorted()
                == ["Family/bad-2.md", "Family/bad.md"])
    }
}

@Suite("the index of an encrypted home")
struct SealedIndexTests {
    private static let text = "The quarterdeck needs a lighthouse keeper named Barnacle."

    private func services(_ folder: TemporaryFolder) throws -> Services {
        try Services.live(
            environment: [
                "HOME": "\(folder.path)/home", "AURA_CAPTURE_ENRICH": "false",
                "AURA_MODELS": "\(folder.path)/none", "AURA_VAULT_PLAIN": "false",
                "XDG_DATA_HOME": "\(folder.path)/data", "XDG_RUNTIME_DIR": "\(folder.path)/run",
            ], vaultFolder: "\(folder.path)/vaults", now: "2026-03-04 10:00", zone: "Europe/London")
    }

    private func filled(_ folder: TemporaryFolder) async throws -> (Services, Workspace) {
        let services = try services(folder)
        _ = try services.placeForCapture(vault: "Personal")
        let workspace = try services.workspace()
        for number in 1...40 {
            _ = try workspace.capture.save(
                Capture.Draft(
                    text: "\(Self.text) Number \(number).", vault: "Family",
                    title: "Heron \(number)", tags: ["tide"]))
        }
        return (services, workspace)
    }

    private func found(_ store: Store) async throws -> Int {
        try await Search(store: store).hits(
            for: SearchQuery("quarterdeck"), mode: .keyword, limit: 100
        ).hits.count
    }

    @Test("holds no word of a note in any of its files, and opens with its key alone")
    func sealed() async throws {
        let folder = try TemporaryFolder()
        let (services, workspace) = try await filled(folder)
        let key = try #require(workspace.indexKey)
        let data = workspace.dataFolder
        do {
            let (store, report) = try await services.refreshedStore(workspace)
            #expect(report.added.count == 40)
            #expect(try await found(store) == 40)
            // While it is open there is a log beside it.
            let all = try files(below: data).filter { $0.key.hasPrefix("index") }
            #expect(all.keys.contains { $0.hasSuffix("-wal") } && all.count >= 2)
            #expect(all.values.reduce(0) { $0 + $1.count } > 16_384)
            for (name, bytes) in all {
                for word in ["quarterdeck", "lighthouse", "barnacl", "heron", "family", "tide"] {
                    #expect(!holds(bytes, word), "\(word) is in \(name)")
                }
                #expect(!bytes.starts(with: Array("SQLite format 3".utf8)), "\(name)")
            }
        }
        var wrong = key
        wrong[0] ^= 1
        let before = try Files.bytes(at: workspace.indexPath)
        for key in [wrong, nil] {
            #expect(throws: StoreError.self) {
                try Store(path: workspace.indexPath, key: key, isReadOnly: true)
            }
        }
        #expect(throws: StoreError.wrongKey(path: workspace.indexPath)) {
            try Store(path: workspace.indexPath, key: wrong)
        }
        #expect(try Files.bytes(at: workspace.indexPath) == before)
        let store = try Store(path: workspace.indexPath, key: key)
        #expect(try await store.count() == 40)
    }

    @Test("knows a renamed vault, also when the run before was stopped before the settings")
    func renamedVault() async throws {
        let folder = try TemporaryFolder()
        let (services, workspace) = try await filled(folder)
        try workspace.files.renameVault("Family", to: "Kin")
        _ = try workspace.capture.save(Capture.Draft(text: "Late.", vault: "Family"))
        #expect(throws: SettingsError.self) { try services.renameVault("Family", to: "Personal") }
        #expect(throws: SettingsError.self) { try services.renameVault("Family", to: "../x") }
        try services.renameVault("Family", to: "Kin")
        let store = try await services.refreshedStore(workspace).0
        let vaults = try await Set(store.list().map(\.vault))
        let count = try await store.count()
        #expect(vaults == ["Kin"] && count == 41)
        #expect(try self.services(folder).vaultName("kin") == "Kin")
        #expect(throws: VaultError.self) { try self.services(folder).vaultName("Family") }
    }

    enum Damage: String, CaseIterable, Sendable { case salt, firstPage, middle, cut, empty }

    @Test("is made anew when it is damaged, and the damaged one kept", arguments: Damage.allCases)
    func rebuilt(_ damage: Damage) async throws {
        let folder = try TemporaryFolder()
        let (services, workspace) = try await filled(folder)
        do { _ = try await services.refreshedStore(workspace) }
        var bytes = try Files.bytes(at: workspace.indexPath)
        let pages = bytes.count / 4096
        #expect(pages > 8)
        switch damage {
        case .salt: bytes[3] ^= 1
        case .firstPage: bytes[2000] ^= 1
        case .middle: for page in 1..<pages { bytes[page * 4096 + 2000] ^= 1 }
        case .cut: bytes.removeLast(bytes.count - 4096 - 100)
        case .empty: bytes = []
        }
        try AtomicFile.replace(workspace.indexPath, bytes)
        var said: [String] = []
        let (store, report) = try await services.refreshedStore(workspace) { said.append($0) }
        #expect(report.added.count == 40 && report.skipped.isEmpty)
        #expect(try await found(store) == 40)
        let copies = try Files.names(of: workspace.dataFolder).filter { $0.contains(".damaged-") }
            .filter { !$0.hasSuffix("-wal") }
        if damage == .empty {
            #expect(copies.isEmpty && said.isEmpty)
        } else {
            #expect(copies.count == 1 && said.count == 1)
            let copy = try #require(copies.first)
            #expect(try Files.bytes(at: "\(workspace.dataFolder)/\(copy)") == bytes)
            #expect(try #require(said.first).contains(copy))
        }
        // Once.
        #expect(try await services.refreshedStore(workspace).1.isEmpty)
    }
}
