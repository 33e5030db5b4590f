/// What it is worth that words of the query stand close together.
///
/// After Büttcher, Clarke and Lushman (2006): where two different words of the query follow each
/// other in the passage, with none of the query between them, each gains the other's idf over the
/// square of their distance. The gains of a word level off as counts do in BM25.
struct Proximity {
    private var places: [(position: Int, word: Int)] = []
    private let idfs: [Float]

    /// - Parameter idfs: of the query's words.
    init(idfs: [Float]) { self.idfs = idfs }

    mutating func add(word: Int, at positions: [Int]) {
        for position in positions { places.append((position, word)) }
    }

    /// - Parameters:
    ///   - length: of the passage, over the average.
    ///   - k1: as for the counts.
    func bonus(length: Float, k1: Float, b: Float) -> Float {
        var gains = [Float](repeating: 0, count: idfs.count)
        let sorted = places.sorted { ($0.position, $0.word) < ($1.position, $1.word) }
        for (one, other) in zip(sorted, sorted.dropFirst()) where one.word != other.word {
            let distance = Float(max(1, other.position - one.position))
            gains[one.word] += idfs[other.word] / (distance * distance)
            gains[other.word] += idfs[one.word] / (distance * distance)
        }
        let level = k1 * (1 - b + b * length)
        var sum: Float = 0
        for (gain, idf) in zip(gains, idfs) where gain > 0 {
            sum += min(1, idf) * gain * (k1 + 1) / (gain + level)
        }
        return sum
    }
}
