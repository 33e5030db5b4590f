import AuraCore

extension Invocation {
    /// Writes a change that was made to the journal.
    ///
    /// A journal that cannot be written is told and leaves the change as it is: saying that nothing
    /// happened would be wrong, and undoing it might fail on the same disk.
    func record(_ entry: Journal.Entry, in workspace: Workspace) -> ExitStatus {
        do {
            try workspace.journal.append(entry)
            return .done
        } catch {
            console.complain(
                "aura: the change is made, but not in the journal: \(ErrorReport(error).message)")
            return .nothingFoundOrLeftUndone
        }
    }
}
