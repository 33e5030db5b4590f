import AuraCore
import Testing

@Suite("dictated text")
struct SpeechCleaningTests {
    private func cleaned(_ text: String, as format: TranscriptFormat = .plain) throws -> String {
        try Transcript.parse(text, as: format).cleaned()
    }

    @Test(
        "what is taken back is replaced by what is of its kind",
        arguments: [
            (
                "Book the dentist for Thursday, scratch that, Friday at ten.",
                "Book the dentist for Friday at ten."
            ),
            ("We fly on Sunday, or rather, on Monday morning.", "We fly on Monday morning."),
            ("Meet her on Tuesday. No, wait. Wednesday.", "Meet her on Wednesday."),
            ("The meeting is on Monday, no, it's on Tuesday.", "The meeting is on Tuesday."),
            ("Dinner on Saturday at seven, no, Sunday.", "Dinner on Sunday at seven."),
            ("The 5th of June, no, July.", "The 5th of July."),
            ("It is due March 3rd, sorry, the 4th.", "It is due March 4th."),
            ("Wednesday, no, Thursday, no, Friday works.", "Friday works."),
            ("Come at three, actually make that four thirty.", "Come at four thirty."),
            ("Take two tablets, sorry, one tablet, with water.", "Take one tablet, with water."),
            ("We need 5 kilos of rice, no, 10 kilos.", "We need 10 kilos of rice."),
            ("Nine out of ten, no, eight out of ten agree.", "Eight out of ten agree."),
            ("Give it to Anna, no, Beate, today.", "Give it to Beate, today."),
            ("Send it to Anna and Ben, no, Anna and Bob.", "Send it to Anna and Bob."),
            ("Ask Dr. Lee, no, Dr. Patel about it.", "Ask Dr. Patel about it."),
            ("Turn left, no, right at the church.", "Turn right at the church."),
            ("It is in the garage, I mean, in the cellar.", "It is in the cellar."),
            ("Buy oat milk. Scratch that. Buy soy milk.", "Buy soy milk."),
            ("Ask Tom about the hose, no, ask Tim about the hose.", "Ask Tim about the hose."),
        ])
    func repairs(spoken: String, clean: String) throws {
        #expect(try cleaned(spoken) == clean)
    }

    @Test(
        "what was not surely taken back stays",
        arguments: [
            "Not on Monday, no, on Tuesday.", "It isn't Monday, no, it's Tuesday.",
            "Was it Monday? No, Tuesday.", "The doctor said no sugar, no salt, and no alcohol.",
            "I told Anna, no, Ben was late.", "Sorry, I can't make it on Tuesday.",
            "We have 3 dogs, no cats.", "Either Tuesday or Wednesday, but not Thursday.",
            "We need at least five, maybe six chairs.", "It's at three, no, Wednesday.",
            "Buy milk and eggs. Oh, and bread. Scratch that, no bread.",
            "He said sorry, and I said no. We meet at noon, not at one.",
            "Call Nadia, no need to hurry. I'm sorry, Dave.",
            "My number is oh seven seven one two three, no, seven seven.",
            "It starts on Wednesday. No, I won't go.",
        ])
    func doubts(text: String) throws {
        #expect(try cleaned(text) == text)
    }

    @Test(
        "a phrase that fills a pause goes, the same words in a sentence stay",
        arguments: [
            ("So he said, you know, that it works.", "So he said that it works."),
            ("we should you know call them on friday", "We should call them on Friday."),
            ("I think we should, um, you know, like, just call.", "I think we should just call."),
            ("It was cold in the office, you know?", "It was cold in the office."),
            ("It is kind of late, and he kind of smiled.", "It is late, and he smiled."),
            ("There were like twenty people.", "There were twenty people."),
            ("That was kind of him. What kind of dog is it?", nil),
            ("You know the bakery? I mean it. Do you know what I mean?", nil),
            ("I like the second draft. It feels like spring.", nil),
            ("\"I mean,\" he said, \"the app is called Um.\"", nil),
        ] as [(String, String?)])
    func phrases(spoken: String, clean: String?) throws {
        #expect(try cleaned(spoken) == clean ?? spoken)
    }

    @Test(
        "what is begun twice is said once",
        arguments: [
            ("We should, we should call.", "We should call."),
            ("The pump in the, the pump in the shed leaks.", "The pump in the shed leaks."),
            ("W-we want to b-book the the hall.", "We want to book the hall."),
            ("Can we mo- move the inv- invoice to Marta?", "Can we move the invoice to Marta?"),
            ("I nee- I have to go.", "I have to go."),
            ("She, uh, she had um had it.", "She had it."),
            ("Again and again and again the fuse blew. I had had enough.", nil),
            ("Check in in the morning. The t-test is pre- and post-war.", nil),
            ("The code is four four seven, four four seven.", nil),
            ("New York New York. No, no, not today. It was very, very late.", nil),
        ] as [(String, String?)])
    func doubles(spoken: String, clean: String?) throws {
        #expect(try cleaned(spoken) == clean ?? spoken)
    }

