import AuraSystem
import AuraTestKit
import Foundation
import Synchronization
import Testing

@Suite("an encrypted home betrays nothing")
struct CanaryTests {
    /// A word for each way into the home; each is in no dictionary and in no other one.
    private enum Canary: String, CaseIterable {
        case words = "quokkaplume"
        case title = "kestrelloom"
        case tag = "dunlinfern"
        case standardInput = "wombatgleam"
        case transcript = "ibismurmur"
        case attachment = "gannetvault"
        case attachmentName = "heronsheaf"
        case editor = "ospreydraft"
        case batch = "godwitrow"
        case locked = "merlindusk"
        case lockedAttachment = "avocetpool"
        case newTitle = "smewharbour"
        case changedInEditor = "whimbrelnote"
        case abandoned = "curlewfog"
        case query = "petrelseek"
        case question = "ploverwhy"
        case behindWall = "bitternwall"
    }

    private static var all: [String] { Canary.allCases.map(\.rawValue) }

    @Test("no word of any note lies readable in any file or name", arguments: [false, true])
    func canaries(hasPassphrase: Bool) async throws {
        let home = try await SealedHome.make(hasPassphrase: hasPassphrase)
        let wallPassphrase = "wall-\(UUID())"
        try home.keep(wallPassphrase, as: "wall")
        let watch = try ProcessWatch([home.passphrase, wallPassphrase].compactMap(\.self))
        var said = ""
        func aura(
            _ words: String..., input: AuraProgram.Input = .nothing,
            environment: [String: String?] = [:]
        ) async throws -> String {
            let outcome = try await home.succeed(words, input: input, environment: environment)
            said += outcome.output + outcome.errors
            return outcome.lines.first ?? ""
        }
        func write(_ bytes: [UInt8], _ name: String) throws -> String {
            try home.program.folder.write(bytes, to: "outside/\(name)")
            return "\(home.program.folder.path)/outside/\(name)"
        }

        // In.
        let first = try await aura(
            "capture", "--title", "The \(Canary.title.rawValue) of it", "--tag",
            Canary.tag.rawValue, "--", "I saw a \(Canary.words.rawValue) today")
        let second = try await aura(
            "capture", input: .text("A \(Canary.standardInput.rawValue) in the pipe\n"))
        _ = try await aura(
            "capture", "--transcript",
            input: .text(
                "1\n00:00:01,000 --> 00:00:02,000\num, the \(Canary.transcript.rawValue), uh, sang\n"
            ))
        let file = try write(
            Array("\(Canary.attachment.rawValue)\n".utf8), "\(Canary.attachmentName.rawValue).txt")
        let third = try await aura("capture", "--vault", "Family", "--attach", file, "with a file")
        _ = try await aura(
            "capture", "--editor",
            environment: home.editor("echo 'A thought about \(Canary.editor.rawValue)' > \"$1\""))
        let batch = try write(
            Array(#"{"id":1,"text":"a \#(Canary.batch.rawValue) in a row"}"#.utf8), "batch.jsonl")
        _ = try await aura("capture", "--batch", input: .bytes(Files.bytes(at: batch)))
        _ = try await aura("enrich")

        // Changed, moved, thrown away, brought back. Filing may have renamed the notes.
        _ = try await aura("edit", first, "--title", "Another \(Canary.newTitle.rawValue)")
        _ = try await aura(
            "edit", second,
            environment: home.editor("echo 'and a \(Canary.changedInEditor.rawValue)' >> \"$1\""))
        _ = try await aura("move", first, "Projects")
        _ = try await aura("rm", second)
        _ = try await aura("restore", second)
        _ = try await aura("history", second)
        _ = try await aura("restore", second, "--at", "1")
        _ = try await aura("undo")
        let abandoning = try home.editor(
            "echo 'and a \(Canary.abandoned.rawValue)' >> \"$1\"; exit 3")
        let abandoned = try await home.run("edit", third, environment: abandoning)
        #expect(abandoned.status == 69, "\(abandoned.errors)")

        // Looked for.
        _ = try await aura("search", Canary.query.rawValue)
        let found = try await home.run("search", "--json", Canary.words.rawValue)
        #expect(found.lines.count == 1, "\(found.errors)")
        _ = try await aura("list")
        _ = try await home.run("ask", "--no-ai", "Where does the \(Canary.question.rawValue) go?")
        _ = try await aura("distill", "weekly", "--no-ai", "--force")
        _ = try await aura("reindex")
        _ = try await aura("status")
        expectNothingReadable(home, "open")

        // A wall, locked and unlocked.
        _ = try await aura("capture", "--vault", "Family", "A \(Canary.behindWall.rawValue)")
        let fd = "3< '\(home.secretFile("wall"))'"
        said += try await home.succeed("vaults lock Family --passphrase-fd 3", fd).errors
        _ = try await aura("capture", "--vault", "Family", "Another \(Canary.locked.rawValue)")
        expectNothingReadable(home, "one vault locked")
        #expect(try await home.run("show", third).status == 77)
        said += try await home.succeed("vaults unlock Family --passphrase-fd 3", fd).errors
        #expect(try await home.notes().values.contains { $0.contains(Canary.behindWall.rawValue) })
        expectNothingReadable(home, "one vault unlocked")

        // Locked, and captured into all the same.
        if hasPassphrase {
            try await home.lock()
            let waiting = try write(
                Array("\(Canary.lockedAttachment.rawValue)".utf8), "second-\(Canary.query).txt")
            _ = try await aura("capture", "--attach", waiting, "\(Canary.locked.rawValue) too")
            expectNothingReadable(home, "locked")
            try await home.unlock()
            // One lock closes all; a vault with its own is opened by itself.
            #expect(try await home.run("show", third).status == 77)
            said += try await home.succeed("vaults unlock Family --passphrase-fd 3", fd).errors
        }

        // Everything is there.
        let texts = try await home.notes().values.joined()
        for canary in Canary.allCases
        where ![.title, .attachment, .abandoned, .query, .question, .lockedAttachment]
            .contains(canary)
        {
            #expect(texts.contains(canary.rawValue), "\(canary) is lost")
        }
        let attachments = texts.matches(of: /\(attachments\/([^)]+)\)/).map { String($0.1) }
        #expect(attachments.count == (hasPassphrase ? 2 : 1))
        let name = try #require(attachments.first { $0.contains(Canary.attachmentName.rawValue) })
        #expect(
            try await home.run("show", "Family/attachments/\(name)").output
                == "\(Canary.attachment.rawValue)\n")

        // Nor the secrets themselves, once the recovery code was asked for.
        let code = try #require(
            try await home.succeed(["key", "recovery"]).lines.first {
                $0.hasPrefix("AGE-SECRET-KEY-1")
            })
        watch.look(for: code)
        try home.keep(code, as: "code")
        said += try await home.succeed("key restore --code-fd 4", "4< '\(home.secretFile("code"))'")
            .errors
        said += try await home.run("doctor").output
        let secrets = [home.passphrase, wallPassphrase].compactMap(\.self)
        expectNothingReadable(home, "at the end", secrets)
        #expect(!said.contains(code))
        for secret in secrets { #expect(!said.contains(secret)) }
        // The key without a passphrase lies in its one file, which only its owner reads.
        let identity = "data/aura/keys/"
        let places = home.places(of: [code]).filter { !$0.contains(identity) }
        #expect(places.isEmpty, "\(places)")
        try await watch.end()
    }

