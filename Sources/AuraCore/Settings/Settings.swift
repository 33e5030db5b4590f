/// Every setting with the value that holds for this run.
///
/// `Settings.all` is the one list: `aura config`, `docs/settings.md`, the names of environment
/// variables and the checks of the settings file all come from it. An empty text means that the
/// program decides, as each summary says.
package struct Settings: Hashable, Sendable {
    package var vaultHome = ""
    package var defaultVault = "Personal"
    package var inbox = "Inbox"
    package var chatModel = ""
    package var embeddingModel = ""
    package var modelThreads = 0
    package var modelContext = 4096
    package var modelWarmSeconds = 120
    package var modelMemoryLimitMegabytes = 0
    package var enrichesAfterCapture = true
    package var polishesSpeech = false
    package var enrichesOnBattery = false
    package var enrichQuietSeconds = 30
    package var searchLimit = 20
    package var askPassages = 2
    package var isDayFirst = true
    package var dateLanguages: [DateLanguage.Code] = [.en]
    package var makesPlainHomes = false
    package var unlockHours = 8
    package var historyDays = 0
    package var colour = ColourUse.auto
    package var editor = ""
    package var vaults = VaultPreset.standard

    package enum ColourUse: String, CaseIterable, Sendable { case auto, always, never }

    /// The settings as they are before anybody sets one.
    package init() {}

    /// Threads for the model on a machine with so many cores: all of them up to eight, since the
    /// model server takes fewer by itself while others need the machine.
    package func threads(cores: Int) -> Int {
        modelThreads > 0 ? modelThreads : max(1, min(cores, 8))
    }

    /// `~` and `~/…` with the home folder put in; other paths as they are.
    package static func expanded(_ path: String, home: String) -> String {
        if path == "~" { return home }
        return path.hasPrefix("~/") ? home + path.dropFirst(1) : path
    }
}

extension Settings {
    /// All of them but the list of vaults, in the order in which they are shown.
    package static let all: [Setting] = rows.map(\.setting)

    package static func named(_ key: String) -> Setting? { all.first { $0.key == key } }

    /// The known key that looks most like this one; nil when none does.
    package static func nearestKey(to key: String) -> String? {
        EditDistance.nearest(to: key, in: all.map(\.key) + ["vaults"])
    }

    mutating func set(_ key: String, to value: SettingValue) {
        Settings.rows.first { $0.setting.key == key }?.store(&self, value)
    }

    package func value(of key: String) -> SettingValue? {
        Settings.rows.first { $0.setting.key == key }?.read(self)
    }

    private typealias SettingPath<Value> = any WritableKeyPath<Settings, Value> & Sendable

    private struct Row: Sendable {
        let setting: Setting
        let read: @Sendable (Settings) -> SettingValue
        let store: @Sendable (inout Settings, SettingValue) -> Void
    }

    private static func text(
        _ key: String, _ kind: Setting.Kind, _ path: SettingPath<String>,
        _ summary: String
    ) -> Row {
        Row(
            setting: Setting(
                key: key, kind: kind, standard: .text(Settings()[keyPath: path]), summary: summary),
            read: { .text($0[keyPath: path]) },
            store: { if case .text(let text) = $1 { $0[keyPath: path] = text } })
    }

    private static func count(
        _ key: String, _ range: ClosedRange<Int>, _ path: SettingPath<Int>,
        _ summary: String
    ) -> Row {
        Row(
            setting: Setting(
                key: key, kind: .count(range), standard: .count(Settings()[keyPath: path]),
                summary: summary),
            read: { .count($0[keyPath: path]) },
            store: { if case .count(let number) = $1 { $0[keyPath: path] = number } })
    }

    private static func flag(
        _ key: String, _ path: SettingPath<Bool>, _ summary: String
    ) -> Row {
        Row(
            setting: Setting(
                key: key, kind: .flag, standard: .flag(Settings()[keyPath: path]), summary: summary),
            read: { .flag($0[keyPath: path]) },
            store: { if case .flag(let isOn) = $1 { $0[keyPath: path] = isOn } })
    }

    private static let rows: [Row] = [
        text(
            "vault.home", .path, \.vaultHome,
            "The folder that holds the vaults; ~/Documents/AuraVault unless set."),
        text(
            "vault.default", .vaultName, \.defaultVault,
            "The vault of a note that names none; auto files each by what the notes of the vaults are like."
        ),
        text(
            "vault.inbox", .vaultName, \.inbox,
            "Where notes stay that auto could not file for sure."),
        text(
            "model.chat", .text, \.chatModel,
            "The language model: a file in the models folder, a path, or none; the one that scripts/setup fetches unless set."
        ),
        text(
            "model.embedding", .text, \.embeddingModel,
            "The model for searching by meaning: a file in the models folder, a path, or none."),
        count(
            "model.threads", 0...512, \.modelThreads,
            "Processor threads for the model at most; 0 takes all cores up to eight. Fewer are used while the machine is busy."
        ),
        count("model.context", 512...1_048_576, \.modelContext, "Tokens the model sees at once."),
        count(
            "model.warm_seconds", 0...86_400, \.modelWarmSeconds,
            "How long the language model stays in memory unused."),
        count(
            "model.memory_limit_mb", 0...16_777_216, \.modelMemoryLimitMegabytes,
            "Models that need more memory are not loaded; 0 sets no limit."),
        flag(
            "capture.enrich", \.enrichesAfterCapture,
            "Classify new notes in the background after a capture."),
        flag(
            "capture.polish", \.polishesSpeech,
            "Let the language model look over cleaned transcripts when it classifies them; what loses a name, a number, a date or a denial is not taken."
        ),
        flag("enrich.on_battery", \.enrichesOnBattery, "Classify while on battery, too."),
        count(
            "enrich.quiet_seconds", 0...3600, \.enrichQuietSeconds,
            "How long nobody must have asked the model anything before notes are classified."),
        count("search.limit", 1...1000, \.searchLimit, "How many hits a search shows."),
        count("ask.passages", 1...20, \.askPassages, "How many passages an answer is made from."),
        flag(
            "vault.plain", \.makesPlainHomes,
            "Make new homes of plain Markdown instead of encrypted ones."),
        count(
            "unlock.hours", 1...8760, \.unlockHours,
            "How long 'aura unlock' keeps the vaults open, in hours."),
        count(
            "history.days", 0...36_500, \.historyDays,
            "How long the text of earlier versions is kept for history and undo, in days; 0 keeps all. Who changed what stays."
        ),
        flag("dates.day_first", \.isDayFirst, "Read 3/4 as 3 April; false reads it as March 4."),
        Row(
            setting: Setting(
                key: "dates.languages", kind: .list(DateLanguage.Code.allCases.map(\.rawValue)),
                standard: .text("en"),
                summary: "The languages in which you write dates, the most used first."),
            read: { .text($0.dateLanguages.map(\.rawValue).joined(separator: " ")) },
            store: {
                if case .text(let text) = $1 {
                    $0.dateLanguages = text.split(separator: " ").compactMap {
                        DateLanguage.Code(rawValue: String($0))
                    }
                }
            }),
        Row(
            setting: Setting(
                key: "display.colour", kind: .choice(ColourUse.allCases.map(\.rawValue)),
                standard: .text("auto"), summary: "Colour: on terminals, always, or never."),
            read: { .text($0.colour.rawValue) },
            store: {
                if case .text(let text) = $1, let use = ColourUse(rawValue: text) {
                    $0.colour = use
                }
            }),
        text(
            "editor", .text, \.editor,
            "The command that edits a note; VISUAL, then EDITOR unless set."),
    ]
}
