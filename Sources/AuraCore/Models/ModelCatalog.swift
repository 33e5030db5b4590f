/// Models that are known, by role.
package enum ModelCatalog {
    /// A model's name: its file's without the ending; empty for none.
    package static func name(of path: String?) -> String {
        guard let path else { return "" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
    }
}

extension ModelCatalog {
    /// What `scripts/setup` fetches, and what is used when nothing else is set.
    package static let usualChatFile = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    package static let usualEmbeddingFile = "all-MiniLM-L6-v2-f16.gguf"
}
