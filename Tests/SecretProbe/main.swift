import AuraCore
import AuraCrypto
import AuraSystem

// What commands do with secrets, one step a run:
//   ask PROMPT                        what a person types at the terminal
//   descriptor NUMBER                 what an inherited descriptor brings
//   keep NAME FOLDER PROGRAM SECONDS  keeps standard input as the key; '-' for no end
//   show NAME FOLDER
//   end NAME FOLDER

ThisProcess.hideMemory()
Signals.ignorePipeAndFileSize()
Signals.watchStops { Signals.exitNow($0) }

func say(_ text: String) { try? TerminalDevice.write("\(text)\n".utf8, to: .output) }

func session(_ words: ArraySlice<String>) -> KeySession {
    let words = Array(words)
    return KeySession(
        name: words[0], runtimeFolder: words[1], program: words.count > 2 ? words[2] : nil,
        environment: Host.environment)
}

let words = CommandLine.arguments.dropFirst()
switch words.first {
case "ask":
    let typed = TerminalDevice.readSecret(prompt: words[2])
    say(typed.map { "typed '\(String(decoding: $0, as: UTF8.self))'" } ?? "nothing")
case "descriptor":
    let bytes = try FileDescriptor.readSecret(fromNumber: Int32(words[2])!)
    say("read '\(String(decoding: bytes, as: UTF8.self))'")
case "keep":
    let secret = Secret(try TerminalDevice.readAllInput(limit: 4096))
    let time = Int(words[5]).map { Duration.seconds($0) }
    say("\(try session(words[2...4]).keep(secret, for: time))")
case "show":
    guard let found = session(words[2...3]).secret() else {
        say("nothing")
        break
    }
    let text = found.secret.withBytes { bytes in
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    say("'\(text)' until \(found.until.map(String.init) ?? "the restart")")
case "end":
    try session(words[2...3]).end()
    say("ended")
default: Signals.exitNow(64)
}
Signals.exitNow(0)
