import AuraSystem
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A web server on this machine for one test: answers each request as its closure says, one connection at a time.
public final class LoopbackServer: Sendable {
    public struct Request: Sendable {
        public var path: String
        /// Where the asked range begins.
        public var rangeStart: Int?
    }

    public struct Answer: Sendable {
        public var status: Int
        public var headers: [String]
        public var body: [UInt8]
        /// Ends the connection after so many bytes of the body, though more were promised.
        public var cutAfter: Int?

        public init(_ status: Int, headers: [String] = [], body: [UInt8] = [], cutAfter: Int? = nil)
        {
            self.status = status
            self.headers = headers
            self.body = body
            self.cutAfter = cutAfter
        }

        /// A file as a good server gives it: in part when a part was asked for.
        public static func file(_ bytes: [UInt8], _ request: Request, cutAfter: Int? = nil)
            -> Answer
        {
            guard let start = request.rangeStart else {
                return Answer(200, body: bytes, cutAfter: cutAfter)
            }
            guard start < bytes.count else {
                return Answer(416, headers: ["Content-Range: bytes */\(bytes.count)"])
            }
            return Answer(
                206, headers: ["Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"],
                body: Array(bytes[start...]), cutAfter: cutAfter)
        }
    }

    public let port: Int
    private let number: Int32
    private let seen = Mutex<[Request]>([])

    public init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        number = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else { throw SystemError.last("listen") }
        port = Int(UInt16(bigEndian: address.sin_port))
        let seen: @Sendable (Request) -> Void = { [weak self] request in
            self?.seen.withLock { $0.append(request) }
        }
        try WorkThread.start {
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { return }
                Self.serve(peer, answer, seen)
                close(peer)
            }
        }
    }

    deinit {
        shutdown(number, Int32(SHUT_RDWR))
        close(number)
    }

    public var address: String { "http://127.0.0.1:\(port)" }
    public var requests: [Request] { seen.withLock { $0 } }

    private static func serve(
        _ peer: Int32, _ answer: @Sendable (Request) -> Answer, _ seen: @Sendable (Request) -> Void
    ) {
        var head: [UInt8] = []
        while !head.ends(with: Array("\r\n\r\n".utf8)) {
            var byte: UInt8 = 0
            guard recv(peer, &byte, 1, 0) == 1 else { return }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        var request = Request(path: String(lines[0].split(separator: " ")[1]))
        for line in lines where line.lowercased().hasPrefix("range: bytes=") {
            request.rangeStart = Int(line.dropFirst(13).prefix { $0.isNumber })
        }
        seen(request)
        let answer = answer(request)
        let headers =
            answer.headers + ["Content-Length: \(answer.body.count)", "Connection: close"]
        var bytes = Array(
            "HTTP/1.1 \(answer.status) X\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n".utf8)
        bytes += answer.body.prefix(answer.cutAfter ?? answer.body.count)
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                send(peer, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            done += sent
        }
        shutdown(peer, Int32(SHUT_WR))
    }
}

extension [UInt8] {
    fileprivate func ends(with tail: [UInt8]) -> Bool { suffix(tail.count).elementsEqual(tail) }
}
