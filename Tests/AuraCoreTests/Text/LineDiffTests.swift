import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

@Suite("what changed, line by line")
struct LineDiffTests {
    private static func patch(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
        var bytes = Array("--- old\n+++ new\n".utf8)
        for line in LineDiff(from: old, to: new).unified { bytes += line.patch + [0x0A] }
        return bytes
    }

    @discardableResult
    private static func run(_ words: [String], in folder: String) throws -> (Int32, Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, data)
    }

    @Test(
        "is what diff -u prints",
        arguments: [
            ("a\nb\nc\n", "a\nx\nc\n"), ("", "a\n"), ("a\n", ""), ("a", "a\n"), ("a\n", "a"),
            ("a\nb", "a\nc"), ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n"),
            ("1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n"),
            ("a\r\nb\r\n", "a\nb\r\n"), ("x\n", "x\n"), ("", ""), ("\n\n\n", "\n"),
        ])
    func likeDiff(old: String, new: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(old, to: "old")
        try folder.write(new, to: "new")
        let (_, printed) = try Self.run(
            ["diff", "-u", "--label", "old", "--label", "new", "old", "new"], in: folder.path)
        let own = Self.patch(Array(old.utf8), Array(new.utf8))
        if old == new {
            #expect(printed.isEmpty)
            #expect(LineDiff(from: Array(old.utf8), to: Array(new.utf8)).isEmpty)
        } else {
            #expect(own == [UInt8](printed))
        }
    }

    @Test(
        "makes the new text of the old one with patch, in no more lines than diff needs",
        arguments: 0..<60)
    func random(seed: Int) throws {
        var random = SeededChance(seed: UInt64(seed))
        let old = Self.text(&random)
        let new = seed % 3 == 0 ? Self.text(&random) : Self.altered(old, &random)
        guard old != new else { return }
        let folder = try TemporaryFolder()
        try Data(old).write(to: URL(fileURLWithPath: "\(folder.path)/old"))
        try Data(new).write(to: URL(fileURLWithPath: "\(folder.path)/new"))
        let own = Self.patch(old, new)
        try Data(own).write(to: URL(fileURLWithPath: "\(folder.path)/patch"))
        let (status, _) = try Self.run(
            ["patch", "--binary", "-s", "-o", "made", "old", "patch"], in: folder.path)
        #expect(status == 0)
        let made = (try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/made"))) ?? Data()
        #expect([UInt8](made) == new)
        // `diff -d` looks for the smallest set of changes.
        let (_, theirs) = try Self.run(["diff", "-d", "-u", "-a", "old", "new"], in: folder.path)
        #expect(Self.changes([UInt8](theirs)) == Self.changes(own))
    }

    /// Lines added and removed, without the two of the heading.
    private static func changes(_ patch: [UInt8]) -> Int {
        patch.split(separator: 0x0A, omittingEmptySubsequences: false)
            .count { $0.first == 0x2B || $0.first == 0x2D } - 2
    }

    private static func text(_ random: inout SeededChance) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0..<60, using: &random) { bytes += line(&random) }
        if Int.random(in: 0..<3, using: &random) == 0, bytes.last == 0x0A { bytes.removeLast() }
        return bytes
    }

    /// Few different lines, so that many are equal.
    private static func line(_ random: inout SeededChance) -> [UInt8] {
        let lines = ["a\n", "b\n", "c\n", "\n", "long line\r\n", "d d\n"].map { Array($0.utf8) }
        return lines.randomElement(using: &random) ?? []
    }

    private static func altered(_ old: [UInt8], _ random: inout SeededChance) -> [UInt8] {
        var lines = old.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        for _ in 0..<Int.random(in: 1..<5, using: &random) {
            let place = Int.random(in: 0...lines.count, using: &random)
            if Bool.random(using: &random) || place == lines.count {
                lines.insert(Array("new \(random.next() % 9)".utf8), at: place)
            } else {
                lines.remove(at: place)
            }
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    @Test("of huge texts that have little in common is one replaced by the other, soon")
    func huge() throws {
        let old = Array((0..<40_000).map { "old \($0)\n" }.joined().utf8)
        let new = Array((0..<40_000).map { "new \($0)\n" }.joined().utf8)
        let lines = LineDiff(from: old, to: new).unified
        #expect(lines.count { $0.kind == .removed } == 40_000)
        #expect(lines.count { $0.kind == .added } == 40_000)
        #expect(lines.first?.bytes == Array("@@ -1,40000 +1,40000 @@".utf8))
    }
}
