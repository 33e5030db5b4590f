/// Puts the lists of several segments together, without the passages that are gone.
struct SegmentMerger {
    /// Of the new segment.
    private(set) var passages = SegmentPassages()
    let totals: WordTotals
    /// For each old segment, where its passages are in the new one; -1 for those that are gone.
    private let places: [[Int32]]

    /// - Parameter segments: no note is live in two of them.
    init(_ segments: [(passages: SegmentPassages, tombstones: Tombstones)]) {
        var live: [(note: Int32, segment: Int, passage: Int)] = []
        for (index, segment) in segments.enumerated() {
            for passage in 0..<segment.passages.count where !segment.tombstones.contains(passage) {
                live.append((segment.passages.notes[passage], index, passage))
            }
        }
        live.sort { ($0.note, $0.segment, $0.passage) < ($1.note, $1.segment, $1.passage) }
        var places = segments.map { [Int32](repeating: -1, count: $0.passages.count) }
        for (place, entry) in live.enumerated() {
            places[entry.segment][entry.passage] = Int32(place)
            passages.append(
                note: Int(entry.note), segments[entry.segment].passages.lengths[entry.passage])
        }
        self.places = places
        totals = passages.totals(0..<passages.count)
    }

    /// The list of one term.
    /// - Parameter sources: its lists, each with the number of its segment, from 0.
    func list(
        _ sources: [(segment: Int, cursor: ListCursor)], _ frequencies: FrequencyTable,
        hasPositions: Bool
    ) throws -> EncodedList {
        var postings: [(passage: Int32, counts: TermCounts, positions: ArraySlice<UInt8>)] = []
        for (segment, cursor) in sources {
            var cursor = cursor
            let places = places[segment]
            try cursor.forEachWithPositions(hasPositions) { passage, counts, positions in
                if places[passage] >= 0 { postings.append((places[passage], counts, positions)) }
            }
        }
        if zip(postings, postings.dropFirst()).contains(where: { $1.passage < $0.passage }) {
            postings.sort { $0.passage < $1.passage }
        }
        var encoder = ListEncoder()
        for posting in postings {
            let frequency = frequencies.frequency(
                posting.counts, passages.lengths[Int(posting.passage)])
            encoder.append(
                Int(posting.passage), posting.counts, positions: posting.positions,
                peak: PeakFrequency.code(frequency))
        }
        return encoder.finish()
    }
}
