import AuraCore

/// Ends the model server.
struct ModelStopCommand: Command {
    static let name = "model stop"
    static let summary = "End the model server and free its memory"
    static let examples = [("aura model stop", "Frees the memory that models take.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        await invocation.services.stopModels()
        return .done
    }
}
