/// A day that has a name instead of a date.
enum Holiday: Equatable, Sendable {
    case fixed(month: Int, day: Int)
    /// The n-th such weekday of a month, -1 the last, and days after it.
    case weekday(Int, Weekday, month: Int, plus: Int = 0)
    /// Days after Easter Sunday of the western churches.
    case easter(plus: Int)

    func day(in year: Int) -> Day? {
        switch self {
        case .fixed(let month, let day): return Day(year: year, month: month, day: day)
        case .easter(let plus): return Holiday.easterSunday(in: year)?.adding(days: plus)
        case .weekday(let count, let weekday, let month, let plus):
            guard let month = Month(year: year, month: month) else { return nil }
            let day: Day
            if count > 0 {
                let gap = (weekday.rawValue - month.firstDay.weekday.rawValue + 7) % 7
                day = month.firstDay.adding(days: gap + (count - 1) * 7)
            } else {
                let gap = (month.lastDay.weekday.rawValue - weekday.rawValue + 7) % 7
                day = month.lastDay.adding(days: -gap + (count + 1) * 7)
            }
            return day.adding(days: plus)
        }
    }

    /// The Gregorian computus of Meeus, Jones and Butcher.
    private static func easterSunday(in year: Int) -> Day? {
        let golden = year % 19
        let (century, rest) = (year / 100, year % 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let shift = (golden + 11 * epact + 22 * weekday) / 451
        let month = (epact + weekday - 7 * shift + 114) / 31
        let day = (epact + weekday - 7 * shift + 114) % 31 + 1
        return Day(year: year, month: month, day: day)
    }

    /// Names without apostrophes, so that `mothers day` and `mother's day` are one.
    static let english: [String: Holiday] = {
        var table: [String: Holiday] = [:]
        func add(_ names: String, _ holiday: Holiday) {
            for name in names.split(separator: ",") { table[String(name)] = holiday }
        }
        add("new years day,new year day", .fixed(month: 1, day: 1))
        add("epiphany,three kings day,twelfth night", .fixed(month: 1, day: 6))
        add("groundhog day,groundhogs day,candlemas", .fixed(month: 2, day: 2))
        add(
            "lincolns birthday,lincoln birthday,abraham lincolns birthday",
            .fixed(month: 2, day: 12))
        add("valentines day,valentine day,valentines", .fixed(month: 2, day: 14))
        add(
            "st patricks day,saint patricks day,st paddys day,saint paddys day,st pattys day",
            .fixed(month: 3, day: 17))
        add("april fools day,april fools,all fools day", .fixed(month: 4, day: 1))
        add("earth day", .fixed(month: 4, day: 22))
        add("st georges day,saint georges day", .fixed(month: 4, day: 23))
        add("anzac day", .fixed(month: 4, day: 25))
        add("kings day,koningsdag", .fixed(month: 4, day: 27))
        add("may day,labour day,law day,lei day,loyalty day", .fixed(month: 5, day: 1))
        add("cinco de mayo", .fixed(month: 5, day: 5))
        add("juneteenth,freedom day,jubilee day", .fixed(month: 6, day: 19))
        add("midsummer day", .fixed(month: 6, day: 24))
        add("canada day", .fixed(month: 7, day: 1))
        add("independence day", .fixed(month: 7, day: 4))
        add("bastille day", .fixed(month: 7, day: 14))
        add("halloween,all hallows eve", .fixed(month: 10, day: 31))
        add("all saints day,all hallows day,all hallows", .fixed(month: 11, day: 1))
        add("all souls day", .fixed(month: 11, day: 2))
        add("bonfire night,guy fawkes night,guy fawkes day", .fixed(month: 11, day: 5))
        add("veterans day,armistice day,remembrance day", .fixed(month: 11, day: 11))
        add("st nicholas day,saint nicholas day", .fixed(month: 12, day: 6))
        add("christmas eve,xmas eve", .fixed(month: 12, day: 24))
        add("christmas,christmas day,xmas,xmas day", .fixed(month: 12, day: 25))
        add("boxing day,st stephens day,second christmas day", .fixed(month: 12, day: 26))
        add("new years eve,new year eve,silvester", .fixed(month: 12, day: 31))

        add(
            "mlk day,mlk jr day,martin luther king day,martin luther king jr day",
            .weekday(3, .monday, month: 1))
        add(
            "presidents day,president day,washingtons birthday,george washington day",
            .weekday(3, .monday, month: 2))
        add("mothers day", .weekday(2, .sunday, month: 5))
        add("memorial day", .weekday(-1, .monday, month: 5))
        add("early may bank holiday", .weekday(1, .monday, month: 5))
        add("spring bank holiday", .weekday(-1, .monday, month: 5))
        add("august bank holiday,summer bank holiday", .weekday(-1, .monday, month: 8))
        add("fathers day", .weekday(3, .sunday, month: 6))
        add("labor day", .weekday(1, .monday, month: 9))
        add("grandparents day,national grandparents day", .weekday(1, .monday, month: 9, plus: 6))
        add("columbus day,indigenous peoples day", .weekday(2, .monday, month: 10))
        add("thanksgiving,thanksgiving day", .weekday(4, .thursday, month: 11))
        add("black friday", .weekday(4, .thursday, month: 11, plus: 1))
        add("cyber monday", .weekday(4, .thursday, month: 11, plus: 4))
        add("remembrance sunday", .weekday(2, .sunday, month: 11))

        add("shrove tuesday,mardi gras,pancake day", .easter(plus: -47))
        add("ash wednesday", .easter(plus: -46))
        add("palm sunday", .easter(plus: -7))
        add("maundy thursday,covenant thursday", .easter(plus: -3))
        add("good friday", .easter(plus: -2))
        add("easter,easter sunday,easter day", .easter(plus: 0))
        add("easter monday,easter mon", .easter(plus: 1))
        add("ascension day", .easter(plus: 39))
        add("pentecost,whit sunday,whitsun", .easter(plus: 49))
        add("whit monday,pentecost monday", .easter(plus: 50))
        add("trinity sunday", .easter(plus: 56))
        add("corpus christi", .easter(plus: 60))
        return table
    }()
}
