import Testing

@testable import AuraCore

@Suite("term tables") struct TermTableTests {
    @Test("a term has one number, in the order in which terms came, through every growth")
    func numbers() {
        var table = TermTable()
        var random = SeededChance(seed: 4)
        var known: [[UInt8]: Int32] = [:]
        for _ in 0..<20_000 {
            let length = Int(random.next() % 12)
            let term = (0..<length).map { _ in UInt8(random.next() % 5) * 51 }
            let (id, isNew) = table.insert(term)
            #expect(isNew == (known[term] == nil))
            #expect(id == known[term, default: Int32(known.count)])
            known[term] = id
        }
        #expect(table.count == known.count)
        #expect(known.allSatisfy { Array(table[$0.value]) == $0.key })
        let sorted = table.sorted().map { Array(table[$0]) }
        #expect(sorted == known.keys.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
