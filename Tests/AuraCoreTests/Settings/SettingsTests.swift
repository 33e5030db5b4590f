import AuraCore
import Testing

private func file(_ text: String) throws -> SettingsFile {
    try SettingsFile(bytes: Array(text.utf8), path: "config.yaml")
}

@Suite struct SettingsTests {
    @Test("defaults are below the file, the environment and flags")
    func precedence() throws {
        let file = try file("search:\n  limit: 5\nask.passages: 3\nmodel:\n  threads: 2\n")
        let resolved = try SettingsOrigin.resolve(
            file: file,
            environment: [
                "AURA_MODEL_THREADS": "4", "AURA_SEARCH_LIMIT": "", "AURA_VAULT_DIR": "/v",
                "AURA_OTHER": "x", "AURA_VAULT_HOME": "/w",
            ],
            flags: ["model.threads": "8"])
        let settings = resolved.settings
        #expect(settings.searchLimit == 5)
        #expect(settings.askPassages == 3)
        #expect(settings.modelThreads == 8)
        #expect(settings.vaultHome == "/v")
        #expect(settings.modelContext == 4096)
        #expect(resolved.origins["model.threads"] == .flag)
        #expect(resolved.origins["search.limit"] == .file(path: "config.yaml", line: 2))
        #expect(resolved.origins["vault.home"] == .environment(name: "AURA_VAULT_DIR"))
        #expect(resolved.origins["editor"] == .standard)
        #expect(resolved.warnings.isEmpty)
    }

