/// Why a note's file was not changed. Nothing was written.
package enum NoteEditError: Error, Equatable {
    /// A key is there twice, so which one to change is not ours to decide.
    case duplicateKey(String, line: Int, path: String)
    /// The front matter could not be read; `reason` says why.
    case unreadable(reason: String, line: Int?, path: String)
    /// The front matter can be read, but this value is written in a way that cannot be changed alone.
    case unsupported(key: String, reason: String, line: Int, path: String)
    /// The new value is none that the key can take.
    case invalid(key: String, reason: String)
    /// The changed file would not read back as it was meant.
    case wouldCorrupt(key: String, path: String)
}

extension NoteEditError: Explained {
    package var message: String {
        switch self {
        case .duplicateKey(let key, let line, let path):
            "'\(path)' has '\(key)' twice in its front matter (line \(line)), so it was not changed"
        case .unreadable(let reason, nil, let path):
            "the front matter of '\(path)' cannot be changed: \(reason)"
        case .unreadable(let reason, let line?, let path):
            "the front matter of '\(path)' cannot be changed: line \(line): \(reason)"
        case .unsupported(let key, let reason, let line, let path):
            "'\(key)' in '\(path)' (line \(line)) cannot be changed: \(reason)"
        case .invalid(let key, let reason): "the new \(key) \(reason)"
        case .wouldCorrupt(let key, let path):
            "'\(path)' was not changed: '\(key)' would not read back as it was meant"
        }
    }

    package var hint: String? {
        switch self {
        case .duplicateKey(let key, _, _): "remove one of the two '\(key)' lines in an editor"
        case .unreadable: "put the lines between the two '---' right in an editor"
        case .unsupported: "change it in an editor"
        case .invalid: nil
        case .wouldCorrupt: "change it in an editor; please report the file's front matter as a bug"
        }
    }
}
