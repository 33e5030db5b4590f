/// Why a request had no answer that can be used.
package enum HTTPError: Error, Equatable, Sendable {
    /// Not an address of the web, or of another kind than http and https.
    case badAddress(String)
    /// No name, no route, refused; the library's own words.
    case unreachable(String)
    /// No connection in time, or hardly any bytes for half a minute.
    case timedOut(String)
    case untrusted(String)
    /// The server's answer is an error or something that was not asked for.
    case status(Int)
    case tooManyRedirects
    /// The connection ended before everything was there.
    case cutOff(String)
    /// The caller asked for the end.
    case stopped
}
