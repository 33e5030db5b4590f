extension DateLanguage {
    package static let spanish = DateLanguage(
        code: .es, meanings: spanishMeanings, holidays: Holiday.spanish,
        habits: Habits(
            secondMeanings: ["mañana": .part(.morning)],
            corrections: [
                "no", "perdón", "espera", "mejor", "digo", "quiero", "decir", "o", "sea", "el",
                "la", "a", "las", "corrección",
            ],
            correctionKeys: ["perdón", "digo", "mejor", "corrección", "espera"],
            clauseWords: [
                "yo", "tú", "él", "ella", "nosotros", "ellos", "por", "porque", "cuando", "si",
                "pero", "o", "y", "con", "es", "era", "será", "en", "para", "que",
            ],
            countedWords: ["grados", "euros", "personas", "kilos", "pesos"],
            otherWords: ["mar"], minutesFollowHour: true, whichFollows: true, hasArticles: true,
            edgeIsDirect: true))

    private static let spanishMeanings: [String: DateWord] = {
        var words = DateMeanings()
        addSpanishCalendar(&words)
        addSpanishNumbers(&words)
        addSpanishDays(&words)
        addSpanishGrammar(&words)
        addZones(&words)
        return words.table
    }()

    private static func addSpanishCalendar(_ words: inout DateMeanings) {
        let weekdays = [
            "lunes", "martes", "miércoles miercoles", "jueves", "viernes", "sábado sabado",
            "domingo",
        ]
        for (weekday, names) in zip(Weekday.allCases, weekdays) {
            words.add(names, .weekday(weekday, isShort: false))
        }
        words.add("sábados sabados", .weekday(.saturday, isShort: false))
        words.add("domingos", .weekday(.sunday, isShort: false))
        let months = [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
            "septiembre setiembre", "octubre", "noviembre", "diciembre",
        ]
        words.addInOrder(months, from: 1) { .month($0, standsAlone: $0 != 5) }
        words.addInOrder(
            ["ene", "feb", "", "abr", "", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
            from: 1
        ) { .month($0, standsAlone: false) }
        words.addInOrder(["primavera", "verano", "otoño", "invierno"]) {
            .season($0, standsAlone: true)
        }

        words.add("segundos", .unit(.second))
        words.add("minuto minutos", .unit(.minute))
        words.add("hora horas", .unit(.hour))
        words.add("día días dia dias", .unit(.day))
        words.add("semana semanas", .unit(.week))
        words.add("quincena quincenas", .unit(.fortnight))
        words.add("mes meses", .unit(.month))
        words.add("trimestre trimestres", .unit(.quarter))
        words.add("año años", .unit(.year))
        words.add("década décadas", .unit(.decade))
        words.add("siglo siglos", .unit(.century))
        words.add("estación", .unit(.season))
        words.add("día_laborable días_laborables día_hábil días_hábiles", .workday)
        words.add("fin_de_semana fines_de_semana", .weekend)
    }

    private static func addSpanishNumbers(_ words: inout DateMeanings) {
        words.addInOrder(
            [
                "cero", "una uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho",
                "nueve", "diez", "once", "doce", "trece", "catorce", "quince", "dieciséis",
                "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno veintiún",
                "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis",
                "veintisiete", "veintiocho", "veintinueve", "treinta",
            ]) { .number($0) }
        words.add("treinta_y_uno", .number(31))
        words.add("cuarenta", .number(40))
        words.add("cincuenta", .number(50))
        words.addInOrder(
            [
                "primer primero primera", "segundo segunda", "tercer tercero tercera",
                "cuarto cuarta", "quinto quinta", "sexto sexta", "séptimo séptima",
                "octavo octava", "noveno novena", "décimo décima",
            ], from: 1
        ) { .ordinal($0) }
        words.add("par", .amount(2))
        words.add("media medio", .half)
        words.add("cuarto", .quarterHour)
    }

    private static func addSpanishDays(_ words: inout DateMeanings) {
        words.add("hoy", .day(0))
        words.add("mañana", .day(1))
        words.add("pasado_mañana", .day(2))
        words.add("ayer", .day(-1))
        words.add("anteayer antes_de_ayer", .day(-2))
        words.add("ahora", .now)
        words.add("ahora_mismo cuanto_antes lo_antes_posible", .soon)
        words.add("esta_noche", .tonight)
        words.add("este esta estos", .which(0))
        words.add("próximo próxima próximos próximas proximo proxima", .which(1))
        words.add("que_viene", .which(1))
        words.add("último última últimos últimas", .which(-1))
        words.add("pasado pasada pasados pasadas", .past)
        words.add("siguiente siguientes", .following)

        words.add("tarde tardes por_la_tarde", .part(.afternoon))
        words.add("noche noches por_la_noche", .part(.night))
        words.add("por_la_mañana", .part(.morning))
        words.add("madrugada por_la_madrugada", .part(.night))
        words.add("de_la_mañana de_la_madrugada am", .morningMark)
        words.add("de_la_tarde de_la_noche pm", .afternoonMark)
        words.add("mediodía mediodia", .noon)
        words.add("medianoche", .midnight)
        words.add("fin final finales fines", .edge(.end))
        words.add("principio principios comienzo comienzos", .edge(.start))
        words.add("mediados", .edge(.middle))
        words.add("en_punto", .oClock)
        words.add("cada todos_los todas_las", .every)
        words.add("diariamente", .repeats(.day))
        words.add("semanalmente", .repeats(.week))
        words.add("mensualmente", .repeats(.month))
        words.add("anualmente", .repeats(.year))
    }

    private static func addSpanishGrammar(_ words: inout DateMeanings) {
        words.add("el la los las", .the)
        words.add("un", .a)
        words.add("a_la a_las sobre_las hacia_las", .at)
        words.add("al", .on)
        words.add("en dentro_de", .in)
        words.add("de del", .of)
        words.add("desde desde_el desde_las", .from)
        words.add("a_partir_de a_partir_del", .starting)
        words.add("hasta hasta_el hasta_las", .until)
        words.add("antes_de antes_del", .before)
        words.add("después_de después_del", .after)
        words.add("para_el para_la para", .by)
        words.add("entre", .between)
        words.add("y", .and)
        words.add("o", .or)
        words.add("menos", .minus)
        words.add("hace", .agoLead)
        words.add("durante", .for)
        words.add("unos unas", .about)
        words.add("no", .not)
    }
}

extension Holiday {
    static let spanish: [String: Holiday] = {
        var table: [String: Holiday] = [:]
        func add(_ names: String, _ rule: Rule, days: Int = 1) {
            for name in names.split(separator: ",") {
                table[String(name)] = Holiday(first: rule, days: days)
            }
        }
        add("año nuevo,día de año nuevo", .fixed(month: 1, day: 1))
        add("día de reyes,reyes magos,epifanía", .fixed(month: 1, day: 6))
        add("san valentín,día de san valentín", .fixed(month: 2, day: 14))
        add("san josé", .fixed(month: 3, day: 19))
        add("día del trabajo,día del trabajador", .fixed(month: 5, day: 1))
        add("san juan,noche de san juan", .fixed(month: 6, day: 24))
        add("la asunción", .fixed(month: 8, day: 15))
        add("día de la hispanidad", .fixed(month: 10, day: 12))
        add("todos los santos,día de todos los santos", .fixed(month: 11, day: 1))
        add("día de los muertos,día de muertos", .fixed(month: 11, day: 2))
        add("día de la constitución", .fixed(month: 12, day: 6))
        add("la inmaculada", .fixed(month: 12, day: 8))
        add("nochebuena", .fixed(month: 12, day: 24))
        add("navidad,día de navidad", .fixed(month: 12, day: 25))
        add("nochevieja", .fixed(month: 12, day: 31))
        add("miércoles de ceniza", .easter(plus: -46))
        add("domingo de ramos", .easter(plus: -7))
        add("jueves santo", .easter(plus: -3))
        add("viernes santo", .easter(plus: -2))
        add("sábado santo", .easter(plus: -1))
        add("domingo de resurrección,domingo de pascua,pascua", .easter(plus: 0))
        add("lunes de pascua", .easter(plus: 1))
        add("semana santa", .easter(plus: -7), days: 7)
        add("corpus christi", .easter(plus: 60))
        add("día de la madre", .weekday(1, .sunday, month: 5))
        return table
    }()
}
