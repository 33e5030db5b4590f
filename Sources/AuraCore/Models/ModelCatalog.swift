/// Models that are known, by role.
package enum ModelCatalog {
    /// A model's name: its file's without the ending; empty for none.
    package static func name(of path: String?) -> String {
        guard let path else { return "" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
    }
}
