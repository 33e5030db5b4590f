import AuraSystem
import AuraTestKit
import Foundation
import Testing

@testable import AuraCore

/// What an index that did not stat every file still sees. Times are those of the disk.
@Suite("a quick look") struct QuickLookTests {
    private let home: IndexedFolder
    private let indexer: Indexer

    init() throws {
        home = try IndexedFolder()
        indexer = Self.indexer(home)
    }

    private static func indexer(_ home: IndexedFolder) -> Indexer {
        var indexer = home.indexer
        indexer.now = {
            let (seconds, nanoseconds) = Host.now
            return Instant(seconds: seconds, nanoseconds: nanoseconds)
        }
        return indexer
    }

    @discardableResult
    private func look() async throws -> IndexReport { try await indexer.refresh(thorough: false) }

    /// Folders and files from long ago: nothing is looked at for being young.
    private func age(_ paths: String...) throws {
        for path in paths { try setTime(of: path, 1_500_000_000_123_456_789) }
    }

    private func setTime(of path: String, _ nanoseconds: Int64) throws {
        let time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        #expect(utimensat(AT_FDCWD, "\(home.root)/\(path)", [time, time], 0) == 0)
    }

    @Test("new, changed, renamed and removed files are seen at once")
    func files() async throws {
        try home.write("one", to: "V/one.md")
        try home.write("two", to: "V/two.md")
        #expect(try await look().added == ["V/one.md", "V/two.md"])
        try home.write("three", to: "V/three.md")
        try home.remove("V/one.md")
        var report = try await look()
        #expect(report.added == ["V/three.md"] && report.removed == ["V/one.md"])
        // As editors write: another file takes the name.
        try home.write("two more", to: "V/new.tmp")
        try Files.move("\(home.root)/V/new.tmp", to: "\(home.root)/V/two.md")
        report = try await look()
        #expect(report.changed == ["V/two.md"])
        try age("V/two.md")
        try await look()
        try Files.move("\(home.root)/V/two.md", to: "\(home.root)/V/second.md")
        report = try await look()
        #expect(report.changed == ["V/second.md"] && report.removed.isEmpty)
        #expect(try await look() == IndexReport())
    }

    @Test("folders that come, go, are renamed or are swapped are seen at once")
    func folders() async throws {
        try home.write("one", to: "V/one.md")
        try await look()
        try home.write("deep", to: "V/a/b/deep.md")
        #expect(try await look().added == ["V/a/b/deep.md"])
        try home.write("other", to: "W/other.md")
        #expect(try await look().added == ["W/other.md"])
        try Files.move("\(home.root)/V/a", to: "\(home.root)/V/c")
        #expect(try await home.store.list(order: .byPath).map(\.path).contains("V/a/b/deep.md"))
        try await look()
        #expect(
            try await home.store.list(order: .byPath).map(\.path)
                == ["V/c/b/deep.md", "V/one.md", "W/other.md"])
        // Another folder with another time takes the place of one.
        try home.write("swapped", to: "X/one.md")
        try await look()
        try Files.move("\(home.root)/V", to: "\(home.root)/Y")
        try Files.move("\(home.root)/X", to: "\(home.root)/V")
        try await look()
        #expect(
            try await home.store.list(order: .byPath).map(\.path)
                == ["V/one.md", "W/other.md", "Y/c/b/deep.md", "Y/one.md"])
        try FileManager.default.removeItem(atPath: "\(home.root)/Y")
        try await look()
        #expect(
            try await home.store.list(order: .byPath).map(\.path) == ["V/one.md", "W/other.md"])
    }

    @Test("a file that comes with an old time is seen by its folder's")
    func oldTime() async throws {
        try home.write("one", to: "V/one.md")
        try await look()
        try home.write("two", to: "V/two.md")
        try age("V/two.md")
        #expect(try await look().added == ["V/two.md"])
    }

    @Test("a folder that was just changed may change again within one tick of its clock")
    func young() async throws {
        try home.write("one", to: "V/one.md")
        let before = try #require(try home.source.folder("V"))
        var indexer = indexer
        indexer.now = {
            Instant(
                seconds: before.modified / 1_000_000_000,
                nanoseconds: Int32(before.modified % 1_000_000_000))
        }
        _ = try await indexer.refresh(thorough: false)
        try home.write("two", to: "V/two.md")
        try setTime(of: "V", before.modified)
        #expect(try await indexer.refresh(thorough: false).added == ["V/two.md"])
    }

    @Test("a file rewritten in its place is found in going round, and before it is shown")
    func inPlace() async throws {
        for number in 0..<30 { try home.write("text \(number)", to: "V/\(number).md") }
        try age("V", "")
        for number in 0..<30 { try age("V/\(number).md") }
        _ = try await indexer.refresh()
        try rewrite("V/7.md", "other words")
        #expect(try await indexer.check(["V/7.md", "V/8.md"]))
        #expect(try await look().changed == ["V/7.md"])
        #expect(try await !indexer.check(["V/7.md", "V/8.md"]))
        try rewrite("V/9.md", "again other")
        #expect(try await look().changed == ["V/9.md"])
        try Files.remove("\(home.root)/V/9.md")
        try age("V")
        #expect(try await look().removed == ["V/9.md"])
    }

    /// Keeps the inode, and the folder's time.
    private func rewrite(_ path: String, _ text: String) throws {
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: "\(home.root)/\(path)"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test("going round a large home comes by every file, some at a time")
    func goingRound() async throws {
        let count = 3 * QuickLook.fewest
        for number in 0..<count { try home.write("text \(number)", to: "V/\(number).md") }
        try age("V", "")
        _ = try await indexer.refresh()
        try rewrite("V/0.md", "rewritten 0")
        try rewrite("V/\(count - 1).md", "rewritten last")
        var changed: [String] = []
        for _ in 0..<4 where changed.count < 2 { changed += try await look().changed }
        #expect(Set(changed) == ["V/0.md", "V/\(count - 1).md"])
    }

    @Test("a file that does not open is told each time, until it does")
    func leftOut() async throws {
        try home.write("one", to: "V/one.md")
        try home.write("refuse", to: "V/two.md")
        for _ in 0..<3 { #expect(try await look().skipped.map(\.path) == ["V/two.md"]) }
        try rewrite("V/two.md", "good now")
        #expect(try await look().added == ["V/two.md"])
        #expect(try await look().skipped.isEmpty)
    }

    @Test("in an encrypted home, too")
    func encrypted() async throws {
        let home = try IndexedFolder(.age)
        let indexer = Self.indexer(home)
        try home.write("one", to: "V/one.md")
        #expect(try await indexer.refresh(thorough: false).added == ["V/one.md"])
        try home.write("two", to: "W/two.md")
        #expect(try await indexer.refresh(thorough: false).added == ["W/two.md"])
        try home.remove("V/one.md")
        #expect(try await indexer.refresh(thorough: false).removed == ["V/one.md"])
    }
}
