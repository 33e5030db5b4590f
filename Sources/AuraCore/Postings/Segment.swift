/// The passages of a segment: whose they are and how long.
///
/// Sorted by the notes' numbers; the passages of a note stand together, in their order.
struct SegmentPassages: Hashable, Sendable {
    /// The note of each passage.
    private(set) var notes: [Int32] = []
    private(set) var lengths: [PassageLengths] = []

    var count: Int { notes.count }

    mutating func append(note: Int, _ lengths: PassageLengths) {
        notes.append(Int32(truncatingIfNeeded: note))
        self.lengths.append(lengths)
    }

    /// Gives every note the number that stands at the place of its own.
    mutating func renumber(_ numbers: [Int]) {
        for index in notes.indices {
            notes[index] = Int32(truncatingIfNeeded: numbers[Int(notes[index])])
        }
    }

    /// The passages of a note; empty when it has none here.
    func range(ofNote note: Int) -> Range<Int> {
        let number = Int32(truncatingIfNeeded: note)
        let start = partition { $0 < number }
        return start..<max(start, partition { $0 <= number })
    }

    /// The first passage for which the condition does not hold; it holds for a beginning.
    private func partition(_ isBefore: (Int32) -> Bool) -> Int {
        var (low, high) = (0, notes.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(notes[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func totals(_ passages: some Sequence<Int>) -> WordTotals {
        var totals = WordTotals()
        for passage in passages {
            totals.passages += 1
            totals.lengths = totals.lengths + lengths[passage].values
        }
        return totals
    }

    // MARK: As bytes

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.number(count)
        var before = 0
        for index in notes.indices {
            writer.number(Int(notes[index]) - before)
            before = Int(notes[index])
            let values = lengths[index].values
            writer.number(values.body)
            writer.byte(UInt8(values.title))
            writer.byte(UInt8(values.tags))
            writer.byte(UInt8(values.headings))
        }
        return writer.bytes
    }

    init() {}

    /// - Throws: `PostingsDamage`.
    init(bytes: [UInt8]) throws(PostingsDamage) {
        var reader = ByteReader(bytes)
        let count = reader.number()
        guard count <= bytes.count else { throw PostingsDamage() }
        notes.reserveCapacity(count)
        lengths.reserveCapacity(count)
        var note = 0
        for _ in 0..<count {
            note += reader.number()
            guard note <= Int(Int32.max), !reader.isDamaged else { throw PostingsDamage() }
            let body = reader.number()
            let title = Int(reader.byte())
            let tags = Int(reader.byte())
            append(
                note: note,
                PassageLengths(
                    FieldValues(
                        title: title, tags: tags, headings: Int(reader.byte()), body: body)))
        }
        guard !reader.isDamaged, reader.isAtEnd else { throw PostingsDamage() }
    }
}

/// Passages of a segment that are there no more, a bit each.
struct Tombstones: Hashable {
    private(set) var bytes: [UInt8]

    init(bytes: [UInt8] = []) { self.bytes = bytes }

    func contains(_ passage: Int) -> Bool {
        passage >> 3 < bytes.count && bytes[passage >> 3] & (1 << UInt8(passage & 7)) != 0
    }

    mutating func insert(_ passage: Int) {
        if passage >> 3 >= bytes.count {
            bytes.append(contentsOf: repeatElement(0, count: (passage >> 3) + 1 - bytes.count))
        }
        bytes[passage >> 3] |= 1 << UInt8(passage & 7)
    }
}

/// Part of the index that is written once: passages, and the list of every term they have.
struct Segment: Sendable {
    var passages: SegmentPassages
    var totals: WordTotals
    /// By key, in ascending order of its bytes.
    var terms: [(key: [UInt8], list: EncodedList)]

    /// The same segment for notes that were counted from 0; nil when it would have to be put in another
    /// order.
    func numbered(_ numbers: [Int]) -> Segment? {
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        var segment = self
        segment.passages.renumber(numbers)
        return segment
    }
}

/// Gathers the words of notes for one segment.
///
/// Costs about 20 µs for a note of 150 words, and 12 bytes of memory for each word.
struct SegmentBuilder: Sendable {
    private struct Word {
        var stem: Int32
        /// -1 when the word is its own stem.
        var exact: Int32
    }

    private struct Passage {
        var note: Int
        var lengths: PassageLengths
    }

    private struct Occurrence {
        var passage: Int32
        /// Field in the upper two bits, position in the others.
        var place: UInt32
    }

    private var words = TermTable()
    /// Of each word of the table.
    private var termsOfWords: [Word] = []
    private var keys = TermTable()
    private var passages: [Passage] = []
    private var terms: [Int32] = []
    private var occurrences: [Occurrence] = []
    private var noteCount = 0

    init() {}

    /// The next note. One without passages is found by its title and tags.
    mutating func add(title: String, tags: [String], passages texts: [PassageText]) {
        let note = noteCount
        noteCount += 1
        let start = occurrences.count
        let first = self.passages.count
        var lengths = FieldValues(all: 0)
        lengths.title = read(title, .title, first, from: 0)
        lengths.tags = read(tags.map { "#\($0)" }, .tags, first)
        let shared = start..<occurrences.count
        var heading = ""
        var headingRange = shared.upperBound..<shared.upperBound
        let texts = texts.isEmpty ? [PassageText(heading: "", text: "")] : texts
        for (index, text) in texts.enumerated() {
            let passage = first + index
            if index > 0 { copy(shared, to: passage) }
            if index > 0, text.heading == heading {
                headingRange = copy(headingRange, to: passage)
            } else {
                heading = text.heading
                let begin = occurrences.count
                let parts = heading.split(separator: " › ").map(String.init)
                lengths.headings = read(parts, .headings, passage)
                headingRange = begin..<occurrences.count
            }
            lengths.body = read(text.text, .body, passage, from: 0)
            self.passages.append(Passage(note: note, lengths: PassageLengths(lengths)))
        }
    }

    // MARK: Reading

    /// - Returns: how many words there are.
    private mutating func read(
        _ text: String, _ field: Field, _ passage: Int, from start: Int
    ) -> Int {
        var reader = TermReader()
        return reader.read(text, from: start) { word, isPair, position in
            take(word, isPair: isPair, field, passage, position)
        } - start
    }

    /// Each with a gap behind it.
    private mutating func read(_ texts: [String], _ field: Field, _ passage: Int) -> Int {
        var (start, count) = (0, 0)
        for text in texts {
            let words = read(text, field, passage, from: start)
            count += words
            start += words + Analysis.gap
        }
        return count
    }

    private mutating func take(
        _ text: [UInt8], isPair: Bool, _ field: Field, _ passage: Int, _ position: Int
    ) {
        let (id, isNew) = words.insert(text)
        if isNew {
            var stem = text
            if !isPair { EnglishStem.reduce(&stem) }
            termsOfWords.append(
                Word(
                    stem: keys.insert(Analysis.key(stem: stem)).id,
                    exact: stem == text ? -1 : keys.insert(Analysis.key(exact: text)).id))
        }
        let word = termsOfWords[Int(id)]
        let place = UInt32(field.rawValue) << 30 | UInt32(min(position, 1 << 30 - 1))
        let occurrence = Occurrence(passage: Int32(passage), place: place)
        terms.append(word.stem)
        occurrences.append(occurrence)
        if word.exact >= 0 {
            terms.append(word.exact)
            occurrences.append(occurrence)
        }
    }

    /// What all passages of a note share is read once.
    @discardableResult
    private mutating func copy(_ range: Range<Int>, to passage: Int) -> Range<Int> {
        let start = occurrences.count
        for index in range {
            terms.append(terms[index])
            occurrences.append(
                Occurrence(passage: Int32(passage), place: occurrences[index].place))
        }
        return start..<occurrences.count
    }

    // MARK: Writing

    /// Each term of the notes, and in how many passages it stands.
    var passageCounts: [[UInt8]: Int] {
        var last = [Int32](repeating: -1, count: keys.count)
        var counts = [Int](repeating: 0, count: keys.count)
        for (index, term) in terms.enumerated()
        where last[Int(term)] != occurrences[index].passage {
            last[Int(term)] = occurrences[index].passage
            counts[Int(term)] += 1
        }
        return Dictionary(
            uniqueKeysWithValues: counts.indices.map { (Array(keys[Int32($0)]), counts[$0]) })
    }

    /// A segment of notes that have no numbers yet: they are counted from 0.
    func unnumberedSegment(_ scoring: WordScoring) -> Segment {
        segment(notes: Array(0..<noteCount), scoring)
    }

    /// - Parameter numbers: of the notes, in the order in which they were added; all different.
    func segment(notes numbers: [Int], _ scoring: WordScoring) -> Segment {
        precondition(numbers.count == noteCount, "a number for each note")
        // Passages go by their notes' numbers.
        let order = passages.indices.sorted { left, right in
            (numbers[passages[left].note], left) < (numbers[passages[right].note], right)
        }
        var places = [Int32](repeating: 0, count: passages.count)
        var table = SegmentPassages()
        for (place, old) in order.enumerated() {
            places[old] = Int32(place)
            table.append(note: numbers[passages[old].note], passages[old].lengths)
        }
        let totals = table.totals(0..<table.count)
        let frequencies = FrequencyTable(scoring, totals)

        // Occurrences by term; those of one term keep their order.
        var ends = [Int](repeating: 0, count: keys.count + 1)
        for term in terms { ends[Int(term) + 1] += 1 }
        for index in 0..<keys.count { ends[index + 1] += ends[index] }
        var next = ends
        var sorted = [Occurrence](
            repeating: Occurrence(passage: 0, place: 0), count: occurrences.count)
        for (index, term) in terms.enumerated() {
            let occurrence = occurrences[index]
            sorted[next[Int(term)]] = Occurrence(
                passage: places[Int(occurrence.passage)], place: occurrence.place)
            next[Int(term)] += 1
        }

        return Segment(
            passages: table, totals: totals,
            terms: keys.sorted().map { term in
                let (id, key) = (Int(term), Array(keys[term]))
                return (
                    key,
                    SegmentBuilder.list(
                        sorted[ends[id]..<ends[id + 1]], table, frequencies,
                        keepsPositions: !Analysis.isExact(key))
                )
            })
    }

    private static func list(
        _ occurrences: ArraySlice<Occurrence>, _ passages: SegmentPassages,
        _ frequencies: FrequencyTable, keepsPositions: Bool
    ) -> EncodedList {
        var occurrences = Array(occurrences)
        let isBefore = { (one: Occurrence, other: Occurrence) in
            (one.passage, one.place) < (other.passage, other.place)
        }
        if zip(occurrences, occurrences.dropFirst()).contains(where: { isBefore($1, $0) }) {
            occurrences.sort(by: isBefore)
        }
        var encoder = ListEncoder()
        var positions = ByteWriter()
        var index = 0
        while index < occurrences.count {
            let passage = occurrences[index].passage
            var counts = FieldValues(all: 0)
            positions.removeAll()
            var (field, before) = (-1, 0)
            var last: UInt32?
            while index < occurrences.count, occurrences[index].passage == passage {
                let place = occurrences[index].place
                index += 1
                // A compound's whole and its parts may be the same term at one place.
                if place == last { continue }
                last = place
                let kind = Field.allCases[Int(place >> 30)]
                counts[kind] += 1
                guard keepsPositions, counts[kind] <= TermCounts.most[kind] else { continue }
                if kind.rawValue != field { (field, before) = (kind.rawValue, 0) }
                let position = Int(place & 0x3FFF_FFFF)
                positions.number(position - before)
                before = position
            }
            let code = TermCounts(counts)
            let frequency = frequencies.frequency(code, passages.lengths[Int(passage)])
            encoder.append(
                Int(passage), code, positions: positions.bytes,
                peak: PeakFrequency.code(frequency))
        }
        return encoder.finish()
    }
}
