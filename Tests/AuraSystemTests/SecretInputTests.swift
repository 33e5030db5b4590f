import AuraSystem
import AuraTestKit
import Foundation
import Glibc
import Testing

/// A pseudo-terminal that a program has as its own, and the far side of it.
private final class PseudoTerminal {
    let far: Int32
    let near: Int32

    init() throws {
        // The numbers of Linux; the C names of these calls are not visible to Swift.
        let (unlocking, numberOf): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        far = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: Int32 = 0
        guard far >= 0, ioctl(far, unlocking, &isLocked) == 0, ioctl(far, numberOf, &number) == 0
        else { throw SystemError.last("open", "/dev/ptmx") }
        near = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard near >= 0 else { throw SystemError.last("open", "/dev/pts/\(number)") }
    }

    deinit {
        close(near)
        close(far)
    }

    /// The local modes and the control characters, which is what hides and shows.
    var settings: [UInt32] {
        var settings = termios()
        tcgetattr(near, &settings)
        let characters = withUnsafeBytes(of: settings.c_cc) { $0.map(UInt32.init) }
        return [settings.c_iflag, settings.c_lflag] + characters
    }

    var isEchoing: Bool { settings[1] & UInt32(ECHO) != 0 }

    /// The next line that a program would read.
    func nextLine() -> String {
        var item = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, 10_000) > 0 else { return "" }
        var line = [UInt8](repeating: 0, count: 64)
        let count = read(near, &line, line.count)
        return String(decoding: line.prefix(max(count, 0)), as: UTF8.self)
    }

    func type(_ text: String) { _ = write(far, text, text.utf8.count) }

    /// What the screen shows, until it shows `text` or 10 s are over.
    func screen(until text: String) -> String {
        var shown: [UInt8] = []
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            var item = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
            guard poll(&item, 1, 50) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(far, &buffer, buffer.count)
            guard count > 0 else { break }
            shown += buffer[..<count]
            if String(decoding: shown, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}

/// `SecretProbe ask`, in a session of its own with the terminal as its controlling one.
private struct Asking {
    let terminal: PseudoTerminal
    let child: ChildProcess
    private let output = TemporaryOutput()

    init() throws {
        terminal = try PseudoTerminal()
        child = try ChildProcess.start(
            .init("/usr/bin/setsid", ["--ctty", SecretProgram.path, "ask", "Passphrase: "]),
            input: terminal.near, output: output.writing)
    }

    /// How it ended and what it printed.
    func end() -> (ending: ChildProcess.Ending?, said: String) {
        let ending = child.waitForEnd(atMost: .seconds(10))
        if ending == nil { child.kill() }
        return (ending, output.text())
    }
}

private final class TemporaryOutput {
    private(set) var writing: Int32
    private let reading: Int32

    init() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        if writing >= 0 { close(writing) }
    }

    func text() -> String {
        close(writing)
        writing = -1
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(reading, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }
}

@Suite("asking for a secret") struct SecretInputTests {
    @Test("what is typed is read whole, never shown, and the terminal is as before afterwards")
    func typing() throws {
        let asking = try Asking()
        let before = asking.terminal.settings
        #expect(asking.terminal.isEchoing)
        #expect(asking.terminal.screen(until: "Passphrase: ") == "Passphrase: ")
        #expect(!asking.terminal.isEchoing)
        asking.terminal.type("grün und blau \n")
        #expect(asking.terminal.screen(until: "\n") == "\r\n")
        let (ending, said) = asking.end()
        #expect(ending == .exited(0))
        #expect(said == "typed 'grün und blau '\n")
        #expect(asking.terminal.settings == before)
    }

    @Test(
        "a signal ends the question, shows typing again, and leaves no half passphrase to the shell",
        arguments: [(SIGINT, true), (SIGINT, false), (SIGTERM, false), (SIGHUP, false)])
    func interrupted(signal: Int32, isTyped: Bool) throws {
        let asking = try Asking()
        let before = asking.terminal.settings
        _ = asking.terminal.screen(until: "Passphrase: ")
        asking.terminal.type("half of it")
        if isTyped { asking.terminal.type("\u{3}") } else { kill(asking.child.number, signal) }
        let (ending, said) = asking.end()
        #expect(ending == .exited(128 + signal))
        #expect(said == "")
        #expect(asking.terminal.settings == before)
        asking.terminal.type("next\n")
        #expect(asking.terminal.nextLine() == "next\n")
    }

    @Test("Ctrl-Z and Ctrl-\\ do not leave a terminal that hides what is typed")
    func suspended() throws {
        let asking = try Asking()
        _ = asking.terminal.screen(until: "Passphrase: ")
        asking.terminal.type("a\u{1A}\u{1C}b\n")
        let (ending, said) = asking.end()
        #expect(ending == .exited(0))
        #expect(said == "typed 'a\u{1A}\u{1C}b'\n")
    }

    @Test("the end of input and an empty line are told apart")
    func endOfInput() throws {
        for (typed, expected) in [("\u{4}", "nothing\n"), ("\n", "typed ''\n")] {
            let asking = try Asking()
            _ = asking.terminal.screen(until: "Passphrase: ")
            asking.terminal.type(typed)
            #expect(asking.end().said == expected)
            #expect(asking.terminal.isEchoing)
        }
    }

    @Test("without a terminal nobody is asked, whatever standard input brings")
    func noTerminal() throws {
        let answer = try ChildProcess.exchange(
            .init("/usr/bin/setsid", ["--wait", SecretProgram.path, "ask", "Passphrase: "]),
            input: Array("secret\n".utf8).span, within: .seconds(10)
        ) { _, output, errors in
            String(decoding: output.indices.map { output[$0] }, as: UTF8.self) + errors
        }
        #expect(answer == "nothing\n")
    }

    @Test(
        "a descriptor brings all its bytes but one newline at the end",
        arguments: [
            ("secret\n", "secret"), ("secret", "secret"), ("two\nlines\n\n", "two\nlines\n"),
            ("", ""), ("\n", ""),
        ])
    func descriptor(given: String, expected: String) throws {
        #expect(try SecretProgram.run("descriptor", "0", input: given) == "read '\(expected)'")
    }

    @Test("a descriptor that is not open, or that brings more than 4096 bytes, is an error")
    func badDescriptor() throws {
        #expect { try FileDescriptor.readSecret(fromNumber: 9999) } throws: {
            ($0 as? SystemError)?.code == EBADF
        }
        let folder = try TemporaryFolder()
        for (count, isFine) in [(4096, true), (4097, false), (100_000, false)] {
            try folder.write([UInt8](repeating: 65, count: count) + [10], to: "long")
            let file = try FileDescriptor.open("\(folder.path)/long", for: .read)
            let bytes = try? FileDescriptor.readSecret(fromNumber: file.number)
            #expect(bytes?.count == (isFine ? count : nil))
        }
    }
}

