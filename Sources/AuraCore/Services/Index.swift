internal import AuraSystem

/// The index of a home, and what is asked of it.
extension Services {
    /// The index, brought up to date with the files first. What a person should know is said through `say`.
    package func freshStore(
        _ workspace: Workspace, thorough: Bool = false, _ say: (String) -> Void
    ) async throws -> Store {
        try await toldStore(workspace, thorough: thorough, say).store
    }

    /// The same, and how many files had to be left out, a sentence for each.
    func toldStore(
        _ workspace: Workspace, thorough: Bool, _ say: (String) -> Void
    ) async throws -> (store: Store, leftOut: Int) {
        let (store, report) = try await refreshedStore(workspace, thorough: thorough, say)
        for remark in report.skipped {
            say(
                "aura: left out of the index: \(SafeDisplay.visible(remark.path, keepsLines: false)): \(remark.text)"
            )
        }
        return (store, report.skipped.count)
    }

    /// - Parameters:
    ///   - anew: what the index knows is dropped first, and every note is read again.
    ///   - thorough: every file is looked at, which takes a while where there are many.
    package func refreshedStore(
        _ workspace: Workspace, anew: Bool = false, thorough: Bool = false,
        _ say: (String) -> Void = { _ in }
    ) async throws -> (Store, IndexReport) {
        let waiting = bringIn(workspace)
        // SQLite does not wait in every place (a log that another process is just making or ending),
        // so a busy index is tried again for two seconds.
        var attempts = 40
        var mayRebuild = true
        while true {
            do {
                let store = try Store(path: workspace.indexPath, key: workspace.indexKey)
                if case .rebuilt(let copy?) = store.opening { sayRebuilt(copy, say) }
                var report = IndexReport()
                do {
                    report = try await refresh(store, workspace, anew: anew, thorough: thorough)
                } catch let error as StoreError where error.isRefusal && store.opening == .found {
                    // What was indexed before can still be found.
                    say("aura: the index is older than the notes: \(error.message)")
                }
                report.skipped += waiting
                return (store, report)
            } catch let error as StoreError where anew && mayRebuild && error.isForeign {
                mayRebuild = false
                try dropIndex(workspace)
            } catch let error as StoreError where mayRebuild && error.isDamage {
                // It can be made from the notes; with a key, a damaged first page looks like a wrong one,
                // and the file's name says that the key is right.
                mayRebuild = false
                if let copy = try Store.setAside(workspace.indexPath) { sayRebuilt(copy, say) }
            } catch StoreError.busy where attempts > 0 {
                attempts -= 1
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Makes notes of what waited. What is for a vault that is locked by itself goes to that one's inbox.
    /// - Returns: what stays there, with the reason.
    @discardableResult
    package func bringIn(_ workspace: Workspace) -> [IndexReport.Remark] {
        var waiting: [IndexReport.Remark] = []
        for inbox in workspace.inboxes {
            inbox.bringIn(home: homePath) { draft, id, moment in
                var capture = workspace.capture
                if workspace.home.id == (try home().id) {
                    if let (other, _) = try inboxIfLocked(vault: draft.vault, workspace) {
                        try other.keep(
                            draft, home: homePath, id: id, at: moment ?? now(),
                            from: workspace.seal)
                        return
                    }
                    capture = try self.workspace(forVault: draft.vault, in: workspace).capture
                }
                _ = try (moment.map(capture.at) ?? capture).save(draft, id: id)
            } onFailure: { name, error in
                waiting.append(
                    IndexReport.Remark(
                        path: "inbox/\(name)",
                        text: error.explanation))
            }
        }
        return waiting
    }

    /// Takes an index that was found damaged out of the way: the next use makes it anew from the notes.
    package func setAsideIndex(_ error: StoreError, _ say: (String) -> Void) throws {
        guard error.isDamage else { return }
        if let copy = try Store.setAside(error.path) { sayRebuilt(copy, say) }
    }

    private func sayRebuilt(_ copy: String, _ say: (String) -> Void) {
        say("aura: the index was damaged and is made anew from the notes; the old one is \(copy)")
    }

    /// Files of an encrypted home that a move left half way are put right before.
    private func refresh(
        _ store: Store, _ workspace: Workspace, anew: Bool = false, thorough: Bool
    ) async throws -> IndexReport {
        let indexer = indexer(workspace, store)
        let report =
            anew
            ? try await indexer.rebuild() : try await indexer.refresh(thorough: thorough)
        guard !report.misplaced.isEmpty else { return report }
        try workspace.lock.holding {
            for name in report.misplaced { _ = try workspace.files.settle(name) }
        }
        return try await indexer.refresh(thorough: thorough)
    }

    /// Looks at the files of notes that are about to be shown, and brings the index up to date with them.
    /// - Returns: whether any had changed: then what was found is to be looked for again.
    func renew(_ paths: [String], _ workspace: Workspace, _ store: Store) async throws -> Bool {
        do {
            guard try await indexer(workspace, store).check(paths) else { return false }
            _ = try await refresh(store, workspace, thorough: false)
            return true
        } catch let error as StoreError where error.isRefusal {
            return false
        }
    }

    /// Files' times are from the system's clock, whatever time it is taken to be.
    private static let fileClock: @Sendable () -> Instant = {
        let (seconds, nanoseconds) = Host.now
        return Instant(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Takes the index away, so that the next use builds it anew: for a home that nobody else uses.
    package func dropIndex(_ workspace: Workspace) throws {
        for ending in ["", "-wal", "-shm"] { try Files.remove(workspace.indexPath + ending) }
    }

    private func indexer(_ workspace: Workspace, _ store: Store) -> Indexer {
        Indexer(
            store: store, source: workspace.files, zone: zone, now: Services.fileClock,
            unreachableFolders: { try workspace.files.unreadableFolders() })
    }

    /// Gives passages without a vector one, where there is an embedding model.
    /// - Parameter budget: how long it may take, about; nil until all are done.
    /// - Returns: how many passages gained one.
    @discardableResult
    package func embedMissing(
        _ workspace: Workspace, _ store: Store, within budget: Duration? = nil,
        onProgress: (Int, Int) -> Void = { _, _ in }
    ) async throws -> Int {
        guard let embedder else { return 0 }
        let deadline = budget.map { ContinuousClock.now + $0 }
        var total = 0
        while true {
            let report = try await indexer(workspace, store).embedMissing(
                with: embedder, budget: .seconds(2))
            total += report.embedded
            let counts = try await store.embeddedCount(
                model: embedder.modelName, dimensions: embedder.dimensions)
            onProgress(counts.done, counts.all)
            if report.isComplete { return total }
            if let deadline, ContinuousClock.now >= deadline { return total }
        }
    }

    // MARK: Looking

    /// Passages that may answer a question: from search, and from the latest notes.
    package func passages(
        for question: String, _ filter: NoteFilter, _ workspace: Workspace, _ store: Store
    ) async throws -> [Evidence.Passage] {
        let words = ContentWords.list(question)
        var query = SearchQuery(words.isEmpty ? question : words.joined(separator: " OR "))
        query.restrict(to: filter)
        // A few new notes get their vectors first; a large heap is left to the worker.
        _ = try? await embedMissing(workspace, store, within: .seconds(2))
        let vector = await queryVector(question, [store], patience: .seconds(20))
        let search = Search(store: store)
        var found = try await search.passages(
            for: query, mode: .hybrid, vector: vector, limit: 12)
        if try await renew(found.map(\.note.path), workspace, store) {
            found = try await search.passages(
                for: query, mode: .hybrid, vector: vector, limit: 12)
        }
        let seen = Set(found.map(\.note.path))
        let recent = try await store.list(filter, limit: 20)
            .filter { !seen.contains($0.path) && !$0.kind.isReport }
        let texts = try await store.passages(ofNotes: recent.map(\.number), limit: 1)
        for note in recent {
            guard let first = texts[note.number]?.first else { continue }
            found.append(
                PassageHit(
                    note: note, heading: first.heading, text: first.text, similarity: nil, score: 0)
            )
        }
        return found.map { hit in
            Evidence.Passage(
                path: hit.note.path, id: hit.note.id, title: hit.note.title, vault: hit.note.vault,
                kind: hit.note.kind, day: hit.note.day, text: hit.text, similarity: hit.similarity)
        }
    }

    /// Nil where no store has vectors of the model, too.
    func queryVector(
        _ text: String, _ stores: [Store], patience: Duration
    ) async -> Search.QueryVector? {
        guard let embedder, !text.isEmpty else { return nil }
        guard (try? await hasVectors(stores, of: embedder)) ?? false else { return nil }
        guard let embedding = await embedder.vector(for: text, within: patience) else { return nil }
        return Search.QueryVector(embedding: embedding, model: embedder.modelName)
    }

    /// Whether any of them can be searched by meaning.
    func hasVectors(_ stores: [Store], of embedder: any Embedder) async throws -> Bool {
        for store in stores {
            let isAny = try await store.hasVectors(
                model: embedder.modelName, dimensions: embedder.dimensions)
            if isAny { return true }
        }
        return false
    }

    var dateResolver: SearchQuery.DateResolver {
        { words in
            let found = DatePhrase.all(
                in: words, now: zone.local(now()), direction: .past, customs: dateCustoms)
            guard let phrase = found.first, phrase.firstDay <= phrase.lastDay,
                phrase.range == words.startIndex..<words.endIndex
            else { return nil }
            return phrase.firstDay...phrase.lastDay
        }
    }

    // MARK: Naming

    package struct FoundNote: Sendable {
        package let path: String
        package let bytes: [UInt8]
    }

    /// The note that a person means by a path, an id, a file name or a title; former paths count too.
    /// - Throws: `VaultError.noSuchNote`, `.ambiguousNote`.
    package func resolve(
        _ name: String, _ workspace: Workspace, _ say: (String) -> Void
    ) async throws -> FoundNote {
        // A path that is there needs no index.
        if VaultLayout.isSafe(name), VaultLayout.isNoteName(name),
            let bytes = try workspace.files.contents(of: name)
        {
            return FoundNote(path: name, bytes: bytes)
        }
        return try await resolve(name, workspace, freshStore(workspace, say))
    }

    package func resolve(
        _ name: String, _ workspace: Workspace, _ store: Store
    ) async throws -> FoundNote {
        switch try await store.note(named: name) {
        case .one(let record):
            guard let bytes = try workspace.files.contents(of: record.path) else {
                throw VaultError.noSuchNote(name: name, nearest: nil)
            }
            return FoundNote(path: record.path, bytes: bytes)
        case .several(let records):
            throw VaultError.ambiguousNote(name: name, paths: records.map(\.path))
        case .none(let nearest):
            if let path = try workspace.journal.currentPath(ofFormer: name),
                let bytes = try workspace.files.contents(of: path)
            {
                return FoundNote(path: path, bytes: bytes)
            }
            throw VaultError.noSuchNote(name: name, nearest: nearest)
        }
    }
}
