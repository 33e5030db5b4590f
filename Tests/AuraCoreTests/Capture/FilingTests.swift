import AuraTestKit
import Testing

@testable import AuraCore

@Suite("filing by what the vaults' notes are like") struct FilingTests {
    /// A vector near one axis, of length 1.
    private static func vector(_ axis: Int, _ random: inout SeededChance) -> [Float] {
        var values = (0..<24).map { _ in Float(random.next() % 1000) / 1000 - 0.5 }
        values[axis] += 3
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return values.map { $0 / length }
    }

    private static func examples(
        _ counts: [Int], _ random: inout SeededChance
    ) -> [Filing.Example] {
        counts.indices.flatMap { vault in
            (0..<counts[vault]).map { _ in
                Filing.Example(vault: vault, vector: vector(vault, &random))
            }
        }
    }

    @Test("a text goes to the vault with notes like it, however many the others have")
    func nearest() {
        var random = SeededChance(seed: 1)
        let filing = Filing(
            examples: Self.examples([60, 8, 20], &random), purposes: [nil, nil, nil])
        for vault in 0..<3 {
            let shares = filing.shares(of: Self.vector(vault, &random))
            #expect(abs(shares.reduce(0, +) - 1) < 1e-9)
            #expect(
                shares[vault]
                    - (shares.enumerated().filter { $0.offset != vault }
                        .map(\.element).max() ?? 1) > Filing.margin)
        }
    }

    @Test("a text that is as much like the notes of one as of another is claimed by none for sure")
    func unsure() {
        var random = SeededChance(seed: 2)
        let filing = Filing(
            examples: Self.examples([30, 30, 30], &random), purposes: [nil, nil, nil])
        var text = [Float](repeating: 0, count: 24)
        (text[0], text[1]) = (Float(0.5).squareRoot(), Float(0.5).squareRoot())
        let shares = filing.shares(of: text)
        #expect(abs(shares[0] - shares[1]) < Filing.margin)
        #expect(shares[2] < min(shares[0], shares[1]))
    }

    @Test("without notes, what a vault is for decides; without that, nothing does")
    func purposes() {
        var random = SeededChance(seed: 3)
        let purposes = [Self.vector(4, &random), Self.vector(5, &random)]
        let told = Filing(examples: [], purposes: purposes)
        #expect(told.shares(of: Self.vector(5, &random))[1] > 0.5 + Filing.margin / 2)
        #expect(Filing(examples: [], purposes: [nil, nil]).shares(of: purposes[0]) == [0.5, 0.5])
        #expect(Filing(examples: [], purposes: []).shares(of: purposes[0]).isEmpty)
    }

    @Test("notes that were moved teach the next text at once")
    func learning() {
        var random = SeededChance(seed: 4)
        var examples = Self.examples([20, 20], &random)
        let text = Self.vector(9, &random)
        let before = Filing(examples: examples, purposes: [nil, nil]).shares(of: text)
        examples += (0..<4).map { _ in
            Filing.Example(vault: 1, vector: Self.vector(9, &random))
        }
        let after = Filing(examples: examples, purposes: [nil, nil]).shares(of: text)
        #expect(after[1] > before[1] && after[1] - after[0] > Filing.margin)
    }
}
