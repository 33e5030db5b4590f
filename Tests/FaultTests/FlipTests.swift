import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// Chance that comes out the same on every run.
private struct SeededChance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func flip(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: bytes.indices, using: &self)
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
        return bytes
    }
}

@Suite("one wrong byte in an encrypted home")
struct FlipTests {
    private static let texts = ["plover one", "plover two", "plover three", "plover four"]

    /// A small home with something of every kind in it.
    private struct Small {
        let home: SealedHome
        let attachment: String
        let removed: String
        /// Listed notes, as they are read.
        let notes: [String: String]

        static func make() async throws -> Small {
            let home = try await SealedHome.make()
            for text in texts { try await home.succeed(["capture", "A \(text)"]) }
            let file = "\(home.program.folder.path)/outside.bin"
            try AtomicFile.create(file, Array("attached".utf8))
            try await home.succeed(["capture", "--vault", "Family", "--attach", file, "with it"])
            let paths = try await home.paths()
            let changed = try #require(paths.first { $0.contains("one") })
            try await home.succeed(["edit", changed, "--tag", "+x"])
            let removed = try #require(paths.first { $0.contains("four") })
            try await home.succeed(["rm", removed])
            return Small(
                home: home, attachment: "Family/attachments/outside.bin", removed: removed,
                notes: try await home.notes())
        }

        /// Writes in place, as a disk does that goes wrong.
        func write(_ bytes: [UInt8], to path: String) throws {
            let handle = try FileHandle(
                forWritingTo: URL(fileURLWithPath: "\(home.program.folder.path)/\(path)"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        }

        func bytes(_ path: String) throws -> [UInt8] {
            try Files.bytes(at: "\(home.program.folder.path)/\(path)")
        }
    }

    @Test("in a sealed file it is found and named, and costs nothing but that file")
    func sealedFiles() async throws {
        let small = try await Small.make()
        let home = small.home
        #expect(small.notes.count == 4)
        var chance = SeededChance(state: 1)
        let files = home.sealedFiles().filter { !$0.key.contains("/keys/") }
        let paths = files.keys.sorted()
        #expect(paths.contains { $0.contains("/trash/") })
        #expect(paths.contains { $0.contains("/journal/") })
        #expect(paths.contains { $0.contains("/attachments/") })
        var counts: [String: Int] = [:]
        for number in 0..<150 {
            let path = paths[number % paths.count]
            let bytes = try #require(files[path])
            let flipped = chance.flip(bytes)
            try small.write(flipped, to: path)
            let kind = Files.name(of: Files.parent(of: path))
            counts[path.contains("/journal/") ? "journal" : kind, default: 0] += 1
            let name = Files.name(of: path)
            let list = try await home.run("list", "--json")
            let isNote = path.contains("/notes/")
            #expect(list.status == (isNote ? 1 : 0), "\(path): \(list.errors)")
            if isNote {
                #expect(list.errors.contains("left out"), "\(path): \(list.errors)")
            }
            // All that is not the file itself.
            var readable = 0
            for (note, text) in small.notes {
                let shown = try await home.run("show", "--raw", note)
                if shown.status == 0 {
                    #expect(shown.output == text)
                    readable += 1
                } else {
                    // A header whose stanza is damaged looks like one for another key.
                    #expect([65, 77].contains(shown.status) && shown.output.isEmpty)
                    #expect(shown.errors.contains(name), "\(path): \(shown.errors)")
                }
            }
            #expect(readable == small.notes.count - (isNote ? 1 : 0), "\(path)")
            if kind == "attachments" {
                let shown = try await home.run("show", small.attachment)
                #expect([65, 77].contains(shown.status) && shown.output.isEmpty, "\(path)")
                #expect(shown.errors.contains(name), "\(shown.errors)")
            }
            if kind == "trash" {
                let trash = try await home.run("restore")
                let back = try await home.run("restore", small.removed)
                #expect([65, 66].contains(back.status), "\(back.errors)")
                #expect(
                    trash.status == 1 && trash.errors.contains(name)
                        || trash.status == 0 && back.status == 65
                            && back.errors.contains(String(name.prefix(26))),
                    "\(path): \(trash.errors) \(back.errors)")
            }
            let doctor = try await home.run("doctor")
            if isNote || path.contains("/journal/") {
                #expect(doctor.status == 1 && doctor.output.contains(name), "\(path)")
            }
            #expect(try small.bytes(path) == flipped, "\(path) was overwritten")
            try small.write(bytes, to: path)
        }
        #expect(try await home.notes() == small.notes)
        #expect(try await home.run("doctor").status == 0)
        let shown = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("flips in sealed files: 150: \(shown.joined(separator: ", "))")
    }

