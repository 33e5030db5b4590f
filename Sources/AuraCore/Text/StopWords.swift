/// English words that say nothing about what a text is about.
package enum StopWords {
    package static let english: Set<String> = Set(
        """
        a about above after again against all also am an and any are as at be because been before
        being below between both but by can could did do does doing down during each few for from
        further get got had has have having he her here hers him his how i if in into is it its
        itself just let me more most my no nor not now of off on once one only or other our ours out
        over own please same she should so some such than that the their theirs them then there
        these they this those through to too under until up us very was we were what when where
        which while who whom why will with would you your yours dont doesnt didnt isnt wasnt cant
        wont im ive id ill youre theyre thats theres whats really quite still yet ever
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
