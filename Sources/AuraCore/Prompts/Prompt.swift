/// What a model is asked, and what its answer may look like.
package struct Prompt: Hashable, Sendable {
    package struct Message: Hashable, Sendable {
        package enum Role: String, Sendable { case system, user, assistant }
        package var role: Role
        package var text: String

        package init(_ role: Role, _ text: String) {
            self.role = role
            self.text = text
        }
    }

    /// How the reply is held to its form while it is decoded.
    package enum Decoding: Hashable, Sendable {
        case free
        /// GBNF, the grammar language of llama.cpp.
        case grammar(String)
        /// Fixed text with gaps; see `Form`. A generator without forms may use `fallback`, GBNF of the same language.
        case form(Form, fallback: String)
    }

    /// The file in `Prompts/Text` it was made from.
    package var name: String
    package var messages: [Message]
    package var decoding: Decoding
    /// The reply is cut after so many tokens.
    package var maximumTokens: Int
    /// The reply ends before the first of these texts; they are not part of it.
    package var stops: [String]
    /// Twelve hexadecimal digits of the SHA-256 of the unfilled prompt and its grammar: kept beside
    /// whatever a model made from it, so that results of an older wording can be told apart.
    package var fingerprint: String
    /// How many of the first messages are the same from call to call, so that the worker can keep
    /// what it computed for them.
    package var sharedMessages: Int

    package init(
        name: String, messages: [Message], decoding: Decoding = .free, maximumTokens: Int,
        stops: [String] = [], fingerprint: String, sharedMessages: Int = 0
    ) {
        self.name = name
        self.messages = messages
        self.decoding = decoding
        self.maximumTokens = maximumTokens
        self.stops = stops
        self.fingerprint = fingerprint
        self.sharedMessages = sharedMessages
    }
}

/// A reply with fixed text and gaps: the model is asked only for the gaps.
///
/// The text of the reply is the pieces in order, each gap filled. Filling is greedy.
package struct Form: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        /// Copied into the reply; costs reading, not writing.
        case fixed(String)
        /// Exactly one of these texts, the likeliest by the model's walk token by token. None may be
        /// empty. A single one is copied.
        case choice([String])
        /// Text that matches `shape` and ends before `end`, which is then copied too.
        case free(Shape, end: String)
    }

    /// What free text may look like: bytes are checked one after the other.
    package enum Shape: Hashable, Sendable {
        /// One line of a JSON string's inside, without quotes and backslashes; so many characters.
        case line(minimum: Int, maximum: Int)
        /// From `minimum` to `maximum` lower-case tags, `[a-z0-9-]{2,20}` beginning with a letter, as the inside
        /// of a JSON array of strings without its outer quotes: `planning","q1`.
        case tags(minimum: Int, maximum: Int)
    }

    package var pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }
}
