import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A change of a whole home, and what must be the same before and after.
struct HomeChange: CustomTestStringConvertible, Sendable {
    let words: [String]
    let isEncryptedBefore: Bool
    let isEncryptedAfter: Bool

    var testDescription: String { words.joined(separator: " ") }

    static let encrypt = HomeChange(
        words: ["encrypt"], isEncryptedBefore: false, isEncryptedAfter: true)
    static let decrypt = HomeChange(
        words: ["decrypt", "--yes"], isEncryptedBefore: true, isEncryptedAfter: false)
    static let rotate = HomeChange(
        words: ["key", "rotate"], isEncryptedBefore: true, isEncryptedAfter: true)
    static let all = [encrypt, decrypt, rotate]
}

/// Everything that a person has in a home, read without the program.
struct HomeContents: Equatable {
    /// By logical path. A note that lies there twice has a path that no other test expects.
    var notes: [String: [UInt8]] = [:]
    var attachments: [String: [UInt8]] = [:]
    /// Where each lay, and its bytes.
    var trash: [String: [UInt8]] = [:]
    var journal: [String] = []
    var isEncrypted = false

    static let attachmentPaths = ["Personal/attachments/plan.bin", "Projects/attachments/list.txt"]

    init(of program: AuraProgram) throws {
        let home = try VaultHome.open(program.vaultHome)
        isEncrypted = home.sealing == .age
        var seal: FileSeal?
        if isEncrypted {
            let files = KeyFiles(
                folder: "\(program.folder.path)/data/aura/keys/\(home.id)", copies: home.layout.keys
            )
            seal = FileSeal(
                recipients: try files.recipients(), keys: try files.open(passphrase: nil))
        }
        let files = NoteFiles(layout: home.layout, seal: seal)
        for file in try files.listing() {
            guard let note = try files.open(file.name) else { continue }
            let isNew = notes.updateValue(note.bytes, forKey: note.path) == nil
            if !isNew { notes["twice: \(note.path)"] = note.bytes }
        }
        for path in Self.attachmentPaths {
            var bytes: [UInt8] = []
            if try files.readAttachment(path, { bytes += $0 }) { attachments[path] = bytes }
        }
        let clock: @Sendable () -> Instant = { Instant(seconds: 0) }
        let newID: @Sendable () -> NoteID = {
            NoteID(at: clock(), random: .init(repeating: 0, count: 10))
        }
        let bin = Trash(files: files, newID: newID)
        for item in try bin.items() { trash[item.path] = try bin.contents(of: item) }
        let journal = Journal(layout: home.layout, seal: seal, newID: newID, now: clock)
        self.journal = try journal.newestFirst().map {
            "\($0.id) \($0.entry.operation) \($0.entry.path)"
        }
    }

    /// What counts as lost or changed, whichever kind the home is of.
    func isSame(as other: HomeContents) -> Bool {
        notes == other.notes && attachments == other.attachments && trash == other.trash
            && journal == other.journal
    }
}

/// Homes with something of everything, and copies of them for each run.
struct HomeTemplate {
    let program: AuraProgram
    let contents: HomeContents

    /// In every note, file name and title, and nowhere else.
    static let word = "quokka"

    static func make(encrypted: Bool) async throws -> HomeTemplate {
        let program = try emptyHome()
        for index in 1...10 {
            let vault = ["Personal", "Projects", "Family"][index % 3]
            let text =
                "# \(word) \(index)\n\n"
                + String(repeating: "A line about a \(word).\n", count: index * 40)
            try program.write(Array(text.utf8), to: "\(vault)/\(word)-\(index).md")
        }
        let piece = Array("\(word) plan ".utf8)
        let plan = (0..<20_000).flatMap { _ in piece }
        try program.write(plan, to: HomeContents.attachmentPaths[0])
        try program.write(piece, to: HomeContents.attachmentPaths[1])
        for words in [
            ["capture", "a thought about the \(word)"], ["capture", "another \(word) thought"],
            ["edit", "Personal/\(word)-3.md", "--tag", "+\(word)"],
            ["rm", "Projects/\(word)-1.md"],
        ] + (encrypted ? [["encrypt"]] : []) {
            let outcome = try await program.run(words)
            guard outcome.status == 0 else {
                throw UnexpectedOutcome(words: words, outcome: outcome)
            }
        }
        return HomeTemplate(program: program, contents: try HomeContents(of: program))
    }

