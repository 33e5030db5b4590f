import AuraCore
import AuraSystem
import Synchronization

/// One run from words to exit code.
enum Program {
    static let version = "0.1.0"

    static func run(_ arguments: [String]) async -> ExitStatus {
        let environment = Host.environment
        var globals = GlobalOptions()
        // Needed before parsing, so that a usage error is printed as wanted.
        let words = arguments.prefix { $0 != "--" }
        globals.isJSON = words.contains("--json")
        globals.noColour = words.contains("--no-color")
        var console = Console(
            environment: environment, colour: globals.noColour ? .never : .auto, globals: globals)
        do {
            switch try CommandTable.route(arguments) {
            case .version:
                console.writeLine("aura \(version)")
            case .overview:
                console.write(HelpPage.overview(console.styling, width: console.width))
            case .command(let type, let words):
                let command = try type.parse(words)
                globals = command.globals
                let services: Services
                do {
                    services = try Services.live(
                        environment: environment, vaultFolder: globals.vaultFolder,
                        now: globals.now, zone: globals.zone)
                } catch {
                    // A thought is kept also where nothing else works.
                    (command as? CaptureCommand)?.rescue(environment, console)
                    throw error
                }
                console = Console(
                    environment: environment,
                    colour: globals.noColour
                        ? .never
                        : Styling.Wish(rawValue: services.settings.colour.rawValue) ?? .auto,
                    globals: globals)
                if globals.wantsHelp {
                    console.write(HelpPage.page(of: type, console.styling, width: console.width))
                } else {
                    return await finish(command, services, console)
                }
            }
            console.flush()
            return .done
        } catch {
            let report = ErrorReport(error)
            report.print(to: console, asJSON: globals.isJSON)
            return report.status
        }
    }

    private static func finish(
        _ command: any Command, _ services: Services, _ console: Console
    ) async -> ExitStatus {
        let globals = command.globals
        let invocation = Invocation(services: services, console: console, globals: globals)
        for warning in services.warnings { console.say("aura: \(warning)") }
        // Begins at once, on this thread: a capture needs no other, so none is started for it, and its
        // calls come in one order.
        let task = Task.immediate {
            do {
                return try await command.run(invocation)
            } catch SealError.locked where console.mayAsk {
                // Thrown before anything was read or done: the command begins anew.
                try Passphrase.unlock(invocation)
                return try await command.run(invocation)
            } catch let error as StoreError where error.isDamage && mayBeginAgain(command, console)
            {
                // Not every page is looked at when the index is opened.
                try services.setAsideIndex(error, console.say)
                return try await command.run(invocation)
            }
        }
        let isStopped = stopping.withLock { stopping in
            stopping.task = task
            return stopping.code != 0
        }
        if isStopped { task.cancel() }
        do {
            let status = try await task.value
            console.flush()
            tellCost(services.modelStatistics, console)
            return status
        } catch {
            console.endProgress()
            let code = stopping.withLock { $0.code }
            if code != 0 || error is CancellationError {
                console.flush()
                return code == 0 ? .interrupted : ExitStatus(rawValue: code) ?? .terminated
            }
            let report = ErrorReport(error)
            report.print(to: console, asJSON: globals.isJSON)
            return report.status
        }
    }

    private static func mayBeginAgain<C: Command>(_ command: C, _ console: Console) -> Bool {
        C.mayBeginAgain && !console.hasWritten
    }

    /// With `-v`: what the models of this run did, one line that scripts may add up.
    private static func tellCost(_ cost: ReplyStatistics, _ console: Console) {
        guard cost.replies > 0 else { return }
        func perSecond(_ count: Int, _ seconds: Double) -> String {
            seconds > 0 ? "\((Double(count) / seconds * 10).rounded() / 10)" : "0"
        }
        let read = cost.promptTokens - cost.reusedTokens
        console.tell(
            "aura: model: \(cost.generatedTokens) tokens generated in "
                + "\((cost.generationSeconds * 10).rounded() / 10) s "
                + "(\(perSecond(cost.generatedTokens, cost.generationSeconds)) tokens/s), "
                + "\(read) read (\(perSecond(read, cost.promptSeconds)) tokens/s), "
                + "\(cost.reusedTokens) remembered")
    }

    private struct Stopping {
        var code: Int32 = 0
        var task: Task<ExitStatus, any Error>?
    }

    private static let stopping = Mutex(Stopping())

    /// The first stopping signal cancels the work, which has 0.4 s to end in order; a second one, or
    /// the end of that time, ends the program. Files are never torn by it: each gets its name whole.
    @Sendable static func stop(_ signalCode: Int32) {
        let code = (ExitStatus(rawValue: signalCode) ?? .terminated).rawValue
        let task: Task<ExitStatus, any Error>? = stopping.withLock { stopping in
            if stopping.code != 0 { Signals.exitNow(code) }
            stopping.code = code
            return stopping.task
        }
        // Nil while it has not waited for anything yet: then it is told as soon as it does.
        task?.cancel()
        do throws(SystemError) {
            try WorkThread.start {
                WorkThread.pause(.milliseconds(400))
                Signals.exitNow(code)
            }
        } catch {
            Signals.exitNow(code)
        }
    }
}
