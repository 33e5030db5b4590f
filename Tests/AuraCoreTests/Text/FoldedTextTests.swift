import AuraCore
import Testing

@Suite("folded text")
struct FoldedTextTests {
    @Test(
        "case, accents and width are taken away",
        arguments: [
            ("HELLO there", "hello there"), ("Café Ångström", "cafe angstrom"),
            ("Øre, ĐUKIĆ, Łódź", "ore, dukic, lodz"), ("STRASSE straße", "strasse strasse"),
            ("ﬁne Æther", "fine aether"), ("ＡＢＣ １２３", "abc 123"),
            ("Ἀθῆναι ΣΊΣΥΦΟΣ", "αθηναι σισυφοσ"),
            ("Ёлка Йод", "елка иод"), ("İstanbul ıssız", "istanbul issiz"),
            ("“don’t” – wait…", "\"don't\" - wait..."), ("ｶﾞﾗｽ", "ガラス"), ("東京", "東京"),
            ("co\u{AD}op\u{200B}erate", "cooperate"), ("", ""),
        ])
    func folds(text: String, folded: String) {
        #expect(Array(FoldedText.fold(text).unicodeScalars) == Array(folded.unicodeScalars))
    }

    @Test(
        "composed and decomposed spellings fold to the same scalars",
        arguments: [
            ("é", "e\u{301}"), ("Ǻ", "A\u{30A}\u{301}"), ("ガ", "カ\u{3099}"), ("ぱ", "は\u{309A}"),
            ("ヴ", "ウ\u{3099}"), ("ヺ", "ヲ\u{3099}"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("ệ", "e\u{323}\u{302}"), ("ᾳ", "α\u{345}ι"), ("آ", "ا\u{653}"),
            ("\u{9CB}", "\u{9C7}\u{9BE}"), ("й", "и\u{306}"),
        ])
    func forms(composed: String, decomposed: String) {
        let (left, right) = (FoldedText.fold(composed), FoldedText.fold(decomposed))
        #expect(Array(left.unicodeScalars) == Array(right.unicodeScalars))
    }

    @Test("folding twice changes nothing more")
    func idempotent() {
        for value in UInt32(0x20)..<0x3100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = FoldedText.fold(String(Character(scalar)))
            #expect(FoldedText.fold(once) == once, "\(String(value, radix: 16))")
        }
    }
}
