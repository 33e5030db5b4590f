import AuraCore
import AuraSystem

Signals.ignorePipeAndFileSize()
// Before anything starts a thread, so that every thread leaves stopping signals to the watcher.
Signals.watchStops(Program.stop)
let status = await Program.run(Array(CommandLine.arguments.dropFirst()))
Signals.exitNow(status.rawValue)
