internal import AuraSystem

extension Services {
    /// The real ones, made once a run.
    ///
    /// Reads the settings file and, for the zone, the system's zone file; opens nothing else.
    /// - Parameters: values of the global options, as typed.
    /// - Throws: `PlacesError`, `SettingsError`, `ServicesError`, `SystemError`.
    package static func live(
        environment: [String: String], vaultFolder: String?, now: String?, zone: String?
    ) throws -> Services {
        let places = try Places(
            environment: environment, user: Host.userID,
            passwordHome: environment["HOME"] == nil ? Host.homeInPasswordDatabase : nil)
        var warnings: [String] = []
        var flags: [String: String] = [:]
        if let vaultFolder { flags["vault.home"] = vaultFolder }
        let resolved = try SettingsOrigin.resolve(
            file: try settingsFile(places), environment: environment, flags: flags)
        warnings += resolved.warnings.map { warning in
            warning.message + (warning.hint.map { " (\($0))" } ?? "")
        }
        let settings = resolved.settings

        let place: Zone
        if let zone {
            guard let named = Zone.named(zone) else { throw ServicesError.unknownZone(zone) }
            place = named
        } else {
            let (system, warning) = Zone.system(tz: environment["TZ"])
            place = system
            if let warning { warnings.append(warning) }
        }
        var clock: @Sendable () -> Instant = {
            let (seconds, nanoseconds) = Host.now
            return Instant(seconds: seconds, nanoseconds: nanoseconds)
        }
        if let now {
            guard let moment = instant(now, place) else { throw ServicesError.badTime(now) }
            clock = { moment }
        }
        // Ids carry the time of the clock, pretended or not; 80 random bits keep them apart.
        let newID: @Sendable () -> NoteID = { [clock] in
            guard let random = try? Random.bytes(10) else {
                fatalError("the system has no random bytes")
            }
            return NoteID(at: clock(), random: random)
        }
        let home =
            settings.vaultHome.isEmpty
            ? "\(places.home)/Documents/AuraVault"
            : Settings.expanded(settings.vaultHome, home: places.home)
        let program = Host.programPath
        return Services(
            now: clock, zone: place, newID: newID, places: places, settings: settings,
            warnings: warnings, homePath: Host.absolutePath(home), environment: environment,
            programPath: program, resolved: resolved,
            worker: program.map { modelWorker(program: $0, settings, places, environment) })
    }

    private static func modelWorker(
        program: String, _ settings: Settings, _ places: Places, _ environment: [String: String]
    ) -> ModelWorker {
        var setup = ModelWorker.Setup(folder: WorkerFolder(places.runtimeFolder), program: program)
        setup.environment = environment.filter {
            ["PATH", "HOME", "LANG", "TZ", "TMPDIR"].contains($0.key)
        }
        setup.chatModel = modelPath(settings.chatModel, usual: ModelCatalog.usualChatFile, places)
        setup.embeddingModel = modelPath(
            settings.embeddingModel, usual: ModelCatalog.usualEmbeddingFile, places)
        setup.threads = settings.threads(cores: Host.cores)
        setup.context = settings.modelContext
        setup.warm = .seconds(max(1, settings.modelWarmSeconds))
        setup.memoryLimit =
            settings.modelMemoryLimitMegabytes > 0
            ? Int64(settings.modelMemoryLimitMegabytes) << 20 : nil
        setup.stateFolder = "\(places.dataFolder)/states"
        return ModelWorker(setup)
    }

    /// A model setting is a path, or a file in the models folder. Nil for `none`, and where nothing is
    /// set and the usual file was never fetched: that is "no model", not a broken one.
    private static func modelPath(_ setting: String, usual: String, _ places: Places) -> String? {
        if setting == "none" { return nil }
        if setting.isEmpty {
            let path = "\(places.modelsFolder)/\(usual)"
            let isThere = (try? Files.status(of: path, followingLinks: true)) != .some(nil)
            return isThere ? path : nil
        }
        let expanded = Settings.expanded(setting, home: places.home)
        return expanded.hasPrefix("/") ? expanded : "\(places.modelsFolder)/\(expanded)"
    }
}

/// Options about the surroundings that make no sense.
package enum ServicesError: Error, Equatable, Explained {
    case unknownZone(String)
    case badTime(String)

    package var message: String {
        switch self {
        case .unknownZone(let name): "there is no time zone '\(name)'"
        case .badTime(let text): "'\(text)' is no time"
        }
    }

    package var hint: String? {
        switch self {
        case .unknownZone: "use a name like Europe/London"
        case .badTime: "write it as 2026-03-04T10:00:00Z or '2026-03-04 10:00'"
        }
    }
}
