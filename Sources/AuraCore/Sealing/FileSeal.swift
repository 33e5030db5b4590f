/// How the files of an encrypted home are written and read: to its recipients, with its keys.
package struct FileSeal: Sendable {
    private let currentRecipients: @Sendable () -> [AgeRecipient]
    /// Nil while the home is locked.
    package let keys: HomeKeys?

    package init(recipients: [AgeRecipient], keys: HomeKeys?) {
        self.init(keys: keys) { recipients }
    }

    /// - Parameter recipients: asked for each file that is sealed; never empty.
    package init(keys: HomeKeys?, recipients: @escaping @Sendable () -> [AgeRecipient]) {
        self.keys = keys
        currentRecipients = recipients
    }

    /// Never empty. Public: sealing needs nothing else.
    package var recipients: [AgeRecipient] { currentRecipients() }

    /// What sealed files end in.
    package static let ending = ".age"

    /// The keys.
    /// - Throws: `SealError.locked`.
    package func unlocked() throws(SealError) -> HomeKeys {
        guard let keys else { throw .locked }
        return keys
    }

    /// - Parameter label: what is to be known of the file besides its bytes, such as its logical path.
    package func sealed(_ bytes: [UInt8], label: String? = nil) throws -> [UInt8] {
        try AgeFile.seal(bytes, to: recipients, label: label)
    }

    /// - Throws: `SealError.locked`, `.damaged` naming the file.
    package func opened(
        _ bytes: [UInt8], name: String
    ) throws(SealError) -> (bytes: [UInt8], label: String?) {
        let keys = try unlocked()
        do throws(AgeError) {
            return try AgeFile.openLabelled(bytes, with: keys.identities)
        } catch {
            throw SealError(error, name: name)
        }
    }

    /// The label alone; needs no more of the file than its header.
    package func label(_ bytes: [UInt8], name: String) throws(SealError) -> String? {
        let keys = try unlocked()
        do throws(AgeError) {
            return try AgeFile.label(of: bytes, with: keys.identities)
        } catch {
            throw SealError(error, name: name)
        }
    }
}

/// Why a sealed file or its key did not open.
package enum SealError: Error, Equatable {
    case locked
    /// One vault of an open home, locked by itself.
    case vaultLocked(name: String)
    /// The bytes are not what was written.
    case damaged(name: String, reason: String)
    /// The same of the file that holds the key of the home.
    case damagedIdentity(name: String, reason: String)
    /// Sealed to somebody else.
    case notForUs(name: String)
    case noKeys(folder: String)
    case wrongPassphrase
    /// The home has none, so it cannot be locked.
    case noPassphrase

    init(_ error: AgeError, name: String) {
        self =
            switch error {
            case .noMatch, .unsupportedRecipient: .notForUs(name: name)
            default: .damaged(name: name, reason: error.message)
            }
    }
}

extension SealError: Explained {
    package var message: String {
        switch self {
        case .locked: "the vaults are locked"
        case .vaultLocked(let name): "the vault '\(name)' is locked"
        case .damaged(let name, let reason): "\(name) is damaged: \(reason)"
        case .damagedIdentity(let name, let reason): "\(name) is damaged: \(reason)"
        case .notForUs(let name): "\(name) is sealed to another key"
        case .wrongPassphrase: "the passphrase is wrong"
        case .noPassphrase:
            "the key of this home has no passphrase, so there is nothing to lock it with"
        case .noKeys(let folder): "the keys of this home are not on this machine: \(folder)"
        }
    }

    package var hint: String? {
        switch self {
        case .locked: "'aura unlock' opens them"
        case .vaultLocked(let name): "'aura vaults unlock \(name)' opens it"
        case .damaged: "nothing was changed; a backup of the file can take its place"
        case .damagedIdentity: "'aura key restore' makes it anew with the recovery code"
        case .notForUs: "'aura key show-recipient' tells which key this home uses"
        case .wrongPassphrase:
            "try again; 'aura key restore' (of a vault with its own lock: '--vault NAME') takes the recovery code instead"
        case .noPassphrase: "'aura key change-passphrase' sets one"
        case .noKeys: "'aura key restore' brings them back with the recovery code"
        }
    }
}
