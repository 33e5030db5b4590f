import AuraCore

/// Words that do not make a command.
enum UsageError: Error, Equatable {
    case unknownCommand(String, nearest: String?)
    case unknownOption(String, nearest: String?, command: String)
    case missingValue(option: String, value: String, command: String)
    case badValue(String, parameter: String, expected: String, command: String)
    case unexpectedValue(option: String, command: String)
    case missingWord(String, command: String)
    case unexpectedWord(String, command: String)
    case givenTwice(option: String, command: String)
    /// Words that are each fine, but not together, or not now.
    case conflict(String, hint: String?)
}

extension UsageError: Explained {
    var message: String {
        switch self {
        case .unknownCommand(let word, _): "there is no command '\(SafeDisplay.visible(word))'"
        case .unknownOption(let word, _, let command):
            "'\(command)' has no option '\(SafeDisplay.visible(word))'"
        case .missingValue(let option, let value, _):
            "\(option) needs a value: \(option) <\(value)>"
        case .badValue(let word, let parameter, let expected, _):
            "\(parameter) takes \(expected), not '\(SafeDisplay.visible(word))'"
        case .unexpectedValue(let option, _): "\(option) takes no value"
        case .missingWord(let name, _): "<\(name)> is missing"
        case .unexpectedWord(let word, _): "one word too many: '\(SafeDisplay.visible(word))'"
        case .givenTwice(let option, _): "\(option) was given twice"
        case .conflict(let message, _): message
        }
    }

    var hint: String? {
        switch self {
        case .unknownCommand(_, let nearest?): "did you mean 'aura \(nearest)'?"
        case .unknownCommand: "'aura --help' lists the commands"
        case .unknownOption(_, let nearest?, _): "did you mean '\(nearest)'?"
        case .unknownOption(_, _, let command), .missingValue(_, _, let command),
            .badValue(_, _, _, let command), .unexpectedValue(_, let command),
            .missingWord(_, let command), .unexpectedWord(_, let command),
            .givenTwice(_, let command):
            "'\(command) --help' shows how"
        case .conflict(_, let hint): hint
        }
    }
}
