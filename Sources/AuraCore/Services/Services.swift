package import AuraCrypto
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

    /// For plain homes that are out of reach.
    package var inbox: Inbox { Inbox(folder: "\(places.dataFolder)/inbox") }
    package var contacts: Contacts { Contacts(dataFolder: places.dataFolder, now: now) }
    /// Colours of the vaults by name, as `#RRGGBB`.
    package var colours: [String: String] {
        Dictionary(settings.vaults.map { ($0.name, $0.colour.description) }) { first, _ in first }
    }

    /// The person named an editor, which may work without a terminal.
    package var hasChosenEditor: Bool {
        !settings.editor.isEmpty
            || ["VISUAL", "EDITOR"].contains { environment[$0]?.isEmpty == false }
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
    /// Opens the home for commands that read or change notes.
    /// - Throws: `VaultError.homeMissing` when there was one at this path, `.noHome` and the others of
    ///   `VaultHome.open`; `.belongsToAnother` when root works on somebody else's home;
    ///   `SealError.locked`, `.noKeys`.
    package func workspace() throws -> Workspace {
        let home = try home()
        let seal = try seal(of: home, isNeeded: true)
        return workspace(of: home, seal)
    }

    /// The home itself, unopened.
    package func home() throws -> VaultHome {
        let home: VaultHome
        do {
            home = try VaultHome.open(homePath)
        } catch VaultError.noHome(let path) {
            throw homeID(at: path) != nil
                ? VaultError.homeMissing(path: path) : VaultError.noHome(path: path)
        } catch VaultError.notAHome(let path) where homeID(at: path) != nil {
            throw VaultError.markerMissing(path: path)
        }
        try checkOwner(of: home.layout.root)
        return home
    }

    /// Files that root makes in somebody's home would lock their owner out.
    private func checkOwner(of root: String) throws {
        if Host.userID == 0, let owner = try Files.status(of: root, followingLinks: true)?.owner,
            owner != 0
        {
            throw VaultError.belongsToAnother(path: root)
        }
    }

    /// For index and locks of a home.
    func dataFolder(of home: VaultHome) -> String { "\(places.dataFolder)/\(home.id)" }

    func workspace(of home: VaultHome, _ seal: FileSeal?) -> Workspace {
        let files = NoteFiles(layout: home.layout, seal: seal)
        let journal = Journal(layout: home.layout, seal: seal, newID: newID, now: now)
        let trash = Trash(files: files, newID: newID)
        let dataFolder = dataFolder(of: home)
        // Capture does without; what needs the folder says itself that it is not there.
        try? Files.makeFolder(dataFolder)
        // Who opened the home before it changed its kind must not write files of the old kind.
        let lock = VaultLock(dataFolder: dataFolder) {
            let now = try? VaultHome.open(home.layout.root)
            if let now, now.sealing != home.sealing {
                throw VaultError.migratedMeanwhile(path: home.layout.root)
            }
        }
        var inboxes = [inbox]
        if let seal {
            inboxes.append(Inbox(folder: home.layout.inbox, seal: seal))
            inboxes.append(sealedInbox(of: home.id, seal))
        }
        let drafts = drafts(of: home, seal)
        // The name follows the key: an index that another key made is another one.
        let name = seal?.keys.map { "index-\($0.indexMark).db" } ?? "index.db"
        return Workspace(
            home: home, files: files, journal: journal, trash: trash, lock: lock,
            changes: NoteChanges(files: files, journal: journal, trash: trash, lock: lock),
            capture: capture(files, journal), inboxes: inboxes, drafts: drafts,
            dataFolder: dataFolder,
            indexPath: "\(dataFolder)/\(name)", indexKey: seal?.keys?.indexKey)
    }

    /// Those of a process that is gone are kept first: they lie there readable.
    private func drafts(of home: VaultHome, _ seal: FileSeal?) -> Drafts {
        let drafts = Drafts(
            folder: "\(places.draftFolder)/\(home.id)", keepingFolder: home.layout.drafts,
            seal: seal)
        drafts.collect()
        return drafts
    }

    private func capture(_ files: NoteFiles, _ journal: Journal) -> Capture {
        Capture(
            files: files, journal: journal, now: now, zone: zone, newID: newID,
            customs: dateCustoms)
    }

    /// A capture that works at this value's time; without a workspace only `note(for:)` may be called.
    package func capture(for workspace: Workspace?) -> Capture {
        let layout = VaultLayout(root: workspace?.home.layout.root ?? homePath)
        let seal = workspace?.seal
        return capture(
            NoteFiles(layout: layout, seal: seal),
            Journal(layout: layout, seal: seal, newID: newID, now: now))
    }

    package enum CapturePlace: Sendable {
        case home(Workspace, notice: String?)
        /// The home is locked or out of reach: the text is kept until it is not.
        case inbox(Inbox, Drafts, notice: String)
        /// The home cannot be used, for this reason: `rescue` is what is left.
        case unusable(any Error)

        package var notice: String? {
            switch self {
            case .home(_, let notice): notice
            case .inbox(_, _, let notice): notice
            case .unusable: nil
            }
        }

        /// For writing the thought in an editor.
        /// - Throws: why the home cannot be used.
        package var drafts: Drafts {
            get throws {
                switch self {
                case .home(let workspace, _): workspace.drafts
                case .inbox(_, let drafts, _): drafts
                case .unusable(let error): throw error
                }
            }
        }
    }

    /// Where a thought goes: the home, made when this machine never had one there.
    /// - Throws: `VaultError` where the person named a place that is not theirs or is no home.
    package func placeForCapture(vault: String) throws -> CapturePlace {
        do {
            do {
                let home = try home()
                // Whatever is wrong with a key does not stop a thought: sealing needs none.
                let seal = try seal(of: home, isNeeded: false)
                if let seal, seal.keys == nil {
                    return .inbox(
                        Inbox(folder: home.layout.inbox, seal: seal), drafts(of: home, seal),
                        notice:
                            "the vaults are locked: the text is sealed and filed after 'aura unlock'"
                    )
                }
                let main = workspace(of: home, seal)
                if let (inbox, seal) = try inboxIfLocked(vault: vault, main) {
                    return .inbox(
                        inbox, drafts(of: home, seal),
                        notice:
                            "the vault '\(vault)' is locked: the text is sealed and filed after 'aura vaults unlock \(vault)'"
                    )
                }
                return .home(try workspace(forVault: vault, in: main), notice: nil)
            } catch VaultError.noHome(let path) {
                let sealing: VaultHome.Sealing = settings.makesPlainHomes ? .plain : .age
                let home = try makeHome(
                    at: path, sealing: sealing, passphrase: nil, adopting: false)
                let kind =
                    sealing == .plain
                    ? "plain Markdown" : "encrypted; 'aura key recovery' shows its recovery code"
                return .home(
                    workspace(of: home, try seal(of: home, isNeeded: true)),
                    notice: "made a vault home at \(path) (\(kind))")
            }
        } catch VaultError.homeMissing(let path) {
            let (inbox, seal) = inboxOfMissingHome(at: path)
            return .inbox(
                inbox,
                Drafts(
                    folder: "\(places.draftFolder)/none",
                    keepingFolder: "\(places.dataFolder)/drafts", seal: seal),
                notice:
                    "the vault home \(path) is not there: the text is kept in the inbox until it is back"
            )
        } catch let error as VaultError {
            switch error {
            case .damagedHome, .newerHome, .markerMissing: return .unusable(error)
            default: throw error
            }
        } catch {
            return .unusable(error)
        }
    }

    /// The inbox for a home that is not there: sealed where that home was encrypted.
    private func inboxOfMissingHome(at path: String) -> (Inbox, FileSeal?) {
        guard let id = homeID(at: path),
            let recipients = try? keyFiles(of: id, copies: "").recipients()
        else { return (inbox, nil) }
        let seal = FileSeal(recipients: recipients, keys: nil)
        return (sealedInbox(of: id, seal), seal)
    }

    private func sealedInbox(of id: String, _ seal: FileSeal) -> Inbox {
        Inbox(folder: "\(places.dataFolder)/inbox/\(id)", seal: seal)
    }

    /// Keeps the text of a capture that failed in the inbox, and tells the file; nil when that disk
    /// does not take it either.
    package func rescue(_ draft: Capture.Draft) -> String? {
        // An encrypted home whose recipients cannot be read gives the text back instead: a readable copy
        // on the disk is what its owner did not want.
        if let home = try? VaultHome.open(homePath), home.sealing == .age,
            (try? keyFiles(of: home).recipients()) == nil
        {
            return nil
        }
        return try? inboxOfMissingHome(at: homePath).0
            .keep(draft, home: homePath, id: newID(), at: now())
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
        forgetOldTexts(workspace)
    }

    /// Makes a home, or opens the one that is there.
    /// - Parameter passphrase: for the key of an encrypted one; nil for none.
    package func makeHome(
        at path: String, sealing: VaultHome.Sealing, passphrase: Secret?, adopting: Bool
    ) throws -> VaultHome {
        if let home = try rewriteMarker(at: path) { return home }
        let id = newID()
        let isNew = (try? VaultHome.open(path)) == nil
        if isNew, sealing == .age {
            // The keys come first: a home without them could keep nothing.
            try keyFiles(of: id.text, copies: "").write(.make(), passphrase: passphrase)
        }
        let home: VaultHome
        do {
            home = try VaultHome.make(
                at: path, id: id, now: now(), sealing: sealing, adopting: adopting)
        } catch {
            forgetKeys(of: id.text)
            throw error
        }
        // Another process was faster, and these keys sealed nothing.
        if home.id != id.text { forgetKeys(of: id.text) }
        if home.sealing == .age { try keyFiles(of: home).completeCopies() }
        try remember(home)
        return home
    }

    /// Writes the marker of a home that this machine had at a path and that has lost only that.
    private func rewriteMarker(at path: String) throws -> VaultHome? {
        do {
            _ = try VaultHome.open(path)
            return nil
        } catch VaultError.notAHome {
            // Files and no marker.
        } catch {
            return nil
        }
        guard let id = homeID(at: path).flatMap({ NoteID($0) }) else { return nil }
        let isSealed = (try? keyFiles(of: id.text, copies: "").recipients()) != nil
        return try VaultHome.make(
            at: path, id: id, now: now(), sealing: isSealed ? .age : .plain,
            adopting: !isSealed, hasLostMarker: true)
    }

    private func forgetKeys(of id: String) { try? keyFiles(of: id, copies: "").remove() }

    /// Keeps in mind that this machine has a home there.
    package func remember(_ home: VaultHome) throws {
        try Files.makeFolder("\(places.dataFolder)/homes")
        let record = JSONValue.record([("path", .string(home.layout.root))])
        try AtomicFile.replace(
            "\(places.dataFolder)/homes/\(home.id).json", Array((record.serialized + "\n").utf8))
    }

    /// Where this machine had a home last; nil when it does not know it.
    func recordedPath(of id: String) -> String? {
        (try? Files.bytes(at: "\(places.dataFolder)/homes/\(id).json"))
            .flatMap { JSONValue.read($0)?["path"]?.text }
    }

    /// The id of the home that this machine had at a path; nil when it never had one.
    private func homeID(at path: String) -> String? {
        let folder = "\(places.dataFolder)/homes"
        let records = ((try? Files.names(of: folder)) ?? []).filter { $0.hasSuffix(".json") }
        // The latest made, where one took the place of another.
        return records.sorted().last { name in
            guard let bytes = try? Files.bytes(at: "\(folder)/\(name)") else { return false }
            return JSONValue.read(bytes)?["path"]?.text == path
        }.map { String($0.dropLast(5)) }
    }
}

