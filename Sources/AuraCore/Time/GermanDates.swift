extension DateLanguage {
    package static let german = DateLanguage(
        code: .de, meanings: germanMeanings, holidays: Holiday.german,
        habits: Habits(
            secondMeanings: ["morgen": .part(.morning), "früh": .part(.morning)],
            corrections: [
                "nein", "ach", "quatsch", "warte", "moment", "ich", "meine", "meinte", "sondern",
                "besser", "gesagt", "doch", "lieber", "äh", "am", "um", "oder", "halt", "korrektur",
            ],
            correctionKeys: ["nein", "quatsch", "meine", "meinte", "korrektur", "lieber"],
            clauseWords: [
                "ich", "wir", "du", "er", "sie", "ihr", "es", "dann", "bitte", "weil", "wenn",
                "aber", "oder", "und", "mit", "ist", "war", "wird", "pünktlich", "bei", "beim",
                "zum", "zur", "den", "die", "das",
            ],
            countedWords: ["prozent", "grad", "euro", "leute", "personen", "stück", "kilo"],
            halfIsBefore: true, minutesFollowClock: true, beforeIsAgo: true, hasArticles: true,
            pointIsOrdinal: true, edgeIsDirect: true))

    private static let germanMeanings: [String: DateWord] = {
        var words = DateMeanings()
        addGermanCalendar(&words)
        addGermanNumbers(&words)
        addGermanDays(&words)
        addGermanGrammar(&words)
        addZones(&words)
        return words.table
    }()

    private static func addGermanCalendar(_ words: inout DateMeanings) {
        let weekdays = [
            "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
        ]
        for (weekday, name) in zip(Weekday.allCases, weekdays) {
            words.add("\(name) \(name)en \(name)e", .weekday(weekday, isShort: false))
            words.add("\(name)s", .weekdays(weekday))
            for (part, meaning) in [
                ("morgen", DayPart.morning), ("vormittag", .morning), ("mittag", .lunch),
                ("nachmittag", .afternoon), ("abend", .evening), ("nacht", .night),
            ] {
                words.add(name + part, .weekdayPart(weekday, meaning))
            }
        }
        words.add("sonnabend", .weekday(.saturday, isShort: false))
        let months = [
            "januar jänner", "februar", "märz", "april", "mai", "juni", "juli", "august",
            "september", "oktober", "november", "dezember",
        ]
        words.addInOrder(months, from: 1) { .month($0, standsAlone: true) }
        words.addInOrder(
            ["jan", "feb", "mrz", "apr", "", "jun", "jul", "aug", "sept", "okt", "nov", "dez"],
            from: 1
        ) { .month($0, standsAlone: false) }
        words.addInOrder(
            ["frühling frühjahr frühlings", "sommer sommers", "herbst herbstes", "winter winters"]
        ) { .season($0, standsAlone: true) }

        words.add("sekunde sekunden", .unit(.second))
        words.add("minute minuten", .unit(.minute))
        words.add("stunde stunden std", .unit(.hour))
        words.add("tag tage tagen tages", .unit(.day))
        words.add("woche wochen", .unit(.week))
        words.add("monat monate monaten monats", .unit(.month))
        words.add("quartal quartale quartalen quartals", .unit(.quarter))
        words.add("jahr jahre jahren jahres", .unit(.year))
        words.add("jahrzehnt jahrzehnte jahrzehnten jahrzehnts", .unit(.decade))
        words.add("jahrhundert jahrhunderte jahrhunderten", .unit(.century))
        words.add("jahreszeit", .unit(.season))
        words.add("werktag werktage werktagen arbeitstag arbeitstage arbeitstagen", .workday)
        words.add("wochenende wochenenden wochenendes", .weekend)
    }

    private static func addGermanNumbers(_ words: inout DateMeanings) {
        words.addInOrder(
            [
                "null", "eins", "zwei zwo", "drei", "vier", "fünf", "sechs", "sieben", "acht",
                "neun", "zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn",
                "siebzehn", "achtzehn", "neunzehn", "zwanzig",
            ]) { .number($0) }
        let ones = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
        for (index, tens) in ["zwanzig", "dreißig", "vierzig", "fünfzig"].enumerated() {
            words.add(tens, .number(index * 10 + 20))
            for (one, name) in ones.enumerated() {
                words.add("\(name)und\(tens)", .number(index * 10 + 21 + one))
            }
        }
        words.addInOrder(
            [
                "erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt",
                "zehnt", "elft", "zwölft", "dreizehnt", "vierzehnt", "fünfzehnt", "sechzehnt",
                "siebzehnt", "achtzehnt", "neunzehnt", "zwanzigst",
            ].map { stem in ["e", "er", "es", "en", "em"].map { stem + $0 }.joined(separator: " ")
            },
            from: 1
        ) { .ordinal($0) }
        words.add("paar", .amount(3))
        words.add("halb halbe halben", .half)
        words.add("viertelstunde", .quarterHour)
        words.add("viertel", .quarterHour)
    }

    private static func addGermanDays(_ words: inout DateMeanings) {
        words.add("heute", .day(0))
        words.add("morgen", .day(1))
        words.add("übermorgen", .day(2))
        words.add("gestern", .day(-1))
        words.add("vorgestern", .day(-2))
        words.add("jetzt", .now)
        words.add("sofort so_bald_wie_möglich so_schnell_wie_möglich", .soon)
        words.add("diese dieser dieses diesen diesem", .which(0))
        words.add("nächste nächster nächstes nächsten nächstem", .which(1))
        words.add("letzte letzter letztes letzten letztem", .which(-1))
        words.add("vorige voriger voriges vorigen vergangene vergangenen vergangenes", .which(-1))
        words.add("kommende kommender kommendes kommenden kommendem", .coming)
        words.add("folgende folgenden folgender", .following)

        words.add("vormittag vormittags morgens", .part(.morning))
        words.add("mittag mittags", .part(.lunch))
        words.add("nachmittag nachmittags", .part(.afternoon))
        words.add("abend abends", .part(.evening))
        words.add("nacht nachts", .part(.night))
        words.add("mitternacht", .midnight)
        words.add("anfang beginn", .edge(.start))
        words.add("mitte", .edge(.middle))
        words.add("ende", .edge(.end))
        words.add("uhr", .oClock)
        words.add("jede jeder jedes jeden jedem alle", .every)
        words.add("täglich", .repeats(.day))
        words.add("wöchentlich", .repeats(.week))
        words.add("monatlich", .repeats(.month))
        words.add("vierteljährlich", .repeats(.quarter))
        words.add("jährlich", .repeats(.year))
        words.add("q", .quarterMark)
    }

    private static func addGermanGrammar(_ words: inout DateMeanings) {
        words.add("der die das den dem", .the)
        words.add("ein eine einem einen einer eines", .a)
        words.add("am an", .on)
        words.add("um gegen", .at)
        words.add("in im innerhalb_von binnen", .in)
        words.add("des von_der vom", .of)
        words.add("von", .from)
        words.add("ab seit", .since)
        words.add("bis bis_zum bis_zur", .until)
        words.add("spätestens", .by)
        words.add("vor", .before)
        words.add("nach", .after)
        words.add("zwischen", .between)
        words.add("und", .and)
        words.add("oder", .or)
        words.add("ungefähr etwa circa ca", .about)
        words.add("für", .for)
        words.add("nicht", .not)
    }
}

