import AuraCore
import AuraSystem
import Foundation

// Gives a home of made-up notes vectors that would take the model an hour, for measuring:
//   embed AURA SENTENCES VECTORS   reads sentences, one a line, and writes the vector of each
//   load AURA SENTENCES VECTORS    gives each passage the mean of the vectors of its lines
// AURA is the program that has the model server. The file of vectors holds little-endian floats, one
// vector after another; `embed` goes on with one that is not complete.

let sentencesPerRequest = 64
let passagesPerStep = 1000

func stop(_ text: String) -> Never {
    try? TerminalDevice.write("VectorLoader: \(text)\n".utf8, to: .error)
    Signals.exitNow(1)
}

let words = CommandLine.arguments.dropFirst()
guard words.count == 4, let services = try? environmentServices(), let worker = services.worker
else { stop("embed|load AURA SENTENCES VECTORS") }
var setup = worker.setup
setup.program = words[2]
let embedder = ModelWorker(setup).embedder
let sentences = try String(contentsOfFile: words[3], encoding: .utf8)
    .split(separator: "\n").map(String.init)
let bytesPerVector = embedder.dimensions * MemoryLayout<Float>.size
guard bytesPerVector > 0 else { stop("there is no embedding model") }

func environmentServices() throws -> Services {
    try Services.live(environment: Host.environment, vaultFolder: nil, now: nil, zone: nil)
}

func embed(into path: String) async throws {
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
    let workspace = try services.workspace()
    let store = try Store(path: workspace.indexPath, key: workspace.indexKey)
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
default: stop("'\(words[1])' is no step")
}
Signals.exitNow(0)
