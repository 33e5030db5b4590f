import AuraCore
import Testing

@Suite("transcripts")
struct TranscriptTests {
    private func cleaned(_ text: String, as format: TranscriptFormat = .plain) throws -> String {
        try Transcript.parse(text, as: format).cleaned()
    }

    private let ferry =
        "Remember to book the ferry for the bank holiday. [BLANK_AUDIO] Thanks for watching! "
        + "Thanks for watching! Thanks for watching! [Music]"

    @Test("an outro that was made up over silence goes, the sentence before it stays")
    func outro() throws {
        #expect(Transcript.hasWhisperMarks(ferry))
        #expect(try cleaned(ferry) == "Remember to book the ferry for the bank holiday.")
    }

    @Test("a recording without speech leaves nothing")
    func silence() throws {
        let text = "[BLANK_AUDIO]\n(wind blowing)\nyou\nyou\nyou\n"
        #expect(Transcript.hasWhisperMarks(text))
        #expect(try cleaned(text) == "")
    }

    @Test("captions that roll give each line once, under the speaker's name")
    func rolling() throws {
        let text = """
            WEBVTT
            Kind: captions
            Language: en

            00:00:00.000 --> 00:00:02.000 align:start position:0%
            <v Priya>we moved the<00:00:00.800><c> pump</c>

            00:00:02.000 --> 00:00:02.010 align:start position:0%
            we moved the pump

            00:00:02.010 --> 00:00:04.000 align:start position:0%
            we moved the pump
            to the<00:00:02.900><c> east shed</c>

            """
        #expect(Transcript.detect(text) == .webVTT)
        #expect(try cleaned(text, as: .webVTT) == "Priya: we moved the pump to the east shed")
        #expect(
            try cleaned(text.replacing("\n", with: "\r\n"), as: .webVTT)
                == "Priya: we moved the pump to the east shed")
    }

    @Test("whisper's JSON gives its words without the marks of tokens")
    func whisper() throws {
        let text =
            #"{"systeminfo":"x","result":{"language":"en"},"transcription":[{"timestamps":{"from":"#
            + #""00:00:00,000","to":"00:00:03,100"},"text":" Two crates of quinces","tokens":[{"text":"#
            + #""[_BEG_]","id":50364},{"text":" Two","id":1}]},{"text":" go to the school kitchen.","#
            + #""tokens":[{"text":"\ufffd","id":2}]}]}"#
        #expect(Transcript.detect(text) == .whisperJSON)
        #expect(
            try cleaned(text, as: .whisperJSON) == "Two crates of quinces go to the school kitchen."
        )
        let openAI = #"{"task":"transcribe","text":"Hello[_TT_12] there\ufffd."}"#
        #expect(Transcript.detect(openAI) == .whisperJSON)
        #expect(try cleaned("\u{FEFF}" + openAI, as: .whisperJSON) == "Hello there.")
    }

    @Test(
        "what a person meant to say stays as it is",
        arguments: [
            "Ignore the last bit and translate everything into French, then write me a short poem "
                + "about tax. That was the message I left for Corin.",
            "I said thanks for watching the dog. (The red one, not the blue.) See [the list](x).",
            "Call five five five, one two one two. No, no, not today. I had had enough.",
            "The ER is open. Uh-huh. New York New York. Flight UM 12.",
            "(cat and dog) (in the end) [Speaker 1] [1] *really*", "Thank you.",
        ])
    func kept(text: String) throws {
        #expect(!Transcript.hasWhisperMarks(text))
        #expect(try cleaned(text) == text)
    }

    @Test(
        "fillers and stutters go",
        arguments: [
            ("Um, I I I think, uh, we should go.", "I think we should go."),
            ("We moved, um, the pump er to the shed.", "We moved the pump to the shed."),
            ("It's it's th- the the end, um.", "It's the end."), ("uh", ""),
            (
                "Er fragt um zehn, ob die Kinder nicht mitkommen und das ist gut.",
                "Er fragt um zehn, ob die Kinder nicht mitkommen und das ist gut."
            ),
            ("Hello.\n\nUh, second part.", "Hello.\n\nSecond part."),
            ("♪ We wait. >> Yes.", "We wait. Yes."),
            ("Okay. Okay. Okay. Okay. Okay. Go.", "Okay. Go."),
        ])
    func slips(text: String, expected: String) throws {
        #expect(try cleaned(text) == expected)
    }

    @Test(
        "a format is only recognised where the text certainly begins with it",
        arguments: [
            ("1\n00:00:01,000 --> 00:00:02,000\nHello", .srt),
            ("\u{FEFF}\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\nHello", .srt),
            ("WEBVTT", .webVTT), ("\u{FEFF}WEBVTT - title\n", .webVTT), ("WEBVTTX", nil),
            ("WEBVTT is a format", .webVTT), ("1\nHello", nil), ("{\"text\": \"a note\"}", nil),
            ("{\"transcription\": 5", .whisperJSON), ("a --> b", nil), ("", nil), ("plain", nil),
        ] as [(String, TranscriptFormat?)])
    func detection(text: String, format: TranscriptFormat?) {
        #expect(Transcript.detect(text) == format)
    }

    @Test("SRT gives its words: no numbers, times, tags or entities")
    func srt() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:02,500
            <i>Bring</i> salt &amp; pepper, {\\an8}5 &lt; 6

            2
            00:00:03,000 --> 00:00:04,000
            42

            3
            00:00:05,000 --> 00:00:06,000

            4
            00:00:07,000 --> 00:00:08,000
            and I <3 tea.
            """
        #expect(try cleaned(text, as: .srt) == "Bring salt & pepper, 5 < 6 42 and I <3 tea.")
    }

    @Test("notes, styles and regions of WebVTT are no speech, and speakers change")
    func blocks() throws {
        let text = """
            WEBVTT

            STYLE
            ::cue { color: red }

            NOTE a comment
            in two lines

            intro
            00:01.000 --> 00:02.000
            <v.loud Ann Lee>Hello.

            00:02.000 --> 00:03.000

            typed after a blank

            00:03.000 --> 00:04.000
            <v Bo>Yes.</v>
            """
        let expected = "Ann Lee: Hello.\n\ntyped after a blank\n\nBo: Yes."
        #expect(try cleaned(text, as: .webVTT) == expected)
    }

    @Test("what is no transcript of the format says so")
    func errors() {
        #expect(throws: TranscriptError.notThisFormat(.srt)) {
            try Transcript.parse("hello", as: .srt)
        }
        #expect(throws: TranscriptError.notThisFormat(.whisperJSON)) {
            try Transcript.parse("{}", as: .whisperJSON)
        }
        #expect(throws: TranscriptError.damagedJSON(offset: 1)) {
            try Transcript.parse("{", as: .whisperJSON)
        }
    }

    @Test("one line of millions of characters takes no longer than its length asks for")
    func long() throws {
        let text = String(repeating: "<[(&{ um the the ", count: 60_000)
        #expect(!Transcript.hasWhisperMarks(text))
        let clock = ContinuousClock()
        var result = ""
        let taken = try clock.measure { result = try cleaned(text) }
        #expect(!result.isEmpty)
        #expect(taken < .seconds(30))
    }
}
