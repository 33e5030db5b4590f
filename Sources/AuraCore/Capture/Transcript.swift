/// How a transcript came.
package enum TranscriptFormat: String, CaseIterable, Sendable {
    /// Words only, as dictation programs hand them over.
    case plain
    case srt
    case webVTT
    /// What whisper.cpp writes with `--output-json`, or the JSON of OpenAI's interface.
    case whisperJSON
}

/// Why a text could not be read as a transcript.
package enum TranscriptError: Error, Equatable, Sendable {
    case notThisFormat(TranscriptFormat)
    case damagedJSON(offset: Int)
}

extension TranscriptError: Explained {
    package var message: String {
        switch self {
        case .notThisFormat(.plain): "the text cannot be read"
        case .notThisFormat(.srt): "the text is no SRT transcript"
        case .notThisFormat(.webVTT): "the text is no WebVTT transcript"
        case .notThisFormat(.whisperJSON): "the JSON holds no transcript"
        case .damagedJSON(let offset): "the JSON is damaged at byte \(offset)"
        }
    }

    package var hint: String? { "leave the format out to have it recognised" }
}

/// What was said, out of a recording's transcript.
package struct Transcript: Hashable, Sendable {
    /// One stretch of speech, in the order it was spoken.
    package struct Line: Hashable, Sendable {
        /// Nil when the transcript does not say.
        package var speaker: String?
        package var text: String
        /// Cues cut sentences in two and go on; lines of a plain text stay lines.
        package var staysLine: Bool

        package init(_ text: String, speaker: String? = nil, staysLine: Bool = false) {
            self.text = text
            self.speaker = speaker
            self.staysLine = staysLine
        }
    }

    package var lines: [Line]

    package init(lines: [Line]) { self.lines = lines }

    /// The words as they were transcribed: a line each, a new speaker's name before it.
    package var text: String {
        var out = ""
        var speaker: String?
        for line in lines {
            if !out.isEmpty { out += "\n" }
            if let name = line.speaker, name != speaker { out += "\(name): " }
            speaker = line.speaker
            out += line.text
        }
        return out
    }

    /// The words as a note keeps them, by the rules of `SpeechCleaning`. Empty when there was no
    /// speech to keep.
    package func cleaned() -> String {
        var out = ""
        var speaker: String?
        for line in SpeechCleaning.clean(lines) {
            if line.text.isEmpty {
                if !out.isEmpty, !out.hasSuffix("\n\n") {
                    out += out.hasSuffix("\n") ? "\n" : "\n\n"
                }
                continue
            }
            let isNew = line.speaker != speaker
            if !out.isEmpty, !out.hasSuffix("\n\n") {
                out += isNew ? "\n\n" : line.staysLine ? "\n" : " "
            }
            if isNew, let name = line.speaker { out += "\(name): " }
            speaker = line.speaker
            out += line.text
        }
        return String(SpeechCleaning.trimmed(out[...]))
    }

    // MARK: Reading

    /// The format that the text certainly begins with; nil for anything that may be ordinary text.
    ///
    /// A byte order mark and Windows line ends are no hindrance.
    package static func detect(_ text: String) -> TranscriptFormat? {
        let head = text.utf8.prefix(4096)
        let start = String(decoding: head, as: UTF8.self).drop {
            $0 == "\u{FEFF}" || $0.isWhitespace
        }
        if CueFile.beginsWebVTT(start) { return .webVTT }
        if CueFile.beginsSRT(start) { return .srt }
        if start.first == "{", WhisperJSON.looksRight(String(start)) { return .whisperJSON }
        return nil
    }

    /// Reads a text of a known format. Linear in its length.
    package static func parse(
        _ text: String, as format: TranscriptFormat
    ) throws(TranscriptError) -> Transcript {
        switch format {
        case .plain: return Transcript(lines: plainLines(text))
        case .srt:
            guard let lines = CueFile.lines(of: text, isWebVTT: false) else {
                throw .notThisFormat(.srt)
            }
            return Transcript(lines: lines)
        case .webVTT:
            guard let lines = CueFile.lines(of: text, isWebVTT: true) else {
                throw .notThisFormat(.webVTT)
            }
            return Transcript(lines: lines)
        case .whisperJSON: return Transcript(lines: try WhisperJSON.lines(of: text))
        }
    }

    /// Whether a plain text can only come from a speech recogniser: it has a mark for silence or
    /// noise in the form whisper writes, not merely brackets or a phrase that people also use.
    package static func hasWhisperMarks(_ text: String) -> Bool { SpeechMarks.hasMarks(text) }

    private static func plainLines(_ text: String) -> [Line] {
        CueFile.split(text).map { Line(String(SpeechCleaning.trimmed($0)), staysLine: true) }
    }
}