    private func expectNothingReadable(
        _ home: SealedHome, _ when: String, _ more: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let places = home.places(of: Self.all + more)
        #expect(places.isEmpty, "\(when)", sourceLocation: sourceLocation)
        let readable = home.readableFiles()
        #expect(readable.isEmpty, "\(when)", sourceLocation: sourceLocation)
    }

    @Test("a search for words would find them where they lay readable")
    func control() async throws {
        let program = try AuraProgram()
        #expect(try await program.run("capture", Canary.words.rawValue).status == 0)
        #expect(try await program.run("list").status == 0)
        let home = SealedHome(program: program, passphrase: nil)
        let places = home.places(of: [Canary.words.rawValue])
        // In the note, in its name and in the index.
        #expect(places.contains { $0.hasSuffix(".md") })
        #expect(places.contains { $0.contains("/index.db") })
        let coded = Data("x \(Canary.words.rawValue) y".utf8).base64EncodedString()
        try program.folder.write(coded, to: "tmp/coded")
        #expect(home.places(of: [Canary.words.rawValue]).contains { $0.hasSuffix("tmp/coded") })
        #expect(home.readableFiles().contains("tmp/coded"))
    }

    @Test(
        "a draft is readable in the run-time folder while its editor runs, and nowhere once aura was killed",
        arguments: [false, true])
    func draft(ofNewNote isNew: Bool) async throws {
        let home = try await SealedHome.make()
        let note = try #require(try await home.succeed(["capture", "The old text"]).lines.first)
        let root = home.program.folder.path
        let editor = try home.editor(
            """
            echo $$ > '\(root)/editor-number'
            echo 'and a \(Canary.editor.rawValue)' >> "$1"
            : > '\(root)/edited'
            exec sleep 60
            """)
        let words = isNew ? ["capture", "--editor"] : ["edit", note]
        let running = try home.program.start(
            words, environment: SealedHome.environment.with(editor))
        for _ in 1...1000 where (try Files.status(of: "\(root)/edited")) == nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        let open = home.places(of: [Canary.editor.rawValue])
        #expect(open.count == 1)
        let path = try #require(open.first?.split(separator: " ").last)
        #expect(path.hasPrefix("run/aura/drafts/"))
        let status = try #require(try Files.status(of: "\(root)/\(path)"))
        #expect(status.mode & 0o777 == 0o600)
        let folder = try #require(try Files.status(of: Files.parent(of: "\(root)/\(path)")))
        #expect(folder.mode & 0o777 == 0o700)
        // Others at work leave it alone.
        try await home.succeed(["list"])
        #expect(home.places(of: [Canary.editor.rawValue]) == open)

        running.signal(SIGKILL)
        let number = try home.program.folder.read("editor-number").split(separator: "\n")[0]
        kill(try #require(Int32(number)), SIGKILL)
        _ = try await running.outcome()
        try await home.succeed(["list"])
        #expect(home.places(of: [Canary.editor.rawValue]).isEmpty)
        #expect(home.readableFiles().isEmpty)

        let seeing = try home.editor("cp \"$1\" '\(root)/seen'")
        let again = try await home.succeed(words, environment: seeing)
        #expect(again.errors.contains("unsaved draft"))
        #expect(try home.program.folder.read("seen").contains(Canary.editor.rawValue))
        #expect(
            try await home.notes().values.filter { $0.contains(Canary.editor.rawValue) }.count == 1)
        // It was saved: the next time there is none.
        let third = try await home.run(words, environment: seeing)
        #expect(!third.errors.contains("unsaved draft"))
        #expect(home.places(of: [Canary.editor.rawValue]).isEmpty)
    }
}

