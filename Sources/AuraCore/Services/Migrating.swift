package import AuraCrypto
internal import AuraSystem

/// Homes that change their kind.
extension Services {
    /// How a migration asks for what it does not know.
    package struct MigrationQuestions {
        /// The passphrase of keys that are there.
        package var presentPassphrase: () throws -> Secret
        /// One for new keys; nil for none.
        package var newPassphrase: () throws -> Secret?
        /// Whether the person wants it; asked before anything is begun.
        package var confirm: () throws -> Bool
        package var onProgress: (Migration.Phase, Int, Int) -> Void

        package init(
            presentPassphrase: @escaping () throws -> Secret,
            newPassphrase: @escaping () throws -> Secret?, confirm: @escaping () throws -> Bool,
            onProgress: @escaping (Migration.Phase, Int, Int) -> Void
        ) {
            self.presentPassphrase = presentPassphrase
            self.newPassphrase = newPassphrase
            self.confirm = confirm
            self.onProgress = onProgress
        }
    }

    package enum MigrationOutcome: Sendable {
        /// - Parameter hasNewKeys: they were made in this run.
        case done(Migration.Report, hasNewKeys: Bool)
        /// The home is of that kind, and nothing of the other lies in it.
        case nothingToDo
        case declined
    }

    /// Encrypts the home or makes it plain, or goes on with what was begun.
    /// - Throws: `VaultError.busy` while another process does; `MigrationError`; `SealError`; `SystemError`.
    package func migrate(
        _ direction: Migration.Direction, _ questions: MigrationQuestions
    ) throws -> MigrationOutcome {
        let home = try home()
        return try exclusively(home) {
            if try Rotation.State.read(home.layout) != nil {
                throw MigrationError.underWay(what: "key rotate")
            }
            let begun = try Migration.State.read(home.layout)
            if let begun, begun.direction != direction {
                throw MigrationError.underWay(what: begun.direction.rawValue)
            }
            if begun == nil, home.sealing == direction.sealing {
                return try takeInLeftovers(home, direction, questions)
            }
            if begun == nil, try !questions.confirm() { return .declined }
            let (keys, isNew) = try migrationKeys(home, direction, questions)
            if direction == .decrypt {
                let seal = FileSeal(recipients: [], keys: keys)
                let walls = try WallList(layout: home.layout, seal: seal).walls()
                guard walls.isEmpty else {
                    throw MigrationError.hasWalls(vaults: walls.map(\.vault))
                }
            }
            let state =
                begun
                ?? Migration.State(direction: direction, started: now(), hasNewKeys: isNew)
            var migration = try migration(home, keys, state, questions.onProgress)
            return .done(try migration.run(), hasNewKeys: isNew)
        }
    }

    /// What a program wrote that opened the home before it changed its kind.
    private func takeInLeftovers(
        _ home: VaultHome, _ direction: Migration.Direction, _ questions: MigrationQuestions
    ) throws -> MigrationOutcome {
        let files = keyFiles(of: home)
        guard files.exist else { return .nothingToDo }
        // A plain home that was never encrypted needs no key to say that it holds nothing sealed.
        if direction == .decrypt, !hasSealedFiles(home.layout) { return .nothingToDo }
        let keys = try openedKeys(home, files, questions)
        let state = Migration.State(direction: direction, phase: .remove, started: now())
        var migration = try migration(home, keys, state, questions.onProgress)
        guard try migration.hasLeftovers() else { return .nothingToDo }
        return .done(try migration.run(), hasNewKeys: false)
    }

    private func hasSealedFiles(_ layout: VaultLayout) -> Bool {
        [VaultLayout.sealedNotes, VaultLayout.sealedAttachments].contains { folder in
            ((try? Files.names(of: "\(layout.root)/\(folder)")) ?? [])
                .contains { $0.hasSuffix(FileSeal.ending) }
        }
    }

    /// How far a migration of the home has come; nil when none is under way.
    package func migrationState() throws -> Migration.State? {
        try Migration.State.read(try home().layout)
    }

