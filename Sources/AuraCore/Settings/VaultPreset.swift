/// How a vault is named and shown.
package struct VaultPreset: Hashable, Sendable {
    package var name: String
    package var colour: Colour
    /// A few letters for narrow places.
    package var short: String
    package var icon: String
    /// What belongs there; the classifier reads it.
    package var purpose: String

    package init(
        name: String, colour: Colour, short: String? = nil, icon: String = "📁", purpose: String = ""
    ) {
        self.name = name
        self.colour = colour
        self.short =
            short ?? String(name.lowercased().filter { $0.isLetter || $0.isNumber }.prefix(4))
        self.icon = icon
        self.purpose = purpose
    }

    /// Where the settings file lists none.
    package static let standard = [
        VaultPreset(
            name: "Corporate", colour: Colour(red: 0x00, green: 0xD4, blue: 0xFF), short: "corp",
            icon: "🏢", purpose: "office notes, courses, career"),
        VaultPreset(
            name: "Trading", colour: Colour(red: 0x7B, green: 0x61, blue: 0xFF), short: "trad",
            icon: "📈", purpose: "trade ideas, market observations, strategy"),
        VaultPreset(
            name: "Family", colour: Colour(red: 0xFF, green: 0xB6, blue: 0x27), short: "fam",
            icon: "🏡", purpose: "milestones, memories, legacy"),
        VaultPreset(
            name: "Personal", colour: Colour(red: 0x00, green: 0xE5, blue: 0xA0), short: "pers",
            icon: "🌿", purpose: "health, hobbies, journal"),
        VaultPreset(
            name: "Projects", colour: Colour(red: 0xFF, green: 0x6B, blue: 0x6B), short: "proj",
            icon: "🔧", purpose: "side projects, builds, learning"),
    ]

    /// Colours for vaults that name none, by their place in the list.
    static func spareColour(_ index: Int) -> Colour {
        standard[index % standard.count].colour
    }

    /// Folders on some systems do not tell upper from lower case, so names do not either.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        left.lowercased() == right.lowercased()
    }
}

/// A colour as screens mix it.
package struct Colour: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `#RRGGBB` in either case, and nothing else.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst().compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else {
            return nil
        }
        self.init(
            red: UInt8(digits[0] * 16 + digits[1]), green: UInt8(digits[2] * 16 + digits[3]),
            blue: UInt8(digits[4] * 16 + digits[5]))
    }
}

extension Colour: CustomStringConvertible {
    /// `#00D4FF`
    package var description: String {
        "#"
            + [red, green, blue].map { part in
                let digits = String(part, radix: 16, uppercase: true)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}
