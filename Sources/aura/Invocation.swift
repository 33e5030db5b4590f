import AuraCore
import AuraSystem

/// Options that every command takes.
struct GlobalOptions: Equatable, Sendable {
    var isJSON = false
    var isQuiet = false
    var isVerbose = false
    var noColour = false
    var noInput = false
    var vaultFolder: String?
    var now: String?
    var zone: String?
    var wantsHelp = false

    static func parameters<Root: Command>(of root: Root.Type) -> [Parameter<Root>] {
        [
            .flag("json", \.globals.isJSON, help: "Print JSON: one value, or one object a line."),
            .flag("quiet", short: "q", \.globals.isQuiet, help: "Say only what must be said."),
            .flag("verbose", short: "v", \.globals.isVerbose, help: "Say what is being done."),
            .flag("no-color", \.globals.noColour, help: "Print without colours."),
            .flag("no-input", \.globals.noInput, help: "Never ask; fail instead."),
            .option(
                "vault-dir", \.globals.vaultFolder, value: "folder",
                help: "Use this vault home instead of the one in the settings."),
            .option(
                "now", \.globals.now, value: "time", help: "Take this as the present time.",
                isHidden: true),
            .option(
                "zone", \.globals.zone, value: "name", help: "Take this as the time zone.",
                isHidden: true),
            .flag("help", short: "h", \.globals.wantsHelp, help: "Show this help."),
        ]
    }

    /// The names of those that take a value, to find the command among the words.
    static let valued: Set<String> = ["--vault-dir", "--now", "--zone"]
}

/// What one run sees: the world, the streams and the global options.
struct Invocation: Sendable {
    let services: Services
    let console: Console
    let globals: GlobalOptions
}

extension Invocation {
    /// With `-v`, after a change.
    func tellOfUndo() { console.tell("aura: 'aura undo' takes this back") }

    /// Runs work that blocks its thread, away from the thread that takes signals; `isStopped` turns true when
    /// the command is cancelled.
    func blocking<Result: Sendable>(
        _ work: @escaping @Sendable (_ isStopped: @Sendable () -> Bool) throws -> Result
    ) async throws -> Result {
        let task = Task.detached { try work { Task.isCancelled } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
