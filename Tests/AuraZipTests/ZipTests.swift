import AuraZip
import Testing

@Test func placeholder() { #expect(Zip.compress([]).count > 0) }
