internal import AuraSystem

/// Thoughts that could not become notes yet: their home was out of reach, or locked.
///
/// One file a thought, `<id>.json`, sealed where the home is encrypted; attachments of a locked home lie
/// beside it, sealed too. Whatever runs next with the home in reach and open brings them in.
package struct Inbox: Sendable {
    private let folder: String
    /// Nil for a plain home.
    private let seal: FileSeal?

    package init(folder: String, seal: FileSeal? = nil) {
        self.folder = folder
        self.seal = seal
    }

    private var ending: String { seal == nil ? ".json" : ".json\(FileSeal.ending)" }

    /// Keeps a draft and tells its file; it is on the disk when this returns.
    ///
    /// Attachments are sealed into the inbox; of a plain home they stay where they are and are copied when
    /// the note is made.
    /// - Parameter other: what sealed attachments are sealed with now; only for drafts of another inbox.
    @discardableResult
    package func keep(
        _ draft: Capture.Draft, home: String, id: NoteID, at moment: Instant,
        from other: FileSeal? = nil
    ) throws -> String {
        try Files.makeFolder(folder)
        var attachments: [JSONValue] = []
        for (index, attachment) in draft.attachments.enumerated() {
            var path = attachment.path
            if let seal {
                path = "\(folder)/\(id)-\(index)\(FileSeal.ending)"
                if let other, attachment.isSealed {
                    try SealedStream.reseal(
                        attachment.path, other, to: path, seal, label: attachment.name)
                } else {
                    try SealedStream.seal(attachment.path, to: path, seal, label: attachment.name)
                }
            }
            attachments.append(
                .record([("path", .string(path)), ("name", .string(attachment.name))]))
        }
        var fields: [(String, JSONValue)] = [
            ("home", .string(home)), ("created", .string(moment.iso8601)),
            ("text", .string(draft.text)), ("vault", .string(draft.vault)),
            ("tags", .array(draft.tags.map { .string($0) })), ("attachments", .array(attachments)),
        ]
        if let title = draft.title { fields.append(("title", .string(title))) }
        if let kind = draft.kind { fields.append(("type", .string(kind.rawValue))) }
        if let raw = draft.raw { fields.append(("raw", .string(Base64.text(raw)))) }
        let bytes = Array((JSONValue.record(fields).serialized + "\n").utf8)
        let path = "\(folder)/\(id)\(ending)"
        try AtomicFile.create(path, seal?.sealed(bytes) ?? bytes)
        return path
    }

    /// How many thoughts wait for a home. Those of an encrypted home are counted unopened.
    package func count(home: String) -> Int {
        seal == nil ? keys().count { (try? draft($0, home: home)) != nil } : keys().count
    }

    /// Takes all that wait for this home, oldest first. One that fails
    /// stays for the next time.
    ///
    /// A thought keeps the time at which it was had, so that its "tomorrow" stays that day, and its
    /// id: who is killed between the note and the removal makes no second note the next time. Nothing
    /// is done while another process brings them in.
    /// - Parameters:
    ///   - file: makes a note of a draft, or hands it to another inbox.
    ///   - onFailure: is told the name of each file that stays, and why.
    /// - Returns: how many were taken.
    @discardableResult
    package func bringIn(
        home: String, _ file: (Capture.Draft, NoteID, Instant?) throws -> Void,
        onFailure: (String, any Error) -> Void = { _, _ in }
    ) -> Int {
        guard !keys().isEmpty, seal == nil || seal?.keys != nil,
            let lock = try? FileLock.acquire("\(folder)/lock")
        else { return 0 }
        var count = 0
        // Listed under the lock: another process may have brought some in before it was ours.
        for key in keys() {
            let waiting: Waiting
            do {
                guard let found = try draft(key, home: home) else { continue }
                waiting = found
                try file(waiting.draft, waiting.id, waiting.moment)
            } catch {
                onFailure(key, error)
                continue
            }
            try? Files.remove("\(folder)/\(key)")
            for attachment in waiting.draft.attachments where attachment.isSealed {
                try? Files.remove(attachment.path)
            }
            count += 1
        }
        _ = consume lock
        return count
    }

    private struct Waiting {
        let id: NoteID
        let moment: Instant?
        let draft: Capture.Draft
    }

    /// Names of the waiting files, oldest first.
    private func keys() -> [String] {
        ((try? Files.names(of: folder)) ?? [])
            .filter { $0.hasSuffix(ending) && !$0.hasPrefix(AtomicFile.temporaryPrefix) }.sorted()
    }

    /// Nil for one of another home, and for a file that is none of ours.
    /// - Throws: `SealError`, `SystemError`.
    private func draft(_ name: String, home: String) throws -> Waiting? {
        let stored = try Files.bytes(at: "\(folder)/\(name)")
        let bytes = try seal?.opened(stored, name: name).bytes ?? stored
        guard let id = NoteID(name.prefix(26)), let json = JSONValue.read(bytes),
            let text = json["text"]?.text, let vault = json["vault"]?.text,
            // A sealed one waits in its own home, wherever that lies now.
            seal != nil || json["home"]?.text == home
        else { return nil }
        let files = json["attachments"]?.elements?.compactMap { value in
            value["path"]?.text.map { path in
                // A home may have been moved with its inbox.
                let isSealed = seal != nil && path.hasSuffix(FileSeal.ending)
                return Capture.Draft.Attachment(
                    path: isSealed ? "\(folder)/\(Files.name(of: path))" : path,
                    name: value["name"]?.text, isSealed: isSealed)
            }
        }
        return Waiting(
            id: id, moment: json["created"]?.text.flatMap { Instant(iso8601: $0) },
            draft: Capture.Draft(
                text: text, vault: vault, title: json["title"]?.text,
                kind: json["type"]?.text.flatMap(NoteKind.init(rawValue:)),
                tags: json["tags"]?.elements?.compactMap(\.text) ?? [],
                raw: json["raw"]?.text.flatMap { Base64.bytes($0) }, attachments: files ?? []))
    }
}