    /// Another home with the same files.
    func copy() async throws -> AuraProgram {
        let copy = try AuraProgram()
        let line =
            "cp -a '\(program.folder.path)/home/.' home/ && cp -a '\(program.folder.path)/data/.' data/"
        let outcome = try await copy.shell("cd .. && \(line)")
        guard outcome.status == 0 else { throw UnexpectedOutcome(words: [line], outcome: outcome) }
        return copy
    }
}

extension AuraProgram {
    /// Files and folders of the home that a run was to remove.
    fileprivate var leftovers: [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
            .filter {
                $0.contains("/.tmp-") || $0.contains(".aura/migration")
                    || $0.hasSuffix(".aura/rotation.json")
            }
    }

    /// Paths below the home and the data folder in which, or in whose bytes, the word can be read.
    fileprivate func places(of word: String) -> [String] {
        let needle = Data(word.utf8)
        return ["home", "data"].flatMap { part -> [String] in
            let root = "\(folder.path)/\(part)"
            return
                (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
                .filter { path in
                    if path.contains(word) { return true }
                    guard let bytes = try? Files.bytes(at: "\(root)/\(path)") else { return false }
                    return Data(bytes).range(of: needle) != nil
                }
        }
    }

    fileprivate func listedPaths() async throws -> [String] {
        let outcome = try await run("list", "--json", "--limit", "0")
        guard outcome.status == 0 else {
            throw UnexpectedOutcome(words: ["list"], outcome: outcome)
        }
        return outcome.lines.compactMap { line in
            let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return json?["path"] as? String
        }.sorted()
    }
}

@Suite("a change of a whole home that a fault meets", .enabled(if: Strace.mayRun, Strace.reason))
struct MigrationFaultTests {
    /// So many of a run's calls, evenly spread, and those that decide which kind the home is of.
    private static func spread(_ points: [FaultPoint], _ count: Int) -> [FaultPoint] {
        guard !Strace.isDeep, points.count > count else { return points }
        let chosen = (0..<count).map { points[$0 * (points.count - 1) / (count - 1)] }
        let turning = points.filter {
            $0.call.hasPrefix("rename")
                && ["migration.json", "rotation.json", "vault.json", "recipients.txt", "identity"]
                    .contains(where: $0.detail.contains)
        }
        return points.filter { chosen.contains($0) || turning.contains($0) }
    }

    @Test("killed anywhere and run again, it has lost nothing", arguments: HomeChange.all)
    func killed(_ change: HomeChange) async throws {
        let template = try await HomeTemplate.make(encrypted: change.isEncryptedBefore)
        #expect(template.contents.notes.count == 11)
        #expect(template.contents.attachments.count == 2)
        #expect(template.contents.trash.count == 1)
        #expect(template.contents.journal.count == 4)
        let points = try await Strace.points(of: change.words, in: template.copy())
        var hit: [FaultPoint] = []
        for point in Self.spread(points, 25) {
            let program = try await template.copy()
            let run = try await Strace.run(change.words, in: program, fault: .kill, at: point)
            guard run.wasHit else { continue }
            hit.append(point)
            // As it was left: everything is there once, and other commands find it.
            let between = try HomeContents(of: program)
            #expect(between.isSame(as: template.contents), "\(point)")
            #expect(
                try await program.listedPaths() == template.contents.notes.keys.sorted(), "\(point)"
            )
            try await finish(change, program, template, point)
        }
        #expect(hit.count >= 25)
        report(change.testDescription, .kill, hit)
    }

    @Test(
        "refused by the disk anywhere, it has lost nothing and can go on", arguments: HomeChange.all
    )
    func refused(_ change: HomeChange) async throws {
        let template = try await HomeTemplate.make(encrypted: change.isEncryptedBefore)
        // What is written to the person is no matter of the disk.
        let points = try await Strace.points(of: change.words, in: template.copy()).filter {
            !$0.detail.hasPrefix("(1,") && !$0.detail.hasPrefix("(2,")
        }
        for error in ["EIO", "ENOSPC"] {
            var refusals = 0
            var hit: [FaultPoint] = []
            for point in Self.spread(points, 8) {
                let program = try await template.copy()
                let run = try await Strace.run(
                    change.words, in: program, fault: .error(error), at: point)
                guard run.wasHit else { continue }
                hit.append(point)
                // A few calls are not needed, and the run goes well without them.
                #expect([0, 74].contains(run.outcome.status), "\(point): \(run.outcome.errors)")
                if run.outcome.status == 74 {
                    refusals += 1
                    #expect(!run.outcome.errors.isEmpty, "\(point)")
                }
                let between = try HomeContents(of: program)
                #expect(between.isSame(as: template.contents), "\(point)")
                try await finish(change, program, template, point)
            }
            #expect(refusals >= 4)
            report(change.testDescription, .error(error), hit)
        }
    }

