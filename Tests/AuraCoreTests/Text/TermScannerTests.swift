import Testing

@testable import AuraCore

@Suite struct TermScannerTests {
    /// Terms; a `+` before those that continue a compound.
    private func terms(_ text: String) -> String {
        var scanner = TermScanner(text)
        var terms: [String] = []
        while scanner.next() {
            let term = String(decoding: scanner.term, as: UTF8.self)
            terms.append((scanner.continuesCompound ? "+" : "") + term)
        }
        return terms.joined(separator: " ")
    }

    @Test(
        "a text is taken apart into folded terms",
        arguments: [
            ("The Pump-log, v2", "the pump +log v2"),
            ("OPS-4417.", "ops +4417"),
            ("flush_write_queue()", "flush +write +queue"),
            ("flushWriteQueue", "flushwritequeue"),
            ("1,000 or 3.14", "1 +000 or 3 +14"),
            ("one, two", "one two"),
            ("the pump's valve", "the pump valve"),
            ("don't", "don +t"),
            ("l’eau d’été", "l +eau d +ete"),
            ("Zoë—café", "zoe cafe"),
            ("Malmo\u{308} Ｗｉｄｅ", "malmo wide"),
            ("在庫管理の", "在庫 +庫管 +管理 +理の +の"),
            ("会", "会"),
            ("iPhoneを買う", "iphone +を買 +買う +う"),
            ("🔍 found", "🔍 found"),
            ("Москва Ёлка", "москва елка"),
            ("", ""),
            (" ,;\u{0}\n", ""),
        ])
    func scanning(text: String, expected: String) { #expect(terms(text) == expected) }

    @Test("ranges are the bytes of the term in the text")
    func ranges() {
        let text = "Zoë's OPS-4417 在庫管理 don't"
        let bytes = Array(text.utf8)
        var scanner = TermScanner(text)
        var places: [String] = []
        while scanner.next() {
            places.append(String(decoding: bytes[scanner.range], as: UTF8.self))
        }
        #expect(places == ["Zoë", "OPS", "4417", "在庫", "庫管", "管理", "理", "don", "t"])
    }

    @Test("capitals inside a word begin inner words")
    func innerWords() {
        var scanner = TermScanner("flushWriteQueue")
        _ = scanner.next()
        #expect(scanner.innerWords == [5, 10])
    }

    @Test("an endless run is cut")
    func longRun() {
        var scanner = TermScanner(String(repeating: "a", count: 100_000) + " b")
        var lengths: [Int] = []
        while scanner.next() { lengths.append(scanner.term.count) }
        #expect(lengths == [TermScanner.maximumBytes, 1])
    }
}
