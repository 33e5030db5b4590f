import Testing

@testable import AuraCore

@Suite("posting lists") struct PostingListTests {
    private struct Posting: Equatable {
        var passage: Int
        var code: UInt16
        var positions: [UInt8]
    }

    private static func postings(_ count: Int, gap: Int, seed: UInt64) -> [Posting] {
        var random = SeededChance(seed: seed)
        var passage = -1
        return (0..<count).map { _ in
            passage += 1 + Int(random.next() % UInt64(gap))
            var counts = FieldValues(all: 0)
            counts.body = 1 + Int(random.next() % 5)
            if random.next() % 7 == 0 { counts.title = 2 }
            let positions = (0..<(counts.body + counts.title)).map { _ in
                UInt8(random.next() % 100)
            }
            return Posting(
                passage: passage, code: TermCounts(counts).code, positions: positions)
        }
    }

    private static func encode(_ postings: [Posting]) -> EncodedList {
        var encoder = ListEncoder()
        for posting in postings {
            encoder.append(
                posting.passage, TermCounts(code: posting.code), positions: posting.positions,
                peak: PeakFrequency.code(1))
        }
        return encoder.finish()
    }

    private static func cursor(_ list: EncodedList, limit: Int) throws -> ListCursor {
        ListCursor(directory: try ListDirectory(bytes: list.directory), limit: limit) {
            $1 ? list.blocks[$0].places : list.blocks[$0].data
        }
    }

    @Test(
        "what was written is read: one posting, a run, a block, many blocks",
        arguments: [1, 2, 127, 128, 129, 1_000, 1_800, 20_000], [1, 3, 500])
    func roundTrip(count: Int, gap: Int) throws {
        let written = Self.postings(count, gap: gap, seed: UInt64(count * gap))
        let list = Self.encode(written)
        #expect(list.count == count)
        let limit = (written.last?.passage ?? 0) + 1
        var read: [Posting] = []
        var cursor = try Self.cursor(list, limit: limit)
        try cursor.forEachWithPositions(true) { passage, counts, positions in
            read.append(
                Posting(passage: passage, code: counts.code, positions: Array(positions)))
        }
        #expect(read == written)
        // A block is one page, so that reading one costs one page.
        #expect(list.blocks.allSatisfy { $0.data.count < 4_000 })
    }

    @Test("seeking finds the first passage that is not before the target", arguments: [1, 40])
    func seek(gap: Int) throws {
        let written = Self.postings(9_000, gap: gap, seed: 5)
        let passages = written.map(\.passage)
        let limit = (passages.last ?? 0) + 1
        for step in [1, 7, 130, 5_000] {
            var cursor = try Self.cursor(Self.encode(written), limit: limit)
            var index = 0
            var isSame = true
            for target in stride(from: 0, to: limit, by: step) {
                while index < passages.count, passages[index] < target { index += 1 }
                let expected = index < passages.count ? passages[index] : nil
                isSame = try isSame && cursor.seek(target) == expected
                if step > 100, expected != nil {
                    let reader = try #require(try cursor.positions())
                    isSame = isSame && reader.counts.code == written[index].code
                }
            }
            #expect(isSame, "step \(step)")
        }
    }

    @Test("a byte changed anywhere in a list is an error or another list, never the end")
    func damage() throws {
        let written = Self.postings(700, gap: 3, seed: 11)
        let list = Self.encode(written)
        let limit = (written.last?.passage ?? 0) + 1
        var random = SeededChance(seed: 3)
        var refused = 0
        for _ in 0..<2_000 {
            var broken = list
            let bytes = broken.blocks[0].data.count
            let place = Int(random.next() % UInt64(bytes))
            broken.blocks[0].data[place] ^= UInt8(1 << (random.next() % 8))
            if random.next() % 10 == 0 { broken.blocks[0].data.removeLast(Int(random.next() % 40)) }
            if random.next() % 4 == 0, !broken.blocks[0].places.isEmpty {
                broken.blocks[0].places.removeLast(broken.blocks[0].places.count / 2)
            }
            do {
                var cursor = try Self.cursor(broken, limit: limit)
                try cursor.forEachWithPositions(true) { passage, _, _ in
                    precondition(passage < limit, "passages stay in the segment")
                }
                cursor = try Self.cursor(broken, limit: limit)
                for target in stride(from: 0, to: limit, by: 97) { _ = try cursor.seek(target) }
            } catch is PostingsDamage {
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    @Test("counts of all fields fit into two bytes, and the most that fits stands for more")
    func counts() {
        let few = FieldValues(title: 1, tags: 2, headings: 3, body: 4)
        let code = TermCounts(few)
        #expect(Field.allCases.map { code[$0] } == Field.allCases.map { few[$0] })
        #expect(code.total == 10)
        #expect(!TermCounts(FieldValues(title: 0, tags: 0, headings: 0, body: 9)).hasOthers)
        let many = TermCounts(FieldValues(all: 5_000))
        #expect(Field.allCases.map { many[$0] } == Field.allCases.map { TermCounts.most[$0] })
    }

    @Test("a segment's passages are read as they were written, and found by their note")
    func passages() throws {
        var table = SegmentPassages()
        for note in [3, 3, 7, 900_000, 900_000, 900_000] {
            table.append(
                note: note,
                PassageLengths(FieldValues(title: 5, tags: 300, headings: 0, body: note)))
        }
        let read = try SegmentPassages(bytes: table.bytes)
        #expect(read == table)
        #expect(read.range(ofNote: 3) == 0..<2)
        #expect(read.range(ofNote: 7) == 2..<3)
        #expect(read.range(ofNote: 900_000) == 3..<6)
        #expect(read.range(ofNote: 8).isEmpty)
        #expect(read.lengths[3].values == FieldValues(title: 5, tags: 255, headings: 0, body: 1023))
        for end in 0..<table.bytes.count {
            #expect(throws: PostingsDamage.self) {
                try SegmentPassages(bytes: Array(table.bytes[..<end]))
            }
        }
    }

    @Test("a bound that was made by other averages is still a bound")
    func peaks() {
        let scoring = WordScoring()
        var random = SeededChance(seed: 8)
        for _ in 0..<500 {
            func totals() -> WordTotals {
                var totals = WordTotals()
                totals.passages = 10
                totals.lengths = FieldValues(
                    title: Int(random.next() % 90), tags: Int(random.next() % 40),
                    headings: Int(random.next() % 60), body: Int(random.next() % 3_000))
                return totals
            }
            let (then, now) = (totals(), totals())
            let lengths = PassageLengths(
                FieldValues(
                    title: Int(random.next() % 20), tags: Int(random.next() % 9),
                    headings: Int(random.next() % 20), body: Int(random.next() % 400)))
            let counts = TermCounts(
                FieldValues(
                    title: Int(random.next() % 3), tags: Int(random.next() % 3),
                    headings: Int(random.next() % 3), body: Int(random.next() % 9)))
            let peak = PeakFrequency.frequency(
                PeakFrequency.code(FrequencyTable(scoring, then).frequency(counts, lengths)))
            let bound = peak * PeakFrequency.growth(from: then, to: now)
            #expect(FrequencyTable(scoring, now).frequency(counts, lengths) <= bound)
        }
    }
}
