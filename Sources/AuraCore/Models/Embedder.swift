/// Turns texts into vectors that lie close together when the meanings do.
package protocol Embedder: Sendable {
    /// Length of every vector.
    var dimensions: Int { get }
    /// Names the model; vectors of different names are never compared.
    var modelName: String { get }
    /// One vector of length 1 for each text, in order. A text that cannot be embedded (empty, or the
    /// model gave no finite numbers) has an empty vector.
    /// - Throws: `ModelError`.
    func vectors(for texts: [String]) async throws -> [Embedding]
}

/// A vector of meaning, of length 1, or empty for "none".
package struct Embedding: Hashable, Sendable {
    package var values: [Float]

    package init(_ values: [Float]) { self.values = values }

    /// The cosine of the angle between two unit vectors, from -1 to 1; 0 when either is empty or the
    /// lengths differ.
    package func similarity(to other: Embedding) -> Float {
        guard values.count == other.values.count else { return 0 }
        var sum: Float = 0
        for index in values.indices { sum += values[index] * other.values[index] }
        return sum
    }
}
