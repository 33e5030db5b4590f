/// Where sun and moon stand, for the calendars that go by them.
///
/// Times are days since 1970-01-01 00:00 UTC, angles are degrees. The series are the leading terms of
/// Meeus, Astronomical Algorithms, chapters 25 and 47: good to a few minutes for phases between 1800
/// and 2200, which decides every day but those whose moment falls beside the limit.
enum Sky {
    /// Days from new moon to new moon, on average.
    static let monthLength = 29.530_588_86
    /// Days from spring to spring.
    static let yearLength = 365.2422

    /// Along the ecliptic, from the point of spring.
    static func sun(at time: Double) -> Double {
        let century = century(time)
        let anomaly = 357.52911 + 35999.05029 * century
        return wrapped(
            280.46646 + 36000.76983 * century + 1.914602 * sine(anomaly)
                + 0.019993 * sine(2 * anomaly) + 0.000289 * sine(3 * anomaly) - 0.00569)
    }

    static func moon(at time: Double) -> Double {
        let century = century(time)
        let apart = 297.8501921 + 445267.1114034 * century
        let sun = 357.5291092 + 35999.0502909 * century
        let moon = 134.9633964 + 477198.8675055 * century
        let node = 93.2720950 + 483202.0175233 * century
        var longitude = 218.3164477 + 481267.88123421 * century
        for term in moonTerms {
            longitude +=
                term.size
                * sine(term.apart * apart + term.sun * sun + term.moon * moon + term.node * node)
        }
        return wrapped(longitude)
    }

    /// How far the moon is ahead of the sun: 0 at new moon, 180 at full moon.
    static func phase(at time: Double) -> Double { wrapped(moon(at: time) - sun(at: time)) }

    /// The new moon of that number; number 0 is that of 6 January 2000.
    static func newMoon(_ number: Int) -> Double {
        var time = 10_962.76 + Double(number) * monthLength
        for _ in 0..<6 {
            let gap = phase(at: time)
            time -= (gap > 180 ? gap - 360 : gap) / 360 * monthLength
        }
        return time
    }

    /// The number of the last new moon at or before the time.
    static func lastNewMoon(before time: Double) -> Int {
        let guess = Int(((time - 10_962.76) / monthLength).rounded(.down)) + 1
        return (0...3).lazy.map { guess - $0 }.first { newMoon($0) <= time } ?? guess - 3
    }

    /// When the sun comes to the longitude next after the time.
    static func sun(reaches longitude: Double, after time: Double) -> Double {
        var moment = time + wrapped(longitude - sun(at: time)) / 360 * yearLength
        for _ in 0..<4 {
            let gap = wrapped(longitude - sun(at: moment))
            moment += (gap > 180 ? gap - 360 : gap) / 360 * yearLength
        }
        return moment
    }

    /// The longitude at which the zodiac of the Indian calendars begins (Lahiri's ayanamsa).
    static func indianZero(at time: Double) -> Double { 23.853 + 1.3969 * century(time) }

    static func wrapped(_ angle: Double) -> Double {
        let rest = angle.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }

    /// Julian centuries since noon of 1 January 2000; clocks of the sky run about a minute ahead.
    private static func century(_ time: Double) -> Double { (time + 0.0008 - 10_957.5) / 36_525 }

    /// Taylor's series on a quarter of the circle: right to nine places.
    private static func sine(_ angle: Double) -> Double {
        var turned = wrapped(angle)
        if turned > 180 { turned -= 360 }
        if turned > 90 { turned = 180 - turned } else if turned < -90 { turned = -180 - turned }
        let x = turned * .pi / 180
        let square = x * x
        let inner = 1 - square / 72 * (1 - square / 110 * (1 - square / 156))
        return x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * inner)))
    }

    private struct Term {
        var apart: Double
        var sun: Double
        var moon: Double
        var node: Double
        var size: Double
    }

    private static let moonTerms: [Term] = [
        (0, 0, 1, 0, 6.288774), (2, 0, -1, 0, 1.274027), (2, 0, 0, 0, 0.658314),
        (0, 0, 2, 0, 0.213618), (0, 1, 0, 0, -0.185116), (0, 0, 0, 2, -0.114332),
        (2, 0, -2, 0, 0.058793), (2, -1, -1, 0, 0.057066), (2, 0, 1, 0, 0.053322),
        (2, -1, 0, 0, 0.045758), (0, 1, -1, 0, -0.040923), (1, 0, 0, 0, -0.034720),
        (0, 1, 1, 0, -0.030383), (2, 0, 0, -2, 0.015327), (0, 0, 1, 2, -0.012528),
        (0, 0, 1, -2, 0.010980), (4, 0, -1, 0, 0.010675), (0, 0, 3, 0, 0.010034),
        (4, 0, -2, 0, 0.008548), (2, 1, -1, 0, -0.007888), (2, 1, 0, 0, -0.006766),
        (1, 0, -1, 0, -0.005163), (1, 1, 0, 0, 0.004987), (2, -1, 1, 0, 0.004036),
    ].map { Term(apart: $0.0, sun: $0.1, moon: $0.2, node: $0.3, size: $0.4) }
}
