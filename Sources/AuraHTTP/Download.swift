internal import CCurl

/// Fetches one file over http or https, from its beginning or from where an earlier attempt ended.
///
/// Blocks its thread. Follows redirects, to http and https only.
package struct Download: Sendable {
    package enum Event: Sendable {
        /// The bytes that follow start there, not necessarily where was asked for; `total` is the whole file's size.
        case begins(at: Int64, total: Int64?)
        case bytes([UInt8])
        /// The file has no more bytes than were there already.
        case nothingLeft
    }

    package var address: String
    /// Bytes that are there already.
    package var start: Int64 = 0
    /// Gives up on a connection that was not made by then.
    package var connectSeconds = 10
    /// Gives up when fewer than a hundred bytes a second came for so long.
    package var stallSeconds = 30

    package init(_ address: String) { self.address = address }

    /// - Parameter receive: called in order; what it throws ends the download and is thrown on.
    /// - Parameter isStopped: asked about once a second, and whenever bytes come.
    /// - Throws: `HTTPError`, and what `receive` throws.
    package func run(isStopped: () -> Bool = { false }, receive: (Event) throws -> Void) throws {
        guard Self.isStarted else {
            throw HTTPError.unreachable("libcurl is not there or does not start")
        }
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), !address.utf8.contains(0) else {
            throw HTTPError.badAddress(address)
        }
        try withoutActuallyEscaping(isStopped) { isStopped in
            try withoutActuallyEscaping(receive) { receive in
                let transfer = Transfer(start: start, isStopped: isStopped, receive: receive)
                try perform(transfer)
            }
        }
    }

    private static let isStarted = aura_curl_start() == CURLE_OK

    private func perform(_ transfer: Transfer) throws {
        guard let handle = unsafe aura_curl_open() else { throw HTTPError.unreachable("no memory") }
        defer { unsafe aura_curl_close(handle) }
        let pointer = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe aura_curl_set_text(handle, CURLOPT_URL, address)
        unsafe aura_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe aura_curl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        unsafe aura_curl_set_text(handle, CURLOPT_USERAGENT, "aura")
        unsafe aura_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 1)
        unsafe aura_curl_set_number(handle, CURLOPT_MAXREDIRS, 8)
        unsafe aura_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        unsafe aura_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, connectSeconds)
        unsafe aura_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 100)
        unsafe aura_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, stallSeconds)
        if start > 0 { unsafe aura_curl_set_text(handle, CURLOPT_RANGE, "\(start)-") }
        unsafe aura_curl_set_data(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, pointer in
            unsafe Unmanaged<Transfer>.fromOpaque(pointer!).takeUnretainedValue()
                .header(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        unsafe aura_curl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
        unsafe aura_curl_set_data(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, pointer in
            let isTaken = unsafe Unmanaged<Transfer>.fromOpaque(pointer!).takeUnretainedValue()
                .body(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return isTaken ? size * count : 0
        }
        unsafe aura_curl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
        unsafe aura_curl_set_progress(handle) { pointer, _, _, _, _ in
            unsafe Unmanaged<Transfer>.fromOpaque(pointer!).takeUnretainedValue().isStopped()
                ? 1 : 0
        }
        unsafe aura_curl_set_pointer(handle, CURLOPT_XFERINFODATA, pointer)
        unsafe aura_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)

        let code = unsafe aura_curl_perform(handle)
        if let failure = transfer.failure { throw failure }
        guard code == CURLE_OK else { throw Self.error(code, address: address) }
        try transfer.finish(status: Int(unsafe aura_curl_status(handle)))
    }

    private static func error(_ code: CURLcode, address: String) -> HTTPError {
        let words = unsafe String(cString: aura_curl_words(code))
        return switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badAddress(address)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(words)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
            .untrusted(words)
        case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
        case CURLE_ABORTED_BY_CALLBACK: .stopped
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_GOT_NOTHING: .cutOff(words)
        default: .unreachable(words)
        }
    }
}

/// What one transfer has seen, as the callbacks report it: all on the thread that runs it.
private final class Transfer {
    private let start: Int64
    private let receive: (Download.Event) throws -> Void
    let isStopped: () -> Bool
    private(set) var failure: (any Error)?

    private var status = 0
    private var length: Int64?
    private var range: (start: Int64?, total: Int64?)
    private var hasBegun = false

    init(
        start: Int64, isStopped: @escaping () -> Bool,
        receive: @escaping (Download.Event) throws -> Void
    ) {
        self.start = start
        self.isStopped = isStopped
        self.receive = receive
        range = (nil, nil)
    }

    func header(_ bytes: UnsafeRawBufferPointer) {
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // Each answer on the way (redirects too) begins anew.
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            length = nil
            range = (nil, nil)
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        switch line[..<colon].lowercased() {
        case "content-length": length = Int64(value.prefix { $0.isNumber })
        case "content-range":
            // `bytes 5-9/10`, or `bytes */10` with an error.
            let rest = value.drop { $0 != " " }.dropFirst()
            range.start = Int64(rest.prefix { $0.isNumber })
            range.total = rest.split(separator: "/").last.flatMap {
                Int64($0.prefix { $0.isNumber })
            }
        default: break
        }
    }

    /// False ends the transfer.
    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isStopped() { failure = failure ?? HTTPError.stopped }
        if failure != nil { return false }
        // The text of an error or a redirect is nobody's file.
        guard status == 200 || status == 206 else { return true }
        do {
            try begin()
            unsafe try receive(.bytes(Array(bytes)))
            return true
        } catch {
            failure = error
            return false
        }
    }

    func finish(status: Int) throws {
        switch status {
        case 200, 206: try begin()
        case 416 where start > 0 && range.total == start: try receive(.nothingLeft)
        default: throw HTTPError.status(status)
        }
    }

    private func begin() throws {
        guard !hasBegun else { return }
        hasBegun = true
        if status == 206 {
            guard let first = range.start, first <= start else { throw HTTPError.status(status) }
            try receive(.begins(at: first, total: range.total ?? length.map { $0 + first }))
        } else {
            try receive(.begins(at: 0, total: length))
        }
    }
}
