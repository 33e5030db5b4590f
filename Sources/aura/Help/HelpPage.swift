import AuraCore

/// The text of `--help`, read off the grammar.
enum HelpPage {
    static func overview(_ style: Styling, width: Int) -> String {
        var text = "\(style.bold("aura")), a second brain at the command line\n\n"
        text += "\(style.bold("Usage:")) aura <command> [options]\n\n\(style.bold("Commands:"))\n"
        let shown = CommandTable.all.filter { !$0.isHidden }
        let column = (shown.map { command in command.name.count }.max() ?? 0) + 4
        for command in shown {
            text += "  " + command.name.padding(to: column) + command.summary + "\n"
        }
        text +=
            "\n'aura <command> --help' tells more about each. Exit codes: 'aura --help' of any command.\n"
        text += "Nothing leaves this machine unless a command that says so is run.\n"
        return text
    }

    static func page(of type: any Command.Type, _ style: Styling, width: Int) -> String {
        func page<C: Command>(_ command: C.Type) -> String {
            let grammar = C.fullGrammar
            var text = "\(style.bold("aura \(C.name)")): \(C.summary)\n\n"
            text += "\(style.bold("Usage:")) \(usage(C.name, grammar))\n"
            if !C.discussion.isEmpty { text += "\n" + wrapped(C.discussion, width: width) + "\n" }
            let words = grammar.positionals
            if !words.isEmpty { text += "\n\(style.bold("Words:"))\n" + table(words, width) }
            let options = grammar.options.filter { !$0.isHidden }
            let own = C.grammar.options.filter { !$0.isHidden }
            if !own.isEmpty { text += "\n\(style.bold("Options:"))\n" + table(own, width) }
            text += "\n\(style.bold("Everywhere:"))\n"
            text += table(Array(options.dropFirst(own.count)), width)
            text += "\n\(style.bold("Examples:"))\n"
            for example in C.examples { text += "  \(example.0)\n      \(example.1)\n" }
            text += "\n\(style.bold("Exit codes:"))\n"
            text +=
                wrapped(
                    "0 done, 1 nothing found or left undone, 64 usage, 65 bad data, 66 no such note or "
                        + "vault, 69 model or service unavailable, 70 internal, 74 disk, 75 busy, "
                        + "77 locked, 78 settings, 130 and 143 stopped.", width: width, indent: 2)
                + "\n"
            return text
        }
        return page(type)
    }

    static func usage<Root>(_ name: String, _ grammar: Grammar<Root>) -> String {
        var parts = ["aura \(name)"]
        for word in grammar.positionals {
            guard case .positional(let isRepeated, let isRequired) = word.kind else { continue }
            let label = "<\(word.name)>\(isRepeated ? "…" : "")"
            parts.append(isRequired ? label : "[\(label)]")
        }
        return parts.joined(separator: " ") + " [options]"
    }

    static func label<Root>(_ parameter: Parameter<Root>) -> String {
        switch parameter.kind {
        case .positional: return "<\(parameter.name)>"
        case .flag, .option:
            var text = parameter.short.map { "-\($0), " } ?? "    "
            text += "--\(parameter.name)"
            if parameter.kind != .flag { text += " <\(parameter.valueName)>" }
            return text
        }
    }

    private static func table<Root>(_ parameters: [Parameter<Root>], _ width: Int) -> String {
        let column = min(32, (parameters.map { label($0).count }.max() ?? 0) + 2)
        return parameters.map { parameter in
            let name = label(parameter)
            var help = parameter.help
            if !parameter.choices.isEmpty {
                help += " (\(parameter.choices.joined(separator: ", ")))"
            }
            let lines = wrapped(help, width: max(40, width) - column - 2).split(separator: "\n")
            let head =
                name.count + 2 > column
                ? name + "\n" + spaces(column + 2) : name.padding(to: column)
            return "  " + head + lines.joined(separator: "\n" + spaces(column + 2)) + "\n"
        }.joined()
    }

    static func wrapped(_ text: String, width: Int, indent: Int = 0) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, indent + line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? String(word) : " \(word)"
            }
            lines.append(line)
            return lines.map { spaces(indent) + $0 }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}