    @Test("in a thought that waits in the inbox it is named, and the file stays")
    func inbox() async throws {
        let small = try await Small.make()
        let home = small.home
        let identity = "\(home.program.folder.path)/data/aura/keys"
        try FileManager.default.moveItem(atPath: identity, toPath: identity + ".away")
        try await home.succeed(["capture", "a thought in between"])
        let path = try #require(home.sealedFiles().keys.first { $0.contains("/inbox/") })
        let bytes = try small.bytes(path)
        try FileManager.default.moveItem(atPath: identity + ".away", toPath: identity)
        var chance = SeededChance(state: 2)
        for _ in 1...20 {
            let flipped = chance.flip(bytes)
            try small.write(flipped, to: path)
            let list = try await home.run("list", "--json")
            #expect(list.status == 1 && list.errors.contains(Files.name(of: path)))
            #expect(list.lines.count == small.notes.count)
            #expect(try await home.run("doctor").output.contains(Files.name(of: path)))
            #expect(try small.bytes(path) == flipped)
        }
        try small.write(bytes, to: path)
        #expect(try await home.succeed(["list", "--json"]).lines.count == small.notes.count + 1)
        print("flips in the inbox: 20")
    }

    // MARK: Keys

    @Test("in a key's file it is named or made good, and a capture keeps its text all the same")
    func keys() async throws {
        let small = try await Small.make()
        let home = small.home
        let paths = home.files().filter { $0.key.contains("/keys/") && !$0.value.isEmpty }.keys
            .sorted()
        #expect(paths.count == 7, "\(paths)")
        var chance = SeededChance(state: 3)
        var (made, refused) = (0, 0)
        for number in 0..<42 {
            let path = paths[number % paths.count]
            let bytes = try small.bytes(path)
            let flipped = chance.flip(bytes)
            try small.write(flipped, to: path)
            let list = try await home.run("list", "--json")
            if list.status == 0 {
                made += 1
            } else {
                refused += 1
                #expect([65, 77].contains(list.status), "\(path): \(list.errors)")
                #expect(
                    list.errors.contains(Files.name(of: path)) && list.output.isEmpty,
                    "\(path): \(list.errors)")
                #expect(path.hasSuffix("identity.txt"), "the home has a copy of \(path)")
            }
            let capture = try await home.run("capture", "thought number \(number) of keys")
            #expect(capture.status == 0, "\(path): \(capture.errors)")
            #expect(try small.bytes(path) == flipped, "\(path) was overwritten")
            try small.write(bytes, to: path)
        }
        let texts = try await home.notes().values
        for number in 0..<42 {
            #expect(texts.filter { $0.contains("thought number \(number) of keys") }.count == 1)
        }
        #expect(home.readableFiles().isEmpty)
        print("flips in keys: 42: \(made) made good, \(refused) refused")
    }

    @Test(
        "in the identity under a passphrase it is said, and a capture keeps its text all the same")
    func passphrase() async throws {
        let home = try await SealedHome.make(hasPassphrase: true)
        try await home.succeed(["capture", "the first"])
        try await home.lock()
        let small = Small(home: home, attachment: "", removed: "", notes: [:])
        let path = try #require(home.files().keys.first { $0.hasSuffix("/identity.age") })
        let bytes = try small.bytes(path)
        var chance = SeededChance(state: 4)
        for number in 1...10 {
            try small.write(chance.flip(bytes), to: path)
            let line = "unlock \(SealedHome.passphraseWords.joined(separator: " "))"
            let unlock = try await home.shell(line, home.redirection)
            #expect([65, 77].contains(unlock.status), "\(unlock.errors)")
            #expect(unlock.output.isEmpty && !unlock.errors.isEmpty)
            try await home.succeed(["capture", "locked thought \(number)-"])
        }
        try small.write(bytes, to: path)
        try await home.unlock()
        #expect(try await home.succeed(["list", "--json"]).lines.count == 11)
        print("flips in the identity under a passphrase: 10")
    }

