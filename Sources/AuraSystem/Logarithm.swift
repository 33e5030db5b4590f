#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The standard library has none.
package enum Logarithm {
    package static func natural(_ value: Double) -> Double { log(value) }
}
