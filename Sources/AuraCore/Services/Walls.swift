package import AuraCrypto
internal import AuraSystem

/// Vaults of an encrypted home that are locked by themselves.
extension Services {
    func walls(of main: Workspace) throws -> [WallList.Wall] {
        main.seal == nil ? [] : try wallList(of: main).walls()
    }

    /// - Throws: `VaultError.notEncrypted`: a plain home has no walls.
    private func wallList(of main: Workspace) throws -> WallList {
        guard let seal = main.seal else { throw VaultError.notEncrypted(path: homePath) }
        return WallList(layout: main.home.layout, seal: seal)
    }

    /// - Throws: `VaultError.noWall`.
    private func wall(of vault: String, in main: Workspace) throws -> WallList.Wall {
        guard let wall = try walls(of: main).first(where: { $0.vault == vault }) else {
            throw VaultError.noWall(name: vault)
        }
        return wall
    }

    private func layout(of wall: WallList.Wall, in main: Workspace) -> VaultLayout {
        VaultLayout(root: "\(main.home.layout.walled)/\(wall.id)")
    }

    func keyFiles(of wall: WallList.Wall, in main: Workspace) -> KeyFiles {
        keyFiles(of: wall.id, copies: layout(of: wall, in: main).keys)
    }

    /// A wall goes with its vault's name.
    func renameWall(of vault: String, to newName: String, in main: Workspace) throws {
        guard let wall = try walls(of: main).first(where: { $0.vault == vault }) else { return }
        let renamed = WallList.Wall(id: wall.id, vault: newName, isComplete: wall.isComplete)
        try wallList(of: main).write(renamed)
    }

    /// The wall's key files on this machine; brought from the home where it was copied to another one.
    private func keyFilesHere(of wall: WallList.Wall, in main: Workspace) throws -> KeyFiles {
        let files = keyFiles(of: wall, in: main)
        guard !files.exist else { return files }
        if let identity = try wallList(of: main).identity(of: wall) {
            try files.takeSealedIdentity(identity)
            try files.completeFromCopies()
        }
        return files
    }

    /// Tells whether the workspace is the one for a vault of today's name.
    func keeping(_ workspace: Workspace) throws -> @Sendable (String) throws -> Bool {
        let known = Set(settings.vaults.map(\.name))
        guard workspace.seal != nil else {
            let layout = workspace.home.layout
            return { vault in
                try known.contains(vault) || Files.status(of: layout.folder(of: vault)) != nil
            }
        }
        let walls = try walls(of: self.workspace())
        let own = walls.first { $0.id == workspace.home.id }
        return { vault in
            if let own { return vault == own.vault }
            return known.contains(vault) && !walls.contains { $0.vault == vault }
        }
    }

    /// Nil while it is locked.
    func workspace(of wall: WallList.Wall, in main: Workspace) throws -> Workspace? {
        let files = keyFiles(of: wall, in: main)
        guard let held = keySession(wall.id).secret(), let keys = HomeKeys(packed: held.secret)
        else { return nil }
        return workspace(
            of: wall, in: main, FileSeal(recipients: try files.recipients(), keys: keys))
    }

    private func workspace(
        of wall: WallList.Wall, in main: Workspace, _ seal: FileSeal
    ) -> Workspace {
        let home = VaultHome(
            layout: layout(of: wall, in: main), id: wall.id, isAdopted: false, sealing: .age)
        return workspace(of: home, seal)
    }

    /// What keeps a vault's notes.
    /// - Throws: `SealError.vaultLocked`.
    package func workspace(forVault vault: String) throws -> Workspace {
        try workspace(forVault: vault, in: workspace())
    }

    /// The same for a home that is open already.
    func workspace(forVault vault: String, in main: Workspace) throws -> Workspace {
        guard let wall = try walls(of: main).first(where: { $0.vault == vault }) else {
            return main
        }
        guard let workspace = try workspace(of: wall, in: main) else {
            throw SealError.vaultLocked(name: vault)
        }
        return workspace
    }

