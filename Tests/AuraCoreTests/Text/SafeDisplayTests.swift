import AuraCore
import Testing

@Suite("safe display")
struct SafeDisplayTests {
    @Test(
        "what could act on a terminal or hide text is shown as its code point",
        arguments: [
            ("a\u{1B}[31mred", "a\\u{1B}[31mred"),
            ("\u{9B}0m\u{7F}\u{7}", "\\u{9B}0m\\u{7F}\\u{07}"),
            ("abc\u{202E}def\u{2066}\u{200F}", "abc\\u{202E}def\\u{2066}\\u{200F}"),
            ("zero\u{200B}width\u{FEFF}\u{AD}", "zero\\u{200B}width\\u{FEFF}\\u{AD}"),
            ("tag\u{E0041}", "tag\\u{E0041}"), ("line\ntab\t", "line\ntab\t"),
            ("over\rwrite", "over\\u{0D}write"), ("windows\r\nend\r\n", "windows\nend\n"),
            ("café 東京 👍🏽", "café 東京 👍🏽"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
            ("❤\u{FE0F}", "❤\u{FE0F}"), ("a\u{200D}b", "a\\u{200D}b"),
            ("نامه\u{200C}ای", "نامه\u{200C}ای"), ("x\u{200D}", "x\\u{200D}"),
            ("x\u{2028}y", "x\\u{2028}y"), ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
            ("x\u{FE0F}\u{FE0F}", "x\\u{FE0F}\\u{FE0F}"),
        ])
    func visible(text: String, shown: String) {
        #expect(
            Array(SafeDisplay.visible(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test("on one line, line ends and tabs are shown too")
    func oneLine() {
        #expect(
            SafeDisplay.visible("a\n\tb\r\n", keepsLines: false) == "a\\u{0A}\\u{09}b\\u{0D}\\u{0A}"
        )
    }

    @Test("a flood of combining marks is cut")
    func marks() {
        let flood = "a" + String(repeating: "\u{301}", count: 500) + "b"
        #expect(SafeDisplay.visible(flood).unicodeScalars.count == 8)
    }

    @Test("a text gives the same in pieces as whole, wherever it is cut")
    func stream() {
        let text = "a\u{1B}[0m👩\u{200D}🚀\r\nx\ry\u{200D}z e\u{301}\u{9B}"
        let scalars = Array(text.unicodeScalars)
        for cut in 0...scalars.count {
            var stream = SafeStream()
            var shown = ""
            for part in [scalars[..<cut], scalars[cut...]] {
                var piece = String.UnicodeScalarView()
                piece.append(contentsOf: part)
                shown += stream.append(String(piece))
            }
            shown += stream.finish()
            #expect(shown == SafeDisplay.visible(text))
        }
    }

    @Test(
        "width counts terminal columns",
        arguments: [
            ("abc", 3), ("東京", 4), ("é", 1), ("e\u{301}", 1), ("👍🏽", 2), ("👩\u{200D}👩\u{200D}👧", 2),
            ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("…", 1),

            ("1\u{FE0F}\u{20E3}", 2), ("ｶﾅ", 2), ("⌚", 2), ("", 0),
        ])
    func width(text: String, columns: Int) {
        #expect(SafeDisplay.width(text) == columns)
    }

    @Test(
        "cut text ends in an ellipsis and never takes more than its columns",
        arguments: [
            ("hello world", 8, "hello w…"), ("hello", 5, "hello"), ("東京都庁", 5, "東京…"),
            ("東京都庁", 4, "東…"), ("👩\u{200D}🚀👩\u{200D}🚀👩\u{200D}🚀", 5, "👩\u{200D}🚀👩\u{200D}🚀…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ])
    func truncate(text: String, columns: Int, cut: String) {
        #expect(SafeDisplay.truncate(text, toColumns: columns) == cut)
    }
}
