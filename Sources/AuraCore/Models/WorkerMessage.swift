package import AuraSystem

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What programs and the model server say to each other: four bytes of length, then one JSON object of that length.
///
/// A connection carries one request and its replies. The server answers `accepted` at once, so that a client knows
/// whether a connection that ends was ever taken up.
package enum WorkerMessage {
    /// Raised when an older server could not understand; it is then told to end and a new one is started.
    package static let version = 1
    /// A longer message is a mistake or an attack.
    package static let mostBytes = 16 << 20

    /// Which model files to use and how. The server reloads when they change.
    package struct Models: Codable, Hashable, Sendable {
        package var chat: String?
        package var embedding: String?
        package var threads: Int
        package var context: Int
    }

    package struct Request: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case status, stop, generate, embed, count, context
        }

        package var version = WorkerMessage.version
        package var kind: Kind
        package var models: Models
        package var prompt: Prompt?
        package var texts: [String]?
        /// `interactive` or `background`.
        package var urgency = "interactive"
        package var temperature = 0.0
        package var seed: UInt32 = 0
        /// The caller waits so long and then hangs up.
        package var deadlineSeconds = 120.0
    }

    /// What every version's request begins with.
    struct Hello: Codable {
        var version: Int
        var kind: String
    }

    package struct Turn: Codable, Hashable, Sendable {
        package var role: String
        package var text: String
    }

    /// One of `fixed`, `choice` and `shape`.
    package struct Piece: Codable, Hashable, Sendable {
        package var fixed: String?
        package var choice: [String]?
        /// `line` or `tags`, with its bounds and closing text.
        package var shape: String?
        package var minimum: Int?
        package var maximum: Int?
        package var end: String?
    }

    package struct Prompt: Codable, Hashable, Sendable {
        package var name: String
        package var turns: [Turn]
        package var shared: Int
        package var grammar: String?
        package var form: [Piece]?
        package var maximumTokens: Int
        package var stops: [String]
    }

    package struct Reply: Codable, Sendable {
        package enum Kind: String, Codable, Sendable { case accepted, piece, done, failed }

        package var version = WorkerMessage.version
        package var kind: Kind
        package var text: String?
        package var vectors: [[Float]]?
        package var counts: [Int]?
        package var status: Status?
        package var statistics: ReplyStatistics?
        package var failure: Failure?

        package init(_ kind: Kind) { self.kind = kind }
    }

    package struct Status: Codable, Hashable, Sendable {
        package var process: Int
        /// Paths of the models in memory; nil when none is.
        package var chat: String?
        package var embedding: String?
        package var idleSeconds: Double
    }

    /// A `ModelError` on the wire.
    package struct Failure: Codable, Hashable, Sendable {
        package var code: String
        package var text: String?
        package var path: String?
        package var first: Int64?
        package var second: Int64?
    }
}

extension WorkerMessage {
    /// A value as one message.
    package static func frame(_ value: some Encodable) throws(ModelError) -> [UInt8] {
        guard let body = try? JSONEncoder().encode(value) else {
            throw .refused("the message to the model worker could not be written")
        }
        guard body.count <= mostBytes else {
            throw .refused("the message to the model worker is too large: \(body.count >> 20) MB")
        }
        let length = UInt32(body.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + body
    }

    /// The next message; nil when the other side hung up between two.
    /// - Throws: `SystemError` as the connection does; `ModelError.workerUnreachable` for what is no message.
    package static func receive<Value: Decodable>(
        _ type: Value.Type, from connection: UnixConnection, by deadline: ContinuousClock.Instant?
    ) throws -> Value? {
        guard let body = try receiveBytes(from: connection, by: deadline) else { return nil }
        return try decode(type, from: body)
    }

    static func receiveBytes(
        from connection: UnixConnection, by deadline: ContinuousClock.Instant?
    ) throws -> [UInt8]? {
        guard let head = try connection.receive(4, by: deadline) else { return nil }
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard length <= mostBytes else {
            throw ModelError.workerUnreachable(detail: "a message of \(length) bytes")
        }
        return try connection.receive(length, by: deadline)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws(ModelError)
        -> Value
    {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw .workerUnreachable(detail: "a message that is not understood")
        }
    }
}

extension WorkerMessage.Prompt {
    init(_ prompt: Prompt) {
        name = prompt.name
        turns = prompt.messages.map { WorkerMessage.Turn(role: $0.role.rawValue, text: $0.text) }
        shared = prompt.sharedMessages
        maximumTokens = prompt.maximumTokens
        stops = prompt.stops
        switch prompt.decoding {
        case .free: break
        case .grammar(let text): grammar = text
        case .form(let form, _): self.form = form.pieces.map(WorkerMessage.Piece.init)
        }
    }

