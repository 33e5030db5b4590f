import AuraCore

/// The background worker: classifies what is pending, then ends. One a home.
struct WorkCommand: Command {
    static let name = "work"
    static let summary = "Classify pending notes in the background"
    static let isHidden = true
    static let examples = [("aura work", "Drains the queue and ends.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        for workspace in try services.openWorkspaces() {
            services.sweep(workspace)
            guard let worker = services.worker(for: workspace, urgency: .background) else {
                continue
            }
            try await worker.drain(quiet: .seconds(services.settings.enrichQuietSeconds)) { _ in }
        }
        return .done
    }
}