    @Test(
        "sentences get their capitals and signs, and nothing else of them changes",
        arguments: [
            ("i called on monday ,they write in may", "I called on Monday, they write in May."),
            ("it came. it was broken . i sent it back", "It came. It was broken. I sent it back."),
            ("we may go on 3 march", "We may go on 3 March."),
            ("what time is the dentist", "What time is the dentist?"),
            ("can you call her", "Can you call her?"),
            (
                "we wait for e.g. three days at approx. noon,",
                "We wait for e.g. three days at approx. noon."
            ),
            ("milk\neggs\nbread", "milk\neggs\nbread"),
            ("- milk\n- six eggs and cream", "- milk\n- six eggs and cream"),
            (
                "see www.example.org/a.b for iPhone notes",
                "See www.example.org/a.b for iPhone notes."
            ),
        ])
    func signs(spoken: String, clean: String) throws {
        #expect(try cleaned(spoken) == clean)
    }

    @Test(
        "what a recogniser makes up goes from the end and where it is repeated, not from speech",
        arguments: [
            ("Defrost it. Thanks for watching, and don't forget to subscribe!", "Defrost it."),
            (
                "It works. Thank you for watching and see you in the next video. Bye bye.",
                "It works."
            ),
            ("The tyres need air.\nSubtitles by the Amara.org community", "The tyres need air."),
            ("It rains.\nThank you.\nThank you.\nThank you.", "It rains."),
            (
                "Call. Go there. Stop it. Go there. Stop it. Go there. Stop it.",
                "Call. Go there. Stop it."
            ),
            ("For more information, visit www.fema.gov", ""),
            ("ご視聴ありがとうございました", ""),
            ("Please subscribe. Then we went to the shop.", nil),
            ("Subtitles by Anna are due on Friday.", nil),
            ("Thanks for watching the kids on Saturday, Emma.", nil),
            ("Please remember to subscribe to the journal before Friday.", nil),
            ("She said thank you for listening. She smiled.", nil), ("Thank you.", nil),
        ] as [(String, String?)])
    func inventions(spoken: String, clean: String?) throws {
        #expect(try cleaned(spoken) == clean ?? spoken)
    }

    @Test(
        "other languages lose their marks and no word",
        arguments: [
            (
                "[Musik] Er fragt um zehn, ob die die Kinder nicht mitkommen.",
                "Er fragt um zehn, ob die die Kinder nicht mitkommen."
            ),
            (
                "No, no quiero ir el lunes, no, el martes.",
                "No, no quiero ir el lunes, no, el martes."
            ),
            (
                "tenho um carro e uma casa que nao vale muito",
                "tenho um carro e uma casa que nao vale muito"
            ),
            ("mardi, non, mercredi, je ne sais pas", "mardi, non, mercredi, je ne sais pas"),
        ])
    func languages(spoken: String, clean: String) throws {
        #expect(try cleaned(spoken) == clean)
    }

    @Test("a repair that captions cut in two is one")
    func cutByCues() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:02,000
            So we should meet on Tuesday, no,

            2
            00:00:03,000 --> 00:00:04,000
            Wednesday at the the office.

            3
            00:00:05,000 --> 00:00:06,000
            Thank you.
            """
        #expect(try cleaned(text, as: .srt) == "So we should meet on Wednesday at the office.")
    }

    @Test("a long text of cues and doubles takes no longer than its length asks for")
    func long() throws {
        let text = String(
            repeating: "no wait on the on the Tuesday, no, I mean, you know, kind of, ", count: 8000
        )
        let clock = ContinuousClock()
        var result = ""
        let taken = try clock.measure { result = try cleaned(text) }
        #expect(!result.isEmpty)
        #expect(taken < .seconds(60))
    }

    // MARK: The samples

    @Test(
        "of the samples, no name, number, day or denial is lost, no filler stays, and the words wrong are at most half",
        arguments: ["dev", "held"])
    func samples(part: String) throws {
        let samples = try SpeechSample.all().filter { $0.part == part }
        #expect(samples.count >= 40)
        var (before, after) = (0, 0)
        for sample in samples {
            let result = try cleaned(sample.spoken)
            let lost = SpeechSample.guarded(sample.clean).filter {
                SpeechSample.guarded(result)[$0.key, default: 0] < $0.value
            }
            #expect(lost.isEmpty, "\(sample.spoken) → \(result)")
            let words = SpeechSample.words(result)
            #expect(!words.contains(where: SpeechSample.fillers.contains), "\(result)")
            let clean = SpeechSample.words(sample.clean)
            before += SpeechSample.distance(SpeechSample.words(sample.spoken), clean)
            after += SpeechSample.distance(words, clean)
        }
        #expect(before > 0)
        #expect(after * 2 <= before, "\(after) of \(before)")
    }
}
