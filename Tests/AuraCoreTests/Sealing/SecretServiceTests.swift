import AuraCore
import AuraCrypto
import AuraSystem
import AuraTestKit
import Foundation
import Testing

/// A program called `secret-tool` that does as it is told, and notes how it was called.
private final class Tool {
    let folder: TemporaryFolder

    init(_ script: String) throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            #!/bin/sh
            echo "$@" >> '\(folder.path)/calls'
            echo "$DBUS_SESSION_BUS_ADDRESS" > '\(folder.path)/bus'
            \(script)

            """, to: "script")
        chmod("\(folder.path)/script", 0o700)
        // Copied by another process: a program that is started elsewhere at this moment would hold the file that
        // this one wrote open for writing, and nobody could run it.
        let copying = try ChildProcess.start(
            .init("/bin/cp", ["-p", "\(folder.path)/script", "\(folder.path)/secret-tool"]))
        #expect(copying.waitForEnd(atMost: .seconds(10)) == .exited(0))
    }

    func service(
        _ more: [String: String] = [:], user: UInt32 = 1, patience: Duration = .seconds(2)
    ) -> SecretService {
        SecretService(
            environment: ["PATH": "relative:/no/such:\(folder.path):/usr/bin:/bin"]
                .merging(more) { $1 },
            user: user, patience: patience)
    }

    /// As the real tool does: the attributes are the name of what is kept.
    static let keeping = """
        cd "$(dirname "$0")"
        case "$1" in
        store) [ "$3" = aura ] || exit 9; cat > "kept-$4" ;;
        lookup) [ "$2" = aura ] || exit 9; [ -e "kept-$3" ] || exit 1; cat "kept-$3" ;;
        clear) [ -e "kept-$3" ] || exit 1; rm "kept-$3" ;;
        search) [ ! -e "kept-$3" ] || echo "[/1]" ;;
        esac
        """
}

@Suite("the desktop's keyring") struct SecretServiceTests {
    // RFC 4648 §10.
    @Test(
        "a key goes there and comes back as base64 text",
        arguments: [
            ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func roundTrip(key: String, text: String) throws {
        let tool = try Tool(Tool.keeping)
        let service = tool.service()
        #expect(try service.secret(named: "home") == nil)
        try service.store(Secret(key.utf8), as: "home")
        #expect(try tool.folder.read("kept-home") == text)
        #expect(try service.secret(named: "home")?.isSame(as: Secret(key.utf8)) == true)
        #expect(try service.secret(named: "other") == nil)
        try service.remove("home")
        #expect(try service.secret(named: "home") == nil)
        try service.remove("home")
        // The key is in no word of any call.
        #expect(
            try tool.folder.read("calls").split(separator: "\n") == [
                "lookup aura home", "search aura home", "store --label=aura key home aura home",
                "lookup aura home", "lookup aura other", "search aura other", "clear aura home",
                "lookup aura home", "search aura home", "clear aura home", "search aura home",
            ])
    }

    @Test("every byte comes back")
    func everyByte() throws {
        let tool = try Tool(Tool.keeping)
        defer { withExtendedLifetime(tool) {} }
        let service = tool.service()
        let bytes = (0...255).map { UInt8($0) }
        try service.store(Secret(bytes), as: "home")
        #expect(try service.secret(named: "home")?.isSame(as: Secret(bytes)) == true)
    }

    @Test(
        "what is there and is no key is an error, not a key",
        arguments: ["Zg", "Zg==\n", "Z===", "====", "Zm9v Zm9", "Zh==", "ZÄ==", "", "Zg==Zg=="])
    func damaged(text: String) throws {
        let tool = try Tool("printf '%s' '\(text)'")
        defer { withExtendedLifetime(tool) {} }
        let service = tool.service()
        #expect(throws: SecretServiceError.self) { try service.secret(named: "home") }
    }

    @Test(
        "what the tool says is told apart",
        arguments: [
            ("Cannot create an item in a locked collection", SecretServiceError.locked),
            ("Cannot get secret of a locked object", .locked),
            ("GDBus.Error:org.freedesktop.DBus.Error.AccessDenied: no", .denied),
            ("The prompt was dismissed", .denied),
            (
                "Cannot autolaunch D-Bus without X11 $DISPLAY",
                .noService(reason: "Cannot autolaunch D-Bus without X11 $DISPLAY")
            ),
            (
                "Could not connect: No such file or directory",
                .noService(reason: "Could not connect: No such file or directory")
            ),
            ("something else", .failed(reason: "something else")),
        ])
    func failures(said: String, expected: SecretServiceError) throws {
        let tool = try Tool("cat > /dev/null; echo 'secret-tool: \(said)' >&2; exit 1")
        defer { withExtendedLifetime(tool) {} }
        let service = tool.service()
        #expect(throws: expected) { try service.secret(named: "home") }
        #expect(throws: expected) { try service.store(Secret("key".utf8), as: "home") }
        #expect(throws: expected) { try service.remove("home") }
    }

    // As gnome-keyring 42.1 does through secret-tool 0.20.5.
    @Test("a locked key, of which lookup and clear say nothing, is locked, not missing or removed")
    func locked() throws {
        let tool = try Tool(
            """
            case "$1" in
            search) echo "[/1]"; echo "secret-tool: Cannot get secret of a locked object" >&2 ;;
            *) exit 1 ;;
            esac
            """)
        defer { withExtendedLifetime(tool) {} }
        let service = tool.service()
        #expect(throws: SecretServiceError.locked) { try service.secret(named: "home") }
        #expect(throws: SecretServiceError.locked) { try service.remove("home") }
    }

    @Test("a keyring that asks somebody who is not there is given up in time, its tool ended")
    func hanging() throws {
        let tool = try Tool("cd \"${0%/*}\"; echo $$ > number; exec sleep 60")
        let service = tool.service(patience: .milliseconds(500))
        let start = ContinuousClock.now
        #expect(throws: SecretServiceError.timedOut) { try service.secret(named: "home") }
        #expect(ContinuousClock.now - start < .seconds(5))
        let number = try #require(
            Int32(try tool.folder.read("number").trimmingCharacters(in: .newlines)))
        #expect(kill(number, 0) == -1)
    }

    @Test("without the tool the error says what to install")
    func noTool() throws {
        let service = SecretService(environment: ["PATH": "/no/such"], user: 1)
        #expect(throws: SecretServiceError.noTool) { try service.secret(named: "home") }
        #expect(SecretServiceError.noTool.hint?.contains("libsecret-tools") == true)
    }

    @Test("a tool that fails without a word has kept nothing")
    func silentFailure() throws {
        let tool = try Tool("cat > /dev/null; exit 1")
        defer { withExtendedLifetime(tool) {} }
        let service = tool.service()
        #expect(throws: SecretServiceError.self) {
            try service.store(Secret("key".utf8), as: "home")
        }
        #expect(try service.secret(named: "home") == nil)
    }

    @Test("where the environment names no bus, the user's usual one is tried, if it is a socket")
    func bus() throws {
        let tool = try Tool(Tool.keeping)
        let runtime = "\(tool.folder.path)/run, time"
        try Files.makeFolder(runtime)
        let user = ThisProcess.user
        func seen(_ more: [String: String], user: UInt32 = user) throws -> String {
            _ = try tool.service(more, user: user).secret(named: "home")
            return try tool.folder.read("bus").trimmingCharacters(in: .newlines)
        }
        let own = "unix:path=/own"
        #expect(try seen(["DBUS_SESSION_BUS_ADDRESS": own, "XDG_RUNTIME_DIR": runtime]) == own)
        // A file of that name is none.
        try tool.folder.write("", to: "run, time/bus")
        let without = try seen(["XDG_RUNTIME_DIR": runtime])
        #expect(!without.contains("run"))
        let listener = try UnixListener(at: "\(runtime)/bus")
        let escaped = "unix:path=\(tool.folder.path)/run%2c%20time/bus"
        #expect(try seen(["XDG_RUNTIME_DIR": runtime]) == escaped)
        #expect(
            try seen(["XDG_RUNTIME_DIR": runtime, "DBUS_SESSION_BUS_ADDRESS": ""]) == escaped)
        // Another user's bus is not ours.
        #expect(try seen(["XDG_RUNTIME_DIR": runtime], user: user + 7) == "")
        withExtendedLifetime(listener) {}
    }
}
