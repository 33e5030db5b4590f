/// What a command accepts, listed once: parsing, help, manual page and completions all read it.
struct Grammar<Root>: Sendable {
    let parameters: [Parameter<Root>]
    /// Words that begin with a single dash and are no option count as words: a query may be `-4417`.
    let takesDashedWords: Bool

    init(takesDashedWords: Bool = false, _ parameters: Parameter<Root>...) {
        self.parameters = parameters
        self.takesDashedWords = takesDashedWords
    }

    private init(takesDashedWords: Bool, list: [Parameter<Root>]) {
        parameters = list
        self.takesDashedWords = takesDashedWords
    }

    func appending(_ more: [Parameter<Root>]) -> Grammar {
        Grammar(takesDashedWords: takesDashedWords, list: parameters + more)
    }

    var positionals: [Parameter<Root>] {
        parameters.filter { if case .positional = $0.kind { true } else { false } }
    }

    var options: [Parameter<Root>] {
        parameters.filter { if case .positional = $0.kind { false } else { true } }
    }
}
