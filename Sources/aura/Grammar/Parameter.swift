/// One thing a command accepts: a word in its place, an option with a value, or a flag.
struct Parameter<Root>: Sendable {
    enum Kind: Sendable, Equatable {
        case positional(isRepeated: Bool, isRequired: Bool)
        case option(isRepeated: Bool)
        case flag
    }

    let kind: Kind
    /// Without dashes: `limit`. For a word in its place, the name that help shows.
    let name: String
    let short: Character?
    /// What help calls the value: `count`.
    let valueName: String
    let help: String
    let choices: [String]
    let isHidden: Bool
    /// Stores the word; says what was expected when it is none of it.
    let store: @Sendable (inout Root, String) -> String?

    /// How help and messages write it: `--limit`, `<query>`.
    var label: String {
        switch kind {
        case .positional: "<\(name)>"
        case .option, .flag: "--\(name)"
        }
    }
}

extension Parameter {
    typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

    /// One word that may be left out.
    static func positional<Value: ArgumentValue>(
        _ name: String, _ path: Path<Value?>, help: String
    ) -> Parameter {
        Parameter(
            kind: .positional(isRepeated: false, isRequired: false), name: name, short: nil,
            valueName: name, help: help, choices: Value.choices, isHidden: false,
            store: reading { $0[keyPath: path] = $1 })
    }

    /// One word that must be there.
    static func required<Value: ArgumentValue>(
        _ name: String, _ path: Path<Value>, help: String
    ) -> Parameter {
        Parameter(
            kind: .positional(isRepeated: false, isRequired: true), name: name, short: nil,
            valueName: name, help: help, choices: Value.choices, isHidden: false,
            store: reading { $0[keyPath: path] = $1 })
    }

    /// All words that are left.
    static func rest<Value: ArgumentValue>(
        _ name: String, _ path: Path<[Value]>, isRequired: Bool = false, help: String
    ) -> Parameter {
        Parameter(
            kind: .positional(isRepeated: true, isRequired: isRequired), name: name, short: nil,
            valueName: name, help: help, choices: Value.choices, isHidden: false,
            store: reading { $0[keyPath: path].append($1) })
    }

    static func option<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, _ path: Path<Value>, value: String, help: String,
        isHidden: Bool = false
    ) -> Parameter {
        Parameter(
            kind: .option(isRepeated: false), name: name, short: short, valueName: value,
            help: help,
            choices: Value.choices, isHidden: isHidden, store: reading { $0[keyPath: path] = $1 })
    }

    static func option<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, _ path: Path<Value?>, value: String, help: String,
        isHidden: Bool = false
    ) -> Parameter {
        Parameter(
            kind: .option(isRepeated: false), name: name, short: short, valueName: value,
            help: help,
            choices: Value.choices, isHidden: isHidden, store: reading { $0[keyPath: path] = $1 })
    }

    /// May be given more than once; values are kept in order.
    static func options<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, _ path: Path<[Value]>, value: String, help: String
    ) -> Parameter {
        Parameter(
            kind: .option(isRepeated: true), name: name, short: short, valueName: value, help: help,
            choices: Value.choices, isHidden: false, store: reading { $0[keyPath: path].append($1) }
        )
    }

    static func flag(
        _ name: String, short: Character? = nil, _ path: Path<Bool>, help: String,
        isHidden: Bool = false
    ) -> Parameter {
        Parameter(
            kind: .flag, name: name, short: short, valueName: "", help: help, choices: [],
            isHidden: isHidden
        ) { root, _ in
            root[keyPath: path] = true
            return nil
        }
    }

    /// Reads a word into a value and puts that where it belongs; says what was expected otherwise.
    private static func reading<Value: ArgumentValue>(
        _ put: @escaping @Sendable (inout Root, Value) -> Void
    ) -> @Sendable (inout Root, String) -> String? {
        { root, word in
            guard let value = Value(argument: word) else { return Value.expectation }
            put(&root, value)
            return nil
        }
    }
}
