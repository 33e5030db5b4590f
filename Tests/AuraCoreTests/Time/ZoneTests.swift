import AuraCore
import AuraTestKit
import Testing

@Suite("time zones")
struct ZoneTests {
    private func instant(_ text: String) throws -> Instant {
        try #require(Instant(iso8601: text))
    }

    @Test(
        "a zone of the system knows its clocks, in its table and beyond",
        arguments: [
            ("Europe/London", "2026-03-04T10:00:00Z", 0),
            ("Europe/London", "2026-07-01T00:00:00Z", 60),
            ("Europe/London", "2026-03-29T00:59:59Z", 0),
            ("Europe/London", "2026-03-29T01:00:00Z", 60),
            ("America/Los_Angeles", "2026-03-05T07:30:00Z", -480),
            ("America/Los_Angeles", "2099-07-05T07:30:00Z", -420),
            ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 345),
            ("Australia/Sydney", "2060-01-01T00:00:00Z", 660),
            ("Australia/Sydney", "2060-07-01T00:00:00Z", 600),
            ("America/New_York", "1970-07-01T00:00:00Z", -240),
            ("Asia/Tokyo", "0001-01-01T00:00:00Z", 558),
        ])
    func offsets(name: String, moment: String, minutes: Int) throws {
        let zone = try #require(Zone.named(name))
        #expect(zone.offset(at: try instant(moment)) / 60 == minutes)
    }

    @Test(
        "names that are none, or that leave the folder, give no zone",
        arguments: [
            "Nowhere/Land", "", "../../etc/passwd", "/etc/localtime", "Europe/../UTC", "Europe",
            "zone.tab", "..",
        ])
    func unknown(name: String) {
        #expect(Zone.named(name) == nil)
    }

    @Test("a time in the spring gap moves forward by the gap, one that happens twice is the first")
    func gapAndOverlap() throws {
        let london = try #require(Zone.named("Europe/London"))
        let spring = try #require(Day(iso: "2026-03-29"))
        let autumn = try #require(Day(iso: "2026-10-25"))
        let half = try #require(TimeOfDay("01:30"))
        #expect(london.instant(spring, half).iso8601 == "2026-03-29T01:30:00Z")
        #expect(london.local(london.instant(spring, half)).description == "2026-03-29T02:30:00")
        #expect(london.instant(autumn, half).iso8601 == "2026-10-25T00:30:00Z")
    }

    @Test(
        "every hour of a year finds its way there and back",
        arguments: ["Europe/London", "Australia/Lord_Howe", "America/St_Johns"])
    func thereAndBack(name: String) throws {
        let zone = try #require(Zone.named(name))
        let start = try instant("2026-01-01T00:00:00Z")
        for hour in 0..<(365 * 24) {
            let moment = start.adding(seconds: Int64(hour) * 3600)
            let local = zone.local(moment)
            let back = zone.instant(local.day, local.time, second: local.second)
            let isSecondOfTwo = zone.local(back) == local && back < moment
            #expect(back == moment || isSecondOfTwo)
        }
    }

    @Test(
        "TZ may be a name, a path or a rule",
        arguments: [
            ("Europe/London", "2026-07-01T12:00:00Z", 60),
            (":Europe/London", "2026-07-01T12:00:00Z", 60),
            ("/usr/share/zoneinfo/Europe/London", "2026-07-01T12:00:00Z", 60),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T12:00:00Z", 120),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 60),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 120),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 60),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 660),
            ("<+0530>-5:30", "2026-07-01T12:00:00Z", 330),
            ("EST5EDT", "2026-07-01T12:00:00Z", -240),
            ("XXX4YYY,J60,300/1", "2026-03-01T12:00:00Z", -180), ("", "2026-07-01T12:00:00Z", 0),
        ])
    func variable(value: String, moment: String, minutes: Int) throws {
        let (zone, warning) = Zone.system(tz: value)
        #expect(warning == nil)
        #expect(zone.offset(at: try instant(moment)) / 60 == minutes)
    }

    @Test(
        "an unusable TZ gives UTC and says so",
        arguments: ["Nowhere/Land", "../x", "/no/such/file", "A1", "CET-1CEST,M13.1.0,M1.1.0"])
    func unusable(value: String) {
        let (zone, warning) = Zone.system(tz: value)
        #expect(zone == .utc)
        #expect(warning?.contains("times are in UTC") == true)
    }

    @Test("without TZ the zone is the system's own")
    func own() {
        #expect(Zone.system(tz: nil).warning == nil)
    }
}
