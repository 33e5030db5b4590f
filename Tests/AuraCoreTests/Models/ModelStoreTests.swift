import AuraCore
import AuraSystem
import AuraTestKit
import Foundation
import Synchronization
import Testing

/// A small file that has all that a GGUF model needs, and no sense.
private func tinyModel(
    architecture: String = "llama", template: Bool = true,
    tensors: [(name: String, dimensions: [UInt64])] = [("w", [32, 2])],
    keys extra: [(String, UInt32)] = [], dataBytes: Int? = nil, version: UInt32 = 3
) -> [UInt8] {
    func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    func text(_ value: String) -> [UInt8] { number(UInt64(value.utf8.count)) + Array(value.utf8) }
    var keys: [[UInt8]] = [text("general.architecture") + number(UInt32(8)) + text(architecture)]
    if template {
        keys.append(text("tokenizer.chat_template") + number(UInt32(8)) + text("{{ messages }}"))
    }
    for (key, value) in [
        ("\(architecture).embedding_length", 32), ("\(architecture).block_count", 1),
        ("\(architecture).context_length", 128), ("\(architecture).attention.head_count", 4),
    ] + extra { keys.append(text(key) + number(UInt32(4)) + number(UInt32(value))) }
    keys.append(
        text("tokenizer.ggml.tokens") + number(UInt32(9)) + number(UInt32(8)) + number(UInt64(2))
            + text("a") + text("b"))
    var infos: [UInt8] = []
    var offset: UInt64 = 0
    for tensor in tensors {
        infos += text(tensor.name) + number(UInt32(tensor.dimensions.count))
        for dimension in tensor.dimensions { infos += number(dimension) }
        infos += number(UInt32(0)) + number(offset)
        offset += (tensor.dimensions.reduce(4) { $0 &* $1 } &+ 31) / 32 * 32
    }
    var bytes =
        Array("GGUF".utf8) + number(version) + number(UInt64(tensors.count))
        + number(UInt64(keys.count))
    bytes += keys.flatMap { $0 } + infos
    bytes += [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
    return bytes + [UInt8](repeating: 7, count: dataBytes ?? Int(min(offset, 1 << 20)))
}

@Suite("the head of a model file") struct GGUFCheckTests {
    private func check(_ bytes: [UInt8]) throws -> GGUFCheck {
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: "m.gguf")
        return try GGUFCheck.check("\(folder.path)/m.gguf")
    }

    @Test("a sound head is read")
    func sound() throws {
        let head = try check(tinyModel())
        #expect(
            head.architecture == "llama" && head.layers == 1 && head.width == 32 && head.heads == 4)
        #expect(head.weightBytes == 256 && head.parameters == 64 && head.vocabulary == 2)
        #expect(head.hasChatTemplate && !head.isEmbedding && head.keyLength == 8)
        #expect(
            head.memoryNeeded(context: 128, conversations: 1, isRepacked: false) > 256 + 128 * 4
                * 16 * 2)
        #expect(try check(tinyModel(keys: [("llama.pooling_type", 1)])).isEmbedding)
    }

    @Test("every cut-off is refused")
    func cutOff() throws {
        let bytes = tinyModel()
        let folder = try TemporaryFolder()
        for length in stride(from: 0, to: bytes.count, by: 7) {
            try folder.write(Array(bytes.prefix(length)), to: "m.gguf")
            #expect(throws: ModelError.self) { try GGUFCheck.check("\(folder.path)/m.gguf") }
        }
    }

    @Test("a byte changed at random never ends the check otherwise than with an answer")
    func flips() throws {
        let bytes = tinyModel()
        let folder = try TemporaryFolder()
        for place in 0..<min(bytes.count, 420) {
            for value in [0x00, 0x7F, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = value
                try folder.write(changed, to: "m.gguf")
                _ = try? GGUFCheck.check("\(folder.path)/m.gguf")
            }
        }
    }

    @Test(
        "heads that lie are refused",
        arguments: [
            tinyModel(version: 1), tinyModel(version: 99), tinyModel(dataBytes: 10),
            tinyModel(tensors: []),
            tinyModel(tensors: [("w", [1 << 40, 2])]),
            tinyModel(tensors: [("w", [1 << 62, 1 << 62])]),
            tinyModel(tensors: [("w", [0])]), tinyModel(tensors: [("w", [4]), ("w", [4])]),
            tinyModel(tensors: [("", [4])]),
            tinyModel(tensors: [("w", [1, 1, 1, 1, 1])]),
            tinyModel(keys: [("general.alignment", 3)]),
            tinyModel(keys: [("split.count", 2)]), tinyModel(keys: [("llama.block_count", 1)]),
            tinyModel(architecture: ""), tinyModel(keys: [("", 1)]),
            tinyModel(keys: [("llama.attention.key_length", .max)]),
            Array("GGUF".utf8) + [3, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 200),
            Array("NOPE".utf8) + [UInt8](repeating: 0, count: 200),
        ])
    func lies(bytes: [UInt8]) throws {
        #expect { try self.check(bytes) } throws: { error in
            if case .unusable = error as? ModelError { true } else { false }
        }
    }

    @Test(
        "the real models are sound",
        .enabled(
            if: TestModels.mayRun(with: TestModels.chat, TestModels.embedding),
            "\(TestModels.reason)"))
    func real() throws {
        let chat = try GGUFCheck.check(TestModels.chat)
        #expect(
            chat.architecture == "llama" && chat.layers == 30 && chat.hasChatTemplate
                && !chat.isEmbedding)
        let embedding = try GGUFCheck.check(TestModels.embedding)
        #expect(embedding.architecture == "bert" && embedding.width == 384 && embedding.isEmbedding)
        #expect(embedding.trainedContext == 512)
    }
}

