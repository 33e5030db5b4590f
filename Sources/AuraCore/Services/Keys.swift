package import AuraCrypto
internal import AuraSystem

/// The keys of encrypted homes: where they lie, how they are opened and closed.
extension Services {
    package func keyFiles(of home: VaultHome) -> KeyFiles {
        keyFiles(of: home.id, copies: home.layout.keys)
    }

    package func keyFiles(of id: String, copies: String) -> KeyFiles {
        KeyFiles(folder: "\(places.dataFolder)/keys/\(id)", copies: copies)
    }

    package func keySession(_ id: String) -> KeySession {
        KeySession(
            name: id, runtimeFolder: places.runtimeFolder, program: programPath,
            environment: environment)
    }

    /// How the home's files are sealed; nil for a plain home.
    /// - Parameter isNeeded: whether to throw where the keys cannot be had; else they are nil then.
    /// - Throws: `SealError.locked` and the others of `KeyFiles.open`; `.noKeys`.
    func seal(of home: VaultHome, isNeeded: Bool) throws -> FileSeal? {
        guard home.sealing == .age else { return nil }
        let files = keyFiles(of: home)
        let recipients = try files.recipients()
        guard isNeeded else {
            return fileSeal(files, recipients, (try? keys(of: home.id, files)) ?? nil)
        }
        guard let keys = try keys(of: home.id, files) else { throw SealError.locked }
        return fileSeal(files, recipients, keys)
    }

    /// One that follows a change of the recipients while it lives: an editor may be open for hours.
    func fileSeal(_ files: KeyFiles, _ recipients: [AgeRecipient], _ keys: HomeKeys?) -> FileSeal {
        FileSeal(keys: keys) { (try? files.recipients()) ?? recipients }
    }

    /// From the session, from the identity's file where it has no passphrase, or with the passphrase in
    /// the file that `AURA_UNLOCK_FILE` names. Nil when the home is locked.
    func keys(of id: String, _ files: KeyFiles) throws -> HomeKeys? {
        if let held = keySession(id).secret(), let keys = HomeKeys(packed: held.secret) {
            return keys
        }
        guard files.exist else {
            throw SealError.noKeys(folder: files.folder)
        }
        if !files.hasPassphrase { return try files.open(passphrase: nil) }
        if files.isInKeychain, let held = try? secretService.secret(named: id),
            let keys = HomeKeys(packed: held)
        {
            return keys
        }
        if let path = environment["AURA_UNLOCK_FILE"], !path.isEmpty {
            return try files.open(passphrase: Services.passphrase(inFile: path))
        }
        return nil
    }

    /// The first line of a file that only its owner can read.
    package static func passphrase(inFile path: String) throws -> Secret {
        var bytes = try Files.privateBytes(at: path)
        defer { Secret.wipe(&bytes) }
        return PassphraseText.normalised(Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D }))
    }

    /// Keeps a text that came while not even the settings could be read: sealed to every encrypted home of
    /// this machine, readable where there is none.
    package static func keepRescued(
        _ bytes: [UInt8], _ places: Places, folder: String, name: String
    ) throws -> String {
        let homes = (try? Files.names(of: "\(places.dataFolder)/keys")) ?? []
        let recipients = Set(
            homes.flatMap { id in
                (try? KeyFiles(folder: "\(places.dataFolder)/keys/\(id)", copies: "").recipients())
                    ?? []
            })
        guard !recipients.isEmpty else {
            try AtomicFile.create("\(folder)/\(name)", bytes)
            return "\(folder)/\(name)"
        }
        let path = "\(folder)/\(name)\(FileSeal.ending)"
        try AtomicFile.create(path, AgeFile.seal(bytes, to: Array(recipients)))
        return path
    }

    // MARK: Opening and closing

    package struct LockState: Sendable {
        package let home: VaultHome
        package let hasPassphrase: Bool
    }

    /// - Throws: `VaultError.notEncrypted`.
    package func lockState() throws -> LockState {
        let home = try home()
        guard home.sealing == .age else { throw VaultError.notEncrypted(path: homePath) }
        return LockState(home: home, hasPassphrase: keyFiles(of: home).hasPassphrase)
    }

    /// Opens the home's keys and holds them for later commands.
    /// - Parameter duration: nil for until the machine is restarted.
    package func unlock(
        _ passphrase: Secret, for duration: Duration?, inKeychain: Bool = false
    ) throws {
        let home = try lockState().home
        let files = keyFiles(of: home)
        let keys = try files.open(passphrase: passphrase)
        if inKeychain {
            try secretService.store(keys.packed, as: home.id)
            try files.noteKeychain(true)
        }
        _ = try keySession(home.id).keep(keys.packed, for: duration)
    }

    /// The same for a home that was just made, for the usual time.
    package func unlock(_ home: VaultHome, _ passphrase: Secret) throws {
        let keys = try keyFiles(of: home).open(passphrase: passphrase)
        _ = try keySession(home.id).keep(keys.packed, for: usualUnlock)
    }

    /// How long keys are held when nothing else is said.
    package var usualUnlock: Duration { .seconds(settings.unlockHours * 3600) }

    var secretService: SecretService {
        SecretService(environment: environment, user: Host.userID)
    }

    /// Forgets the keys. The model server may hold text of notes: it is ended too.
    package func lock() async throws {
        let state = try lockState()
        try keySession(state.home.id).end()
        for wall in WallList.ids(state.home.layout) { try keySession(wall).end() }
        let files = keyFiles(of: state.home)
        if files.isInKeychain {
            try secretService.remove(state.home.id)
            try files.noteKeychain(false)
        }
        await stopModels()
        guard state.hasPassphrase else { throw SealError.noPassphrase }
    }

    /// The keys of the home, opened.
    package func openKeys() throws -> (home: VaultHome, files: KeyFiles, keys: HomeKeys) {
        let home = try home()
        guard let seal = try seal(of: home, isNeeded: true) else {
            throw VaultError.notEncrypted(path: homePath)
        }
        return (home, keyFiles(of: home), try seal.unlocked())
    }

    /// Brings the keys of a home to this machine.
    /// - Parameter identities: the recovery code, read.
    package func restoreKeys(_ identities: [AgeIdentity], passphrase: Secret?) throws -> VaultHome {
        let home = try home()
        guard home.sealing == .age else { throw VaultError.notEncrypted(path: homePath) }
        let files = keyFiles(of: home)
        let keys = try files.open(with: identities)
        try files.writeIdentities(keys, passphrase: passphrase)
        try files.completeFromCopies()
        try remember(home)
        return home
    }
}
