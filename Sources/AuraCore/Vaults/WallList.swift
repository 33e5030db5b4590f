internal import AuraSystem

/// Which vaults of an encrypted home have a wall of their own: keys that open nothing else, and that the home's
/// keys do not open.
///
///     <home>/.aura/walls/<id>.json.age        the vault's name, sealed to the home
///     <home>/.aura/walls/<id>.copy.age        the same again
///     <home>/.aura/walls/<id>.identity.age    the wall's identity file, under its passphrase, sealed to the home
///     <home>/.aura/walled/<id>/               its files, laid out as a home
package struct WallList: Sendable {
    private let layout: VaultLayout
    private let seal: FileSeal

    package init(layout: VaultLayout, seal: FileSeal) {
        self.layout = layout
        self.seal = seal
    }

    package struct Wall: Sendable, Equatable {
        package let id: String
        package let vault: String
        /// False while its notes are still being moved.
        package var isComplete: Bool
    }

    private var folder: String { layout.walls }

    /// In order of making. Costs one look where there are none.
    /// - Throws: `SealError.locked` where there are some; `.damaged`.
    package func walls() throws -> [Wall] {
        guard let names = try? Files.names(of: folder) else { return [] }
        return try names.filter { $0.hasSuffix(".json\(FileSeal.ending)") && !$0.hasPrefix(".") }
            .sorted()
            .map { name in
                // Without it no command could tell what is behind the wall: there is a second copy.
                do {
                    return try wall(in: name)
                } catch {
                    let copy = "\(name.prefix(26)).copy\(FileSeal.ending)"
                    guard let wall = try? wall(in: copy) else { throw error }
                    return wall
                }
            }
    }

    private func wall(in name: String) throws -> Wall {
        let bytes = try seal.opened(Files.bytes(at: "\(folder)/\(name)"), name: name).bytes
        guard let json = JSONValue.read(bytes), let vault = json["vault"]?.text else {
            throw SealError.damaged(name: name, reason: "it names no vault")
        }
        return Wall(
            id: String(name.prefix(26)), vault: vault, isComplete: json["complete"]?.bool ?? false)
    }

    package func write(_ wall: Wall) throws {
        try Files.makeFolder(folder)
        let record = JSONValue.record([
            ("vault", .string(wall.vault)), ("complete", .bool(wall.isComplete)),
        ])
        let bytes = Array(record.serialized.utf8)
        try AtomicFile.replace(path(of: wall), seal.sealed(bytes))
        try AtomicFile.replace(copyPath(of: wall), seal.sealed(bytes))
    }

    package func remove(_ wall: Wall) throws {
        for path in [path(of: wall), copyPath(of: wall), identityPath(of: wall)] {
            try Files.remove(path)
        }
    }

    /// Keeps a copy of the wall's identity file, which is under a passphrase: with it, the home's recovery code
    /// and the passphrase a copy of the home opens on another machine.
    package func keepIdentity(_ bytes: [UInt8], of wall: Wall) throws {
        try Files.makeFolder(folder)
        try AtomicFile.replace(identityPath(of: wall), seal.sealed(bytes))
    }

    /// Nil where there is none.
    package func identity(of wall: Wall) throws -> [UInt8]? {
        let path = identityPath(of: wall)
        guard try Files.status(of: path) != nil else { return nil }
        return try seal.opened(Files.bytes(at: path), name: Files.name(of: path)).bytes
    }

    /// The ids of all walls; asks for no key.
    package static func ids(_ layout: VaultLayout) -> [String] {
        ((try? Files.names(of: layout.walls)) ?? [])
            .filter { $0.hasSuffix(".json\(FileSeal.ending)") && !$0.hasPrefix(".") }
            .map { String($0.prefix(26)) }
    }

    private func copyPath(of wall: Wall) -> String {
        "\(folder)/\(wall.id).copy\(FileSeal.ending)"
    }

    private func identityPath(of wall: Wall) -> String {
        "\(folder)/\(wall.id).identity\(FileSeal.ending)"
    }

    private func path(of wall: Wall) -> String { "\(folder)/\(wall.id).json\(FileSeal.ending)" }
}
