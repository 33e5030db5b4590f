import AuraCore
import Testing

@testable import aura

@Suite("the command table")
struct CommandTableTests {
    /// What every command is asked, without its type.
    struct Entry: Sendable, CustomTestStringConvertible {
        let type: any Command.Type
        var testDescription: String { type.name }
    }

    static let entries = CommandTable.all.map(Entry.init)

    @Test("no two commands share a name or an alias")
    func uniqueNames() {
        let names = CommandTable.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        // Words that never reach the table.
        #expect(!names.contains("help") && !names.contains("version"))
    }

    @Test("a command can be read about in one line of a list", arguments: entries)
    func summaries(_ entry: Entry) {
        let type = entry.type
        #expect(type.summary.count <= 60 && !type.summary.isEmpty)
        #expect(type.summary.last != ".")
        #expect(type.summary.first?.isUppercase == true)
        #expect(!type.examples.isEmpty)
        let words = type.name.split(separator: " ")
        #expect((1...2).contains(words.count) && type.name == type.name.lowercased())
    }

    @Test(
        "no two options share a name or a letter, and each says what it takes", arguments: entries)
    func options(_ entry: Entry) {
        func check<C: Command>(_ type: C.Type) {
            let grammar = type.fullGrammar
            let names = grammar.options.map(\.name)
            #expect(Set(names).count == names.count)
            let shorts = grammar.options.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count)
            for parameter in grammar.parameters {
                #expect(!parameter.help.isEmpty && parameter.help.last == ".", "\(parameter.name)")
                #expect(
                    parameter.kind == .flag || !parameter.valueName.isEmpty, "\(parameter.name)")
                #expect(parameter.name == parameter.name.lowercased())
            }
            // Only the last word may be repeated, and none that must be there follows one that need not.
            var mayBeLeftOut = false
            for (place, word) in grammar.positionals.enumerated() {
                guard case .positional(let isRepeated, let isRequired) = word.kind else { continue }
                #expect(!isRepeated || place == grammar.positionals.count - 1)
                #expect(!(mayBeLeftOut && isRequired))
                mayBeLeftOut = !isRequired
            }
        }
        check(entry.type)
    }

    @Test("every example parses as the command it stands under", arguments: entries)
    func examples(_ entry: Entry) throws {
        for (line, meaning) in entry.type.examples {
            let words = shellWords(line)
            #expect(words.first == "aura", "\(line)")
            guard
                case .command(let type, let rest) = try CommandTable.route(Array(words.dropFirst()))
            else {
                Issue.record("'\(line)' is no command")
                continue
            }
            _ = try type.parse(rest)
            #expect(meaning.last == ".", "\(line): \(meaning)")
            let shown = type.name == entry.type.name
            // `rm` shows how to get things back, and the like.
            #expect(
                shown
                    || entry.type.examples.contains {
                        shellWords($0.0).dropFirst().first
                            == entry.type.name.split(separator: " ").first.map(String.init)
                    })
        }
    }

    @Test("help pages fit their width and name each option", arguments: entries)
    func help(_ entry: Entry) {
        let plain = Styling(isTerminal: false, environment: [:], wish: .never)
        for width in [60, 80, 120] {
            let page = HelpPage.page(of: entry.type, plain, width: width)
            #expect(
                page.contains("Usage:") && page.contains("Examples:")
                    && page.contains("Exit codes:"))
            #expect(!page.contains("\u{1B}") && page.last == "\n")
        }
    }

    /// Words as a shell splits them: blanks, quotes; what stands behind `<` or `>` is not the command's.
    private func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else if character == "<" || character == ">" || character == "|" {
                // `3<`: the number of the stream.
                if character != "|", word?.allSatisfy(\.isNumber) == true { word = nil }
                break
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}

@Suite("finding the command")
struct RouteTests {
    private func route(_ line: String) throws -> (name: String, words: [String]) {
        switch try CommandTable.route(line.split(separator: " ").map(String.init)) {
        case .command(let type, let words): (type.name, words)
        case .overview: ("overview", [])
        case .version: ("version", [])
        }
    }

    @Test(
        "words lead to a command",
        arguments: [
            ("", "overview", []), ("help", "overview", []), ("--help", "overview", []),
            ("--json help", "overview", []), ("--version", "version", []),
            ("version", "version", []),
            ("list -n 3", "list", ["-n", "3"]), ("ls", "list", []),
            ("c x y", "capture", ["x", "y"]),
            ("vaults", "vaults list", []), ("vaults --json", "vaults list", ["--json"]),
            ("vaults add X", "vaults add", ["X"]), ("vaults recolor X", "vaults recolour", ["X"]),
            ("help vaults add", "vaults add", ["--help"]), ("help mv", "move", ["--help"]),
            ("--json list -q", "list", ["--json", "-q"]),
            ("--vault-dir /x list", "list", ["--vault-dir", "/x"]),
            ("--now 2026-03-04 --zone UTC list", "list", ["--now", "2026-03-04", "--zone", "UTC"]),
        ] as [(String, String, [String])])
    func found(line: String, name: String, words: [String]) throws {
        let route = try route(line)
        #expect(route.name == name)
        #expect(route.words == words)
    }

    @Test(
        "a word that is none is told with the nearest",
        arguments: [
            ("serch", "serch", "search"), ("LIST", "LIST", "list"),
            ("capure x", "capure", "capture"),
            ("xyzzy", "xyzzy", nil), ("vaults lst", "vaults lst", "vaults list"),
            ("vaults xyzzy", "vaults xyzzy", nil), ("help serch", "serch", "search"),
        ] as [(String, String, String?)])
    func unknown(line: String, word: String, nearest: String?) {
        #expect(throws: UsageError.unknownCommand(word, nearest: nearest)) { try route(line) }
    }
}