    /// The prompt again; roles and shapes that are not known are left out.
    var prompt: Prompt {
        let messages = turns.compactMap { turn in
            Prompt.Message.Role(rawValue: turn.role).map { Prompt.Message($0, turn.text) }
        }
        let decoding: Prompt.Decoding =
            if let form { .form(Form(form.compactMap(\.piece)), fallback: "") } else if let grammar
            { .grammar(grammar) } else { .free }
        return Prompt(
            name: name, messages: messages, decoding: decoding, maximumTokens: maximumTokens,
            stops: stops, fingerprint: "", sharedMessages: shared)
    }
}

extension WorkerMessage.Piece {
    init(_ piece: Form.Piece) {
        switch piece {
        case .fixed(let text): fixed = text
        case .choice(let options): choice = options
        case .free(.line(let minimum, let maximum), let end):
            (shape, self.minimum, self.maximum, self.end) = ("line", minimum, maximum, end)
        case .free(.tags(let minimum, let maximum), let end):
            (shape, self.minimum, self.maximum, self.end) = ("tags", minimum, maximum, end)
        }
    }

    var piece: Form.Piece? {
        if let fixed { return .fixed(fixed) }
        if let choice { return choice.isEmpty ? nil : .choice(choice) }
        guard let minimum, let maximum, let end, !end.isEmpty else { return nil }
        switch shape {
        case "line": return .free(.line(minimum: minimum, maximum: maximum), end: end)
        case "tags": return .free(.tags(minimum: minimum, maximum: maximum), end: end)
        default: return nil
        }
    }
}

extension WorkerMessage.Failure {
    /// The server is of another version than the request.
    static let version = Self(
        code: "version", text: "another version of aura runs the model worker")

    init(_ error: ModelError) {
        switch error {
        case .missing(let role, let path): self.init(code: "missing", text: role, path: path)
        case .unusable(let path, let reason): self.init(code: "unusable", text: reason, path: path)
        case .notEnoughMemory(let path, let needed, let free):
            self.init(code: "memory", path: path, first: needed, second: free)
        case .workerDied(let detail): self.init(code: "died", text: detail)
        case .workerUnreachable(let detail): self.init(code: "unreachable", text: detail)
        case .deadlineExceeded(let seconds): self.init(code: "deadline", first: Int64(seconds))
        case .promptTooLong(let tokens, let limit):
            self.init(code: "long", first: Int64(tokens), second: Int64(limit))
        case .refused(let reason): self.init(code: "refused", text: reason)
        }
    }

    var error: ModelError {
        switch code {
        case "missing": .missing(role: text ?? "", path: path)
        case "unusable": .unusable(path: path ?? "", reason: text ?? "")
        case "memory": .notEnoughMemory(path: path ?? "", needed: first ?? 0, free: second ?? 0)
        case "died": .workerDied(detail: text ?? "")
        case "deadline": .deadlineExceeded(seconds: Int(first ?? 0))
        case "long": .promptTooLong(tokens: Int(first ?? 0), limit: Int(second ?? 0))
        case "refused": .refused(text ?? "")
        default: .workerUnreachable(detail: text ?? code)
        }
    }
}
