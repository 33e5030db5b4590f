/// A value that a word of the command line can be read into.
protocol ArgumentValue: Sendable, Equatable {
    /// Nil when the word is no such value.
    init?(argument: String)
    /// What the word should have been, for the message: `a whole number`.
    static var expectation: String { get }
    /// The words allowed, when they can be listed.
    static var choices: [String] { get }
}

extension ArgumentValue {
    static var choices: [String] { [] }
}

extension String: ArgumentValue {
    init?(argument: String) { self = argument }
    static var expectation: String { "text" }
}

extension Int: ArgumentValue {
    init?(argument: String) {
        guard let value = Int(argument) else { return nil }
        self = value
    }
    static var expectation: String { "a whole number" }
}

extension Bool: ArgumentValue {
    init?(argument: String) {
        switch argument.lowercased() {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: return nil
        }
    }
    static var expectation: String { "yes or no" }
    static var choices: [String] { ["yes", "no"] }
}

/// An enumeration whose raw values are the words.
protocol ArgumentChoice: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ArgumentChoice {
    init?(argument: String) { self.init(rawValue: argument.lowercased()) }
    static var expectation: String { "one of \(choices.joined(separator: ", "))" }
    static var choices: [String] { allCases.map(\.rawValue) }
}
