package import AuraCrypto
package struct SecretService: Sendable {
    package init(environment: [String: String], user: UInt32) {}
    package func store(_ secret: Secret, as name: String) throws {}
    package func secret(named name: String) throws -> Secret? { nil }
    package func remove(_ name: String) throws {}
}
