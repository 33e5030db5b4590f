/// A note's words as the word table keeps them, column by column: terms with a blank between.
///
/// The first four columns hold the stems of all terms in order, so that phrases can be found. The
/// fifth holds, in any order, what a term is besides its stem: the term as written (`moorings`), the
/// compound without its signs (`ops4417`), the words inside `flushWriteQueue`.
struct WordColumns: Sendable {
    var title: String
    var tags: String
    var headings: String
    var body: String
    var forms: String

    init(note: Note, passages: [PassageText]) {
        var writer = TermWriter()
        title = writer.stems(of: note.title)
        tags = writer.stems(of: note.tags.joined(separator: " \n"))
        var headings: [String] = []
        for passage in passages where !passage.heading.isEmpty && passage.heading != headings.last {
            headings.append(passage.heading)
        }
        self.headings = writer.stems(of: headings.joined(separator: "\n"))
        body = writer.stems(of: note.body)
        forms = writer.takeForms()
    }
}

/// Writes terms into columns and gathers their other forms.
private struct TermWriter {
    private var forms: [UInt8] = []
    private var knownForms: Set<[UInt8]> = []
    private var stem: [UInt8] = []
    private var compound: [UInt8] = []
    private var parts = 0

    mutating func stems(of text: String) -> String {
        var column: [UInt8] = []
        column.reserveCapacity(text.utf8.count)
        var scanner = TermScanner(text)
        while scanner.next() {
            if !scanner.continuesCompound { endCompound() }
            stem.removeAll(keepingCapacity: true)
            stem.append(contentsOf: scanner.term)
            if !scanner.isPair {
                EnglishStem.reduce(&stem)
                if stem != scanner.term { add(scanner.term) }
                compound.append(contentsOf: scanner.term)
                parts += 1
            }
            column.append(contentsOf: stem)
            column.append(0x20)
            if !scanner.innerWords.isEmpty { addInnerWords(scanner) }
        }
        endCompound()
        return String(decoding: column, as: UTF8.self)
    }

    mutating func takeForms() -> String { String(decoding: forms, as: UTF8.self) }

    /// Once a note: forms are for finding; the stems count how often.
    private mutating func add(_ form: [UInt8]) {
        guard knownForms.insert(form).inserted else { return }
        forms.append(contentsOf: form)
        forms.append(0x20)
    }

    private mutating func endCompound() {
        if parts > 1, parts <= Compound.maximumParts, compound.count <= TermScanner.maximumBytes {
            add(compound)
        }
        compound.removeAll(keepingCapacity: true)
        parts = 0
    }

    private mutating func addInnerWords(_ scanner: TermScanner) {
        let ends = scanner.innerWords + [scanner.term.count]
        var start = 0
        for end in ends {
            var inner = Array(scanner.term[start..<end])
            EnglishStem.reduce(&inner)
            if inner.count > 1 { add(inner) }
            start = end
        }
    }
}

enum Compound {
    /// A run of more parts than this is an address or a sentence of dots, not a name.
    static let maximumParts = 6
}
