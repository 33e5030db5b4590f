internal import AuraSystem

/// Filing notes into the vaults they belong to.
extension Services {
    /// What `capture --vault auto` and `file` found out about one note.
    package struct FilingAnswer: Sendable, Equatable {
        /// Where it goes; nil when nothing is sure enough.
        package var vault: String?
        /// How much of it each vault claims, the most first; the sum is 1.
        package var shares: [(vault: String, share: Double)] = []
        /// Notes there that are like it, the most alike first, at most three.
        package var likeNotes: [(path: String, title: String)] = []

        package static func == (one: FilingAnswer, other: FilingAnswer) -> Bool {
            one.vault == other.vault && one.likeNotes.map(\.path) == other.likeNotes.map(\.path)
        }

        fileprivate init(_ shares: [(vault: String, share: Double)]) {
            let sorted = shares.sorted { ($1.share, $0.vault) < ($0.share, $1.vault) }
            self.shares = sorted
            guard let best = sorted.first else { return }
            let lead = best.share - (sorted.dropFirst().first?.share ?? 0)
            if lead >= Filing.margin { vault = best.vault }
        }
    }

    /// The word that stands for "find out yourself" where a vault is named.
    package static let anyVault = "auto"

    /// The vault that a new note is saved in, and whether it is to be filed from there.
    /// - Throws: `VaultError.unknownVault`.
    package func vaultForCapture(_ name: String?) throws -> (vault: String, isToBeFiled: Bool) {
        let name = name ?? settings.defaultVault
        if FoldedText.fold(name) == Services.anyVault { return (settings.inbox, true) }
        return (try vaultName(name), false)
    }

    /// Which vault a note belongs to: by its meaning where there is a model for that, else by the words it
    /// shares with notes that are filed.
    /// - Throws: `StoreError`.
    package func filing(
        of note: ModelNote, _ library: Library
    ) async throws -> FilingAnswer {
        var vaults = settings.vaults.map(\.name)
        for shelf in library.shelves {
            vaults += try await shelf.store.vaultNames().filter { !vaults.contains($0) }
        }
        vaults.removeAll { VaultPreset.isSame($0, settings.inbox) }
        if let answer = try await filingByMeaning(note, vaults, library) { return answer }
        return try await filingByWords(note, vaults, library)
    }

    private func filingByMeaning(
        _ note: ModelNote, _ vaults: [String], _ library: Library
    ) async throws -> FilingAnswer? {
        guard let embedder, let text = note.embeddedTexts.first else { return nil }
        var purposes: [String: String] = [:]
        for vault in settings.vaults where !vault.purpose.isEmpty {
            purposes[vault.name] = "\(vault.name): \(vault.purpose)"
        }
        let described = vaults.filter { purposes[$0] != nil }
        let texts = [text] + described.compactMap { purposes[$0] }
        guard
            let vectors = try? await embedder.vectors(
                for: texts, urgency: .interactive, within: .seconds(20)),
            vectors.count == texts.count, let vector = vectors.first?.values, !vector.isEmpty
        else { return nil }
        var examples: [Filing.Example] = []
        var notes: [(vault: String, note: Store.FiledNote)] = []
        for (number, vault) in vaults.enumerated() {
            for shelf in library.shelves {
                let found = try await shelf.store.filedNotes(
                    in: vault, model: embedder.modelName, dimensions: embedder.dimensions,
                    limit: Filing.examplesPerVault
                ).filter { $0.path != note.path }
                examples += found.map { Filing.Example(vault: number, vector: $0.vector) }
                notes += found.map { (vault, $0) }
            }
        }
        let places = Dictionary(zip(described, vectors.dropFirst())) { first, _ in first }
        let filing = Filing(
            examples: examples,
            purposes: vaults.map { vault in
                places[vault].flatMap { $0.values.isEmpty ? nil : $0.values }
            })
        var answer = FilingAnswer(Array(zip(vaults, filing.shares(of: vector))))
        let alike = notes.filter { $0.vault == answer.vault }.map { entry in
            (entry.note, Filing.product(entry.note.vector, vector))
        }.sorted { $0.1 > $1.1 }
        answer.likeNotes = alike.prefix(3).map { ($0.0.path, $0.0.title) }
        return answer
    }

    /// Votes of the notes that share most of its telling words.
    private func filingByWords(
        _ note: ModelNote, _ vaults: [String], _ library: Library
    ) async throws -> FilingAnswer {
        var hits: [Hit] = []
        for shelf in library.shelves {
            hits += try await Search(store: shelf.store).notes(
                sharingWordsWith: note, NoteFilter(), limit: 20)
        }
        var votes: [String: Double] = [:]
        for hit in hits where vaults.contains(hit.vault) {
            votes[hit.vault, default: 0] += hit.score
        }
        let sum = votes.values.reduce(0, +)
        guard sum > 0, hits.count >= 3 else { return FilingAnswer([]) }
        var answer = FilingAnswer(votes.map { ($0.key, $0.value / sum) })
        answer.likeNotes = hits.filter { $0.vault == answer.vault }.prefix(3).map {
            ($0.path, $0.title)
        }
        return answer
    }

    /// Moves a note into another vault, through a wall where there is one. Its vault field follows where
    /// it has one and can be rewritten; the folder is what counts.
    /// - Returns: the new path, and why the field stayed as it was.
    /// - Throws: `VaultError`, `SystemError`.
    package func move(
        _ found: FoundNote, from workspace: Workspace, to target: String, _ author: Journal.Author
    ) throws -> (path: String, complaint: (any Error)?) {
        let text = NoteText(bytes: found.bytes, path: found.path)
        let name = Files.name(of: found.path)
        let stem = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
        let suffix = text.note.id.map { String($0.text.suffix(6).lowercased()) } ?? "moved"
        var new = text.bytes
        var complaint: (any Error)?
        if text.note.id != nil {
            var edit = NoteEdit()
            edit.vault = target
            edit.modified = now()
            do {
                new = try text.applying(edit)
            } catch {
                complaint = error
            }
        }
        var entry = Journal.Entry(.move, note: text.note.id, path: found.path)
        entry.author = author
        if author == .person { entry.personFields = ["vault"] }
        let names =
            [name, "\(stem)-\(suffix).md"] + (2...50).map { "\(stem)-\(suffix)-\($0).md" }
        let there = try self.workspace(forVault: target)
        let (carried, attachments) = try there.files.takeAttachments(
            of: new, from: workspace.files, vault: VaultLayout.vault(of: found.path), to: target)
        let newPath =
            there.home.id == workspace.home.id
            ? try workspace.changes.move(
                found.path, old: text.bytes, new: carried, toFolder: target, names: names, entry)
            : try moveAcross(
                found.path, old: text.bytes, new: carried, from: workspace, to: there,
                toFolder: target, names: names, attachments: attachments, entry)
        return (newPath, complaint)
    }
}
