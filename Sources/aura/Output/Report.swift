import AuraCore

/// What a command found, printable as text and as JSON.
protocol Report {
    var json: JSONValue { get }
    /// Lines for a person; text from notes made safe to show.
    func lines(_ style: Styling, width: Int) -> [String]
}

extension Invocation {
    /// Prints one result: one JSON value, or its lines.
    func print(_ report: some Report) {
        if globals.isJSON {
            console.writeLine(report.json.serialized)
        } else {
            for line in report.lines(console.styling, width: console.width) {
                console.writeLine(line)
            }
        }
    }

    /// Prints a list: one JSON object a line, or the lines of each.
    func print(list reports: [some Report]) {
        for report in reports { print(report) }
    }
}
