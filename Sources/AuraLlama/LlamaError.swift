/// A step of the native library that failed.
package enum LlamaError: Error, Equatable, Sendable {
    /// The file is no model that the library reads; its own words where it gave any.
    case notLoaded(path: String, detail: String)
    /// The memory for a context could not be had.
    case noContext(detail: String)
    /// The model was not made for conversations: it carries no chat template.
    case noTemplate
    case templateFailed
    case badGrammar(detail: String)
    /// No token of the vocabulary continues the text as its grammar or form demands.
    case deadEnd
    case promptTooLong(tokens: Int, limit: Int)
    /// The reply reached the end of what the model can read.
    case contextFull(limit: Int)
    /// What `llama_decode` returned.
    case decodeFailed(code: Int)
    /// The model gives no vectors.
    case noVectors
    /// The caller asked for the end.
    case stopped
}
