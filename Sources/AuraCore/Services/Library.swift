/// The vaults that are open, with their indexes, looked at as one: those of the home, and each that has a wall
/// of its own and is unlocked.
package struct Library: Sendable {
    package struct Shelf: Sendable {
        /// The one vault that lies here; nil for the home's own shelf, which has all the others.
        let vault: String?
        package let workspace: Workspace
        package let store: Store
        /// Files that did not open: no answer knows what they say. Each was told.
        package let leftOut: Int
    }

    /// The home's own first. Never empty.
    package let shelves: [Shelf]
    /// Names of the vaults that are locked by themselves.
    package let locked: [String]

    /// What keeps an open vault's notes.
    package func workspace(forVault vault: String) -> Workspace {
        (shelves.first { $0.vault == vault } ?? shelves[0]).workspace
    }

    /// No file was left out.
    package var isComplete: Bool { shelves.allSatisfy { $0.leftOut == 0 } }

    /// The notes that pass the filter, from all shelves in one order.
    package func list(
        _ filter: NoteFilter = NoteFilter(), order: Store.Order = .newestFirst, limit: Int = .max
    ) async throws -> [NoteRecord] {
        var found: [NoteRecord] = []
        for shelf in shelves {
            found += try await shelf.store.list(filter, order: order, limit: limit)
        }
        guard shelves.count > 1 else { return found }
        return Array(found.sorted(by: order.precedes).prefix(limit))
    }

    /// As `Store.tagCounts`, added up.
    package func tagCounts(_ filter: NoteFilter) async throws -> [(tag: String, count: Int)] {
        guard shelves.count > 1 else { return try await shelves[0].store.tagCounts(filter) }
        var counts: [String: (tag: String, count: Int)] = [:]
        for shelf in shelves {
            for (tag, count) in try await shelf.store.tagCounts(filter) {
                counts[FoldedText.fold(tag), default: (tag, 0)].count += count
            }
        }
        return counts.values.sorted { ($1.count, $0.tag) < ($0.count, $1.tag) }
    }
}

extension Services {
    /// The home and its open walls.
    /// - Throws: as `workspace()`.
    package func openWorkspaces() throws -> [Workspace] {
        let main = try workspace()
        return [main] + (try walls(of: main).compactMap { try workspace(of: $0, in: main) })
    }

    /// Everything open, brought up to date with the files first.
    /// - Parameters:
    ///   - vaults: those that are asked for; one that is locked by itself is an error.
    ///   - thorough: as for `refreshedStore`.
    /// - Throws: `SealError.vaultLocked`.
    package func library(
        vaults: [String] = [], thorough: Bool = false, _ say: (String) -> Void
    ) async throws -> Library {
        let main = try workspace()
        var open: [(vault: String?, workspace: Workspace)] = [(nil, main)]
        var locked: [String] = []
        for wall in try walls(of: main) {
            if !wall.isComplete {
                say(
                    "aura: the lock of \(wall.vault) was not finished: some of its notes lie among the others; "
                        + "'aura vaults lock \(wall.vault)' goes on")
            }
            if let workspace = try workspace(of: wall, in: main) {
                open.append((wall.vault, workspace))
            } else if vaults.contains(wall.vault) {
                throw SealError.vaultLocked(name: wall.vault)
            } else {
                locked.append(wall.vault)
            }
        }
        var shelves: [Library.Shelf] = []
        for (vault, workspace) in open {
            let (store, leftOut) = try await toldStore(
                workspace, thorough: thorough, say)
            shelves.append(
                Library.Shelf(
                    vault: vault, workspace: workspace, store: store, leftOut: leftOut))
        }
        return Library(shelves: shelves, locked: locked)
    }

    /// The note that a person means, in whichever open vault it lies, and where it is kept.
    /// - Throws: as `resolve`; `SealError.vaultLocked` for a path into a vault that is locked by itself.
    package func locate(
        _ name: String, _ say: (String) -> Void
    ) async throws -> (workspace: Workspace, note: FoundNote) {
        // A path that is there needs no index.
        if VaultLayout.isSafe(name) {
            let workspace = try workspace(forVault: VaultLayout.vault(of: name))
            if VaultLayout.isNoteName(name), let bytes = try workspace.files.contents(of: name) {
                return (workspace, FoundNote(path: name, bytes: bytes))
            }
        }
        return try await locate(name, in: library(say))
    }