@Suite("the folder of models", .timeLimit(.minutes(1))) struct ModelStoreTests {
    private let folder: TemporaryFolder
    private let store: ModelStore

    init() throws {
        folder = try TemporaryFolder()
        store = ModelStore(folder: "\(folder.path)/models")
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        try folder.write(bytes, to: "hash-me")
        return try ModelStore.sha256(of: "\(folder.path)/hash-me")
    }

    @Test("a file is taken in, listed, told about and removed")
    func add() throws {
        try folder.write(tinyModel(), to: "mine.gguf")
        let entry = try store.add("\(folder.path)/mine.gguf")
        #expect(entry.role == .chat && entry.size == Int64(tinyModel().count))
        #expect(throws: ModelError.self) { try store.add("\(folder.path)/mine.gguf") }
        #expect(try store.info("mine").architecture == "llama")
        let list = try store.entries(inUse: [entry.path])
        #expect(list.first?.file == "mine.gguf" && list.first?.isInUse == true)
        #expect(list.count == 1 + ModelCatalog.known.count)
        #expect(list.filter { $0.size != nil }.count == 1)
        #expect(try store.remove("mine"))
        #expect(try !store.remove("mine"))
        #expect(throws: ModelError.self) { try store.remove("../mine.gguf") }
    }

    @Test("what is no model, or another than said, is not taken in")
    func refuse() throws {
        try folder.write("text", to: "text.gguf")
        try folder.write(tinyModel(template: false), to: "base.gguf")
        try folder.write(tinyModel(), to: "model.txt")
        try folder.write(tinyModel(), to: "good.gguf")
        for name in ["text.gguf", "base.gguf", "model.txt", "missing.gguf"] {
            #expect(throws: ModelError.self) { try store.add("\(folder.path)/\(name)") }
        }
        #expect(throws: ModelError.self) {
            try store.add("\(folder.path)/good.gguf", sha256: String(repeating: "0", count: 64))
        }
        let entry = try store.add("\(folder.path)/good.gguf", sha256: sha256(tinyModel()))
        #expect(entry.file == "good.gguf")
        try folder.write(
            [0x6C, 0x6D, 0x67, 0x67] + [UInt8](repeating: 0, count: 64), to: "ggml-mine.bin")
        #expect(try store.add("\(folder.path)/ggml-mine.bin").role == .speech)
    }

    @Test("a download that was cut off goes on where it ended")
    func resume() throws {
        let bytes = tinyModel(tensors: [("w", [1024, 100])])
        let attempts = Mutex(0)
        let server = try LoopbackServer { request in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            return .file(bytes, request, cutAfter: attempt == 1 ? 100_000 : nil)
        }
        let hash = try sha256(bytes)
        #expect(throws: ModelFetchError.self) {
            try store.pull("\(server.address)/big.gguf?download=true", sha256: hash) { _ in }
        }
        var last = ModelStore.Progress(bytes: 0, total: nil)
        let entry = try store.pull(
            "\(server.address)/big.gguf?download=true", sha256: hash.uppercased()
        ) { last = $0 }
        #expect(entry.file == "big.gguf" && entry.role == .chat)
        #expect(last == .init(bytes: Int64(bytes.count), total: Int64(bytes.count)))
        #expect(server.requests.map(\.rangeStart) == [nil, 100_000])
        #expect(try Files.bytes(at: entry.path) == bytes)
        #expect(try Files.entries(of: store.folder).map(\.name) == ["big.gguf"])
    }

    @Test("a beginning of another file is fetched anew, and a whole one is not fetched at all")
    func otherBeginning() throws {
        let bytes = tinyModel()
        let server = try LoopbackServer { .file(bytes, $0) }
        try folder.write([UInt8](repeating: 1, count: 50), to: "models/a.gguf.part")
        #expect(
            try store.pull("\(server.address)/a.gguf", sha256: sha256(bytes)) { _ in }.file
                == "a.gguf")
        #expect(server.requests.map(\.rangeStart) == [50, nil])
        try folder.write(bytes, to: "models/b.gguf.part")
        #expect(
            try store.pull("\(server.address)/b.gguf", sha256: sha256(bytes)) { _ in }.file
                == "b.gguf")
    }

    @Test("another hash, no model, a bad name or a stop leave no model behind")
    func refusedPull() throws {
        let bytes = tinyModel()
        let server = try LoopbackServer { request in
            request.path == "/text.gguf"
                ? .init(
                    200,
                    body: Array(
                        "not a model, but long enough to be looked at: it needs 64 bytes".utf8))
                : .file(bytes, request)
        }
        let zeros = String(repeating: "0", count: 64)
        #expect(throws: ModelError.self) {
            try store.pull("\(server.address)/a.gguf", sha256: zeros) { _ in }
        }
        #expect(throws: ModelError.self) {
            try store.pull("\(server.address)/a.gguf", sha256: "abc") { _ in }
        }
        #expect(throws: ModelError.self) {
            try store.pull("\(server.address)/a.zip", sha256: zeros) { _ in }
        }
        let text = try sha256(
            Array("not a model, but long enough to be looked at: it needs 64 bytes".utf8))
        #expect(throws: ModelError.self) {
            try store.pull("\(server.address)/text.gguf", sha256: text) { _ in }
        }
        #expect(throws: CancellationError.self) {
            try store.pull("\(server.address)/a.gguf", sha256: sha256(bytes), isStopped: { true }) {
                _ in
            }
        }
        #expect(throws: ModelFetchError.self) {
            try store.pull("file:///etc/x.gguf", sha256: zeros) { _ in }
        }
        #expect(try store.entries(inUse: []).allSatisfy { $0.size == nil })
    }
}
