/// Names of note files, made from titles: safe on every system, readable in a listing.
///
/// The rule: lower case; Latin letters lose their accents (`é` → `e`, `ß` → `ss`), letters and
/// digits of other scripts stay; apostrophes vanish; everything else becomes one hyphen. Emoji and
/// punctuation are not kept, so a title of those alone takes the fallback. The title itself stays
/// whole in the front matter.
package enum FileName {
    /// Of a whole name with day and ending: leaves room within 255 for `.age`, conflict marks and
    /// temporary names.
    package static let maximumBytes = 120

    /// `2026-02-28_q1-planning-meeting.md`
    /// - Parameter fallback: used when the title has no letter or digit; letters and digits only.
    package static func name(title: String, day: Day, fallback: String) -> String {
        "\(day)_\(slug(title, fallback: fallback, maximumBytes: maximumBytes - 14)).md"
    }

    /// The names to try in turn: the plain one, one with the last six characters of the id, one
    /// with the whole id, which nothing else can have.
    package static func candidates(title: String, day: Day, id: NoteID) -> [String] {
        let whole = id.text.lowercased()
        let short = String(whole.suffix(6))
        let plain = name(title: title, day: day, fallback: short)
        let others = [short, whole].map { suffix in
            let space = maximumBytes - 14 - suffix.utf8.count - 1
            let slug = slug(title, fallback: "", maximumBytes: space)
            return slug.isEmpty ? "\(day)_\(suffix).md" : "\(day)_\(slug)-\(suffix).md"
        }
        var seen: Set<String> = []
        return ([plain] + others).filter { seen.insert($0).inserted }
    }

    /// The title as one part of a path: never empty unless the fallback is, never with a leading
    /// dot or hyphen, no name of a device.
    package static func slug(
        _ title: String, fallback: String, maximumBytes: Int = 106
    ) -> String {
        var result = ""
        var isGap = false
        var isAfterLatin = false
        // Enough for any slug; titles of a megabyte are not looked at whole.
        for scalar in title.unicodeScalars.prefix(2000) {
            switch piece(scalar, isAfterLatin: isAfterLatin) {
            case .kept(let text, let isLatin):
                if isGap, !result.isEmpty { result += "-" }
                isGap = false
                isAfterLatin = isLatin
                result += text
            case .mark(let text):
                if !result.isEmpty, !isGap { result += text }
            case .nothing: break
            case .gap:
                isGap = true
                isAfterLatin = false
            }
        }
        result = cut(result, maximumBytes)
        if result.isEmpty { return fallback }
        return isReserved(result)
            ? (fallback.isEmpty ? result + "-" : "\(result)-\(fallback)") : result
    }

    /// `con`, `nul`, `com1` and the like, in any case, with any ending.
    static func isReserved(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.lowercased()
        if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(stem) { return true }
        return (stem.hasPrefix("com") || stem.hasPrefix("lpt")) && stem.count == 4
            && stem.last?.isNumber == true
    }

    private enum Piece {
        case kept(String, isLatin: Bool)
        /// Belongs to the letter before it.
        case mark(String)
        case nothing
        case gap
    }

    private static func piece(_ scalar: Unicode.Scalar, isAfterLatin: Bool) -> Piece {
        if scalar.isASCII {
            switch scalar {
            case "a"..."z", "0"..."9": return .kept(String(scalar), isLatin: true)
            case "A"..."Z": return .kept(scalar.properties.lowercaseMapping, isLatin: true)
            case "'": return .nothing
            default: return .gap
            }
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            if let plain = plainLatin(properties.name) { return .kept(plain, isLatin: true) }
            return .kept(properties.lowercaseMapping, isLatin: false)
        case .decimalNumber:
            if let digit = properties.numericValue, properties.name?.hasPrefix("FULLWIDTH") == true
            {
                return .kept(String(Int(digit)), isLatin: true)
            }
            return .kept(String(scalar), isLatin: false)
        case .nonspacingMark, .spacingMark:
            // Variation selectors follow emoji and say nothing.
            let isSelector = (0xFE00...0xFE0F).contains(scalar.value) || scalar.value >= 0xE0000
            return isAfterLatin || isSelector ? .nothing : .mark(String(scalar))
        case .format: return .nothing
        default: return scalar.value == 0x2019 ? .nothing : .gap
        }
    }

    /// `LATIN SMALL LETTER E WITH ACUTE` → `e`; nil for other scripts.
    private static func plainLatin(_ name: String?) -> String? {
        guard var words = name?.split(separator: " ") else { return nil }
        if words.first == "FULLWIDTH" { words.removeFirst() }
        guard words.count >= 4, words.removeFirst() == "LATIN",
            words[0] == "SMALL" || words[0] == "CAPITAL",
            words[1] == "LETTER" || words[1] == "LIGATURE"
        else { return nil }
        switch words[2] {
        case "SHARP": return "ss"
        case "THORN": return "th"
        case "ETH": return "d"
        case "ENG": return "ng"
        case "DOTLESS", "LONG": return words.count > 3 ? words[3].lowercased() : nil
        case let letters where letters.count <= 2: return letters.lowercased()
        default: return nil
        }
    }

    /// Cut at the last hyphen where that costs less than a third, never inside a character.
    private static func cut(_ slug: String, _ maximumBytes: Int) -> String {
        guard slug.utf8.count > maximumBytes else { return slug }
        let head = slug.prefix(bytes: max(maximumBytes, 0))
        if let hyphen = head.utf8.lastIndex(of: UInt8(ascii: "-")),
            head.utf8.distance(from: head.startIndex, to: hyphen) * 3 > maximumBytes * 2
        {
            return String(head[..<hyphen])
        }
        return head.hasSuffix("-") ? String(head.dropLast()) : head
    }
}
