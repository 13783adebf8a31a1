import AlterJournal
import Foundation
import Testing

@Suite("A JSON value")
struct JSONValueTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

  @Test(
    "comes back byte for byte",
    arguments: [
      "null", "true", "false", "0", "-0", "1", "-17", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
      "18446744073709551615",
      "0.5", "1e+20", "1.0", "1e3", "-1E-7", "123456789012345678901234567890.125", "1e999", #""""#, #""a\"b\\c\n\u0001\b\f\r\t""#,
      #""žluť 🎈""#,
      "[]", "{}", #"[1,[2,[3]],{"a":null}]"#, #"{"a":1,"b":{"c":[true]},"ž":2}"#,
    ])
  func roundTrip(_ text: String) throws {
    let value = try value(text)
    #expect(value.description == text)
    #expect(try self.value(value.description) == value)
  }

  @Test("reads spaces, escapes and any order, and writes its own form")
  func normalises() throws {
    #expect(try value(" {\"b\" : [ 1 , 2 ] ,\t\"a\":\n\"\\u00e9\\/\\ud83c\\udf88\" } ").description == #"{"a":"é/🎈","b":[1,2]}"#)
    #expect(try value(#"{"a":1,"a":2}"#) == ["a": 2])
  }

  @Test(
    "says what is wrong with a text that is none, and where",
    arguments: [
      ("", 0), ("nul", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\" 1}", 5), ("{a:1}", 1), ("01", 1), ("-", 1), ("1.", 2), ("1e", 2), ("\"a", 2),
      ("\"\u{1}\"", 1),
      (#""\x""#, 3), (#""\ud800""#, 7), (#""\u12g4""#, 3), ("1 2", 2), ("[", 1), (#""\udc00""#, 7),
    ])
  func malformed(_ text: String, offset: Int) throws {
    let error = #expect(throws: JSONValue.ParsingError.self) { try value(text) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
  }

  @Test("refuses what is no UTF-8, and nesting that could overflow a small stack")
  func refuses() async throws {
    #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: Data([0x22, 0xFF, 0x22])) }
    let lengths = await withCheckedContinuation { (continuation: CheckedContinuation<[Int?], Never>) in
      let thread = Thread {
        continuation.resume(
          returning: [512, 513, 100_000].map { depth in
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return (try? JSONValue(parsing: Data(text.utf8)))?.description.utf8.count
          })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(lengths == [1_024, nil, nil])
  }

  @Test("gives what it holds, and changes by key")
  func access() throws {
    var value: JSONValue = ["name": "Jack", "age": 41, "height": 1.85, "tags": ["a", "b"], "gone": nil, "in": true]
    #expect(value["name"]?.text == "Jack" && value["age"]?.int == 41 && value["age"]?.double == 41 && value["height"]?.double == 1.85)
    #expect(value["tags"]?[1] == "b" && value["tags"]?[2] == nil && value["tags"]?.values?.count == 2 && value["in"]?.flag == true)
    #expect(value["gone"] == JSONValue.null && value["missing"] == nil && value["name"]?["x"] == nil)
    value["name"] = nil
    value["age"] = 42
    #expect(value.members?.keys.sorted() == ["age", "gone", "height", "in", "tags"] && value["age"] == 42)
    #expect(value.renaming("age", to: "years")["years"] == 42)
    #expect(value.renaming("missing", to: "x") == value)
    #expect((["add": ["_0": 1]] as JSONValue).only?.name == "add" && value.only == nil)
    #expect(try JSONValue(parsing: Data("1.0".utf8)).int == 1)
  }

  @Test("is Codable, and exact for integers")
  func coding() throws {
    let text = #"{"a":[1,-2,9223372036854775807,18446744073709551615,0.1,"x",null,true],"b":{}}"#
    let decoded = try JournalCoding.decode(JSONValue.self, from: Data(text.utf8))
    #expect(decoded == (try value(text)))
    #expect(String(decoding: try JournalCoding.encode(decoded), as: UTF8.self) == text)
    struct Model: Codable, Equatable { let a: Int, b: Date }
    let model = Model(a: 1, b: Date(timeIntervalSince1970: 0.25))
    #expect(try JSONValue(encoding: model) == ["a": 1, "b": "1970-01-01T00:00:00.25Z"])
    #expect(try JSONValue(encoding: model).decode(Model.self) == model)
  }

  @Test("that the journal's coding has written is written alike: keys in the same order, numbers and texts in the same form")
  func likeTheCoding() throws {
    let value: [String: [String: Double]] = [
      "a": ["B": 1, "b": -0.0, "10": 1e21, "9": 1e-7, "é": 123_456_789.125], "Z": ["": 0.1, "\u{7F}/\\\"": 5e-9],
      "ž": ["𝄞": 1e15, "ﬀ": 1e16],
    ]
    let bytes = try JournalCoding.encode(value)
    #expect(try JSONValue(parsing: bytes).data == bytes)
  }

  @Test(
    "keeps a decimal number next to a whole one when a decoder reads it",
    arguments: ["1.00000000000000000001", "9007199254740991.5", "-12345678901234567.8", "18446744073709551614.5"])
  func nearlyWhole(_ text: String) throws {
    #expect(try JournalCoding.decode(JSONValue.self, from: Data(text.utf8)) == .decimal(text))
  }
}
