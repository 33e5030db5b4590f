package import AuraCrypto
internal import AuraSystem

/// Changes of the keys of an encrypted home that every file follows.
extension Services {
    package enum KeyChange: Equatable, Sendable {
        /// A new identity in place of this machine's.
        case rotate
        case add(AgeRecipient)
        /// With a new identity: who was a recipient can keep what was sealed until now.
        case remove(AgeRecipient)

        /// The command that makes it.
        package var command: String {
            switch self {
            case .rotate: "key rotate"
            case .add(let recipient): "key add-recipient \(recipient.text)"
            case .remove(let recipient): "key remove-recipient \(recipient.text)"
            }
        }

        package var makesIdentity: Bool {
            if case .add = self { return false }
            return true
        }
    }

    /// How far a change of keys has come; nil when none is under way.
    package func rotationState() throws -> Rotation.State? {
        try Rotation.State.read(try home().layout)
    }

    /// Changes the keys and seals every file anew, or goes on with what was begun.
    /// - Parameter passphrase: asked for where the identity's file is written anew and has one.
    /// - Throws: `VaultError.busy`, `.notEncrypted`; `MigrationError`; `SealError`; `SystemError`.
    package func change(
        _ change: KeyChange, passphrase: () throws -> Secret,
        onProgress: @escaping (Int, Int) -> Void
    ) throws -> Rotation.Report {
        let home = try home()
        guard home.sealing == .age else { throw VaultError.notEncrypted(path: homePath) }
        return try exclusively(home) {
            if let begun = try Migration.State.read(home.layout) {
                throw MigrationError.underWay(what: begun.direction.rawValue)
            }
            let begun = try Rotation.State.read(home.layout)
            if let begun, begun.command != change.command {
                throw MigrationError.underWay(what: begun.command)
            }
            // Keys are kept by the home's id: another home with it would no longer open.
            if let other = recordedPath(of: home.id), other != homePath,
                (try? VaultHome.open(other))?.id == home.id
            {
                throw MigrationError.otherCopy(path: other)
            }
            let files = keyFiles(of: home)
            var secret: Secret?
            if change.makesIdentity, files.hasPassphrase { secret = try passphrase() }
            let keys: HomeKeys
            if change.makesIdentity {
                keys = try files.open(passphrase: secret)
            } else if let held = try self.keys(of: home.id, files) {
                keys = held
            } else {
                keys = try files.open(passphrase: passphrase())
            }
            let state: Rotation.State
            let opened: HomeKeys
            if let begun {
                (state, opened) = (begun, keys)
            } else {
                (state, opened) = try begin(change, home, files, keys, secret)
            }
            return try goOn(state, home, files, opened, secret, onProgress)
        }
    }

    /// Writes down what is to be done. Until then nothing is sealed to a new identity.
    private func begin(
        _ change: KeyChange, _ home: VaultHome, _ files: KeyFiles, _ keys: HomeKeys,
        _ passphrase: Secret?
    ) throws -> (Rotation.State, HomeKeys) {
        var recipients = try files.recipients()
        var keys = keys
        var former: AgeRecipient?
        var successor: AgeRecipient?
        let own = keys.identities.first { recipients.contains($0.recipient) }
        switch change {
        case .rotate: break
        case .add(let recipient):
            guard !recipients.contains(recipient) else {
                throw MigrationError.isRecipient(text: recipient.text)
            }
            recipients.append(recipient)
        case .remove(let recipient):
            guard recipients.contains(recipient) else {
                throw MigrationError.isNoRecipient(text: recipient.text)
            }
            guard recipient != own?.recipient else {
                throw MigrationError.isOwnRecipient(text: recipient.text)
            }
            recipients.removeAll { $0 == recipient }
        }
        if change.makesIdentity {
            guard let own else { throw SealError.noKeys(folder: files.folder) }
            // One that nothing is sealed to was left by a run that was stopped just here.
            let left = keys.identities[0]
            let fresh = recipients.contains(left.recipient) ? AgeIdentity.make() : left
            keys = keys.with(
                identities: [fresh]
                    + keys.identities.filter { $0.recipient != fresh.recipient })
            try files.writeIdentities(keys, passphrase: passphrase)
            try files.forgetRecoveryShown()
            try renewSession(home, files, keys)
            former = own.recipient
            successor = fresh.recipient
            recipients = recipients.map { $0 == own.recipient ? fresh.recipient : $0 }
        }
        let state = Rotation.State(
            command: change.command, started: now(), recipients: recipients, former: former,
            successor: successor)
        try state.write(home.layout)
        return (state, keys)
    }

    private func goOn(
        _ state: Rotation.State, _ home: VaultHome, _ files: KeyFiles, _ keys: HomeKeys,
        _ passphrase: Secret?, _ onProgress: @escaping (Int, Int) -> Void
    ) throws -> Rotation.Report {
        var state = state
        if try files.recipients() != state.recipients {
            try files.write(
                state.former == nil ? keys : keys.withNewIndexKey(), recipients: state.recipients)
        } else {
            try files.renewCopies()
        }
        let keys = try files.open(with: keys.identities)
        try renewSession(home, files, keys)
        let folder = dataFolder(of: home)
        var rotation = Rotation(
            layout: home.layout, otherFolders: ["\(places.dataFolder)/inbox/\(home.id)"],
            keys: keys, lock: VaultLock(dataFolder: folder), state: state,
            onProgress: onProgress)
        _ = try rotation.sealAll()
        // A capture that read the recipients before they changed may just be writing.
        WorkThread.pause(.milliseconds(300))
        let report = try rotation.sealAll()
        state.phase = .finish
        try state.write(home.layout)
        let lasting = keys.with(identities: keys.identities.filter { $0.recipient != state.former })
        if lasting.identities.count != keys.identities.count {
            try files.writeIdentities(lasting, passphrase: passphrase)
        }
        try renewSession(home, files, lasting)
        try dropOtherIndexes(folder, than: lasting)
        files.sweep()
        AtomicFile.sweep(home.layout.settingsFolder, nowNanoseconds: .max)
        try Files.remove(home.layout.rotation)
        try Files.flushFolder(home.layout.settingsFolder)
        return report
    }

    /// Puts the keys where the old ones wait for the next command, for as long as those would have.
    private func renewSession(_ home: VaultHome, _ files: KeyFiles, _ keys: HomeKeys) throws {
        let session = keySession(home.id)
        if let held = session.secret() {
            let rest = held.until.map { Duration.seconds(max($0 - Host.now.seconds, 1)) }
            _ = try session.keep(keys.packed, for: rest)
        }
        if files.isInKeychain { try secretService.store(keys.packed, as: home.id) }
    }

    /// Indexes of keys that are no longer used; the next use builds the new one.
    private func dropOtherIndexes(_ folder: String, than keys: HomeKeys) throws {
        for name in try Files.names(of: folder)
        where name.hasPrefix("index-") && !name.hasPrefix("index-\(keys.indexMark).") {
            try Files.remove("\(folder)/\(name)")
        }
    }
}
