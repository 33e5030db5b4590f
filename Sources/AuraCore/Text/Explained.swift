/// An error that tells a person what happened and what to do next.
package protocol Explained: Error {
    /// What happened to what, without a full stop: `there is no vault called 'Wrok'`.
    var message: String { get }
    /// What to type or check; nil when there is nothing to advise.
    var hint: String? { get }
}

extension Error {
    /// What happened, in words: an error's own where it has some.
    package var explanation: String { (self as? any Explained)?.message ?? "\(self)" }
}
