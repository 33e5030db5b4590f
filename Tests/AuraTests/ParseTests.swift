import AuraCore
import Testing

@testable import aura

@Suite("parsing")
struct ParseTests {
    enum Colour: String, ArgumentChoice { case red, blue }

    /// One of each kind of parameter.
    struct Sample: Command {
        static let name = "sample"
        static let summary = "Try parsing"
        static let examples = [("aura sample", "Tries.")]
        static let grammar = Grammar<Self>(
            .positional("first", \.first, help: "A word."),
            .rest("others", \.others, help: "More."),
            .option("count", short: "n", \.count, value: "number", help: "A number."),
            .option("colour", \.colour, value: "colour", help: "A colour."),
            .option("sure", \.sure, value: "yes|no", help: "Whether."),
            .options("tag", short: "t", \.tags, value: "tag", help: "Tags."),
            .flag("all", short: "a", \.isAll, help: "All."),
            .flag("brief", short: "b", \.isBrief, help: "Brief."))
        var first: String?
        var others: [String] = []
        var count: Int?
        var colour: Colour?
        var sure: Bool?
        var tags: [String] = []
        var isAll = false
        var isBrief = false
        var globals = GlobalOptions()

        func run(_ invocation: Invocation) async throws -> aura.ExitStatus { .done }

        static func with(_ change: (inout Sample) -> Void) -> Sample {
            var sample = Sample()
            change(&sample)
            return sample
        }
    }

    static let understood: [(String, Sample)] = [
        ("", Sample()),
        ("x", .with { $0.first = "x" }),
        ("x y z", .with { ($0.first, $0.others) = ("x", ["y", "z"]) }),
        ("-n 3", .with { $0.count = 3 }), ("-n3", .with { $0.count = 3 }),
        ("--count 3", .with { $0.count = 3 }), ("--count=3", .with { $0.count = 3 }),
        ("--count=-3", .with { $0.count = -3 }), ("-n -3", .with { $0.count = -3 }),
        ("--colour BLUE", .with { $0.colour = .blue }),
        ("--sure yes", .with { $0.sure = true }), ("--sure=OFF", .with { $0.sure = false }),
        ("-t a -t b --tag c", .with { $0.tags = ["a", "b", "c"] }),
        ("-t -draft -t +x", .with { $0.tags = ["-draft", "+x"] }),
        ("-ab", .with { ($0.isAll, $0.isBrief) = (true, true) }),
        ("-abn5 x", .with { ($0.isAll, $0.isBrief, $0.count, $0.first) = (true, true, 5, "x") }),
        ("x -a y", .with { ($0.first, $0.others, $0.isAll) = ("x", ["y"], true) }),
        ("-a -a", .with { $0.isAll = true }),
        ("-- -a --count", .with { ($0.first, $0.others) = ("-a", ["--count"]) }),
        ("-", .with { $0.first = "-" }),
        ("--tag=", .with { $0.tags = [""] }),
        (
            "--json -qv --no-color x",
            .with {
                ($0.globals.isJSON, $0.globals.isQuiet, $0.globals.isVerbose) = (true, true, true)
                ($0.globals.noColour, $0.first) = (true, "x")
            }
        ),
        ("x --bad --help", .with { $0.globals.wantsHelp = true }),
        ("-- --help", .with { $0.first = "--help" }),
    ]

    @Test("words become values", arguments: understood)
    func good(line: String, expected: Sample) throws {
        #expect(try Sample.parse(line.split(separator: " ").map(String.init)) == expected)
    }

    static let command = "aura sample"
    static let refused: [(String, UsageError)] = [
        ("--cuont 3", .unknownOption("--cuont", nearest: "--count", command: command)),
        ("--xyzzy", .unknownOption("--xyzzy", nearest: nil, command: command)),
        ("-z", .unknownOption("-z", nearest: nil, command: command)),
        ("-az", .unknownOption("-az", nearest: nil, command: command)),
        ("--count", .missingValue(option: "--count", value: "number", command: command)),
        ("-n", .missingValue(option: "-n", value: "number", command: command)),
        (
            "-n x",
            .badValue("x", parameter: "--count", expected: "a whole number", command: command)
        ),
        (
            "--colour green",
            .badValue(
                "green", parameter: "--colour", expected: "one of red, blue", command: command)
        ),
        (
            "--sure maybe",
            .badValue("maybe", parameter: "--sure", expected: "yes or no", command: command)
        ),
        ("--all=yes", .unexpectedValue(option: "--all", command: command)),
        ("-n 1 --count 2", .givenTwice(option: "--count", command: command)),
    ]

    @Test("words that make no command are told apart", arguments: refused)
    func bad(line: String, expected: UsageError) {
        #expect(throws: expected) { try Sample.parse(line.split(separator: " ").map(String.init)) }
    }

    @Test("a hidden option is never suggested")
    func hidden() {
        #expect(throws: UsageError.unknownOption("--zoen", nearest: nil, command: Self.command)) {
            try Sample.parse(["--zoen", "UTC"])
        }
    }

    @Test("a thought may begin with a dash, and a query may be a number taken away")
    func dashedWords() throws {
        #expect(try SearchCommand.parse(["-4417"]).words == ["-4417"])
        #expect(try SearchCommand.parse(["plum", "-draft"]).words == ["plum", "-draft"])
        #expect(try SearchCommand.parse(["-n", "3", "plum"]).limit == 3)
        #expect(try SearchCommand.parse(["-n3", "plum"]).limit == 3)
        #expect(try CaptureCommand.parse(["-", "buy", "salt"]).words == ["-", "buy", "salt"])
        #expect(try CaptureCommand.parse(["- buy salt"]).words == ["- buy salt"])
        #expect(throws: UsageError.unexpectedWord("x", command: "aura list")) {
            try ListCommand.parse(["x"])
        }
    }

    @Test("an example of each command keeps its meaning")
    func commands() throws {
        let edit = try EditCommand.parse([
            "Clinic visit", "--tag", "+health", "--tag", "-draft", "--time", "09:00",
        ])
        #expect(
            edit.words == ["Clinic visit"] && edit.tags == ["+health", "-draft"]
                && edit.time == "09:00")
        let list = try ListCommand.parse([
            "--vault", "A", "--vault", "B", "-t", "x", "--type", "task", "--tasks",
        ])
        #expect(
            list.choice.vaults == ["A", "B"] && list.choice.kinds == [.task] && list.choice.hasTask)
        let capture = try CaptureCommand.parse([
            "--as", "text", "--attach", "a", "--attach", "b", "-w", "x",
        ])
        #expect(capture.form == .text && capture.attachments == ["a", "b"] && capture.waits)
        #expect(throws: UsageError.self) {
            try CaptureCommand.parse(["--type", "distilled_weekly", "x"])
        }
    }
}

extension ParseTests.Sample: Equatable {}
