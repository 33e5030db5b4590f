#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The standard library has none.
package enum Logarithm {
    package static func natural(_ value: Double) -> Double { log(value) }

    /// e to the power of a number.
    package static func power(_ exponent: Double) -> Double { exp(exponent) }
}
