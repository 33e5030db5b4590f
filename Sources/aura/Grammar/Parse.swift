import AuraCore

/// Reads words into a command's own values. Stores, and nothing else: what the values mean is
/// settled when the command runs.
struct Parse<Root> {
    private let grammar: Grammar<Root>
    private let command: String
    private var root: Root
    private var words: [String] = []
    private var seen: Set<String> = []

    /// - Parameter command: how messages call it: `aura search`.
    static func parse(
        _ words: [String], into root: Root, by grammar: Grammar<Root>, command: String
    ) throws(UsageError) -> Root {
        var parse = Parse(grammar: grammar, command: command, root: root)
        try parse.read(words)
        return parse.root
    }

    private init(grammar: Grammar<Root>, command: String, root: Root) {
        self.grammar = grammar
        self.command = command
        self.root = root
    }

    private mutating func read(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words.append(contentsOf: rest)
                break
            } else if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), &rest)
            } else if word.hasPrefix("-"), word != "-", !word.contains(where: \.isWhitespace) {
                try readShort(word, &rest)
            } else {
                words.append(word)
            }
        }
        try placeWords()
    }

    private mutating func readLong(
        _ word: Substring, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let parameter = grammar.options.first(where: { $0.name == name }) else {
            let names = grammar.options.filter { !$0.isHidden }.map(\.name)
            let nearest = EditDistance.nearest(to: name, in: names)
            throw .unknownOption("--\(name)", nearest: nearest.map { "--\($0)" }, command: command)
        }
        if parameter.kind == .flag {
            guard parts.count == 1 else {
                throw .unexpectedValue(option: parameter.label, command: command)
            }
            _ = parameter.store(&root, "")
        } else if parts.count == 2 {
            try store(String(parts[1]), in: parameter)
        } else if let value = rest.popFirst() {
            try store(value, in: parameter)
        } else {
            throw .missingValue(
                option: parameter.label, value: parameter.valueName, command: command)
        }
    }

    /// `-n5`, `-n 5`, `-qv`.
    private mutating func readShort(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        var letters = word.dropFirst()
        var flags: [Parameter<Root>] = []
        while let letter = letters.popFirst() {
            guard let parameter = grammar.options.first(where: { $0.short == letter }) else {
                if grammar.takesDashedWords {
                    words.append(word)
                    return
                }
                throw .unknownOption(word, nearest: nil, command: command)
            }
            if parameter.kind == .flag {
                flags.append(parameter)
                continue
            }
            var trial = root
            if !letters.isEmpty, grammar.takesDashedWords,
                parameter.store(&trial, String(letters)) != nil
            {
                words.append(word)
                return
            }
            for flag in flags { _ = flag.store(&root, "") }
            if !letters.isEmpty {
                try store(String(letters), in: parameter)
            } else if let value = rest.popFirst() {
                try store(value, in: parameter)
            } else {
                throw .missingValue(
                    option: "-\(letter)", value: parameter.valueName, command: command)
            }
            return
        }
        for flag in flags { _ = flag.store(&root, "") }
    }

    private mutating func store(
        _ word: String, in parameter: Parameter<Root>
    ) throws(UsageError) {
        if parameter.kind == .option(isRepeated: false), !seen.insert(parameter.name).inserted {
            throw .givenTwice(option: parameter.label, command: command)
        }
        if let expected = parameter.store(&root, word) {
            throw .badValue(
                word, parameter: parameter.label, expected: expected, command: command)
        }
    }

    private mutating func placeWords() throws(UsageError) {
        var rest = words[...]
        for parameter in grammar.positionals {
            guard case .positional(let isRepeated, let isRequired) = parameter.kind else {
                continue
            }
            if rest.isEmpty {
                if isRequired { throw .missingWord(parameter.name, command: command) }
                continue
            }
            repeat {
                if let word = rest.popFirst() { try store(word, in: parameter) }
            } while isRepeated && !rest.isEmpty
        }
        if let extra = rest.first { throw .unexpectedWord(extra, command: command) }
    }
}
