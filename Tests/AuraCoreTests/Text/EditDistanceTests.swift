import AuraCore
import Testing

@Suite("edit distance")
struct EditDistanceTests {
    @Test(
        "a slip is one letter more, less, wrong, or two swapped",
        arguments: [
            ("capture", "capture", 0), ("captrue", "capture", 1), ("captur", "capture", 1),
            ("kapture", "capture", 1), ("caapture", "capture", 1), ("Café", "cafe", 0),
            ("ca", "abc", 3), ("", "ab", 2),
        ])
    func distance(left: String, right: String, slips: Int) {
        #expect(EditDistance.between(left, right, limit: 5) == slips)
        #expect(EditDistance.between(right, left, limit: 5) == slips)
    }

    @Test("more slips than the limit are nil")
    func limit() {
        #expect(EditDistance.between("kitten", "sitting", limit: 3) == 3)
        #expect(EditDistance.between("kitten", "sitting", limit: 2) == nil)
        let long = String(repeating: "x", count: 5000)
        #expect(EditDistance.between(long, long + "y", limit: 2) == nil)
    }

    @Test(
        "the nearest word is offered, and nothing when none is near",
        arguments: [
            ("serach", "search"), ("Wrok", "Work"), ("distil", "distill"), ("xyz", nil), ("", nil),
            ("ls", nil), ("tsks", "tasks"),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        let words = ["capture", "search", "distill", "tasks", "Work", "ask"]
        #expect(EditDistance.nearest(to: word, in: words) == expected)
    }
}