    // MARK: The index

    @Test("in the index it is harmless, or the index is set aside and made anew")
    func index() async throws {
        let small = try await Small.make()
        let home = small.home
        // Old enough not to be read again for their time alone.
        try await Task.sleep(for: .milliseconds(100))
        let list = try await home.succeed(["list", "--json"]).output
        let search = try await home.succeed(["search", "plover", "--json"]).output
        let path = try index(of: home)
        let bytes = try small.bytes(path)
        var chance = SeededChance(state: 5)
        var rebuilt = 0
        for _ in 1...100 {
            try remove(path, of: home)
            try AtomicFile.create("\(home.program.folder.path)/\(path)", chance.flip(bytes))
            let listed = try await home.run("list", "--json")
            #expect(listed.status == 0 && listed.output == list, "\(listed.errors)")
            let found = try await home.run("search", "plover", "--json")
            #expect(found.status == 0 && found.output == search, "\(found.errors)")
            let changed = try await home.run("capture", "--wait", "one more")
            #expect(changed.status == 0, "\(changed.errors)")
            let paths = try await home.succeed(["list", "--json"]).lines
            #expect(paths.count == small.notes.count + 1)
            if (listed.errors + found.errors + changed.errors).contains("was damaged") {
                rebuilt += 1
            }
            try await home.succeed(["rm", try #require(changed.lines.first)])
        }
        // One in ten or so hits what is read at all.
        #expect(rebuilt > 5)
        print(
            "flips in the index: 100: \(rebuilt) set aside and rebuilt, \(100 - rebuilt) harmless")
    }

    @Test(
        "in the index's log it gives the state before or after, and the next look heals it",
        .enabled(if: Strace.mayRun, Strace.reason))
    func log() async throws {
        let small = try await Small.make()
        let home = small.home
        let path = try index(of: home)
        let before = try small.bytes(path)
        try await home.succeed(["capture", "plover five"])
        // Killed while it copies the log into the file, a reader leaves both.
        var state: (file: [UInt8], log: [UInt8])?
        for number in 1...60 where state == nil {
            try remove(path, of: home)
            try AtomicFile.create("\(home.program.folder.path)/\(path)", before)
            let run = try await Strace.run(
                ["list"], in: home.program, fault: .kill,
                at: FaultPoint(call: "fdatasync", number: number, detail: ""),
                environment: SealedHome.environment)
            guard run.wasHit else { break }
            let log = (try? small.bytes(path + "-wal")) ?? []
            if log.count > 4096 { state = (try small.bytes(path), log) }
        }
        let (file, log) = try #require(state)
        var chance = SeededChance(state: 6)
        for _ in 1...50 {
            try remove(path, of: home)
            let place = "\(home.program.folder.path)/\(path)"
            try AtomicFile.create(place, file)
            try AtomicFile.create(place + "-wal", chance.flip(log))
            let listed = try await home.run("list", "--json")
            #expect(listed.status == 0, "\(listed.errors)")
            #expect(listed.lines.count == small.notes.count + 1)
            let found = try await home.run("search", "plover", "--json")
            #expect(found.status == 0 && found.lines.count == 4, "\(found.errors)")
        }
        print("flips in the index's log: 50 in \(log.count) bytes")
    }

    private func index(of home: SealedHome) throws -> String {
        try #require(
            home.files().keys.first { $0.contains("/index-") && $0.hasSuffix(".db") })
    }

    /// Removes the index with all that lies beside it.
    private func remove(_ path: String, of home: SealedHome) throws {
        for other in home.files().keys where other.hasPrefix(path) {
            try Files.remove("\(home.program.folder.path)/\(other)")
        }
    }
}
