/// Something that can be typed after `aura`.
///
/// A command lists its words once, in `grammar`; `run` gathers input, calls one flow and prints.
protocol Command: Sendable {
    /// One or two words: `capture`, `vaults add`.
    static var name: String { get }
    static var aliases: [String] { get }
    /// At most 60 characters, without a full stop.
    static var summary: String { get }
    /// More for the help page: paragraphs.
    static var discussion: String { get }
    /// What to type, and what that does. At least one; each must parse.
    static var examples: [(String, String)] { get }
    static var isHidden: Bool { get }
    /// Nothing is done twice when it is run anew because its index was found damaged half way.
    static var mayBeginAgain: Bool { get }
    static var grammar: Grammar<Self> { get }

    init()
    var globals: GlobalOptions { get set }
    func run(_ invocation: Invocation) async throws -> ExitStatus
}

extension Command {
    static var aliases: [String] { [] }
    static var discussion: String { "" }
    static var isHidden: Bool { false }
    static var mayBeginAgain: Bool { true }

    static var fullGrammar: Grammar<Self> {
        grammar.appending(GlobalOptions.parameters(of: Self.self))
    }

    static func parse(_ words: [String]) throws(UsageError) -> Self {
        // `--help` wins over whatever else is wrong with the line.
        if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            var command = Self()
            command.globals.wantsHelp = true
            return command
        }
        return try Parse.parse(words, into: Self(), by: fullGrammar, command: "aura \(name)")
    }
}
