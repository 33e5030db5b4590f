import AuraCore

/// How the program ends. The codes are those of `sysexits.h` where it has one.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case nothingFoundOrLeftUndone = 1
    case usage = 64
    case badData = 65
    case noSuchThing = 66
    case unavailable = 69
    case internalError = 70
    case disk = 74
    case busy = 75
    case locked = 77
    case settings = 78
    case interrupted = 130
    case terminated = 143

    /// Of a command that looked at all that could be read.
    init(lookingAt library: Library) {
        self = library.isComplete ? .done : .nothingFoundOrLeftUndone
    }

    /// What the code means, for the documentation.
    var meaning: String {
        switch self {
        case .done: "done; also an empty list, or a job with nothing to do"
        case .nothingFoundOrLeftUndone:
            "`ask`: the notes do not say; `search --fail-on-empty`: nothing found; "
                + "or something was left undone (a file skipped)"
        case .usage: "the words make no command"
        case .badData: "the input or a file is damaged or of the wrong kind"
        case .noSuchThing: "no such note or vault"
        case .unavailable: "a model or service is not available"
        case .internalError: "a mistake inside aura"
        case .disk: "reading or writing a file failed"
        case .busy: "another aura is at work; try again later"
        case .locked: "locked, or access was denied"
        case .settings: "the settings file is wrong"
        case .interrupted: "stopped by Ctrl-C"
        case .terminated: "stopped by a signal"
        }
    }
}
