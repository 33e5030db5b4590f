package struct VaultSetting: Sendable, Hashable { package var name, colour, short, icon, purpose: String
 package init(name: String, colour: String, short: String, icon: String, purpose: String) {self.name=name;self.colour=colour;self.short=short;self.icon=icon;self.purpose=purpose}}
package struct Settings: Sendable { package var displayColour = "auto", home = "", editor = "", defaultVault = "Personal"; package var vaults: [VaultSetting] = ["Corporate","Trading","Family","Personal","Projects"].map { VaultSetting(name: $0, colour: "#00D4FF", short: "", icon: "", purpose: "") }; package var dayFirst = true, enrichesInBackground = true
 package var enrichQuietSeconds = 1, threads = 0, context = 4096, warmSeconds = 120, memoryLimitMB = 0, searchLimit = 20, askPassages = 2
 package var chatModel: (value: String, isDefault: Bool) { ("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", true) }
 package var embeddingModel: (value: String, isDefault: Bool) { ("all-MiniLM-L6-v2-f16.gguf", true) }
 package static var reference: String { "" }
 package var colours: [String: String] { [:] } }
package struct SettingsFile { package var bytes: [UInt8] = []
 package static func read(_ p: String) throws -> SettingsFile { SettingsFile() }
 package mutating func addVault(_ v: VaultSetting) throws {}
 package mutating func recolourVault(_ v: String, to: String) throws {}
 package mutating func renameVault(_ v: String, to: String) throws {}
 package mutating func set(_ v: String, to: String) throws {}
 package mutating func unset(_ v: String) throws {} }
package enum SettingsError: Error { case unknownKey(String, nearest: String?) }
package struct SettingsOrigin: Sendable { package struct Line: Sendable { package var key, value, source: String }
 package var settings = Settings(); package var warnings: [String] = []; package var lines: [Line] = []
 package static func resolve(file: SettingsFile, environment: [String:String], flags: [String:String]) throws -> SettingsOrigin { SettingsOrigin() } }
package struct Passage { package var headingPath: [String]; package var text: String; package static func split(_ n: Note) -> [Passage] { [Passage(headingPath: [], text: n.body)] } }
package struct Transcript { package enum Format { case plain, srt }
 package static func detect(_ t: String) -> Format? { nil }
 package static func hasWhisperMarks(_ t: String) -> Bool { false }
 package static func parse(_ t: String, as: Format) throws -> Transcript { Transcript() }
 package func cleaned() -> String { "" } }
