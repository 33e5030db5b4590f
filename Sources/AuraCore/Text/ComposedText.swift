@_spi(_Unicode) internal import Swift

/// Unicode's composed form (NFC): one text for what different keyboards and systems write differently.
package enum ComposedText {
    package static func composed(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text._nfc)
        return String(result)
    }
}
