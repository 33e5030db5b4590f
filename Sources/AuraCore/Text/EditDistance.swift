/// How many slips of the finger lie between two words.
///
/// A slip is a character too much, one too few, a wrong one, or two neighbours swapped, each at
/// most once at a place (optimal string alignment). Case and accents are not slips.
package enum EditDistance {
    /// Words longer than this are never compared: the work grows with the square.
    private static let longestWord = 128

    /// Nil when there are more than `limit` slips.
    package static func between(_ left: String, _ right: String, limit: Int) -> Int? {
        between(Array(FoldedText.fold(left)), Array(FoldedText.fold(right)), limit: limit)
    }

    /// The candidate with the fewest slips, for "did you mean"; the first of equals.
    ///
    /// Nil when none is near: one slip is near for words of up to four characters, two for words of
    /// up to eight, then three.
    package static func nearest(
        to word: String, in candidates: some Sequence<String>
    ) -> String? {
        let folded = Array(FoldedText.fold(word))
        guard !folded.isEmpty else { return nil }
        let limit = folded.count <= 4 ? 1 : folded.count <= 8 ? 2 : 3
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let other = Array(FoldedText.fold(candidate))
            let allowed = min(limit, best.map { $0.distance - 1 } ?? limit, max(1, other.count - 1))
            guard allowed >= 0, let distance = between(folded, other, limit: allowed) else {
                continue
            }
            best = (distance, candidate)
            if distance == 0 { break }
        }
        return best?.candidate
    }

    private static func between(
        _ left: [Character], _ right: [Character], limit: Int
    ) -> Int? {
        guard abs(left.count - right.count) <= limit, max(left.count, right.count) <= longestWord
        else { return nil }
        if left == right { return 0 }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            if current.allSatisfy({ $0 > limit }) { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
