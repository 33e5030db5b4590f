// swift-tools-version: 6.2
import PackageDescription

let careful: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Tests may reach for C freely: strict memory safety is for what ships.
let testing: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func wrapperTests(_ name: String, uses: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.target(name: name), "AuraTestKit"] + uses,
        swiftSettings: testing)
}

let package = Package(
    name: "aura",
    products: [
        .executable(name: "aura", targets: ["aura"]),
        .library(name: "AuraCore", targets: ["AuraCore"]),
    ],
    targets: [
        // C libraries: a module map and a shim each.
        .systemLibrary(
            name: "CSQLCipher", pkgConfig: "sqlcipher", providers: [.brew(["sqlcipher"])]),
        // Opened by its first request, not linked: see its shim.
        .systemLibrary(
            name: "CCurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CCmark", pkgConfig: "libcmark-gfm",
            providers: [
                .apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"]),
            ]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CLlama", pkgConfig: "llama", providers: [.apt(["libllama-dev"])]),
        .target(name: "CSystem"),

        // Thin Swift over each of them. They know no noun of the product.
        .target(name: "AuraSystem", dependencies: ["CSystem"], swiftSettings: careful),
        .target(name: "AuraSQLite", dependencies: ["CSQLCipher"], swiftSettings: careful),
        .target(name: "AuraHTTP", dependencies: ["CCurl"], swiftSettings: careful),
        .target(name: "AuraCrypto", dependencies: ["COpenSSL"], swiftSettings: careful),
        .target(name: "AuraYAML", dependencies: ["CYAML"], swiftSettings: careful),
        .target(name: "AuraMarkdown", dependencies: ["CCmark"], swiftSettings: careful),
        .target(name: "AuraZip", dependencies: ["CZlib"], swiftSettings: careful),
        .target(name: "AuraLlama", dependencies: ["CLlama"], swiftSettings: careful),

        .target(
            name: "AuraCore",
            dependencies: [
                "AuraSystem", "AuraSQLite", "AuraHTTP", "AuraCrypto", "AuraYAML", "AuraMarkdown",
                "AuraZip", "AuraLlama",
            ],
            resources: [.embedInCode("Prompts/Text")],
            swiftSettings: careful),
        .executableTarget(
            name: "aura", dependencies: ["AuraCore", "AuraCrypto", "AuraSystem"],
            swiftSettings: careful),

        // Tests.
        .target(
            name: "AuraTestKit", dependencies: ["AuraCore", "AuraSystem"],
            path: "Tests/AuraTestKit", swiftSettings: testing),
        // A program that does with secrets what commands do, for tests of what other processes see.
        .executableTarget(
            name: "SecretProbe", dependencies: ["AuraCore", "AuraCrypto", "AuraSystem"],
            path: "Tests/SecretProbe", swiftSettings: testing),
        // Gives made-up notes vectors, for scripts/bench search.
        .executableTarget(
            name: "IndexProbe", dependencies: ["AuraCore", "AuraSystem"],
            path: "Tests/IndexProbe", swiftSettings: testing),
        wrapperTests("AuraSystem", uses: ["SecretProbe"]),
        wrapperTests("AuraSQLite"),
        wrapperTests("AuraHTTP"),
        wrapperTests("AuraCrypto"),
        wrapperTests("AuraYAML"),
        wrapperTests("AuraMarkdown"),
        wrapperTests("AuraZip"),
        wrapperTests("AuraLlama"),
        wrapperTests(
            "AuraCore",
            uses: [
                "AuraSystem", "AuraSQLite", "AuraYAML", "AuraCrypto", "AuraZip", "SecretProbe",
            ]),
        .testTarget(
            name: "AuraTests", dependencies: ["aura", "AuraCore", "AuraTestKit"],
            swiftSettings: testing),
        .testTarget(
            name: "TranscriptTests",
            dependencies: ["aura", "AuraCore", "AuraTestKit", "AuraSystem", "AuraYAML"],
            exclude: ["Transcripts"], swiftSettings: testing),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "aura", "AuraTestKit", "AuraCore", "AuraCrypto", "AuraSystem", "SecretProbe",
            ],
            swiftSettings: testing),
    ],
    swiftLanguageModes: [.v6]
)