    @Test("every setting has a name, a sentence, and a default that it takes itself")
    func table() throws {
        #expect(Set(Settings.all.map(\.key)).count == Settings.all.count)
        let resolved = try SettingsOrigin.resolve()
        #expect(resolved.settings == Settings())
        #expect(resolved.rows.count == Settings.all.count)
        for (setting, value, origin) in resolved.rows {
            #expect(value == setting.standard)
            #expect(origin == .standard)
            #expect(setting.summary.hasSuffix("."))
            #expect(!setting.expectation.isEmpty)
            if value != .text("") { #expect(setting.value(of: value.description) == value) }
        }
        #expect(Settings.named("model.chat")?.environmentName == "AURA_MODEL_CHAT")
    }

    @Test("an error names file, line and column, and points at it")
    func errors() throws {
        let error = #expect(throws: SettingsError.self) {
            try file("search:\n  limit: many # x\n")
        }
        #expect(
            error?.message == """
                config.yaml:2:10: 'search.limit' takes a whole number from 1 to 1000, not 'many'
                    limit: many # x
                           ^
                """)
        let syntax = #expect(throws: SettingsError.self) { try file("a: 1\n\tb: 2\n") }
        #expect(syntax?.message.hasPrefix("config.yaml:2:1: ") == true)
        #expect(syntax?.hint == "correct the line in 'config.yaml'")
    }

    @Test(
        "bad values are refused wherever they come from",
        arguments: [
            "search.limit: 0", "search.limit: 1.5", "search: {limit: [1]}", "capture.enrich: maybe",
            "display.colour: red", "vault.default: ../x", "vaults: Personal", "vaults: [a/b]",
            "vaults: [a, A]",
            "vaults:\n- {name: X, colour: red}", "vaults:\n- name: X\n  colour: #00D4FF", "- a",
            "just text",
            "vaults: [{colour: '#000000'}]", "model.context: 99999999999999999999", "a: b: c",
        ])
    func badFiles(text: String) {
        let error = #expect(throws: SettingsError.self) { try file(text) }
        #expect(error?.message.hasPrefix("config.yaml:") == true)
        #expect(error?.hint != nil)
    }

    @Test("bad variables and flags are named")
    func badSources() {
        let variable = #expect(throws: SettingsError.self) {
            try SettingsOrigin.resolve(environment: ["AURA_SEARCH_LIMIT": "x"])
        }
        #expect(variable?.message.hasPrefix("AURA_SEARCH_LIMIT: ") == true)
        #expect(throws: SettingsError.unknownKey("serch.limit", nearest: "search.limit")) {
            try SettingsOrigin.resolve(flags: ["serch.limit": "1"])
        }
    }

    @Test(
        "unknown keys are warned of, with the nearest known one",
        arguments: [
            ("modell:\n  chat: x\n", nil), ("model:\n  chatt: x\n", "did you mean 'model.chat'?"),
            ("serch.limit: 3\n", "did you mean 'search.limit'?"), ("zzz: 1\n", nil),
            ("vault: {}\nx: [1]\n", nil),
        ])
    func unknown(text: String, hint: String?) throws {
        let warnings = try file(text).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.hint == hint)
        #expect(warnings.first?.message.hasPrefix("config.yaml:") == true)
    }

    @Test(
        "nothing set is fine",
        arguments: [
            "", "# only\n", "model:\n", "model: {}\n", "~\n", "vaults:\n", "vaults: []\n",
            "editor: ''\n",
        ])
    func empty(text: String) throws {
        let file = try file(text)
        #expect(try SettingsOrigin.resolve(file: file).settings == Settings())
        #expect(file.warnings.isEmpty)
    }

    @Test(
        "one key changes, and nothing else",
        arguments: [
            ("", "search.limit", "5", "search:\n  limit: 5\n"),
            (
                "# mine\nsearch:\n  limit: 5 # few\n", "search.limit", "7",
                "# mine\nsearch:\n  limit: 7 # few\n"
            ),
            ("search.limit: 5\n", "search.limit", "7", "search.limit: 7\n"),
            (
                "model:\r\n  chat: a\r\nx: 1\r\n", "model.threads", "2",
                "model:\r\n  chat: a\r\n  threads: 2\r\nx: 1\r\n"
            ),
            ("model: {chat: a}", "model.threads", "2", "model: {chat: a, threads: 2}"),
            ("editor: 'vi'", "editor", "code --wait", "editor: 'code --wait'"),
            ("a: 1", "editor", "on", "a: 1\neditor: \"on\""),
            ("model:\n", "model.chat", "x: y", "model:\n  chat: \"x: y\"\n"),
            (
                "display:\n  colour: auto\n", "display.colour", "NEVER",
                "display:\n  colour: never\n"
            ),
        ])
    func setting(old: String, key: String, value: String, new: String) throws {
        let bytes = try file(old).setting(key, to: value)
        #expect(String(decoding: bytes, as: UTF8.self) == new)
    }

    @Test("unsetting takes the line away")
    func unsetting() throws {
        let file = try file("a: 1\nmodel:\n  chat: x # c\n  threads: 2\n")
        #expect(
            String(decoding: try file.unsetting("model.chat"), as: UTF8.self)
                == "a: 1\nmodel:\n  threads: 2\n")
        #expect(try file.unsetting("editor") == file.bytes)
        #expect(throws: SettingsError.self) { try file.unsetting("editr") }
        #expect(throws: SettingsError.self) { try file.setting("search.limit", to: "lots") }
    }

    @Test("the default vault is one that exists")
    func defaultVault() throws {
        let one = try SettingsOrigin.resolve(file: file("vaults: [Home, Work]\n"))
        #expect(one.settings.defaultVault == "Home")
        let two = try SettingsOrigin.resolve(
            file: file("vault.default: work\nvaults: [Home, Work]\n"))
        #expect(two.settings.defaultVault == "Work")
        let three = try SettingsOrigin.resolve(
            file: file("vault.default: Wrok\nvaults: [Home, Work]\n"))
        #expect(three.warnings.first?.hint == "did you mean 'Work'?")
    }

    @Test("home folder and threads")
    func derived() {
        #expect(Settings.expanded("~/x", home: "/h") == "/h/x")
        #expect(Settings.expanded("~", home: "/h") == "/h")
        #expect(Settings.expanded("~x", home: "/h") == "~x")
        #expect(Settings().threads(cores: 1) == 1)
        #expect(Settings().threads(cores: 16) == 8)
    }
}

@Suite struct VaultSettingsTests {
    private let listed = """
        vaults:
          # at work
          - name: Work
            colour: "#112233"
            purpose: the job  # that pays
          - {name: Home, icon: 🏠}
          - Plain
        editor: vi

        """

