import AuraCore
import AuraSystem

/// Lists models: those that are there and those that are known.
struct ModelListCommand: Command {
    static let name = "model list"
    static let summary = "List models: those that are there, and known ones"
    static let examples = [("aura model list", "Lists role, size, licence and which is in use.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let entries = try services.models.entries(
            inUse: Services.ModelRole.allCases.compactMap { services.modelPath($0) })
        invocation.print(list: entries.map(ModelReport.init))
        return .done
    }
}

private struct ModelReport: Report {
    let entry: ModelStore.Entry

    var json: JSONValue {
        .record([
            ("file", .string(entry.file)), ("path", .string(entry.path)),
            ("role", .optional(entry.role?.rawValue)), ("present", .bool(entry.size != nil)),
            ("in_use", .bool(entry.isInUse)),
            ("bytes", (entry.size ?? entry.known?.size).map { .integer(Int($0)) } ?? .null),
            ("licence", .optional(entry.known?.license)),
            ("sha256", .optional(entry.known?.sha256)),
            ("source", .optional(entry.known?.source)), ("remark", .optional(entry.known?.remark)),
        ])
    }

    func lines(_ style: Styling, width: Int) -> [String] {
        let mark = entry.isInUse ? "in use" : entry.size != nil ? "there" : "-"
        let bytes = entry.size ?? entry.known?.size ?? 0
        let file = SafeDisplay.visible(entry.file, keepsLines: false)
        var line = "\(mark.padding(to: 7)) \((entry.role?.rawValue ?? "?").padding(to: 10)) "
        line += "\("\(bytes >> 20) MB".padding(to: 8)) \(file.padding(to: 42))"
        if let known = entry.known {
            line += style.secondary(" \(known.license.padding(to: 11)) \(known.remark)")
        }
        return [line]
    }
}

/// Takes a model file into the models folder.
struct ModelAddCommand: Command {
    static let name = "model add"
    static let summary = "Take a model file of yours into the models folder"
    static let examples = [
        ("aura model add ~/Downloads/Qwen3-1.7B-Q4_K_M.gguf", "Checks the file and takes it in.")
    ]
    static let grammar = Grammar<Self>(
        .required("file", \.file, help: "A GGUF file, or a whisper.cpp one."),
        .option(
            "sha256", \.sha256, value: "hex", help: "Refuse the file unless it has this SHA-256."))

    var file = ""
    var sha256: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let entry = try invocation.services.models.add(Host.absolutePath(file), sha256: sha256)
        invocation.print(ModelReport(entry: entry))
        invocation.console.say("aura: 'aura model use \(entry.file)' makes it the one in use")
        return .done
    }
}

/// Fetches a model. The only command that fetches anything.
struct ModelPullCommand: Command {
    static let name = "model pull"
    static let summary = "Fetch a model from an address that you give"
    static let discussion = """
        Speaks to the host in the address and to no other, and notes that for 'aura privacy'. The file is \
        taken only when its SHA-256 is the one given; for a known model it need not be given. A download that \
        was stopped goes on where it ended. The default models come with scripts/setup.
        """
    static let examples = [
        (
            "aura model pull https://example.org/model.gguf --sha256 0a1b…",
            "Fetches, checks and keeps the file."
        )
    ]
    static let grammar = Grammar<Self>(
        .required("address", \.address, help: "Where the file is."),
        .option("sha256", \.sha256, value: "hex", help: "What the file's SHA-256 must be."),
        .option("name", \.file, value: "file", help: "The file's name in the models folder."))

    var address = ""
    var sha256: String?
    var file: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let console = invocation.console
        guard let host = Self.host(of: address) else {
            let known = ModelCatalog.known.first { $0.file == address || $0.name == address }
            throw InputError.badValue(
                "'\(address)' is no address",
                hint: known == nil
                    ? "give one that begins with https://"
                    : "scripts/setup fetches the known models; or give an address that begins with https://"
            )
        }
        let last = String(address.prefix { $0 != "?" }.split(separator: "/").last ?? "")
        let known = ModelCatalog.known.first { $0.file == file ?? last }
        guard let sha256 = sha256 ?? known?.sha256 else {
            throw InputError.badValue(
                "the SHA-256 of the file is missing",
                hint: "its publisher names it; add --sha256 HEX")
        }
        try services.contacts.note(host: host, purpose: "aura model pull")
        let models = services.models
        let entry = try await invocation.blocking { isStopped in
            try models.pull(address, sha256: sha256, name: file, isStopped: isStopped) { progress in
                let total = progress.total.map { " of \($0 >> 20)" } ?? ""
                console.progress("\(progress.bytes >> 20)\(total) MB")
            }
        }
        console.endProgress()
        invocation.print(ModelReport(entry: entry))
        return .done
    }

    static func host(of address: String) -> String? {
        for scheme in ["https://", "http://"] where address.lowercased().hasPrefix(scheme) {
            let rest = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
            let host = rest.split(separator: "@").last.map(String.init) ?? ""
            return host.isEmpty ? nil : host
        }
        return nil
    }
}

