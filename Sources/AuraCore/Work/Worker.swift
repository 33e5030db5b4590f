internal import AuraSystem

/// Drains the queue of a home: brings in what waited for it, classifies what is pending.
///
/// The queue is the notes themselves: whatever says `pending_classification` is in it, so a worker that
/// dies loses nothing.
package struct Worker: Sendable {
    private let enrichment: Enrichment
    private let sampling: Sampling
    private let lockPath: String
    private let pending: @Sendable () async throws -> [String]
    private let finish: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - pending: paths of pending notes, oldest first, as the files are now.
    ///   - finish: called after a round that changed something: index and vectors follow.
    package init(
        enrichment: Enrichment, sampling: Sampling, dataFolder: String,
        pending: @escaping @Sendable () async throws -> [String],
        finish: @escaping @Sendable () async throws -> Void
    ) {
        self.enrichment = enrichment
        self.sampling = sampling
        lockPath = "\(dataFolder)/worker.lock"
        self.pending = pending
        self.finish = finish
    }

    package func enrich(_ path: String) async throws -> Enrichment.Outcome {
        try await enrichment.enrich(path, sampling)
    }

    /// Works until nothing is pending, one worker a home: a second one ends at once.
    ///
    /// - Parameter quiet: waits until nothing was captured for so long, so that a burst of captures
    ///   is not slowed down. Notes that fail stay pending and are not tried again in this run.
    package func drain(
        quiet: Duration, onOutcome: @Sendable (Enrichment.Outcome) -> Void
    ) async throws {
        try Files.makeFolder(Files.parent(of: lockPath))
        guard let lock = try FileLock.acquire(lockPath) else { return }
        var tried: Set<String> = []
        var count = -1
        while true {
            let waiting = try await pending().filter { !tried.contains($0) }
            if waiting.isEmpty { break }
            if quiet > .zero, waiting.count != count {
                count = waiting.count
                try await Task.sleep(for: quiet)
                continue
            }
            for path in waiting {
                try Task.checkCancellation()
                tried.insert(path)
                do {
                    let outcome = try await enrichment.enrich(path, sampling)
                    if case .done(let newPath, _, _) = outcome { tried.insert(newPath) }
                    onOutcome(outcome)
                } catch let error as VaultError {
                    // Somebody edits this one just now; the next worker takes it.
                    if case .changedMeanwhile = error { continue }
                    throw error
                }
            }
            try await finish()
            count = -1
        }
        _ = consume lock
    }
}
