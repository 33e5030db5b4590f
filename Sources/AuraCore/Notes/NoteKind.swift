/// What a note is; `type` in its front matter.
package enum NoteKind: String, CaseIterable, Sendable {
    case task, note, log, idea
    case weeklyReport = "distilled_weekly"
    case monthlyReport = "distilled_monthly"

    /// Written by `distill`, so never a source of another report of its own kind.
    package var isReport: Bool { self == .weeklyReport || self == .monthlyReport }
}

/// How far a note has come; `status` in its front matter.
package enum NoteStatus: String, Sendable {
    case pendingClassification = "pending_classification"
    case indexed
}
