import AuraCore
import AuraSystem

/// Getting text from words, standard input or an editor.
enum Input {
    /// More than this is no thought; it can be attached.
    static let maximumBytes = 100 << 20

    /// Words joined by blanks; standard input when there are none.
    /// - Throws: `InputError`.
    static func text(_ words: [String], _ invocation: Invocation, purpose: String) throws -> String
    {
        if !words.isEmpty, words != ["-"] { return words.joined(separator: " ") }
        return try decoded(piped(invocation, purpose: purpose))
    }

    /// All of standard input. At a terminal the person is told how to end.
    static func piped(_ invocation: Invocation, purpose: String) throws -> [UInt8] {
        guard TerminalDevice.inputStatus() != nil else { throw InputError.closed(purpose: purpose) }
        if invocation.console.inputIsTerminal {
            if invocation.globals.noInput { throw InputError.empty(purpose: purpose) }
            invocation.console.say("Type \(purpose); an empty line and Ctrl-D end it.")
        }
        let bytes = try TerminalDevice.readAllInput(limit: maximumBytes + 1)
        guard bytes.count <= maximumBytes else { throw InputError.tooLarge(bytes: maximumBytes) }
        return bytes
    }

    /// UTF-8, a BOM taken off.
    /// - Throws: `InputError.binary` when there is a NUL in it or most of it is no text.
    static func decoded(_ bytes: [UInt8]) throws -> String {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let text = String(validating: body, as: UTF8.self), !body.contains(0) { return text }
        let text = String(decoding: body, as: UTF8.self)
        let broken = text.unicodeScalars.count { $0 == "\u{FFFD}" }
        if body.contains(0) || broken * 10 > text.unicodeScalars.count { throw InputError.binary }
        return text
    }

    /// Opens the person's editor on a draft and returns what was saved.
    static func edited(
        _ text: String, _ invocation: Invocation, name: String
    ) throws -> (text: String, draft: String) {
        let services = invocation.services
        let folder = try services.places.draftFolder()
        let draft = "\(folder)/\(services.newID()).md"
        try AtomicFile.create(draft, Array(text.utf8))
        let editor = services.editor
        invocation.console.flush()
        let child = try ChildProcess.start(
            ChildProcess.Recipe(
                "/bin/sh", ["-c", "\(editor) \"$1\"", "aura", draft], environment: Host.environment),
            input: 0, output: 1, errors: 2)
        let status: Int32 =
            switch child.waitForEnd(atMost: .seconds(7 * 24 * 3600)) {
            case .exited(let code): code
            case .signal(let number): 128 + number
            case nil: 128
            }
        guard status == 0 else {
            throw InputError.editorFailed(editor: editor, status: status, draft: draft)
        }
        return (try decoded(Files.bytes(at: draft)), draft)
    }
}

/// Input that cannot become anything.
enum InputError: Error, Equatable {
    case closed(purpose: String)
    case empty(purpose: String)
    case noSpeech
    case binary
    case tooLarge(bytes: Int)
    case badLine(String)
    case editorFailed(editor: String, status: Int32, draft: String)
    case badValue(String, hint: String)
}

extension InputError: Explained, StatusGiving {
    var message: String {
        switch self {
        case .closed(let purpose): "standard input is closed: \(purpose) was to come from there"
        case .empty(let purpose): "\(purpose) is missing: nothing was given"
        case .noSpeech: "there was no speech to keep: nothing was captured"
        case .binary: "the input is no text"
        case .tooLarge(let bytes): "the input is larger than \(bytes >> 20) MB"
        case .badLine(let reason): reason
        case .editorFailed(let editor, let status, let draft):
            "the editor '\(editor)' ended with \(status); the draft is kept in \(draft)"
        case .badValue(let message, _): message
        }
    }

    var hint: String? {
        switch self {
        case .closed, .empty: "give it as words, or pipe it in"
        case .noSpeech: nil
        case .binary: "'aura capture --attach FILE words about it' keeps a file of any kind"
        case .tooLarge: "'aura capture --attach FILE words about it' keeps a large file"
        case .badLine: nil
        case .editorFailed: "set EDITOR or 'aura config editor COMMAND'"
        case .badValue(_, let hint): hint
        }
    }

    var status: ExitStatus {
        switch self {
        case .editorFailed: .unavailable
        case .badValue: .usage
        default: .badData
        }
    }
}
