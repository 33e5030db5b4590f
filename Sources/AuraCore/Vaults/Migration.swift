internal import AuraCrypto
internal import AuraSystem

/// Makes an encrypted home of a plain one or the other way round, so that a run that is stopped anywhere loses
/// nothing and is gone on with by the next.
///
/// Everything is copied into the new form beside the old (copy), compared byte by byte until nothing differs
/// (verify), then the marker says what the home is now (commit), then the old form is removed file by file
/// (remove). In either form files of the other are not seen by listings, so all other commands work meanwhile.
///
/// The caller sees to it that only one runs.
package struct Migration {
    /// What a migration needs of the rest.
    package struct Surroundings {
        /// Makes notes of waiting thoughts, as a home of the former kind does.
        package var bringIn: () -> Void
        /// Puts what the home keeps of its keys into it.
        package var completeKeys: () throws -> Void
        /// Takes the index of the former kind away.
        package var dropIndex: () throws -> Void
        /// A moment in which programs that opened the home before can end.
        package var pause: () -> Void
        /// The phase, and how many of how many files are done.
        package var onProgress: (Phase, Int, Int) -> Void

        package init(
            bringIn: @escaping () -> Void = {}, completeKeys: @escaping () throws -> Void = {},
            dropIndex: @escaping () throws -> Void = {}, pause: @escaping () -> Void = {},
            onProgress: @escaping (Phase, Int, Int) -> Void = { _, _, _ in }
        ) {
            self.bringIn = bringIn
            self.completeKeys = completeKeys
            self.dropIndex = dropIndex
            self.pause = pause
            self.onProgress = onProgress
        }
    }

    package struct Report: Sendable, Equatable {
        /// In the new form at the end.
        package fileprivate(set) var notes = 0
        package fileprivate(set) var files = 0
        /// Files that came or changed after the commit and were taken in.
        package fileprivate(set) var takenIn: [String] = []
        /// Where the other of two different files went.
        package fileprivate(set) var conflicts: [String] = []
        package fileprivate(set) var remarks: [MigrationRemark] = []
    }

    private let layout: VaultLayout
    private let seal: FileSeal
    private let keys: HomeKeys
    private let sealedFiles: NoteFiles
    private let lock: VaultLock
    private let surroundings: Surroundings
    package private(set) var state: State
    private var log: MigrationLog
    private var files: MigratedFiles
    private var report = Report()
    /// Stamps of both forms when they were last found to be equal.
    private var verified: [String: Stamps] = [:]
    /// What the last pass found in the old form.
    private var lastSeen: [String: FileStatus] = [:]
    /// What stays as it is, as far as reading it told.
    private var notes: Set<MigrationRemark> = []
    private var lastTemporary = 0

    private struct Stamps: Equatable {
        let old: FileStatus
        let newKey: String
        let new: FileStatus
    }

    /// How often files may change while they are compared.
    private static let maximumPasses = 20
    /// Files written before their folders are flushed.
    private static let batchCount = 64

    /// - Parameters:
    ///   - lock: the home's own, without a check of its kind.
    ///   - state: as it was written down; this writes it down first where it is new.
    /// - Throws: `SealError.locked`; `SystemError`.
    package init(
        layout: VaultLayout, seal: FileSeal, lock: VaultLock, state: State,
        _ surroundings: Surroundings
    ) throws {
        self.layout = layout
        self.seal = seal
        self.lock = lock
        self.state = state
        self.surroundings = surroundings
        keys = try seal.unlocked()
        sealedFiles = NoteFiles(layout: layout, seal: seal)
        files = MigratedFiles(plain: NoteFiles(layout: layout), sealed: sealedFiles)
        log = try MigrationLog(layout, keys: keys)
    }

    private var old: VaultHome.Sealing { state.direction.formerSealing }
    private var new: VaultHome.Sealing { state.direction.sealing }

    /// Whether files of the former kind lie in a home that is of the new kind already.
    package mutating func hasLeftovers() throws -> Bool { try !files.list(old).isEmpty }

    // MARK: - The phases

    /// Goes through all phases from the one it is in.
    /// - Throws: whatever fails; a later run goes on. `CancellationError`.
    package mutating func run() throws -> Report {
        try Files.makeFolder(layout.settingsFolder)
        if try State.read(layout) != state { try state.write(layout) }
        try Files.makeFolder(layout.staging)
        try clearStaging()
        do {
            if state.phase == .copy {
                try settle()
                _ = try pass(verifies: false)
                try enter(.verify)
            }
            if state.phase == .verify { try verifyAndCommit() }
            if state.phase == .commit {
                // Stopped between the two: what was changed since must be seen first.
                if try VaultHome.open(layout.root).sealing == old {
                    try verifyAndCommit()
                } else {
                    try enter(.remove)
                }
            }
            try removeOld()
            try surroundings.dropIndex()
            // A program that opened the home before the commit may just be writing.
            surroundings.pause()
            try removeOld()
            try surroundings.dropIndex()
        } catch {
            try? clearStaging()
            throw error
        }
        _ = try files.list(old)
        report.remarks = files.remarks.union(notes).sorted { $0.path < $1.path }
        let all = try files.list(new)
        report.notes = all.count { $0.isNote }
        report.files = all.count - report.notes
        try finish()
        return report
    }

    private mutating func enter(_ phase: Phase) throws {
        state.phase = phase
        try state.write(layout)
    }

    private mutating func finish() throws {
        try log.remove()
        try clearStaging()
        try Files.removeFolder(layout.staging)
        // Nobody else writes directly into that folder.
        AtomicFile.sweep(layout.settingsFolder, nowNanoseconds: .max)
        try Files.remove(layout.migration)
        try Files.flushFolder(layout.settingsFolder)
    }

    /// Takes everything back, so that the home is as it was.
    /// - Returns: copies that were changed since and stay.
    /// - Throws: `MigrationError.cannotGoBack`.
    package mutating func abort() throws -> [String] {
        guard state.phase.canGoBack else {
            throw MigrationError.cannotGoBack(what: state.direction.rawValue)
        }
        var kept: [String] = []
        var folders: Set<String> = []
        for file in try files.list(new) where log.knows(file.key) {
            guard log.contains(file.key, try digest(file, new)) else {
                kept.append(file.name)
                continue
            }
            try remove(file, new)
            folders.insert(Files.parent(of: file.place))
        }
        if new == .plain { try removeUnfinishedTrash() }
        for folder in folders { removeEmptyFolders(upFrom: folder) }
        try finish()
        return kept
    }

    private func removeEmptyFolders(upFrom folder: String) {
        var folder = folder
        while folder.hasPrefix("\(layout.root)/"), folder != layout.settingsFolder {
            guard (try? Files.removeFolder(folder)) != nil else { return }
            folder = Files.parent(of: folder)
        }
    }

    /// Sealed files that a move left half way get their names first: each path is there once then.
    private mutating func settle() throws {
        guard old == .age else { return }
        _ = try files.list(.age)
        let names = files.misplaced
        guard !names.isEmpty else { return }
        try lock.holding { for name in names { _ = try sealedFiles.settle(name) } }
    }

    // MARK: - Copy and verify

    private mutating func verifyAndCommit() throws {
        for _ in 0..<Self.maximumPasses {
            guard try pass(verifies: true) == 0 else { continue }
            // Nothing that holds the lock to change a note can come between the look and the marker.
            let isDone = try lock.holding {
                guard try stamps(files.list(old)) == lastSeen else { return false }
                state.phase = .commit
                try state.write(layout)
                try surroundings.completeKeys()
                _ = try VaultHome.open(layout.root).changingSealing(to: new)
                return true
            }
            if isDone { return try enter(.remove) }
        }
        throw MigrationError.keepsChanging(path: layout.root)
    }

    private func stamps(_ files: [MigratedFile]) -> [String: FileStatus] {
        Dictionary(files.map { ($0.key, $0.status) }) { first, _ in first }
    }

    /// One look at everything: what is missing in the new form is copied; what is there is compared with
    /// the old one and copied again where they differ; copies whose original has gone are removed.
    /// - Parameter verifies: false only looks for what is missing.
    /// - Returns: how much there was to do.
    private mutating func pass(verifies: Bool) throws -> Int {
        surroundings.bringIn()
        notes = []
        let all = try files.list(old)
        lastSeen = stamps(all)
        let copies = Dictionary(try files.list(new).map { ($0.key, $0) }) { first, _ in first }
        var expected: Set<String> = []
        var changes = 0
        var batch: [Staged] = []
        for (index, file) in all.enumerated() {
            try Task.checkCancellation()
            surroundings.onProgress(verifies ? .verify : .copy, index, all.count)
            do {
                let key = try look(at: file, copies, verifies, &batch)
                expected.insert(key)
                if batch.last?.file.key == file.key { changes += 1 }
            } catch let error as SealError {
                // It stays as it is, and is told at the end: it cannot be read in this form either.
                expected.insert(file.key)
                note(file, error.message)
            } catch let error as SystemError where error.isNotFound {
                changes += 1
            }
            if batch.count >= Self.batchCount { try put(&batch) }
        }
        try put(&batch)
        if verifies {
            for (key, copy) in copies where !expected.contains(key) && log.knows(key) {
                guard log.contains(key, try digest(copy, new)) else { continue }
                try remove(copy, new)
                changes += 1
            }
        }
        return changes
    }

    private mutating func note(_ file: MigratedFile, _ text: String) {
        notes.insert(MigrationRemark(path: file.name, text: "\(text); left as it is"))
    }

    /// Copies a file if its copy is missing or is another; tells the key of the copy.
    private mutating func look(
        at file: MigratedFile, _ copies: [String: MigratedFile], _ verifies: Bool,
        _ batch: inout [Staged]
    ) throws -> String {
        if let known = verified[file.key], known.old == file.status,
            known.new == copies[known.newKey]?.status
        {
            return known.newKey
        }
        guard let copy = copies[file.key] else {
            if case .file(let path) = file.kind, try isOccupied(file, batch) {
                return try look(at: file, beside: path, digest(file, old), copies, &batch)
            }
            if let staged = try stage(file, file.kind) { batch.append(staged) }
            return file.key
        }
        guard verifies else { return file.key }
        let digest = try digest(file, old)
        let copied = try self.digest(copy, new)
        if copied == digest {
            verified[file.key] = Stamps(old: file.status, newKey: file.key, new: copy.status)
            return file.key
        }
        if log.contains(file.key, copied) {
            if let staged = try stage(file, file.kind, replaces: true) { batch.append(staged) }
            return file.key
        }
        // Somebody else's file has the name: it stays, and the copy gets another.
        guard case .file(let path) = file.kind else {
            note(file, "another file has its place")
            return file.key
        }
        return try look(at: file, beside: path, digest, copies, &batch)
    }

    /// Whether something that is no copy of the file has the place of its copy: two paths that differ only in how
    /// an accent is written have one name in an encrypted home.
    private func isOccupied(_ file: MigratedFile, _ batch: [Staged]) throws -> Bool {
        guard let place = try place(of: file, as: file.kind) else { return false }
        return try batch.contains { $0.target == place } || Files.status(of: place) != nil
    }

    /// The same for a copy under another path, whose own is somebody else's.
    private mutating func look(
        at file: MigratedFile, beside path: String, _ digest: ContentDigest,
        _ copies: [String: MigratedFile], _ batch: inout [Staged]
    ) throws -> String {
        let beside = Migration.path(beside: path, digest)
        let key = MigratedFile(kind: .file(path: beside), place: "", status: file.status).key
        if let other = copies[key] {
            guard try self.digest(other, new) == digest else {
                note(file, "another file has its place")
                return key
            }
            verified[file.key] = Stamps(old: file.status, newKey: key, new: other.status)
        } else if let staged = try stage(file, .file(path: beside)) {
            batch.append(staged)
            report.conflicts.append(beside)
        }
        return key
    }

    private static func path(beside path: String, _ digest: ContentDigest) -> String {
        let name = Files.name(of: path)
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let mark = digest.text.prefix(6)
        return "\(Files.parent(of: path))/\(name[..<dot])-conflict-\(mark)\(name[dot...])"
    }

    // MARK: - Remove

    /// Removes what is left of the old form, each file after another look at it: what was changed or made
    /// since the commit is taken in before.
    private mutating func removeOld() throws {
        for _ in 0..<Self.maximumPasses {
            surroundings.bringIn()
            notes = []
            let all = try files.list(old)
            var removed = 0
            for (index, file) in all.enumerated() {
                try Task.checkCancellation()
                surroundings.onProgress(.remove, index, all.count)
                do {
                    let digest = try digest(file, old)
                    if !log.contains(file.key, digest) {
                        guard try lock.holding({ try takeIn(file, digest) }),
                            try self.digest(file, old) == digest
                        else { continue }
                    }
                    try remove(file, old)
                    removed += 1
                } catch let error as SealError {
                    note(file, error.message)
                } catch let error as SystemError where error.isNotFound {
                    removed += 1
                }
            }
            if removed == 0 { break }
        }
        if old == .plain { try removeUnfinishedTrash() }
        removeEmptyFolders()
    }

    /// Gives a file of the old form its place in the new one. Where both were changed both are kept, and the one
    /// that was written last has the name. Under the lock.
    /// - Returns: false when it stays where it is.
    private mutating func takeIn(_ file: MigratedFile, _ digest: ContentDigest) throws -> Bool {
        let copies = Dictionary(try files.list(new).map { ($0.key, $0) }) { first, _ in first }
        var batch: [Staged] = []
        guard let copy = copies[file.key] else {
            var kind = file.kind
            if case .file(let path) = kind, try isOccupied(file, []) {
                kind = .file(path: Migration.path(beside: path, digest))
                let beside = MigratedFile(kind: kind, place: "", status: file.status)
                if let there = copies[beside.key], try self.digest(there, new) == digest {
                    try log.add([(file.key, digest)])
                    return true
                }
                report.conflicts.append(beside.name)
            }
            guard let staged = try stage(file, kind) else { return false }
            batch.append(staged)
            guard try put(&batch) else { return false }
            report.takenIn.append(file.name)
            return true
        }
        let copied = try self.digest(copy, new)
        if copied != digest {
            let isOurs = log.contains(file.key, copied)
            guard isOurs || file.isFile else {
                note(file, "another file has its place")
                return false
            }
            if case .file(let path) = file.kind, !isOurs {
                let isNewer = file.status.modified > copy.status.modified
                let beside = Migration.path(beside: path, isNewer ? copied : digest)
                let kind = MigratedFile.Kind.file(path: beside)
                if copies[MigratedFile(kind: kind, place: "", status: file.status).key] == nil {
                    let loser = isNewer ? copy : file
                    guard
                        let staged = try stage(
                            loser, kind, from: isNewer ? new : old)
                    else { return false }
                    batch.append(staged)
                    // Only the loser has another name now: the file itself is not known as copied by it.
                    guard try put(&batch) else { return false }
                    report.conflicts.append(beside)
                }
                if isNewer, let staged = try stage(file, file.kind, replaces: true) {
                    batch.append(staged)
                }
            } else if let staged = try stage(file, file.kind, replaces: true) {
                batch.append(staged)
            }
            guard try put(&batch) else { return false }
            report.takenIn.append(file.name)
        }
        try log.add([(file.key, digest)])
        return true
    }

    /// Records of removals that were never made: they would tell a path.
    private func removeUnfinishedTrash() throws {
        for key in (try? Files.names(of: layout.trash)) ?? [] {
            let folder = "\(layout.trash)/\(key)"
            guard let names = try? Files.names(of: folder), names == ["item.json"] || names.isEmpty
            else { continue }
            try Files.remove("\(folder)/item.json")
            try Files.removeFolder(folder)
        }
    }

    private func remove(_ file: MigratedFile, _ sealing: VaultHome.Sealing) throws {
        try Files.remove(file.place)
        if sealing == .plain, case .trash = file.kind {
            let folder = Files.parent(of: file.place)
            try Files.remove("\(folder)/item.json")
            try? Files.removeFolder(folder)
        }
    }

    /// Of the old form only; a folder that still holds something stays.
    private func removeEmptyFolders() {
        func removeEmpty(_ folder: String) {
            for entry in (try? Files.entries(of: folder)) ?? []
            where entry.status.kind == .folder && !entry.name.hasPrefix(".") {
                removeEmpty("\(folder)/\(entry.name)")
                try? Files.removeFolder("\(folder)/\(entry.name)")
            }
        }
        if old == .plain {
            removeEmpty(layout.root)
        } else {
            for name in [VaultLayout.sealedNotes, VaultLayout.sealedAttachments] {
                try? Files.removeFolder("\(layout.root)/\(name)")
            }
        }
        try? Files.flushFolder(layout.root)
    }

    // MARK: - One copy

    /// A copy that was written, flushed and read again, and has no name yet.
    private struct Staged {
        let file: MigratedFile
        let key: String
        let digest: ContentDigest
        let temporary: String
        let target: String
        /// In the trash of a plain home: where the note lay.
        let record: [UInt8]?
        let replaces: Bool
    }

    /// Writes a file's other form.
    /// - Parameter from: the kind that it has now; the old one where nil. It is written in the new one.
    /// - Returns: nil, with a remark, where it has no other form.
    private mutating func stage(
        _ file: MigratedFile, _ kind: MigratedFile.Kind, replaces: Bool = false,
        from: VaultHome.Sealing? = nil
    ) throws -> Staged? {
        let copy = MigratedFile(kind: kind, place: "", status: file.status)
        guard let target = try place(of: file, as: kind) else {
            note(file, "it is no journal entry")
            return nil
        }
        lastTemporary += 1
        let temporary = "\(layout.staging)/\(lastTemporary)"
        do {
            let digest = try write(file, from ?? old, to: temporary, label: copy.label)
            let written = try self.digest(
                MigratedFile(kind: kind, place: temporary, status: file.status), new)
            guard written == digest else { throw MigrationError.badCopy(path: file.name) }
            var record: [UInt8]?
            if new == .plain, case .trash(_, let path) = kind {
                let item = JSONValue.record([("path", .string(path))])
                record = Array((item.serialized + "\n").utf8)
            }
            return Staged(
                file: file, key: copy.key, digest: digest, temporary: temporary, target: target,
                record: record, replaces: replaces)
        } catch {
            try? Files.remove(temporary)
            throw error
        }
    }

    /// Where the new form of a file lies.
    private func place(of file: MigratedFile, as kind: MigratedFile.Kind) throws -> String? {
        let ending = new == .age ? FileSeal.ending : ""
        switch kind {
        case .file(let path):
            return "\(layout.root)/\(new == .age ? try sealedFiles.name(of: path) : path)"
        case .trash(let key, _):
            return new == .age
                ? "\(layout.trash)/\(key).md\(ending)" : "\(layout.trash)/\(key)/note.md"
        case .journal(let month, let id):
            let stored = try Files.bytes(at: file.place)
            let bytes = old == .age ? try seal.opened(stored, name: file.name).bytes : stored
            return NoteID(id).flatMap { id in
                Journal.fileName(of: id, bytes, keys: new == .age ? keys : nil)
            }.map { "\(layout.journal)/\(month)/\($0)" }
        case .other(let folder, let name):
            return "\(layout.settingsFolder)/\(folder)/\(name)\(ending)"
        }
    }

    /// Writes the bytes of a file in the new form, with the time of the old one: notes that do not say when
    /// they were made are as old as their files.
    /// - Returns: the digest of what was read.
    private func write(
        _ file: MigratedFile, _ sealing: VaultHome.Sealing, to temporary: String, label: String?
    ) throws -> ContentDigest {
        let target = try FileDescriptor.open(temporary, for: .create)
        var digest = Digest()
        if new == .age {
            var writer = try AgeWriter(to: seal.recipients, label: label)
            try read(file, sealing) { piece in
                digest.update(piece)
                try target.write(writer.sealed(piece))
            }
            try target.write(writer.end())
        } else {
            try read(file, sealing) { piece in
                digest.update(piece)
                try target.write(piece)
            }
        }
        try target.setModified(file.status.modified)
        try target.flush()
        return ContentDigest(text: digest.finish().hexadecimal)
    }

    private func read(
        _ file: MigratedFile, _ sealing: VaultHome.Sealing, _ body: ([UInt8]) throws -> Void
    ) throws {
        if sealing == .age {
            try SealedStream.open(file.place, seal, body)
            return
        }
        try FileDescriptor.open(file.place, for: .read).forEachPiece(body)
    }

    /// The digest of a file's bytes.
    private func digest(
        _ file: MigratedFile, _ sealing: VaultHome.Sealing
    ) throws -> ContentDigest {
        var digest = Digest()
        try read(file, sealing) { digest.update($0) }
        return ContentDigest(text: digest.finish().hexadecimal)
    }

    /// Gives copies their names.
    ///
    /// Before the commit the log comes first, so that a copy of ours is always known as one. Afterwards it comes
    /// last: what the log knows of an original lets it go, so its copy must stand.
    /// - Returns: false when a name was taken meanwhile; that copy is dropped.
    @discardableResult
    private mutating func put(_ batch: inout [Staged]) throws -> Bool {
        guard !batch.isEmpty else { return true }
        func lines(_ batch: [Staged]) -> [(key: String, digest: ContentDigest)] {
            batch.flatMap { [($0.file.key, $0.digest), ($0.key, $0.digest)] }
        }
        let logsFirst = state.phase != .remove
        if logsFirst { try log.add(lines(batch)) }
        var named: [Staged] = []
        var folders: Set<String> = []
        for staged in batch {
            let folder = Files.parent(of: staged.target)
            try Files.makeFolder(folder)
            folders.insert(folder)
            if let record = staged.record {
                let temporary = "\(staged.temporary).record"
                let file = try FileDescriptor.open(temporary, for: .create)
                try file.write(record)
                try file.flush()
                try Files.move(temporary, to: "\(folder)/item.json")
            }
            if staged.replaces {
                try Files.move(staged.temporary, to: staged.target)
                named.append(staged)
                continue
            }
            do throws(SystemError) {
                try Files.moveExclusively(staged.temporary, to: staged.target)
                named.append(staged)
            } catch {
                guard error.isAlreadyThere else { throw error }
                // The next look finds what has the name.
                try Files.remove(staged.temporary)
            }
        }
        for folder in folders { try Files.flushFolder(folder) }
        if !logsFirst, !named.isEmpty { try log.add(lines(named)) }
        defer { batch = [] }
        return named.count == batch.count
    }

    /// Removes what a run that was stopped had begun to write.
    private func clearStaging() throws {
        let names: [String]
        do {
            names = try Files.names(of: layout.staging)
        } catch {
            if error.isNotFound { return }
            throw error
        }
        for name in names where name != "log" { try Files.remove("\(layout.staging)/\(name)") }
    }
}

extension MigratedFile {
    fileprivate var isFile: Bool {
        if case .file = kind { return true }
        return false
    }
}
