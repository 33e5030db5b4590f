#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How many threads compute, by how much of the time they really get.
///
/// The native threads wait for each other by spinning many times in every token. On a machine that is busy with other
/// things one of them is often not running, and all wait: two threads are then several times slower than one.
struct ThreadPace {
    let most: Int
    private(set) var current: Int
    private var wall = 0.0
    private var busy = 0.0
    private var nextTry = ContinuousClock.now
    private var patience = Self.shortest

    /// Shares of the time that a thread got, below which there are too many, and above which one more is tried.
    private static let poor = 0.85
    private static let good = 0.97
    /// So many seconds are looked at together.
    private static let span = 0.15
    private static let shortest = Duration.seconds(2)
    private static let longest = Duration.seconds(60)

    init(most: Int) {
        self.most = max(1, most)
        current = self.most
    }

    /// Runs a computation and looks at how much of the time this thread was running.
    mutating func run<Result>(_ body: () -> Result) -> Result {
        guard most > 1 else { return body() }
        let start = ContinuousClock.now
        let busyStart = Self.threadSeconds()
        let result = body()
        let time = (ContinuousClock.now - start).components
        wall += Double(time.seconds) + Double(time.attoseconds) / 1e18
        busy += Self.threadSeconds() - busyStart
        if wall >= Self.span { decide() }
        return result
    }

    private mutating func decide() {
        let share = busy / wall
        (wall, busy) = (0, 0)
        if share < Self.poor, current > 1 {
            current -= 1
            nextTry = .now + patience
            patience = min(patience * 2, Self.longest)
        } else if share > Self.good, current < most, ContinuousClock.now >= nextTry {
            current += 1
        } else if share > Self.good, current == most, ContinuousClock.now >= nextTry + Self.longest
        {
            patience = Self.shortest
        }
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
