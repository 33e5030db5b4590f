import AuraHTTP
import AuraTestKit
import Testing

@Suite("downloads", .timeLimit(.minutes(1))) struct DownloadTests {
    private let file = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// What came, where it began and the total that was told.
    private func fetch(_ address: String, from start: Int64 = 0) throws -> (
        bytes: [UInt8], start: Int64?, total: Int64?
    ) {
        var bytes: [UInt8] = []
        var begin: Int64?
        var total: Int64?
        var download = Download(address)
        download.start = start
        try download.run { event in
            switch event {
            case .begins(let place, let whole): (begin, total) = (place, whole)
            case .bytes(let piece): bytes += piece
            case .nothingLeft: break
            }
        }
        return (bytes, begin, total)
    }

    @Test("a file comes whole, and from the middle")
    func whole() throws {
        let server = try LoopbackServer { [file] in .file(file, $0) }
        let all = try fetch("\(server.address)/a")
        #expect(all.bytes == file && all.start == 0 && all.total == 300_000)
        let rest = try fetch("\(server.address)/a", from: 200_000)
        #expect(
            rest.bytes == Array(file[200_000...]) && rest.start == 200_000 && rest.total == 300_000)
        #expect(try fetch("\(server.address)/a", from: 300_000).start == nil)
    }

    @Test("a server without ranges begins anew, and says so")
    func noRanges() throws {
        let server = try LoopbackServer { [file] _ in .init(200, body: file) }
        let got = try fetch("\(server.address)/a", from: 1000)
        #expect(got.start == 0 && got.bytes == file)
    }

    @Test("redirects are followed, within reason and within the web")
    func redirects() throws {
        let server = try LoopbackServer { [file] request in
            switch request.path {
            case "/1": .init(302, headers: ["Location: /2"], body: Array("see there".utf8))
            case "/2": .file(file, request)
            case "/file": .init(302, headers: ["Location: file:///etc/passwd"])
            default: .init(301, headers: ["Location: /loop"])
            }
        }
        #expect(try fetch("\(server.address)/1").bytes == file)
        #expect(throws: HTTPError.tooManyRedirects) { try fetch("\(server.address)/loop") }
        #expect(throws: HTTPError.self) { try fetch("\(server.address)/file") }
    }

    @Test("an error's text is nobody's file", arguments: [404, 500, 403])
    func status(number: Int) throws {
        let server = try LoopbackServer { _ in .init(number, body: Array("sorry".utf8)) }
        #expect(throws: HTTPError.status(number)) { try fetch("\(server.address)/a") }
    }

    @Test("what ends too early is told, what came before it was given out")
    func cut() throws {
        let server = try LoopbackServer { [file] in .file(file, $0, cutAfter: 5000) }
        var count = 0
        #expect {
            try Download("\(server.address)/a").run {
                if case .bytes(let piece) = $0 { count += piece.count }
            }
        } throws: {
            if case .cutOff = $0 as? HTTPError { true } else { false }
        }
        #expect(count == 5000)
    }

    @Test("stopping stops, and an error of the receiver comes through")
    func stops() throws {
        struct Full: Error {}
        let server = try LoopbackServer { [file] in .file(file, $0) }
        var count = 0
        #expect(throws: HTTPError.stopped) {
            try Download("\(server.address)/a").run(isStopped: { count > 0 }) { _ in count += 1 }
        }
        #expect(throws: Full.self) { try Download("\(server.address)/a").run { _ in throw Full() } }
    }

    @Test(
        "other kinds of address are refused",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "nonsense", "", "http://"])
    func addresses(address: String) {
        #expect(throws: HTTPError.self) { try fetch(address) }
    }

    @Test("nobody there is told at once")
    func nobody() throws {
        let port = try LoopbackServer { _ in .init(200) }.port
        #expect { try fetch("http://127.0.0.1:\(port)/a") } throws: {
            if case .unreachable = $0 as? HTTPError { true } else { false }
        }
    }
}
