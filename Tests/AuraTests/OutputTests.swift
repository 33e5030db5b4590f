import AuraCore
import AuraSystem
import Testing

@testable import aura

@Suite("error reports")
struct ErrorReportTests {
    static let known: [(any Error, aura.ExitStatus)] = [
        (UsageError.missingWord("x", command: "y"), .usage),
        (InputError.empty(purpose: "a thought"), .badData), (InputError.noSpeech, .badData),
        (InputError.binary, .badData), (InputError.badLine("x"), .badData),
        (InputError.badValue("x", hint: "y"), .usage),
        (VaultError.noHome(path: "/x"), .noSuchThing),
        (VaultError.homeMissing(path: "/x"), .noSuchThing),
        (VaultError.unknownVault(name: "x", nearest: nil), .noSuchThing),
        (VaultError.noSuchNote(name: "x", nearest: nil), .noSuchThing),
        (VaultError.damagedHome(path: "/x", reason: "y"), .badData),
        (VaultError.busy(process: 3), .busy), (VaultError.belongsToAnother(path: "/x"), .locked),
        (SystemError(call: "open", path: "/x", code: 13), .locked),
        (SystemError(call: "open", path: "/x", code: 28), .disk),
        (SettingsError.unknownKey("x", nearest: nil), .usage),
        (
            SettingsError.badValue(
                key: "x", text: "y", expectation: "z", at: .environment(name: "AURA_X")), .settings
        ),
        (CancellationError(), .interrupted),
        (Mystery(), .internalError),
    ]

    struct Mystery: Error {}

    @Test("each kind of error has its exit code")
    func codes() {
        for (error, status) in Self.known {
            #expect(ErrorReport(error).status == status, "\(error)")
        }
    }

    @Test("every error says what happened, in lower case and without a full stop")
    func messages() {
        for (error, _) in Self.known {
            let report = ErrorReport(error)
            #expect(!report.message.isEmpty && report.message.last != ".", "\(error)")
            #expect(report.hint?.isEmpty != true)
        }
    }

    @Test("as JSON it is one object with code, message and hint")
    func json() {
        let report = ErrorReport(UsageError.unknownCommand("serch", nearest: "search"))
        #expect(
            report.json.serialized
                == #"{"error":{"code":64,"message":"there is no command 'serch'","hint":"did you mean 'aura search'?"}}"#
        )
    }

    @Test("every exit code is explained")
    func meanings() {
        for status in aura.ExitStatus.allCases { #expect(!status.meaning.isEmpty) }
        #expect(
            Set(aura.ExitStatus.allCases.map(\.rawValue)).count == aura.ExitStatus.allCases.count)
    }
}

@Suite("styling")
struct StylingTests {
    @Test(
        "colour by terminal, environment and wish",
        arguments: [
            (true, ["TERM": "xterm"], Styling.Wish.auto, Styling.Depth.sixteen),
            (true, ["TERM": "xterm-256color"], .auto, .palette),
            (true, ["TERM": "xterm", "COLORTERM": "truecolor"], .auto, .trueColour),
            (true, ["TERM": "dumb"], .auto, .none), (true, [:], .auto, .none),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], .auto, .none),
            (true, ["TERM": "xterm", "NO_COLOR": ""], .auto, .sixteen),
            (false, ["TERM": "xterm"], .auto, .none), (true, ["TERM": "xterm"], .never, .none),
            (false, [:], .always, .sixteen),
            (false, ["NO_COLOR": "1", "TERM": "x-256color"], .always, .palette),
        ] as [(Bool, [String: String], Styling.Wish, Styling.Depth)])
    func depth(
        isTerminal: Bool, environment: [String: String], wish: Styling.Wish, depth: Styling.Depth
    ) {
        #expect(
            Styling(isTerminal: isTerminal, environment: environment, wish: wish).depth == depth)
    }

    @Test("without colour, text is left as it is")
    func plain() {
        let style = Styling(isTerminal: false, environment: [:], wish: .auto)
        #expect(
            style.bold("x") == "x" && style.danger("x") == "x"
                && style.colour("x", hex: "#FF0000") == "x")
    }

    @Test("a colour is written in the depth of the terminal, and nothing around an empty text")
    func written() {
        let deep = Styling(
            isTerminal: true, environment: ["TERM": "x", "COLORTERM": "24bit"], wish: .auto)
        #expect(deep.colour("x", hex: "#7B61FF") == "\u{1B}[38;2;123;97;255mx\u{1B}[0m")
        #expect(deep.colour("x", hex: "purple") == "x")
        #expect(deep.bold("") == "")
        let palette = Styling(isTerminal: true, environment: ["TERM": "x-256color"], wish: .auto)
        #expect(palette.colour("x", hex: "#FF0000") == "\u{1B}[38;5;196mx\u{1B}[0m")
        let plain = Styling(isTerminal: true, environment: ["TERM": "x"], wish: .auto)
        #expect(plain.colour("x", hex: "#FF0000") == "\u{1B}[91mx\u{1B}[0m")
        #expect(plain.colour("x", hex: "#00E5A0") == "\u{1B}[96mx\u{1B}[0m")
    }

    @Test(
        "only #RRGGBB is a colour",
        arguments: ["", "#fff", "red", "#GGGGGG", "7B61FF", "#7B61FF0", "#+12345"])
    func notColours(text: String) {
        #expect(Styling.RGB(hex: text) == nil)
    }
}
