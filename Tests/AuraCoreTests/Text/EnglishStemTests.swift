import Testing

@testable import AuraCore

/// Stems as the Snowball project's English stemmer gives them.
@Suite struct EnglishStemTests {
    @Test(
        "stems are Snowball's",
        arguments: [
            "mooring moor", "moorings moor", "decide decid", "decided decid", "deciding decid",
            "pumps pump", "caresses caress", "ties tie", "cries cri", "gas gas", "this this",
            "kiwis kiwi", "agreed agre", "hoping hope", "hopping hop", "luxuriating luxuri",
            "by by", "say say", "happy happi", "consistency consist", "sensational sensat",
            "generously generous", "arsenal arsenal", "university universiti", "universe univers",
            "organization organiz", "organ organ", "news news", "skies sky", "dying die",
            "only onli", "succeed succeed", "youth youth", "boyish boyish", "flying fli",
            "vileness vile", "electrical electr", "formalize formal", "adjustment adjust",
            "controlling control", "falling fall", "a a", "42nd 42nd", "biologists biolog",
            "evenings evening",
        ])
    func stems(pair: String) {
        let words = pair.split(separator: " ").map(String.init)
        #expect(EnglishStem.of(words[0]) == words[1])
    }
}