/// Makes a model the one in use.
struct ModelUseCommand: Command {
    static let name = "model use"
    static let summary = "Make a model the one in use"
    static let examples = [
        ("aura model use Qwen3-1.7B-Q4_K_M", "Uses it from now on, by its role.")
    ]
    static let grammar = Grammar<Self>(
        .required(
            "model", \.model, help: "A file in the models folder, or a path; 'none' for none."),
        .option("role", \.role, value: "role", help: "For what, where the file does not tell."))

    enum Role: String, ArgumentChoice { case chat, embedding }

    var model = ""
    var role: Role?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        if model == "none" {
            let role = role ?? .chat
            try services.editSettings { try $0.setting("model.\(role.rawValue)", to: "none") }
            invocation.console.say("aura: no \(role.rawValue) model is used now")
            return .done
        }
        let given = model.contains("/") ? Host.absolutePath(model) : model
        let path = services.models.path(of: given)
        let check = try services.models.info(given)
        let role = role ?? (check.isEmbedding ? .embedding : .chat)
        let isInFolder = path == "\(services.places.modelsFolder)/\(Files.name(of: path))"
        let value = isInFolder ? Files.name(of: path) : path
        try services.editSettings { try $0.setting("model.\(role.rawValue)", to: value) }
        invocation.console.say(
            "aura: \(ModelCatalog.name(of: path)) is the \(role.rawValue) model now")
        return .done
    }
}

/// Removes a model file.
struct ModelRemoveCommand: Command {
    static let name = "model remove"
    static let summary = "Remove a model file from the models folder"
    static let examples = [("aura model remove old-model.gguf", "Removes the file.")]
    static let grammar = Grammar<Self>(
        .required("model", \.model, help: "A file in the models folder."))

    var model = ""
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        guard try invocation.services.models.remove(model) else {
            throw ModelError.missing(
                role: "named", path: invocation.services.models.path(of: model))
        }
        invocation.console.say("aura: removed \(model)")
        return .done
    }
}

/// What a model file says of itself.
struct ModelInfoCommand: Command {
    static let name = "model info"
    static let summary = "Check a model file and show what it says"
    static let examples = [("aura model info", "Checks the chat model in use.")]
    static let grammar = Grammar<Self>(
        .positional(
            "model", \.model, help: "A file or a path; the chat model in use when left out."))

    var model: String?
    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        let services = invocation.services
        let name = model.map { $0.contains("/") ? Host.absolutePath($0) : $0 }
        guard let name = name ?? services.modelPath(.chat) else {
            throw ModelError.missing(role: "chat", path: nil)
        }
        let check = try services.models.info(name)
        let running = await services.modelServerStatus()
        let memory = check.memoryNeeded(
            context: services.settings.modelContext, conversations: 2, isRepacked: true)
        invocation.print(
            TableReport(rows: [
                ("path", services.models.path(of: name), .string(services.models.path(of: name))),
                ("name", check.name, .string(check.name)),
                ("architecture", check.architecture, .string(check.architecture)),
                (
                    "licence", check.license.isEmpty ? "not stated" : check.license,
                    .string(check.license)
                ),
                ("size", "\(check.fileSize >> 20) MB", .integer(Int(check.fileSize))),
                (
                    "parameters", "\(check.parameters / 1_000_000) million",
                    .integer(Int(check.parameters))
                ),
                (
                    "trained context", "\(check.trainedContext) tokens",
                    .integer(check.trainedContext)
                ),
                ("memory", "about \(memory >> 20) MB", .integer(Int(memory))),
                (
                    "server", running.map { "running, process \($0.process)" } ?? "not running",
                    .bool(running != nil)
                ),
            ]))
        return .done
    }
}

/// Ends the model server.
struct ModelStopCommand: Command {
    static let name = "model stop"
    static let summary = "End the model server and free its memory"
    static let examples = [("aura model stop", "Frees the memory that models take.")]
    static let grammar = Grammar<Self>()

    var globals = GlobalOptions()

    func run(_ invocation: Invocation) async throws -> ExitStatus {
        await invocation.services.stopModels()
        return .done
    }
}
