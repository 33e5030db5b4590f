/// What a vault may be called: the name is also that of its folder, on every system.
package enum VaultName {
    package static let maximumLength = 40

    package static func isValid(_ name: String) -> Bool { problem(with: name) == nil }

    /// Why the name cannot be used, to follow "the vault's name"; nil when it can.
    package static func problem(with name: String) -> String? {
        if isPlain(name.utf8) { return nil }
        if name.isEmpty { return "is empty" }
        if name.count > maximumLength || name.utf8.count > 4 * maximumLength {
            return "is longer than \(maximumLength) characters"
        }
        if name.hasPrefix(".") || name.hasPrefix("_") || name.hasPrefix("-") {
            return "begins with '\(name.prefix(1))'"
        }
        if let last = name.last, last == "." || last.isWhitespace {
            return "ends with a dot or a blank"
        }
        if name.first?.isWhitespace == true { return "begins with a blank" }
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                if scalar.value != 0x200D { return "holds a character that cannot be seen" }
            default: break
            }
            if "/\\:*?\"<>|".unicodeScalars.contains(scalar) { return "holds '\(scalar)'" }
        }
        if FileName.isReserved(name) { return "means a device on Windows" }
        return nil
    }

    /// Five to forty ASCII letters: most names, and none that Windows keeps for itself.
    private static func isPlain(_ bytes: String.UTF8View) -> Bool {
        (5...maximumLength).contains(bytes.count)
            && bytes.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    }
}
