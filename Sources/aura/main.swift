import AuraCore
import AuraSystem

let words = Array(CommandLine.arguments.dropFirst())
if words.first == ModelServer.commandName {
    // The server reads no settings, watches its own signals and hides its own memory.
    Signals.exitNow(ModelServer.run(arguments: Array(words.dropFirst())))
}
// Before any secret, or any note, is read.
ThisProcess.hideMemory()
if words.first == KeyAgent.commandName {
    Signals.exitNow(KeyAgent.run(arguments: Array(words.dropFirst())))
}
Signals.ignorePipeAndFileSize()
ThisProcess.keepFilesPrivate()
// Before anything starts a thread, so that every thread leaves stopping signals to the watcher.
Signals.watchStops(Program.stop)
let status = await Program.run(words)
Signals.exitNow(status.rawValue)
