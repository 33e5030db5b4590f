import AuraCore
import AuraSystem

/// One JSON object a line in, one a line out, in order; a bad line never stops the rest.
enum Batch {
    struct Line {
        let object: JSONValue

        /// One text or a list of them; empty when the key is missing.
        func texts(_ keys: String...) throws -> [String] {
            var result: [String] = []
            for key in keys {
                switch object[key] {
                case nil, .null: continue
                case .string(let text): result.append(text)
                case .array(let items) where items.allSatisfy({ $0.text != nil }):
                    result += items.compactMap(\.text)
                default: throw InputError.badLine("\"\(key)\" is a text or a list of texts")
                }
            }
            return result
        }

        /// A whole number from `least` on; nil when the key is missing.
        func count(_ key: String, least: Int) throws -> Int? {
            guard let value = object[key], !value.isNull else { return nil }
            guard let number = value.integer, number >= least else {
                throw InputError.badLine("\"\(key)\" is a whole number from \(least) on")
            }
            return number
        }

        /// Nil when the key is missing.
        func flag(_ key: String) throws -> Bool? {
            guard let value = object[key], !value.isNull else { return nil }
            guard let flag = value.bool else {
                throw InputError.badLine("\"\(key)\" is true or false")
            }
            return flag
        }

        /// The types named; each is one that a person can give.
        func kinds() throws -> [NoteKind] {
            try texts("type").map { word in
                guard let kind = NoteKind(argument: word) else {
                    throw InputError.badLine("'\(word)' is no type: \(NoteKind.expectation)")
                }
                return kind
            }
        }

        func text(_ key: String = "text") throws -> String {
            guard let text = object[key]?.text else {
                throw InputError.badLine("the line has no text \"\(key)\"")
            }
            return text
        }

        /// Local time by the line's own `now` and `zone`, where it has them.
        func localTime(_ services: Services) throws -> LocalTime {
            let (now, zone) = try clock(services)
            return zone.local(now)
        }

        func clock(_ services: Services) throws -> (Instant, Zone) {
            var zone = services.zone
            if let name = object["zone"]?.text {
                guard let named = Zone.named(name) else {
                    throw InputError.badLine("there is no time zone '\(name)'")
                }
                zone = named
            }
            guard let text = object["now"]?.text else { return (services.now(), zone) }
            guard let now = Services.instant(text, zone) else {
                throw InputError.badLine("'\(text)' is no time")
            }
            return (now, zone)
        }
    }

    /// Answers each line of standard input; the exit code tells whether any line failed.
    static func run(
        _ invocation: Invocation, _ answer: (Line) async throws -> [(String, JSONValue)]
    ) async throws -> ExitStatus {
        var isComplete = true
        var open: [UInt8] = []
        var atEnd = false
        while !atEnd {
            let piece = try TerminalDevice.readInput(upTo: 65_536)
            atEnd = piece.isEmpty
            open += piece
            var lines = open.split(separator: 0x0A, omittingEmptySubsequences: false)
            open = atEnd ? [] : Array(lines.removeLast())
            for line in lines where line.contains(where: { $0 > 0x20 }) {
                try Task.checkCancellation()
                isComplete = await reply(to: Array(line), invocation, answer) && isComplete
                invocation.console.flush()
            }
        }
        return isComplete ? .done : .nothingFoundOrLeftUndone
    }

    private static func reply(
        to line: [UInt8], _ invocation: Invocation,
        _ answer: (Line) async throws -> [(String, JSONValue)]
    ) async -> Bool {
        var members: [(String, JSONValue)] = []
        var worked = true
        do {
            guard let object = JSONValue.read(line), object.members != nil else {
                throw InputError.badLine("the line is no JSON object")
            }
            if let id = object["id"] { members.append(("id", id)) }
            members += try await answer(Line(object: object))
        } catch {
            let report = ErrorReport(error)
            members.append(contentsOf: report.json.members?.map { ($0.key, $0.value) } ?? [])
            worked = false
        }
        invocation.console.writeLine(JSONValue.record(members).serialized)
        return worked
    }
}
