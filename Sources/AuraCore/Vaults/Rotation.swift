internal import AuraCrypto
internal import AuraSystem

/// Seals every file of an encrypted home anew, for other recipients: after a new identity was made, or one
/// recipient came or went.
///
/// Each file is written beside, read again and put in the old one's place in one step, so that whoever is killed
/// leaves files that open with the identities at hand: both are until the last file is done. A file that is done
/// is known by its header.
package struct Rotation {
    package enum Phase: String, Sendable {
        /// The recipients are the new ones; files follow.
        case seal
        /// Every file is done; the old identity can go.
        case finish
    }

    /// What is written down, so that any later run goes on where one was stopped.
    package struct State: Sendable, Equatable {
        /// What the person wanted, as the command that goes on with it.
        package let command: String
        package var phase: Phase
        package let started: Instant
        /// Whom files are to be sealed to.
        package let recipients: [AgeRecipient]
        /// The recipient of the identity that goes at the end; nil where none does.
        package let former: AgeRecipient?
        /// The one that takes its place.
        package let successor: AgeRecipient?

        package init(
            command: String, phase: Phase = .seal, started: Instant, recipients: [AgeRecipient],
            former: AgeRecipient?, successor: AgeRecipient?
        ) {
            self.command = command
            self.phase = phase
            self.started = started
            self.recipients = recipients
            self.former = former
            self.successor = successor
        }

        /// Nil when none is under way.
        /// - Throws: `MigrationError.damagedState`.
        package static func read(_ layout: VaultLayout) throws -> State? {
            let bytes: [UInt8]
            do {
                bytes = try Files.bytes(at: layout.rotation, limit: 1 << 20)
            } catch {
                if error.isNotFound { return nil }
                throw error
            }
            guard let json = JSONValue.read(bytes), let command = json["command"]?.text,
                let phase = json["phase"]?.text.flatMap(Phase.init(rawValue:)),
                let started = json["started"]?.text.flatMap({ Instant(iso8601: $0) }),
                let texts = json["recipients"]?.elements
            else { throw MigrationError.damagedState(path: layout.rotation) }
            let recipients = texts.compactMap { $0.text.flatMap { AgeRecipient($0) } }
            guard !recipients.isEmpty, recipients.count == texts.count else {
                throw MigrationError.damagedState(path: layout.rotation)
            }
            return State(
                command: command, phase: phase, started: started, recipients: recipients,
                former: json["former"]?.text.flatMap { AgeRecipient($0) },
                successor: json["successor"]?.text.flatMap { AgeRecipient($0) })
        }

        package func write(_ layout: VaultLayout) throws {
            let json = JSONValue.record([
                ("command", .string(command)), ("phase", .string(phase.rawValue)),
                ("started", .string(started.iso8601)),
                ("recipients", .array(recipients.map { .string($0.text) })),
                ("former", .optional(former?.text)), ("successor", .optional(successor?.text)),
            ])
            try AtomicFile.replace(layout.rotation, Array((json.serialized + "\n").utf8))
        }
    }

    package struct Report: Sendable, Equatable {
        /// Sealed anew by this run.
        package fileprivate(set) var sealed = 0
        /// All that are sealed to the new recipients.
        package fileprivate(set) var files = 0
        package fileprivate(set) var remarks: [MigrationRemark] = []
    }

    private let layout: VaultLayout
    /// Sealed files outside the home.
    private let otherFolders: [String]
    /// With all identities that open a file before or after.
    private let keys: HomeKeys
    private let lock: VaultLock
    private let state: State
    private let onProgress: (Int, Int) -> Void
    private var report = Report()

    /// - Parameter keys: with the identities that the identity's file holds now.
    package init(
        layout: VaultLayout, otherFolders: [String], keys: HomeKeys, lock: VaultLock,
        state: State, onProgress: @escaping (Int, Int) -> Void
    ) {
        self.layout = layout
        self.otherFolders = otherFolders
        self.keys = keys
        self.lock = lock
        self.state = state
        self.onProgress = onProgress
    }

    /// The identities that are to open everything afterwards.
    private var lasting: [AgeIdentity] { keys.identities.filter { $0.recipient != state.former } }

    /// How often files may come or change while the others are sealed.
    private static let maximumPasses = 20

    /// Seals what is not sealed to the new recipients, until a look finds nothing.
    /// - Throws: whatever fails; a later run goes on. `CancellationError`.
    package mutating func sealAll() throws -> Report {
        try Files.makeFolder(layout.staging)
        try clearStaging()
        do {
            for _ in 0..<Self.maximumPasses {
                if try pass() == 0 {
                    try clearStaging()
                    try Files.removeFolder(layout.staging)
                    return report
                }
            }
        } catch {
            try? clearStaging()
            throw error
        }
        throw MigrationError.keepsChanging(path: layout.root)
    }

    private func clearStaging() throws {
        for name in try Files.names(of: layout.staging) {
            try Files.remove("\(layout.staging)/\(name)")
        }
    }

    private mutating func pass() throws -> Int {
        let all = try Rotation.sealedFiles(layout, otherFolders)
        report.remarks = []
        report.files = all.count
        var changes = 0
        for (index, place) in all.enumerated() {
            try Task.checkCancellation()
            onProgress(index, all.count)
            do {
                if try isDone(place) { continue }
                try reseal(place)
                report.sealed += 1
                changes += 1
            } catch let error as SealError {
                let name = String(place.dropFirst(layout.root.utf8.count + 1))
                report.remarks.append(
                    MigrationRemark(path: name, text: "\(error.message); left as it is"))
                report.files -= 1
            } catch let error as SystemError where error.isNotFound {
                changes += 1
            }
        }
        return changes
    }

    /// Every sealed file of a home but for its keys, absolute.
    static func sealedFiles(_ layout: VaultLayout, _ others: [String]) throws -> [String] {
        var found: [String] = []
        var folders =
            [
                "\(layout.root)/\(VaultLayout.sealedNotes)",
                "\(layout.root)/\(VaultLayout.sealedAttachments)", layout.trash, layout.journal,
                layout.raw, layout.inbox, layout.drafts, layout.walls,
            ] + others
        while let folder = folders.popLast() {
            let entries: [(name: String, status: FileStatus)]
            do {
                entries = try Files.entries(of: folder)
            } catch {
                if error.isNotFound { continue }
                throw error
            }
            for entry in entries where !entry.name.hasPrefix(".") {
                let path = "\(folder)/\(entry.name)"
                switch entry.status.kind {
                case .folder: folders.append(path)
                case .regular where entry.name.hasSuffix(FileSeal.ending): found.append(path)
                default: continue
                }
            }
        }
        return found.sorted()
    }

    /// Whether the lasting identities open it, and there are as many recipients as there are to be.
    private func isDone(_ place: String) throws -> Bool {
        let beginning = try Files.bytes(at: place, limit: AgeHeader.maximumLength)
        guard let length = AgeHeader.length(in: beginning, known: 0),
            let header = try? AgeHeader(beginning[..<length]),
            header.shares.count == state.recipients.count
        else { return false }
        do throws(AgeError) {
            _ = try AgeFile.label(of: beginning, with: lasting)
            return true
        } catch {
            return false
        }
    }

    /// Under the lock, so that nothing replaces the file between the reading and the renaming.
    private func reseal(_ place: String) throws {
        try lock.holding {
            guard let status = try Files.status(of: place) else { return }
            let temporary = "\(layout.staging)/1"
            let source = FileSeal(recipients: state.recipients, keys: keys)
            let target = FileSeal(
                recipients: state.recipients, keys: keys.with(identities: lasting))
            var digest = Digest()
            let beginning = try Files.bytes(at: place, limit: AgeHeader.maximumLength)
            let label = try source.label(beginning, name: Files.name(of: place))
            let file = try FileDescriptor.open(temporary, for: .create)
            var writer = try AgeWriter(to: state.recipients, label: label)
            do {
                try SealedStream.open(place, source) { piece in
                    digest.update(piece)
                    try file.write(writer.sealed(piece))
                }
                try file.write(writer.end())
                try file.setModified(status.modified)
                try file.flush()
                let expected = ContentDigest(text: digest.finish().hexadecimal)
                var written = Digest()
                let writtenLabel = try SealedStream.open(temporary, target) { written.update($0) }
                guard ContentDigest(text: written.finish().hexadecimal) == expected,
                    writtenLabel == label
                else { throw MigrationError.badCopy(path: place) }
            } catch {
                try? Files.remove(temporary)
                throw error
            }
            try Files.move(temporary, to: place)
        }
    }
}
