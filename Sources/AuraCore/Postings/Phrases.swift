/// Finds the passages of one segment in which words stand side by side.
struct PhraseMatcher {
    /// For each place of the phrase the lists of the terms that may stand there. One place is no
    /// phrase: then the positions are not looked at.
    private var places: [[ListCursor]]
    /// Where it may stand.
    private let fields: [Field]

    typealias Match = (passage: Int, counts: FieldValues<Int>)

    init(places: [[ListCursor]], fields: [Field] = Field.allCases) {
        self.places = places
        self.fields = fields
    }

    /// Ascending. Costs a walk over the lists of the first place, of those of the others where they
    /// may match.
    consuming func matches() throws -> [Match] {
        guard !places.isEmpty, !places.contains(where: \.isEmpty) else { return [] }
        return places.count == 1 ? try union() : try sideBySide()
    }

    private mutating func union() throws -> [Match] {
        var found: [Match] = []
        for index in places[0].indices {
            try places[0][index].forEach { passage, counts in
                var kept = FieldValues(all: 0)
                for field in fields { kept[field] = counts[field] }
                if kept != FieldValues(all: 0) { found.append((passage, kept)) }
            }
        }
        guard places[0].count > 1 else { return found }
        found.sort { $0.passage < $1.passage }
        var merged: [Match] = []
        for match in found {
            if merged.last?.passage == match.passage {
                merged[merged.count - 1].counts = merged[merged.count - 1].counts + match.counts
            } else {
                merged.append(match)
            }
        }
        return merged
    }

    private mutating func sideBySide() throws -> [Match] {
        var found: [Match] = []
        var passage = 0
        candidates: while true {
            // Each place in turn moves on to the passage all others have reached.
            var agreed = 0
            var place = 0
            while agreed < places.count {
                guard let next = try seek(place, passage) else { break candidates }
                agreed = next == passage ? agreed + 1 : 1
                passage = next
                place = (place + 1) % places.count
            }
            let counts = try counts(in: passage)
            if counts != FieldValues(all: 0) { found.append((passage, counts)) }
            passage += 1
        }
        return found
    }

    /// The first passage from there on with any of a place's terms.
    private mutating func seek(_ place: Int, _ passage: Int) throws -> Int? {
        var first: Int?
        for index in places[place].indices {
            guard let next = try places[place][index].seek(passage) else { continue }
            first = min(first ?? next, next)
        }
        return first
    }

    /// How often the whole phrase stands in each field of a passage.
    private mutating func counts(in passage: Int) throws -> FieldValues<Int> {
        var counts = FieldValues(all: 0)
        var starts = FieldValues<Set<Int>>(all: [])
        for place in places.indices {
            var here = FieldValues<Set<Int>>(all: [])
            for index in places[place].indices {
                guard try places[place][index].seek(passage) == passage,
                    let reader = try places[place][index].positions()
                else { continue }
                for field in fields {
                    here[field].formUnion(reader.positions(in: field).map { $0 - place })
                }
            }
            for field in fields {
                starts[field] = place == 0 ? here[field] : starts[field].intersection(here[field])
            }
        }
        for field in fields { counts[field] = starts[field].count }
        return counts
    }
}
