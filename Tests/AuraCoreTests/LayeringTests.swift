import Foundation
import Testing

/// The table of `docs/architecture.md` is the rule; this reads it and the sources.
@Suite struct LayeringTests {
    private struct Row {
        let folder: String
        let mayName: Set<String>
        let mayImport: Set<String>
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let core = root.appendingPathComponent("Sources/AuraCore")

    private static func rows() throws -> [Row] {
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        let folders = try FileManager.default.contentsOfDirectory(atPath: core.path)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, folders.contains(cells[1]) else { return nil }
            let named =
                cells[2] == "all"
                ? Set(folders) : Set(cells[2].split(separator: " ").map(String.init))
            return Row(
                folder: cells[1], mayName: named.union([cells[1]]),
                mayImport: Set(cells[3].split(separator: " ").map(String.init)))
        }
    }

    private static func sources(in folder: String) throws -> [(name: String, text: String)] {
        let url = core.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".swift") }
            .map { ($0, try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8)) }
    }

    /// Code without comments and string literals.
    private static func words(of text: String) -> Set<String> {
        var words: Set<String> = []
        for line in text.split(separator: "\n") {
            let code = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined(
                    separator: " ")
            let plain = code.components(separatedBy: "//")[0]
            // A member of another type (`x.Line`) names nothing by itself.
            for piece in plain.split(whereSeparator: {
                !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "."
            }) {
                if let first = piece.split(separator: ".").first, !piece.hasPrefix(".") {
                    words.insert(String(first))
                }
            }
        }
        return words
    }

    /// Top-level types a folder declares for others.
    private static func types(in folder: String) throws -> Set<String> {
        var types: Set<String> = []
        for (_, text) in try sources(in: folder) {
            for line in text.split(separator: "\n") where !line.hasPrefix(" ") {
                let words = line.split(separator: " ").map(String.init)
                guard !words.contains("private"), !words.contains("extension"),
                    let place = words.firstIndex(where: {
                        ["struct", "enum", "class", "actor", "protocol"].contains($0)
                    }),
                    place + 1 < words.count
                else { continue }
                types.insert(String(words[place + 1].prefix { $0.isLetter || $0.isNumber }))
            }
        }
        return types
    }

    @Test("every folder of AuraCore has a row in the table")
    func everyFolderHasARow() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.core.path)
        #expect(Set(try Self.rows().map(\.folder)) == Set(folders))
    }

    @Test("a folder names only types of folders that its row allows")
    func namesOnlyWhatItMay() throws {
        let rows = try Self.rows()
        var owners: [String: Set<String>] = [:]
        for row in rows {
            for type in try Self.types(in: row.folder) {
                owners[type, default: []].insert(row.folder)
            }
        }
        for row in rows {
            for (file, text) in try Self.sources(in: row.folder) {
                for word in Self.words(of: text) {
                    guard let folders = owners[word] else { continue }
                    #expect(
                        !folders.isDisjoint(with: row.mayName),
                        "\(row.folder)/\(file) names \(word) of \(folders.sorted())")
                }
            }
        }
    }

    @Test("a folder imports only the wrappers that its row allows, and no full Foundation")
    func importsOnlyWhatItMay() throws {
        for row in try Self.rows() {
            for (file, text) in try Self.sources(in: row.folder) {
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ").map(String.init)
                    guard let place = words.firstIndex(of: "import"), place <= 1,
                        place + 1 < words.count
                    else { continue }
                    let module = words[place + 1]
                    if module.hasPrefix("Aura") {
                        #expect(
                            row.mayImport.contains(module),
                            "\(row.folder)/\(file) imports \(module)")
                    } else {
                        #expect(
                            ["Synchronization", "FoundationEssentials"].contains(module)
                                || line.hasPrefix("    ") && module == "Foundation",
                            "\(row.folder)/\(file) imports \(module)")
                    }
                }
            }
        }
    }

    @Test(
        "only the runner and the bench import the native model wrapper, and only Store writes SQL")
    func oneDoorEach() throws {
        for row in try Self.rows() {
            for (file, text) in try Self.sources(in: row.folder) {
                if text.contains("import AuraLlama") {
                    #expect(
                        ["LlamaRunner.swift", "ModelBench.swift"].contains(file),
                        "\(row.folder)/\(file)")
                }
                if row.folder != "Store" {
                    let isSQL = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE "]
                        .contains {
                            text.contains("\"\($0)")
                        }
                    #expect(!isSQL, "\(row.folder)/\(file) writes SQL")
                }
            }
        }
    }

    @Test("neither AuraCore nor the program has unsafe code")
    func noUnsafeCode() throws {
        for target in ["AuraCore", "aura"] {
            let root = Self.root.appendingPathComponent("Sources/\(target)")
            let files = FileManager.default.enumerator(atPath: root.path)
            while let path = files?.nextObject() as? String {
                guard path.hasSuffix(".swift") else { continue }
                let text = try String(
                    contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                let words = Self.words(of: text)
                #expect(
                    !words.contains("unsafe") && !words.contains("nonisolated(unsafe)"), "\(path)")
                #expect(!text.contains("@unchecked Sendable"), "\(path)")
            }
        }
    }
}
