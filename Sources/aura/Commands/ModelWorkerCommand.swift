import AuraCore

/// The process that loads models; started by others when they need it.
struct ModelWorkerCommand: Command {
    static let name = "model-worker"
    static let summary = "Serve models to other aura processes"
    static let isHidden = true
    static let examples = [("aura model-worker", "Serves until nobody asked for a while.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        try invocation.services.serveModels()
        return .done
    }
}
