import AuraCore
import AuraSystem
import Foundation

// Works on the index of a home of made-up notes, for measuring:
//   embed AURA SENTENCES VECTORS   reads sentences, one a line, and writes the vector of each
//   load AURA SENTENCES VECTORS    gives each passage the mean of the vectors of its lines; the model
//                                  would take an hour
//   add AURA SENTENCES NUMBER      adds so many notes of ten sentences, one at a time, takes them out
//                                  again, and prints the milliseconds each took to be added
// AURA is the program that has the model server. The file of vectors holds little-endian floats, one
// vector after another; `embed` goes on with one that is not complete.

let sentencesPerRequest = 64
let passagesPerStep = 1000

func stop(_ text: String) -> Never {
    try? TerminalDevice.write("IndexProbe: \(text)\n".utf8, to: .error)
    Signals.exitNow(1)
}

let words = CommandLine.arguments.dropFirst()
guard words.count == 4, let services = try? environmentServices(), let worker = services.worker
else { stop("embed|load|add AURA SENTENCES VECTORS|NUMBER") }
var setup = worker.setup
setup.program = words[2]
let embedder = ModelWorker(setup).embedder
let sentences = try String(contentsOfFile: words[3], encoding: .utf8)
    .split(separator: "\n").map(String.init)
let bytesPerVector = embedder.dimensions * MemoryLayout<Float>.size

func environmentServices() throws -> Services {
    try Services.live(environment: Host.environment, vaultFolder: nil, now: nil, zone: nil)
}

func embed(into path: String) async throws {
    guard bytesPerVector > 0 else { stop("there is no embedding model") }
    let place = URL(fileURLWithPath: path)
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: place) }
    let file = try FileHandle(forUpdating: place)
    var done = Int(try file.seekToEnd()) / bytesPerVector
    try file.truncate(atOffset: UInt64(done * bytesPerVector))
    while done < sentences.count {
        let end = min(done + sentencesPerRequest, sentences.count)
        var data = Data()
        for vector in try await embedder.vectors(for: Array(sentences[done..<end])) {
            guard vector.values.count == embedder.dimensions else { stop("a vector is missing") }
            vector.values.withUnsafeBytes { data.append(contentsOf: $0) }
        }
        try file.write(contentsOf: data)
        done = end
    }
}

func load(from path: String) async throws {
    let vectors = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    guard vectors.count == sentences.count * bytesPerVector else { stop("vectors are missing") }
    let places = Dictionary(zip(sentences, 0...)) { first, _ in first }
    let store = try openedStore()
    let (model, dimensions) = (embedder.modelName, embedder.dimensions)
    var last = 0
    while true {
        let passages = try await store.unembedded(
            model: model, dimensions: dimensions, after: last, limit: passagesPerStep)
        guard let end = passages.last else { break }
        let means = passages.map { passage in
            let lines = passage.text.split(separator: "\n").compactMap { places[String($0)] }
            guard !lines.isEmpty else { stop("a passage has no line that is a sentence") }
            return (passage: passage, vector: mean(of: lines, in: vectors))
        }
        try await store.addVectors(means, model: model, dimensions: dimensions)
        last = end.number
    }
}

func openedStore() throws -> Store {
    let workspace = try services.workspace()
    return try Store(path: workspace.indexPath, key: workspace.indexKey)
}

/// From a text in memory to the commit, and to the end of the merges that a command does not leave for
/// later.
func add(_ count: Int) async throws {
    let store = try openedStore()
    var paths: [String] = []
    for number in 0..<count {
        let lines = (0..<10).map { sentences[(number * 10 + $0) % sentences.count] }
        let path = "Papers/added \(number).md"
        let started = ContinuousClock.now
        let text = NoteText(bytes: Array(lines.joined(separator: "\n").utf8), path: path)
        var changes = Store.Changes()
        let moment = Instant(seconds: 1_700_000_000)
        changes.entries = [
            Store.Changes.Entry(
                file: NoteFile(name: path, size: 1, modified: 1, inode: UInt64(number) + 1),
                path: path, hash: UInt64(number), content: IndexedNote(text), moment: moment,
                day: Zone.utc.local(moment).day)
        ]
        changes.readWords(WordScoring())
        try await store.apply(changes)
        try await store.mergeSegments(upTo: Store.quickMerge)
        let milliseconds = (ContinuousClock.now - started) / .milliseconds(1)
        try TerminalDevice.write("\(milliseconds)\n".utf8, to: .output)
        paths.append(path)
    }
    var removal = Store.Changes()
    removal.removed = try await store.files(ofPaths: paths).map(\.number)
    try await store.apply(removal)
}

/// Of length 1.
func mean(of places: [Int], in vectors: Data) -> Embedding {
    var sum = [Float](repeating: 0, count: embedder.dimensions)
    vectors.withUnsafeBytes { bytes in
        let floats = bytes.bindMemory(to: Float.self)
        for place in places {
            let start = place * sum.count
            for index in sum.indices { sum[index] += floats[start + index] }
        }
    }
    let length = sum.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return Embedding(sum.map { $0 / max(length, .leastNormalMagnitude) })
}

switch words.first {
case "embed": try await embed(into: words[4])
case "load": try await load(from: words[4])
case "add": try await add(Int(words[4]) ?? 0)
default: stop("'\(words[1])' is no step")
}
Signals.exitNow(0)
