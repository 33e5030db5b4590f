/// Brings the index up to date with the files, and with the embedding model.
package struct Indexer: Sendable {
    package var store: Store
    package var source: any NoteSource
    /// Makes a note out of a file's bytes; the second argument is its path. What it throws makes the
    /// file a skipped one.
    package var read: @Sendable ([UInt8], String) throws -> IndexedNote
    package var zone: Zone
    /// The clock that the files' times are from.
    package var now: @Sendable () -> Instant
    /// Folders that could not be listed; notes in them are kept in the index.
    package var unreachableFolders: @Sendable () throws -> [String]

    package init(
        store: Store, source: any NoteSource, zone: Zone, now: @escaping @Sendable () -> Instant,
        unreachableFolders: @escaping @Sendable () throws -> [String] = { [] },
        read: @escaping @Sendable ([UInt8], String) throws -> IndexedNote = {
            IndexedNote(NoteText(bytes: $0, path: $1))
        }
    ) {
        self.store = store
        self.source = source
        self.zone = zone
        self.now = now
        self.unreachableFolders = unreachableFolders
        self.read = read
    }

    /// Changes become visible in steps of so many notes or bytes, whichever is reached first.
    static let notesPerStep = 2000
    static let bytesPerStep: Int64 = 8 << 20
    /// Reading words takes longer than writing them, so two steps are read while two are written.
    static let stepsAtOnce = 2
    /// A file changed this short a time ago may change again without another time stamp.
    static let clockStep: Int64 = 50_000_000

    /// Compares the files with the index and takes over what differs.
    ///
    /// A quick look stats the folders, lists those that changed by names, and stats some files in turn
    /// (see `QuickLook`); a thorough one stats every file. Files whose time, size and inode are unchanged
    /// are not opened. Stopping half way (an error, a cancelled task) leaves the steps that were done;
    /// the next refresh goes on from there.
    /// - Throws: `StoreError`, what the source's listing throws, `CancellationError`.
    package func refresh(thorough: Bool = true) async throws -> IndexReport {
        if try await store.hasOutdatedWords() { try await store.rewriteWords() }
        if !thorough {
            var look = QuickLook(store, source)
            if let found = try await look.run() { return try await take(found) }
        }
        let survey = try source.survey()
        let fingerprint = Indexer.fingerprint(of: survey.files)
        if try await store.listing() == fingerprint {
            try await keep(survey.folders)
            return IndexReport()
        }
        var plan = Plan(files: survey.files, records: try await store.files())
        if !plan.gone.isEmpty { try plan.keep(folders: unreachableFolders()) }
        let report = try await carry(plan, listing: fingerprint)
        try await keep(survey.folders)
        return report
    }

    private func take(_ look: QuickLook.Found) async throws -> IndexReport {
        var report = IndexReport()
        if !look.plan.isEmpty { report = try await carry(look.plan, listing: nil) }
        if let folders = look.folders { try await keep(folders) }
        if let number = look.lookedAt {
            // A place in going round is worth no error: an index that may not be written stays as it is.
            try? await store.setLookedAt(number)
        }
        return report
    }

    /// Brings the index up to date with notes that are about to be shown.
    /// - Returns: whether any of them had changed.
    package func check(_ paths: [String]) async throws -> Bool {
        var changed: [Int] = []
        for record in try await store.files(ofPaths: paths) where record.file.modified != -1 {
            if try source.file(record.file.name) != record.file { changed.append(record.number) }
        }
        guard !changed.isEmpty else { return false }
        try await store.distrust(changed)
        return true
    }

    /// A folder that was changed this short a time ago may change again without another time stamp.
    private func keep(_ folders: [NoteFolder]) async throws {
        let now = nanoseconds
        let kept = folders.map { folder in
            var folder = folder
            if Indexer.isYoung(folder.modified, at: now) { folder.modified = -1 }
            return folder
        }
        guard try await Set(store.folders()) != Set(kept) else { return }
        do throws(StoreError) {
            try await store.keep(kept)
        } catch {
            // An index that may not be written is looked at as thoroughly the next time.
            guard error.isRefusal else { throw error }
        }
    }

    private var nanoseconds: Int64 {
        let now = now()
        return now.seconds * 1_000_000_000 + Int64(now.nanoseconds)
    }

    /// Some file systems keep whole seconds, or even ones.
    static func isYoung(_ modified: Int64, at now: Int64) -> Bool {
        let step = modified % 1_000_000_000 == 0 ? 2_100_000_000 : Indexer.clockStep
        return abs(now - modified) < step
    }

    /// - Parameter listing: kept when all was taken over.
    private func carry(_ plan: Plan, listing: UInt64?) async throws -> IndexReport {
        var report = IndexReport()
        report.removed = plan.gone.map(\.path).sorted()
        var removal = Store.Changes()
        removal.removed = plan.gone.map(\.number)
        try await store.apply(removal)

        // The next steps are read while those before are written.
        let steps = plan.steps()
        let scoring = await store.scoring
        var isSettled = true
        var leftOut: Set<String> = []
        var prepared = await prepare(steps.prefix(Indexer.stepsAtOnce), scoring)
        var done = 0
        repeat {
            let after = done + prepared.count
            async let following = prepare(
                steps.dropFirst(after).prefix(Indexer.stepsAtOnce), scoring)
            for step in prepared {
                try Task.checkCancellation()
                done += 1
                report.add(step)
                isSettled = isSettled && step.isSettled
                leftOut.formUnion(step.leftOut)
                var changes = step.changes
                if done == steps.count, isSettled { changes.listing = listing }
                try await store.apply(changes)
            }
            prepared = await following
        } while !prepared.isEmpty
        if steps.isEmpty, let listing {
            var changes = Store.Changes()
            changes.listing = listing
            try await store.apply(changes)
        }
        try await store.setLeftOut(leftOut)
        // Many steps leave many segments, and whoever asks for so much waits anyway.
        if steps.count > 1 {
            try await store.mergeAllSegments()
        } else {
            try await store.mergeSegments(upTo: Store.quickMerge)
        }
        report.sort()
        return report
    }

    /// Drops what the index knows and reads every note again.
    package func rebuild() async throws -> IndexReport {
        try await store.clear()
        return try await refresh()
    }

    // MARK: Reading

    fileprivate struct Prepared: Sendable {
        var changes = Store.Changes()
        var report = IndexReport()
        /// Nothing was skipped, and no file is so young that it may change unseen.
        var isSettled = true
        /// Names of files that did not open.
        var leftOut: Set<String> = []
    }

    /// Several steps at a time, in their order.
    private func prepare(
        _ steps: ArraySlice<[Plan.Item]>, _ scoring: WordScoring
    ) async -> [Prepared] {
        await withTaskGroup(of: (Int, Prepared).self) { group in
            for (place, step) in steps.enumerated() {
                group.addTask { (place, prepare(step, scoring)) }
            }
            var prepared = [Prepared](repeating: Prepared(), count: steps.count)
            for await (place, step) in group { prepared[place] = step }
            return prepared
        }
    }

    private func prepare(_ step: [Plan.Item], _ scoring: WordScoring) -> Prepared {
        var prepared = Prepared()
        let now = nanoseconds
        for item in step {
            if Task.isCancelled { break }
            do {
                guard let opened = try source.open(item.file.name) else {
                    // Gone since the listing.
                    if let old = item.record {
                        prepared.changes.removed.append(old.number)
                        prepared.report.removed.append(old.path)
                    }
                    prepared.isSettled = false
                    continue
                }
                let (path, bytes) = (opened.path, opened.bytes)
                var file = item.file
                if Indexer.isYoung(file.modified, at: now) {
                    file.modified = -1
                    prepared.isSettled = false
                }
                let hash = FNV1a.hash(bytes.span)
                if let old = item.record, old.hash == hash, old.path.isSameBytes(as: path) {
                    prepared.changes.touched.append(
                        Store.FileRecord(
                            number: old.number, file: file, path: path, hash: hash))
                    continue
                }
                let content = try read(bytes, path)
                let moment = moment(of: content.note, path, item.file)
                prepared.changes.entries.append(
                    Store.Changes.Entry(
                        file: file, path: path, hash: hash, content: content, moment: moment,
                        day: zone.local(moment).day, replacing: item.record?.number))
                prepared.report.warnings += content.warnings.map {
                    IndexReport.Remark(path: path, text: $0)
                }
                if item.record == nil {
                    prepared.report.added.append(path)
                } else {
                    prepared.report.changed.append(path)
                }
            } catch VaultError.misplaced(let name) {
                prepared.isSettled = false
                prepared.leftOut.insert(name)
                prepared.report.misplaced.append(name)
            } catch {
                prepared.isSettled = false
                prepared.leftOut.insert(item.file.name)
                prepared.report.skipped.append(
                    IndexReport.Remark(
                        path: item.record?.path ?? item.file.name,
                        text: error.explanation))
            }
        }
        prepared.changes.readWords(scoring)
        return prepared
    }

    /// When the note was made: it says so, or its name begins with a day, or else the file's time.
    private func moment(of note: Note, _ path: String, _ file: NoteFile) -> Instant {
        if let created = note.created { return created }
        let name = path.split(separator: "/").last ?? ""
        if let day = Day(iso: name.prefix(10)), let noon = TimeOfDay(hour: 12, minute: 0) {
            return zone.instant(day, noon)
        }
        return Instant(seconds: file.modified / 1_000_000_000)
    }

    private static func mixed(_ value: UInt64, _ number: UInt64) -> UInt64 {
        let product = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }

    /// One number for a listing in any order.
    private static func fingerprint(of files: [NoteFile]) -> UInt64 {
        var sum: UInt64 = 0
        for file in files {
            var value = FNV1a.hash(file.name.utf8)
            value = mixed(value, UInt64(bitPattern: file.size))
            value = mixed(value, UInt64(bitPattern: file.modified))
            value = mixed(value, file.inode)
            sum &+= value
        }
        // Never what a listing of nothing has by chance.
        return sum ^ UInt64(files.count)
    }
}

