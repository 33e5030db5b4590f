@_spi(_Unicode) internal import Swift

/// Unicode's composed form (NFC): one text for what different keyboards and systems write differently.
package enum ComposedText {
    package static func composed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text._nfc)
        return String(result)
    }
}
