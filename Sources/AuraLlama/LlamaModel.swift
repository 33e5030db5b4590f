internal import CLlama

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// One loaded model file. Freed when the last context that uses it is gone.
///
/// Sendable because a loaded model is never changed; contexts on several threads read it at once.
@safe package final class LlamaModel: @unchecked Sendable {
    package let path: String
    package let vocabulary: Tokens
    /// The model's own name, or empty.
    package let name: String
    /// The context that the model was trained for, in tokens.
    package let trainedContext: Int
    /// Length of the vectors it computes with.
    package let width: Int
    let handle: OpaquePointer

    /// Reads the file, mapped into memory where the system can.
    /// - Parameter isRepacked: keeps a second copy of the weights in the order that this processor likes: half
    ///   as fast again when reading prompts, for as much memory again.
    /// - Throws: `LlamaError.notLoaded`. A file that lies about itself may end the process: check it before.
    package init(path: String, isRepacked: Bool = true) throws(LlamaError) {
        NativeLog.install()
        _ = NativeLog.takeComplaints()
        var parameters = unsafe llama_model_default_params()
        unsafe parameters.n_gpu_layers = 0
        unsafe parameters.use_extra_bufts = isRepacked
        guard let handle = unsafe llama_model_load_from_file(path, parameters) else {
            throw .notLoaded(path: path, detail: NativeLog.lastComplaint())
        }
        unsafe self.handle = handle
        self.path = path
        vocabulary = unsafe Tokens(of: handle)
        name = unsafe Self.metadata("general.name", of: handle) ?? ""
        trainedContext = Int(unsafe llama_model_n_ctx_train(handle))
        width = Int(unsafe llama_model_n_embd(handle))
    }

    deinit { unsafe llama_model_free(handle) }

    /// What the library calls itself and the processor features it uses: results of one build are not another's.
    package static var library: String {
        unsafe String(cString: llama_version()) + " " + String(cString: llama_print_system_info())
    }

    /// One value of the file's metadata as text; nil when the key is missing or its value is a list.
    package func metadata(_ key: String) -> String? { unsafe Self.metadata(key, of: handle) }

    /// The template text for conversations; nil when the model has none.
    package var template: String? {
        guard let text = unsafe llama_model_chat_template(handle, nil) else { return nil }
        return unsafe String(cString: text)
    }

    private static func metadata(_ key: String, of handle: OpaquePointer) -> String? {
        var size = 256
        while true {
            var length: Int32 = -1
            let bytes = unsafe [CChar](unsafeUninitializedCapacity: size) { buffer, filled in
                length = unsafe llama_model_meta_val_str(handle, key, buffer.baseAddress, size)
                filled = max(0, min(Int(length), size - 1))
            }
            if length < 0 { return nil }
            if Int(length) < size {
                return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            size = Int(length) + 1
        }
    }
}
