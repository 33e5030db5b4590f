import AuraCore
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "what is read and written again is the same",
        arguments: [
            #"{"a":1,"b":[true,false,null],"c":{"d":"x"}}"#, #"["\"\\\n\t","é😀"]"#, "-0.5", "12",
            #""\u2028\u0001""#, "{}", "[]", "1e+16",
        ])
    func roundTrip(text: String) throws {
        #expect(try JSONValue(parsing: text).serialized == text)
    }

    @Test("escapes are read, and half a surrogate pair becomes a replacement character")
    func escapes() throws {
        #expect(try JSONValue(parsing: #""\u00e9\ud83d\ude00\/\b""#).text == "é😀/\u{8}")
        #expect(try JSONValue(parsing: #""\ud83dx\ude00""#).text == "\u{FFFD}x\u{FFFD}")
    }

    @Test(
        "what RFC 8259 forbids is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\":1,}", "01", "1.", ".5", "+1", "1e", "nul", "'a'", "{a:1}",
            "\"a\nb\"",
            "1 2", "\"\\x\"", "[1 2]", "NaN", "--1", "\"abc", "1e999",
        ])
    func refuses(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test("nesting deeper than 64 and text past the limit are refused")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSONValue(parsing: nested(64)).elements?.count == 1)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
        #expect(error?.reason == .tooDeep)
        #expect(error?.offset == 64)
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,2,3]", maximumBytes: 3) }
    }

    @Test("members keep their order, and the last of equal keys is found")
    func members() throws {
        let value = try JSONValue(parsing: #"{"z":1,"a":2,"z":3.0}"#)
        #expect(value.members?.map(\.key) == ["z", "a", "z"])
        #expect(value["z"]?.integer == 3)
        #expect(value["q"] == nil)
        #expect(JSONValue.number(.nan).serialized == "null")
    }
}

@Suite("JSON in prose")
struct LooseJSONTests {
    @Test(
        "the first whole object is found, whatever stands around it",
        arguments: [
            (#"Sure! Here it is: {"a":1} Hope it helps."#, #"{"a":1}"#),
            ("```json\n{\"a\": {\"b\": [1]}}\n```", #"{"a":{"b":[1]}}"#),
            (#"<think>maybe {"a":0}</think>{"a":1}"#, #"{"a":1}"#),
            (#"thinking {"a":0} on</think> {"a":1}"#, #"{"a":1}"#),
            (#"{"note":"ends with </think> here"}"#, #"{"note":"ends with </think> here"}"#),
            (#"use {braces} like {"a":"}"}"#, #"{"a":"}"}"#),
            (#"{"a":1}{"a":2}"#, #"{"a":1}"#),
        ])
    func object(reply: String, expected: String) {
        #expect(LooseJSON.object(in: reply)?.serialized == expected)
    }

    @Test(
        "without a whole object there is none",
        arguments: ["", "no json", "{\"a\":", #"<think>{"a":1}"#, "[1]", "{a:1}", "{{{{"])
    func nothing(reply: String) {
        #expect(LooseJSON.object(in: reply) == nil)
    }

    @Test(
        "pairs that were complete survive a cut",
        arguments: [
            (#"{"title":"Ferry","tags":["a","b"],"kind":"rem"#, "title tags"),
            (#"{"a":1,"b":2"#, "a"), (#"{"a":1,"b":2,"#, "a b"), (#"{"a":true"#, "a"),
            (#"{"a":1}"#, "a"), (#"{"a":{"b":1},"c":{"#, "a"), ("{", ""), ("prose", ""),
            (#"<think>x</think>{"a":"y","#, "a"),
        ])
    func pairs(reply: String, keys: String) {
        let pairs = LooseJSON.completePairs(in: reply)
        #expect(pairs.map(\.key).joined(separator: " ") == keys)
    }
}
