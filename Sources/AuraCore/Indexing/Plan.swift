/// What a listing and the index's records differ in.
struct Plan {
    /// A file to read, and the record of the same note, if it has one.
    struct Item: Sendable {
        var file: NoteFile
        var record: Store.FileRecord?
    }

    private(set) var items: [Item] = []
    private(set) var gone: [Store.FileRecord]

    /// A file goes with the record of the same name, byte for byte; else with one whose name is the
    /// same text in another Unicode form; else with one of the same inode, size and time, which is a
    /// note that was moved.
    init(files: [NoteFile], records: [Store.FileRecord]) {
        var byName: [ByteText: Int] = [:]
        byName.reserveCapacity(records.count)
        for (index, record) in records.enumerated() { byName[ByteText(record.file.name)] = index }
        var isTaken = [Bool](repeating: false, count: records.count)
        var unknown: [NoteFile] = []
        for file in files {
            guard let index = byName[ByteText(file.name)] else {
                unknown.append(file)
                continue
            }
            isTaken[index] = true
            let old = records[index].file
            if old.size != file.size || old.modified != file.modified || old.inode != file.inode {
                items.append(Item(file: file, record: records[index]))
            }
        }
        var left = records.indices.filter { !isTaken[$0] }.map { records[$0] }
        // Equality of `String` is equality of what is meant, whatever the form.
        var byText = Dictionary(
            left.map { ($0.file.name, $0) }, uniquingKeysWith: { first, _ in first })
        var byPlace = Dictionary(
            left.map { (Place($0.file), $0) }, uniquingKeysWith: { first, _ in first })
        var matched: Set<Int> = []
        for file in unknown {
            var record = byText.removeValue(forKey: file.name)
            if record == nil || matched.contains(record?.number ?? 0) {
                record = byPlace.removeValue(forKey: Place(file))
            }
            if let number = record?.number, !matched.insert(number).inserted { record = nil }
            items.append(Item(file: file, record: record))
        }
        left.removeAll { matched.contains($0.number) }
        gone = left
        // By name, so that of two notes with one id it is always the same that keeps it.
        items.sort { $0.file.name < $1.file.name }
    }

    /// Notes below these folders are out of reach, not gone.
    mutating func keep(folders: [String]) {
        gone.removeAll { record in
            folders.contains { record.file.name.hasPrefix($0 + "/") }
        }
    }

    var isEmpty: Bool { items.isEmpty && gone.isEmpty }

    func steps() -> [[Item]] {
        var steps: [[Item]] = []
        var step: [Item] = []
        var bytes: Int64 = 0
        for item in items {
            if step.count >= Indexer.notesPerStep || bytes + item.file.size > Indexer.bytesPerStep,
                !step.isEmpty
            {
                steps.append(step)
                step = []
                bytes = 0
            }
            step.append(item)
            bytes += item.file.size
        }
        if !step.isEmpty { steps.append(step) }
        return steps
    }

    private struct Place: Hashable {
        var inode: UInt64
        var size: Int64
        var modified: Int64

        init(_ file: NoteFile) {
            inode = file.inode
            size = file.size
            modified = file.modified
        }
    }
}

/// A text that equals another only byte for byte.
private struct ByteText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ByteText, right: ByteText) -> Bool {
        left.text.isSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        // Most paths differ at their end; equal texts in two forms may share a place.
        hasher.combine(text)
    }
}

extension String {
    func isSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
