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
    /// For drafts in editors: memory-backed wherever the system has such a place.
    package let draftFolder: String

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
        draftFolder =
            absolute("XDG_RUNTIME_DIR").map { "\($0)/aura/drafts" }
            ?? "\(Places.memoryFolder ?? temporary)/aura-\(user)/drafts"
    }
}

extension Places {
    /// Where the system keeps files in memory for everybody; nil where it has no such place.
    private static var memoryFolder: String? {
        let folder = "/dev/shm"
        return (try? Files.status(of: folder, followingLinks: true))?.kind == .folder ? folder : nil
    }
}

package enum PlacesError: Error, Equatable, Explained {
    case noHome

    package var message: String {
        "there is no home folder: HOME is not set and the user is in no password database"
    }
    package var hint: String? { "set HOME to an absolute path" }
}