    package func locate(
        _ name: String, in library: Library
    ) async throws -> (workspace: Workspace, note: FoundNote) {
        var found: [(Workspace, FoundNote)] = []
        var failure: (any Error)?
        for shelf in library.shelves {
            do {
                found.append(
                    (shelf.workspace, try await resolve(name, shelf.workspace, shelf.store)))
            } catch let error as VaultError {
                if case .ambiguousNote = error { throw error }
                failure = failure ?? error
            }
        }
        if found.count > 1 {
            throw VaultError.ambiguousNote(name: name, paths: found.map { $0.1.path })
        }
        guard let only = found.first else {
            throw failure ?? VaultError.noSuchNote(name: name, nearest: nil)
        }
        return only
    }

    /// As `locate`, for notes in the trash, too.
    package func locatePast(
        _ name: String, _ say: (String) -> Void
    ) async throws -> (workspace: Workspace, note: PastNote) {
        // A path into a vault that is locked by itself says so.
        if VaultLayout.isSafe(name) { _ = try workspace(forVault: VaultLayout.vault(of: name)) }
        var failure: (any Error)?
        for workspace in try openWorkspaces() {
            do {
                return (workspace, try await pastNote(name, workspace, say))
            } catch let error as VaultError {
                guard case .noSuchNote = error else { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? VaultError.noSuchNote(name: name, nearest: nil)
    }

    /// Of all shelves together.
    package func figures(_ library: Library) async throws -> Figures {
        var sum = Figures(notes: 0, pending: 0, passages: 0, embedded: 0)
        for shelf in library.shelves {
            let figures = try await figures(shelf.store)
            sum = Figures(
                notes: sum.notes + figures.notes, pending: sum.pending + figures.pending,
                passages: sum.passages + figures.passages,
                embedded: sum.embedded + figures.embedded)
        }
        return sum
    }

    // MARK: Looking

    /// As `Search`, over all shelves as one. Notes whose files changed meanwhile are read again first.
    /// - Parameter patience: how long the query's vector may take; without one words alone decide.
    package func search(
        _ query: String, _ filter: NoteFilter, mode: Search.Mode, limit: Int, _ library: Library,
        patience: Duration, quoting: Bool = true
    ) async throws -> Search.Results {
        var parsed = SearchQuery(query, dates: dateResolver)
        parsed.restrict(to: filter)
        let search = Search(stores: library.shelves.map(\.store))
        let vector =
            mode == .keyword
            ? nil : await queryVector(parsed.meaning, search.stores, patience: patience)
        func look() async throws -> Search.Results {
            try await search.hits(
                for: parsed, mode: mode, vector: vector, limit: limit, quoting: quoting)
        }
        var all = try await look()
        if try await renew(all.hits.map(\.path), library) { all = try await look() }
        if !library.locked.isEmpty {
            let wanted = parsed.filter.vaults
            for vault in library.locked
            where wanted.contains(where: { FoldedText.fold($0) == FoldedText.fold(vault) }) {
                all.remarks.append(
                    "the vault '\(vault)' is locked: 'aura vaults unlock \(vault)' opens it")
            }
        }
        return all
    }

    /// Whether any of the notes, which are about to be shown, had changed.
    private func renew(_ paths: [String], _ library: Library) async throws -> Bool {
        var isAny = false
        for shelf in library.shelves {
            if try await renew(paths, shelf.workspace, shelf.store) { isAny = true }
        }
        return isAny
    }

    /// Passages that may answer a question, from all shelves.
    package func passages(
        for question: String, _ filter: NoteFilter, _ library: Library
    ) async throws -> [Evidence.Passage] {
        var found: [Evidence.Passage] = []
        for shelf in library.shelves {
            found += try await passages(for: question, filter, shelf.workspace, shelf.store)
        }
        return found
    }
}
