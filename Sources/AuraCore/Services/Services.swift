internal import AuraSystem

/// Everything from outside, as one value: clock, zone, chance, places, settings, models.
///
/// Commands build flows from it; flows never see it. Nothing here is opened before it is asked for.
package struct Services: Sendable {
    package var now: @Sendable () -> Instant
    package var zone: Zone
    package var newID: @Sendable () -> NoteID
    package var places: Places
    package var settings: Settings
    /// What the person should know about the surroundings, a sentence each.
    package var warnings: [String]
    /// Absolute path of the vault home.
    package var homePath: String
    package var environment: [String: String]
    /// This program, to be started again as a worker; nil when it cannot be told.
    package var programPath: String?
    package let resolved: ResolvedSettings
    package let worker: ModelWorker?

    package var today: Day { zone.local(now()).day }

    /// The same services at another time and place, for scripted input.
    package func at(_ moment: Instant, _ zone: Zone) -> Services {
        var copy = self
        copy.now = { moment }
        copy.zone = zone
        return copy
    }

    package var inbox: Inbox { Inbox(dataFolder: places.dataFolder) }
    package var contacts: Contacts { Contacts(dataFolder: places.dataFolder, now: now) }
    /// Colours of the vaults by name, as `#RRGGBB`.
    package var colours: [String: String] {
        Dictionary(settings.vaults.map { ($0.name, $0.colour.description) }) { first, _ in first }
    }

    package var editor: String {
        if !settings.editor.isEmpty { return settings.editor }
        for name in ["VISUAL", "EDITOR"] {
            if let value = environment[name], !value.isEmpty { return value }
        }
        return "vi"
    }
}

// MARK: - Homes

extension Services {
    /// Opens the home.
    /// - Throws: `VaultError.homeMissing` when there was one at this path, `.noHome` and the others of
    ///   `VaultHome.open`; `.belongsToAnother` when root works on somebody else's home.
    package func workspace() throws -> Workspace {
        let home: VaultHome
        do {
            home = try VaultHome.open(homePath)
        } catch VaultError.noHome(let path) {
            throw hadHome(at: path)
                ? VaultError.homeMissing(path: path) : VaultError.noHome(path: path)
        }
        return try workspace(of: home)
    }

    private func workspace(of home: VaultHome) throws -> Workspace {
        // Files that root makes in somebody's home would lock their owner out.
        if Host.userID == 0,
            let owner = try Files.status(of: home.layout.root, followingLinks: true)?.owner,
            owner != 0
        {
            throw VaultError.belongsToAnother(path: home.layout.root)
        }
        let files = NoteFiles(layout: home.layout)
        let journal = Journal(layout: home.layout, newID: newID, now: now)
        let dataFolder = "\(places.dataFolder)/\(home.id)"
        // Capture does without; what needs the folder says itself that it is not there.
        try? Files.makeFolder(dataFolder)
        return Workspace(
            home: home, files: files, journal: journal,
            trash: Trash(layout: home.layout, newID: newID),
            lock: VaultLock(dataFolder: dataFolder),
            capture: Capture(
                files: files, journal: journal, now: now, zone: zone, newID: newID,
                dayFirst: settings.isDayFirst),
            dataFolder: dataFolder)
    }

    /// A capture that works at this value's time; without a workspace only `note(for:)` may be called.
    package func capture(for workspace: Workspace?) -> Capture {
        let layout = VaultLayout(root: workspace?.home.layout.root ?? homePath)
        return Capture(
            files: NoteFiles(layout: layout),
            journal: Journal(layout: layout, newID: newID, now: now), now: now, zone: zone,
            newID: newID, dayFirst: settings.isDayFirst)
    }

    package enum CapturePlace: Sendable {
        case home(Workspace, notice: String?)
        /// The home is out of reach: the text is kept on the local disk.
        case inbox(notice: String)
        /// The home cannot be used, for this reason: `rescue` is what is left.
        case unusable(any Error)

        package var notice: String? {
            switch self {
            case .home(_, let notice): notice
            case .inbox(let notice): notice
            case .unusable: nil
            }
        }
    }

    /// Where a thought goes: the home, made when this machine never had one there.
    /// - Throws: `VaultError` where the person named a place that is not theirs or is no home.
    package func placeForCapture() throws -> CapturePlace {
        do {
            do {
                return .home(try workspace(), notice: nil)
            } catch VaultError.noHome(let path) {
                let home = try makeHome(at: path, adopting: false)
                return .home(
                    try workspace(of: home),
                    notice:
                        "made a vault home at \(path) (plain Markdown; 'aura init --help' tells more)"
                )
            }
        } catch VaultError.homeMissing(let path) {
            return .inbox(
                notice:
                    "the vault home \(path) is not there: the text is kept in the inbox until it is back"
            )
        } catch let error as VaultError {
            switch error {
            case .damagedHome, .newerHome: return .unusable(error)
            default: throw error
            }
        } catch let error as SystemError {
            return .unusable(error)
        }
    }

    /// Keeps the text of a capture that failed in the inbox, and tells the file; nil when that disk
    /// does not take it either.
    package func rescue(_ draft: Capture.Draft) -> String? {
        try? inbox.keep(draft, home: homePath, id: newID(), at: now())
    }

