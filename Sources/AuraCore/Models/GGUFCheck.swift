internal import AuraSystem

/// What the head of a GGUF file says, checked against the file before native code reads it.
///
/// Native loaders trust counts, sizes and offsets that they find; a cut-off or hostile file can end the process.
/// Here everything is bounded by the size of the file first.
package struct GGUFCheck: Hashable, Sendable {
    /// `qwen2`, `llama`, `bert`.
    package var architecture: String
    package var name: String
    package var license: String
    /// Bytes of the whole file.
    package var fileSize: Int64
    /// Bytes of all weights.
    package var weightBytes: Int64
    package var parameters: Int64
    package var layers: Int
    /// Length of the vectors it computes with; of its embeddings too, unless the model says otherwise.
    package var width: Int
    package var heads: Int
    package var keyValueHeads: Int
    package var keyLength: Int
    package var valueLength: Int
    package var trainedContext: Int
    package var vocabulary: Int
    package var hasChatTemplate: Bool
    /// It reads a text whole and gives one vector for it.
    package var isEmbedding: Bool

    /// Reads the head of the file: a few milliseconds, more where the vocabulary is large.
    /// - Throws: `ModelError.missing`, `.unusable`.
    package static func check(_ path: String, role: String = "chat") throws(ModelError) -> GGUFCheck
    {
        let file: FileDescriptor
        let size: Int64
        do throws(SystemError) {
            // A person may keep a model elsewhere and link to it.
            let status = try Files.status(of: path, followingLinks: true)
            guard let status else { throw SystemError(call: "open", path: path, code: 2) }
            switch status.kind {
            case .regular: break
            case .folder: throw SystemError(call: "read", path: path, code: 21)
            case .link, .other: throw SystemError(call: "read", path: path, code: 22)
            }
            file = try FileDescriptor.openFollowingLinks(path)
            size = status.size
        } catch {
            if error.isNotFound { throw .missing(role: role, path: path) }
            let reason =
                switch error.code {
                case 21: "it is a folder"
                case 22: "it is no regular file"
                default: error.reason
                }
            throw .unusable(path: path, reason: reason)
        }
        var reader = GGUFReader(file: file, size: size)
        do throws(GGUFReader.Fault) {
            return try reader.read()
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
    }

    /// Roughly the bytes of memory that the model takes for so many conversations of so many tokens.
    /// - Parameter isRepacked: counts the second copy of the weights that reading prompts fast needs.
    package func memoryNeeded(context: Int, conversations: Int, isRepacked: Bool) -> Int64 {
        let weights = isRepacked ? weightBytes * 2 : weightBytes
        let tokenBytes = Int64(layers) * Int64(keyValueHeads) * Int64(keyLength + valueLength) * 2
        let (cache, isLarge) = tokenBytes.multipliedReportingOverflow(
            by: Int64(context * conversations))
        if isLarge { return .max }
        // Working memory of one read: measured 60 to 150 MB for the models here.
        let working = Int64(conversations) * (64 << 20) + Int64(vocabulary) * 64
        return weights + cache + working
    }
}

/// Walks the head of a GGUF file.
private struct GGUFReader: ~Copyable {
    struct Fault: Error { var reason: String }

    private let file: FileDescriptor
    private let size: Int64
    private var window: [UInt8] = []
    /// Where in the window the next byte is, and where in the file the window begins.
    private var position = 0
    private var windowStart: Int64 = 0

    private static let mostKeys = 4096
    private static let mostTensors = 65_536
    private static let mostText: UInt64 = 1 << 24

    init(file: consuming FileDescriptor, size: Int64) {
        self.file = file
        self.size = size
    }

    mutating func read() throws(Fault) -> GGUFCheck {
        guard size >= 64 else { throw Fault(reason: "it has only \(size) bytes") }
        guard try bytes(4) == Array("GGUF".utf8) else {
            throw Fault(reason: "it does not begin with GGUF")
        }
        let version = try number32()
        guard version == 2 || version == 3 else {
            throw Fault(reason: "GGUF version \(version) is not known")
        }
        let tensors = try count(atMost: Self.mostTensors, "tensors")
        let keys = try count(atMost: Self.mostKeys, "keys")

        var texts: [String: String] = [:]
        var numbers: [String: Int64] = [:]
        var lengths: [String: Int64] = [:]
        for _ in 0..<keys {
            let key = try text(limit: 65_535)
            guard !key.isEmpty, texts[key] == nil, numbers[key] == nil, lengths[key] == nil else {
                throw Fault(reason: "a key is empty or there twice")
            }
            let type = try number32()
            switch type {
            case 8: texts[key] = try text(limit: Self.mostText)
            case 9: lengths[key] = try skipList()
            default: numbers[key] = try value(of: type)
            }
        }
        let alignment = numbers["general.alignment"] ?? 32
        guard alignment > 0, alignment <= 65_536, alignment & (alignment - 1) == 0 else {
            throw Fault(reason: "its alignment is \(alignment)")
        }
        guard let architecture = texts["general.architecture"], !architecture.isEmpty else {
            throw Fault(reason: "it names no architecture")
        }
        if (numbers["split.count"] ?? 1) > 1 {
            throw Fault(reason: "it is one part of several files")
        }
        let weights = try readTensors(tensors, alignment: alignment)

        func number(_ key: String) -> Int64? { numbers["\(architecture).\(key)"] }
        let width = number("embedding_length") ?? 0
        let layers = number("block_count") ?? 0
        let context = number("context_length") ?? 0
        let heads =
            number("attention.head_count") ?? lengths["\(architecture).attention.head_count"].map {
                _ in 1
            } ?? 0
        guard tensors > 0 else { throw Fault(reason: "it holds no weights") }
        guard (1...1_048_576).contains(width), (1...4096).contains(layers),
            (0...65_536).contains(heads),
            (1...1 << 30).contains(context)
        else { throw Fault(reason: "its dimensions make no sense") }
        let keyValueHeads = number("attention.head_count_kv") ?? heads
        let headWidth = heads > 0 ? width / heads : 0
        let keyLength = number("attention.key_length") ?? headWidth
        let valueLength = number("attention.value_length") ?? headWidth
        guard (0...65_536).contains(keyValueHeads), (0...65_536).contains(keyLength),
            (0...65_536).contains(valueLength)
        else { throw Fault(reason: "its dimensions make no sense") }
        let isEmbedding =
            number("pooling_type").map { $0 > 0 } ?? false || number("attention.causal") == 0
        return GGUFCheck(
            architecture: architecture, name: texts["general.name"] ?? "",
            license: texts["general.license"] ?? "", fileSize: size, weightBytes: weights.bytes,
            parameters: weights.elements, layers: Int(layers), width: Int(width), heads: Int(heads),
            keyValueHeads: Int(keyValueHeads), keyLength: Int(keyLength),
            valueLength: Int(valueLength),
            trainedContext: Int(context),
            vocabulary: Int(clamping: lengths["tokenizer.ggml.tokens"] ?? 0),
            hasChatTemplate: texts["tokenizer.chat_template"] != nil, isEmbedding: isEmbedding)
    }

    /// Bytes from the beginning of the file to the next byte that is read.
    private var offset: Int64 { windowStart + Int64(position) }
    private var left: Int64 { size - offset }

    private mutating func readTensors(
        _ count: Int, alignment: Int64
    ) throws(Fault) -> (bytes: Int64, elements: Int64) {
        var places: [(start: Int64, end: Int64)] = []
        var names: Set<String> = []
        var all: (bytes: Int64, elements: Int64) = (0, 0)
        for _ in 0..<count {
            let name = try text(limit: 63)
            guard !name.isEmpty, names.insert(name).inserted else {
                throw Fault(reason: "a tensor has no name or another's")
            }
            let dimensions = try number32()
            guard (1...4).contains(dimensions) else {
                throw Fault(reason: "a tensor has \(dimensions) dimensions")
            }
            var elements: Int64 = 1
            var row: Int64 = 1
            for index in 0..<dimensions {
                let length = try number64()
                let (product, isTooLarge) = elements.multipliedReportingOverflow(
                    by: Int64(clamping: length))
                guard length > 0, length <= 1 << 40, !isTooLarge, product <= 1 << 42 else {
                    throw Fault(reason: "a tensor is larger than any file")
                }
                elements = product
                if index == 0 { row = Int64(length) }
            }
            let type = try number32()
            guard let block = Self.blocks[type] else {
                throw Fault(reason: "tensor type \(type) is not known")
            }
            guard row % block.elements == 0 else {
                throw Fault(reason: "a tensor's rows are not whole blocks")
            }
            let bytes = elements / block.elements * block.bytes
            let start = try number64()
            guard start % UInt64(alignment) == 0, start <= UInt64(size), bytes <= size else {
                throw Fault(reason: "a tensor lies outside the file")
            }
            places.append((Int64(start), Int64(start) + bytes))
            all.bytes += bytes
            all.elements += elements
        }
        let data = (offset + alignment - 1) / alignment * alignment
        places.sort { $0.start < $1.start }
        var previous: Int64 = 0
        for place in places {
            guard place.start >= previous else { throw Fault(reason: "two tensors overlap") }
            guard data + place.end <= size else {
                throw Fault(
                    reason:
                        "it is cut off: \(data + place.end) bytes are named and \(size) are there")
            }
            previous = place.end
        }
        return all
    }

    /// The number of elements skipped.
    private mutating func skipList() throws(Fault) -> Int64 {
        let type = try number32()
        let count = try number64()
        if type == 8 {
            guard count <= UInt64(left) / 8 else {
                throw Fault(reason: "a list is longer than the file")
            }
            for _ in 0..<count {
                let length = try number64()
                guard length <= Self.mostText else {
                    throw Fault(reason: "a text is longer than the file")
                }
                try skip(length)
            }
        } else {
            guard let width = Self.widths[type] else {
                throw Fault(reason: "value type \(type) is not known")
            }
            guard count <= UInt64(left) / width else {
                throw Fault(reason: "a list is longer than the file")
            }
            try skip(count * width)
        }
        return Int64(count)
    }

    private mutating func value(of type: UInt32) throws(Fault) -> Int64 {
        guard let width = Self.widths[type] else {
            throw Fault(reason: "value type \(type) is not known")
        }
        let raw = try little(Int(width))
        return switch type {
        case 1: Int64(Int8(truncatingIfNeeded: raw))
        case 3: Int64(Int16(truncatingIfNeeded: raw))
        case 5: Int64(Int32(truncatingIfNeeded: raw))
        case 6: Int64(exactly: Float(bitPattern: UInt32(raw)).rounded()) ?? 0
        case 12: Int64(exactly: Double(bitPattern: raw).rounded()) ?? 0
        default: Int64(clamping: raw)
        }
    }

    private mutating func count(atMost most: Int, _ what: String) throws(Fault) -> Int {
        let number = try number64()
        guard number <= UInt64(most) else { throw Fault(reason: "it claims \(number) \(what)") }
        return Int(number)
    }

    private mutating func text(limit: UInt64) throws(Fault) -> String {
        let length = try number64()
        guard length <= limit, length <= UInt64(left) else {
            throw Fault(reason: "a text is longer than the file")
        }
        return String(decoding: try bytes(Int(length)), as: UTF8.self)
    }

    private mutating func number32() throws(Fault) -> UInt32 { UInt32(try little(4)) }
    private mutating func number64() throws(Fault) -> UInt64 { try little(8) }

    private mutating func little(_ count: Int) throws(Fault) -> UInt64 {
        try fill(count)
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(window[position + index]) << UInt64(8 * index) }
        position += count
        return value
    }

    private mutating func bytes(_ count: Int) throws(Fault) -> [UInt8] {
        try fill(count)
        defer { position += count }
        return Array(window[position..<(position + count)])
    }

    private mutating func skip(_ count: UInt64) throws(Fault) {
        guard count <= UInt64(left) else { throw Fault(reason: "it is cut off in its head") }
        var rest = Int(count)
        while rest > window.count - position {
            rest -= window.count - position
            position = window.count
            try fill(1)
        }
        position += rest
    }

    /// Makes sure that so many bytes are in the window.
    private mutating func fill(_ count: Int) throws(Fault) {
        guard window.count - position < count else { return }
        guard Int64(count) <= left else { throw Fault(reason: "it is cut off in its head") }
        window.removeFirst(position)
        windowStart += Int64(position)
        position = 0
        while window.count < count {
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try file.read(upTo: max(1 << 18, count - window.count))
            } catch {
                throw Fault(reason: error.reason)
            }
            guard !piece.isEmpty else { throw Fault(reason: "it is cut off in its head") }
            window += piece
        }
    }

    /// Bytes of a value, by its type's number.
    private static let widths: [UInt32: UInt64] = [
        0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8,
    ]

    /// Elements and bytes of a block of weights, by its type's number.
    private static let blocks: [UInt32: (elements: Int64, bytes: Int64)] = [
        0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
        9: (32, 36),
        10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
        15: (256, 292),
        16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110),
        22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8),
        29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
    ]
}