// MARK: - Vectors

extension Indexer {
    /// How far a call of `embedMissing` came.
    package struct EmbeddingReport: Hashable, Sendable {
        package var embedded = 0
        /// Passages the model has no vector for; they are found by words only.
        package var without = 0
        package var isComplete = false
    }

    /// Passages handed to the model at once.
    static let passagesPerBatch = 32

    /// Gives passages without a vector of this model one. Every batch is kept at once, so stopping
    /// loses at most one batch and the next call goes on.
    /// - Parameter budget: how long it may take; at least one batch is done. Nil: until all are done.
    /// - Throws: `StoreError`, `ModelError`, `CancellationError`.
    package func embedMissing(
        with embedder: any Embedder, budget: Duration? = nil
    ) async throws -> EmbeddingReport {
        var report = EmbeddingReport()
        let deadline = budget.map { ContinuousClock.now + $0 }
        var last = 0
        while true {
            try Task.checkCancellation()
            let passages = try await store.unembedded(
                model: embedder.modelName, dimensions: embedder.dimensions, after: last,
                limit: Indexer.passagesPerBatch)
            guard let end = passages.last else {
                report.isComplete = true
                try await store.removeReplacedVectors(
                    model: embedder.modelName, dimensions: embedder.dimensions)
                return report
            }
            let vectors = try await embedder.vectors(for: passages.map(\.embeddedText))
            guard vectors.count == passages.count else {
                throw ModelError.refused(
                    "\(embedder.modelName) gave \(vectors.count) vectors for \(passages.count) texts"
                )
            }
            try await store.addVectors(
                Array(zip(passages, vectors)).map { (passage: $0, vector: $1) },
                model: embedder.modelName, dimensions: embedder.dimensions)
            let without = vectors.count { $0.values.isEmpty || !$0.values.allSatisfy(\.isFinite) }
            report.embedded += vectors.count - without
            report.without += without
            last = end.number
            if let deadline, ContinuousClock.now >= deadline { return report }
        }
    }
}

extension IndexReport {
    fileprivate mutating func add(_ prepared: Indexer.Prepared) {
        added += prepared.report.added
        changed += prepared.report.changed
        removed += prepared.report.removed
        skipped += prepared.report.skipped
        misplaced += prepared.report.misplaced
        warnings += prepared.report.warnings
    }

    fileprivate mutating func sort() {
        added.sort()
        changed.sort()
        removed.sort()
        skipped.sort { $0.path < $1.path }
        warnings.sort { $0.path < $1.path }
    }
}