/// Looks at the words and the environment of every process, again and again, for secrets.
private final class ProcessWatch: Sendable {
    private struct State {
        var secrets: [Data]
        var found: [String] = []
        var looks = 0
        var isOver = false
    }
    private let state: Mutex<State>

    init(_ secrets: [String]) throws {
        state = Mutex(State(secrets: secrets.map { Data($0.utf8) }))
        try WorkThread.start { [self] in
            while !state.withLock({ $0.isOver }) {
                look()
                WorkThread.pause(.milliseconds(2))
            }
        }
    }

    func look(for secret: String) { state.withLock { $0.secrets.append(Data(secret.utf8)) } }

    /// Nothing was seen by then.
    func end() async throws {
        let state = state.withLock { state in
            state.isOver = true
            return state
        }
        #expect(state.found.isEmpty)
        #expect(state.looks > 20)
    }

    private func look() {
        let secrets = state.withLock { $0.secrets }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for number in names where Int(number) != nil {
            for file in ["cmdline", "environ"] {
                guard let bytes = try? Files.bytes(at: "/proc/\(number)/\(file)") else { continue }
                let data = Data(bytes)
                if secrets.contains(where: { data.range(of: $0) != nil }) {
                    let words = (try? Files.bytes(at: "/proc/\(number)/cmdline")) ?? []
                    state.withLock {
                        $0.found.append("\(file) of \(String(decoding: words, as: UTF8.self))")
                    }
                }
            }
        }
        state.withLock { $0.looks += 1 }
    }
}
