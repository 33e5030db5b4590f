internal import AuraSQLite
internal import AuraSystem

/// Why the index database did not do what was asked.
package enum StoreError: Error, Equatable, Sendable {
    /// There is no file and none may be made.
    case missing(path: String)
    /// Written by a newer aura; nothing was read or changed.
    case newer(path: String, version: Int, known: Int)
    /// The key does not open it, or it is not an index at all.
    case wrongKey(path: String)
    case damaged(path: String)
    case busy(path: String)
    case readOnly(path: String)
    case full(path: String)
    case failed(path: String, reason: String)

    init(_ error: any Error, path: String) {
        if let error = error as? SystemError {
            self =
                if error.isNoSpace {
                    .full(path: path)
                } else if error.isReadOnly || error.isDenied {
                    .readOnly(path: path)
                } else {
                    .failed(path: path, reason: error.reason)
                }
            return
        }
        if error is PostingsDamage {
            self = .damaged(path: path)
            return
        }
        guard let error = error as? SQLiteError else {
            self = error as? StoreError ?? .failed(path: path, reason: "\(error)")
            return
        }
        self =
            if error.isBusy {
                .busy(path: path)
            } else if error.isCorrupt || error.isNotADatabase {
                .damaged(path: path)
            } else if error.isReadOnly {
                .readOnly(path: path)
            } else if error.isFull {
                .full(path: path)
            } else {
                .failed(path: path, reason: error.message)
            }
    }
}

extension StoreError {
    /// Nothing can be written; what is there can be read.
    package var isRefusal: Bool {
        switch self {
        case .readOnly, .full: true
        default: false
        }
    }

    package var path: String {
        switch self {
        case .missing(let path), .newer(let path, _, _), .wrongKey(let path), .damaged(let path),
            .busy(let path), .readOnly(let path), .full(let path), .failed(let path, _):
            path
        }
    }

    /// Of another version, or under another key: it is not read, and may be made anew where that is asked.
    package var isForeign: Bool {
        switch self {
        case .newer, .wrongKey: true
        default: false
        }
    }

    /// The file is not what was written: made anew, it is whole again.
    package var isDamage: Bool {
        switch self {
        case .wrongKey, .damaged: true
        default: false
        }
    }
}

extension StoreError: Explained {
    package var message: String {
        switch self {
        case .missing(let path): "there is no index: \(path)"
        case .newer(let path, let version, let known):
            "the index was written by a newer aura (version \(version), this one knows \(known)): \(path)"
        case .wrongKey(let path): "the key does not open the index: \(path)"
        case .damaged(let path): "the index is damaged: \(path)"
        case .busy(let path): "another aura is writing the index: \(path)"
        case .readOnly(let path): "the index may not be written: \(path)"
        case .full(let path): "no space left to write the index: \(path)"
        case .failed(let path, let reason): "the index cannot be used: \(path) (\(reason))"
        }
    }

    package var hint: String? {
        switch self {
        case .missing: "'aura reindex' makes it"
        case .newer: "use the newer aura, or make the index anew with 'aura reindex'"
        case .wrongKey, .damaged, .failed: "'aura reindex' makes it anew from your notes"
        case .busy: "try again in a moment"
        case .readOnly: "check who owns the file and its folder"
        case .full: "free some space and try again"
        }
    }
}
