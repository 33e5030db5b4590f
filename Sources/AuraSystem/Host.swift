internal import CSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Facts about the machine and the user that the environment does not reliably tell.
package enum Host {
    package static var userID: UInt32 { getuid() }
    package static var processID: Int { Int(getpid()) }

    /// The home folder in the password database; nil when the user is not in it.
    package static var homeInPasswordDatabase: String? {
        guard let entry = unsafe getpwuid(getuid()), let folder = unsafe entry.pointee.pw_dir else {
            return nil
        }
        return unsafe String(cString: folder)
    }

    /// The absolute path of the running program.
    package static var programPath: String? {
        #if os(Linux)
            guard let resolved = unsafe realpath("/proc/self/exe", nil) else { return nil }
        #else
            guard let resolved = unsafe realpath(CommandLine.arguments[0], nil) else { return nil }
        #endif
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Name of this machine.
    package static var name: String {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: 256) { buffer, count in
            count = 256
            if unsafe gethostname(buffer.baseAddress!, 255) != 0 { unsafe buffer[0] = 0 }
            unsafe buffer[255] = 0
        }
        return String(
            decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The present time: seconds and nanoseconds since 1970.
    package static var now: (seconds: Int64, nanoseconds: Int32) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (Int64(time.tv_sec), Int32(time.tv_nsec))
    }

    /// Makes a path absolute without asking the disk, `.` and `..` taken out.
    package static func absolutePath(_ path: String) -> String {
        var parts: [Substring] = []
        let whole = path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
        for part in whole.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    package static var workingFolder: String {
        guard let path = unsafe getcwd(nil, 0) else { return "/" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// All variables of the environment.
    package static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let line = unsafe String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                result[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return result
    }
}

extension Host {
    /// Processors that this process may use, at least 1.
    package static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension Host {
    /// Whether the machine runs on its battery now. False where there is none or nothing tells.
    package static var isOnBattery: Bool {
        #if os(Linux)
            let folder = "/sys/class/power_supply"
            let names = ((try? Files.entries(of: folder)) ?? []).map(\.name)
            func value(_ name: String, _ key: String) -> String? {
                (try? Files.bytesFollowingLinks(at: "\(folder)/\(name)/\(key)"))
                    .map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
            }
            let mains = names.filter { ["Mains", "USB"].contains(value($0, "type")) }
            return !mains.isEmpty && !mains.contains { value($0, "online") == "1" }
        #else
            return false
        #endif
    }
}
