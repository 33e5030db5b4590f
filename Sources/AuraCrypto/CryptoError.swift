/// Why libcrypto gave no result.
package enum CryptoError: Error, Equatable, Sendable {
    /// Not what the key's owner sealed: another key, or changed bytes.
    case notAuthentic
    /// Parameters that the function refuses, or more memory than it may take.
    case badParameters
    /// A public key with which every private key shares the same, all-zero secret.
    case weakPublicKey
}
