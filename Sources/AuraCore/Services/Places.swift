internal import AuraSystem

/// Where this user's things lie, by the XDG rules.
package struct Places: Sendable, Equatable {
    /// The person's own folder.
    package let home: String
    package let settingsFile: String
    /// `$XDG_DATA_HOME/aura`: a folder a vault home, the models, the inbox.
    package let dataFolder: String
    package let modelsFolder: String
    /// Where sockets and editor drafts go: memory-backed where the system has such a place.
    package let runtimeFolder: String
    package let temporaryFolder: String

    /// Relative XDG values are ignored, as the XDG rules say.
    /// - Throws: `PlacesError` when there is no home folder at all.
    package init(environment: [String: String], user: UInt32, passwordHome: String?) throws {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let home = absolute("HOME") ?? passwordHome else { throw PlacesError.noHome }
        self.home = home
        settingsFile = "\(absolute("XDG_CONFIG_HOME") ?? "\(home)/.config")/aura/config.yaml"
        dataFolder = "\(absolute("XDG_DATA_HOME") ?? "\(home)/.local/share")/aura"
        modelsFolder = absolute("AURA_MODELS") ?? "\(dataFolder)/models"
        let temporary = absolute("TMPDIR") ?? "/tmp"
        temporaryFolder = temporary
        runtimeFolder =
            absolute("XDG_RUNTIME_DIR").map { "\($0)/aura" } ?? "\(temporary)/aura-\(user)"
    }

    /// The folder for editor drafts, made and checked: it must be ours and closed to others.
    package func draftFolder() throws -> String {
        let folder = "\(runtimeFolder)/drafts"
        try Files.makeFolder(folder)
        for path in [runtimeFolder, folder] {
            guard let status = try Files.status(of: path), status.kind == .folder,
                status.owner == Host.userID
            else { throw VaultError.belongsToAnother(path: path) }
        }
        return folder
    }

    /// Removes the drafts of finished edits.
    package func removeDrafts() {
        let folder = "\(runtimeFolder)/drafts"
        for entry in (try? Files.entries(of: folder)) ?? [] where entry.status.kind == .regular {
            try? Files.remove("\(folder)/\(entry.name)")
        }
    }
}

package enum PlacesError: Error, Equatable, Explained {
    case noHome

    package var message: String {
        "there is no home folder: HOME is not set and the user is in no password database"
    }
    package var hint: String? { "set HOME to an absolute path" }
}
