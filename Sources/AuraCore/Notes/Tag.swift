/// What a tag may look like, and how the ways people write them become one.
package enum Tag {
    /// Longer ones are cut; they are sentences that were taken for tags.
    package static let maximumBytes = 100

    /// `" #Bread Baking "` → `bread-baking`; nil when nothing with a letter, digit or symbol is left.
    ///
    /// Lower case whatever the locale, no leading `#`, blanks and commas become one hyphen.
    /// Underscores, slashes (`work/rota`) and dots stay.
    package static func normalised(_ raw: some StringProtocol) -> String? {
        if isNormal(raw.utf8) { return String(raw) }
        var result = ""
        var isGap = false
        for scalar in raw.unicodeScalars {
            if scalar.properties.isWhitespace || scalar == "," || isUnseen(scalar) {
                isGap = true
                continue
            }
            if result.isEmpty, scalar == "#" { continue }
            if isGap, !result.isEmpty { result += "-" }
            isGap = false
            result += scalar.properties.lowercaseMapping
        }
        if result.utf8.count > maximumBytes { result = result.prefix(bytes: maximumBytes) }
        return result.unicodeScalars.contains(where: isTelling) ? result : nil
    }

    /// The tags among `raw`, each once, in the order of their first mention.
    package static func list(_ raw: [String]) -> [String] {
        let tags = raw.compactMap { normalised($0) }
        if tags.count <= 1 { return tags }
        var seen: Set<String> = []
        return tags.filter { seen.insert($0).inserted }
    }

    /// The tags in a value that is one piece of text: `a, b`, `#a #b`, or one tag.
    static func words(in text: String) -> [String] {
        if text.utf8.contains(UInt8(ascii: ",")) {
            return text.split(separator: ",").map(String.init)
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count > 1 && words.allSatisfy { $0.hasPrefix("#") }
            ? words.map(String.init) : [text]
    }

    /// Hashtags in running text: `#name` after a blank or an opening mark, with a letter in it.
    ///
    /// Give it text without code: `MarkdownBlock.prose`.
    package static func hashtags(in prose: String) -> [String] {
        var found: [String] = []
        var previous: Unicode.Scalar = " "
        var name: String.UnicodeScalarView?
        for scalar in prose.unicodeScalars + [" "] {
            if name != nil {
                if isNamePart(scalar) {
                    name?.append(scalar)
                    continue
                }
                // `#1` is an issue and `##` a heading; neither is a tag.
                if let name, scalar != "#", name.contains(where: { $0.properties.isAlphabetic }) {
                    found.append(String(name))
                }
                name = nil
            } else if scalar == "#",
                previous.properties.isWhitespace || "([{\"'".contains(Character(previous))
            {
                name = String.UnicodeScalarView()
            }
            previous = scalar
        }
        return list(found)
    }

    /// Short, and of small letters, digits, hyphens and underscores: most tags.
    private static func isNormal(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "_"),
            bytes.count <= maximumBytes
        else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark:
            true
        default: scalar == "-" || scalar == "_" || scalar == "/"
        }
    }

    private static func isTelling(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .dashPunctuation, .openPunctuation, .closePunctuation, .connectorPunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .nonspacingMark,
            .enclosingMark:
            false
        default: scalar != "~"
        }
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // Joiners shape words and emoji; the other format characters only hide or turn text round.
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}
