/// What can be wrong with a vault home or a note in it.
package enum VaultError: Error, Equatable {
    /// Nothing is at the place of the home.
    case noHome(path: String)
    /// There was a home and now there is none: an unmounted disk, a folder moved away.
    case homeMissing(path: String)
    /// There is a folder that is no home and not empty.
    case notAHome(path: String)
    /// This machine had a home there; its files are there and its marker is not.
    case markerMissing(path: String)
    case newerHome(path: String, format: Int)
    case damagedHome(path: String, reason: String)
    case unknownVault(name: String, nearest: String?)
    case noSuchNote(name: String, nearest: String?)
    case ambiguousNote(name: String, paths: [String])
    case unsafePath(path: String)
    /// A folder on the way is a link: what it leads to is no part of the home.
    case behindLink(path: String)
    case badVaultName(name: String)
    case vaultExists(name: String)
    /// Somebody else changed the file since it was read.
    case changedMeanwhile(path: String)
    case busy(process: Int?)
    case tooLarge(path: String, bytes: Int64)
    case belongsToAnother(path: String)
    /// A file of an encrypted home under a name that is not its path's: a move that was stopped half way.
    case misplaced(name: String)
    /// The home was encrypted or decrypted since it was opened.
    case migratedMeanwhile(path: String)
    /// The vault is not one that is locked by itself.
    case noWall(name: String)
    /// Only an encrypted home can do this.
    case notEncrypted(path: String)
}

extension VaultError: Explained {
    package var message: String {
        switch self {
        case .noHome(let path): "there is no vault home at \(path)"
        case .homeMissing(let path): "the vault home is not there: \(path)"
        case .notAHome(let path): "\(path) has files in it and is no vault home"
        case .markerMissing(let path):
            "\(path)/.aura/vault.json is missing: without it no home is trusted"
        case .newerHome(let path, let format):
            "\(path) was made by a newer aura (format \(format))"
        case .damagedHome(let path, let reason): "\(path)/.aura/vault.json is damaged: \(reason)"
        case .unknownVault(let name, _): "there is no vault called '\(name)'"
        case .noSuchNote(let name, _): "there is no note '\(name)'"
        case .ambiguousNote(let name, let paths):
            "'\(name)' names \(paths.count) notes: \(paths.prefix(5).joined(separator: ", "))"
        case .unsafePath(let path): "'\(path)' is no path inside the vault home"
        case .behindLink(let path): "\(path) lies behind a link, which is not followed"
        case .badVaultName(let name): "'\(name)' cannot name a vault"
        case .vaultExists(let name): "there is a vault called '\(name)' already"
        case .changedMeanwhile(let path): "\(path) was changed by another program meanwhile"
        case .busy(let process?): "another aura is at work (process \(process))"
        case .busy: "another aura is at work"
        case .tooLarge(let path, let bytes): "\(path) is too large (\(bytes) bytes)"
        case .belongsToAnother(let path): "\(path) belongs to another user"
        case .misplaced(let name): "\(name) does not lie where its path says"
        case .migratedMeanwhile(let path): "\(path) was encrypted or decrypted just now"
        case .noWall(let name): "the vault '\(name)' is not locked by itself"
        case .notEncrypted(let path): "\(path) is a plain home: it has no keys"
        }
    }

    package var hint: String? {
        switch self {
        case .noHome: "'aura init' makes one; the first 'aura capture' does too"
        case .homeMissing: "mount its disk, or make a new one with 'aura init'"
        case .notAHome: "'aura init --plain --adopt FOLDER' uses a folder of Markdown in place"
        case .markerMissing:
            "'aura init' writes it anew where the home lay; nothing else is changed"
        case .newerHome: "update aura"
        case .damagedHome: "restore the file from a backup; the notes beside it are whole"
        case .unknownVault(_, let nearest?): "did you mean '\(nearest)'?"
        case .unknownVault: "'aura vaults' lists them"
        case .noSuchNote(_, let nearest?): "did you mean '\(nearest)'?"
        case .noSuchNote: "'aura list' and 'aura search' show what there is"
        case .ambiguousNote: "give the path or the id"
        case .unsafePath: nil
        case .behindLink: "put the folder itself in the link's place"
        case .badVaultName: "use 1 to 40 letters, digits, blanks, '-' or '_', not '.' or '_' first"
        case .vaultExists: "'aura vaults' lists them"
        case .changedMeanwhile: "nothing was overwritten; run the command again"
        case .busy: "try again in a moment"
        case .tooLarge: nil
        case .belongsToAnother: "run aura as the owner of the vault home"
        case .misplaced: "'aura reindex' puts it right"
        case .migratedMeanwhile: "nothing was changed; run the command again"
        case .noWall: "'aura vaults lock NAME' gives a vault a key of its own"
        case .notEncrypted: "'aura encrypt' makes it an encrypted one"
        }
    }
}
