internal import AuraSystem

/// Earlier versions of notes, and taking changes back.
extension Services {
    package func undo(_ workspace: Workspace) throws -> Undo {
        Undo(changes: workspace.changes, zone: zone, mayHold: try keeping(workspace))
    }

    /// A note that is there, or lies in the trash.
    package struct PastNote: Sendable {
        package let subject: History.Subject
        /// What it holds.
        package let bytes: [UInt8]
        /// Nil when it is not in the trash.
        package let trashItem: Trash.Item?
    }

    /// The note that a person means; what is in the trash counts where no other note has the name.
    /// - Throws: `VaultError.noSuchNote`, `.ambiguousNote`.
    package func pastNote(
        _ name: String, _ workspace: Workspace, _ say: (String) -> Void
    ) async throws -> PastNote {
        do {
            let found = try await resolve(name, workspace, say)
            let id = NoteText(bytes: found.bytes, path: found.path).note.id
            return PastNote(
                subject: History.Subject(note: id, path: found.path), bytes: found.bytes,
                trashItem: nil)
        } catch let error as VaultError {
            guard case .noSuchNote = error else { throw error }
            let latest = try workspace.journal.currentPath(ofFormer: name) ?? name
            for item in try workspace.trash.items() {
                let bytes = try workspace.trash.contents(of: item)
                let note = NoteText(bytes: bytes, path: item.path).note
                let names = [
                    item.key, Files.name(of: item.path), note.id?.text ?? item.key,
                ]
                let isMeant =
                    item.path == latest || names.contains(name)
                    || names.contains(name.uppercased())
                    || FoldedText.fold(note.title) == FoldedText.fold(name)
                guard isMeant else { continue }
                return PastNote(
                    subject: History.Subject(note: note.id, path: item.path), bytes: bytes,
                    trashItem: item)
            }
            throw error
        }
    }

    /// The version that a person means: its number in the history, a time, or a time in words.
    /// - Throws: `MomentError`, `HistoryError`.
    package func version(_ words: String, of history: History) throws -> History.Version {
        let words = words.trimmingBlanks()
        if words.utf8.count <= 6, let number = Int(words) {
            return try history.version(number: number)
        }
        return try history.version(at: moment(words))
    }

    /// A moment gone by: ISO, or words (`yesterday 9am`). A day alone means its end, and so does any
    /// longer stretch.
    /// - Throws: `MomentError`.
    package func moment(_ words: String) throws -> Instant {
        if let day = Day(iso: words) {
            return zone.instant(day.adding(days: 1), .midnight).adding(seconds: -1)
        }
        if let moment = Services.instant(words, zone) { return moment }
        if ["now", "today"].contains(words.lowercased()) { return now() }
        let found = DatePhrase.all(
            in: words, now: zone.local(now()), direction: .past, customs: dateCustoms)
        // What is only half understood would bring back the wrong version.
        guard found.count == 1, let phrase = found.first,
            phrase.range == words.startIndex..<words.endIndex
        else { throw MomentError(words: words) }
        if phrase.grain == .minute || phrase.grain == .hour {
            return zone.instant(phrase.start.day, phrase.start.time, second: phrase.start.second)
        }
        return zone.instant(phrase.end.day, phrase.end.time).adding(seconds: -1)
    }
}

/// Words that name no moment.
package struct MomentError: Explained, Equatable {
    package let words: String
    package var message: String { "'\(words)' names no moment and no version" }
    package var hint: String? {
        "write it as '2026-03-09 14:00', in words: 'yesterday 9am', or as a number from 'aura history'"
    }
}

// MARK: - Forgetting

extension Services {
    /// Takes the texts that the setting `history.days` no longer keeps out of the journal; once a day.
    func forgetOldTexts(_ workspace: Workspace) {
        guard settings.historyDays > 0 else { return }
        let stamp = "\(workspace.dataFolder)/history-day"
        let today = Array("\(today)\n".utf8)
        guard (try? Files.bytes(at: stamp, limit: 64)) != today else { return }
        let limit = now().adding(seconds: -86_400 * Int64(settings.historyDays))
        // Failing is no error: the next day tries again.
        guard (try? workspace.changes.forgetTexts(before: limit)) != nil else { return }
        try? AtomicFile.replace(stamp, today)
    }
}
