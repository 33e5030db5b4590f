internal import AuraSystem

/// Every host this user's aura spoke to: one line a request, in a file that only grows.
package struct Contacts: Sendable {
    private let path: String
    private let now: @Sendable () -> Instant

    package init(dataFolder: String, now: @escaping @Sendable () -> Instant) {
        path = "\(dataFolder)/contacts.jsonl"
        self.now = now
    }

    package struct Contact: Sendable, Equatable {
        package let host: String
        package let purpose: String
        package var count: Int
        package var first: String
        package var last: String
    }

    /// Notes a request before it is made: one that fails was still made.
    package func note(host: String, purpose: String) throws {
        try Files.makeFolder(Files.parent(of: path))
        let line = JSONValue.record([
            ("at", .string(now().iso8601)), ("host", .string(host)), ("why", .string(purpose)),
        ])
        try FileDescriptor.open(path, for: .append).write((line.serialized + "\n").utf8)
    }

    /// Hosts with what they were for, most recent last.
    package func all() -> [Contact] {
        guard let bytes = try? Files.bytes(at: path) else { return [] }
        var found: [Contact] = []
        for line in bytes.split(separator: 0x0A) {
            guard let json = JSONValue.read(Array(line)), let host = json["host"]?.text,
                let purpose = json["why"]?.text, let moment = json["at"]?.text
            else { continue }
            if let place = found.firstIndex(where: { $0.host == host && $0.purpose == purpose }) {
                found[place].count += 1
                found[place].last = moment
            } else {
                found.append(
                    Contact(host: host, purpose: purpose, count: 1, first: moment, last: moment))
            }
        }
        return found
    }
}