    /// Removes what killed processes left in the home and the inbox.
    package func sweep(_ workspace: Workspace) {
        let (seconds, nanoseconds) = Host.now
        let now = seconds * 1_000_000_000 + Int64(nanoseconds)
        workspace.files.sweep(nowNanoseconds: now)
        for folder in [
            places.dataFolder, "\(places.dataFolder)/inbox", "\(places.dataFolder)/homes",
        ] {
            AtomicFile.sweep(folder, nowNanoseconds: now)
        }
    }

    package func makeHome(at path: String, adopting: Bool) throws -> VaultHome {
        let home = try VaultHome.make(at: path, id: newID(), now: now(), adopting: adopting)
        try Files.makeFolder("\(places.dataFolder)/homes")
        let record = JSONValue.record([("path", .string(path))])
        try AtomicFile.replace(
            "\(places.dataFolder)/homes/\(home.id).json", Array((record.serialized + "\n").utf8))
        return home
    }

    private func hadHome(at path: String) -> Bool {
        let folder = "\(places.dataFolder)/homes"
        return ((try? Files.entries(of: folder)) ?? []).contains { entry in
            guard let bytes = try? Files.bytes(at: "\(folder)/\(entry.name)") else { return false }
            return JSONValue.read(bytes)?["path"]?.text == path
        }
    }
}

// MARK: - Vaults and settings

extension Services {
    /// The vault that a person means: its name in any case, or its short name. Folders of an adopted
    /// home are vaults too.
    /// - Throws: `VaultError.unknownVault`.
    package func vaultName(_ name: String) throws -> String {
        let folded = FoldedText.fold(name)
        for vault in settings.vaults
        where FoldedText.fold(vault.name) == folded
            || (!vault.short.isEmpty && FoldedText.fold(vault.short) == folded)
        {
            return vault.name
        }
        let folders = ((try? Files.entries(of: homePath)) ?? [])
            .filter { $0.status.kind == .folder && !VaultLayout.isIgnored($0.name) }.map(\.name)
        if let folder = folders.first(where: { FoldedText.fold($0) == folded }) { return folder }
        throw VaultError.unknownVault(
            name: name,
            nearest: EditDistance.nearest(to: name, in: settings.vaults.map(\.name) + folders))
    }

    /// The settings file; nil when there is none.
    package static func settingsFile(_ places: Places) throws -> SettingsFile? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.bytesFollowingLinks(at: places.settingsFile)
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
        return try SettingsFile(bytes: bytes, path: places.settingsFile)
    }

    /// Writes the settings file with what `change` makes of it.
    package func editSettings(_ change: (SettingsFile) throws -> [UInt8]) throws {
        let file = try Services.settingsFile(places) ?? SettingsFile(path: places.settingsFile)
        let bytes = try change(file)
        try Files.makeFolder(Files.parent(of: places.settingsFile))
        try AtomicFile.replace(places.settingsFile, bytes)
    }

    /// Renames a vault in the settings and moves its folder.
    package func renameVault(_ name: String, to newName: String) throws {
        let workspace = try? workspace()
        if let workspace, try Files.status(of: workspace.home.layout.folder(of: newName)) != nil {
            throw VaultError.vaultExists(name: newName)
        }
        let folder = workspace?.home.layout.folder(of: name)
        let newFolder = workspace?.home.layout.folder(of: newName)
        guard let workspace, let folder, let newFolder, try Files.status(of: folder) != nil else {
            return try editSettings { try $0.renamingVault(name, to: newName) }
        }
        try workspace.lock.holding {
            try Files.moveExclusively(folder, to: newFolder)
            do {
                try editSettings { try $0.renamingVault(name, to: newName) }
            } catch {
                // Both or neither: settings and folders must agree on the name.
                try Files.moveExclusively(newFolder, to: folder)
                throw error
            }
            try Files.flushFolder(workspace.home.layout.root)
        }
    }
}

// MARK: - Words for times

extension Services {
    /// Reads a time for `--now`: RFC 3339, or a local day with or without a clock time.
    package static func instant(_ text: String, _ zone: Zone) -> Instant? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        let hasOffset =
            text.hasSuffix("Z") || text.dropFirst(10).contains { $0 == "+" || $0 == "-" }
        if !hasOffset, let first = parts.first, let day = Day(iso: first) {
            if parts.count == 1 { return zone.instant(day, .midnight) }
            if parts.count == 2, let time = TimeOfDay(parts[1]) {
                let second = parts[1].split(separator: ":").dropFirst(2).first.flatMap {
                    Int($0.prefix(2))
                }
                return zone.instant(day, time, second: second ?? 0)
            }
        }
        return Instant(iso8601: text)
    }

    /// A day that a person typed: ISO, or words (`last monday`, `end of the month`).
    /// - Throws: `DayError`.
    package func day(
        _ words: String, end: Bool = false, direction: DatePhrase.Direction = .past
    ) throws -> Day {
        if let day = Day(iso: words) { return day }
        let found = DatePhrase.all(
            in: words, now: zone.local(now()), direction: direction, dayFirst: settings.isDayFirst)
        guard let phrase = found.first else { throw DayError(words: words) }
        return end ? phrase.lastDay : phrase.firstDay
    }
}

/// Words that name no day.
package struct DayError: Explained, Equatable {
    package let words: String
    package var message: String { "'\(words)' names no day" }
    package var hint: String? { "write it as 2026-03-09, or in words: 'last monday'" }
}