    @Test("the five vaults hold until a file lists others")
    func standard() throws {
        #expect(
            Settings().vaults.map(\.name) == [
                "Corporate", "Trading", "Family", "Personal", "Projects",
            ])
        #expect(
            Settings().vaults.map(\.colour.description) == [
                "#00D4FF", "#7B61FF", "#FFB627", "#00E5A0", "#FF6B6B",
            ])
        let vaults = try #require(try file(listed).vaults)
        #expect(vaults.map(\.name) == ["Work", "Home", "Plain"])
        #expect(vaults[0].colour == Colour("#112233"))
        #expect(vaults[1].icon == "🏠")
        #expect(vaults[2].short == "plai")
    }

    @Test("adding, renaming and recolouring change their lines alone")
    func changes() throws {
        let file = try file(listed)
        let added = String(
            decoding: try file.addingVault(
                VaultPreset(name: "New one", colour: Colour("#ABCDEF")!)), as: UTF8.self)
        #expect(
            added
                == listed.replacing(
                    "  - Plain\n",
                    with:
                        "  - Plain\n  - name: New one\n    colour: \"#ABCDEF\"\n    short: newo\n    icon: 📁\n"
                ))
        let renamed = String(decoding: try file.renamingVault("work", to: "Job"), as: UTF8.self)
        #expect(renamed == listed.replacing("name: Work", with: "name: Job"))
        let coloured = String(
            decoding: try file.recolouringVault("Home", Colour("#000000")!), as: UTF8.self)
        #expect(
            coloured
                == listed.replacing(
                    "{name: Home, icon: 🏠}", with: "{name: Home, colour: \"#000000\", icon: 🏠}"))
        let purpose = String(
            decoding: try file.changingVault("Work", short: "w", purpose: "x"), as: UTF8.self)
        #expect(
            purpose
                == listed.replacing(
                    "    purpose: the job  # that", with: "    short: w\n    purpose: x  # that"))
    }

    @Test("a file without a list gains the whole list")
    func firstChange() throws {
        let bytes = try file("editor: vi\n").recolouringVault("Trading", Colour("#010203")!)
        let new = try SettingsFile(bytes: bytes, path: "config.yaml")
        var expected = VaultPreset.standard
        expected[1].colour = Colour(red: 1, green: 2, blue: 3)
        #expect(new.vaults == expected)
        let added = try SettingsFile().addingVault(
            VaultPreset(name: "Music", colour: Colour("#010203")!))
        #expect(try SettingsFile(bytes: added, path: "").vaults?.count == 6)
    }

    @Test("the default vault follows a new name")
    func renamingDefault() throws {
        let bytes = try file("").renamingVault("Personal", to: "Private")
        let resolved = try SettingsOrigin.resolve(file: SettingsFile(bytes: bytes, path: ""))
        #expect(resolved.settings.defaultVault == "Private")
        #expect(resolved.warnings.isEmpty)
    }

    @Test("names that are taken or unsafe are refused")
    func refusals() throws {
        let file = try file(listed)
        #expect(throws: SettingsError.vaultExists("HOME")) {
            try file.addingVault(VaultPreset(name: "HOME", colour: Colour("#010203")!))
        }
        #expect(throws: SettingsError.vaultExists("plain")) {
            try file.renamingVault("Work", to: "plain")
        }
        #expect(throws: SettingsError.unknownVault("Wrok", nearest: "Work")) {
            try file.renamingVault("Wrok", to: "x")
        }
        #expect(throws: SettingsError.self) { try file.renamingVault("Work", to: "_x") }
        #expect(throws: SettingsError.self) {
            try file.recolouringVault("Plain", Colour("#010203")!)
        }
    }

    @Test(
        "colours are six digits behind a hash sign",
        arguments: [
            ("#00d4ff", true), ("#00D4F", false), ("00D4FF0", false), ("#00D4FG", false),
            ("#+1+2+3", false), ("", false),
        ])
    func colours(text: String, isColour: Bool) {
        #expect((Colour(text) != nil) == isColour)
    }
}
