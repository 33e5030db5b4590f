import AuraCore
import AuraSystem

/// The only place that knows which error ends with which code.
struct ErrorReport {
    let message: String
    let hint: String?
    let status: ExitStatus
    /// Text that was kept nowhere: the person gets it back.
    private let text: String?

    init(_ error: any Error) {
        message = Self.words(for: error)
        hint = (error as? any Explained)?.hint ?? Self.advice(for: error)
        status = Self.status(of: error)
        text = (error as? CaptureFailure)?.textToGiveBack
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case let error as any Explained: error.message
        case let error as SystemError:
            error.path.isEmpty
                ? "\(error.call): \(error.reason)" : "\(error.path): \(error.reason)"
        case is CancellationError: "stopped"
        default: String(describing: error)
        }
    }

    private static func advice(for error: any Error) -> String? {
        guard let error = error as? SystemError else { return nil }
        if error.isNoSpace { return "make room on the disk and try again" }
        if error.isReadOnly { return "the disk is mounted read-only" }
        if error.isDenied { return "check who owns it and its permissions" }
        return nil
    }

    private static func status(of error: any Error) -> ExitStatus {
        switch error {
        case is UsageError, is DayError, is MomentError, is ServicesError: .usage
        case is CancellationError: .interrupted
        case let error as any StatusGiving: error.status
        case let error as VaultError: status(of: error)
        case let error as HistoryError: status(of: error)
        case let error as SealError: status(of: error)
        case let error as MigrationError: status(of: error)
        case is AgeError: .badData
        case is PrivateFileError: .locked
        case is KeySessionError, is SecretServiceError: .unavailable
        case let error as StoreError: status(of: error)
        case let error as SettingsError: status(of: error)
        case is ModelError, is ModelFetchError: .unavailable
        case is PlacesError: .settings
        case is NoteEditError, is TranscriptError: .badData
        case let error as SystemError: error.isDenied ? .locked : .disk
        default: .internalError
        }
    }

    private static func status(of error: VaultError) -> ExitStatus {
        switch error {
        case .noHome, .homeMissing, .unknownVault, .noWall, .noSuchNote, .ambiguousNote:
            .noSuchThing
        case .notAHome, .badVaultName, .vaultExists, .unsafePath, .notEncrypted: .usage
        case .newerHome, .damagedHome, .markerMissing, .tooLarge, .misplaced, .behindLink: .badData
        case .changedMeanwhile, .migratedMeanwhile, .busy: .busy
        case .belongsToAnother: .locked
        }
    }

    private static func status(of error: HistoryError) -> ExitStatus {
        switch error {
        case .beforeFirst, .noSuchVersion, .noText, .forgotten: .noSuchThing
        case .changedSince, .notInTrash: .busy
        }
    }

    private static func status(of error: SealError) -> ExitStatus {
        switch error {
        case .locked, .vaultLocked, .notForUs, .noKeys, .wrongPassphrase, .noPassphrase: .locked
        case .damaged, .damagedIdentity: .badData
        }
    }

    private static func status(of error: MigrationError) -> ExitStatus {
        switch error {
        case .underWay, .keepsChanging: .busy
        case .cannotGoBack: .nothingFoundOrLeftUndone
        case .damagedState: .badData
        case .badCopy: .disk
        case .notAsked, .hasWalls, .otherCopy, .badRecipient, .isRecipient, .isNoRecipient,
            .isOwnRecipient:
            .usage
        }
    }

    private static func status(of error: StoreError) -> ExitStatus {
        switch error {
        case .newer, .damaged: .badData
        case .wrongKey: .locked
        case .busy: .busy
        case .missing, .readOnly, .full, .failed: .disk
        }
    }

    /// What a person typed is a matter of usage, what the file says one of settings.
    private static func status(of error: SettingsError) -> ExitStatus {
        switch error {
        case .unknownVault: .noSuchThing
        case .unknownKey, .vaultExists: .usage
        case .unreadable(_, let place), .badValue(_, _, _, let place),
            .badVaultName(_, _, let place), .badColour(_, let place), .unsupported(_, _, let place):
            place == .argument ? .usage : .settings
        }
    }

    /// Two lines at most for a person, or an object.
    func print(to console: Console, asJSON: Bool) {
        if asJSON {
            console.writeError(json.serialized)
            return
        }
        let style = console.errorStyling
        console.writeError("\(style.danger("aura:")) \(SafeDisplay.visible(message))")
        if let hint { console.writeError("      \(SafeDisplay.visible(hint))") }
        if let text {
            console.writeError(console.errorIsTerminal ? SafeDisplay.visible(text) : text)
        }
    }

    var json: JSONValue {
        var fields: [(String, JSONValue)] = [
            ("code", .integer(Int(status.rawValue))), ("message", .string(message)),
        ]
        if let hint { fields.append(("hint", .string(hint))) }
        if let text { fields.append(("text", .string(text))) }
        return .record([("error", .record(fields))])
    }
}

/// An error that knows which kind of ending it is.
protocol StatusGiving: Error {
    var status: ExitStatus { get }
}
