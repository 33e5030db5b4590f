/// One value as SQLite stores it.
package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// An absent text becomes null.
    package init(_ text: String?) { self = text.map(Value.text) ?? .null }
    /// An absent number becomes null.
    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    package init(_ isTrue: Bool) { self = .integer(isTrue ? 1 : 0) }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int64) { self = .integer(number) }
    package init(floatLiteral number: Double) { self = .real(number) }
    package init(nilLiteral: ()) { self = .null }
}
