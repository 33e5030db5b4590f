import AuraCrypto
import Testing

@Suite struct SecretTests {
    @Test(
        "a secret may be larger than the memory that is locked", arguments: [0, 1, 65536, 1 << 20])
    func size(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let secret = Secret(bytes)
        #expect(secret.withBytes { span in bytes.indices.allSatisfy { span[$0] == bytes[$0] } })
    }

    @Test("threads may make many secrets at once")
    func threads() async {
        let areRight = await withTaskGroup(of: Bool.self) { group in
            for number: UInt8 in 0..<8 {
                group.addTask {
                    let secrets = (0..<600).map { _ in
                        Secret([UInt8](repeating: number, count: 32))
                    }
                    return secrets.allSatisfy { secret in
                        secret.withBytes { span in (0..<32).allSatisfy { span[$0] == number } }
                    }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(areRight)
    }
}
