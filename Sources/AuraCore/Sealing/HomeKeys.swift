package import AuraCrypto

/// The keys of a home, or of a vault with a wall of its own, open in memory.
package final class HomeKeys: Sendable {
    /// Newest first; the first one's recipient is what files are sealed to.
    package let identities: [AgeIdentity]
    private let index: Secret
    private let names: Secret

    /// Bytes of the index key and of the names key.
    package static let keyBytes = 32

    package init(identities: [AgeIdentity], index: Secret, names: Secret) {
        self.identities = identities
        self.index = index
        self.names = names
    }

    /// New random keys.
    package static func make() -> HomeKeys {
        HomeKeys(
            identities: [.make()], index: .random(keyBytes), names: .random(keyBytes))
    }

    /// The raw key of the index database. A copy: hand it on and forget it.
    package var indexKey: [UInt8] { index.copy }

    /// Tells the index of this key from that of another: 13 characters that tell nothing of the key.
    package var indexMark: String {
        let digest = HMAC.of(Array("aura index".utf8).span, key: index)
        return String(HomeKeys.base32(digest.prefix(16)).prefix(13))
    }

    var indexSecret: Secret { index }
    var namesSecret: Secret { names }

    /// The same home's keys with other identities.
    package func with(identities: [AgeIdentity]) -> HomeKeys {
        HomeKeys(identities: identities, index: index, names: names)
    }

    /// The same with a new key for the index.
    package func withNewIndexKey() -> HomeKeys {
        HomeKeys(identities: identities, index: .random(HomeKeys.keyBytes), names: names)
    }

    /// The name on the disk of what lies at a logical path: 26 characters that tell nothing without the key.
    ///
    /// The first 128 bits of HMAC-SHA-256, as lower-case base 32 (RFC 4648), so that one path is one name
    /// and a name is taken by the file system in one step. Of a path that Unicode lets be written in several
    /// ways the composed form counts.
    package func name(of path: String) -> String {
        let digest = HMAC.of(Array(ComposedText.composed(path).utf8).span, key: names)
        return HomeKeys.base32(digest.prefix(16))
    }

    /// Marks files that belong together, a note's journal entries say: 13 characters.
    package func tag(of text: String) -> String { String(name(of: "\0\(text)").prefix(13)) }

    private static func base32(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}

// MARK: - As one secret, for the session

extension HomeKeys {
    /// The index key, the names key, then the identities' texts, a line each.
    package var packed: Secret {
        let texts = identities.map(\.secretText)
        let count = 2 * HomeKeys.keyBytes + texts.reduce(0) { $0 + $1.count + 1 }
        return Secret(count: count) { memory in
            var place = 0
            func copy(_ secret: Secret, into memory: inout MutableSpan<UInt8>) {
                secret.withBytes { bytes in
                    for offset in bytes.indices { memory[place + offset] = bytes[offset] }
                }
                place += secret.count
            }
            copy(index, into: &memory)
            copy(names, into: &memory)
            for text in texts {
                copy(text, into: &memory)
                memory[place] = 0x0A
                place += 1
            }
        }
    }

    /// Nil for bytes that are no packed keys.
    package convenience init?(packed secret: Secret) {
        let keyBytes = HomeKeys.keyBytes
        guard secret.count > 2 * keyBytes else { return nil }
        func part(_ range: Range<Int>) -> Secret {
            secret.withBytes { bytes in
                Secret(count: range.count) { memory in
                    for offset in 0..<range.count {
                        memory[offset] = bytes[range.lowerBound + offset]
                    }
                }
            }
        }
        var lines: [Range<Int>] = []
        secret.withBytes { bytes in
            var start = 2 * keyBytes
            for place in start..<bytes.count where bytes[place] == 0x0A {
                lines.append(start..<place)
                start = place + 1
            }
        }
        let identities = lines.compactMap { AgeIdentity(part($0)) }
        guard !identities.isEmpty, identities.count == lines.count else { return nil }
        self.init(
            identities: identities, index: part(0..<keyBytes), names: part(keyBytes..<2 * keyBytes))
    }
}