    /// Takes back a migration that was not committed.
    /// - Returns: copies that were changed since and stay; nil when none was under way.
    /// - Throws: `MigrationError.cannotGoBack`.
    package func abortMigration(
        _ direction: Migration.Direction, _ questions: MigrationQuestions
    ) throws -> [String]? {
        let home = try home()
        return try exclusively(home) {
            guard let state = try Migration.State.read(home.layout) else {
                // One that was stopped before it began may have left a file without a name.
                AtomicFile.sweep(home.layout.settingsFolder, nowNanoseconds: .max)
                return nil
            }
            guard state.direction == direction else {
                throw MigrationError.underWay(what: state.direction.rawValue)
            }
            guard state.phase.canGoBack else {
                throw MigrationError.cannotGoBack(what: direction.rawValue)
            }
            let files = keyFiles(of: home)
            let keys = try openedKeys(home, files, questions)
            var migration = try migration(home, keys, state) { _, _, _ in }
            let kept = try migration.abort()
            if state.hasNewKeys, kept.isEmpty {
                try keySession(home.id).end()
                try files.remove()
            }
            return kept
        }
    }

    /// Files of the kind that the home no longer is; the paths of plain ones.
    package func leftovers(of workspace: Workspace) throws -> [String] {
        guard let seal = workspace.seal else {
            return hasSealedFiles(workspace.home.layout) ? [VaultLayout.sealedNotes] : []
        }
        var files = MigratedFiles(
            plain: NoteFiles(layout: workspace.home.layout),
            sealed: NoteFiles(layout: workspace.home.layout, seal: seal))
        return try files.list(.plain).map(\.name).sorted()
    }

    // MARK: Parts

    /// One change of kind or keys at a time.
    func exclusively<Result>(_ home: VaultHome, _ body: () throws -> Result) throws -> Result {
        let folder = dataFolder(of: home)
        try Files.makeFolder(folder)
        let path = "\(folder)/migration.lock"
        guard let lock = try FileLock.acquire(path) else {
            throw VaultError.busy(process: FileLock.owner(of: path))
        }
        let result = try body()
        _ = consume lock
        return result
    }

    private func migrationKeys(
        _ home: VaultHome, _ direction: Migration.Direction, _ questions: MigrationQuestions
    ) throws -> (HomeKeys, isNew: Bool) {
        let files = keyFiles(of: home)
        guard direction == .encrypt, !files.exist else {
            return (try openedKeys(home, files, questions), false)
        }
        let passphrase = try questions.newPassphrase()
        let keys = HomeKeys.make()
        // Not into the home yet: before the commit nothing in it is to tell.
        try keyFiles(of: home.id, copies: "").write(keys, passphrase: passphrase)
        if passphrase != nil {
            // Where nothing can hold them they are asked for when they are needed.
            _ = try? keySession(home.id).keep(keys.packed, for: usualUnlock)
        }
        return (keys, true)
    }

    func openedKeys(
        _ home: VaultHome, _ files: KeyFiles, _ questions: MigrationQuestions
    ) throws -> HomeKeys {
        if let keys = try keys(of: home.id, files) { return keys }
        return try files.open(passphrase: questions.presentPassphrase())
    }

    private func migration(
        _ home: VaultHome, _ keys: HomeKeys, _ state: Migration.State,
        _ onProgress: @escaping (Migration.Phase, Int, Int) -> Void
    ) throws -> Migration {
        let files = keyFiles(of: home)
        let seal = fileSeal(files, try files.recipients(), keys)
        let former = VaultHome(
            layout: home.layout, id: home.id, isAdopted: home.isAdopted,
            sealing: state.direction.formerSealing)
        let workspace = workspace(of: former, former.sealing == .age ? seal : nil)
        let surroundings = Migration.Surroundings(
            bringIn: {
                for inbox in workspace.inboxes {
                    inbox.bringIn(home: homePath) { draft, id, moment in
                        let capture = moment.map(workspace.capture.at) ?? workspace.capture
                        _ = try capture.save(draft, id: id)
                    }
                }
            },
            completeKeys: {
                if state.direction == .encrypt { try files.renewCopies() }
                files.sweep()
            },
            dropIndex: { try dropIndex(workspace) },
            pause: { WorkThread.pause(.milliseconds(300)) }, onProgress: onProgress)
        return try Migration(
            layout: home.layout, seal: seal, lock: VaultLock(dataFolder: workspace.dataFolder),
            state: state, surroundings)
    }
}

// MARK: - Counting

extension Services {
    /// How many files lie in either form; of the sealed ones no key is needed to count them.
    package struct MigrationCounts: Sendable {
        package let plain: Int
        package let sealed: Int
    }

    package func migrationCounts() throws -> MigrationCounts {
        let layout = try home().layout
        let seal = FileSeal(keys: nil) { [] }
        var files = MigratedFiles(
            plain: NoteFiles(layout: layout), sealed: NoteFiles(layout: layout, seal: seal))
        return MigrationCounts(
            plain: try files.list(.plain).count,
            sealed: try Rotation.sealedFiles(layout, []).count)
    }
}
