import AuraCore
import Foundation

/// One of the samples of disfluent speech, with what a person would make of it.
struct SpeechSample {
    let part: String
    let spoken: String
    let clean: String

    static func all() throws -> [SpeechSample] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/speech/disfluent.jsonl")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map { line in
            let object = try JSONValue(parsing: line)
            func text(_ key: String) throws -> String {
                guard let text = object[key]?.text else { throw CocoaError(.coderValueNotFound) }
                return text
            }
            return SpeechSample(
                part: try text("part"), spoken: try text("spoken"), clean: try text("clean"))
        }
    }

    static let fillers: Set<String> = ["um", "umm", "uh", "uhh", "er", "erm", "hmm", "mm"]

    /// Lower case, no signs but those inside a word.
    static func words(_ text: String) -> [String] {
        text.lowercased().replacing("—", with: " ").split(separator: " ").map(trimmed)
            .filter { !$0.isEmpty }
    }

    private static func trimmed(_ word: Substring) -> String {
        word.trimmingCharacters(in: CharacterSet.alphanumerics.inverted)
    }

    /// Names, numbers, days, months and denials, counted.
    static func guarded(_ text: String) -> [String: Int] {
        var found: [String: Int] = [:]
        var begins = true
        for chunk in text.split(whereSeparator: \.isWhitespace) {
            let core = trimmed(chunk)
            let word = core.lowercased()
            let isName =
                core.first?.isUppercase == true && !begins && word.prefix(2) != "i'" && word != "i"
            if isName || word.hasSuffix("n't") || kinds.contains(word)
                || word.contains(where: \.isNumber)
            {
                found[word, default: 0] += 1
            }
            begins = chunk.last.map { ".!?\"".contains($0) } ?? false
        }
        return found
    }

    private static let kinds = Set(
        """
        no not never none nothing nobody nowhere neither nor without cannot monday tuesday wednesday
        thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
        sundays today tomorrow yesterday tonight january february march april may june july august
        september october november december two three four five six seven eight nine ten eleven
        twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty
        fifty sixty seventy eighty ninety hundred thousand million dozen noon midnight half quarter
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The fewest words to put in, leave out or change.
    static func distance(_ one: [String], _ other: [String]) -> Int {
        var row = Array(0...other.count)
        for (count, left) in one.enumerated() {
            var diagonal = row[0]
            row[0] = count + 1
            for (index, right) in other.enumerated() {
                let best = min(
                    row[index + 1] + 1, row[index] + 1, diagonal + (left == right ? 0 : 1))
                diagonal = row[index + 1]
                row[index + 1] = best
            }
        }
        return row[other.count]
    }
}
