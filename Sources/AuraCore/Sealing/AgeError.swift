/// Why a file could not be sealed or opened.
package enum AgeError: Error, Equatable, Sendable {
    case notAnAgeFile
    case header(String)
    /// The header was changed after it was sealed.
    case headerMAC
    case armor(String)
    case payload(String)
    /// None of the keys opens it.
    case noMatch
    /// None of the keys opens it, and it has recipients of a kind that is not known here.
    case unsupportedRecipient(String)
    case needsPassphrase
    case wrongPassphrase
    /// The exponent of scrypt's work factor is above what may be spent on a file, or no exponent at all.
    case workFactor(Int)
    /// There is nobody to seal to.
    case noRecipients
    /// A line of an identity file, counted from 1, is not a key.
    case identityLine(Int)
}

extension AgeError: Explained {
    package var message: String {
        switch self {
        case .notAnAgeFile: "not a sealed file: it does not start as age files do"
        case .header(let what): "the sealed file's header is damaged: \(what)"
        case .headerMAC: "the sealed file's header was changed"
        case .armor(let what): "the sealed text is damaged: \(what)"
        case .payload(let what): "the sealed file is damaged: \(what)"
        case .noMatch: "the file is sealed to other keys"
        case .unsupportedRecipient(let kind): "recipient type not supported: \(kind)"
        case .needsPassphrase: "the file is sealed with a passphrase"
        case .wrongPassphrase: "the passphrase does not open the file"
        case .workFactor(let exponent): "a work factor of 2^\(exponent) is not accepted"
        case .noRecipients: "there is no key to seal to"
        case .identityLine(let line): "line \(line) of the key file is not an age key"
        }
    }

    package var hint: String? {
        switch self {
        case .identityLine: "a key starts with AGE-SECRET-KEY-1; lines with # are comments"
        case .unsupportedRecipient: "keys that start with AGE-SECRET-KEY-1 are supported"
        default: nil
        }
    }
}
