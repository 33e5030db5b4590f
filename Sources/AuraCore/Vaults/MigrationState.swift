internal import AuraSystem

extension Migration {
    package enum Direction: String, Sendable {
        case encrypt, decrypt

        /// What the home is in the end.
        package var sealing: VaultHome.Sealing { self == .encrypt ? .age : .plain }
        /// What it is before.
        package var formerSealing: VaultHome.Sealing { self == .encrypt ? .plain : .age }
    }

    /// How far it has come. Up to `verify` the home is what it was and everything can be taken back; from
    /// `commit` on it is of the new kind and can only go on.
    package enum Phase: String, Sendable {
        case copy, verify, commit, remove

        package var canGoBack: Bool { self == .copy || self == .verify }
    }

    /// What is written down, so that any later run goes on where one was stopped.
    package struct State: Sendable, Equatable {
        package let direction: Direction
        package var phase: Phase
        package let started: Instant
        /// The keys were made for this migration: they sealed nothing else.
        package let hasNewKeys: Bool

        package init(
            direction: Direction, phase: Phase = .copy, started: Instant, hasNewKeys: Bool = false
        ) {
            self.direction = direction
            self.phase = phase
            self.started = started
            self.hasNewKeys = hasNewKeys
        }

        /// Nil when no migration is under way.
        /// - Throws: `MigrationError.damagedState`.
        package static func read(_ layout: VaultLayout) throws -> State? {
            let bytes: [UInt8]
            do {
                bytes = try Files.bytes(at: layout.migration, limit: 65_536)
            } catch {
                if error.isNotFound { return nil }
                throw error
            }
            guard let json = JSONValue.read(bytes),
                let direction = json["direction"]?.text.flatMap(Direction.init(rawValue:)),
                let phase = json["phase"]?.text.flatMap(Phase.init(rawValue:)),
                let started = json["started"]?.text.flatMap({ Instant(iso8601: $0) })
            else { throw MigrationError.damagedState(path: layout.migration) }
            return State(
                direction: direction, phase: phase, started: started,
                hasNewKeys: json["new_keys"]?.bool ?? false)
        }

        package func write(_ layout: VaultLayout) throws {
            let json = JSONValue.record([
                ("direction", .string(direction.rawValue)), ("phase", .string(phase.rawValue)),
                ("started", .string(started.iso8601)), ("new_keys", .bool(hasNewKeys)),
            ])
            try AtomicFile.replace(layout.migration, Array((json.serialized + "\n").utf8))
        }
    }
}

/// What was copied, for a run that goes on after another: which copies are ours, and of what.
///
/// A line for each copy, `<mark of the file> <mark of the file and its digest>`; the last one of a file counts.
/// The marks are made with the key of the names, so the log tells nobody else a path or a digest.
struct MigrationLog {
    private let path: String
    private let keys: HomeKeys
    private var marks: [String: String] = [:]

    private static let markLength = 13

    init(_ layout: VaultLayout, keys: HomeKeys) throws {
        path = "\(layout.staging)/log"
        self.keys = keys
        let bytes: [UInt8]
        do {
            bytes = try Files.bytes(at: path)
        } catch {
            guard error.isNotFound else { throw error }
            return
        }
        // A line that was not finished is none.
        for line in bytes.split(separator: 0x0A) where line.count == 2 * Self.markLength + 1 {
            let text = String(decoding: line, as: UTF8.self)
            marks[String(text.prefix(Self.markLength))] = String(text.suffix(Self.markLength))
        }
    }

    /// Whether a copy of that file was ever made.
    func knows(_ key: String) -> Bool { marks[keys.tag(of: "log\0\(key)")] != nil }

    /// Whether the file's latest copy was one of these bytes.
    func contains(_ key: String, _ digest: ContentDigest) -> Bool {
        marks[keys.tag(of: "log\0\(key)")] == keys.tag(of: "log\0\(key)\0\(digest.text)")
    }

    /// It is on the disk when this returns.
    mutating func add(_ copies: [(key: String, digest: ContentDigest)]) throws {
        // A line that was cut off before must not run into the first of these.
        var text = "\n"
        for (key, digest) in copies {
            let mark = keys.tag(of: "log\0\(key)")
            let value = keys.tag(of: "log\0\(key)\0\(digest.text)")
            text += "\(mark) \(value)\n"
            marks[mark] = value
        }
        let file = try FileDescriptor.open(path, for: .append)
        try file.write(text.utf8)
        try file.flush()
    }

    func remove() throws { try Files.remove(path) }
}