    /// Runs it again and looks at the result.
    private func finish(
        _ change: HomeChange, _ program: AuraProgram, _ template: HomeTemplate, _ point: FaultPoint
    ) async throws {
        let again = try await program.run(change.words)
        #expect(again.status == 0, "\(point): \(again.errors)")
        let after = try HomeContents(of: program)
        #expect(after.isEncrypted == change.isEncryptedAfter, "\(point)")
        #expect(after.isSame(as: template.contents), "\(point)")
        #expect(program.leftovers.isEmpty, "\(point): \(program.leftovers)")
        #expect(
            try await program.listedPaths() == template.contents.notes.keys.sorted(), "\(point)")
        if change.isEncryptedAfter {
            #expect(program.places(of: HomeTemplate.word).isEmpty, "\(point)")
        }
    }

    @Test(
        "taken back before the commit, the home is byte for byte what it was",
        arguments: [HomeChange.encrypt, .decrypt])
    func aborted(_ change: HomeChange) async throws {
        let template = try await HomeTemplate.make(encrypted: change.isEncryptedBefore)
        let points = try await Strace.points(of: change.words, in: template.copy())
        let commit = points.firstIndex {
            $0.detail.contains("vault.json") && $0.call.hasPrefix("rename")
        }
        let before = try #require(commit.map { points[..<$0] })
        var taken = 0
        for place in stride(from: 8, to: before.count, by: max(before.count / 8, 1)) {
            let program = try await template.copy()
            let run = try await Strace.run(
                change.words, in: program, fault: .kill, at: before[place])
            guard run.wasHit else { continue }
            let outcome = try await program.run(change.words[0], "--abort")
            guard outcome.status == 0 else {
                #expect(outcome.status == 1, "\(before[place]): \(outcome.errors)")
                continue
            }
            taken += 1
            let (now, then) = (program.contents(), template.program.contents())
            let differing = Set(now.keys).union(then.keys).filter { now[$0] != then[$0] }
            #expect(differing.isEmpty, "\(before[place])")
        }
        #expect(taken >= 5)
    }

    @Test(
        "2,000 notes, killed at 50 calls and run again, are the same hash by hash",
        .enabled(if: Strace.isDeep))
    func many() async throws {
        let source = try emptyHome()
        for index in 1...2000 {
            let vault = ["Personal", "Projects", "Family", "Corporate"][index % 4]
            let text =
                "# Note \(index)\n\n"
                + String(repeating: "\(HomeTemplate.word) \(index)\n", count: index % 97)
            try source.write(Array(text.utf8), to: "\(vault)/\(HomeTemplate.word)-\(index).md")
        }
        try source.write(
            [UInt8](repeating: 7, count: 5 << 20), to: HomeContents.attachmentPaths[0])
        let template = HomeTemplate(program: source, contents: try HomeContents(of: source))
        let began = ContinuousClock.now
        let whole = try await template.copy()
        let full = try await whole.run(["encrypt"], deadline: .seconds(600))
        #expect(full.status == 0, "\(full.errors)")
        print("2,000 notes, one run: \(full.time)")
        // By calls, not by the clock: how long a run takes depends on what else the machine does.
        let points = try await Strace.points(
            of: ["encrypt"], in: template.copy(), deadline: .seconds(600))
        var killed: [FaultPoint] = []
        for step in 0..<50 {
            let point = points[step * (points.count - 1) / 49]
            let program = try await template.copy()
            let run = try await Strace.run(
                ["encrypt"], in: program, fault: .kill, at: point, deadline: .seconds(600))
            if run.outcome.status == 128 + SIGKILL { killed.append(point) }
            #expect(try HomeContents(of: program).isSame(as: template.contents), "\(point)")
            let again = try await program.run(["encrypt"], deadline: .seconds(600))
            #expect(again.status == 0, "\(point): \(again.errors)")
            let after = try HomeContents(of: program)
            #expect(after.isEncrypted && after.isSame(as: template.contents), "\(point)")
            #expect(program.leftovers.isEmpty, "\(point)")
            #expect(program.places(of: HomeTemplate.word).isEmpty, "\(point)")
        }
        print(
            "2,000 notes, \(points.count) points, killed at \(killed.count): "
                + "\(ContinuousClock.now - began)")
        #expect(killed.count == 50)
    }
}
