/// The name of a note that never changes: a ULID, 26 characters of Crockford's base 32.
///
/// The first ten characters are the moment of making (milliseconds since 1970), the other sixteen
/// are 80 random bits, so ids sort by age and 2^40 of one millisecond may exist before two collide.
/// Format: github.com/ulid/spec.
package struct NoteID: Hashable, Comparable, Sendable {
    /// Upper case, always 26 characters.
    package let text: String

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// - Parameter random: ten bytes.
    package init(at moment: Instant, random: [UInt8]) {
        precondition(random.count == 10, "a note id takes ten random bytes")
        var characters: [UInt8] = []
        characters.reserveCapacity(26)
        let milliseconds = UInt64(max(0, moment.milliseconds)) & 0xFFFF_FFFF_FFFF
        for shift in stride(from: 45, through: 0, by: -5) {
            characters.append(NoteID.alphabet[Int(milliseconds >> UInt64(shift) & 31)])
        }
        var bits: UInt64 = 0
        var count = 0
        for byte in random {
            bits = bits << 8 | UInt64(byte)
            count += 8
            while count >= 5 {
                count -= 5
                characters.append(NoteID.alphabet[Int(bits >> UInt64(count) & 31)])
            }
        }
        text = String(decoding: characters, as: UTF8.self)
    }

    /// Reads an id in either case; nil for anything that is not one.
    package init?(_ text: some StringProtocol) {
        let upper = text.uppercased()
        guard upper.utf8.count == 26, upper.utf8.allSatisfy(NoteID.alphabet.contains),
            upper.utf8.first.map({ $0 <= 0x37 }) == true
        else { return nil }
        self.text = upper
    }

    /// When it was made, to the millisecond.
    package var moment: Instant {
        let milliseconds = text.utf8.prefix(10).reduce(Int64(0)) { value, character in
            value << 5 | Int64(NoteID.alphabet.firstIndex(of: character) ?? 0)
        }
        return Instant(
            seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
    }

    /// The next id in order; of the last one of all, that itself.
    package var successor: NoteID {
        var characters = Array(text.utf8)
        for place in characters.indices.reversed() {
            guard let value = NoteID.alphabet.firstIndex(of: characters[place]) else { break }
            if value < 31 {
                characters[place] = NoteID.alphabet[value + 1]
                return NoteID(String(decoding: characters, as: UTF8.self)) ?? self
            }
            characters[place] = NoteID.alphabet[0]
        }
        return self
    }

    package static func < (left: NoteID, right: NoteID) -> Bool { left.text < right.text }
}

extension NoteID: CustomStringConvertible {
    package var description: String { text }
}
