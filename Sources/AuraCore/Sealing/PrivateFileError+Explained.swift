package import AuraSystem

extension PrivateFileError: Explained {
    package var message: String {
        switch reason {
        case .missing: "\(path): there is no such file"
        case .link, .notAFile:
            "\(path): a secret is read from a file only, and not through a link"
        case .ownedByAnother: "\(path) belongs to another user"
        case .openToOthers: "\(path): other users may read it"
        case .tooLong(let limit): "\(path) is longer than \(limit) bytes"
        case .unreadable(let reason): "\(path): \(reason)"
        }
    }

    package var hint: String? {
        switch reason {
        case .missing: "check the path"
        case .link, .notAFile: "name the file itself"
        case .ownedByAnother: "copy it to a file of your own"
        case .openToOthers: "chmod 600 \(path)"
        case .tooLong: "a passphrase is its first line"
        case .unreadable: nil
        }
    }
}
