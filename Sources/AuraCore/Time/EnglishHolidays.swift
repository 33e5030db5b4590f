extension Holiday {
    /// Names without apostrophes, so that `mothers day` and `mother's day` are one; blanks stand for
    /// hyphens and points, too. A possessive is found with and without its `s`.
    ///
    /// Where countries differ in a day of one name, the United States' is taken for `Mother's Day`
    /// and `Father's Day`, the church's for the feasts.
    static let english: [String: Holiday] = {
        var table: [String: Holiday] = [:]
        func add(_ names: String, _ first: Rule, days: Int = 1, until end: Rule? = nil) {
            for name in names.split(separator: ",") {
                table[String(name)] = Holiday(first: first, days: days, end: end)
            }
        }
        addFixed(add)
        addMoving(add)
        addChurch(add)
        addHebrewAndIslamic(add)
        addAsian(add)
        return table
    }()

    private typealias Add = (String, Rule, Int, Rule?) -> Void

    private static func addFixed(_ add: Add) {
        func fixed(_ names: String, _ month: Int, _ day: Int) {
            add(names, .fixed(month: month, day: day), 1, nil)
        }
        fixed("new years day,new year day,new year,new years", 1, 1)
        fixed("epiphany,three kings day,twelfth night", 1, 6)
        fixed("orthodox christmas,orthodox christmas day", 1, 7)
        fixed("orthodox new year,old new year", 1, 14)
        fixed("australia day", 1, 26)
        fixed("republic day", 1, 26)
        fixed("burns night,burns day", 1, 25)
        fixed("international holocaust remembrance day", 1, 27)
        fixed("groundhog day,groundhogs day,ground hog day,candlemas", 2, 2)
        fixed("waitangi day", 2, 6)
        fixed("world cancer day", 2, 4)
        fixed("lincolns birthday,lincoln birthday,abraham lincolns birthday", 2, 12)
        fixed(
            "valentines day,valentine day,valentines,saint valentines day,st valentines day,v day",
            2, 14)
        fixed("st davids day,saint davids day", 3, 1)
        fixed("international womens day,womens day", 3, 8)
        fixed("pi day", 3, 14)
        fixed(
            "st patricks day,saint patricks day,st paddys day,saint paddys day,st pattys day,"
                + "saint patrick,st patrick,paddys day", 3, 17)
        fixed("nowruz,naw ruz,persian new year", 3, 20)
        fixed("world water day", 3, 22)
        fixed("april fools day,april fools,all fools day", 4, 1)
        fixed("world health day", 4, 7)
        fixed("siblings day,national siblings day", 4, 10)
        fixed("earth day", 4, 22)
        fixed("st georges day,saint georges day,feast of saint george", 4, 23)
        fixed("anzac day", 4, 25)
        fixed("may day,labour day,law day,lei day,loyalty day,workers day", 5, 1)
        fixed("world press freedom day", 5, 3)
        fixed("star wars day", 5, 4)
        fixed("cinco de mayo", 5, 5)
        fixed("ve day", 5, 8)
        fixed("europe day", 5, 9)
        fixed("world environment day", 6, 5)
        fixed("flag day", 6, 14)
        fixed("juneteenth,freedom day,jubilee day", 6, 19)
        fixed("midsummer day,st johns day,saint johns day", 6, 24)
        fixed("canada day,dominion day", 7, 1)
        fixed("independence day,fourth of july", 7, 4)
        fixed("bastille day", 7, 14)
        fixed("pioneer day", 7, 24)
        fixed("swiss national day", 8, 1)
        fixed("assumption day,assumption of mary,feast of the assumption", 8, 15)
        fixed("womens equality day", 8, 26)
        fixed("patriot day", 9, 11)
        fixed("constitution day,citizenship day", 9, 17)
        fixed("international day of peace,peace day", 9, 21)
        fixed("michaelmas,michaelmas day", 9, 29)
        fixed("gandhi jayanti,gandhi birthday,mahatma gandhi jayanti", 10, 2)
        fixed("german unity day", 10, 3)
        fixed("leif erikson day", 10, 9)
        fixed("united nations day", 10, 24)
        fixed("halloween,hallowe en,all hallows eve,halloween day", 10, 31)
        fixed("all saints day,all hallows day,all hallows", 11, 1)
        fixed("all souls day,day of the dead", 11, 2)
        fixed("bonfire night,guy fawkes night,guy fawkes day", 11, 5)
        fixed("veterans day,armistice day,remembrance day", 11, 11)
        fixed("singles day", 11, 11)
        fixed("st martins day,saint martins day,martinmas", 11, 11)
        fixed("world kindness day", 11, 13)
        fixed("international mens day,mens day", 11, 19)
        fixed("world toilet day", 11, 19)
        fixed("childrens day", 11, 20)
        fixed("st andrews day,saint andrews day", 11, 30)
        fixed("world aids day", 12, 1)
        fixed("st nicholas day,saint nicholas day,feast of st nicholas", 12, 6)
        fixed("pearl harbor day,pearl harbor remembrance day", 12, 7)
        fixed("immaculate conception,feast of the immaculate conception", 12, 8)
        fixed("human rights day", 12, 10)
        fixed("st lucias day,saint lucys day,st lucys day", 12, 13)
        fixed("christmas eve,xmas eve", 12, 24)
        fixed("christmas,christmas day,xmas,xmas day,x mas,x mas day", 12, 25)
        fixed("boxing day,st stephens day,second christmas day", 12, 26)
        fixed("new years eve,new year eve,silvester,hogmanay", 12, 31)
        add("kwanzaa", .fixed(month: 12, day: 26), 7, nil)
    }

    private static func addMoving(_ add: Add) {
        func weekday(
            _ names: String, _ count: Int, _ weekday: Weekday, _ month: Int, plus: Int = 0,
            days: Int = 1
        ) {
            add(names, .weekday(count, weekday, month: month, plus: plus), days, nil)
        }
        weekday(
            "mlk day,mlk jr day,martin luther king day,martin luther king jr day,"
                + "martin luther kings day,civil rights day", 3, .monday, 1)
        weekday(
            "presidents day,president day,washingtons birthday,washington birthday,"
                + "george washington day,george washingtons birthday,daisy gatson bates day", 3,
            .monday, 2)
        weekday("super bowl sunday", 2, .sunday, 2)
        weekday("daylight saving start,daylight saving start day", 2, .sunday, 3)
        weekday("daylight saving end,daylight saving end day", 1, .sunday, 11)
        weekday("daylight savings start,daylight savings start day", 2, .sunday, 3)
        weekday("daylight savings end,daylight savings end day", 1, .sunday, 11)
        weekday("patriots day", 3, .monday, 4)
        weekday("arbor day,national arbor day", -1, .friday, 4)
        add("earth hour", .weekday(-1, .saturday, month: 3), 1, nil)
        add(
            "administrative professionals day,administrative professional day,secretaries day,"
                + "secretary day,secretarys day,admins day,admin day",
            .weekday(-1, .saturday, month: 4, plus: -3), 1, nil)
        weekday("mothers day", 2, .sunday, 5)
        weekday("military spouse day,military spouses day", 2, .sunday, 5, plus: -2)
        weekday("armed forces day", 3, .saturday, 5)
        weekday("ems week,emergency medical services week", 3, .sunday, 5, days: 7)
        weekday("emsc day,ems for children day", 3, .sunday, 5, plus: 3)
        weekday("memorial day,decoration day", -1, .monday, 5)
        weekday("early may bank holiday", 1, .monday, 5)
        weekday("spring bank holiday", -1, .monday, 5)
        weekday("august bank holiday,summer bank holiday,late summer bank holiday", -1, .monday, 8)
        add("victoria day", .weekdayBefore(.monday, month: 5, day: 25), 1, nil)
        weekday("fathers day", 3, .sunday, 6)
        weekday("parents day", 4, .sunday, 7)
        weekday("friendship day", 1, .sunday, 8)
        weekday("labor day", 1, .monday, 9)
        weekday("grandparents day,national grandparents day", 1, .monday, 9, plus: 6)
        weekday("columbus day,indigenous peoples day,native american day", 2, .monday, 10)
        weekday("canadian thanksgiving,canadian thanksgiving day", 2, .monday, 10)
        weekday("boss day,bosses day,bosss day", 3, .monday, 10)
        weekday("sweetest day", 3, .saturday, 10)
        weekday("election day", 1, .monday, 11, plus: 1)
        weekday("melbourne cup,melbourne cup day", 1, .tuesday, 11)
        weekday("remembrance sunday", 2, .sunday, 11)
        weekday(
            "thanksgiving,thanksgiving day,thanks giving day,turkey day", 4,
            .thursday, 11)
        weekday("black friday", 4, .thursday, 11, plus: 1)
        weekday("small business saturday", 4, .thursday, 11, plus: 2)
        weekday("cyber monday", 4, .thursday, 11, plus: 4)
        weekday("giving tuesday", 4, .thursday, 11, plus: 5)
        add("kings day,koningsdag", .notOn(.sunday, month: 4, day: 27), 1, nil)
        add("emancipation day", .observed(month: 4, day: 16), 1, nil)
        add("tax day", .taxes, 1, nil)
        add(
            "super tuesday,super tue,giga tuesday,mega tuesday,mega giga tuesday,tsunami tuesday,"
                + "super duper tuesday",
            .listed([
                1988: [3, 8], 1992: [3, 10], 1996: [3, 12], 2000: [3, 7], 2004: [3, 2],
                2008: [2, 5], 2012: [3, 6], 2016: [3, 1], 2020: [3, 3], 2024: [3, 5],
            ]), 1, nil)
    }

    private static func addChurch(_ add: Add) {
        func easter(_ names: String, _ plus: Int) { add(names, .easter(plus: plus), 1, nil) }
        func eastern(_ names: String, _ plus: Int) {
            add(names, .easternEaster(plus: plus), 1, nil)
        }
        easter("rose monday,shrove monday", -48)
        easter("shrove tuesday,shrove tue,mardi gras,pancake day,pancake tuesday,fat tuesday", -47)
        easter("ash wednesday", -46)
        add("lent", .easter(plus: -46), 46, nil)
        easter("laetare sunday,mothering sunday,uk mothers day", -21)
        easter("palm sunday,branch sunday", -7)
        add("holy week", .easter(plus: -7), 7, nil)
        easter(
            "maundy thursday,maundy thu,covenant thursday,covenant thu,holy thursday,"
                + "thursday of mysteries,thu of mysteries,sheer thursday", -3)
        easter("good friday,great friday,holy friday", -2)
        easter("holy saturday,black saturday,easter eve,great saturday", -1)
        easter("easter,easter sunday,easter day", 0)
        easter("easter monday,easter mon", 1)
        easter("ascension day,ascension thursday", 39)
        easter("pentecost,whit sunday,white sunday,whitsun,pentecost sunday", 49)
        easter("whit monday,pentecost monday,monday of the holy spirit", 50)
        easter("trinity sunday", 56)
        easter("corpus christi,feast of corpus christi", 60)
        add("advent sunday,first advent", .weekdayBefore(.sunday, month: 12, day: 4), 1, nil)
        eastern(
            "clean monday,orthodox shrove monday,pure monday,green monday,ash monday,"
                + "monday of lent", -48)
        eastern("lazarus saturday", -8)
        eastern("orthodox palm sunday", -7)
        add("orthodox lent,great lent,great fast", .easternEaster(plus: -48), 40, nil)
        eastern("orthodox good friday,orthodox great friday", -2)
        eastern("orthodox holy saturday,orthodox great saturday", -1)
        eastern("orthodox easter,orthodox easter sunday,pascha,greek easter", 0)
        eastern("orthodox easter monday,bright monday,renewal monday", 1)
        eastern("orthodox ascension,orthodox ascension day", 39)
        eastern("orthodox pentecost,orthodox whit sunday", 49)
        eastern("orthodox whit monday", 50)
    }

    private static func addHebrewAndIslamic(_ add: Add) {
        func hebrew(_ names: String, _ month: Int, _ day: Int, days: Int = 1) {
            add(names, .hebrew(month: month, day: day), days, nil)
        }
        hebrew(
            "rosh hashanah,rosh hashana,rosh ha shanah,yom teruah,jewish new year", 7, 1, days: 3)
        hebrew("yom kippur,day of atonement", 7, 10, days: 2)
        hebrew(
            "sukkot,feast of tabernacles,feast of booths,feast of the ingathering", 7, 15, days: 8)
        hebrew("hoshana rabbah", 7, 21)
        hebrew("shemini atzeret", 7, 22)
        hebrew("simchat torah", 7, 23)
        hebrew(
            "hanukkah,hanukah,chanukah,chanukkah,hannukah,hannukkah,festival of lights", 9, 25,
            days: 8)
        hebrew("tu bishvat,tu bshevat,tu b shevat", 11, 15)
        hebrew("purim", 12, 14)
        hebrew("shushan purim", 12, 15)
        hebrew("passover,pesach,pesah", 1, 15, days: 8)
        hebrew("yom hashoah,yom ha shoah,holocaust day,holocaust remembrance day", 1, 27)
        hebrew("yom haatzmaut,yom ha atzmaut,israeli independence day", 2, 5)
        hebrew("lag bomer,lag baomer,lag b omer", 2, 18)
        hebrew("yom yerushalayim,jerusalem day", 2, 28)
        hebrew("shavuot,shavuoth,feast of weeks", 3, 6, days: 3)
        hebrew("tisha bav,tisha b av", 5, 9)

        func islamic(_ names: String, _ month: Int, _ day: Int) {
            add(names, .islamic(month: month, day: day), 1, nil)
        }
        islamic("islamic new year,muharram,hijri new year,amun jadid", 1, 1)
        islamic("ashura,day of ashura", 1, 10)
        islamic("mawlid,mawlid al nabi,milad un nabi,eid milad,the prophets birthday", 3, 12)
        islamic("isra and miraj,isra and mi raj,laylat al miraj", 7, 27)
        add(
            "ramadan,ramadhan,ramzan,ramazan", .islamic(month: 9, day: 1), 30,
            .islamic(month: 10, day: 1))
        islamic(
            "laylat al qadr,laylat al kadr,layla tul qadr,night of power,night of measures,"
                + "night of decree,night of destiny", 9, 27)
        islamic(
            "eid al fitr,eid ul fitr,id al fitr,id ul fitr,eid,ramzan eid,"
                + "festival of breaking the fast", 10, 1)
        islamic("day of arafah,day of arafat,arafah day", 12, 9)
        islamic(
            "eid al adha,eid ul adha,id al adha,id ul adha,sacrifice feast,feast of sacrifice,"
                + "festival of sacrifice,bakr id,bakr eid,bakrid,greater eid,eid e qurban", 12, 10)
        add("jumuatul wida,jumu atul wida,jamat ul vida", .islamic(month: 9, day: 23), 1, nil)
    }

    private static func addAsian(_ add: Add) {
        func chinese(_ names: String, _ month: Int, _ day: Int, plus: Int = 0) {
            add(names, .chinese(month: month, day: day, plus: plus), 1, nil)
        }
        for land in ["chinese", "lunar", "chinese lunar"] {
            chinese("\(land) new year,\(land) new years,\(land) new years day", 1, 1)
            chinese("\(land) new years eve,\(land) new year eve", 1, 1, plus: -1)
        }
        chinese("spring festival,tet,seollal", 1, 1)
        chinese("lantern festival", 1, 15)
        add("qingming,qingming festival,tomb sweeping day", .chineseSun(15), 1, nil)
        chinese("dragon boat festival,duanwu", 5, 5)
        chinese("qixi,qixi festival", 7, 7)
        chinese("ghost festival,zhongyuan", 7, 15)
        chinese("mid autumn festival,moon festival,mooncake festival,chuseok", 8, 15)
        chinese("double ninth festival,chongyang", 9, 9)

        func indian(
            _ names: String, _ month: Int, _ tithi: Int, _ hour: Double = 6, plus: Int = 0,
            days: Int = 1
        ) {
            add(names, .indian(month: month, tithi: tithi, hour: hour, plus: plus), days, nil)
        }
        indian("ugadi,gudi padwa,yugadi,samvatsaradi", 1, 1)
        indian("rama navami,ram navami,ramanavami", 1, 9, 12)
        indian("mahavir jayanti,mahavir janma kalyanak,mahaveer jayanti", 1, 13)
        indian("hanuman jayanti", 1, 15)
        indian("akshaya tritiya", 2, 3, 9)
        indian("buddha purnima,buddha day,vesak,wesak,buddhas birthday,buddha jayanti", 2, 15)
        indian("rath yatra,ratha yatra,ratha jatra,chariot festival", 4, 2)
        indian("guru purnima", 4, 15)
        indian("raksha bandhan,rakhi,rakhi purnima,rakshabandhan", 5, 15, 8)
        indian(
            "krishna janmashtami,janmashtami,gokulashtami,sri krishna jayanti,krishnashtami", 5, 23,
            24)
        indian("ganesh chaturthi,vinayaka chaturthi,vinayaka chavithi", 6, 4, 12)
        indian("navaratri,navratri,sharad navaratri,durga puja", 7, 1, 6, days: 9)
        indian("maha saptami", 7, 7)
        indian("maha ashtami,durga ashtami", 7, 8)
        indian("maha navami", 7, 9)
        indian("dussehra,vijayadashami,vijaya dashami,dasara,dashain", 7, 10, 8)
        indian("sharad purnima", 7, 15, 18)
        indian("valmiki jayanti,maharishi valmiki jayanti,pargat diwas", 7, 15)
        indian("karva chauth,karwa chauth", 7, 19, 20)
        indian("dhanteras,dhantrayodashi,dhanatrayodashi,dhan teras", 7, 28, 18)
        indian("naraka chaturdashi,choti diwali,chhoti diwali,kali chaudas", 7, 29, 6)
        indian("diwali,deepavali,divali,lakshmi puja,kali puja", 7, 30, 18)
        indian("govardhan puja,annakut,vikram samvat new year,gujarati new year", 8, 1, 8)
        indian("bhai dooj,bhaubeej,bhai tika,bhai phonta,bhau beej", 8, 2, 14)
        indian("chhath,chhath puja,chhathi,dala puja,dala chhath,surya shashthi", 8, 6, 18)
        indian("guru nanak jayanti,guru nanak gurpurab,gurpurab,kartik purnima", 8, 15)
        indian(
            "guru gobind singh jayanti,guru gobind singh birthday,guru govind singh jayanti,"
                + "guru govind singh birthday", 10, 7)
        indian("vasant panchami,basant panchami,saraswati puja,shri panchami", 11, 5, 9)
        indian(
            "guru ravidass jayanti,guru ravidas jayanti,guru ravidas birthday,ravidas jayanti",
            11, 15)
        indian(
            "saraswati jayanti,dayananda saraswati jayanti,swami dayanand jayanti,"
                + "maharishi dayanand saraswati jayanti", 11, 25)
        indian("maha shivaratri,mahashivratri,shivaratri,maha shivratri,shivratri", 11, 29, 24)
        indian("chhoti holi,choti holi,holika dahan,kamudu pyre", 12, 15, 18)
        indian("holi,dhulandi,dhulivandan,phagwah,dhuleti,rangwali holi", 12, 15, 18, plus: 1)
        indian("mahavir diwali", 7, 30, 18)

        let harvest = Rule.indianSun(sign: 9, hour: 18)
        add(
            "pongal,makar sankranti,makara sankranti,makara sankranthi,maghi,thai pongal,"
                + "makar sankranthi", harvest, 1, nil)
        add(
            "bogi,bogi pandigai,bhogi,bhogi pandigai,lohri,lal loi",
            .indianSun(sign: 9, hour: 18, plus: -1), 1, nil)
        add("mattu pongal,maattu pongal", .indianSun(sign: 9, hour: 18, plus: 1), 1, nil)
        add(
            "kaanum pongal,kanni pongal,kanu pongal", .indianSun(sign: 9, hour: 18, plus: 2), 1, nil
        )
        add(
            "vaisakhi,baisakhi,vasakhi,vaishakhi,mesadi,vishu,tamil new year,puthandu",
            .indianSun(sign: 0), 1, nil)
        add("pohela boishakh,bengali new year", .indianSun(sign: 0, plus: 1), 1, nil)
        add(
            "rabindra jayanti,rabindranath jayanti,rabindranath tagore jayanti",
            .indianSun(sign: 0, plus: 25), 1, nil)
        add("onam,thiru onam,thiruvonam,thiruonam", .indianMoon(mansion: 22, sign: 4), 1, nil)
        add("parsi new year,jamshedi navroz,jamshedi new year", .fixed(month: 8, day: 16), 1, nil)
    }
}
