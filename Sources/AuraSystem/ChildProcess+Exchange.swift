internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension ChildProcess {
    /// What a program is given at most on its input here: so much fits into a pipe that nobody reads yet.
    package static let mostExchangedBytes = 4096

    /// Runs a program to its end with the bytes as its input, and calls `body` with how it ended, the first 4096
    /// bytes of its output, and what it said to standard error. Neither input nor output is copied elsewhere in this
    /// process; the memory for the output is wiped.
    /// - Throws: `SystemError` with `isTimeout` when it was killed at the deadline.
    package static func exchange<Result>(
        _ recipe: Recipe, input: Span<UInt8>, within patience: Duration,
        _ body: (Ending, Span<UInt8>, String) -> Result
    ) throws(SystemError) -> Result {
        precondition(input.count <= mostExchangedBytes, "more input than a pipe holds")
        let deadline = ContinuousClock.now + patience
        let given = try Pipe()
        try given.write(input)
        let output = try Pipe()
        let errors = try Pipe()
        // Their numbers are used after their last mention.
        defer { withExtendedLifetime((given, output, errors)) {} }
        let child = try start(
            recipe, input: given.reading, output: output.writing, errors: errors.writing)
        output.closeWriting()
        errors.closeWriting()

        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: mostExchangedBytes, alignment: 1)
        defer {
            unsafe aura_wipe(memory.baseAddress, memory.count)
            unsafe memory.deallocate()
        }
        var count = 0
        var said: [UInt8] = []
        var (isOutputOpen, areErrorsOpen) = (true, true)
        while isOutputOpen || areErrorsOpen {
            var items = [
                pollfd(fd: isOutputOpen ? output.reading : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: areErrorsOpen ? errors.reading : -1, events: Int16(POLLIN), revents: 0),
            ]
            let left = (deadline - ContinuousClock.now).components
            let wait = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            let ready = unsafe poll(&items, 2, Int32(clamping: wait))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw child.killed(recipe) }
            if items[0].revents != 0 {
                // What is beyond the room is no answer to anything asked here.
                let room = mostExchangedBytes - count
                let got = unsafe readSome(output.reading, memory.baseAddress! + count, room)
                count += max(got, 0)
                isOutputOpen = got > 0
            }
            if items[1].revents != 0 {
                var piece = [UInt8](repeating: 0, count: 1024)
                let got = unsafe piece.withUnsafeMutableBytes { buffer in
                    unsafe readSome(errors.reading, buffer.baseAddress!, buffer.count)
                }
                said += piece.prefix(min(max(got, 0), mostExchangedBytes - said.count))
                areErrorsOpen = got > 0
            }
        }
        guard let ending = child.waitForEnd(atMost: max(deadline - ContinuousClock.now, .zero))
        else { throw child.killed(recipe) }
        let bytes = unsafe memory.bindMemory(to: UInt8.self)
        let answer = unsafe Span(_unsafeElements: bytes).extracting(first: count)
        return body(ending, answer, String(decoding: said, as: UTF8.self))
    }

    private func killed(_ recipe: Recipe) -> SystemError {
        kill()
        _ = waitForEnd(atMost: .seconds(5))
        return .timeout("wait", recipe.program)
    }
}

/// A pipe whose ends no other program gets.
private final class Pipe {
    let reading: Int32
    private(set) var writing: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = aura_fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Everything that will ever be in it, before anyone reads.
    func write(_ bytes: Span<UInt8>) throws(SystemError) {
        let wrote = unsafe bytes.withUnsafeBytes { buffer in
            unsafe writeSome(writing, buffer.baseAddress, buffer.count)
        }
        guard wrote == bytes.count else { throw .last("write") }
        closeWriting()
    }
}

// The C names are hidden by the methods above.
private func readSome(_ number: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(number, buffer, count)
}
private func writeSome(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, buffer, count)
}
