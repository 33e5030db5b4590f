/// The transcripts that whisper.cpp and OpenAI's interface write as JSON.
enum WhisperJSON {
    /// Whether the beginning of a JSON text has the keys of a transcript.
    static func looksRight(_ start: String) -> Bool {
        let keys = ["\"transcription\"", "\"segments\"", "\"systeminfo\""]
        let hasKey = keys.contains { key in
            guard let found = start.firstRange(of: key) else { return false }
            let rest = start[found.upperBound...].drop(while: \.isWhitespace)
            return rest.first == ":"
        }
        // `{"text": …}` alone could be anything; whisper's has the language or the task beside it.
        return hasKey
            || start.firstRange(of: "\"text\"") != nil && start.firstRange(of: "\"task\"") != nil
                && start.firstRange(of: "\"transcribe\"") != nil
    }

    static func lines(of text: String) throws(TranscriptError) -> [Transcript.Line] {
        let value: JSONValue
        do {
            let start =
                text.unicodeScalars.first == "\u{FEFF}"
                ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
            value = try JSONValue(parsing: Substring(start), maximumBytes: 512 << 20)
        } catch {
            throw .damagedJSON(offset: error.offset)
        }
        let segments = value["transcription"]?.elements ?? value["segments"]?.elements
        if let segments {
            return segments.compactMap { segment in
                guard let text = segment["text"]?.text else { return nil }
                let speaker = segment["speaker"]?.text
                let words = clean(text)
                return words.isEmpty ? nil : Transcript.Line(words, speaker: speaker)
            }
        }
        guard let whole = value["text"]?.text else { throw .notThisFormat(.whisperJSON) }
        let words = clean(whole)
        return words.isEmpty ? [] : [Transcript.Line(words)]
    }

    /// Without the marks of single tokens (`[_BEG_]`, `[_TT_150]`, `<|0.00|>`) and broken characters.
    static func clean(_ text: String) -> String {
        var out = ""
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "[" || $0 == "<" || $0 == "\u{FFFD}" }) {
            out += rest[..<mark]
            let after = rest[mark...].dropFirst()
            if rest[mark] == "\u{FFFD}" {
                rest = after
            } else if rest[mark] == "[", after.first == "_",
                let end = after.prefix(24).firstIndex(of: "]")
            {
                rest = after[after.index(after: end)...]
            } else if rest[mark] == "<", after.first == "|",
                let end = after.prefix(24).firstIndex(of: ">")
            {
                rest = after[after.index(after: end)...]
            } else {
                out.append(rest[mark])
                rest = after
            }
        }
        out += rest
        return String(SpeechCleaning.trimmed(out[...]))
    }
}
