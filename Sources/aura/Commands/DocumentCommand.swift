import AuraCore

/// Prints a generated page of the documentation.
struct DocumentCommand: Command {
    enum Page: String, ArgumentChoice { case commands, settings }

    static let name = "document"
    static let summary = "Print a generated page of the documentation"
    static let isHidden = true
    static let examples = [("aura document commands", "Prints docs/cli.md.")]
    static let grammar = Grammar<Self>(
        .positional("page", \.page, help: "Which page."))

    var page: Page? = .commands
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        switch page ?? .commands {
        case .commands: invocation.console.write(Reference.commands)
        case .settings: invocation.console.write(Settings.reference)
        }
        return .done
    }
}
