import AuraCore

/// Colour and weight, where they are wanted.
///
/// True colour when the terminal says so (`COLORTERM`), else 256 or 16 colours by `TERM`; nothing for
/// a pipe, a file, `NO_COLOR` or `TERM=dumb`.
struct Styling: Sendable, Equatable {
    enum Wish: String, Sendable { case auto, always, never }
    enum Depth: Int, Sendable { case none, sixteen, palette, trueColour }

    let depth: Depth

    init(isTerminal: Bool, environment: [String: String], wish: Wish) {
        let term = environment["TERM"] ?? ""
        let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let wanted =
            switch wish {
            case .always: true
            case .never: false
            case .auto: isTerminal && !refused && term != "dumb" && !term.isEmpty
            }
        if !wanted {
            depth = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") {
            depth = .trueColour
        } else if term.contains("256color") {
            depth = .palette
        } else {
            depth = .sixteen
        }
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    /// For what matters less: dates, scores.
    func secondary(_ text: String) -> String { colour(text, RGB(0x7D, 0x85, 0x90)) }
    func danger(_ text: String) -> String { colour(text, RGB(0xFF, 0x47, 0x57)) }
    func highlight(_ text: String) -> String { wrap(text, "1;4") }

    func colour(_ text: String, hex: String) -> String {
        RGB(hex: hex).map { colour(text, $0) } ?? text
    }

    func colour(_ text: String, _ colour: RGB) -> String {
        switch depth {
        case .none: text
        case .trueColour: wrap(text, "38;2;\(colour.red);\(colour.green);\(colour.blue)")
        case .palette: wrap(text, "38;5;\(colour.paletteIndex)")
        case .sixteen: wrap(text, "\(colour.sixteenCode)")
        }
    }

    private func wrap(_ text: String, _ code: String) -> String {
        depth == .none || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    struct RGB: Sendable, Equatable {
        let red, green, blue: Int

        init(_ red: Int, _ green: Int, _ blue: Int) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        /// `#7B61FF`
        init?(hex: String) {
            // `Int` alone would take a sign for a digit.
            guard hex.count == 7, hex.hasPrefix("#"), hex.dropFirst().allSatisfy(\.isHexDigit),
                let number = Int(hex.dropFirst(), radix: 16)
            else { return nil }
            self.init(number >> 16, number >> 8 & 255, number & 255)
        }

        /// The nearest of the 6 × 6 × 6 cube that xterm's 256 colours hold at 16…231.
        var paletteIndex: Int {
            func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
            return 16 + 36 * level(red) + 6 * level(green) + level(blue)
        }

        /// The bright or plain colour whose on and off parts are nearest.
        var sixteenCode: Int {
            let top = max(red, green, blue)
            let bits =
                (red * 2 > top ? 1 : 0) + (green * 2 > top ? 2 : 0) + (blue * 2 > top ? 4 : 0)
            return (top > 160 ? 90 : 30) + bits
        }
    }
}
