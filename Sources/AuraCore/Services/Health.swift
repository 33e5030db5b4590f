internal import AuraSystem

/// How things stand, and what is wrong.
extension Services {
    package struct Figures: Sendable {
        package let notes: Int
        package let pending: Int
        package let passages: Int
        package let embedded: Int
    }

    package func figures(_ store: Store) async throws -> Figures {
        var pending = NoteFilter()
        pending.isPending = true
        let counts = try await store.embeddedCount(
            model: embedder?.modelName ?? "", dimensions: embedder?.dimensions ?? 0)
        return Figures(
            notes: try await store.count(), pending: try await store.count(pending),
            passages: counts.all, embedded: embedder == nil ? 0 : counts.done)
    }

    /// Thoughts that are not notes yet.
    package func waitingThoughts(_ workspace: Workspace) -> Int {
        workspace.inboxes.reduce(0) { $0 + $1.count(home: homePath) }
    }

    package enum ModelRole: String, Sendable, CaseIterable { case chat, embedding }

    package func modelPath(_ role: ModelRole) -> String? {
        switch role {
        case .chat: worker?.setup.chatModel
        case .embedding: worker?.setup.embeddingModel
        }
    }

    package func modelWords(_ role: ModelRole) -> String {
        guard let path = modelPath(role) else { return "none" }
        return (try? Files.status(of: path, followingLinks: true)) == .some(nil)
            ? "\(ModelCatalog.name(of: path)) (missing: \(path))" : ModelCatalog.name(of: path)
    }

    package struct Finding: Sendable {
        package enum Level: String, Sendable { case fine, note, problem }
        package let check: String
        package let level: Level
        package let message: String
        package let hint: String?
    }

    /// Looks at everything in turn; nothing found wrong stops the rest.
    package func examine(_ onProgress: (String) -> Void) async -> [Finding] {
        var findings: [Finding] = []
        func add(_ check: String, _ level: Finding.Level, _ message: String, _ hint: String? = nil)
        {
            findings.append(Finding(check: check, level: level, message: message, hint: hint))
        }
        func fail(_ check: String, _ error: any Error) {
            add(check, .problem, error.explanation, (error as? any Explained)?.hint)
        }
        let hasSettings = (try? Files.status(of: places.settingsFile)) != .some(nil)
        add(
            "settings", .fine,
            hasSettings ? "read \(places.settingsFile)" : "all defaults; there is no settings file")
        for warning in warnings { add("settings", .note, warning) }
        onProgress("looking at the home…")
        do {
            let workspace = try workspace()
            add(
                "home", .fine,
                "\(homePath), \(workspace.seal == nil ? "plain Markdown" : "encrypted")")
            if let status = try Files.status(of: homePath, followingLinks: true),
                status.mode & 0o077 != 0
            {
                add(
                    "home", .note, "other users of this machine may read \(homePath)",
                    "chmod 700 \(homePath)")
            }
            for folder in try workspace.files.unreadableFolders() {
                add(
                    "home", .problem, "the folder \(folder) cannot be read", "check its permissions"
                )
            }
            for (path, what) in try workspace.files.strangers() {
                add(
                    "home", .note,
                    "\(path) is \(what) and is passed over",
                    "put the file or folder itself in its place to have it found")
            }
            let loose =
                workspace.seal != nil
                ? []
                : try Files.entries(of: homePath).map(\.name)
                    .filter { VaultLayout.isNoteName($0) && !VaultLayout.isIgnored($0) }
            if !loose.isEmpty {
                add(
                    "home", .note,
                    "\(loose.count) notes lie beside the vaults, in none of them: \(loose.sorted().prefix(3).joined(separator: ", "))",
                    "move them into a vault's folder to have them found")
            }
            if let begun = try Migration.State.read(workspace.home.layout) {
                add(
                    "home", .problem,
                    "'aura \(begun.direction.rawValue)' was begun and is not finished",
                    "'aura \(begun.direction.rawValue)' goes on with it")
            } else if let begun = try Rotation.State.read(workspace.home.layout) {
                add(
                    "home", .problem, "a change of keys was begun and is not finished",
                    "'aura \(begun.command)' goes on with it")
            } else {
                let left = try leftovers(of: workspace)
                let names = left.prefix(3).joined(separator: ", ")
                if !left.isEmpty {
                    add(
                        "home", .problem,
                        workspace.seal == nil
                            ? "sealed files lie in this plain home"
                            : "\(left.count) files lie readable in this encrypted home: \(names)",
                        "'aura \(workspace.seal == nil ? "decrypt" : "encrypt")' takes them in")
                }
            }
            let waiting = waitingThoughts(workspace)
            if waiting > 0 {
                add(
                    "inbox", .note,
                    "\(waiting) thoughts wait for the home; any command brings them in")
            }
            try examineKeys(of: workspace) { level, message, hint in
                add("keys", level, message, hint)
            }
            onProgress("reading the notes…")
            let (store, report) = try await refreshedStore(workspace, thorough: true)
            let figures = try await figures(store)
            add(
                "index", .fine,
                "\(figures.notes) notes, \(figures.pending) pending, \(figures.embedded) of \(figures.passages) passages embedded"
            )
            for remark in report.skipped {
                add("notes", .problem, "\(remark.path): \(remark.text)")
            }
            for note in try await store.list() {
                for warning in note.warnings { add("notes", .note, "\(note.path): \(warning)") }
            }
        } catch {
            fail("home", error)
        }
        for role in ModelRole.allCases {
            onProgress("looking at the \(role.rawValue) model…")
            guard let path = modelPath(role) else {
                add(
                    role.rawValue, .note,
                    "no \(role.rawValue) model is set up: aura works by rules and words",
                    "'aura model list' shows what can be had")
                continue
            }
            do throws(ModelError) {
                let check = try GGUFCheck.check(path, role: role.rawValue)
                add(
                    role.rawValue, .fine,
                    "\(ModelCatalog.name(of: path)), \(check.architecture), \(check.fileSize >> 20) MB"
                )
            } catch {
                fail(role.rawValue, error)
            }
        }
        let contacts = contacts.all()
        add(
            "network", contacts.isEmpty ? .fine : .note,
            contacts.isEmpty
                ? "no host was ever contacted"
                : "\(contacts.count) hosts were contacted; 'aura privacy' lists them")
        return findings
    }
}

extension Services {
    /// Whether the keys are where they should be, and only there.
    private func examineKeys(
        of workspace: Workspace, _ add: (Finding.Level, String, String?) -> Void
    ) throws {
        guard workspace.home.sealing == .age else { return }
        let files = keyFiles(of: workspace.home)
        add(
            .fine,
            files.hasPassphrase
                ? "the key is under a passphrase"
                : "the key has no passphrase: whoever reads your files can read the notes",
            files.hasPassphrase ? nil : "'aura key change-passphrase' sets one")
        if !files.recoveryWasShown {
            add(
                .note, "the recovery code was never shown: without it a lost key is a lost home",
                "'aura key recovery' shows it; write it down")
        }
        try files.completeCopies()
        for path in try files.unsealedKeys(under: workspace.home.layout.root) {
            add(
                .problem, "a readable key lies in the home: \(path)",
                "move it out: whoever gets the home gets the key")
        }
        for state in try wallStates() where !state.isComplete {
            add(
                .problem, "some notes of \(state.vault) do not lie behind its lock yet",
                "'aura vaults lock \(state.vault)' goes on")
        }
        for (name, reason) in try workspace.journal.damaged() {
            add(.problem, "the journal's \(name): \(reason)", "that change cannot be undone")
        }
    }
}
