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

    /// What came of an editor.
    struct Edited: ~Copyable {
        let text: String
        let draft: Drafts.Draft
    }

    /// Opens the person's editor on a text and returns what was saved. The caller finishes or keeps the draft;
    /// when the editor fails it is kept here.
    /// - Parameters:
    ///   - note: the path of the note that is edited; nil for a new one.
    ///   - base: the bytes of that note.
    static func edited(
        _ text: String, of note: String?, base: [UInt8]?, _ drafts: Drafts,
        _ invocation: Invocation
    ) throws -> Edited {
        guard mayEdit(invocation) else { throw nobodyToEdit }
        let draft = try drafts.begin(
            Array(text.utf8), of: note, base: base, id: invocation.services.newID())
        return try edited(draft, drafts, invocation)
    }

    /// As above, for a text that came in by the pipe and is nowhere else: it is kept before the editor
    /// opens, or where none can, and whoever saves it drops the kept draft.
    /// - Parameter raw: the words as they came.
    static func reviewed(
        _ text: String, raw: [UInt8]?, _ drafts: Drafts, _ invocation: Invocation
    ) throws -> Edited {
        let draft = try drafts.begin(
            Array(text.utf8), of: nil, base: nil, raw: raw, id: invocation.services.newID())
        guard mayEdit(invocation) || !invocation.globals.noInput && canOpenTerminal(invocation)
        else {
            try drafts.keep(draft)
            throw nobodyToEdit
        }
        try drafts.store(draft)
        return try edited(draft, drafts, invocation)
    }

    private static func mayEdit(_ invocation: Invocation) -> Bool {
        !invocation.globals.noInput
            && (invocation.console.inputIsTerminal || invocation.services.hasChosenEditor)
    }

    /// Standard input is a pipe, and the person sits at a terminal all the same.
    private static func canOpenTerminal(_ invocation: Invocation) -> Bool {
        !invocation.console.inputIsTerminal && invocation.console.outputIsTerminal
    }

    private static var nobodyToEdit: InputError {
        .badValue(
            "there is nobody to edit: no terminal, or --no-input",
            hint: "give the text or the change as words and options")
    }

    private static func edited(
        _ draft: consuming Drafts.Draft, _ drafts: Drafts, _ invocation: Invocation
    ) throws -> Edited {
        let editor = invocation.services.editor
        let terminal = canOpenTerminal(invocation) ? "exec < /dev/tty; " : ""
        invocation.console.flush()
        var status: Int32 = 128
        do {
            let child = try ChildProcess.start(
                ChildProcess.Recipe(
                    "/bin/sh",
                    [
                        "-c", "\(terminal)\(editor) \(leavingNothing(editor)) \"$1\"", "aura",
                        draft.path,
                    ],
                    environment: Host.environment),
                input: 0, output: 1, errors: 2)
            switch child.waitForEnd(atMost: .seconds(7 * 24 * 3600)) {
            case .exited(let code): status = code
            case .signal(let number): status = 128 + number
            case nil: break
            }
            if status == 0 {
                return Edited(text: try decoded(Files.bytes(at: draft.path)), draft: draft)
            }
        } catch {
            try drafts.keep(draft)
            throw error
        }
        try drafts.keep(draft)
        throw InputError.editorFailed(editor: editor, status: status)
    }

    /// Options that keep an editor from writing copies of the text elsewhere: swap files, backups, histories.
    private static func leavingNothing(_ command: String) -> String {
        let program = command.split(separator: " ").first.map { Files.name(of: String($0)) } ?? ""
        switch program {
        case "vi", "vim", "view", "nvim", "gvim", "vim.basic", "vim.tiny":
            // Those of vi that are no vim pass over what they do not know as an ex command.
            return program == "vi"
                ? "-c 'silent! set nobackup nowritebackup noundofile noswapfile viminfo='"
                : "-n -i NONE --cmd 'set nobackup nowritebackup noundofile'"
        case "emacs":
            return
                "--eval '(setq make-backup-files nil auto-save-default nil create-lockfiles nil)'"
        case "micro": return "-backup false -savehistory false"
        default: return ""
        }
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
    case editorFailed(editor: String, status: Int32)
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
        case .editorFailed(let editor, let status):
            "the editor '\(editor)' ended with \(status); your draft is kept and opened the next time"
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
