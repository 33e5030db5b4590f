extension FoldedText {
    /// What a lower-case character folds to, then the characters that fold to it.
    ///
    /// Made from the Unicode decompositions, plus letters that have none but stand for a plain one
    /// in names (ø, ł, đ, ß, æ), plus punctuation that keyboards do not have.
    static let letters = """
        ' ‘’‚‛′´`
        " “”„‟″«»
        - ‐‑‒–—―−
        ... …
        a àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặⱥ
        ae æǣǽ
        b ƀɓḃḅḇ
        c çćĉċčƈȼḉ
        d ðďđɖɗḋḍḏḑḓ
        e èéêëēĕėęěȅȇȩɇḕḗḙḛḝẹẻẽếềểễệ
        f ƒḟ
        ff ﬀ
        ffi ﬃ
        ffl ﬄ
        fi ﬁ
        fl ﬂ
        g ĝğġģǧǵɠḡ
        h ĥħȟḣḥḧḩḫẖ
        i ìíîïĩīĭįİıǐȉȋɨḭḯỉị
        j ĵǰɉ
        k ķƙǩḱḳḵ
        l ĺļľłƚḷḹḻḽ
        m ḿṁṃ
        n ñńņňƞǹɲṅṇṉṋ
        o òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ
        oe œ
        p ƥṕṗ
        r ŕŗřȑȓɍṙṛṝṟ
        s śŝşšſșṡṣṥṧṩẛ
        ss ß
        st ﬅﬆ
        t ţťŧƭțʈṫṭṯṱẗⱦ
        th þ
        u ùúûüũūŭůűųưǔǖǘǚǜȕȗʉṳṵṷṹṻụủứừửữự
        v ʋṽṿ
        w ŵẁẃẅẇẉẘ
        x ẋẍ
        y ýÿŷƴȳɏẏẙỳỵỷỹ
        z źżžƶȥẑẓẕ
        α άἀἁἂἃἄἅἆἇὰάᾰᾱᾶ
        αι ᾀᾁᾂᾃᾄᾅᾆᾇᾲᾳᾴᾷ
        β ϐ
        ε έϵἐἑἒἓἔἕὲέ
        η ήἠἡἢἣἤἥἦἧὴήῆ
        ηι ᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῇ
        θ ϑ
        ι ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ
        κ ϰ
        μ µ
        ο όὀὁὂὃὄὅὸό
        π ϖ
        ρ ϱῤῥ
        σ ς
        υ ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ
        φ ϕ
        ω ώὠὡὢὣὤὥὦὧὼώῶ
        ωι ᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῷ
        а ӑӓ
        г ѓ
        е ѐёӗ
        ж ӂӝ
        з ӟ
        и йѝӣӥ
        к ќ
        о ӧᲂ
        у ўӯӱӳ
        ч ӵ
        ы ӹ
        э ӭ
        і ї
        ѵ ѷ
        ә ӛ
        ө ӫ
        """

    /// Characters of other scripts that have two equal spellings, as hexadecimal code points: the
    /// character, then what it is written as here.
    static let spellings = """
        622=627 623=627 624=648 625=627 626=64A 6C0=6D5 6C2=6C1 6D3=6D2 929=928+93C 931=930+93C \
        934=933+93C 958=915+93C 959=916+93C 95A=917+93C 95B=91C+93C 95C=921+93C 95D=922+93C \
        95E=92B+93C 95F=92F+93C 9CB=9C7+9BE 9CC=9C7+9D7 9DC=9A1+9BC 9DD=9A2+9BC 9DF=9AF+9BC \
        A33=A32+A3C A36=A38+A3C A59=A16+A3C A5A=A17+A3C A5B=A1C+A3C A5E=A2B+A3C B48=B47+B56 \
        B4B=B47+B3E B4C=B47+B57 B5C=B21+B3C B5D=B22+B3C B94=B92+BD7 BCA=BC6+BBE BCB=BC7+BBE \
        BCC=BC6+BD7 C48=C46+C56 CC0=CBF+CD5 CC7=CC6+CD5 CC8=CC6+CD6 CCA=CC6+CC2 CCB=CC6+CC2+CD5 \
        D4A=D46+D3E D4B=D47+D3E D4C=D46+D57 DDA=DD9+DCA DDC=DD9+DCF DDD=DD9+DCF+DCA DDE=DD9+DDF \
        F43=F42+FB7 F4D=F4C+FB7 F52=F51+FB7 F57=F56+FB7 F5C=F5B+FB7 F69=F40+FB5 F73=F71+F72 \
        F75=F71+F74 F76=FB2+F80 F78=FB3+F80 F81=F71+F80 F93=F92+FB7 F9D=F9C+FB7 FA2=FA1+FB7 \
        FA7=FA6+FB7 FAC=FAB+FB7 FB9=F90+FB5 1026=1025+102E 1B06=1B05+1B35 1B08=1B07+1B35 \
        1B0A=1B09+1B35 1B0C=1B0B+1B35 1B0E=1B0D+1B35 1B12=1B11+1B35 1B3B=1B3A+1B35 1B3D=1B3C+1B35 \
        1B40=1B3E+1B35 1B41=1B3F+1B35 1B43=1B42+1B35 FB1D=5D9 FB1F=5F2 FB2A=5E9 FB2B=5E9 FB2C=5E9 \
        FB2D=5E9 FB2E=5D0 FB2F=5D0 FB30=5D0 FB31=5D1 FB32=5D2 FB33=5D3 FB34=5D4 FB35=5D5 FB36=5D6 \
        FB38=5D8 FB39=5D9 FB3A=5DA FB3B=5DB FB3C=5DC FB3E=5DE FB40=5E0 FB41=5E1 FB43=5E3 FB44=5E4 \
        FB46=5E6 FB47=5E7 FB48=5E8 FB49=5E9 FB4A=5EA FB4B=5D5 FB4C=5D1 FB4D=5DB FB4E=5E4 \
        FF65=30FB FF66=30F2 FF67=30A1 FF68=30A3 FF69=30A5 FF6A=30A7 FF6B=30A9 FF6C=30E3 FF6D=30E5 \
        FF6E=30E7 FF6F=30C3 FF70=30FC FF71=30A2 FF72=30A4 FF73=30A6 FF74=30A8 FF75=30AA FF76=30AB \
        FF77=30AD FF78=30AF FF79=30B1 FF7A=30B3 FF7B=30B5 FF7C=30B7 FF7D=30B9 FF7E=30BB FF7F=30BD \
        FF80=30BF FF81=30C1 FF82=30C4 FF83=30C6 FF84=30C8 FF85=30CA FF86=30CB FF87=30CC FF88=30CD \
        FF89=30CE FF8A=30CF FF8B=30D2 FF8C=30D5 FF8D=30D8 FF8E=30DB FF8F=30DE FF90=30DF FF91=30E0 \
        FF92=30E1 FF93=30E2 FF94=30E4 FF95=30E6 FF96=30E8 FF97=30E9 FF98=30EA FF99=30EB FF9A=30EC \
        FF9B=30ED FF9C=30EF FF9D=30F3
        """
}
