/// What a note asks of its owner, and when.
///
/// Two conditions make an action: the note is a task and it has a deadline. Everything else is
/// `none`, whatever a model says.
package struct Action: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable { case reminder, calendar, none }

    package var kind: Kind
    package var deadline: Day?
    /// Only when the note names a clock time.
    package var time: TimeOfDay?

    package var isTimeSpecific: Bool { time != nil }

    package init(kind: Kind, deadline: Day?, time: TimeOfDay? = nil) {
        self.kind = kind
        self.deadline = deadline
        self.time = time
    }

    package static let none = Action(kind: .none, deadline: nil)

    /// The action that is left after the two conditions of the type's comment.
    package func allowed(for kind: NoteKind?) -> Action {
        guard self.kind != .none, kind == .task, deadline != nil else { return .none }
        return self
    }
}