    /// For a vault that is locked by itself: where its thoughts wait. Sealing needs no key.
    func inboxIfLocked(vault: String, _ main: Workspace) throws -> (Inbox, FileSeal)? {
        guard let wall = try walls(of: main).first(where: { $0.vault == vault }),
            try workspace(of: wall, in: main) == nil
        else { return nil }
        let seal = FileSeal(
            recipients: try keyFiles(of: wall, in: main).recipients(), keys: nil)
        return (Inbox(folder: layout(of: wall, in: main).inbox, seal: seal), seal)
    }

    package struct WallState: Sendable {
        package let vault: String
        package let isOpen: Bool
        package let isComplete: Bool
    }

    /// The vaults with walls of their own; empty for a plain home.
    package func wallStates() throws -> [WallState] {
        let main = try workspace()
        return try walls(of: main).map { wall in
            WallState(
                vault: wall.vault, isOpen: keySession(wall.id).secret() != nil,
                isComplete: wall.isComplete)
        }
    }

    /// The keys of an open vault with a wall, opened.
    /// - Throws: `VaultError.noWall`; `SealError.vaultLocked`.
    package func openWallKeys(_ vault: String) throws -> HomeKeys {
        let main = try workspace()
        let wall = try wall(of: vault, in: main)
        guard let workspace = try workspace(of: wall, in: main), let seal = workspace.seal else {
            throw SealError.vaultLocked(name: vault)
        }
        return try seal.unlocked()
    }

    /// Gives the key of a vault with a wall another passphrase.
    package func changeWallPassphrase(
        _ vault: String, from passphrase: Secret, to new: Secret
    ) throws {
        let main = try workspace()
        let wall = try wall(of: vault, in: main)
        let files = try keyFilesHere(of: wall, in: main)
        try files.writeIdentities(files.open(passphrase: passphrase), passphrase: new)
        try wallList(of: main).keepIdentity(files.sealedIdentityBytes(), of: wall)
    }

    /// Brings the key of a vault with a wall to this machine, or back under a passphrase that is known.
    /// - Parameter identities: the vault's recovery code, read.
    package func restoreWallKeys(
        _ vault: String, _ identities: [AgeIdentity], passphrase: Secret
    ) throws {
        let main = try workspace()
        let wall = try wall(of: vault, in: main)
        let files = keyFiles(of: wall, in: main)
        try files.writeIdentities(files.open(with: identities), passphrase: passphrase)
        try files.completeFromCopies()
        try wallList(of: main).keepIdentity(files.sealedIdentityBytes(), of: wall)
    }

    // MARK: Locking and unlocking

    /// Whether the vault has a wall already, and all its notes are behind it.
    package func hasWall(_ vault: String) throws -> Bool {
        try walls(of: workspace()).contains { $0.vault == vault && $0.isComplete }
    }

    /// Gives a vault a wall of its own, moves its notes behind it and locks it; or locks the one it has.
    /// - Parameter passphrase: for the new wall's key, or the one of a wall whose notes are not all moved.
    /// - Returns: how many files were moved.
    package func lockVault(_ vault: String, passphrase: Secret?) async throws -> Int {
        let main = try workspace()
        let list = try wallList(of: main)
        let known = try list.walls().first { $0.vault == vault }
        if let known, known.isComplete {
            try keySession(known.id).end()
            await stopModels()
            return 0
        }
        guard let passphrase else { throw SealError.locked }
        let wall = known ?? WallList.Wall(id: newID().text, vault: vault, isComplete: false)
        let files = try keyFilesHere(of: wall, in: main)
        let keys: HomeKeys
        if known == nil {
            keys = .make()
            try files.write(keys, passphrase: passphrase)
            try list.keepIdentity(files.sealedIdentityBytes(), of: wall)
            try list.write(wall)
        } else {
            keys = try files.open(passphrase: passphrase)
        }
        let space = workspace(
            of: wall, in: main, FileSeal(recipients: try files.recipients(), keys: keys))
        var filter = NoteFilter()
        filter.vaults = [vault]
        var count = 0
        // A capture that began before the wall stood may still write among the others.
        for _ in 1...3 {
            count += try main.lock.holding {
                try VaultTransfer(from: main.space, to: space.space).move(vault: vault)
            }
            // What the main index knew of the vault goes with its files.
            let store = try await refreshedStore(main, thorough: true).0
            if try await store.list(filter, limit: 1).isEmpty { break }
        }
        var done = wall
        done.isComplete = true
        try list.write(done)
        try keySession(wall.id).end()
        await stopModels()
        return count
    }

