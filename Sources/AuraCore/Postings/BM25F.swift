internal import AuraSystem

/// How the words of a query are weighed against those of a passage.
///
/// BM25F (Robertson, Zaragoza, Taylor 2004): the counts of a term in all fields are added up, each
/// weighed and divided by how long that field is, before they level off together:
///
///     frequency = Σ weight · count / (1 - b + b · length / average length)
///     score     = Σ idf · frequency · (k1 + 1) / (frequency + k1)
///     idf       = ln(1 + (passages - with the term + 0.5) / (with the term + 0.5))
package struct WordScoring: Hashable, Sendable {
    /// Where the counts level off.
    package var k1: Float = 1.2
    package var weights = FieldValues<Float>(title: 3, tags: 1.5, headings: 0.5, body: 1)
    /// How much a field's length counts.
    package var b = FieldValues<Float>(title: 0.5, tags: 0.3, headings: 0.3, body: 0.6)
    /// What a word counts for being written exactly so, beside its stem.
    package var exact: Float = 0.1
    /// Of a word that says little by itself, like `the`.
    package var stopWord: Float = 0.15
    /// Of each part of a compound, beside the whole.
    package var part: Float = 0.7
    /// Of what words of the query give that only other passages of a note have.
    package var otherPassages: Float = 0.25
    /// Of what `Proximity` gives.
    package var closeness: Float = 0.15

    package init() {}

    /// Of a word in half of all passages: ln 2.
    static let idfOfHalf: Float = 0.693

    func idf(_ passages: Int, of all: Int) -> Float {
        let with = Float(min(passages, all))
        return Float(
            Logarithm.natural(Double(1 + (Float(all) - with + 0.5) / (with + 0.5))))
    }
}

/// What the words of all searched passages come to.
package struct WordTotals: Hashable, Sendable {
    package var passages = 0
    /// Words of each field, all passages together.
    package var lengths = FieldValues(all: 0)

    package init() {}

    func average(_ field: Field) -> Float {
        guard passages > 0, lengths[field] > 0 else { return 1 }
        return Float(lengths[field]) / Float(passages)
    }

    static func + (one: WordTotals, other: WordTotals) -> WordTotals {
        var sum = one
        sum.passages += other.passages
        sum.lengths = one.lengths + other.lengths
        return sum
    }

    static func - (one: WordTotals, other: WordTotals) -> WordTotals {
        var rest = one
        rest.passages -= other.passages
        rest.lengths = one.lengths - other.lengths
        return rest
    }
}

/// Field weights over field lengths, looked up: what one more count adds to a term's frequency.
struct FrequencyTable {
    private let body: [Float]
    private let title: [Float]
    private let tags: [Float]
    private let headings: [Float]

    init(_ scoring: WordScoring, _ totals: WordTotals) {
        func factors(_ field: Field, upTo length: Int) -> [Float] {
            let (b, average) = (scoring.b[field], totals.average(field))
            return (0...length).map {
                scoring.weights[field] / (1 - b + b * Float($0) / average)
            }
        }
        body = factors(.body, upTo: PassageLengths.longestBody)
        title = factors(.title, upTo: PassageLengths.longestOther)
        tags = factors(.tags, upTo: PassageLengths.longestOther)
        headings = factors(.headings, upTo: PassageLengths.longestOther)
    }

    @inline(__always)
    func frequency(_ counts: TermCounts, _ lengths: PassageLengths) -> Float {
        var frequency = Float(counts.body) * body[lengths.body]
        if counts.hasOthers {
            frequency += Float(counts.title) * title[lengths.title]
            frequency += Float(counts.tags) * tags[lengths.tags]
            frequency += Float(counts.headings) * headings[lengths.headings]
        }
        return frequency
    }
}

/// The words of a passage's fields, packed. Longer ones count as the longest that fits.
struct PassageLengths: Hashable {
    let packed: UInt64

    static let longestBody = 1023
    static let longestOther = 255

    init(packed: UInt64) { self.packed = packed }

    init(_ lengths: FieldValues<Int>) {
        func most(_ length: Int, _ longest: Int) -> UInt64 { UInt64(min(length, longest)) }
        packed =
            most(lengths.body, PassageLengths.longestBody)
            | most(lengths.title, PassageLengths.longestOther) << 16
            | most(lengths.tags, PassageLengths.longestOther) << 24
            | most(lengths.headings, PassageLengths.longestOther) << 32
    }

    var body: Int { Int(packed & 0x3FF) }
    var title: Int { Int(packed >> 16 & 0xFF) }
    var tags: Int { Int(packed >> 24 & 0xFF) }
    var headings: Int { Int(packed >> 32 & 0xFF) }

    var values: FieldValues<Int> {
        FieldValues(title: title, tags: tags, headings: headings, body: body)
    }
}

/// The most frequent a term is in any passage of a block, by the averages of the block's own segment:
/// a bound of what the block can give to a score.
///
/// Averages move as notes come and go. A frequency by other averages is at most
/// `max(1, average now / average then)` times this one, for any length, so the bound stays a bound.
enum PeakFrequency {
    /// Steps in a frequency of 1.
    private static let steps: Float = 128

    /// Rounded up.
    static func code(_ frequency: Float) -> UInt16 {
        let scaled = (frequency * steps).rounded(.up) + 1
        return scaled >= 65535 ? .max : UInt16(scaled)
    }

    static func frequency(_ code: UInt16) -> Float {
        code == .max ? .infinity : Float(code) / steps
    }

    static func growth(from then: WordTotals, to now: WordTotals) -> Float {
        Field.allCases.reduce(1) { max($0, now.average($1) / then.average($1)) }
    }
}
