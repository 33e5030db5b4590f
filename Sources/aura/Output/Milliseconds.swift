/// Times as reports show them.
enum Milliseconds {
    /// To a thousandth of a millisecond.
    static func rounded(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
    }
}