@Suite("private files") struct PrivateFileTests {
    @Test("a file that only its owner may use is read")
    func read() throws {
        let folder = try TemporaryFolder()
        for mode: mode_t in [0o600, 0o400, 0o700] {
            try folder.write("secret\n", to: "key")
            chmod("\(folder.path)/key", mode)
            #expect(try Files.privateBytes(at: "\(folder.path)/key") == Array("secret\n".utf8))
        }
    }

    @Test(
        "one bit for group or others is refused",
        arguments: [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644, 0o666])
    func open(mode: Int) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/key"
        try folder.write("secret\n", to: "key")
        chmod(path, mode_t(mode))
        #expect(throws: PrivateFileError(path: path, reason: .openToOthers(mode: UInt32(mode)))) {
            try Files.privateBytes(at: path)
        }
    }

    @Test("links, folders, pipes, long files and missing files are refused, each by its name")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let root = folder.path
        try folder.write("secret\n", to: "key")
        symlink("\(root)/key", "\(root)/link")
        mkdir("\(root)/folder", 0o700)
        mkfifo("\(root)/pipe", 0o600)
        try folder.write([UInt8](repeating: 0, count: 65_537), to: "long")
        let reasons: [(String, PrivateFileError.Reason)] = [
            ("link", .link), ("folder", .notAFile), ("pipe", .notAFile),
            ("long", .tooLong(limit: 65_536)), ("missing", .missing), ("key/below", .missing),
        ]
        for (name, reason) in reasons {
            #expect(throws: PrivateFileError(path: "\(root)/\(name)", reason: reason)) {
                try Files.privateBytes(at: "\(root)/\(name)")
            }
        }
    }

    @Test(
        "another user's file is refused, also by root",
        .enabled(if: geteuid() == 0, "only root can make one"))
    func owner() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret\n", to: "key")
        chown("\(folder.path)/key", 65534, 65534)
        #expect(
            throws: PrivateFileError(path: "\(folder.path)/key", reason: .ownedByAnother)
        ) {
            try Files.privateBytes(at: "\(folder.path)/key")
        }
    }

    @Test("a private folder is made 0700; a link to one, or one open to others, is refused")
    func folder() throws {
        let folder = try TemporaryFolder()
        try Files.makePrivateFolder("\(folder.path)/a/b")
        #expect(try Files.status(of: "\(folder.path)/a/b")?.mode == 0o700)
        symlink("\(folder.path)/a", "\(folder.path)/link")
        chmod("\(folder.path)/a/b", 0o750)
        for path in ["link", "a/b"] {
            #expect(throws: SystemError.notPrivate("\(folder.path)/\(path)")) {
                try Files.makePrivateFolder("\(folder.path)/\(path)")
            }
        }
    }
}
