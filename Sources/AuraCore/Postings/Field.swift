/// Where in a note a word stands. Each part counts for itself in BM25F.
package enum Field: Int, CaseIterable, Sendable {
    case title, tags, headings, body
}

/// One number for each field.
package struct FieldValues<Number: Hashable & Sendable>: Hashable, Sendable {
    package var title: Number
    package var tags: Number
    package var headings: Number
    package var body: Number

    package init(title: Number, tags: Number, headings: Number, body: Number) {
        self.title = title
        self.tags = tags
        self.headings = headings
        self.body = body
    }

    package init(all number: Number) {
        self.init(title: number, tags: number, headings: number, body: number)
    }

    package subscript(field: Field) -> Number {
        get {
            switch field {
            case .title: title
            case .tags: tags
            case .headings: headings
            case .body: body
            }
        }
        set {
            switch field {
            case .title: title = newValue
            case .tags: tags = newValue
            case .headings: headings = newValue
            case .body: body = newValue
            }
        }
    }
}

extension FieldValues where Number == Int {
    static func + (one: FieldValues, other: FieldValues) -> FieldValues {
        FieldValues(
            title: one.title + other.title, tags: one.tags + other.tags,
            headings: one.headings + other.headings, body: one.body + other.body)
    }

    static func - (one: FieldValues, other: FieldValues) -> FieldValues {
        FieldValues(
            title: one.title - other.title, tags: one.tags - other.tags,
            headings: one.headings - other.headings, body: one.body - other.body)
    }
}

/// How often a term stands in each field of a passage, in at most two bytes.
///
/// Bit 0: there is a second byte. Bits 1–7: body, at most 127. Second byte: title in bits 0–1, tags
/// in 2–3, headings in 4–7. What is more often there counts as the most that fits: BM25 has long
/// levelled off.
struct TermCounts: Hashable {
    private(set) var code: UInt16

    static let most = FieldValues(title: 3, tags: 3, headings: 15, body: 127)

    init(code: UInt16) { self.code = code }

    init(_ counts: FieldValues<Int>) {
        let title = min(counts.title, TermCounts.most.title)
        let tags = min(counts.tags, TermCounts.most.tags)
        let headings = min(counts.headings, TermCounts.most.headings)
        let others = UInt16(title | tags << 2 | headings << 4)
        let body = UInt16(min(counts.body, TermCounts.most.body))
        code = body << 1 | (others == 0 ? 0 : 1) | others << 8
    }

    var body: Int { Int(code & 0xFF) >> 1 }
    var hasOthers: Bool { code & 1 != 0 }
    var title: Int { Int(code >> 8) & 3 }
    var tags: Int { Int(code >> 10) & 3 }
    var headings: Int { Int(code >> 12) }

    /// How many positions are kept.
    var total: Int { body + title + tags + headings }

    subscript(field: Field) -> Int {
        switch field {
        case .title: title
        case .tags: tags
        case .headings: headings
        case .body: body
        }
    }
}