// MARK: - Vaults and settings

extension Services {
    /// The vault that a person means: its name in any case, or its short name. Folders of an adopted
    /// home are vaults too.
    /// - Throws: `VaultError.unknownVault`.
    package func vaultName(_ name: String) throws -> String {
        let folded = FoldedText.fold(name)
        if FoldedText.fold(settings.inbox) == folded { return settings.inbox }
        for vault in settings.vaults
        where FoldedText.fold(vault.name) == folded
            || (!vault.short.isEmpty && FoldedText.fold(vault.short) == folded)
        {
            return vault.name
        }
        let isPlain = (try? VaultHome.open(homePath))?.sealing != .age
        let folders = (isPlain ? (try? Files.entries(of: homePath)) ?? [] : [])
            .filter { $0.status.kind == .folder && !VaultLayout.isIgnored($0.name) }.map(\.name)
        // On another machine the settings need not know the vaults that have a wall.
        let walled = isPlain ? [] : (try? walls(of: workspace()).map(\.vault)) ?? []
        if let known = (folders + walled).first(where: { FoldedText.fold($0) == folded }) {
            return known
        }
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

    /// Renames a vault in the settings and moves its notes.
    package func renameVault(_ name: String, to newName: String) throws {
        guard let home = try? home() else {
            return try editSettings { try $0.renamingVault(name, to: newName) }
        }
        let workspace = try workspace()
        if workspace.seal != nil {
            // What the settings refuse is refused before anything moves. The notes go first: a run that
            // was stopped half way goes on when it is given again, as long as the old name is known.
            let file =
                try Services.settingsFile(places) ?? SettingsFile(path: places.settingsFile)
            _ = try file.renamingVault(name, to: newName)
            let space = try self.workspace(forVault: name, in: workspace)
            try space.lock.holding { try space.files.renameVault(name, to: newName) }
            try renameWall(of: name, to: newName, in: workspace)
            return try editSettings { try $0.renamingVault(name, to: newName) }
        }
        let (folder, newFolder) = (home.layout.folder(of: name), home.layout.folder(of: newName))
        if try Files.status(of: newFolder) != nil { throw VaultError.vaultExists(name: newName) }
        guard try Files.status(of: folder) != nil else {
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
            try Files.flushFolder(home.layout.root)
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

    /// How the person writes dates, in the zone of this run.
    package var dateCustoms: DateCustoms {
        DateCustoms(
            dayFirst: settings.isDayFirst, languages: settings.dateLanguages.map(DateLanguage.of),
            zone: zone)
    }

    /// A day that a person typed: ISO, or words (`last monday`, `end of the month`).
    /// - Throws: `DayError`.
    package func day(
        _ words: String, end: Bool = false, direction: DatePhrase.Direction = .past
    ) throws -> Day {
        if let day = Day(iso: words) { return day }
        let found = DatePhrase.all(
            in: words, now: zone.local(now()), direction: direction, customs: dateCustoms)
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
