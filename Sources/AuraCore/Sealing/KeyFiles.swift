package import AuraCrypto
internal import AuraSystem

/// The key files of a home, or of a vault with a wall of its own.
///
///     <folder>/identity.txt     the identity, 0600, where there is no passphrase
///     <folder>/identity.age     else: the same text under the passphrase (scrypt)
///     <folder>/recipients.txt   public: whom files are sealed to, the home's own identity first
///     <folder>/index.key.age    the index database's key, sealed to the recipients
///     <folder>/names.key.age    the key of the file names, sealed to the recipients
///
/// All are what other age programs read. The folder lies outside the home. Copies of the last three lie in
/// the home, so that the identity alone, the recovery code, opens a copy of it on another machine.
package struct KeyFiles: Sendable {
    package let folder: String
    /// In the home.
    private let copies: String

    /// log2 of the cost of a passphrase; about 0.7 s and 128 MiB.
    package static let workFactor = 17

    package init(folder: String, copies: String) {
        self.folder = folder
        self.copies = copies
    }

    private var plainIdentity: String { "\(folder)/identity.txt" }
    private var sealedIdentity: String { "\(folder)/identity.age" }
    private static let recipientsName = "recipients.txt"
    private static let keyNames = ["index.key.age", "names.key.age"]

    // MARK: What is there

    package var exist: Bool {
        (try? Files.status(of: plainIdentity)) != .some(nil) || hasPassphrase
    }

    package var hasPassphrase: Bool { (try? Files.status(of: sealedIdentity)) != .some(nil) }

    /// Whom new files are sealed to. Never empty.
    ///
    /// Those on this machine count; the home's copy only where there are none, since somebody else may
    /// write into a home that is synced.
    /// - Throws: `SealError.noKeys`.
    package func recipients() throws -> [AgeRecipient] {
        for place in [folder, copies] {
            guard
                let bytes = try? Files.bytes(
                    at: "\(place)/\(KeyFiles.recipientsName)", limit: 1 << 20)
            else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            let found = lines.filter { !$0.hasPrefix("#") }.compactMap { AgeRecipient(String($0)) }
            if !found.isEmpty { return found }
        }
        throw SealError.noKeys(folder: folder)
    }

    /// The person has seen the recovery code of these keys.
    package var recoveryWasShown: Bool {
        (try? Files.status(of: "\(folder)/recovery-shown")) != .some(nil)
    }

    /// The person asked that the keys be kept in the Secret Service, too.
    package var isInKeychain: Bool {
        (try? Files.status(of: "\(folder)/in-keychain")) != .some(nil)
    }

    package func noteKeychain(_ isIn: Bool) throws {
        if isIn {
            try AtomicFile.replace("\(folder)/in-keychain", [])
        } else {
            try Files.remove("\(folder)/in-keychain")
        }
    }

    package func noteRecoveryShown() throws {
        try AtomicFile.replace("\(folder)/recovery-shown", [])
    }

    /// The recovery code is another now.
    func forgetRecoveryShown() throws { try Files.remove("\(folder)/recovery-shown") }

    // MARK: Opening

    /// The keys; the identity is read from its file.
    /// - Parameter passphrase: nil where there is none.
    /// - Throws: `SealError.locked` when there is a passphrase and none was given, `.wrongPassphrase`,
    ///   `.noKeys`, `.damaged`.
    package func open(passphrase: Secret?) throws -> HomeKeys {
        let identities: [AgeIdentity]
        if hasPassphrase {
            guard let passphrase else { throw SealError.locked }
            var stored = try Files.bytes(at: sealedIdentity, limit: 1 << 20)
            do throws(AgeError) {
                stored = try AgeFile.open(stored, passphrase: passphrase)
            } catch {
                if error == .wrongPassphrase { throw SealError.wrongPassphrase }
                throw SealError.damagedIdentity(name: sealedIdentity, reason: error.message)
            }
            defer { Secret.wipe(&stored) }
            identities = try KeyFiles.identities(in: stored, name: sealedIdentity)
        } else {
            guard try Files.status(of: plainIdentity) != nil else {
                throw SealError.noKeys(folder: folder)
            }
            var stored = try Files.privateBytes(at: plainIdentity)
            defer { Secret.wipe(&stored) }
            identities = try KeyFiles.identities(in: stored, name: plainIdentity)
        }
        return try open(with: identities)
    }

    /// The keys that these identities open.
    /// - Throws: `SealError.notForUs` when they are not this home's.
    package func open(with identities: [AgeIdentity]) throws -> HomeKeys {
        let keys = try KeyFiles.keyNames.map { name in
            var bytes = try openedKey(name, identities)
            defer { Secret.wipe(&bytes) }
            guard bytes.count == HomeKeys.keyBytes else {
                throw SealError.damaged(name: name, reason: "it is no key")
            }
            return Secret(bytes)
        }
        return HomeKeys(identities: identities, index: keys[0], names: keys[1])
    }

    /// From this machine's folder; a damaged or missing file is read from the home's copy.
    private func openedKey(_ name: String, _ identities: [AgeIdentity]) throws -> [UInt8] {
        var failure: any Error = SealError.noKeys(folder: folder)
        for place in [folder, copies] {
            guard let stored = try? Files.bytes(at: "\(place)/\(name)", limit: 1 << 20) else {
                continue
            }
            do throws(AgeError) {
                return try AgeFile.open(stored, with: identities)
            } catch {
                failure = SealError(error, name: "\(place)/\(name)")
            }
        }
        throw failure
    }

    private static func identities(in bytes: [UInt8], name: String) throws -> [AgeIdentity] {
        let found = try? AgeIdentity.list(inFile: Secret(bytes))
        guard let found, !found.isEmpty else {
            throw SealError.damagedIdentity(name: name, reason: "there is no identity in it")
        }
        return found
    }

    // MARK: Writing

    /// Writes all of it, here and in the home, for a home that has none.
    package func write(_ keys: HomeKeys, passphrase: Secret?) throws {
        // The identity comes last: where there is one, the rest is there, too.
        try write(keys, recipients: [keys.identities[0].recipient])
        try writeIdentities(keys, passphrase: passphrase)
    }

    /// Writes whom files are sealed to and seals the keys to them, here and in the home.
    package func write(_ keys: HomeKeys, recipients: [AgeRecipient]) throws {
        let secrets = [keys.indexSecret, keys.namesSecret]
        var files = try zip(KeyFiles.keyNames, secrets).map { name, secret in
            var bytes = secret.copy
            defer { Secret.wipe(&bytes) }
            return (name, try AgeFile.seal(bytes, to: recipients))
        }
        let text = recipients.map { "\($0.text)\n" }.joined()
        files.append((KeyFiles.recipientsName, Array(text.utf8)))
        for place in [folder, copies] where !place.isEmpty {
            try Files.makeFolder(place)
            for (name, bytes) in files { try AtomicFile.replace("\(place)/\(name)", bytes) }
        }
    }

    /// The identity's file, which is under a passphrase.
    package func sealedIdentityBytes() throws -> [UInt8] {
        try Files.bytes(at: sealedIdentity, limit: 1 << 20)
    }

    /// Takes over an identity's file from another machine.
    package func takeSealedIdentity(_ bytes: [UInt8]) throws {
        try Files.makeFolder(folder)
        try AtomicFile.replace(sealedIdentity, bytes)
    }

    private static var sharedNames: [String] { keyNames + [recipientsName] }

    /// Copies to the home what is not there; all of it is sealed or public.
    package func completeCopies() throws { try KeyFiles.complete(from: folder, to: copies) }

    /// Makes what the home keeps of the keys the same as what is here.
    package func renewCopies() throws {
        try Files.makeFolder(copies)
        for name in KeyFiles.sharedNames {
            let bytes = try Files.bytes(at: "\(folder)/\(name)", limit: 1 << 20)
            guard (try? Files.bytes(at: "\(copies)/\(name)", limit: 1 << 20)) != bytes else {
                continue
            }
            try AtomicFile.replace("\(copies)/\(name)", bytes)
        }
    }

    /// Removes what a process left that was stopped while it wrote key files. Only while no other can.
    func sweep() {
        for place in [folder, copies] where !place.isEmpty {
            AtomicFile.sweep(place, nowNanoseconds: .max)
        }
    }

    /// The same the other way, for a machine that has not seen the home before.
    package func completeFromCopies() throws { try KeyFiles.complete(from: copies, to: folder) }

    private static func complete(from folder: String, to other: String) throws {
        for name in sharedNames where try Files.status(of: "\(other)/\(name)") == nil {
            let bytes = try Files.bytes(at: "\(folder)/\(name)", limit: 1 << 20)
            try Files.makeFolder(other)
            try AtomicFile.replace("\(other)/\(name)", bytes)
        }
    }

    /// Readable identity files in a folder and those right below it: they belong nowhere near the notes.
    package func unsealedKeys(under root: String) throws -> [String] {
        var found: [String] = []
        for folder in [root, "\(root)/.aura", copies] {
            for entry in (try? Files.entries(of: folder)) ?? []
            where entry.status.kind == .regular && entry.status.size < 65_536 {
                let path = "\(folder)/\(entry.name)"
                let bytes = (try? Files.bytes(at: path)) ?? []
                let text = String(decoding: bytes, as: UTF8.self)
                if text.contains("AGE-SECRET-KEY-1") { found.append(path) }
            }
        }
        return found
    }

    /// Removes the keys from this machine: only for those that sealed nothing.
    package func remove() throws {
        for name in KeyFiles.sharedNames + ["identity.txt", "identity.age"] {
            try Files.remove("\(folder)/\(name)")
        }
        try Files.removeFolder(folder)
    }

    /// Writes the identities under a passphrase, or without one.
    package func writeIdentities(_ keys: HomeKeys, passphrase: Secret?) throws {
        try Files.makeFolder(folder)
        var text = KeyFiles.identityText(keys)
        defer { Secret.wipe(&text) }
        if let passphrase {
            let sealed = try AgeFile.seal(
                text, passphrase: passphrase, workFactor: KeyFiles.workFactor)
            try AtomicFile.replace(sealedIdentity, sealed)
            // Only when the other stands: never without any.
            try Files.remove(plainIdentity)
        } else {
            try AtomicFile.replace(plainIdentity, text)
            try Files.remove(sealedIdentity)
        }
        try Files.flushFolder(folder)
    }

    /// What other age programs call an identity file.
    private static func identityText(_ keys: HomeKeys) -> [UInt8] {
        var text: [UInt8] = []
        for identity in keys.identities {
            text += Array("# public key: \(identity.recipient.text)\n".utf8)
            identity.secretText.withBytes { bytes in
                for place in bytes.indices { text.append(bytes[place]) }
            }
            text.append(0x0A)
        }
        return text
    }
}
