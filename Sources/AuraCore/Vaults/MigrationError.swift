/// Why a home does not change its kind or its keys now.
package enum MigrationError: Error, Equatable {
    /// Another change of the home was begun and not finished.
    case underWay(what: String)
    /// The new files count already: what was begun can only be finished.
    case cannotGoBack(what: String)
    /// Files change faster than they are copied.
    case keepsChanging(path: String)
    case damagedState(path: String)
    /// A copy did not hold what was written.
    case badCopy(path: String)
    case notAsked(what: String)
    /// Their keys are not the home's.
    case hasWalls(vaults: [String])
    case badRecipient(text: String)
    case isRecipient(text: String)
    case isNoRecipient(text: String)
    case isOwnRecipient(text: String)
    /// This machine has another home with the same id, which the old keys open.
    case otherCopy(path: String)

    /// The command that finishes it.
    static func command(_ what: String) -> String { "'aura \(what)'" }
}

extension MigrationError: Explained {
    package var message: String {
        switch self {
        case .underWay(let what): "\(Self.command(what)) was begun here and is not finished"
        case .cannotGoBack(let what):
            "\(Self.command(what)) is past the point from which it can be taken back: it can only go on"
        case .keepsChanging(let path): "\(path) keeps changing while it is copied"
        case .damagedState(let path): "\(path) cannot be read"
        case .badCopy(let path): "the copy of \(path) is not what was written"
        case .notAsked(let what): "\(what), and there is nobody to ask"
        case .hasWalls(let vaults):
            "vaults are locked by themselves: \(vaults.joined(separator: ", "))"
        case .badRecipient(let text): "'\(text)' is no age recipient"
        case .isRecipient(let text): "\(text) can read the home already"
        case .isNoRecipient(let text): "the home is not sealed to \(text)"
        case .otherCopy(let path): "\(path) is the same home and would not follow its keys"
        case .isOwnRecipient(let text): "\(text) is this home's own key"
        }
    }

    package var hint: String? {
        switch self {
        case .underWay(let what): "\(Self.command(what)) goes on with it"
        case .cannotGoBack(let what): "\(Self.command(what)) finishes it; nothing is lost"
        case .keepsChanging: "close the program that writes it, and run the command again"
        case .damagedState: "restore the file from a backup; nothing was changed"
        case .badCopy: "check the disk; the original stands"
        case .notAsked: "add '--yes' if that is what you want"
        case .hasWalls:
            "'aura vaults unlock NAME --remove-wall' takes a lock away; then run this again"
        case .badRecipient:
            "it begins with 'age1': 'aura key show-recipient' on the other machine tells it"
        case .isRecipient, .isNoRecipient: "'aura key show-recipient' lists them"
        case .otherCopy: "change the keys there, or move that copy to another disk first"
        case .isOwnRecipient: "'aura key rotate' makes a new one in its place"
        }
    }
}
