internal import AuraSystem

/// Which vault a text belongs to, learnt from the notes that lie in each.
///
/// A ridge regression on the vectors of notes tells, for each vault, how much a text is like its notes and
/// unlike those of the others; what the vault is for counts beside it, and alone where there are too few
/// notes. Nothing is kept: the next text is filed by the notes as they lie then, so a move teaches at once.
package struct Filing: Sendable {
    package struct Example: Sendable {
        package var vault: Int
        /// Of length 1.
        package var vector: [Float]

        package init(vault: Int, vector: [Float]) {
            self.vault = vault
            self.vector = vector
        }
    }

    /// Examples of one vault that are looked at, the newest.
    package static let examplesPerVault = 150
    /// A vault with fewer says nothing by its notes.
    static let fewestExamples = 3
    /// The best vault leads by so much, or the text stays where it is. Measured on
    /// `Tests/Fixtures/filing`.
    package static let margin = 0.3

    private static let ridge = 4.0
    private static let purposeWeight = 0.5
    /// Scores are made steeper before they become shares.
    private static let steepness = 8.0
    /// What stands for the constant term beside a vector of length 1.
    private static let constant = 0.3

    private let vaults: Int
    private let mean: [Double]
    /// For each vault a row of weights, the constant's last; empty where its notes say nothing.
    private let weights: [[Double]]
    private let purposes: [[Float]?]
    /// How near the examples are to each purpose.
    private let usual: [Double]

    /// - Parameter purposes: for each vault the vector of what it is for; nil where nobody said.
    ///
    /// Costs about d²·n/2 + d³/6 multiplications for n examples of d numbers: 0.1 s for 750 of 384.
    package init(examples: [Example], purposes: [[Float]?]) {
        vaults = purposes.count
        self.purposes = purposes
        let dimensions = examples.first?.vector.count ?? 0
        let examples = examples.filter { $0.vector.count == dimensions }
        var sums = [Double](repeating: 0, count: dimensions)
        var counts = [Int](repeating: 0, count: vaults)
        for example in examples {
            counts[example.vault] += 1
            for index in 0..<dimensions { sums[index] += Double(example.vector[index]) }
        }
        let count = Double(max(examples.count, 1))
        let mean = sums.map { $0 / count }
        self.mean = mean
        usual = purposes.map { purpose in
            guard let purpose else { return 0 }
            return examples.reduce(0) { $0 + Filing.product($1.vector, purpose) } / count
        }
        let speaking = counts.indices.filter { counts[$0] >= Filing.fewestExamples }
        guard speaking.count > 1 else {
            weights = [[Double]](repeating: [], count: purposes.count)
            return
        }
        // Every vault counts as much as the others, however many notes it has.
        let rows = examples.filter { counts[$0.vault] >= Filing.fewestExamples }
        let size = dimensions + 1
        var matrix = [Double](repeating: 0, count: size * size)
        var targets = [[Double]](
            repeating: [Double](repeating: 0, count: size), count: purposes.count)
        let share = Double(rows.count) / Double(speaking.count)
        for example in rows {
            let weight = share / Double(counts[example.vault])
            let row = Filing.row(example.vector, mean)
            for index in 0..<size {
                let value = weight * row[index]
                for other in 0...index { matrix[index * size + other] += value * row[other] }
                for vault in speaking {
                    let target = (vault == example.vault ? 1 : 0) - 1 / Double(speaking.count)
                    targets[vault][index] += value * target
                }
            }
        }
        for index in 0..<size { matrix[index * size + index] += Filing.ridge }
        let factor = Cholesky(of: matrix, size: size)
        weights = (0..<purposes.count).map { vault in
            speaking.contains(vault) ? factor.solution(targets[vault]) : []
        }
    }

    /// How much of the text each vault claims; the sum is 1.
    package func shares(of vector: [Float]) -> [Double] {
        guard vaults > 0 else { return [] }
        let row = vector.count == mean.count ? Filing.row(vector, mean) : []
        let scores = (0..<vaults).map { vault -> Double in
            var score = 0.0
            if !row.isEmpty, !weights[vault].isEmpty {
                for index in row.indices { score += row[index] * weights[vault][index] }
            }
            if let purpose = purposes[vault] {
                let nearness = Filing.product(vector, purpose) - usual[vault]
                score += Filing.purposeWeight * nearness
            }
            return score * Filing.steepness
        }
        let most = scores.max() ?? 0
        let powers = scores.map { Logarithm.power($0 - most) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    private static func row(_ vector: [Float], _ mean: [Double]) -> [Double] {
        vector.indices.map { Double(vector[$0]) - mean[$0] } + [constant]
    }

    static func product(_ one: [Float], _ other: [Float]) -> Double {
        guard one.count == other.count else { return 0 }
        return one.indices.reduce(0) { $0 + Double(one[$1]) * Double(other[$1]) }
    }
}

/// A symmetric positive definite matrix as a lower triangle times its transpose.
private struct Cholesky {
    private let size: Int
    private let lower: [Double]

    /// - Parameter matrix: row by row; only its lower triangle is read.
    init(of matrix: [Double], size: Int) {
        self.size = size
        var lower = matrix
        for row in 0..<size {
            for column in 0...row {
                var sum = lower[row * size + column]
                for index in 0..<column {
                    sum -= lower[row * size + index] * lower[column * size + index]
                }
                lower[row * size + column] =
                    row == column
                    ? max(sum, .leastNormalMagnitude).squareRoot()
                    : sum / lower[column * size + column]
            }
        }
        self.lower = lower
    }

    func solution(_ right: [Double]) -> [Double] {
        var values = right
        for row in 0..<size {
            for column in 0..<row { values[row] -= lower[row * size + column] * values[column] }
            values[row] /= lower[row * size + row]
        }
        for row in (0..<size).reversed() {
            for column in row + 1..<size {
                values[row] -= lower[column * size + row] * values[column]
            }
            values[row] /= lower[row * size + row]
        }
        return values
    }
}