extension Holiday {
    static let german: [String: Holiday] = {
        var table: [String: Holiday] = [:]
        func add(_ names: String, _ rule: Rule, days: Int = 1) {
            for name in names.split(separator: ",") {
                table[String(name)] = Holiday(first: rule, days: days)
            }
        }
        add("neujahr,neujahrstag", .fixed(month: 1, day: 1))
        add("heilige drei könige,dreikönigstag", .fixed(month: 1, day: 6))
        add("valentinstag", .fixed(month: 2, day: 14))
        add("weltfrauentag,frauentag", .fixed(month: 3, day: 8))
        add("tag der arbeit,maifeiertag", .fixed(month: 5, day: 1))
        add("nationalfeiertag", .fixed(month: 10, day: 26))
        add("mariä himmelfahrt", .fixed(month: 8, day: 15))
        add("tag der deutschen einheit", .fixed(month: 10, day: 3))
        add("reformationstag", .fixed(month: 10, day: 31))
        add("allerheiligen", .fixed(month: 11, day: 1))
        add("allerseelen", .fixed(month: 11, day: 2))
        add("martinstag", .fixed(month: 11, day: 11))
        add("nikolaus,nikolaustag", .fixed(month: 12, day: 6))
        add("heiligabend,heiliger abend", .fixed(month: 12, day: 24))
        add("weihnachten,weihnachtstag", .fixed(month: 12, day: 25))
        add("silvester", .fixed(month: 12, day: 31))
        add("rosenmontag", .easter(plus: -48))
        add("faschingsdienstag,fastnacht", .easter(plus: -47))
        add("aschermittwoch", .easter(plus: -46))
        add("palmsonntag", .easter(plus: -7))
        add("gründonnerstag", .easter(plus: -3))
        add("karfreitag", .easter(plus: -2))
        add("karsamstag", .easter(plus: -1))
        add("ostern,ostersonntag", .easter(plus: 0))
        add("ostermontag", .easter(plus: 1))
        add("christi himmelfahrt,himmelfahrt,vatertag", .easter(plus: 39))
        add("pfingsten,pfingstsonntag", .easter(plus: 49))
        add("pfingstmontag", .easter(plus: 50))
        add("fronleichnam", .easter(plus: 60))
        add("muttertag", .weekday(2, .sunday, month: 5))
        add("buß und bettag", .weekdayBefore(.wednesday, month: 11, day: 23))
        add("erster advent,1 advent", .weekdayBefore(.sunday, month: 12, day: 4))
        return table
    }()
}