    /// Opens a vault that is locked by itself.
    /// - Throws: `SealError.wrongPassphrase`; `VaultError.noWall`.
    package func unlockVault(
        _ vault: String, _ passphrase: Secret, for duration: Duration?
    ) async throws {
        let main = try workspace()
        let wall = try wall(of: vault, in: main)
        let keys = try keyFilesHere(of: wall, in: main).open(passphrase: passphrase)
        _ = try keySession(wall.id).keep(keys.packed, for: duration)
        guard let workspace = try workspace(of: wall, in: main) else { return }
        // A run that was stopped may have left notes of the vault among the others.
        if !wall.isComplete {
            try main.lock.holding {
                _ = try VaultTransfer(from: main.space, to: workspace.space).move(vault: vault)
            }
            var done = wall
            done.isComplete = true
            try wallList(of: main).write(done)
        }
        _ = try await refreshedStore(workspace, thorough: true)
    }

    /// Brings a vault's notes back among the others and takes its wall away.
    package func removeWall(_ vault: String, _ passphrase: Secret) async throws -> Int {
        let main = try workspace()
        let list = try wallList(of: main)
        let wall = try wall(of: vault, in: main)
        let files = try keyFilesHere(of: wall, in: main)
        let keys = try files.open(passphrase: passphrase)
        var opening = wall
        opening.isComplete = false
        try list.write(opening)
        let space = workspace(
            of: wall, in: main, FileSeal(recipients: try files.recipients(), keys: keys))
        bringIn(space)
        let count = try main.lock.holding {
            // All of it, whatever its path says: the vault may have had another name.
            let transfer = VaultTransfer(from: space.space, to: main.space)
            let count = try transfer.move(vault: nil)
            // What does not open stays behind the wall, and so does the wall.
            if let left = try transfer.leftovers().first {
                throw SealError.damaged(
                    name: "\(space.home.layout.root)/\(left)", reason: "it does not open")
            }
            return count
        }
        try dropIndex(space)
        try list.remove(wall)
        try keySession(wall.id).end()
        return count
    }
}

extension Services {
    /// Moves one note into or out of a vault with a wall, with its whole journal: what it was must not stay
    /// readable on the other side. Written to its new place first and removed from the old one last: after a
    /// run that was stopped between, the next one finds it there and removes it here.
    package func moveAcross(
        _ path: String, old: [UInt8], new: [UInt8], from: Workspace, to: Workspace,
        toFolder folder: String, names: [String], attachments: [String], _ entry: Journal.Entry
    ) throws -> String {
        try from.lock.holding {
            guard try from.files.contents(of: path) == old else {
                throw VaultError.changedMeanwhile(path: path)
            }
            let records = try entry.note.map { try from.journal.records(of: $0) } ?? []
            for record in records { try to.journal.adopt(record) }
            let newPath: String
            let paths = names.map { "\(folder)/\($0)" }
            if let there = try paths.first(where: { try to.files.isMoved(new, at: $0) }) {
                newPath = there
            } else {
                var entry = entry
                entry.path = path
                entry.newPath = try to.files.freePath(for: "", in: folder, names: names)
                entry.before = old
                entry.after = ContentDigest(of: new)
                entry.reason = "moved between vaults with locks of their own"
                try to.journal.append(entry)
                newPath = try to.files.create(in: folder, names: names, new)
            }
            try from.files.discardAttachments(attachments, leavingWith: path)
            // The note last: while it is there, doing it again removes what else was left here.
            try from.journal.remove(Set(records.map(\.id)))
            try from.files.discard(path, holding: old)
            return newPath
        }
    }
}

extension NoteFiles {
    /// Whether the very note lies at the path, but for the time of its change.
    fileprivate func isMoved(_ bytes: [UInt8], at path: String) throws -> Bool {
        guard let there = try contents(of: path) else { return false }
        var notes = [there, bytes].map { NoteText(bytes: $0, path: path).note }
        for index in notes.indices { notes[index].modified = nil }
        return notes[0].id != nil && notes[0] == notes[1]
    }
}

extension Workspace {
    fileprivate var space: VaultTransfer.Space {
        VaultTransfer.Space(files: files, journal: journal)
    }
}
