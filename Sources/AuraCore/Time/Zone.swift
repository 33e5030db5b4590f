internal import AuraSystem

/// A time zone: how far its clocks are from UTC at each moment.
///
/// A time that a zone skips in spring moves forward by the length of the gap (01:30 becomes 02:30);
/// a time that happens twice in autumn is the first of the two. Nothing is kept between calls:
/// whoever needs a zone often holds on to it.
package struct Zone: Sendable {
    /// What the zone was asked for by: `Europe/London`, `UTC`, `CET-1CEST,M3.5.0,M10.5.0/3`.
    package let name: String
    private let table: ZoneTable

    package static let utc = Zone(name: "UTC", table: ZoneTable(fixedOffset: 0))

    /// The folder that the system keeps its zones in.
    package static let systemFolder = "/usr/share/zoneinfo"

    /// A zone of the system by its name (`Europe/London`). Nil when there is none of that name, when
    /// the system has no zones at all, and for names that would leave the folder.
    package static func named(_ name: String) -> Zone? { named(name, in: systemFolder) }

    static func named(_ name: String, in folder: String) -> Zone? {
        if name == "UTC" { return utc }
        guard isSafe(name), let table = table(at: "\(folder)/\(name)") else { return nil }
        return Zone(name: name, table: table)
    }

    /// The zone that a `TZ` variable means, or without one the system's own.
    ///
    /// `TZ` may be a zone's name, with or without a colon before it, an absolute path, or a rule as
    /// POSIX writes it; empty means UTC. When nothing usable is found the zone is UTC and the
    /// warning says why.
    package static func system(tz: String?) -> (Zone, warning: String?) {
        system(tz: tz, folder: systemFolder, localFile: "/etc/localtime")
    }

    static func system(
        tz: String?, folder: String, localFile: String
    ) -> (Zone, warning: String?) {
        guard let tz else {
            guard let table = table(at: localFile) else {
                return (utc, "the system's time zone cannot be read; times are in UTC")
            }
            return (Zone(name: localName(of: table, in: folder), table: table), nil)
        }
        let value = tz.hasPrefix(":") ? String(tz.dropFirst()) : tz
        if value.isEmpty { return (utc, nil) }
        if value.hasPrefix("/") {
            if let table = table(at: value) {
                let isSystems = value.hasPrefix(folder + "/")
                let name = isSystems ? String(value.dropFirst(folder.count + 1)) : value
                return (Zone(name: name, table: table), nil)
            }
        } else if let zone = named(value, in: folder) {
            return (zone, nil)
        } else if let rule = ZoneRule(posix: value) {
            return (Zone(name: value, table: ZoneTable(rule: rule)), nil)
        }
        return (utc, "there is no time zone '\(SafeDisplay.visible(value))'; times are in UTC")
    }

    /// Seconds to add to UTC to get the zone's own time; positive east of Greenwich.
    package func offset(at moment: Instant) -> Int { table.offset(at: moment.seconds) }

    /// What the zone's clocks show at the moment.
    package func local(_ moment: Instant) -> LocalTime {
        LocalTime(secondsSince1970: Int(moment.seconds) + offset(at: moment))
    }

    /// The moment at which the zone's clocks show the time; see the type for times that are skipped
    /// or happen twice.
    package func instant(_ day: Day, _ time: TimeOfDay, second: Int = 0) -> Instant {
        let wall = Int64(LocalTime(day: day, time: time, second: second).secondsSince1970)
        let before = table.offset(at: wall - 86_400)
        let after = table.offset(at: wall + 86_400)
        for offset in [before, after] {
            let moment = wall - Int64(offset)
            if table.offset(at: moment) == offset { return Instant(seconds: moment) }
        }
        return Instant(seconds: wall - Int64(before))
    }

    /// Parts of letters, digits, `_`, `-`, `+` and `.`; none of them empty, `.` or `..`.
    private static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 64 else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != "."
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2B, 0x2E: true
                    default: false
                    }
                }
        }
    }

    private static func table(at path: String) -> ZoneTable? {
        guard let bytes = try? Files.bytesFollowingLinks(at: path) else { return nil }
        return ZoneTable(tzif: bytes)
    }

    /// `/etc/localtime` does not know its own name; `/etc/timezone` does, where there is one.
    private static func localName(of table: ZoneTable, in folder: String) -> String {
        if table == Zone.utc.table { return "UTC" }
        guard let bytes = try? Files.bytesFollowingLinks(at: "/etc/timezone") else {
            return "local"
        }
        let name = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        return isSafe(name) && Zone.table(at: "\(folder)/\(name)") == table ? name : "local"
    }
}

extension Zone: Hashable {
    package static func == (left: Zone, right: Zone) -> Bool {
        left.name == right.name && left.table == right.table
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Zone: CustomStringConvertible {
    package var description: String { name }
}
