/// The FNV-1a hash (Fowler, Noll, Vo): quick to tell things apart, no protection against who means to collide.
enum FNV1a {
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = start
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* prime }
        return hash
    }

    private static let start: UInt64 = 14_695_981_039_346_656_037
    private static let prime: UInt64 = 1_099_511_628_211
}
