import AuraCore
import AuraSystem
import Synchronization

/// The two streams and the input of one run.
///
/// Results go to standard output, everything said to the person to standard error. Standard output is
/// collected and written in large pieces; `flush` sends what is left. A closed pipe ends the program
/// quietly.
final class Console: Sendable {
    private let pending = Mutex<[UInt8]>([])
    private let hasFlushed = Atomic(false)

    let outputIsTerminal: Bool
    let errorIsTerminal: Bool
    let inputIsTerminal: Bool
    /// Terminal columns, or 80 where the output is none.
    let width: Int
    let styling: Styling
    /// For what goes to standard error.
    let errorStyling: Styling
    let isQuiet: Bool
    let isVerbose: Bool
    /// Nothing may be asked: `--no-input`, or there is no terminal to ask at.
    let mayAsk: Bool

    init(environment: [String: String], colour: Styling.Wish, globals: GlobalOptions) {
        outputIsTerminal = TerminalDevice.isTerminal(.output)
        errorIsTerminal = TerminalDevice.isTerminal(.error)
        inputIsTerminal = TerminalDevice.isTerminal(.input)
        let columns = TerminalDevice.columns(.output) ?? Int(environment["COLUMNS"] ?? "")
        width = max(20, min(columns ?? 80, 200))
        styling = Styling(
            isTerminal: outputIsTerminal && !globals.isJSON, environment: environment, wish: colour)
        errorStyling = Styling(
            isTerminal: errorIsTerminal, environment: environment, wish: colour)
        isQuiet = globals.isQuiet
        isVerbose = globals.isVerbose
        mayAsk = inputIsTerminal && errorIsTerminal && !globals.noInput
    }

    /// Adds to standard output. Text from notes must have gone through `SafeDisplay` before.
    func write(_ text: String) {
        let full = pending.withLock { pending in
            pending.append(contentsOf: text.utf8)
            return pending.count > 32_768
        }
        if full || outputIsTerminal { flush() }
    }

    /// Something went to standard output, or is about to.
    var hasWritten: Bool {
        hasFlushed.load(ordering: .relaxed) || pending.withLock { !$0.isEmpty }
    }

    func writeLine(_ text: String = "") { write(text + "\n") }

    /// Sends bytes as they are.
    func writeRaw(_ bytes: [UInt8]) {
        pending.withLock { $0.append(contentsOf: bytes) }
        flush()
    }

    func flush() {
        let bytes = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        guard !bytes.isEmpty else { return }
        hasFlushed.store(true, ordering: .relaxed)
        do throws(SystemError) {
            try TerminalDevice.write(bytes, to: .output)
        } catch {
            // The reader has gone: nothing is wrong, and nobody is left to tell.
            if error.isBrokenPipe { Signals.exitNow(0) }
            try? TerminalDevice.write("aura: standard output: \(error.reason)\n".utf8, to: .error)
            Signals.exitNow(ExitStatus.disk.rawValue)
        }
    }

    /// Says something to the person; silent with `-q`.
    func say(_ text: String) {
        if !isQuiet { complain(text) }
    }

    /// Only with `-v`.
    func tell(_ text: @autoclosure () -> String) {
        if isVerbose { complain(text()) }
    }

    /// Says what the person must know, also with `-q`. Names and texts in it are made safe to show here.
    func complain(_ text: String) { writeError(SafeDisplay.visible(text)) }

    /// A line for standard error as it is: styled, and made safe by whoever calls.
    func writeError(_ line: String) {
        flush()
        try? TerminalDevice.write("\(line)\n".utf8, to: .error)
    }

    /// Progress on one line of standard error, drawn over by the next; only on a terminal.
    func progress(_ text: String) {
        guard errorIsTerminal, !isQuiet else { return }
        flush()
        let line = SafeDisplay.truncate(
            SafeDisplay.visible(text, keepsLines: false), toColumns: width - 1)
        try? TerminalDevice.write("\r\u{1B}[2K\(line)".utf8, to: .error)
    }

    func endProgress() {
        guard errorIsTerminal, !isQuiet else { return }
        try? TerminalDevice.write("\r\u{1B}[2K".utf8, to: .error)
    }

    /// One line typed by the person; nil at the end of input.
    func readLine(prompt: String) -> String? {
        flush()
        try? TerminalDevice.write(prompt.utf8, to: .error)
        return Swift.readLine()
    }
}
